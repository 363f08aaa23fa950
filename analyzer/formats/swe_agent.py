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
from analyzer.formats.loading.interface import ObjectFormat, described, end_of, words_of
from analyzer.formats.record.fields import (
    arguments_of,
    dict_of,
    float_or_none,
    int_or_none,
    json_or_none,
    list_of,
    str_or_none,
    text_of,
)
from analyzer.formats.record.reader import RecordReader
from analyzer.model.session import Session, Tokens, ToolCall, ToolResult
from analyzer.model.words import Mark
from analyzer.text.expressions import compiled

_WORDS = words_of(__file__)
_POSITIONAL: dict[str, list[str]] = _WORDS["positional"]
"""The named arguments of the agent's own commands, in order."""
_OPTIONS = frozenset({"view_range", "old_str", "new_str", "file_text", "insert_line", "function_name"})
_NUMBERS = frozenset({"line", "start", "end", "insert_line"})
_RAW = frozenset(_WORDS["raw"])
_RAW_PREFIXES = ("debug_", "connect_")
_ON_OPEN_FILE = frozenset({"edit", "goto", "scroll_up", "scroll_down", "insert", "set_cursors"})
_SHELL_OPERATORS = frozenset({"|", "||", "&&", "&", ";", ">", ">>", "<", "2>&1"})

_LINE_EDIT = compiled(r"edit\s+(\d+):(\d+)[^\n]*(?:\n(.*))?\Z", re.DOTALL)
_END_OF_EDIT = compiled(r"^end_of_edit[ \t]*$", re.MULTILINE)
_TIMED_OUT = compiled(
    r"(?:^|\n)EXECUTION TIMED OUT(?: AND INTERRUPT FAILED[^\n]*| BECAUSE [^\n]*(?:\nPLEASE REFINE [^\n]*)?)?\s*\Z"
    r"|\AThe command '.{0,2000}?' was cancelled because it took more than \d+(?:\.\d+)? seconds",
    re.DOTALL,
)
_EXIT_NOTICE = compiled(r"\AExit(?:ed|ing|) due to ")
_EXITED = frozenset({"Exited", "Exited (autosubmitted)"})

_ENDINGS = _WORDS["endings"]


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


def _timed_out(observation: str) -> bool:
    """Whether the harness stopped the command: it says so at one end of the observation."""
    if "TIMED OUT" not in observation and "was cancelled because" not in observation:
        return False
    ends = observation if len(observation) < 6_000 else f"{observation[:3_000]}\n{observation[-3_000:]}"
    return _TIMED_OUT.search(ends) is not None


FORMAT = described(__file__, SweAgentFormat)
_ROLES = ("system", "user", "assistant", "tool")
_OF_ITEMS = frozenset({"agent", "message_type", "is_demo"})


def _header(document: Document, value: dict[str, Any]) -> RecordReader:
    named = str_or_none(value.get("environment"))
    stem = PurePath(document.name).name.removesuffix(".traj") or document.name
    reader = RecordReader(Session(named if named and named not in {"main", "swe_main"} else stem, agent="SWE-agent"))
    session = reader.session
    info = dict_of(value.get("info"))
    session.agent_version = str_or_none(info.get("swe_agent_version"))
    config = _parsed(value.get("replay_config"))
    session.model = str_or_none(dict_of(dict_of(config.get("agent")).get("model")).get("name"))
    reader.place(dict_of(dict_of(config.get("env")).get("deployment")), image="image")
    stats = dict_of(info.get("model_stats"))
    sent, received = int_or_none(stats.get("tokens_sent")), int_or_none(stats.get("tokens_received"))
    if sent or received:  # replayed runs record zeros for what was never counted
        session.tokens = Tokens(sent, received)
        session.cost_usd = float_or_none(stats.get("instance_cost"))
    for index, item in enumerate(map(dict_of, list_of(value.get("history")))):
        role = item.get("role")
        if "role" in item and role not in _ROLES:
            reader.log.add(f"history[{index}]", f"unknown role {str(role)[:60]!r}; not taken for what the user said")
        if item.get("is_demo"):
            continue
        if role == "system":
            reader.note(text_of(item.get("content")), role="system")
        elif role == "user" and reader.heard(text_of(item.get("content"))):
            break
    return reader


def _read_trajectory(value: dict[str, Any], reader: RecordReader) -> None:
    status = str_or_none(dict_of(value.get("info")).get("exit_status"))
    open_file: str | None = None
    for _, entry in reader.log.objects(value["trajectory"], "trajectory[{}]", "a step", 0):
        state = _parsed(entry.get("state"))
        if "open_file" in state:
            open_file = str_or_none(state["open_file"])
            open_file = None if open_file == "n/a" else open_file
        reader.place(state, working_dir="working directory")
        action = text_of(entry.get("action"))
        result = text_of(entry.get("observation")).replace("\r\n", "\n")
        said = _said(entry, action)
        call = _call(action, open_file)
        if _written_by_harness(action, said, result):
            marker = (action.split() or [_exit_word(status) or "exit"])[0]
            call = ToolCall(None, marker, {}, harness=True)
        reader.answers += not call.harness
        (reader.note if call.harness else reader.say)(said)
        mark = Mark.TIMEOUT if _timed_out(result) else None
        duration = float_or_none(entry.get("execution_time"))
        reader.session.events += [call, ToolResult(None, result, duration=duration, mark=mark)]


