#!/usr/bin/env bash
# Generates, checks and builds the Python client, installs its wheel in a fresh environment and runs its tests on that,
# also against the real service: `npm run build` in the root first. Further words go to pytest.
set -euo pipefail
cd "$(dirname "$0")"

venv="${PRESAGE_CLIENT_VENV:-$(mktemp -d)/venv}"
[ -n "${PRESAGE_CLIENT_VENV:-}" ] || trap 'rm -rf "$(dirname "$venv")"' EXIT
if [ ! -x "$venv/bin/pytest" ]; then
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check -r requirements-dev.txt
fi
export PATH="$venv/bin:$PATH"

./build.sh
ruff check .
ruff format --check .
mypy -p presage_memory -p tests
pip install --quiet --disable-pip-version-check --no-deps --force-reinstall dist/presage_memory-*.whl
python -m pytest "$@"
