"""SWE-agent trajectories (`.traj`), 0.x and 1.x, and forks that write the same file.

One JSON object per run. `trajectory` is what happened and `history` is what the model was shown, demonstrations
included; a file that holds only a `history` is read from that. Every entry of `trajectory` is one step, also the
closing `exit_cost` entry, which the harness wrote.
"""

from __future__ import annotations

import re
import shlex
from pathlib import PurePath
from typing import Any

from analyzer.formats.container.document import Document
from analyzer.formats.loading.interface import ObjectFormat, described, end_of, expressions_of, words_of
from analyzer.formats.loading.mapping.values import string_at, value_at
from analyzer.formats.record.fields import dict_of, float_or_none, int_or_none, list_of, text_of
from analyzer.formats.record.reader import RecordReader
from analyzer.model.session import Session, Tokens, ToolCall, ToolResult
from analyzer.model.words import Mark

_WORDS = words_of(__file__)
_POSITIONAL: dict[str, list[str]] = _WORDS["positional"]
"""The named arguments of the agent's own commands, in order."""
_RAW_PREFIXES = ("debug_", "connect_")

_SAYS = expressions_of(__file__)


class SweAgentFormat(ObjectFormat):
    """Reads one `.traj` file as one session."""

    def is_own(self, value: object) -> bool:
        """Whether an object has a `trajectory` of actions, or a `history` as SWE-agent writes it."""
        if not isinstance(value, dict) or "trajectory_format" in value:
            return False
        steps = value.get("trajectory")
        if isinstance(steps, list) and any(key in value for key in ("history", "info", "environment")):
            return not steps or any(isinstance(step, dict) and "action" in step for step in steps[:5])
        items = map(dict_of, list_of(value.get("history"))[:5])
        return steps is None and any("role" in item and not _OF_ITEMS.isdisjoint(item) for item in items)

    def session(self, document: Document, value: dict[str, Any]) -> Session:
        """The run that an object records."""
        reader = _header(document, value)
        if isinstance(value.get("trajectory"), list):
            _read_trajectory(value, reader)
        else:
            _read_history(value, reader)
        reader.close()
        _set_ending(value, reader.session)
        return reader.session


def _mark(observation: str) -> Mark | None:
    """Whether the harness stopped the command: it says so at one end of the observation."""
    if "TIMED OUT" not in observation and "was cancelled because" not in observation:
        return None
    ends = observation if len(observation) < 6_000 else f"{observation[:3_000]}\n{observation[-3_000:]}"
    return Mark.TIMEOUT if _SAYS["timed_out"].search(ends) else None


FORMAT = described(__file__, SweAgentFormat)
_ROLES = ("system", "user", "assistant", "tool")
_OF_STEPS = frozenset({"action", "observation"})
_OF_ITEMS = frozenset({"agent", "message_type", "is_demo"})


def _header(document: Document, value: dict[str, Any]) -> RecordReader:
    named, stem = string_at(value, "environment"), PurePath(document.name).name.removesuffix(".traj") or document.name
    reader = RecordReader(Session(named if named and named not in {"main", "swe_main"} else stem, agent="SWE-agent"))
    session = reader.session
    session.agent_version = string_at(value, "info.swe_agent_version")
    session.model = string_at(value, "replay_config.agent.model.name")
    reader.place(dict_of(value_at(value, "replay_config.env.deployment")), image="image")
    counts = [int_or_none(value_at(value, f"info.model_stats.tokens_{way}")) for way in ("sent", "received")]
    if any(counts):  # replayed runs record zeros for what was never counted
        session.tokens = Tokens(*counts)
        session.cost_usd = float_or_none(value_at(value, "info.model_stats.instance_cost"))
    for key in ("history", "trajectory"):
        if value.get(key) is not None and not isinstance(value[key], list):
            reader.log.wrong_type(key, value[key], "a list")
    for index, item in enumerate(map(dict_of, list_of(value.get("history")))):
        role, text = item.get("role"), text_of(item.get("content"))
        if role not in _ROLES or "content" not in item:
            what = "a message without content" if role in _ROLES else f"unknown role {str(role)[:60]!r}"
            reader.log.add(f"history[{index}]", f"{what}; not taken for what the user said")
        if role == "system" and not item.get("is_demo"):
            reader.note(text, role="system")
        elif role == "user" and not item.get("is_demo") and reader.heard(text):
            break
    return reader


def _read_trajectory(value: dict[str, Any], reader: RecordReader) -> None:
    status = string_at(value, "info.exit_status")
    open_file: str | None = None
    for place, entry in reader.log.objects(value["trajectory"], "trajectory[{}]", "a step", 0):
        for key in _OF_STEPS - entry.keys():
            reader.log.add(place, f"a step without {key!r}")
        # 0.x writes its state as text, into which a path leads all the same.
        if (held := string_at(entry, "state.open_file")) is not None:
            open_file = None if held == "n/a" else held
        if folder := string_at(entry, "state.working_dir"):
            reader.session.environment.setdefault("working directory", folder)
        action, result = text_of(entry.get("action")), text_of(entry.get("observation")).replace("\r\n", "\n")
        said, call = _said(entry, action), _call(action, open_file)
        if _written_by_harness(action, said, result):
            call = ToolCall(None, (action.split() or [_exit_word(status) or "exit"])[0], {}, harness=True)
        reader.answers += not call.harness
        (reader.note if call.harness else reader.say)(said)
        duration = float_or_none(entry.get("execution_time"))
        reader.session.events += [call, ToolResult(None, result, duration=duration, mark=_mark(result))]


