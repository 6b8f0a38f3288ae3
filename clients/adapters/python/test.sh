#!/usr/bin/env bash
# Checks the adapters for Python, and tests them on the real frameworks and the real service: `npm run build` in the root
# first, and Python with clients/python/requirements-dev.txt for the client's own build. CrewAI, a gigabyte that does not
# resolve beside the others, has an environment of its own.
set -euo pipefail
cd "$(dirname "$0")"

folder="${PRESAGE_ADAPTERS_VENVS:-$(mktemp -d)}"
[ -n "${PRESAGE_ADAPTERS_VENVS:-}" ] || trap 'rm -rf "$folder"' EXIT

# environment NAME REQUIREMENTS: makes it, unless it is there.
environment() {
  [ -x "$folder/$1/bin/pytest" ] && return
  python3 -m venv "$folder/$1"
  "$folder/$1/bin/pip" install --quiet --disable-pip-version-check -r "$2"
}

environment client ../../python/requirements-dev.txt
PATH="$folder/client/bin:$PATH" ../../python/build.sh
environment frameworks requirements-frameworks.txt
environment crewai requirements-crewai.txt

PATH="$folder/frameworks/bin:$PATH"
rm -rf dist
python -m build --wheel --no-isolation --outdir dist . >/dev/null
for each in frameworks crewai; do
  "$folder/$each/bin/pip" install --quiet --disable-pip-version-check --no-deps --force-reinstall \
    ../../python/dist/presage_memory-*.whl dist/presage_memory_adapters-*.whl
done
ruff check .
ruff format --check .
mypy
python -m pytest --ignore tests/test_crewai.py
"$folder/crewai/bin/python" -m pytest tests/test_crewai.py
