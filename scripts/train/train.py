"""Trains the encoder and its heads on `corpus/`.

    python train.py OUTPUT.pt [--epochs 3] [--threads 2] [--device cpu] [--seed 0] [--resume EARLIER.pt] [--tasks pairs] [--rank] [--stress FILE ... --share .2]
"""

import argparse
import random
import time

import torch
import torch.nn.functional as F
from augment import Negatives, noisy, vectors_of
from corpus import BOTH_HOLD, PAIR_LABELS, of_part, pairs, requests, statements, updates
from encoder import STATEMENT_LABELS, Encoder
from inputs import in_english, padded, pair_input, request_input, statement_input
from torch import nn

# What the encoder learns. Pairs of an older memory and a later statement have an encoder of their own in the end, which
# begins with what one of all three has learned.
TASKS = ("statements", "pairs", "requests")
BATCH = 32
# So many statements in other languages are shown with their words in English, which the service reads beside their own.
TRANSLATED = 0.5
# Of a token that no span is told for.
NO_SPAN = -1.0
# Negatives drawn in each epoch, for each pair and each statement.
PER_PAIR, PER_STATEMENT = 0.4, 0.08
# For each request: memories of the same person that do not matter, near to it and any, memories of others, and words
# that are no memory.
NEAR, ANY, OTHERS, CHATTER = 1, 1, 1, 0.5
# Where a request's memories are ranked: how many are drawn of those near to it and of any, and what their order counts.
RANKED_NEAR, RANKED_ANY, RANKING = 3, 2, 0.3
# Of the memories of conversations, so many are shown as the turn that they were said in.
WHOLE_TURN = 0.3
# So many of a person's earlier memories are near to a later one, or to a request.
NEAREST = 5
# So much of each pair's label is spread over all of them.
SMOOTHING = 0.02
# Of the persons' earlier memories beside later ones that let them hold, in each epoch.
PER_MEMORY = 0.3


def statement_example(row, rnd, others):
    words, before = noisy(row.words, 0.3, rnd), context_of(row, rnd, others)
    labels = [float(label in row.labels or (label == "k" and row.is_kept)) for label in STATEMENT_LABELS]
    text = [word for word, _ in words]
    if row.section.language != "en" and rnd.random() < TRANSLATED:
        # The service takes the span from the words as they were said.
        ids, segments, _ = statement_input(in_english(" ".join(text)).split(), in_english(before), row.is_assistant)
        return (ids, segments), (labels, [])
    ids, segments, places = statement_input(text, before, row.is_assistant)
    # The first token is the mark; whoever keeps nothing has no span.
    span = [NO_SPAN] + [float(words[place][1]) if row.is_kept and place >= 0 else NO_SPAN for place in places]
    return (ids, segments), (labels, span)


def context_of(row, rnd, others):
    """The turn before, sometimes none or one that does not matter: talk has many of those."""
    if "c" in row.labels:
        return row.before
    if row.before:
        return "" if rnd.random() < 0.1 else row.before
    return rnd.choice(others) if rnd.random() < 0.25 else ""


class Contexts:
    """Turns before the statements of pairs that have none: about their own topic, or about nothing of it."""

    def __init__(self, pairs, updates):
        self.any = [row.before for row in pairs + updates if row.before]
        self.topics = {}
        for row in pairs:
            self.topics.setdefault(row.group, [row.old])
            if row.label in "SD":
                self.topics[row.group].append(row.new)

    def of(self, row, rnd):
        if row.before:
            return "" if rnd.random() < 0.15 else row.before
        drawn = rnd.random()
        if drawn < 0.25:
            return rnd.choice([text for text in self.topics.get(row.group, []) if text != row.new] or [""])
        return rnd.choice(self.any) if drawn < 0.4 else ""


def noisy_text(text, rate, rnd):
    return " ".join(word for word, _ in noisy([(word, True) for word in text.split()], rate, rnd))


def pair_example(row, rnd, contexts):
    return pair_input(row.old, noisy_text(row.new, 0.2, rnd), contexts.of(row, rnd)), [float(label in labels_of(row)) for label in PAIR_LABELS]


def labels_of(pair):
    """Those of which one is right."""
    return "SDU" if pair.label == BOTH_HOLD else pair.label


