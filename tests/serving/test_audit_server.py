"""The server of an audit's pages: what it answers, and whom."""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from contextlib import closing
from email.message import Message
from pathlib import Path

import pytest

from analyzer import audit
from analyzer.serving.audit_server import AuditServer
from tests.audit.runs import write_runs


@pytest.fixture
def server(tmp_path: Path) -> Iterator[AuditServer]:
    write_runs(tmp_path / "runs", 3)
    audit(tmp_path / "runs", tmp_path / "out", jobs=1)
    started = AuditServer(tmp_path / "out")
    yield started
    started.shutdown()
    started.server_close()


def ask(server: AuditServer, place: str, method: str = "GET", **headers: str) -> tuple[int, Message, str]:
    """The answer to a request for a place below the secret part of the address, or for one that begins with `/`."""
    with closing(http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=20)) as connection:
        connection.request(method, place if place.startswith("/") else f"/{server.token}/{place}", headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read().decode()


def text(server: AuditServer, place: str) -> str:
    status, _, body = ask(server, place)
    assert status == 200
    return body


def test_every_session_has_a_page_that_the_list_leads_to(server: AuditServer) -> None:
    listed = text(server, "")
    assert "Search all texts" in listed
    keys = [part.partition(".html")[0] for part in listed.split('href="sessions/')[1:]]
    assert len(set(keys)) == 3
    page = text(server, f"sessions/{keys[0]}.html")
    assert 'href="../"' in page
    assert "harbour" in page


def test_a_search_leads_to_the_step(server: AuditServer) -> None:
    found = text(server, "find?q=%22harbour+1+is+dry%22")
    assert "<mark>harbour 1 is dry</mark>" in found
    assert '.html#step-2"' in found
    assert "&lt;b&gt;" in text(server, "find?q=%3Cb%3E")


def test_it_notices_that_the_audit_changed(server: AuditServer, tmp_path: Path) -> None:
    before = text(server, "state")
    assert text(server, "state") == before
    write_runs(tmp_path / "runs", 4)
    audit(tmp_path / "runs", tmp_path / "out", jobs=1)
    assert text(server, "state") != before
    assert "Audit of 4 sessions" in text(server, "")


@pytest.mark.parametrize(
    ("place", "method", "host", "status"),
    [
        ("/wrong/", "GET", "", 404),
        ("", "GET", "evil.example", 404),
        ("sessions/../audit.db", "GET", "", 404),
        ("sessions/..%2Faudit.db.html", "GET", "", 404),
        ("audit.db", "GET", "", 404),
        ("find?q=", "GET", "", 404),
        ("", "POST", "", 501),
        ("", "HEAD", "", 200),
    ],
)
def test_whom_and_what_it_answers(server: AuditServer, place: str, method: str, host: str, status: int) -> None:
    answered, headers, body = ask(server, place, method, **({"Host": host} if host else {}))
    assert (answered, server.server_address[0]) == (status, "127.0.0.1")
    if status == 200:
        assert (body, headers["X-Frame-Options"], headers["Referrer-Policy"]) == ("", "DENY", "no-referrer")
