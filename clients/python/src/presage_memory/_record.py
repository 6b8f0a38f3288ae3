from __future__ import annotations

from dataclasses import dataclass

from httpx import Headers
from pydantic import BaseModel, ConfigDict, PrivateAttr


@dataclass(frozen=True)
class ResponseInfo:
    """What came beside the data of an answer."""

    status: int
    headers: Headers
    correlation_id: str | None
    """Quote it to report a fault."""
    config_version: int | None
    """The version of the configuration that played a part."""
    attempts: int
    """How often the request was sent."""


class Record(BaseModel):
    """What the service answers. Fields that a later service adds are attributes, too."""

    model_config = ConfigDict(extra="allow", protected_namespaces=())

    _response: ResponseInfo | None = PrivateAttr(default=None)

    @property
    def response(self) -> ResponseInfo:
        """What came beside this answer. A record within another has none."""
        if self._response is None:
            raise AttributeError("this record is a part of an answer: ask the whole answer")
        return self._response
