"""Our own documented form, for agents whose logs no other format reads: actions with their results, recognised by their
author.

`docs/own-format.md` describes it. It comes as one JSON object with `actions`, or as JSON lines: a `session` first, then
one `action` or `message` per line.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

from analyzer.formats.container.document import MISSING, Document
from analyzer.formats.loading.interface import FileLog, SessionsFormat, described
from analyzer.formats.record.definitions import agreed, definitions_in
from analyzer.formats.record.fields import arguments_of, dict_of, list_of, str_or_none, text_of
from analyzer.formats.record.own_form import Checked, evaluation_of, expected_of, usage_of_other_models
from analyzer.formats.record.usage import together
from analyzer.formats.record.warnings import WarningLog
from analyzer.model.session import Compaction, Message, Role, Session, Tokens, ToolCall, ToolResult, Usage
from analyzer.model.words import MAIN_LANE, Ending, Mark

_FORM = "analyze-session/1"
_ROLES = get_args(Role)
_TEXTS = ("agent", "agent_version", "model", "task", "title", "ending_detail", "broke")
_LINE_KEYS = ("action", "message", "compaction", "session", "format")
_RESULT_KEYS = ("result", "exit_code", "is_error", "mark", "error_type", "score")


class Actions(SessionsFormat):
    """Sessions written in the project's own form."""

    def is_own(self, value: Any) -> bool:
        """Whether an object, or a line of one, names the form, or has actions with a tool each."""
        named, actions = str(dict_of(value).get("format")).startswith("analyze-session/"), dict_of(value).get("actions")
        if isinstance(actions, list):
            return named or any(map(_is_action, actions[:10]))
        if not isinstance(value, dict) or "actions" in value:
            return False
        said = isinstance(value.get("session"), dict) or _is_action(value.get("action"))
        return named or (said and value.keys() <= set(_LINE_KEYS))

    def sniff(self, document: Document) -> bool:
        """Whether the document names the form, or has actions with a tool each."""
        values = [document.value] if document.value is not MISSING else [record.value for record in document.head]
        return any(map(self.is_own, values[:1]))

    def sessions(self, document: Document, log: FileLog) -> list[Session]:
        """One session for an object, one for each `session` line of JSON lines."""
        runs = list(_runs(document, log))
        several = len(runs) > 1
        return [
            run.session(f"{document.stem}-{number}" if several else document.stem) for number, run in enumerate(runs, 1)
        ]


def _is_action(value: object) -> bool:
    return isinstance(dict_of(value).get("tool"), str)


def _runs(document: Document, log: FileLog) -> Iterator[_Reader]:
    if document.value is MISSING:
        records = [(record.place, record.value) for record in document.records(log.damage)]
    else:
        records = [("", document.value)] if isinstance(document.value, dict) else []
    run = _Reader()
    for place, value in records:
        if isinstance(value.get("actions"), list):
            yield _whole(place, value)
            continue
        run.log.unknown_keys(place, value, _LINE_KEYS)
        if "session" in value:
            if not run.empty:
                yield run
                run = _Reader()
            run.given = value["session"]
        _check_version(run.log, place, value)
        if "action" in value:
            run.actions.append((place or "action", value["action"]))
        if "message" in value:
            run.messages.append((place or "message", value["message"], len(run.actions) + 1))
        if "compaction" in value:
            run.compactions.append((len(run.actions) + 1, place or "compaction", value["compaction"]))
    if not run.empty:
        yield run


def _whole(place: str, value: dict[str, Any]) -> _Reader:
    prefix, run = f"{place}, " if place else "", _Reader(value.get("session"))
    run.log.unknown_keys(place or "top level", value, ("format", "session", "messages", "actions"))
    _check_version(run.log, place or "top level", value)
    messages = value.get("messages")
    run.messages = [(f"{prefix}message {number}", item, None) for number, item in enumerate(list_of(messages), 1)]
    run.actions = [(f"{prefix}action {number}", item) for number, item in enumerate(value["actions"], 1)]
    if messages is not None and not isinstance(messages, list):
        run.log.add(f"{prefix}messages", "messages is no list; ignored")
    return run


