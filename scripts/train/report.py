"""Measures models/memory-classifier/ as it ships, in 8 bits, on the test parts of `corpus/`.

    python report.py
"""

import json
import sys
from pathlib import Path

import numpy as np
import onnxruntime
from corpus import KEPT, of_part, pairs, requests, statements
from encoder import STATEMENT_LABELS
from inputs import pair_input, request_input, statement_input, tokenizer

ROOT = Path(__file__).resolve().parents[2] / "models"
THRESHOLD = 0.7
PARTS = ("test by domain", "test by style")


def session(path):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.log_severity_level = 1, 3
    return onnxruntime.InferenceSession(str(path), options)


classifier = session(ROOT / "memory-classifier" / "model.int8.onnx")


def run(output, ids, segments):
    feeds = {"input_ids": np.array([ids], np.int64), "segments": np.array([segments], np.int64)}
    return classifier.run([output], feeds)[0][0]


def labels_of(row):
    ids, segments, _ = statement_input([word for word, _ in row.words], row.before, row.is_assistant)
    return run("labels", ids, segments)


def update_of(row):
    return run("update", *pair_input(row.old, row.new, row.before))


def logit(p):
    p = np.clip(p, 1e-4, 1 - 1e-4)
    return float(np.log(p / (1 - p)))


def confidence_features(labels, words):
    """As `src/adapters/onnx-classifier/confidence.ts` computes them."""
    of_some_kind = 1 - np.prod(1 - labels[:5])
    return [logit(labels[STATEMENT_LABELS.index("k")]), logit(of_some_kind), logit(labels[STATEMENT_LABELS.index("h")]), float(np.log(max(1, words)))]


def confidence_of(labels, words):
    fitted = json.loads((ROOT / "memory-classifier" / "confidence.json").read_text())
    weights = [fitted[name] for name in ("worth", "ofSomeKind", "borrowed", "words")]
    return 1 / (1 + np.exp(-(np.dot(weights, confidence_features(labels, words)) + fitted["constant"])))


def precision_recall(gold, found):
    right = (gold & found).sum()
    return right / max(1, found.sum()), right / max(1, gold.sum())


def recall_at(gold, scores, precision):
    """The best recall at this precision, and the threshold that gives it."""
    order = np.argsort(-scores, kind="stable")
    hits, sorted_scores = np.cumsum(gold[order]), scores[order]
    precisions = hits / np.arange(1, len(gold) + 1)
    is_last = np.r_[sorted_scores[1:] != sorted_scores[:-1], True]
    places = np.where((precisions >= precision) & is_last)[0]
    return (hits[places[-1]] / max(1, gold.sum()), sorted_scores[places[-1]]) if len(places) else (0.0, 1.0)


def calibration_error(gold, scores, bins=10):
    """The expected calibration error over bins of equal width."""
    places = np.minimum((scores * bins).astype(int), bins - 1)
    return sum(abs(gold[places == n].mean() - scores[places == n].mean()) * (places == n).mean() for n in range(bins) if (places == n).any())


def span_overlap(row):
    """The share of words on which the kept span agrees."""
    ids, segments, places = statement_input([word for word, _ in row.words], row.before)
    logits = run("span", ids, segments)[1 : len(places) + 1]
    words = [np.mean([logits[n] for n, place in enumerate(places) if place == word]) > 0 for word in sorted(set(places))]
    return np.mean([found == kept for found, (_, kept) in zip(words, row.words)])


def report_statements(part):
    rows = of_part(statements(), "statements", part)
    found = np.array([labels_of(row) for row in rows])
    worth = np.array([confidence_of(labels, len(row.words)) for labels, row in zip(found, rows)])
    gold = np.array([row.is_kept for row in rows])
    at = lambda threshold: "{:.2f} / {:.2f}".format(*precision_recall(gold, worth >= threshold))
    recall, threshold = recall_at(gold, worth, 0.93)
    print(f"{part}: {len(rows)} statements, worth keeping at {THRESHOLD}: {at(THRESHOLD)}; at 0.5: {at(0.5)}; "
          f"recall at precision .93: {recall:.2f} (threshold {threshold:.2f}); calibration error {calibration_error(gold, worth):.3f}")
    for place, label in enumerate(STATEMENT_LABELS[:-1]):
        gold = np.array([label in row.labels for row in rows])
        if gold.sum():
            precision, recall = precision_recall(gold, found[:, place] >= 0.5)
            print(f"  {label}: {gold.sum():3} precision {precision:.2f} recall {recall:.2f} calibration error {calibration_error(gold, found[:, place]):.3f}")
    spans = [span_overlap(row) for row in rows if row.is_kept and not all(kept for _, kept in row.words)]
    print(f"  words of {len(spans)} marked spans right: {np.mean(spans):.2f}")
    right = [KEPT[int(np.argmax(one[:5]))] in row.labels for one, row in zip(found, rows) if row.is_kept]
    print(f"  likeliest kind right: {np.mean(right):.2f}")
    languages = sorted({row.section.language for row in rows})
    for language in languages if len(languages) > 1 else []:
        own = np.array([row.section.language == language for row in rows])
        gold = np.array([row.is_kept for row in rows])
        print(f"  {language}: " + "{:.2f} / {:.2f}".format(*precision_recall(gold[own], worth[own] >= THRESHOLD)))


