"""Fits `models/request-projection/` on `corpus/`: what moves the vector of a request to those of the memories it needs.

    python request_projection.py [--seed 0]

The vectors of memories stay as the published model makes them. A request seldom resembles what it needs ("suggest a
dinner", the allergy), so its vector v becomes v + up · down · v + bias, scaled to length 1: a change of low rank (LoRA,
Hu et al. 2021), fitted by contrast with the memories of the same person and of others that it does not need (InfoNCE,
van den Oord et al. 2018). One more alternative, that nothing is needed, has a similarity of its own: requests that no
memory answers must stay below it. Prints recall@5 of what must be used, before and after, where no training was.
"""

import argparse
import hashlib
import random
from pathlib import Path

import numpy as np
import onnxruntime
import torch
import torch.nn.functional as F
from corpus import of_part, persons
from inputs import in_english, joined, text_tokens
from torch import nn

MODELS = Path(__file__).resolve().parents[2] / "models"
TARGET = MODELS / "request-projection" / "weights.f32"
HIDDEN, RANK, WINDOW = 384, 64, 256
EPOCHS, PERSONS_A_STEP, RATE, DECAY = 2, 8, 1e-3, 1e-2
# Similarities are multiplied by this before they are compared; so similar is "nothing is needed" at first.
SHARPNESS, NOTHING = 20.0, 0.35
# How much a request that nothing answers counts beside one that something does.
UNANSWERED = 0.5
# A person of fewer memories has too few that do not matter.
FEWEST = 5


class Projection(nn.Module):
    def __init__(self):
        super().__init__()
        self.down, self.up = nn.Linear(HIDDEN, RANK, bias=False), nn.Linear(RANK, HIDDEN)
        nn.init.normal_(self.down.weight, std=HIDDEN**-0.5)
        nn.init.zeros_(self.up.weight)
        nn.init.zeros_(self.up.bias)

    def forward(self, requests):
        return F.normalize(requests + self.up(self.down(requests)), dim=-1)

    def save(self):
        """As `src/adapters/onnx-embedder/request-projection.ts` reads it."""
        parts = [self.down.weight, self.up.weight.T, self.up.bias]
        weights = np.concatenate([part.detach().numpy().ravel() for part in parts]).astype("<f4").tobytes()
        TARGET.parent.mkdir(exist_ok=True)
        TARGET.write_bytes(weights)
        TARGET.with_name("SHA256SUMS").write_text(f"{hashlib.sha256(weights).hexdigest()}  {TARGET.name}\n")


class Person:
    """Vectors of requests and of what was said, and for each of both how much it is needed; -1 where that is not known."""

    def __init__(self, person, vector_of):
        numbers = list(person.memories)
        self.said = torch.stack([vector_of[text] for text in said_by(person)])
        self.requests = torch.stack([vector_of[text] for text, _ in person.requests])
        self.need = torch.zeros(len(self.requests), len(self.said))
        for row, (_, needs) in zip(self.need, person.requests):
            for column, number in enumerate(numbers):
                # What a needed memory replaced is about the same thing: no example of what does not matter.
                is_replaced = not needs.keys().isdisjoint(person.memories[number].successors)
                row[column] = needs.get(number, -1.0 if is_replaced else 0.0)


def said_by(person):
    """As memories are indexed: with the name of who spoke, where several do. What is worth nothing comes last."""
    told = person.memories.values()
    return [memory.text if memory.is_assistant else memory.judged_text for memory in told] + person.chatter


def embedded(texts):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.log_severity_level = 1, 3
    session = onnxruntime.InferenceSession(str(MODELS / "all-minilm-l6-v2" / "model.int8.onnx"), options)
    vectors = {}
    for text in texts:
        ids, _ = joined((0, text_tokens(in_english(text))[: WINDOW - 2]))
        [vector] = session.run(["sentence_embedding"], {"input_ids": np.array([ids], np.int64)})
        vectors[text] = torch.from_numpy(vector[0])
    return vectors


def loss_of(some, projection, nothing):
    everything, losses, at = torch.cat([person.said for person in some]), [], 0
    for person in some:
        similar = SHARPNESS * (projection(person.requests) @ everything.T)
        need = torch.zeros_like(similar)
        need[:, at : at + len(person.said)] = person.need
        at += len(person.said)
        similar = similar.masked_fill(need < 0, -torch.inf)
        none = (SHARPNESS * nothing).expand(len(similar), 1)
        others = torch.logsumexp(torch.cat([similar.masked_fill(need > 0, -torch.inf), none], 1), 1, keepdim=True)
        weights = need.clamp(min=0)
        has_need = weights.sum(1) > 0
        each = F.softplus(others - similar.masked_fill(need <= 0, 0)) * weights
        losses.append(each.sum(1)[has_need] / weights.sum(1)[has_need])
        is_unanswered = ~(need == 1).any(1)
        losses.append(UNANSWERED * F.softplus(torch.logsumexp(similar[is_unanswered], 1) - none[is_unanswered, 0]))
    return torch.cat(losses).mean()


def train(people, seed):
    torch.manual_seed(seed)
    order, projection, nothing = random.Random(seed), Projection(), nn.Parameter(torch.tensor(NOTHING))
    groups = [{"params": projection.parameters(), "weight_decay": DECAY}, {"params": [nothing], "weight_decay": 0}]
    optimizer = torch.optim.AdamW(groups, lr=RATE)
    steps = EPOCHS * (len(people) // PERSONS_A_STEP)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps + 1, pct_start=0.1)
    for _ in range(EPOCHS):
        order.shuffle(people)
        for at in range(0, len(people) - PERSONS_A_STEP + 1, PERSONS_A_STEP):
            loss = loss_of(people[at : at + PERSONS_A_STEP], projection, nothing)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
    return projection.eval()


@torch.no_grad()
def measure(people, projection):
    """Recall@5 of what must be used; and how often the best of an answered request is above that of an unanswered one."""
    shares, answered, unanswered = [], [], []
    for person in people:
        similar = projection(person.requests) @ person.said.T
        for row, need in zip(similar, person.need):
            must = (need == 1).nonzero()[:, 0].tolist()
            best = row.topk(5).indices.tolist()
            (answered if must else unanswered).append(row.max())
            if must:
                shares.append(sum(one in best for one in must) / len(must))
    above = torch.stack(answered)[:, None] > torch.stack(unanswered)[None]
    return f"recall@5 {np.mean(shares):.3f}, AUC {above.float().mean():.3f}"


if __name__ == "__main__":
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--seed", type=int, default=0)
    seed = arguments.parse_args().seed
    people = [person for person in persons() if person.requests and len(person.memories) >= FEWEST]
    vector_of = embedded({text: None for one in people for text in said_by(one) + [text for text, _ in one.requests]})
    of = lambda part: [Person(person, vector_of) for person in of_part(people, part)]
    projection = train(of("training"), seed)
    for part in ("validation", "test by domain", "test by style"):
        some = of(part)
        print(f"{part}: as published {measure(some, lambda requests: requests)}; projected {measure(some, projection)}")
    projection.save()