class Needs:
    """Requests beside memories: all that are needed or help, and some that do not matter, drawn anew in each epoch."""

    def __init__(self, encoder, rows, spoken, is_ranked):
        self.rows = rows
        self.near, self.any = (RANKED_NEAR, RANKED_ANY) if is_ranked else (NEAR, ANY)
        self.memories = [memory for row in rows for memory, _ in row.memories]
        self.chatter = [row.text for row in spoken if not row.is_kept]
        texts = list(dict.fromkeys([row.text for row in rows] + [memory.text for memory in self.memories]))
        vectors = dict(zip(texts, vectors_of(encoder, texts)))
        likeness = lambda row: lambda memory: -float(vectors[row.text] @ vectors[memory.text])
        self.unneeded = [sorted((memory for memory, need in row.memories if not need), key=likeness(row)) for row in rows]

    def drawn(self, rnd, is_seen):
        """Each request with memories, as (text, [(memory, need)])."""
        found = []
        for row, unneeded in zip(self.rows, self.unneeded):
            if not is_seen(row):
                continue
            known = {memory.text for memory, _ in row.memories}
            needed = {memory.turn for memory, need in row.memories if need}
            near, rest = unneeded[:NEAREST], unneeded[NEAREST:]
            other = rnd.sample(near, min(self.near, len(near))) + rnd.sample(rest, min(self.any, len(rest)))
            other += [memory for memory in rnd.sample(self.memories, OTHERS) if memory.text not in known]
            memories = [(told(memory, rnd), need) for memory, need in row.memories if need]
            memories += [(told(memory, rnd, is_whole=memory.turn not in needed), 0.0) for memory in other]
            memories += [(rnd.choice(row.chatter or self.chatter), 0.0)] if rnd.random() < CHATTER else []
            found.append((row.text, memories))
        return found


def told(memory, rnd, is_whole=True):
    """As it is stored: what cannot be understood alone has the turn before it in front. `is_whole`: or its whole turn."""
    if is_whole and memory.turn and rnd.random() < WHOLE_TURN:
        return memory.turn
    return f"{memory.antecedent} {memory.text}" if memory.antecedent and rnd.random() < 0.5 else memory.judged_text


class Updates:
    """What replaced a person's earlier memory, and some of those beside it that go on holding."""

    def __init__(self, encoder, rows):
        texts = list(dict.fromkeys([text for row in rows for text in (row.old, row.new)]))
        vectors = dict(zip(texts, vectors_of(encoder, texts)))
        likeness = {id(row): float(vectors[row.old] @ vectors[row.new]) for row in rows}
        self.replaced = [row for row in rows if row.label == "R"]
        beside = {}
        for row in rows:
            if row.label == BOTH_HOLD:
                beside.setdefault((row.group, row.new), []).append(row)
        nearest = lambda group: sorted(group, key=lambda row: -likeness[id(row)])[:NEAREST]
        self.beside = [row for group in beside.values() for row in nearest(group)]

    def drawn(self, rnd, is_seen):
        beside = [row for row in self.beside if is_seen(row)]
        count = int(len({(row.group, row.new) for row in beside}) * PER_MEMORY)
        return [row for row in self.replaced if is_seen(row)] + rnd.sample(beside, min(count, len(beside)))


class Emphasis:
    """Which sections an epoch sees: all, or all of the files that are stressed and a share of the others, drawn anew."""

    def __init__(self, files, share):
        self.files, self.share = set(files), share

    def drawn(self, rnd):
        """Whether a row, or anything else that has a section, is seen."""
        seen = {}
        return lambda row: (
            not self.files or f"{row.section.folder}/{row.section.file}" in self.files or seen.setdefault(row.section, rnd.random() < self.share)
        )


def request_examples(row, rnd):
    """A request beside each of its memories, which stay together, since they may be ranked against one another."""
    request, memories = row
    asked = noisy_text(request, 0.2, rnd)
    return [(request_input(asked, noisy_text(memory, 0.1, rnd)), need) for memory, need in memories]


def batches(groups, rnd):
    """Groups of examples of about as many tokens stand together, in random order otherwise, some `BATCH` examples at once."""
    groups = rnd.sample(groups, len(groups))
    longest = lambda group: max(len(ids) for (ids, _), _ in group)
    for start in range(0, len(groups), BATCH * 32):
        cuts = [[]]
        for group in sorted(groups[start : start + BATCH * 32], key=longest):
            if cuts[-1] and sum(map(len, cuts[-1])) + len(group) > BATCH:
                cuts.append([])
            cuts[-1].append(group)
        yield from rnd.sample(cuts, len(cuts))


def statement_loss(encoder, inputs, targets, device, _sizes):
    labels = torch.tensor([labels for labels, _ in targets], device=device)
    logits, span_logits = encoder.of_statements(*inputs)
    loss = F.binary_cross_entropy_with_logits(logits, labels, reduction="none").sum(1).mean()
    longest = span_logits.shape[1]
    span = torch.tensor([span + [NO_SPAN] * (longest - len(span)) for _, span in targets], device=device)
    isin = span != NO_SPAN
    if isin.any():
        loss = loss + F.binary_cross_entropy_with_logits(span_logits[isin], span[isin])
    return loss


def pair_loss(encoder, inputs, targets, device, _sizes):
    are_right = torch.tensor(targets, device=device)
    likely = F.log_softmax(encoder.of_pairs(*inputs), 1)
    right = torch.logsumexp(likely.masked_fill(are_right == 0, -torch.inf), 1)
    return -((1 - SMOOTHING) * right + SMOOTHING * likely.mean(1)).mean()


def request_loss(encoder, inputs, targets, device, _sizes):
    return F.binary_cross_entropy_with_logits(encoder.of_requests(*inputs), torch.tensor(targets, device=device))


