"""Score files of the Berkeley Function Calling Leaderboard: JSON lines, of which the first counts and each other one is
a task that wasn't solved, with the question, the calls that the model made and those that the task accepts.

Tasks that were solved aren't in the file. Those of several turns have a log with what each call returned.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any

from analyzer.formats.container.document import Document
from analyzer.formats.loading.interface import FileLog, SessionsFormat, described
from analyzer.formats.record.definitions import agreed, definitions_in
from analyzer.formats.record.fields import dict_of, int_or_none, json_or_none, list_of, str_or_none, text_of
from analyzer.formats.record.reader import RecordReader
from analyzer.formats.record.records import records_of
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import Expected, ExpectedCall, Message, Role, Session, ToolCall, ToolResult
from analyzer.model.words import Ending
from analyzer.text.late import late

_LONGEST = 20_000
_PUNCTUATION = late(r"[ ,./\-_*^()'\"]")


def calls_in(value: object) -> Iterator[ExpectedCall | None]:
    """The calls of one answer, with arguments that have no name numbered; None for what is none."""
    if isinstance(value, str):
        yield _expression(value)
    elif isinstance(value, dict):
        for name, given in value.items():
            read = given if isinstance(given, dict) else json_or_none(given) if isinstance(given, str) else None
            yield ExpectedCall(str(name), read) if isinstance(read, dict) else None
    elif isinstance(value, list):
        for inner in value:
            yield from calls_in(inner)
    elif value is not None:
        yield None


def _expression(text: str) -> ExpectedCall | None:
    """The call that a Python expression is, such as `move(source='a', target='b')`."""
    if len(text) > _LONGEST:
        return None
    try:
        node = ast.parse(text.strip(), mode="eval").body
        if not isinstance(node, ast.Call):
            return None
        given = {f"argument {number}": _value(one) for number, one in enumerate(node.args, 1)}
        named = {one.arg: _value(one.value) for one in node.keywords if one.arg is not None}
        return ExpectedCall(ast.unparse(node.func), given | named)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _value(node: ast.expr) -> Any:
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError):
        return ast.unparse(node)
    return value if isinstance(value, str | int | float | bool | list | dict | None) else str(value)


def accepted(value: object, made: Sequence[ExpectedCall]) -> list[ExpectedCall]:
    """The calls that a task expects. Of an argument with several accepted values the one that was given counts, where
    it is among them; one that may be left out, and was, doesn't count."""
    found: list[ExpectedCall] = []
    left = list(made)
    for call in calls_in(value):
        if call is None:
            continue
        given = next((one for one in left if one.tool == call.tool), None)
        if given is not None:
            left.remove(given)
        mine = dict_of(given.arguments) if given is not None else {}
        arguments = {}
        for name, values in call.arguments.items():
            chosen = _chosen(values, mine.get(name)) if isinstance(values, list) else (values,)
            if chosen:
                arguments[name] = chosen[0]
        found.append(ExpectedCall(call.tool, arguments, tuple(arguments)))
    return found


def _chosen(values: list[Any], given: Any) -> tuple[Any, ...]:
    same = [value for value in values if value == given or _plain(value) == _plain(given)]
    if same and given is not None:
        return (given,)
    return () if given is None and "" in values else tuple(values[:1])


def _plain(value: Any) -> object:
    """A text as the benchmark compares it, without case and punctuation; anything else as it is."""
    return _PUNCTUATION.sub("", value).casefold() if isinstance(value, str) else value


_RESULTS = ("model_result_raw", "model_result", "model_result_decoded")
_SUMMARY = frozenset({"accuracy", "correct_count", "total_count"})
_ROLES: dict[str, Role] = {"user": "user", "system": "system", "assistant": "assistant"}
_OF_THE_LOG = "step_"


class Bfcl(SessionsFormat):
    """Reads one session per task that wasn't solved."""

    def is_own(self, value: object) -> bool:
        """Whether a record is a judged task, or the count of them."""
        return _is_task(value) or _is_summary(value)

    def sessions(self, document: Document, log: FileLog) -> Iterator[Session]:
        """The tasks in file order."""
        solved: str | None = None
        several = 0
        for record in records_of(document, log.damage):
            if _is_task(record.value):
                several += 1
                yield _Reader(record.place, record.value, log).read()
            elif _is_summary(record.value):
                right, of = (int_or_none(record.value.get(key)) for key in ("correct_count", "total_count"))
                solved = f": {right} of {of} were solved" if right is not None and of is not None else ""
            else:
                log.add(record.place, "neither a judged task nor the count of them; skipped")
        if not several and solved is not None:
            raise UnreadableInput(f"lists no task that wasn't solved{solved}.", where=document.name, foreign=True)


