"""Inspect logs as sessions, and short views of them, for the tests of the format."""

from __future__ import annotations

from typing import Any

from analyzer.formats.inspect_ai.format import FORMAT
from analyzer.model.session import Session
from tests.formats.events import told
from tests.formats.inspect_builders import answer, asked, log, model, sample, tool
from tests.formats.reading import taken_by


def sessions(value: object) -> list[Session]:
    return taken_by(FORMAT, value, "log.json")


def session_of(*events: object, **rest: Any) -> Session:
    (session,) = sessions(log(sample(*events, **rest)))
    return session


def lines_of(session: Session) -> list[str]:
    """What happened, in order, one word each: calls by their ids."""
    return told(session, lambda call: call.id)


SUBMIT = [model(1, [], answer("", asked("c", "submit", answer="x"))), tool(2, "c", "x", function="submit")]
