"""Fits how surely a later statement replaces or ends an older memory of the same person, on the validation sections.

    python update_confidence.py

Writes models/memory-classifier/update-confidence.json: coefficients of a logistic regression on the logit of the labels `R`
and `E` together, the cosine of the two, by how much that is above the cosine with any other memory of the person (a
statement that announces a change mostly replaces what it is nearest to), the words that both share, those of the memory
that stood in the turn before (an answer replaces what was asked about), and how long both are.
"""

import json
import re
from dataclasses import replace

import numpy as np
import torch
from corpus import of_part, pairs, updates
from inputs import in_english, pair_input
from shipped import ROOT, embed, logit, run

# As `src/domain/ingestion/find-updates.ts` has them.
COMPARED, LEAST_COSINE = 4, 0.15
SURELY, POSSIBLY = 0.65, 0.2
NAMES = ("update", "cosine", "lead", "sharedWords", "wordsBefore", "statementWords", "memoryWords")
WORD = re.compile(r"[^\W_]{3,}")


def nearest(beside):
    """Of (memory, cosine) the nearest: (memory, cosine, lead), where any person has others that are a little alike."""
    ranked = sorted(beside, key=lambda one: -one[1])
    for place, (memory, cosine) in enumerate(ranked[:COMPARED]):
        others = [other for at, (_, other) in enumerate(ranked[: COMPARED + 1]) if at != place]
        if cosine >= LEAST_COSINE:
            yield memory, cosine, cosine - max([LEAST_COSINE, *others])


def of_persons(rows):
    """Later memories of a person with the nearest of those before them: (pair, [cosine, lead])."""
    texts = list(dict.fromkeys(text for row in rows for text in (row.old, row.new)))
    vectors = dict(zip(texts, embed(texts)))
    statements = {}
    for row in rows:
        statements.setdefault((row.group, row.new), []).append((row, float(vectors[row.old] @ vectors[row.new])))
    return [(row, [cosine, lead]) for beside in statements.values() for row, cosine, lead in nearest(beside)]


def in_store(rows):
    """Statements of pairs with the nearest memories of a store that holds those of all of them."""
    olds = {row.group: row.old for row in rows}
    groups = list(olds)
    old, new = embed([olds[group] for group in groups]), embed([row.new for row in rows])
    alike = old @ old.T
    found = []
    for row, cosines in zip(rows, new @ old.T):
        own = groups.index(row.group)
        # Two memories of one thing: whether the statement concerns both is not known.
        known = [(place, cosines[place]) for place in range(len(groups)) if place == own or alike[place, own] <= 0.6]
        for place, cosine, lead in nearest(known):
            label = row.label if place == own else "U"
            found.append((replace(row, label=label, old=olds[groups[place]]), [cosine, lead]))
    return found


def word_features(row):
    """As `src/adapters/onnx-classifier/confidence.ts` computes them."""
    old, new, before = (set(WORD.findall(in_english(text).lower())) for text in (row.old, row.new, row.before))
    shared = len(old & new) / max(1, min(len(old), len(new)))
    return [shared, len(old & before) / max(1, len(old)), np.log1p(len(new)), np.log1p(len(old))]


def features_of(found):
    update = lambda row: run("update", *pair_input(row.old, row.new, row.before))
    return np.array([[logit(update(row)[:2].sum()), *near, *word_features(row)] for row, near in found])


def confidence_of(features):
    fitted = json.loads((ROOT / "memory-classifier" / "update-confidence.json").read_text())
    return 1 / (1 + np.exp(-(features @ [fitted[name] for name in NAMES] + fitted["constant"])))


def main():
    found = of_persons(of_part(updates(), "validation")) + in_store(of_part(pairs(), "validation"))
    x = torch.tensor(features_of(found), dtype=torch.float32)
    gold = torch.tensor([float(row.label in "RE") for row, _ in found])
    weights, constant = torch.zeros(x.shape[1], requires_grad=True), torch.zeros(1, requires_grad=True)
    optimizer = torch.optim.LBFGS([weights, constant], max_iter=200)

    def closure():
        optimizer.zero_grad()
        logits = x @ weights + constant
        loss = torch.nn.functional.binary_cross_entropy_with_logits(logits, gold) + 1e-4 * (weights**2).sum()
        loss.backward()
        return loss

    optimizer.step(closure)
    fitted = {name: round(value, 4) for name, value in zip(NAMES, weights.tolist())}
    fitted["constant"] = round(constant.item(), 4)
    (ROOT / "memory-classifier" / "update-confidence.json").write_text(json.dumps(fitted, indent=2) + "\n")
    print(f"updates: {int(gold.sum())} of {len(gold)} replaced", fitted)


if __name__ == "__main__":
    main()
