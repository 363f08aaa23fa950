"""tau-bench results: an array of runs, each a talk between a simulated user and an agent that has tools.

Agents of the tool-calling kind record calls as such. Those of the kinds ReAct and act write their action into the text
(`Action:` and a JSON object), and what the tool gave comes back as a user message that starts with `API output: `.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from analyzer.formats.container.document import Document
from analyzer.formats.record.fields import (
    arguments_of,
    dict_of,
    float_or_none,
    list_of,
    str_or_none,
    text_of,
    unused_name,
)
from analyzer.formats.record.reader import RecordReader
from analyzer.formats.record.warnings import WarningLog
from analyzer.formats.tau.conversation import expected_of, is_full, is_signal, run_name, take_instruction
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import Message, Session, ToolCall
from analyzer.model.words import Ending
from analyzer.text.expressions import compiled

_OUTPUT = "API output: "
_ACTION = "Action:"
_RESPOND = "respond"
"""The action by which the agent speaks to the user."""
_THINKING = compiled(r"\A\s*<think>(.*?)(?:</think>|\Z)", re.DOTALL)
_THOUGHT = compiled(r"\A\s*Thought:\s*")
_NAME = compiled(r'"name"\s*:\s*"([^"]{1,100})"')


class TauBench:
    """Reads a results file as one session per task and trial."""

    name = "tau-bench"
    title = "tau-bench"
    versions = "tool-calling, ReAct and act runs"
    not_recorded: tuple[str, ...] = (
        "times",
        "the agent's tokens and cost",
        "the model (only in the file's name)",
        "error flags",
        "exit codes",
    )

    def sniff(self, document: Document) -> bool:
        """Whether the document is a run with its reward, or a list of such."""
        value = document.value
        return _is_run(value) or (isinstance(value, list) and any(map(_is_run, value[:5])))

    def read(self, document: Document) -> Iterator[Session]:
        """Yield one session per run, in file order."""
        value = document.value
        runs = value if isinstance(value, list) else [value]
        if not any(map(_is_run, runs)):
            raise UnreadableInput("holds no run of tau-bench.", where=document.name)
        warning_log = WarningLog()
        taken: set[str] = set()
        first: Session | None = None
        for number, run in enumerate(runs, start=1):
            if not _is_run(run):
                warning_log.add(f"run {number}", "not a run with its trajectory; skipped")
                continue
            session = _Reader(f"run {number}", run, taken).read()
            first = first or session
            yield session
        if first:
            first.warnings += warning_log.warnings()


FORMAT = TauBench()


def _is_run(value: object) -> bool:
    return (
        isinstance(value, dict) and isinstance(value.get("traj"), list) and not {"reward", "task_id"}.isdisjoint(value)
    )


class _Reader(RecordReader):
    """Goes through one run's messages once."""

    def __init__(self, place: str, run: dict[str, Any], taken: set[str]) -> None:
        self._place = place
        self._run = run
        self._messages = list_of(run["traj"])
        super().__init__(Session(unused_name(run_name(run.get("task_id"), run.get("trial"), place), taken)))

    def read(self) -> Session:
        """Return the run as a session."""
        session = self.session
        for index, message in enumerate(self._messages):
            place = f"{self._place}, message {index + 1}"
            if not isinstance(message, dict):
                self.log.wrong_type(place, message, "a message")
                continue
            match message.get("role"):
                case "system":
                    self.note(text_of(message.get("content")), role="system")
                case "user":
                    self._user(index, message)
                case "assistant":
                    self._assistant(place, index, message)
                case "tool" | "function":
                    self.result(message.get("tool_call_id"), text_of(message.get("content")))
                case role:
                    self.unknown(place, "role", role)
        info = dict_of(self._run.get("info"))
        spoken = (event.text for event in session.events if isinstance(event, Message) and event.role == "user")
        task = dict_of(info.get("task"))
        instruction = str_or_none(task.get("instruction"))
        session.task = next(spoken, None) or instruction
        take_instruction(session, instruction)
        session.expected = expected_of(task.get("actions"), task.get("outputs"))
        self._end(info)
        self.close()
        return session

    def _user(self, index: int, message: dict[str, Any]) -> None:
        text = text_of(message.get("content"))
        if text.startswith(_OUTPUT) and index:
            self.result(f"action-{index - 1}", text.removeprefix(_OUTPUT))
        elif is_signal(text):
            self.note(text)
        else:
            self.users += 1
            self.session.say(Message("user", text))

    def _assistant(self, place: str, index: int, message: dict[str, Any]) -> None:
        self.answers += 1
        text = text_of(message.get("content"))
        if thinking := _THINKING.match(text):
            self.say(thinking[1].strip(), thought=True)
            text = text[thinking.end() :].strip()
        calls = list_of(message.get("tool_calls"))
        legacy = message.get("function_call")
        if isinstance(legacy, dict):
            calls = [*calls, {"function": legacy}]
        if not calls:
            self._said_or_done(index, text)
            return
        self.say(text)
        for call in calls:
            if not isinstance(call, dict):
                self.log.wrong_type(place, call, "a tool call")
                continue
            function = dict_of(call.get("function"))
            batch = f"message-{index}"
            self.call(place, call.get("id"), function.get("name"), function.get("arguments"), batch=batch)

    def _said_or_done(self, index: int, text: str) -> None:
        """Take a text that may hold an action: it was carried out when the next message is a tool's output."""
        before, marker, action = text.rpartition(_ACTION)
        following = dict_of(self._messages[index + 1]) if index + 1 < len(self._messages) else {}
        answered = following.get("role") == "user" and text_of(following.get("content")).startswith(_OUTPUT)
        parsed = _parsed(action) if marker or answered else {}
        name = str_or_none(parsed.get("name"))
        if answered or (not following and name and name != _RESPOND):
            found = _NAME.search(action)
            arguments = arguments_of(parsed.get("arguments")) if name else action.strip()
            call = ToolCall(f"action-{index}", name or (found[1] if found else "unknown"), arguments)
            self.say(_THOUGHT.sub("", before).strip(), thought=True)
            self.session.events.append(call)
            return
        if marker:
            self.say(_THOUGHT.sub("", before).strip(), thought=True)
            words = text_of(dict_of(parsed.get("arguments")).get("content"))
            text = words or action.strip()
        self.say(text)

    def _end(self, info: dict[str, Any]) -> None:
        session = self.session
        reward = float_or_none(self._run.get("reward"))
        if error := str_or_none(info.get("error")):
            session.recorded_status, session.ending, session.ending_detail = "error", Ending.CRASHED, error.strip()
        elif reward is not None:
            session.recorded_status = f"reward {reward:g}"
            session.ending = Ending.SOLVED if is_full(reward) else Ending.UNSOLVED
            session.ending_detail = session.recorded_status


def _parsed(action: str) -> dict[str, Any]:
    """Return the action's JSON object, whatever stands around it."""
    start = action.find("{")
    if start < 0:
        return {}
    try:
        value, _ = json.JSONDecoder().raw_decode(action, start)
    except (ValueError, RecursionError):
        return {}
    return dict_of(value)
