"""Averages trained encoders, and makes the probabilities of the result honest.

    python calibrate.py OUTPUT.pt INPUT.pt [INPUT.pt ...] [--tasks pairs]

The average of trainings that began alike is better than each (Wortsman and others, Model soups, 2022). Each logit is scaled
and shifted on the validation sections, and that folded into the heads. Which updates end only a part of a memory is told
by a head of its own, a logistic regression on what the trained encoder makes of the training pairs.
"""

import argparse
import random

import torch
import torch.nn.functional as F
from corpus import PAIR_LABELS, of_part, pairs, requests, statements
from encoder import STATEMENT_LABELS, Encoder
from inputs import padded, pair_input, request_input, statement_input
from train import TASKS

# Requests beside memories of which two numbers are fitted: more of them only take time.
MEASURED_REQUESTS = 4_000
# Of the weights of the head that tells parts: of .0003 to .03 it was the best on the validation sections.
PART_PENALTY = 0.003


@torch.no_grad()
def statement_logits(encoder, rows):
    encoder.eval()
    found = []
    for start in range(0, len(rows), 64):
        inputs = [statement_input([w for w, _ in r.words], r.before, r.is_assistant)[:2] for r in rows[start : start + 64]]
        found.append(encoder.of_statements(*padded(inputs))[0])
    return torch.cat(found)


@torch.no_grad()
def pair_logits(encoder, rows):
    encoder.eval()
    found = []
    for start in range(0, len(rows), 64):
        inputs = [pair_input(row.old, row.new, row.before) for row in rows[start : start + 64]]
        found.append(encoder.of_pairs(*padded(inputs)))
    return torch.cat(found)


@torch.no_grad()
def request_logits(encoder, rows):
    encoder.eval()
    found = []
    for start in range(0, len(rows), 64):
        inputs = [request_input(request, memory) for request, memory, _ in rows[start : start + 64]]
        found.append(encoder.of_requests(*padded(inputs)))
    return torch.cat(found)


def fitted(loss_of, parameters):
    optimizer = torch.optim.LBFGS(parameters, lr=0.1, max_iter=200)

    def closure():
        optimizer.zero_grad()
        loss = loss_of()
        loss.backward()
        return loss

    optimizer.step(closure)
    return [parameter.detach() for parameter in parameters]


@torch.no_grad()
def pooled_pairs(encoder, rows):
    encoder.eval()
    inputs = [pair_input(row.old, row.new, row.before) for row in rows]
    return torch.cat([encoder.pooled(*padded(inputs[start : start + 64])) for start in range(0, len(inputs), 64)])


def fit_part(encoder):
    """Of what replaces or ends a memory, whether it does so only in part."""
    updates = [row for row in pairs() if row.label in "RE"]
    rows, held_out = of_part(updates, "training"), of_part(updates, "validation")
    x, gold = pooled_pairs(encoder, rows), torch.tensor([float(row.is_part) for row in rows])
    weights, bias = torch.zeros(x.shape[1], requires_grad=True), torch.zeros(1, requires_grad=True)
    loss_of = lambda: F.binary_cross_entropy_with_logits(x @ weights + bias, gold) + PART_PENALTY * (weights**2).sum()
    weights, bias = fitted(loss_of, [weights, bias])
    with torch.no_grad():
        encoder.part.weight.copy_(weights[None])
        encoder.part.bias.copy_(bias)
    chances = torch.sigmoid(pooled_pairs(encoder, held_out) @ weights + bias)
    is_part = torch.tensor([row.is_part for row in held_out])
    for least in (0.4, 0.5, 0.6):
        whole = chances < least
        print(f"parts below {least}: of {len(held_out)} updates {(whole & ~is_part).sum() / whole.sum():.2f} of {whole.sum()} end all of the memory, {(whole & ~is_part).sum() / (~is_part).sum():.2f} of those that do")


def calibrate_statements(encoder):
    rows = of_part(statements(), "validation")
    logits = statement_logits(encoder, rows)
    for place, label in enumerate(STATEMENT_LABELS):
        gold = torch.tensor([float(label in row.labels or (label == "k" and row.is_kept)) for row in rows])
        if gold.sum() < 20:
            continue  # so few cannot tell
        scale, shift = torch.ones(1, requires_grad=True), torch.zeros(1, requires_grad=True)
        own = logits[:, place]
        loss_of = lambda: F.binary_cross_entropy_with_logits(own * scale + shift, gold) + 0.001 * ((scale - 1) ** 2 + shift**2).sum()
        scale, shift = fitted(loss_of, [scale, shift])
        print(f"label {label}: {int(gold.sum())} of {len(gold)}, scale {scale.item():.2f}, shift {shift.item():+.2f}")
        with torch.no_grad():
            encoder.labels.weight[place] *= scale
            encoder.labels.bias[place] = encoder.labels.bias[place] * scale + shift[0]


def calibrate_pairs(encoder):
    fit_part(encoder)
    rows = of_part(pairs(), "validation")
    logits, gold = pair_logits(encoder, rows), torch.tensor([PAIR_LABELS.index(row.label) for row in rows])
    scale = torch.ones(1, requires_grad=True)
    (scale,) = fitted(lambda: F.cross_entropy(logits * scale, gold), [scale])
    print(f"pairs: {len(rows)}, scale {scale.item():.2f}")
    with torch.no_grad():
        encoder.pair.weight *= scale
        encoder.pair.bias *= scale


def calibrate_requests(encoder):
    rows = of_part(requests(), "validation")
    rows = [(row.text, memory.judged_text, need) for row in rows for memory, need in row.memories]
    rows = random.Random(0).sample(rows, min(MEASURED_REQUESTS, len(rows)))
    logits, gold = request_logits(encoder, rows), torch.tensor([need for _, _, need in rows])
    scale, shift = torch.ones(1, requires_grad=True), torch.zeros(1, requires_grad=True)
    scale, shift = fitted(lambda: F.binary_cross_entropy_with_logits(logits * scale + shift, gold), [scale, shift])
    print(f"requests: {len(rows)} memories, scale {scale.item():.2f}, shift {shift.item():+.2f}")
    with torch.no_grad():
        encoder.need.weight *= scale
        encoder.need.bias.copy_(encoder.need.bias * scale + shift)


def averaged(paths):
    states = [torch.load(path, map_location="cpu") for path in paths]
    encoder = Encoder()
    encoder.load_state_dict({name: sum(state[name] for state in states) / len(states) for name in states[0]})
    return encoder


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("output")
    parser.add_argument("inputs", nargs="+")
    parser.add_argument("--tasks", nargs="+", default=TASKS, choices=TASKS)
    arguments = parser.parse_args()
    encoder = averaged(arguments.inputs)
    calibrate = {"statements": calibrate_statements, "pairs": calibrate_pairs, "requests": calibrate_requests}
    for task in arguments.tasks:
        calibrate[task](encoder)
    torch.save(encoder.state_dict(), arguments.output)


if __name__ == "__main__":
    main()