def embed(texts):
    model = session(ROOT / "all-minilm-l6-v2" / "model.int8.onnx")
    ids = [[101, *tokenizer.encode(text, add_special_tokens=False).ids[:254], 102] for text in texts]
    return np.concatenate([model.run(["sentence_embedding"], {"input_ids": np.array([one], np.int64)})[0] for one in ids])


def report_store(parts, nearest=5):
    """Every memory of the parts in one store, every later statement against the nearest ones and its own."""
    rows = of_part(pairs(), "pairs", *parts)
    olds = {row.group: row.old for row in rows}
    groups = list(olds)
    old = embed([olds[group] for group in groups])
    new = embed([row.new for row in rows])
    alike = old @ old.T
    gold, scores, is_own, labels = [], [], [], []
    reached = 0
    for row, near in zip(rows, new @ old.T):
        own = groups.index(row.group)
        top = list(np.argsort(-near)[:nearest])
        reached += own in top
        for place in dict.fromkeys([*top, own]):
            # Two memories of one thing: whether the statement concerns both is not known.
            if place != own and alike[place, own] > 0.6:
                continue
            update = run("update", *pair_input(olds[groups[place]], row.new, row.before))
            gold.append(place == own and row.label in "RE")
            is_own.append(place == own)
            labels.append(row.label if place == own else "-")
            scores.append(update[0] + update[1])
    gold, scores, is_own, labels = np.array(gold), np.array(scores), np.array(is_own), np.array(labels)
    print(f"{' and '.join(parts)}: {len(rows)} statements against a store of {len(olds)}, own memory among {nearest} nearest: {reached / len(rows):.2f}")
    for precision in (0.9, 0.95, 0.98):
        recall, threshold = recall_at(gold, scores, precision)
        print(f"  replaces or ends: recall {recall:.2f} at precision {precision} (threshold {threshold:.3f})")
    for threshold in (0.8, 0.9, 0.95, 0.98):
        found = scores >= threshold
        wrong = {label: int((found & ~gold & (labels == label)).sum()) for label in "SDU-"}
        print(f"  at {threshold}: " + "{:.2f} / {:.2f}".format(*precision_recall(gold, found)) + f", wrong {wrong}")
    print(f"  calibration error of the pairs {calibration_error(gold[is_own], scores[is_own]):.3f}")
    return {"threshold": float(recall_at(gold, scores, 0.95)[1])}


def report_bystanders():
    """Memories of all parts met by statements that concern none of them."""
    olds = [row.old for row in of_part(pairs(), "pairs", "training", "validation")]
    olds = list(dict.fromkeys(olds))
    told = [row for row in of_part(statements(), "statements", *PARTS) if row.is_kept and not row.is_assistant][:500]
    old, new = embed(olds), embed([row.text for row in told])
    scores = []
    for row, near in zip(told, new @ old.T):
        top = np.argsort(-near)[:5]
        scores.append(max(sum(run("update", *pair_input(olds[n], row.text, row.before))[:2]) for n in top))
    scores = np.array(scores)
    counts = {threshold: int((scores >= threshold).sum()) for threshold in (0.8, 0.9, 0.95, 0.98, 0.99)}
    print(f"{len(told)} statements that concern none of {len(olds)} memories, wrongly replaced by threshold: {json.dumps(counts)}")


def report_requests(part):
    rows = of_part(requests(), "requests", part)
    scores = [np.array([run("need", *request_input(row.text, memory))[0] for memory, _ in row.memories]) for row in rows]
    memories = [embed([memory for memory, _ in row.memories]) for row in rows]
    asked = embed([row.text for row in rows])
    similar = [own @ one for own, one in zip(memories, asked)]
    needs = [np.array([need for _, need in row.memories]) for row in rows]
    answerable = [n for n, row in enumerate(rows) if row.is_answerable]

    def recall_of(by, most):
        shares = [(needs[n][np.argsort(-by[n])[:most]] == 1).sum() / (needs[n] == 1).sum() for n in answerable]
        return np.mean(shares)

    tops = lambda rows_of: np.array([scores[n].max() for n in rows_of])
    answered, unanswered = tops(answerable), tops([n for n in range(len(rows)) if n not in set(answerable)])
    above = np.mean([(one > unanswered).mean() + (one == unanswered).mean() / 2 for one in answered]) if len(unanswered) else float("nan")
    every, gold = np.concatenate(scores), np.concatenate(needs)
    print(f"{part}: {len(rows)} requests, recall of what is needed in the first 3: {recall_of(scores, 3):.2f} (by meaning alone {recall_of(similar, 3):.2f}); "
          f"first one right {np.mean([needs[n][np.argmax(scores[n])] == 1 for n in answerable]):.2f} ({np.mean([needs[n][np.argmax(similar[n])] == 1 for n in answerable]):.2f}); "
          f"answerable above not, by the best {above:.2f}; calibration error {calibration_error(gold, every):.3f}")


def main():
    for part in PARTS + ("validation",) * ("--validation" in sys.argv):
        report_statements(part)
    report_store(["validation"])
    for part in PARTS:
        report_store([part])
    report_bystanders()
    for part in ("validation", *PARTS):
        report_requests(part)


if __name__ == "__main__":
    main()
