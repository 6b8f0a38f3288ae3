"""Filters of a store: `{"name": value}`, or comparisons such as `{"rank": {"$gt": 3}}`."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

_comparisons: dict[str, Callable[[Any, Any], bool]] = {
    "$eq": operator.eq,
    "$ne": operator.ne,
    "$gt": lambda value, wanted: float(value) > float(wanted),
    "$gte": lambda value, wanted: float(value) >= float(wanted),
    "$lt": lambda value, wanted: float(value) < float(wanted),
    "$lte": lambda value, wanted: float(value) <= float(wanted),
}


def matches_filter(value: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Whether every named member of a value is as the filter wants it. Raises `ValueError` for another comparison."""
    return all(_matches(value.get(name), condition) for name, condition in wanted.items())


def _matches(value: Any, condition: Any) -> bool:
    if not isinstance(condition, dict) or not any(str(name).startswith("$") for name in condition):
        return bool(value == condition)
    for name in condition:
        if name not in _comparisons:
            raise ValueError(f"filter: {name} is none of {', '.join(_comparisons)}")
    if value is None and not condition.keys() <= {"$eq", "$ne"}:
        return False
    return all(_comparisons[name](value, wanted) for name, wanted in condition.items())
