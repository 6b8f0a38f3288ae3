"""Fits how the outputs of the exported model come to one honest confidence, on the validation sections.

    python confidence.py

Writes models/memory-classifier/confidence.json: coefficients of a logistic regression on the logit of the label `k`, the
logit of any of the kinds, the logit of the label `h`, and the logarithm of the number of words.
"""

import json

import numpy as np
import torch
from corpus import of_part, statements
from encoder import STATEMENT_LABELS
from inputs import in_english, statement_input
from shipped import ROOT, logit, run

# As `src/adapters/onnx-classifier/classifier-worker.ts` reads them.
READ_TWICE = ("de", "fr")


def labels_of(row):
    """Of a German or French statement the mean of what the model reads in its words and in their English."""
    readings = [labels_as_read(row.text, row.before, row.is_assistant)]
    if row.section.language in READ_TWICE:
        readings.append(labels_as_read(in_english(row.text), in_english(row.before), row.is_assistant))
    return 1 / (1 + np.exp(-np.mean([np.vectorize(logit)(reading) for reading in readings], axis=0)))


def labels_as_read(text, before, is_assistant):
    ids, segments, _ = statement_input(text.split(), before, is_assistant)
    return run("labels", ids, segments)


def confidence_features(labels, words):
    """As `src/adapters/onnx-classifier/confidence.ts` computes them."""
    of_some_kind = 1 - np.prod(1 - labels[:5])
    return [logit(labels[STATEMENT_LABELS.index("k")]), logit(of_some_kind), logit(labels[STATEMENT_LABELS.index("h")]), float(np.log(max(1, words)))]


def confidence_of(labels, words):
    fitted = json.loads((ROOT / "memory-classifier" / "confidence.json").read_text())
    weights = [fitted[name] for name in ("worth", "ofSomeKind", "borrowed", "words")]
    return 1 / (1 + np.exp(-(np.dot(weights, confidence_features(labels, words)) + fitted["constant"])))


def main():
    rows = of_part(statements(), "validation")
    features = np.array([confidence_features(labels_of(row), len(row.words)) for row in rows])
    x, gold = torch.tensor(features, dtype=torch.float32), torch.tensor([float(row.is_kept) for row in rows])
    weights, constant = torch.zeros(x.shape[1], requires_grad=True), torch.zeros(1, requires_grad=True)
    optimizer = torch.optim.LBFGS([weights, constant], max_iter=200)

    def closure():
        optimizer.zero_grad()
        loss = torch.nn.functional.binary_cross_entropy_with_logits(x @ weights + constant, gold) + 1e-3 * (weights**2).sum()
        loss.backward()
        return loss

    optimizer.step(closure)
    names = ("worth", "ofSomeKind", "borrowed", "words")
    fitted = {name: round(value, 4) for name, value in zip(names, weights.tolist())}
    fitted["constant"] = round(constant.item(), 4)
    (ROOT / "memory-classifier" / "confidence.json").write_text(json.dumps(fitted, indent=2) + "\n")
    print(fitted)


if __name__ == "__main__":
    main()
