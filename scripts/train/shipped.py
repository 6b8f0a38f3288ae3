"""The models as they ship, in 8 bits."""

from pathlib import Path

import numpy as np
import onnxruntime
from inputs import in_english, tokenizer

ROOT = Path(__file__).resolve().parents[2] / "models"


def session(path):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.log_severity_level = 1, 3
    return onnxruntime.InferenceSession(str(path), options)


OF_UPDATES = ("update", "part")
classifier = session(ROOT / "memory-classifier" / "model.int8.onnx")


def run(output, ids, segments):
    feeds = {"input_ids": np.array([ids], np.int64), "segments": np.array([segments], np.int64), "is_update": np.array(output in OF_UPDATES)}
    return classifier.run([output], feeds)[0][0]


def logit(p):
    p = np.clip(p, 1e-4, 1 - 1e-4)
    return float(np.log(p / (1 - p)))


def embed(texts):
    model = session(ROOT / "all-minilm-l6-v2" / "model.int8.onnx")
    ids = [[101, *tokenizer.encode(in_english(text), add_special_tokens=False).ids[:254], 102] for text in texts]
    return np.concatenate([model.run(["sentence_embedding"], {"input_ids": np.array([one], np.int64)})[0] for one in ids])
