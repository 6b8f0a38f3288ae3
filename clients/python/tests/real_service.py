"""The real service, in a process and a folder of its own."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

script = Path(__file__).resolve().parents[2] / "support" / "service.mjs"


@dataclass
class RealService:
    url: str
    grpc: str
    key: str
    _process: subprocess.Popen[str]

    def kill(self) -> None:
        self._command("kill")

    def start(self) -> None:
        self._command("start")

    def _command(self, line: str) -> None:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()
        self._process.stdout.readline()


@contextmanager
def real_service() -> Iterator[RealService]:
    process = subprocess.Popen(["node", str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin is not None and process.stdout is not None
    try:
        told = json.loads(process.stdout.readline())
        yield RealService(told["url"], told["grpc"], told["key"], process)
    finally:
        process.stdin.close()
        process.wait()
