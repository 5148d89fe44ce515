# SPDX-License-Identifier: BSD-3-Clause
"""A page about a run that goes on, for a browser on the same machine. Who asks needs the token in its
address."""

from __future__ import annotations

import json
import secrets
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType

from isthmus.console import console
from isthmus.live.page import page
from isthmus.live.snapshot import Snapshots
from isthmus.run.display import Display, state, windows
from isthmus.run.job import Job

HOST = "127.0.0.1"
FAREWELL = 3.0  # seconds in which a browser that looks on fetches the end
POLICY = ("default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; "
          "connect-src 'self'")


class LivePage:
    """Display of a run that also serves the page, as long as the run goes on. `inner`: what shows it in the
    terminal."""

    def __init__(self, inner: Display, snapshots: Snapshots):
        self._inner, self._snapshots = inner, snapshots
        self._jobs: list[Job] = []
        self._token = secrets.token_urlsafe(16)
        self._lock = threading.Lock()  # one look at the files at a time
        self._is_over = False
        self._asked_at = 0.0  # for data
        self._ends_here = False  # with what is on its way to the browser
        self._told_end = threading.Event()
        self._server = ThreadingHTTPServer((HOST, 0), self._handler())
        self._server.daemon_threads = True

    @property
    def address(self) -> str:
        return f"http://{HOST}:{self._server.server_port}/{self._token}/"

    def __enter__(self) -> LivePage:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        console.print(f"live page: {self.address}", soft_wrap=True, markup=False)
        self._inner.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self._inner.__exit__(kind, error, trace)
        self._is_over = True
        if time.monotonic() - self._asked_at < FAREWELL:  # somebody looks on
            self._told_end.wait(FAREWELL)
        self._server.shutdown()
        self._server.server_close()

    def update(self, jobs: list[Job]) -> None:
        self._jobs = jobs
        self._inner.update(jobs)

    def data(self) -> dict:
        with self._lock:
            taken = self._snapshots.take()
        taken["is_live"] = not self._is_over
        taken["participants"] = [participant(job, name) for job in self._jobs for name in job.progress]
        return taken

    def answer(self, path: str, host: str | None) -> tuple[str, str] | None:
        """Kind and text; nothing for who has not been told the address, or asks by another name of this host,
        as a page of somebody else may let a browser do."""
        parts = path.split("?")[0].split("/")
        knows = len(parts) == 3 and secrets.compare_digest(parts[1].encode(), self._token.encode())
        if not knows or host not in (f"{HOST}:{self._server.server_port}",
                                     f"localhost:{self._server.server_port}"):
            return None
        if parts[2] == "":
            return "text/html; charset=utf-8", page(self._snapshots.title)
        if parts[2] == "data.json":
            self._asked_at = time.monotonic()
            data = self.data()
            self._ends_here = not data["is_live"]
            return "application/json", json.dumps(data, allow_nan=False)
        return None

    def sent(self) -> None:
        """An answer is on its way."""
        if self._ends_here:
            self._told_end.set()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        live = self

        class Handler(BaseHTTPRequestHandler):
            timeout = 10  # seconds, for who connects and says nothing

            def do_GET(self) -> None:
                answer = live.answer(self.path, self.headers.get("Host"))
                if answer is None:
                    self.send_error(404)
                    return
                kind, text = answer
                body = text.encode()
                self.send_response(200)
                for name, value in (("Content-Type", kind), ("Content-Length", str(len(body))),
                                    ("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer"),
                                    ("X-Content-Type-Options", "nosniff"),
                                    ("Content-Security-Policy", POLICY)):
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)
                self.wfile.flush()
                live.sent()

            def log_message(self, *arguments: object) -> None:
                pass  # the terminal is the run's

        return Handler


def participant(job: Job, name: str) -> dict:
    word, _ = state(job)
    progress = job.progress[name]
    return {"name": name, "state": word, "window": windows(progress), "elapsed": round(job.elapsed, 1),
            "lines": list(job.last_lines)[-6:]}
