"""An audit as pages on this machine: the list of its sessions, the page of each when it's opened, and the search. The
server only reads, answers nobody but who knows its address, and is bound to the loopback interface."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from analyzer.audit.figures.summary import summarize
from analyzer.audit.index import index_of
from analyzer.audit.pages import report_of
from analyzer.audit.search import Asked, search
from analyzer.audit.store.store import Store
from analyzer.model.errors import AnalyzerError
from analyzer.report.html import audit as audit_page
from analyzer.report.html import session as session_page

_HOST = "127.0.0.1"
_HITS = 200
_HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class AuditPages:
    """The pages of the audit in a folder, each made when it's asked for; the list again when the audit has changed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._index = ("", "")

    def state(self) -> str:
        """A digest that is another one when the audit has changed."""
        with Store.open(self._folder) as store:
            return store.state()

    def index(self) -> str:
        """The list of sessions with the report."""
        with self._lock, Store.open(self._folder) as store:
            state = store.state()
            if self._index[0] != state:
                report = summarize(store.tables, str(self._folder.absolute()), store.left_out())
                every = dict.fromkeys((row["session"] for row in store.records("sessions")), ".html")
                index = index_of(store.tables, report, every, store.thumbnails(), store.lanes)
                self._index = state, audit_page.render(report, index, served=True)
            return self._index[1]

    def session(self, name: str) -> str:
        """The page of the session with this key. Raises `AnalyzerError` where there's none."""
        with Store.open(self._folder) as store:
            (job,) = store.reports([store.key_of(name)])
            return session_page.render(*report_of(*job[1:]), home="../")

    def found(self, words: str) -> str:
        """The page of a search."""
        return audit_page.render_found(search(self._folder, words, Asked(served=True), _HITS))


class _Handler(BaseHTTPRequestHandler):
    """Answers GET and HEAD below the secret part of the address."""

    server: AuditServer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Answer with the page that the address names."""
        try:
            page = self._page()
        except AnalyzerError as error:
            self._send(HTTPStatus.NOT_FOUND, f"{error}\n", "text/plain")
            return
        if page is None:
            self._send(HTTPStatus.NOT_FOUND, "There is nothing here.\n", "text/plain")
        else:
            self._send(HTTPStatus.OK, page, "text/html" if page.startswith("<") else "text/plain")

    do_HEAD = do_GET  # noqa: N815

    def _page(self) -> str | None:
        address = urlsplit(self.path)
        _, token, *rest = address.path.split("/")
        # A name that leads here from elsewhere, or a page of another origin, doesn't know the secret.
        if self.headers.get("Host") not in self.server.hosts or not secrets.compare_digest(token, self.server.token):
            return None
        pages: dict[str, Callable[[], str]] = {
            "": self.server.pages.index,
            "index.html": self.server.pages.index,
            "state": self.server.pages.state,
            "find": lambda: self.server.pages.found(parse_qs(address.query).get("q", [""])[0]),
        }
        match rest:
            case [name] if name in pages:
                return pages[name]()
            case ["sessions", name] if name.endswith(".html"):
                return self.server.pages.session(name.removesuffix(".html"))
        return None

    def _send(self, status: HTTPStatus, text: str, kind: str) -> None:
        data = text.encode("utf-8", "replace")
        self.send_response(status)
        for name, value in {**_HEADERS, "Content-Type": f"{kind}; charset=utf-8", "Content-Length": len(data)}.items():
            self.send_header(name, str(value))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing of requests."""


class AuditServer(ThreadingHTTPServer):
    """Serves the audit in a folder, at `port` or, where that is 0, at one that is free, in a thread that ends with the
    program."""

    daemon_threads = True

    def __init__(self, folder: Path, port: int = 0) -> None:
        super().__init__((_HOST, port), _Handler)
        self.pages, self.token = AuditPages(folder), secrets.token_urlsafe(16)
        self.hosts = {f"{name}:{self.server_port}" for name in (_HOST, "localhost")}
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def address(self) -> str:
        """The address to open."""
        return f"http://{_HOST}:{self.server_port}/{self.token}/"
