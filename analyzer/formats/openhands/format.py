"""OpenHands V0: an array of events, or an evaluation's `output.jsonl` with one instance and its `history` per line.

An event is an action or an observation; an observation names the action that caused it. Older files hold the bare
actions and observations without ids, sources and times: these pair by order.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from typing import Any

from analyzer.formats.container.document import MISSING, Document
from analyzer.formats.openhands.asked import arguments_in, call_arguments
from analyzer.formats.openhands.usage import Rising, answer_of, answers_of, give, total_of
from analyzer.formats.openhands.verdict import ending_of, report_of
from analyzer.formats.record.fields import dict_of, int_or_none, list_of, str_or_none, text_of
from analyzer.formats.record.prompts import issue_of
from analyzer.formats.record.reader import RecordReader
from analyzer.formats.record.usage import together
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import Compaction, Message, ReadWarning, Session, Tokens, ToolCall, ToolResult, Usage
from analyzer.model.words import Ending, Mark
from analyzer.text.names import name_set

_TOOLS = name_set(
    """
    run run_ipython read write edit browse browse_interactive call_tool_mcp delegate think finish reject
    task_tracking recall kill
    """
)
_ENDS = frozenset({"finish", "reject"})
_UNENDED = -1
"""The exit code of a command that hasn't ended."""
_SILENT = frozenset({"null", "agent_state_changed"})


_KNOWN = frozenset({"message", "system"})
_SILENT_ACTIONS = frozenset({"change_agent_state", "null", "recall", "condensation_request"})
_SILENT_OBSERVATIONS = _SILENT | {"recall"}
"""Actions and observations that hold nothing of what was said or done."""


class OpenHandsFormat:
    """Reads one session per event array or per evaluated instance."""

    name = "openhands"
    title = "OpenHands (V0 events)"
    versions = "V0 events with and without ids, evaluation output.jsonl"
    not_recorded: tuple[str, ...] = ("time zone", "durations")

    def sniff(self, document: Document) -> bool:
        """Whether the document holds V0 events, bare or as the `history` of an evaluated instance."""
        value = document.value
        if value is MISSING:
            records = [record.value for record in document.head]
            return any(map(_is_instance, records[:3])) or any(map(_is_event, records[:3]))
        if isinstance(value, list):
            return any(map(_is_event, value[:5]))
        return _is_instance(value)

    def read(self, document: Document) -> Iterator[Session]:
        """Yield the recorded runs: one per line of an evaluation's output, else one."""
        value = document.value
        if value is not MISSING:
            record = value if isinstance(value, dict) else {"history": value}
            if "history" not in record or (record is not value and not any(map(_is_bare_event, _flat(value)))):
                raise UnreadableInput("holds no events of OpenHands.", where=document.name)
            yield _read(document.stem, record, [], "")
            return
        yield from _read_lines(document)


FORMAT = OpenHandsFormat()


def _read_lines(document: Document) -> Iterator[Session]:
    warnings: list[ReadWarning] = []
    events: list[Any] = []
    session: Session | None = None
    for line in document.records(warnings):
        if "history" not in line.value:
            events.append(line.value)
            continue
        if session:
            yield session
        session = _read(f"{document.stem}:{line.line}", line.value, warnings, f"{line.place}, ")
        warnings.clear()
    if session is None:
        if not any(map(_is_event, events)):
            raise UnreadableInput("holds no events of OpenHands.", where=document.name)
        session = _read(document.stem, {"history": events}, [], "")
    session.warnings += warnings
    yield session


def _is_event(record: object) -> bool:
    return _is_bare_event(record) and any(key in dict_of(record) for key in ("source", "args", "extras", "cause"))


def _is_bare_event(record: object) -> bool:
    if not isinstance(record, dict) or "role" in record:
        return False
    return isinstance(record.get("action"), str) or isinstance(record.get("observation"), str)


def _is_instance(record: object) -> bool:
    if not isinstance(record, dict) or "history" not in record:
        return False
    events = _flat(record["history"])
    if not events:
        return "instance_id" in record and any(key in record for key in ("test_result", "metrics"))
    return any(map(_is_bare_event, events[:5]))


def _flat(history: object) -> list[Any]:
    """Return the events; the oldest evaluations wrote pairs of action and observation."""
    return [event for item in list_of(history) for event in (item if isinstance(item, list) else [item])]