def _check_version(log: WarningLog, place: str, value: dict[str, Any]) -> None:
    if value.get("format") not in (None, _FORM):
        log.add(place or "format", f"format {text_of(value['format'])[:60]!r} is not {_FORM!r}; read as if it were")


class _Reader:
    """Collects the parts of one session, each with its place in the file, and makes the session of them. A message of a
    line has the number of the action that it stands before."""

    def __init__(self, given: object = None) -> None:
        self.given = given
        self.messages: list[tuple[str, Any, int | None]] = []
        self.actions: list[tuple[str, Any]] = []
        self.compactions: list[tuple[int, str, Any]] = []
        self.log = WarningLog()
        self._session = Session("")
        self._times: list[float] = []
        self._said = {"user": 0, "assistant": 0}

    @property
    def empty(self) -> bool:
        return self.given is None and not self.messages and not self.actions

    def session(self, stem: str) -> Session:
        """The session, in which the events say what the header doesn't."""
        session = self._session
        began, ended = self._header(session, stem)
        slots = self._slots(len(self.actions))
        for number, (place, item) in enumerate(self.actions, start=1):
            session.events.extend(slots.get(number, []))
            if str_or_none(dict_of(item).get("tool")):
                self._action(session, number, place, item)
            else:
                self.log.add(place, "an action without a tool; skipped")
        session.events.extend(slots.get(len(self.actions) + 1, []))
        self._compactions(session)
        user, assistant = session.user_messages, session.assistant_messages
        session.user_messages = self._said["user"] if user is None else user
        session.assistant_messages = self._said["assistant"] if assistant is None else assistant
        _total(session)
        session.started_at = began or min(self._times, default=None)
        session.ended_at = ended or max(self._times, default=None)
        session.warnings = self.log.warnings()
        return session

    def _header(self, session: Session, stem: str) -> tuple[float | None, float | None]:
        """Take in what the header says; return when the session began and ended."""
        given = Checked("session", self.given, self.log)
        session.id = given.identifier("id") or stem
        for key in _TEXTS:
            setattr(session, key, given.text(key))
        began, ended = given.time("started_at"), given.time("ended_at")
        session.naive_clock = given.naive
        environment = given.part("environment")
        session.environment = {key: text for key in environment if (text := environment.scalar(key)) is not None}
        counts = given.part("messages")
        session.user_messages, session.assistant_messages = counts.count("user"), counts.count("assistant")
        counts.done()
        session.tokens, session.cost_usd = self._tokens(given), given.number("cost_usd")
        session.cost_is_partial, session.recorded_status = given.flag("cost_is_partial") is True, given.text("status")
        ending = given.choice("ending", tuple(Ending))
        session.ending = Ending(ending) if ending else None
        session.expected = expected_of(given.anything("expected"))
        session.evaluation = evaluation_of(given.part("evaluation"))
        session.definitions = agreed(definitions_in({"tools": given.anything("tools")}))
        session.beside = usage_of_other_models(given.anything("beside"))
        given.done()
        return began, ended

    def _tokens(self, given: Checked) -> Tokens:
        part = given.part("tokens")
        tokens = Tokens(*map(part.count, ("input", "output", "cached", "written", "written_hour")))
        part.done()
        return tokens

    def _slots(self, actions: int) -> dict[int, list[Message]]:
        """Return the messages by the number of the action that they stand before; the end counts as one more action."""
        slots: dict[int, list[Message]] = {}
        for place, item, known in self.messages:
            part = Checked(place, item, self.log)
            message = self._message(part)
            before = part.whole("before_action")
            part.done()
            if known is not None:
                before = known
            elif before is not None and not 1 <= before <= actions:
                self.log.add(place, f"before_action {before} names no action; the message is put at the end")
                before = None
            if message is not None:
                slots.setdefault(before or actions + 1, []).append(message)
        return slots

    def _compactions(self, session: Session) -> None:
        """Put each compaction before the action that it came before."""
        calls = [position for position, event in enumerate(session.events) if isinstance(event, ToolCall)]
        for number, place, item in reversed(self.compactions):
            part = Checked(place, item, self.log)
            found = Compaction(self._time(part, "time"), part.text("lane") or MAIN_LANE, part.text("trigger"))
            found.tokens_before, found.tokens_after = part.count("tokens_before"), part.count("tokens_after")
            part.done()
            session.events.insert(calls[number - 1] if number <= len(calls) else len(session.events), found)

    def _message(self, part: Checked) -> Message | None:
        text, role = part.text("text"), part.choice("role", _ROLES)
        message = Message("user", text or "", self._time(part, "time"), part.text("lane") or MAIN_LANE)
        message.thought, message.failed = part.flag("thought") is True, part.flag("failed") is True
        message.speaker = part.text("speaker")
        message.unrecorded = part.flag("unrecorded") is True and not message.text.strip()
        if (text is None and not message.unrecorded) or role is None:
            if part.given:
                self.log.add(part.place, "a message needs a role and a text; skipped")
            return None
        message.role = role
        if role in self._said and message.lane == MAIN_LANE and not message.thought:
            self._said[role] += 1
            if role == "user" and self._session.task is None:
                self._session.task = text
        return message

    def _time(self, part: Checked, key: str) -> float | None:
        time, session = part.time(key), self._session
        if time is not None:
            session.naive_clock = session.naive_clock or part.naive
            self._times.append(time)
        return time

    def _action(self, session: Session, number: int, place: str, item: dict[str, Any]) -> None:
        part = Checked(place, item, self.log)
        call = ToolCall(f"action-{number}", part.text("tool") or "", arguments_of(part.anything("arguments")))
        call.lane, call.model, call.path = part.text("lane") or MAIN_LANE, part.text("model"), part.text("path")
        call.time, call.batch = self._time(part, "started_at"), part.identifier("batch")
        for key in ("task_done", "harness", "asks_agent"):
            setattr(call, key, part.flag(key) is True)
        tokens, cost = self._tokens(part), part.number("cost_usd")
        call.usage = Usage(tokens, cost) if tokens != Tokens() or cost is not None else None
        for key, thought in (("thought", True), ("intent", False)):
            if text := part.text(key):
                session.events.append(Message("assistant", text, call.time, call.lane, thought))
                self._said["assistant"] += not thought and call.lane == MAIN_LANE
        session.events.append(call)
        result = ToolResult(call.id, text_of(part.anything("result")), part.flag("is_error"), part.whole("exit_code"))
        result.lane, result.duration = call.lane, part.number("duration_seconds")
        if call.time is not None and result.duration is not None:
            result.time = call.time + result.duration
            self._times.append(result.time)
        result.error_type, result.score = part.text("error_type"), part.signed("score")
        mark = part.choice("mark", tuple(Mark))
        result.mark = Mark(mark) if mark else None
        if any(item.get(key) is not None for key in _RESULT_KEYS):
            session.events.append(result)
        part.done()


def _total(session: Session) -> None:
    """Fill in totals that the header doesn't state, where every call, or the first of those sent together, says what it
    used."""
    firsts: dict[str, ToolCall] = {}
    for number, call in enumerate(session.calls()):
        firsts.setdefault(f"{number}" if call.batch is None else f"batch {call.lane} {call.batch}", call)
    usages = [call.usage for call in firsts.values() if not call.harness]
    used = Usage(Tokens())
    for usage in usages:
        if usage is None:
            return
        used = together(used, usage)
    session.tokens = used.tokens if session.tokens == Tokens() else session.tokens
    session.cost_usd = used.cost_usd if session.cost_usd is None else session.cost_usd


FORMAT = described(__file__, Actions)
