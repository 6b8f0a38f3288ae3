"""Parts of the scripts that write MiniLM models as 8-bit ONNX without torch: the graph is small enough to write down."""

import numpy as np
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

HEADS = 12


class Graph:
    """Nodes and constants under construction; a node carries the name of its output."""

    def __init__(self):
        self.nodes, self.constants = [], {}

    def constant(self, name, value):
        self.constants[name] = numpy_helper.from_array(np.array(value, order="C"), name)
        return name

    def node(self, kind, inputs, output, **attributes):
        self.nodes.append(helper.make_node(kind, inputs, [output], name=output, **attributes))
        return output

    def split(self, x, outputs):
        self.nodes.append(helper.make_node("Split", [x], outputs, axis=-1, num_outputs=len(outputs), name=f"{x}.split"))

    def linear(self, x, weight, bias, output):
        product = self.node("MatMul", [x, self.constant(f"{output}.weight", weight.T)], f"{output}.product")
        return self.node("Add", [product, self.constant(f"{output}.bias", bias)], output)

    def norm(self, x, weight, bias, output):
        inputs = [x, self.constant(f"{output}.scale", weight), self.constant(f"{output}.shift", bias)]
        return self.node("LayerNormalization", inputs, output, axis=-1, epsilon=1e-12)


def transformer_layer(g, x, name, w, last=None):
    """One layer over `x`. `w`: its parameters `qkv`, `out`, `norm1`, `wide`, `narrow`, `norm2`, each (weight, bias).
    Query, key and value are one product, side by side. No mask: the product reads one text a run."""
    s = f"{name}."
    parts = [f"{s}query", f"{s}key", f"{s}value"]
    g.split(g.linear(x, *w["qkv"], f"{s}qkv"), parts)
    heads = g.node("MultiHeadAttention", parts, f"{s}heads", domain="com.microsoft", num_heads=HEADS)
    x = g.node("Add", [g.linear(heads, *w["out"], f"{s}attention_out"), x], f"{s}attention_residual")
    x = g.norm(x, *w["norm1"], f"{s}norm1")
    gelu = g.node("Gelu", [g.linear(x, *w["wide"], f"{s}wide")], f"{s}gelu", approximate="none")
    x = g.node("Add", [g.linear(gelu, *w["narrow"], f"{s}narrow"), x], f"{s}residual")
    return g.norm(x, *w["norm2"], last or f"{s}norm2")


def positions(g, table):
    """The rows of a table of positions, as many as `input_ids` has tokens."""
    g.node("Shape", ["input_ids"], "tokens_count", start=1, end=2)
    start, axis = g.constant("slice_start", np.array([0], np.int64)), g.constant("slice_axis", np.array([0], np.int64))
    return g.node("Slice", [g.constant("positions", table), start, "tokens_count", axis], "position")


def quantise(source, target, exact=()):
    """To 8 bits, all products but those named in `exact`. Per channel: cosine 0.99 instead of 0.95. Seven bits of range for
    weights: processors without VNNI add pairs of products in 16 bits, where eight bits overflow, and results would
    differ between machines."""
    quantize_dynamic(
        source, target, op_types_to_quantize=["MatMul", "Gather"], weight_type=QuantType.QInt8, per_channel=True,
        reduce_range=True, nodes_to_exclude=list(exact),
        extra_options={"MatMulConstBOnly": True, "DefaultTensorType": TensorProto.FLOAT},
    )


def optimise(source, target):
    """Fuses nodes once and for all: loading takes a third of the time. SkipLayerNormalization is left out, since on a
    processor it takes five times as long as the Add and the LayerNormalization that it would stand for."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    options.optimized_model_filepath = str(target)
    onnxruntime.InferenceSession(str(source), options, disabled_optimizers=["SkipLayerNormFusion"])