def _read(name: str, record: dict[str, Any], warnings: list[ReadWarning], place: str) -> Session:
    identity = str_or_none(record.get("instance_id")) or _issue_name(dict_of(record.get("issue"))) or name
    session = Session(id=identity, agent="OpenHands", warnings=list(warnings))
    metadata = dict_of(record.get("metadata"))
    session.model = str_or_none(dict_of(metadata.get("llm_config")).get("model"))
    reader = _Reader(session)
    for index, event in enumerate(_flat(record.get("history"))):
        if isinstance(event, dict):
            reader.event(event, f"{place}history[{index}]")
        else:
            session.warnings.append(ReadWarning(f"{place}history[{index}]", "not an object; skipped"))
    reader.close()
    if session.task is None and str_or_none(record.get("instruction")):
        session.task = issue_of(text_of(record["instruction"]))
    _set_usage(session, dict_of(record.get("metrics")) or reader.metrics, reader)
    _set_ending(session, record, reader)
    return session


def _issue_name(issue: dict[str, Any]) -> str | None:
    owner, repository, number = (
        str_or_none(issue.get("owner")),
        str_or_none(issue.get("repo")),
        int_or_none(issue.get("number")),
    )
    return f"{owner}/{repository}#{number}" if owner and repository and number is not None else None


