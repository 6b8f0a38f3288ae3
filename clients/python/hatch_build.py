"""Refuses to build a package without the modules that are generated: it would install, and fail when it is imported."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

generated = ("_generated/records.py", "_generated/parameters.py", "_generated/anticipation_pb2.py", "_sync/client.py")


class GeneratedModules(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        package = Path(self.root) / "src" / "presage_memory"
        missing = [each for each in generated if not (package / each).exists()]
        if missing:
            raise RuntimeError(
                f"{package / missing[0]} is missing: it is generated from the compiled service. In the checkout run "
                "`npm ci`, then `pip install -r clients/python/requirements-dev.txt` and `clients/python/build.sh`, "
                "and install what lies in clients/python/dist: `pip install clients/python/dist/*.whl`."
            )
