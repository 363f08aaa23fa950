"""tau-bench results: an array of runs, each a talk between a simulated user and an agent that has tools.

Agents of the tool-calling kind record calls as such. Those of the kinds ReAct and act write their action into the text
(`Action:` and a JSON object), and what the tool gave comes back as a user message that starts with `API output: `.
How a run is called, how the talk ends, and when its reward is full is the same for tau2-bench.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from analyzer.formats.container.document import MISSING, Document
from analyzer.formats.loading.interface import FileLog, SessionsFormat, described, expressions_of
from analyzer.formats.record.fields import (
    arguments_of,
    dict_of,
    float_or_none,
    int_or_none,
    list_of,
    name_or_none,
    object_in,
    str_or_none,
    text_of,
)
from analyzer.formats.record.reader import RecordReader
from analyzer.model.session import Expected, ExpectedCall, Message, Session, ToolCall
from analyzer.model.words import SIMULATED_USER, Ending

_OUTPUT = "API output: "
_ACTION = "Action:"
_RESPOND = "respond"
"""The action by which the agent speaks to the user."""
_SAYS = expressions_of(__file__)
_FULL_REWARD = 1 - 1e-6


class TauBench(SessionsFormat):
    """Reads a results file as one session per task and trial."""

    def sniff(self, document: Document) -> bool:
        """Whether the document is a run, or a list of such."""
        return document.value is not MISSING and super().sniff(document)

    def sessions(self, document: Document, log: FileLog) -> Iterator[Session]:
        """The runs in file order."""
        runs = document.value if isinstance(document.value, list) else [document.value]
        for number, run in enumerate(runs, start=1):
            if self.is_own(run):
                yield _Reader(f"run {number}", run).read()
            else:
                log.add(f"run {number}", "not a run with its trajectory; skipped")


FORMAT = described(__file__, TauBench)


class _Reader(RecordReader):
    def __init__(self, place: str, run: dict[str, Any]) -> None:
        self._place = place
        self._run = run
        self._messages = list_of(run["traj"])
        super().__init__(Session(run_name(run.get("task_id"), run.get("trial"), place)))

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
        task = dict_of(info.get("task"))
        take_task(session, str_or_none(task.get("instruction")), task.get("actions"), task.get("outputs"))
        self._end(info)
        return self.closed()

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
        if thinking := _SAYS["thinking"].match(text):
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
        for _, call in self.log.objects(calls, place, "a tool call"):
            function = dict_of(call.get("function"))
            batch = f"message-{index}"
            self.call(place, call.get("id"), function.get("name"), function.get("arguments"), batch=batch)

    def _said_or_done(self, index: int, text: str) -> None:
        """Take a text that may hold an action: it was carried out when the next message is a tool's output."""
        before, marker, action = text.rpartition(_ACTION)
        following = dict_of(self._messages[index + 1]) if index + 1 < len(self._messages) else {}
        answered = following.get("role") == "user" and text_of(following.get("content")).startswith(_OUTPUT)
        parsed = object_in(action) if marker or answered else {}
        name = str_or_none(parsed.get("name"))
        if answered or (not following and name and name != _RESPOND):
            found = _SAYS["name"].search(action)
            arguments = arguments_of(parsed.get("arguments")) if name else action.strip()
            call = ToolCall(f"action-{index}", name or (found[1] if found else "unknown"), arguments)
            self.say(_SAYS["thought"].sub("", before).strip(), thought=True)
            self.session.events.append(call)
            return
        if marker:
            self.say(_SAYS["thought"].sub("", before).strip(), thought=True)
            text = text_of(dict_of(parsed.get("arguments")).get("content")) or action.strip()
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


def take_task(
    session: Session, instruction: str | None, actions: object, words: object, ticket: str | None = None
) -> None:
    """Fill in what the user wants, as they first say it, and the instruction of the simulated user, which the agent
    didn't see unless the user said it; and what is expected: the agent's calls among the actions, where any are
    recorded, and the words that the user is to hear."""
    spoken = (event.text for event in session.events if isinstance(event, Message) and event.role == "user")
    session.task = ticket or next(spoken, None) or instruction
    if instruction is not None and instruction != session.task:
        session.environment[SIMULATED_USER] = instruction
    if isinstance(actions, list):
        calls = [call for entry in actions if (call := _expected_call(dict_of(entry))) is not None]
        heard = tuple(word for entry in list_of(words) if (word := str_or_none(entry)))
        session.expected = Expected(tuple(calls), heard)


def is_signal(text: str) -> bool:
    """Whether the text is what the simulated user says to end the talk, which nobody says aloud."""
    return _SAYS["signal"].fullmatch(text) is not None


def is_full(reward: float) -> bool:
    """Whether a reward is that of a solved task."""
    return reward >= _FULL_REWARD


def run_name(task_id: object, trial: object, place: str) -> str:
    """Return the name of one run of a task: the task's, else that of its place, with the number of the trial."""
    name, number = name_or_none(task_id) or place.replace(" ", "-"), int_or_none(trial)
    return name if number is None else f"{name}/trial-{number}"


def _expected_call(action: dict[str, object]) -> ExpectedCall | None:
    name = str_or_none(action.get("name"))
    if name is None or action.get("requestor") == "user":
        return None
    arguments = arguments_of(action.get("kwargs") if "kwargs" in action else action.get("arguments"))
    compared = action.get("compare_args")
    names = tuple(map(str, compared)) if isinstance(compared, list) else None
    return ExpectedCall(name, arguments if isinstance(arguments, Mapping) else {}, names)
