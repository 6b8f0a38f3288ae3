"""Writes models/dot-products/: one matrix product, so that vectors in memory are compared by the processor's own
vector instructions, which neither JavaScript nor the embedded Postgres has. In the environment of export-embedder.py:

    /tmp/export-embedder/bin/python scripts/export-dot-products.py
"""

from pathlib import Path

import onnx
from onnx import TensorProto, helper

TARGET = Path(__file__).resolve().parent.parent / "models" / "dot-products" / "dot-products.onnx"


def main():
    value = helper.make_tensor_value_info
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["rows", "query"], ["products"], name="products")],
        "dot-products",
        [value("rows", TensorProto.FLOAT, ["rows", "dimensions"]), value("query", TensorProto.FLOAT, ["dimensions", 1])],
        [value("products", TensorProto.FLOAT, ["rows", 1])],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10)
    onnx.checker.check_model(model, full_check=True)
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    onnx.save(model, TARGET)


main()
