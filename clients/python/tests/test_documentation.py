"""Every piece of Python in docs/clients runs, and prints what it says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from .real_service import RealService

script = Path(__file__).resolve().parents[2] / "support" / "snippets.mjs"
found = subprocess.run(["node", str(script), "python"], check=True, capture_output=True, text=True).stdout
snippets: list[dict[str, Any]] = json.loads(found)


@pytest.mark.parametrize("snippet", snippets, ids=[each["name"] for each in snippets])
def test_snippet(snippet: dict[str, Any], service: RealService) -> None:
    places = {"PRESAGE_KEY": service.key, "PRESAGE_URL": service.url, "PRESAGE_GRPC": service.grpc}
    command = [sys.executable, "-c", snippet["code"]]
    ran = subprocess.run(command, env={**os.environ, **places}, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert snippet["prints"]
    for line in snippet["prints"]:
        assert line in ran.stdout


def test_each_subject_is_started_in_less_than_twenty_lines() -> None:
    for snippet in snippets:
        assert not snippet["name"].startswith("python.md") or len(snippet["code"].splitlines()) < 20


def test_four_lines_lead_from_import_to_recalled_memory() -> None:
    first = next(each for each in snippets if each["name"].startswith("python.md"))
    lines = [line for line in first["code"].splitlines() if line and not line.startswith("#")]
    assert len(lines) <= 4
