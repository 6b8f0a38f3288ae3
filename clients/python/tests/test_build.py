"""A package is built with what is generated, or not at all."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

home = Path(__file__).resolve().parents[1]


def test_a_checkout_in_which_nothing_was_generated_says_what_to_run(tmp_path: Path) -> None:
    bare = tmp_path / "python"
    shutil.copytree(home, bare, ignore=shutil.ignore_patterns("_generated", "_sync", "dist", "tests"))
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path), str(bare)]
    built = subprocess.run(command, capture_output=True, text=True)
    assert built.returncode != 0
    assert "clients/python/build.sh" in built.stdout + built.stderr
