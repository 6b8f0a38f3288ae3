"""Writes two trained encoders with their heads to models/memory-classifier/ as one 8-bit ONNX graph.

    python export.py STATEMENTS_AND_REQUESTS.pt UPDATES.pt

Training leaves the embeddings as they were published, so the graph holds them once, and runs the layers of the one encoder
or of the other.
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
from encoder import HIDDEN, LAYERS, PAIR_CLASSES, STATEMENT_LABELS  # noqa: E402
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


# The tensors between which the layers stand.
EMBEDDED, ENCODED = "embedded", f"layer{LAYERS - 1}.norm2"
UPDATE_HEADS = ("update_logits.", "part_logits.")


def layers_of(graph, name):
    """The nodes of a graph from the embedded to the encoded tokens, as a branch of another graph, and their constants."""
    made_by = {output: node for node in graph.node for output in node.output}
    own, waiting = set(), [ENCODED]
    while waiting:
        output = waiting.pop()
        if output != EMBEDDED and output in made_by and output not in own:
            own.update(made_by[output].output)
            waiting += made_by[output].input
    nodes = [node for node in graph.node if own.issuperset(node.output)]
    used = {tensor for node in nodes for tensor in node.input}
    constants = [constant for constant in graph.initializer if constant.name in used]
    prefixed = {tensor: f"{name}.{tensor}" for tensor in own | {constant.name for constant in constants}}
    renamed = lambda tensors: [prefixed.get(tensor, tensor) for tensor in tensors]
    for node in nodes:
        node.name = f"{name}.{node.name}"
        node.input[:], node.output[:] = renamed(node.input), renamed(node.output)
    for constant in constants:
        constant.name = prefixed[constant.name]
    result = helper.make_tensor_value_info(prefixed[ENCODED], TensorProto.FLOAT, ["batch", "tokens", HIDDEN])
    return helper.make_graph(nodes, name, [], [result]), constants


def joined(model, of_updates):
    """The first model, which runs the layers and heads of the second where `is_update` says so."""
    graph, others = model.graph, {constant.name: constant for constant in of_updates.graph.initializer}
    statement, _ = layers_of(graph, "of_statement")
    update, update_constants = layers_of(of_updates.graph, "of_update")
    encoded = helper.make_node("If", ["is_update"], [ENCODED], name="layers", then_branch=update, else_branch=statement)
    inside = {output for node in statement.node for output in node.output}
    outside = [node for node in graph.node if inside.isdisjoint(node.output)]
    place = next(place for place, node in enumerate(outside) if ENCODED in node.input)
    # Constants of the branches stand in the graph itself: in a branch, the runtime would hold them twice.
    own = [others[one.name] if one.name.startswith(UPDATE_HEADS) else one for one in graph.initializer]
    nodes, constants = [*outside[:place], encoded, *outside[place:]], [*own, *update_constants]
    inputs = [*graph.input, helper.make_tensor_value_info("is_update", TensorProto.BOOL, [])]
    result = helper.make_model(
        helper.make_graph(nodes, graph.name, inputs, list(graph.output), constants),
        opset_imports=model.opset_import, ir_version=model.ir_version,
    )
    onnx.checker.check_model(result)
    return result


def quantised(path, folder):
    weights = {name: value.float().numpy() for name, value in torch.load(path).items()}
    exact, narrow, target = (Path(folder) / f"{name}.onnx" for name in ("exact", "narrow", "optimised"))
    onnx.save(float_model(weights), exact)
    heads = ("label_logits", "span_logits", "update_logits", "need_logits", "part_logits")
    quantise(exact, narrow, [f"{head}.product" for head in heads] + ["segment"])
    optimise(narrow, target)
    return onnx.load(target)


def main():
    TARGET.mkdir(parents=True, exist_ok=True)
    target = TARGET / "model.int8.onnx"
    with tempfile.TemporaryDirectory() as folder:
        onnx.save(joined(*(quantised(path, folder) for path in sys.argv[1:3])), target)
    digest = hashlib.sha256(target.read_bytes()).hexdigest()
    (TARGET / "SHA256SUMS").write_text(f"{digest}  model.int8.onnx\n")
    print(f"{target.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
