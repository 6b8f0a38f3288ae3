"""Measures models/memory-classifier/ as it ships, in 8 bits, on the test parts of `corpus/`.

    python report.py
"""

import json
import sys

import numpy as np
from confidence import confidence_of, labels_of
from corpus import KEPT, Pair, of_part, pairs, requests, statements, updates
from encoder import STATEMENT_LABELS
from inputs import pair_input, request_input, statement_input
from shipped import embed, run
from update_confidence import POSSIBLY, SURELY, features_of, in_store, nearest, of_persons
from update_confidence import confidence_of as update_confidence_of

THRESHOLD = 0.7
PARTS = ("test by domain", "test by style")


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
    rows = of_part(statements(), part)
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


def report_store(part):
    """Every memory of the part in one store, and every later statement against the nearest of them."""
    rows = of_part(pairs(), part)
    found = in_store(rows)
    scores, gold = update_confidence_of(features_of(found)), np.array([row.label in "RE" for row, _ in found])
    total = sum(row.label in "RE" for row in rows)
    shown = lambda precision: f"{recall_at(gold, scores, precision)[0] * gold.sum() / total:.2f} at precision {precision} (threshold {recall_at(gold, scores, precision)[1]:.2f})"
    print(f"{part}: {len(rows)} statements against a store of {len({row.group for row in rows})}, replaces or ends: recall {', '.join(map(shown, (0.8, 0.9, 0.95)))}")


def report_updates(part):
    """What each later memory of a person replaces, as the service decides it."""
    rows = of_part(updates(), part)
    found = of_persons(rows)
    scores, gold = update_confidence_of(features_of(found)), np.array([row.label == "R" for row, _ in found])
    total = sum(row.label == "R" for row in rows)
    at = {threshold: "{:.2f} / {:.2f}".format((gold & (scores >= threshold)).sum() / max(1, (scores >= threshold).sum()), (gold & (scores >= threshold)).sum() / max(1, total)) for threshold in (POSSIBLY, 0.5, SURELY, 0.8, 0.9)}
    is_possible = (scores >= POSSIBLY) & (scores < SURELY)
    possible = (gold & is_possible).sum()
    print(f"{part}: possibly outdated ({POSSIBLY} to {SURELY}): {is_possible.sum()}, right {possible / max(1, is_possible.sum()):.2f}, of all replaced {possible / max(1, total):.2f}")
    print(f"{part}: {total} of {len({(row.group, row.old) for row in rows})} memories replaced by later ones of the same person, precision / recall by threshold: {json.dumps(at)}; "
          f"calibration error {calibration_error(gold, scores):.3f}")


def report_bystanders():
    """Memories of all parts met by statements that concern none of them."""
    olds = list(dict.fromkeys(row.old for row in of_part(pairs(), "training", "validation")))
    told = [row for row in of_part(statements(), *PARTS) if row.is_kept and not row.is_assistant][:500]
    old, new = embed(olds), embed([row.text for row in told])
    scores = []
    for row, near in zip(told, new @ old.T):
        pair = lambda place: Pair("U", olds[place], row.text, row.before, 0, row.section)
        found = [(pair(place), [cosine, lead]) for place, cosine, lead in nearest(list(enumerate(near)))]
        if not found:
            continue
        scores.append(update_confidence_of(features_of(found)).max())
    scores = np.array(scores)
    counts = {threshold: int((scores >= threshold).sum()) for threshold in (0.3, 0.5, 0.8, 0.9, 0.95)}
    print(f"{len(told)} statements that concern none of {len(olds)} memories, wrongly replaced by threshold: {json.dumps(counts)}")


def report_requests(part):
    rows = of_part(requests(), part)
    scores = [np.array([run("need", *request_input(row.text, memory.judged_text))[0] for memory, _ in row.memories]) for row in rows]
    memories = [embed([memory.text for memory, _ in row.memories]) for row in rows]
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
    for part in ("validation", *PARTS):
        report_store(part)
    for part in ("validation", *PARTS):
        report_updates(part)
    report_bystanders()
    for part in ("validation", *PARTS):
        report_requests(part)


if __name__ == "__main__":
    main()
