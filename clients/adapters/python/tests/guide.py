"""The pieces of Python in docs/clients/adapters.md, which the tests of each adapter run on its framework."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path
from typing import Any

page = Path(__file__).resolve().parents[4] / "docs" / "clients" / "adapters.md"
pieces: list[str] = re.findall(r"^```py\n(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE)


async def play(module: str, **given: Any) -> dict[str, Any]:
    """Runs the piece that imports from this module of the adapters, with the names that it takes for granted, and
    returns those that it makes."""
    [piece] = [each for each in pieces if f"presage_memory_adapters.{module} import" in each]
    names: dict[str, Any] = dict(given)
    exec(f"async def piece():\n{textwrap.indent(piece, '    ')}\n    return locals()", names)
    made: dict[str, Any] = await names["piece"]()
    return made