def ranked_request_loss(encoder, inputs, targets, device, sizes):
    """How much each memory is needed, and that among a request's memories those that it needs come first (Cao and others, 2007)."""
    logits, needs = encoder.of_requests(*inputs), torch.tensor(targets, device=device)
    loss = F.binary_cross_entropy_with_logits(logits, needs)
    ranked = [(own, need) for own, need in zip(logits.split(sizes), needs.split(sizes)) if need.sum() > 0]
    if ranked:
        loss = loss + RANKING * torch.stack([-(F.log_softmax(own, 0) * need).sum() / need.sum() for own, need in ranked]).mean()
    return loss


def train(encoder, published, arguments):
    rnd = random.Random(arguments.seed)
    own, own_pairs = of_part(statements(), "training"), of_part(pairs(), "training")
    began = time.time()
    negatives = Negatives(published, own_pairs, own)
    replaced = Updates(published, of_part(updates(), "training"))
    contexts = Contexts(own_pairs, replaced.replaced + replaced.beside)
    needs = Needs(published, of_part(requests(), "training") if "requests" in arguments.tasks else [], own, arguments.rank)
    others = [row.before for row in own if row.before]
    emphasis = Emphasis(arguments.stress, arguments.share)
    losses = {"statements": statement_loss, "pairs": pair_loss, "requests": ranked_request_loss if arguments.rank else request_loss}

    def epoch_of(rnd):
        is_seen = emphasis.drawn(rnd)
        pairs_beside = own_pairs + negatives.drawn(rnd, PER_PAIR, PER_STATEMENT)
        examples = {
            "statements": lambda: [[statement_example(row, rnd, others)] for row in own if is_seen(row)],
            "pairs": lambda: [
                [pair_example(row, rnd, contexts)]
                for row in [row for row in pairs_beside if is_seen(row)] + replaced.drawn(rnd, is_seen)
            ],
            "requests": lambda: [request_examples(row, rnd) for row in needs.drawn(rnd, is_seen)],
        }
        return [(task, part) for task in arguments.tasks for part in batches(examples[task](), rnd)]

    work = epoch_of(rnd)
    steps = len(work) * arguments.epochs
    heads, body = encoder.trained()
    for parameter in set(encoder.parameters()) - {*heads, *body}:
        parameter.requires_grad = False
    share = 0.5 if arguments.resume else 1.0
    optimizer = torch.optim.AdamW([{"params": heads, "lr": 1e-3 * share}, {"params": body, "lr": 1e-4 * share}], weight_decay=0.01)
    rate = lambda step: min(1, (step + 1) / (0.1 * steps)) * max(0.02, 1 - step / steps)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, rate)
    print(f"{len(own)} statements, {len(own_pairs)} pairs, {len(needs.rows)} requests, {len(replaced.replaced)} replaced, {steps} steps, negatives after {time.time() - began:.0f} s", flush=True)
    for epoch in range(arguments.epochs):
        work = epoch_of(rnd) if epoch else work
        encoder.train()
        total = {task: [] for task in arguments.tasks}
        for task, groups in rnd.sample(work, len(work)):
            examples = [example for group in groups for example in group]
            inputs = [part.to(arguments.device) for part in padded([given for given, _ in examples])]
            with torch.autocast(arguments.device, torch.bfloat16):
                loss = losses[task](encoder, inputs, [target for _, target in examples], arguments.device, [len(group) for group in groups])
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(encoder.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            total[task].append(loss.detach())
            if schedule.last_epoch % 100 == 0:
                print(f"step {schedule.last_epoch}: {time.time() - began:.0f} s", flush=True)
        means = {task: torch.stack(values).mean().item() for task, values in total.items()}
        print(f"epoch {epoch + 1}: {means}, {time.time() - began:.0f} s", flush=True)
        torch.save(encoder.state_dict(), f"{arguments.output}.epoch{epoch + 1}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("output")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--device", default="cpu", help="cpu, or cuda for a graphics card")
    parser.add_argument("--seed", type=int, default=0, help="of the order in which the corpus is seen")
    parser.add_argument("--resume", help="an earlier OUTPUT.pt to go on from, at half the rate")
    parser.add_argument("--tasks", nargs="+", default=TASKS, choices=TASKS)
    parser.add_argument("--rank", action="store_true", help="rank the memories of a request against one another")
    parser.add_argument("--stress", nargs="+", default=[], metavar="FILE", help="files of the corpus that are seen whole, such as pairs/family")
    parser.add_argument("--share", type=float, default=0.2, help="of all other sections, where some files are stressed")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    # Trainings that begin with the same heads can be averaged, in whatever order each sees the corpus.
    torch.manual_seed(0)
    encoder = Encoder.pretrained().to(arguments.device)
    published = Encoder.pretrained().to(arguments.device).eval()
    if arguments.resume:
        encoder.load_state_dict(torch.load(arguments.resume, map_location=arguments.device))
    train(encoder, published, arguments)
    torch.save(encoder.state_dict(), arguments.output)


if __name__ == "__main__":
    main()