def _read_history(value: dict[str, Any], reader: RecordReader) -> None:
    calls: list[ToolCall] = []
    for _, item in reader.log.objects(value["history"], "history[{}]", "a message", 0):
        if item.get("is_demo"):
            continue
        text = text_of(item.get("content")).replace("\r\n", "\n")
        if item.get("role") == "assistant":
            reader.answers += 1
            action = text_of(item.get("action"))
            reader.say(_said({"thought": item.get("thought"), "response": text}, action))
            calls = []
            for record in map(dict_of, list_of(item.get("tool_calls"))):
                function, batch = dict_of(record.get("function")), f"message {reader.answers}"
                name, given = str_or_none(function.get("name")) or "unknown", arguments_of(function.get("arguments"))
                call_id, done = str_or_none(record.get("id")), name == "submit"
                calls.append(ToolCall(call_id, name, given, batch=batch, task_done=done))
            calls = calls or ([_call(action, None)] if action.strip() else [])
            reader.session.events += calls
        elif calls:
            ids = list_of(item.get("tool_call_ids")) or [None]
            mark = Mark.TIMEOUT if _timed_out(text) else None
            reader.session.events += [ToolResult(str_or_none(call_id), text, mark=mark) for call_id in ids]
        elif reader.answers:
            reader.note(text)


def _set_ending(value: dict[str, Any], session: Session) -> None:
    session.recorded_status = str_or_none(dict_of(value.get("info")).get("exit_status"))
    word = _exit_word(session.recorded_status)
    if word in {None, "submitted"}:
        # A fork overwrites the status, but its last entry still names the limit.
        last = next((call for call in reversed(session.events) if isinstance(call, ToolCall)), None)
        word = last.name if last and last.harness and last.name in _ENDINGS else word
    if word:
        session.ending, session.ending_detail = end_of(_ENDINGS, word)


def _exit_word(status: str | None) -> str | None:
    """`exit_cost` for `submitted (exit_cost)`: what ended the run, not how its work was saved."""
    if status is None:
        return None
    inner = re.fullmatch(r"submitted \((\w+)\)", status.strip())
    return inner[1] if inner else status.strip()


def _written_by_harness(action: str, said: str, result: str) -> bool:
    word = action.strip()
    if word.startswith("exit_"):
        return word != "exit_forfeit"
    return result.strip() in _EXITED or (not word and bool(_EXIT_NOTICE.match(said)))


def _said(entry: dict[str, Any], action: str) -> str:
    """Return what the agent said before the command: its thought, or the response up to the command."""
    thought = text_of(entry.get("thought")).strip()
    if thought:
        return thought
    response = text_of(entry.get("response")).partition("<function=")[0]
    command = action.strip()
    if command and command in response:
        response = response[: response.index(command)].rstrip().removesuffix("```")
    return response.strip()


def _parsed(value: object) -> dict[str, Any]:
    """Return an object, also out of a JSON text: 0.x writes its state and 1.x its configuration as text."""
    return dict_of(json_or_none(value) if isinstance(value, str) else value)


def _call(action: str, open_file: str | None) -> ToolCall:
    word = (action.split() or [""])[0]
    path = open_file if word in _ON_OPEN_FILE else None
    if word == "edit":
        return ToolCall(None, word, _edit_arguments(action.strip(), open_file), path=path)
    if word in _POSITIONAL:
        return ToolCall(None, word, _named_arguments(action, word), path=path)
    if word in _RAW or word.startswith(_RAW_PREFIXES):
        return ToolCall(None, word, {"raw": action}, task_done=word in {"submit", "exit_forfeit"})
    return ToolCall(None, "bash", {"command": action})


def _edit_arguments(action: str, open_file: str | None) -> dict[str, Any]:
    arguments: dict[str, Any] = {"path": open_file} if open_file else {}
    by_lines = _LINE_EDIT.match(action)
    if by_lines:
        start, end = (int_or_none(int(number)) if len(number) < 12 else None for number in by_lines.groups()[:2])
        return arguments | {"start": start, "end": end, "text": _until_end_of_edit(by_lines[3] or ""), "raw": action}
    head, _, body = action.partition("\n")
    if head.strip() == "edit" and body:
        return arguments | {"text": _until_end_of_edit(body), "raw": action}
    words = _words(action)
    if words is None or len(words) < 3:
        return arguments | {"raw": action}
    arguments |= {"old_str": words[1], "new_str": words[2]}
    return arguments | {"replace_all": words[3]} if len(words) > 3 else arguments


def _until_end_of_edit(body: str) -> str:
    return _END_OF_EDIT.split(body, maxsplit=1)[0].removesuffix("\n")


def _named_arguments(action: str, word: str) -> dict[str, Any]:
    """Name the words after a command; the whole action comes along where it holds more than the command takes."""
    words = _words(action)
    if words is None:
        return {"raw": action}
    arguments: dict[str, Any] = {}
    names = iter(_POSITIONAL[word])
    option: str | None = None
    for value in words[1:]:
        if value.startswith("--") and value[2:] in _OPTIONS:
            option = value[2:]
        elif option == "view_range":
            arguments.setdefault(option, []).append(_typed("line", value.strip("[],")))
        elif option and option not in arguments:
            arguments[option] = _typed(option, value)
        elif value not in _SHELL_OPERATORS and (name := next(names, None)):
            arguments[name] = _typed(name, value)
        else:
            return arguments | {"raw": action}
    return arguments


def _typed(name: str, value: str) -> str | int:
    return int(value) if name in _NUMBERS and value.isdecimal() and len(value) < 12 else value


def _words(action: str) -> list[str] | None:
    try:
        return shlex.split(action)
    except ValueError:
        return None
