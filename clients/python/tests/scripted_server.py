"""A real server that gives the answers of a vector's exchanges, one after the other, and keeps what it was sent."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl


@dataclass
class Received:
    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: Any


@dataclass
class ScriptedServer:
    url: str = ""
    received: list[Received] = field(default_factory=list)


@contextmanager
def scripted_server(exchanges: list[dict[str, Any]]) -> Iterator[ScriptedServer]:
    script = ScriptedServer()
    closing = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            path, _, query = self.path.partition("?")
            headers = {name.lower(): value for name, value in self.headers.items()}
            n = len(script.received)
            sent = json.loads(body) if body else None
            script.received.append(Received(self.command, path, dict(parse_qsl(query)), headers, sent))
            answer: dict[str, Any] = (
                exchanges[n]["answer"] if n < len(exchanges) else {"status": 418, "text": "nobody asked for this"}
            )
            if answer.get("silent"):
                closing.wait()
                self.close_connection = True
                return
            is_cut, is_stalled = answer.get("cut", False), answer.get("stalled", False)
            if is_cut and "status" not in answer:
                self.close_connection = True
                return
            text = answer["text"] if "text" in answer else json.dumps(answer.get("body"))
            content = text.encode()
            given = {
                "content-type": "application/json" if "body" in answer else "text/plain",
                **answer.get("headers", {}),
            }
            self.send_response_only(answer.get("status", 200))
            for name, value in given.items():
                self.send_header(name, value)
            missing = 10 if is_cut or is_stalled else 0
            self.send_header("content-length", str(len(content) + missing))
            self.end_headers()
            self.wfile.write(content)
            if is_stalled:
                closing.wait()
            self.close_connection = self.close_connection or is_cut or is_stalled

        do_GET = do_POST = do_PATCH = do_DELETE = answer

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    script.url = f"http://127.0.0.1:{server.server_port}"
    serving = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    serving.start()
    try:
        yield script
    finally:
        closing.set()
        server.shutdown()
        server.server_close()
        serving.join()
