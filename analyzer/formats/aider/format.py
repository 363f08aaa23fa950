"""Aider chat histories (markdown), and the result records of its SWE-bench runs.

A history holds one chat after the other, each a session: a benchmark starts a new one for every attempt at the same
task. A result record (JSON) says how the attempts ended, but not what was done in them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.formats.aider.chat import chats_of, read_chat
from analyzer.formats.container.document import MISSING, Document
from analyzer.formats.loading.interface import FileLog, SessionsFormat, described, expressions_of
from analyzer.formats.record.fields import dict_of, float_or_none, list_of, parse_time, str_or_none
from analyzer.model.session import ReadWarning, Session
from analyzer.model.words import Ending

_SAYS = expressions_of(__file__)
_HEAD = 4_000
"""How many characters may stand before the first chat."""
_OUTCOMES = frozenset({"edit_outcome", "lint_outcome", "test_outcome"})


class Aider(SessionsFormat):
    """Chat histories and result records of aider."""

    def sniff(self, document: Document) -> bool:
        """Whether a chat starts near the beginning of the text, or the document is a result record."""
        if document.value is not MISSING:
            return _is_result(document.value)
        head = document.opening(_HEAD)
        return "# aider chat started at " in head and _SAYS["started"].search(head) is not None

    def sessions(self, document: Document, _log: FileLog) -> Iterator[Session]:
        """One session per chat, or one for a result record."""
        if _is_result(document.value):
            yield _result(document.value, document.stem)
            return
        chats = chats_of(document.text)
        for number, (started, body) in enumerate(chats, start=1):
            name = document.stem if len(chats) == 1 else f"{document.stem}/chat-{number}"
            session = Session(name, agent=self.title)
            # The time is in the clock of the machine.
            session.started_at = parse_time(started.strip().replace(" ", "T", 1))
            session.naive_clock = session.started_at is not None
            read_chat(body, session)
            yield session


def _is_result(value: object) -> bool:
    result = dict_of(value)
    return "instance_id" in result and (result.keys() >= _OUTCOMES or isinstance(result.get("all_results"), list))


def _result(value: dict[str, Any], stem: str) -> Session:
    session = Session(id=str_or_none(value.get("instance_id")) or stem, agent=FORMAT.title)
    session.model = str_or_none(value.get("model"))
    attempts = [dict_of(attempt) for attempt in list_of(value.get("all_results"))]
    costs = [cost for attempt in attempts if (cost := float_or_none(attempt.get("cost"))) is not None]
    session.cost_usd = sum(costs) if costs else float_or_none(value.get("cost"))
    if isinstance(resolved := value.get("resolved"), bool):
        session.recorded_status = "resolved" if resolved else "not resolved"
        session.ending = Ending.SOLVED if resolved else Ending.UNSOLVED
    known = {key.removesuffix("_outcome"): value[key] for key in sorted(_OUTCOMES) if isinstance(value.get(key), bool)}
    outcomes = ", ".join(f"{what} {'passed' if passed else 'failed'}" for what, passed in known.items())
    session.ending_detail = f"{max(len(attempts), 1)} attempts; the chosen one: {outcomes}" if outcomes else None
    where = "in the markdown history of the same name; read that one for the steps"
    session.warnings.append(ReadWarning("top level", f"a result record: the chats themselves are {where}"))
    return session


FORMAT = described(__file__, Aider)
