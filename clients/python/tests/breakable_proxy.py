"""A proxy whose connections can be cut: between a client and the real service."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from types import TracebackType
from typing import Self


class BreakableProxy:
    def __init__(self, target: str) -> None:
        host, _, port = target.removeprefix("http://").partition(":")
        self._target = host, int(port)
        self._writers: set[asyncio.StreamWriter] = set()
        self._is_refusing = False
        self._answers_to_lose = 0
        self.address = ""

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        host, port = self._server.sockets[0].getsockname()
        self.address = f"{host}:{port}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.cut()
        self._server.close()

    def cut(self) -> None:
        """Cuts what is open; connections that are opened later go through, unless they are refused."""
        for writer in list(self._writers):
            writer.transport.abort()

    def refuse(self, is_refusing: bool) -> None:
        self._is_refusing = is_refusing
        if is_refusing:
            self.cut()

    def lose_answers(self, count: int) -> None:
        """The next so many answers are lost on their way, after the service has done what it was asked."""
        self._answers_to_lose = count

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._is_refusing:
            writer.transport.abort()
            return
        far_reader, far_writer = await asyncio.open_connection(*self._target)
        self._writers |= {writer, far_writer}
        with suppress(OSError):
            await asyncio.gather(
                self._pass(reader, far_writer, loses=False), self._pass(far_reader, writer, loses=True)
            )
        for each in (writer, far_writer):
            each.transport.abort()
            self._writers.discard(each)

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, loses: bool) -> None:
        while data := await reader.read(65_536):
            if loses and self._answers_to_lose > 0:
                self._answers_to_lose -= 1
                writer.transport.abort()  # the service did it, and nobody heard
                return
            writer.write(data)
            await writer.drain()
        writer.transport.abort()