def _read_history(value: dict[str, Any], reader: RecordReader) -> None:
    calls: list[ToolCall] = []
    for place, item in reader.log.objects(value["history"], "history[{}]", "a message", 0):
        text = text_of(item.get("content")).replace("\r\n", "\n")
        if item.get("is_demo"):
            continue
        if item.get("role") == "assistant":
            reader.answers += 1
            action, calls = text_of(item.get("action")), []
            reader.say(_said({"thought": item.get("thought"), "response": text}, action))
            for record in map(dict_of, list_of(item.get("tool_calls"))):
                name, given = value_at(record, "function.name"), value_at(record, "function.arguments")
                calls.append(reader.call(place, record.get("id"), name, given, batch=f"message {reader.answers}"))
                calls[-1].task_done = name == "submit"
            if not calls and action.strip():
                calls = [_call(action, None)]
                reader.session.events += calls
        elif calls:
            for call_id in list_of(item.get("tool_call_ids")) or [None]:
                reader.result(call_id, text).mark = _mark(text)
        elif reader.answers:
            reader.note(text)


def _set_ending(value: dict[str, Any], session: Session) -> None:
    session.recorded_status = string_at(value, "info.exit_status")
    word = _exit_word(session.recorded_status)
    if word in {None, "submitted"}:
        # A fork overwrites the status, but its last entry still names the limit.
        last = next((call for call in reversed(session.events) if isinstance(call, ToolCall)), None)
        word = last.name if last and last.harness and last.name in _WORDS["endings"] else word
    if word:
        session.ending, session.ending_detail = end_of(_WORDS["endings"], word)


def _exit_word(status: str | None) -> str | None:
    """`exit_cost` for `submitted (exit_cost)`: what ended the run, not how its work was saved."""
    return None if status is None else re.sub(r"\Asubmitted \((\w+)\)\Z", r"\1", status.strip())


def _written_by_harness(action: str, said: str, result: str) -> bool:
    word = action.strip()
    if word.startswith("exit_"):
        return word != "exit_forfeit"
    return result.strip() in _WORDS["exited"] or (not word and bool(_SAYS["exit_notice"].match(said)))


def _said(entry: dict[str, Any], action: str) -> str:
    """Return what the agent said before the command: its thought, or the response up to the command."""
    if thought := text_of(entry.get("thought")).strip():
        return thought
    response, command = text_of(entry.get("response")).partition("<function=")[0], action.strip()
    if command and command in response:
        response = response[: response.index(command)].rstrip().removesuffix("```")
    return response.strip()


def _call(action: str, open_file: str | None) -> ToolCall:
    word = (action.split() or [""])[0]
    path = open_file if word in _WORDS["on_open_file"] else None
    if word == "edit":
        return ToolCall(None, word, _edit_arguments(action.strip(), open_file), path=path)
    if word in _POSITIONAL:
        return ToolCall(None, word, _named_arguments(action, word), path=path)
    if word in _WORDS["raw"] or word.startswith(_RAW_PREFIXES):
        return ToolCall(None, word, {"raw": action}, task_done=word in {"submit", "exit_forfeit"})
    return ToolCall(None, "bash", {"command": action})


def _edit_arguments(action: str, open_file: str | None) -> dict[str, Any]:
    arguments: dict[str, Any] = {"path": open_file} if open_file else {}
    if by_lines := _SAYS["line_edit"].match(action):
        start, end = (int_or_none(int(number)) if len(number) < 12 else None for number in by_lines.groups()[:2])
        return arguments | {"start": start, "end": end, "text": _until_end_of_edit(by_lines[3] or ""), "raw": action}
    head, _, body = action.partition("\n")
    if head.strip() == "edit" and body:
        return arguments | {"text": _until_end_of_edit(body), "raw": action}
    words = _words(action)
    if len(words) < 3:
        return arguments | {"raw": action}
    return arguments | dict(zip(("old_str", "new_str", "replace_all"), words[1:], strict=False))


def _until_end_of_edit(body: str) -> str:
    return _SAYS["end_of_edit"].split(body, maxsplit=1)[0].removesuffix("\n")


def _named_arguments(action: str, word: str) -> dict[str, Any]:
    """Name the words after a command; the whole action comes along where it holds more than the command takes."""
    words, names = _words(action), iter(_POSITIONAL[word])
    arguments: dict[str, Any] = {} if words else {"raw": action}
    option: str | None = None
    for value in words[1:]:
        if value.startswith("--") and value[2:] in _WORDS["options"]:
            option = value[2:]
        elif option == "view_range":
            arguments.setdefault(option, []).append(_typed("line", value.strip("[],")))
        elif option and option not in arguments:
            arguments[option] = _typed(option, value)
        elif value not in _WORDS["shell_operators"] and (name := next(names, None)):
            arguments[name] = _typed(name, value)
        else:
            return arguments | {"raw": action}
    return arguments


def _typed(name: str, value: str) -> str | int:
    return int(value) if name in _WORDS["numbers"] and value.isdecimal() and len(value) < 12 else value


def _words(action: str) -> list[str]:
    """The words of a command; none where its quotes don't match."""
    try:
        return shlex.split(action)
    except ValueError:
        return []
