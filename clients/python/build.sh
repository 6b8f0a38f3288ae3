#!/usr/bin/env bash
# Generates what the client is made of, and builds its wheel into `dist`, with the Python of the path and its packages of
# requirements-dev.txt.
set -euo pipefail
cd "$(dirname "$0")"
python scripts/generate.py
rm -rf dist
python -m build --wheel --no-isolation --outdir dist . >/dev/null