class _Reader(RecordReader):
    """Goes through one session's events once."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.metrics: dict[str, Any] = {}
        self.rising = Rising(self.meter)
        self.shares: dict[str, Usage] = {}
        self.state: str | None = None
        self.reason: str | None = None
        self.last_call: ToolCall | None = None
        self.open: list[ToolCall] = []
        self.replies: set[str] = set()

    def event(self, event: dict[str, Any], place: str) -> None:
        """Take in one event; one of which nothing is read, although it may say something, is remarked on."""
        before = len(self.session.events)
        time = self.clock(event.get("timestamp"))
        if metrics := dict_of(event.get("llm_metrics")):
            self.metrics = metrics
            self.rising.take(total_of(metrics))
        action, observation = event.get("action"), event.get("observation")
        if isinstance(action, str):
            self._action(action, event, time)
        elif isinstance(observation, str):
            self._observation(observation, event, time)
        if len(self.session.events) == before:
            self._remark(place, event)

    def _remark(self, place: str, event: dict[str, Any]) -> None:
        """Note an event of which nothing was read, unless its kind is known to hold nothing for a reader."""
        action, observation = event.get("action"), event.get("observation")
        if isinstance(action, str):
            said = text_of(arguments_in(event).get("content")).strip()
            if action in _KNOWN and not said and "content" not in arguments_in(event):
                self.log.add(place, f"{action!r} without a text; skipped")
            elif action not in _KNOWN | _SILENT_ACTIONS:
                source = event.get("source")
                by = f" of {str(source)[:60]!r}" if source not in (None, "agent") else ""
                self.log.add(place, f"unknown action {action[:60]!r}{by}; skipped")
        elif isinstance(observation, str):
            if observation not in _SILENT_OBSERVATIONS and text_of(event.get("content")).strip():
                self.log.add(place, f"{observation[:60]!r} that answers no action; skipped")
        else:
            self.log.add(place, "neither an action nor an observation; skipped")

    def close(self) -> None:
        """Store the counts that are known at the end."""
        self.session.user_messages = self.users
        self.session.assistant_messages = self.answers + len(self.replies)
        self.session.warnings += self.log.warnings()

    def _action(self, action: str, event: dict[str, Any], time: float | None) -> None:
        args = arguments_in(event)
        call_data = dict_of(event.get("tool_call_metadata"))
        response = dict_of(call_data.get("model_response"))
        self.session.model = self.session.model or str_or_none(response.get("model"))
        source = event.get("source")
        if action in {"message", "system"}:
            self._message(action, source, text_of(args.get("content")), time)
        elif action == "condensation":
            self.session.events.append(Compaction(time))
        elif source not in (None, "agent"):
            return
        elif action in _TOOLS or call_data:
            self._tool(action, event, args, time)

    def _message(self, action: str, source: object, text: str, time: float | None) -> None:
        if not text.strip():
            return
        if action == "system":
            self.session.events.append(Message("system", text, time))
        elif source == "user" or (source is None and self.session.task is None):
            self.heard(text, time)
        else:
            self.answers += 1
            self.say(text, time)

    def _tool(self, action: str, event: dict[str, Any], args: dict[str, Any], time: float | None) -> None:
        response = str_or_none(dict_of(dict_of(event.get("tool_call_metadata")).get("model_response")).get("id"))
        if response:
            self.replies.add(response)
            used = answer_of(dict_of(dict_of(event.get("tool_call_metadata")).get("model_response")))
            if used is not None:
                self.shares[response] = used
        else:
            self.answers += 1
        thought = text_of(args.get("thought")).strip()
        if thought and action != "think":
            self.session.events.append(Message("assistant", thought, time))
        identity = event.get("id")
        call = ToolCall(
            str(identity) if isinstance(identity, int | str) else None,
            action,
            call_arguments(action, event, args),
            time,
            batch=response,
            task_done=action in _ENDS,
        )
        self.session.events.append(call)
        self.last_call = call
        self.open.append(call)

    def _observation(self, observation: str, event: dict[str, Any], time: float | None) -> None:
        extras = dict_of(event.get("extras")) or event
        if observation == "agent_state_changed":
            self.state = str_or_none(extras.get("agent_state")) or self.state
            self.reason = str_or_none(extras.get("reason"))
        if observation in _SILENT:
            return
        text = text_of(event.get("content")).replace("\r\n", "\n")
        cause = event.get("cause")
        call = self._caller(cause if isinstance(cause, int | str) else None)
        if call is None:
            # The agent's malformed call is recorded only by the error message about it.
            if observation == "error" and text.strip():
                self.session.events.append(Message("harness", text, time))
            return
        metadata = dict_of(extras.get("metadata"))
        code = int_or_none(metadata.get("exit_code", extras.get("exit_code")))
        suffix = text_of(metadata.get("suffix")).strip()
        timed_out = "[The command timed out after" in suffix + text[-500:]
        if code == _UNENDED and not timed_out and suffix not in text:
            text = f"{text}\n{suffix}".lstrip("\n")
        result = ToolResult(call.id, text, exit_code=None if code == _UNENDED else code, time=time)
        failed = extras.get("error") is True or (event.get("success") is False and code != _UNENDED)
        if observation == "error" or failed:
            result.is_error = True
        if observation == "user_rejected":
            result.mark = Mark.DENIED
        elif timed_out:
            result.mark = Mark.TIMEOUT
        self.place(metadata, working_dir="working directory")
        self.session.events.append(result)

    def _caller(self, cause: int | str | None) -> ToolCall | None:
        if cause is None:
            unnamed = [call for call in self.open if call.id is None]
            call = unnamed[-1] if unnamed else None
        else:
            call = next((call for call in reversed(self.open) if call.id == str(cause)), None)
        if call:
            self.open.remove(call)
        return call


def _set_usage(session: Session, metrics: dict[str, Any], reader: _Reader) -> None:
    """Fill in the totals, and the calls' shares of them: from totals that rose with the events where they did, else by
    answer."""
    total = total_of(metrics)
    session.tokens, session.cost_usd = total.tokens, total.cost_usd
    if reader.rising.seen:
        reader.meter.settle()
    else:
        answers = reader.shares | answers_of(metrics)
        give(session.calls(), answers)
        if session.tokens == Tokens() and session.cost_usd is None:
            used = reduce(together, answers.values(), Usage(Tokens()))
            session.tokens, session.cost_usd = used.tokens, used.cost_usd


def _set_ending(session: Session, record: dict[str, Any], reader: _Reader) -> None:
    error = str_or_none(record.get("error")) or (reader.reason if reader.state in {"error", "stopped"} else None)
    session.recorded_status = str_or_none(record.get("error")) or reader.state
    report = report_of(record)
    if report.get("resolved") is True:
        session.ending = Ending.SOLVED
    elif error or reader.state == "error":
        session.ending, session.ending_detail = ending_of(error or ""), error
    elif reader.last_call is not None and reader.last_call.name == "finish":
        session.ending = Ending.SUBMITTED
    elif reader.last_call is not None and reader.last_call.name == "reject":
        session.ending_detail = "the agent rejected the task"
    elif reader.state == "finished":
        session.ending = Ending.SUBMITTED
    elif reader.state == "stopped":
        session.ending = Ending.CANCELLED
    if report.get("resolved") is False and session.ending in {None, Ending.SUBMITTED}:
        session.ending = Ending.UNSOLVED
    if not report and isinstance(record.get("success"), bool) and session.ending in {None, Ending.SUBMITTED}:
        session.ending = Ending.SOLVED if record["success"] else Ending.UNSOLVED
        explained = text_of(record.get("result_explanation")).strip().strip('[]"')
        session.ending_detail = f"the resolver's own judge says so{f': {explained[:300]}' if explained else ''}"
