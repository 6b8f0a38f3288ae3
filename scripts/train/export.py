"""Writes a trained encoder with its heads to models/memory-classifier/ as 8-bit ONNX.

    python export.py INPUT.pt
"""

import hashlib
import sys
import tempfile
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from encoder import LAYERS, PAIR_CLASSES, STATEMENT_LABELS  # noqa: E402
from onnx_graph import Graph, optimise, positions, quantise, transformer_layer  # noqa: E402

TARGET = Path(__file__).resolve().parents[2] / "models" / "memory-classifier"


def embed_tokens(g, w):
    words = g.node("Gather", [g.constant("words", w["words.weight"]), "input_ids"], "word")
    # Three rows are not worth 8 bits: they are left out of the quantisation below.
    segments = g.node("Gather", [g.constant("segment_rows", w["segments.weight"]), "segments"], "segment")
    placed = g.node("Add", [words, segments], "placed")
    return g.norm(g.node("Add", [placed, positions(g, w["positions.weight"])], "embedded"), w["norm.weight"], w["norm.bias"], "embedding_norm")


def layer_weights(w, layer):
    names = ("qkv", "out", "norm1", "wide", "narrow", "norm2")
    return {name: (w[f"layers.{layer}.{name}.weight"], w[f"layers.{layer}.{name}.bias"]) for name in names}


def mean(g, x, number, name):
    """The mean of the tokens of one segment; zeros where there are none."""
    is_in = g.node("Equal", ["segments", g.constant(f"{name}.number", np.array(number, np.int64))], f"{name}.is_in")
    weights = g.node("Cast", [is_in], f"{name}.weights", to=TensorProto.FLOAT)
    wide = g.node("Unsqueeze", [weights, g.constant(f"{name}.last", np.array([-1], np.int64))], f"{name}.wide")
    axis, one = g.constant(f"{name}.axis", np.array([1], np.int64)), g.constant(f"{name}.one", np.array(1, np.float32))
    total = g.node("ReduceSum", [g.node("Mul", [x, wide], f"{name}.own"), axis], f"{name}.sum", keepdims=0)
    count = g.node("Max", [g.node("ReduceSum", [wide, axis], f"{name}.count", keepdims=0), one], f"{name}.least")
    return g.node("Div", [total, count], name)


def float_model(w):
    g = Graph()
    x = embed_tokens(g, w)
    for layer in range(LAYERS):
        x = transformer_layer(g, x, f"layer{layer}", layer_weights(w, layer))
    first = g.node("Gather", [x, g.constant("first_place", np.array(0, np.int64))], "first", axis=1)
    text, later = mean(g, x, 0, "text_mean"), mean(g, x, 1, "later_mean")
    pooled = g.node("Concat", [first, text], "of_statement", axis=-1)
    g.node("Sigmoid", [g.linear(pooled, w["labels.weight"], w["labels.bias"], "label_logits")], "labels")
    span = g.linear(x, w["span.weight"], w["span.bias"], "span_logits")
    g.node("Squeeze", [span, g.constant("span_axis", np.array([-1], np.int64))], "span")
    both = g.node("Concat", [first, text, later], "of_pair", axis=-1)
    g.node("Softmax", [g.linear(both, w["pair.weight"], w["pair.bias"], "update_logits")], "update", axis=-1)
    g.node("Sigmoid", [g.linear(both, w["need.weight"], w["need.bias"], "need_logits")], "need")
    g.node("Sigmoid", [g.linear(both, w["part.weight"], w["part.bias"], "part_logits")], "part")
    value = helper.make_tensor_value_info
    inputs = [value(name, TensorProto.INT64, ["batch", "tokens"]) for name in ("input_ids", "segments")]
    outputs = [
        value("labels", TensorProto.FLOAT, ["batch", len(STATEMENT_LABELS)]),
        value("span", TensorProto.FLOAT, ["batch", "tokens"]),
        value("update", TensorProto.FLOAT, ["batch", PAIR_CLASSES]),
        value("need", TensorProto.FLOAT, ["batch", 1]),
        value("part", TensorProto.FLOAT, ["batch", 1]),
    ]
    graph = helper.make_graph(g.nodes, "memory-classifier", inputs, outputs, list(g.constants.values()))
    opsets = [helper.make_opsetid("", 20), helper.make_opsetid("com.microsoft", 1)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=10)
    onnx.checker.check_model(model)
    return model


def main():
    weights = {name: value.float().numpy() for name, value in torch.load(sys.argv[1]).items()}
    TARGET.mkdir(parents=True, exist_ok=True)
    target = TARGET / "model.int8.onnx"
    with tempfile.TemporaryDirectory() as folder:
        exact, quantized = Path(folder) / "float.onnx", Path(folder) / "quantized.onnx"
        onnx.save(float_model(weights), exact)
        quantise(exact, quantized, [f"{head}.product" for head in ("label_logits", "span_logits", "update_logits", "need_logits")] + ["segment"])
        optimise(quantized, target)
    digest = hashlib.sha256(target.read_bytes()).hexdigest()
    (TARGET / "SHA256SUMS").write_text(f"{digest}  model.int8.onnx\n")
    print(f"{target.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
