"""Noise of everyday writing, and negatives: what the corpus has too few of."""

import random

import torch
from corpus import Pair
from inputs import padded, text_tokens

LEAD_INS = [
    "oh and", "also", "btw", "anyway,", "um", "so yeah", "oh yeah", "ok so", "actually", "and", "by the way,", "well,",
    "just so you know,", "hey", "fyi", "hm", "sorry,", "right,", "I mean", "Oh and", "Also,", "Oh, and", "Thanks!", "ok",
    "haha", "before I forget,", "one more thing:", "Great, thanks.", "yes,", "no,", "also können wir,", "ah und", "por cierto,",
    "au fait,", "übrigens", "bueno,", "bon,", "So", "But", "but", "since you ask,", "to be honest", "look,", "Nope,", "Plus",
]
TAILS = [
    "btw", "lol", "haha", "by the way", "tbh", "you know", "just fyi", ":)", "though", "if that helps", "ok?", "thanks",
    "so keep that in mind", "so what do you suggest?", "any ideas?", "can you help?", "!!", "😅", "just saying",
]


def noisy(words, rate, rnd):
    """`words` are (word, in span); lead-ins and tails stand outside the span."""
    if rnd.random() < rate:
        words = [(word, False) for word in rnd.choice(LEAD_INS).split()] + lowered_first(words, rnd)
    if rnd.random() < rate / 3:
        tail = [(word, False) for word in rnd.choice(TAILS).split()]
        words = [*words[:-1], (words[-1][0].rstrip(".!"), words[-1][1]), *tail]
    if rnd.random() < rate / 2:
        words = [(word.replace("'", "").replace("’", ""), kept) for word, kept in words]
    if rnd.random() < rate / 2:
        words = [(bare(word), kept) for word, kept in words]
    if rnd.random() < rate / 3:
        words = [(word.lower(), kept) for word, kept in words]
    if rnd.random() < rate / 3:
        place = rnd.randrange(len(words))
        words = [(mistyped(word, rnd) if at == place else word, kept) for at, (word, kept) in enumerate(words)]
    return words


def lowered_first(words, rnd):
    first, kept = words[0]
    lower = first if rnd.random() < 0.3 or first in ("I", "I'm", "I've") else first[:1].lower() + first[1:]
    return [(lower, kept), *words[1:]]


bare = lambda word: word.rstrip(".,!;:") or word


def mistyped(word, rnd):
    if len(word) < 4:
        return word
    at = rnd.randrange(1, len(word) - 1)
    swapped = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return swapped if rnd.random() < 0.5 else word[:at] + word[at + 1 :]


@torch.no_grad()
def vectors_of(encoder, texts):
    """Sentence vectors of the encoder as it was published, to find what lies near."""
    rows = [text_tokens(text)[:40] for text in texts]
    order = sorted(range(len(rows)), key=lambda n: len(rows[n]))
    device = encoder.words.weight.device
    found = torch.empty(len(rows), 384)
    for start in range(0, len(order), 64):
        places = order[start : start + 64]
        inputs = padded([([101, *rows[n], 102], [0] * (len(rows[n]) + 2)) for n in places])
        ids, segments, mask = (part.to(device) for part in inputs)
        with torch.autocast(device.type, torch.bfloat16):
            x = encoder.tokens(ids, segments, mask) * mask[..., None]
        found[places] = torch.nn.functional.normalize(x.sum(1), dim=-1).cpu()
    return found


class Negatives:
    """Statements beside memories that they do not concern: the nearest ones of other groups, and any."""

    def __init__(self, encoder, pairs, statements):
        self.pairs, self.statements = pairs, statements
        self.olds = list({pair.group: pair.old for pair in pairs}.items())
        groups = {group: place for place, (group, _) in enumerate(self.olds)}
        old = vectors_of(encoder, [text for _, text in self.olds])
        alike = old @ old.T
        self.near_pair = []
        for pair, scores in zip(pairs, vectors_of(encoder, [pair.new for pair in pairs]) @ old.T):
            own = groups[pair.group]
            order = torch.argsort(scores, descending=True)[:14].tolist()
            # Two memories of one thing: whether the statement concerns both is not known.
            self.near_pair.append([n for n in order if n != own and alike[n, own] < 0.6][:10])
        self.near_statement = []
        for scores in vectors_of(encoder, [statement.text for statement in statements]) @ old.T:
            order = torch.argsort(scores, descending=True)[:10].tolist()
            self.near_statement.append([n for n in order if scores[n] < 0.6])

    def drawn(self, rnd, per_pair, per_statement):
        found = []
        for pair, near in zip(self.pairs, self.near_pair):
            if rnd.random() < per_pair:
                found.append(self.unrelated(pair.new, pair.before, near, pair.section, rnd))
        for statement, near in zip(self.statements, self.near_statement):
            if not statement.is_assistant and rnd.random() < per_statement:
                found.append(self.unrelated(statement.text, statement.before, near, statement.section, rnd))
        return found

    def unrelated(self, text, before, near, section, rnd):
        place = rnd.choice(near) if near and rnd.random() < 0.7 else rnd.randrange(len(self.olds))
        group, old = self.olds[place]
        return Pair("U", old, text, before, group, section)