FORMAT = described(__file__, Bfcl)


def _is_task(value: object) -> bool:
    record = dict_of(value)
    return "id" in record and isinstance(record.get("valid"), bool) and any(key in record for key in _RESULTS)


def _is_summary(value: object) -> bool:
    return dict_of(value).keys() >= _SUMMARY


class _Reader(RecordReader):
    def __init__(self, place: str, record: dict[str, Any], log: FileLog) -> None:
        super().__init__(Session(str_or_none(record.get("id")) or place.replace(" ", "-")))
        self._place, self._record, self.log = place, record, log
        self._made: list[ExpectedCall] = []

    def read(self) -> Session:
        session, record = self.session, self._record
        prompt = record.get("prompt")
        about = dict_of(prompt)
        session.model = str_or_none(record.get("model_name"))
        session.title = str_or_none(record.get("test_category"))
        session.definitions = agreed(definitions_in({"functions": about.get("function")}, f"{self._place}, prompt"))
        turns = list_of(about.get("question")) if isinstance(prompt, dict) else list_of(prompt)
        turns = turns if turns and isinstance(turns[0], list) else [turns]
        answers, wanted = record.get("model_result_decoded"), record.get("possible_answer")
        several = isinstance(wanted, list) and any(isinstance(turn, list) for turn in wanted)
        if several:
            self._several(turns, list_of(answers))
        else:
            self._said(turns[0])
            self._calls(answers, "answer")
            if not self._made:
                raw = (record[key] for key in _RESULTS if record.get(key) not in (None, [], ""))
                session.say(Message("assistant", text_of(next(raw, None))))
        session.user_messages, session.assistant_messages = self.users, max(1, len(turns) if several else 1)
        if several:
            session.expected = Expected(tuple(filter(None, calls_in(wanted))))
        elif wanted is not None:
            session.expected = Expected(tuple(accepted(wanted, self._made)))
        elif "irrelevance" in (session.title or ""):
            session.expected = Expected(())
        self._end()
        return session

    def _several(self, turns: list[Any], answers: list[Any]) -> None:
        """Each turn with its question, the calls of its steps, and what they returned."""
        logs = map(dict_of, list_of(self._record.get("inference_log")))
        every = (
            [[text_of(one.get("content")) for one in step if one.get("role") == "tool"] for step in steps_of(log)]
            for log in logs
        )
        returned = [answers for answers in every if answers]
        for number, turn in enumerate(turns):
            self._said(list_of(turn))
            steps = list_of(answers[number]) if number < len(answers) else []
            logged = returned[number] if number < len(returned) else []
            for step, value in enumerate(steps):
                made = self._calls(value, f"turn {number + 1}, step {step + 1}")
                results = logged[step] if step < len(logged) else []
                if len(results) == len(made):
                    self.session.events += [ToolResult(call.id, text) for call, text in zip(made, results, strict=True)]

    def _said(self, messages: list[Any]) -> None:
        for message in map(dict_of, messages):
            role, text = _ROLES.get(str(message.get("role"))), text_of(message.get("content"))
            if role is None:
                self.unknown(self._place, "role", message.get("role"))
                continue
            if role == "user":
                self.users += 1
                self.session.task = self.session.task or text.strip() or None
            self.session.say(Message(role, text))

    def _calls(self, value: object, batch: str) -> list[ToolCall]:
        made = []
        for call in calls_in(value):
            if call is None:
                self.log.add(self._place, "a decoded answer that is no call; skipped")
                continue
            self._made.append(call)
            made.append(ToolCall(f"call-{len(self._made)}", call.tool, dict(call.arguments), batch=batch))
        self.session.events += made
        return made

    def _end(self) -> None:
        session, record = self.session, self._record
        error = record.get("error")
        kind = str_or_none(record.get("error_type")) or str_or_none(dict_of(error).get("error_type"))
        session.recorded_status = kind or ("valid" if record["valid"] else "invalid")
        session.ending = Ending.SOLVED if record["valid"] else Ending.UNSOLVED
        told = dict_of(error).get("error_message") or dict_of(error).get("error") if isinstance(error, dict) else error
        session.ending_detail = text_of(told).strip() or session.recorded_status


def steps_of(turn: dict[str, Any]) -> list[list[dict[str, Any]]]:
    """The messages of each step of a turn, as the log of a task of several turns has them."""
    steps = [key for key in turn if key.startswith(_OF_THE_LOG) and key.removeprefix(_OF_THE_LOG).isdecimal()]
    steps.sort(key=lambda key: int(key.removeprefix(_OF_THE_LOG)[:9]))
    return [[dict_of(entry) for entry in list_of(turn[key])] for key in steps]
