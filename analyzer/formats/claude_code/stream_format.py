"""What `claude -p --output-format stream-json` prints (also as one JSON list, or the closing result alone).

The messages are those of a session log under other names; the closing `result` has the cost and says how the run ended.
The prompt isn't printed.
"""

from __future__ import annotations

from functools import reduce
from itertools import pairwise
from typing import Any

from analyzer.formats.claude_code.reader import Reader
from analyzer.formats.claude_code.text import is_said
from analyzer.formats.container.document import Document
from analyzer.formats.loading.interface import FileLog, SessionsFormat, described, end_of, words_of
from analyzer.formats.record.fields import dict_of, float_or_none, int_or_none, list_of, str_or_none, text_of
from analyzer.formats.record.records import records_of
from analyzer.formats.record.token_counts import added, larger, of_claude
from analyzer.model.session import Message, Session, Tokens
from analyzer.model.words import Ending

_SAID = frozenset({"user", "assistant"})
_WORDS = words_of(__file__)
_NOISE = frozenset(_WORDS["noise"])


class ClaudeCodeStream(SessionsFormat):
    """Reads the printed messages, one session per session id."""

    def is_own(self, value: object) -> bool:
        """Whether a record is a printed message."""
        record = dict_of(value)
        if "session_id" not in record or "sessionId" in record:
            return False
        kind = record.get("type")
        if kind == "system":
            return record.get("subtype") == "init" and "tools" in record
        if kind == "result":
            return "subtype" in record and ("num_turns" in record or "total_cost_usd" in record)
        return str(kind) in _SAID and "parent_tool_use_id" in record and is_said(record)

    def sessions(self, document: Document, log: FileLog) -> list[Session]:
        """The sessions in the order of their first message."""
        runs: dict[str, _Run] = {}
        current = ""
        for record in records_of(document, log.damage):
            current = str_or_none(record.value.get("session_id")) or current
            runs.setdefault(current, _Run(Session(current or document.stem))).take(record.place, record.value)
        return [run.closed() for run in runs.values() if run.taken]


FORMAT = described(__file__, ClaudeCodeStream)


class _Run(Reader):
    """The messages of one session id."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.taken = False
        self._init: dict[str, Any] = {}
        self._results: list[dict[str, Any]] = []
        self._spoke_since = False

    def take(self, place: str, record: dict[str, Any]) -> None:
        """Read one printed message."""
        kind = str(record.get("type"))
        self.taken = self.taken or kind in (*_SAID, "system", "result")
        if kind in _SAID or record.get("subtype") in ("compact_boundary", "microcompact_boundary", "api_error"):
            self._spoke_since = self._spoke_since or kind in _SAID
            super().take(place, _as_logged(record))
        elif kind == "system":
            self._init = record if record.get("subtype") == "init" else self._init
        elif kind == "result":
            self._spoke_since = False
            self._results.append(record)
        else:
            self.unknown(place, "message type", kind, _NOISE)

    def close(self) -> None:
        """Fill in what the session's beginning and its results state."""
        session, name = self.session, self.session.id
        super().close()
        session.id = name
        session.model = session.model or str_or_none(self._init.get("model"))
        session.agent_version = str_or_none(self._init.get("claude_code_version"))
        self.place(self._init, cwd="working directory", permissionMode="permission mode")
        if not self._results:
            return
        result = self._results[-1]
        session.cost_usd = _cost(self._results)
        said = text_of(result.get("result")).strip()
        spoken = {event.text.strip() for event in session.events if isinstance(event, Message)}
        if said and said not in spoken:
            session.events.append(Message("assistant" if result.get("is_error") is not True else "harness", said))
        session.tokens = _tokens(session.tokens, [of_claude(dict_of(one.get("usage"))) for one in self._results])
        if self._spoke_since:
            return
        subtype = str_or_none(result.get("subtype"))
        session.recorded_status = subtype
        ending, detail = end_of(_WORDS["endings"], subtype, subtype)
        if ending is Ending.SUBMITTED and result.get("is_error") is True:
            # Errors of the model's service are reported as a success with an error flag.
            ending, detail = session.ending or Ending.CRASHED, said or "the model's service answered with an error"
        errors = "; ".join(filter(None, map(text_of, list_of(result.get("errors")))))
        turns = int_or_none(result.get("num_turns"))
        if ending is Ending.LIMIT and turns is not None:
            detail = f"{detail}; {turns} turns were used"
        session.ending, session.ending_detail = ending, "; ".join(filter(None, (detail, errors))) or None


def _as_logged(record: dict[str, Any]) -> dict[str, Any]:
    """The message as a session log would have it."""
    logged = record | {own: record[printed] for printed, own in _WORDS["logged"].items() if printed in record}
    parent = str_or_none(record.get("parent_tool_use_id"))
    logged["isSidechain"] = parent is not None
    if parent:
        logged["agentId"] = parent[-8:]
    about = dict_of(logged.get("compactMetadata"))
    if "pre_tokens" in about:
        logged["compactMetadata"] = about | {"preTokens": about["pre_tokens"], "postTokens": about.get("post_tokens")}
    return logged


def _tokens(counted: Tokens, totals: list[Tokens]) -> Tokens:
    """What the messages and the results say together: a message is printed before its output is complete, and a result
    leaves out what sub-agents used.

    Results count one turn or all turns so far; the input that the messages add up to tells which.
    """
    total = reduce(added, totals)
    far = abs((total.input or 0) - (counted.input or 0))
    if counted.input and abs((totals[-1].input or 0) - counted.input) < far:
        total = totals[-1]
    return larger(counted, total)


def _cost(results: list[dict[str, Any]]) -> float | None:
    """What was spent. The recorded cost grows from result to result of one process; a resumed session begins at zero
    again."""
    costs = [cost for cost in (float_or_none(result.get("total_cost_usd")) for result in results) if cost is not None]
    ended = [cost for cost, later in pairwise(costs) if later < cost]
    return sum(ended) + costs[-1] if costs else None
