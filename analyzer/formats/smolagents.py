"""smolagents: the steps of an agent's memory, by themselves, in the result of a run, or in lines of a benchmark."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.formats.container.document import MISSING, Document
from analyzer.formats.loading.interface import FileLog, SessionsFormat, described
from analyzer.formats.record.fields import arguments_of, dict_of, json_or_none, list_of, str_or_none, text_of
from analyzer.formats.record.reader import RecordReader
from analyzer.formats.record.records import sample_of
from analyzer.formats.record.token_counts import of_api
from analyzer.model.session import Message, Session, ToolCall, ToolResult
from analyzer.model.words import Ending

_STEPS = ("steps", "intermediate_steps")
_ACTION = {"step_number", "observations"}
_CODE = "python_interpreter"


class SmolAgents(SessionsFormat):
    """Reads one session per run."""

    def sniff(self, document: Document) -> bool:
        """Whether the document is a list of steps, or holds runs with such."""
        return bool(_runs(sample_of(document)))

    def sessions(self, document: Document, log: FileLog) -> Iterator[Session]:
        """The runs in file order."""
        value = document.value
        lines = document.records(log.damage) if value is MISSING else ()
        values = value if isinstance(value, list) else [value, *(record.value for record in lines)]
        return (_Reader(document.stem, header).run(steps) for header, steps in _runs(values))


def _runs(values: list[Any]) -> list[tuple[dict[str, Any], list[Any]]]:
    """The runs among the values of a document, each with what is recorded around its steps."""
    if any(map(_is_action, values)):
        return [({}, values)]
    found = ((dict_of(entry), _steps_of(dict_of(entry))) for entry in values)
    return [(header, steps) for header, steps in found if any(map(_is_action, steps))]


def _steps_of(run: dict[str, Any]) -> list[Any]:
    held = next((run[key] for key in _STEPS if run.get(key)), None)
    held = json_or_none(held) if isinstance(held, str) else held
    return list_of(held)


def _is_action(value: object) -> bool:
    step = dict_of(value)
    return step.keys() >= _ACTION and ("tool_calls" in step or "model_output" in step)


class _Reader(RecordReader):
    def __init__(self, name: str, header: dict[str, Any]) -> None:
        super().__init__(Session(name, agent="smolagents"))
        self.session.model = str_or_none(header.get("model_id"))
        self._task(header.get("question") or header.get("task"))
        self._header = header

    def run(self, steps: list[Any]) -> Session:
        session = self.session
        for number, step in enumerate(steps, 1):
            self._step(f"step {number}", step)
        for key in ("start_time", "end_time"):
            self.clock(self._header.get(key))
        answer = self._header.get("answer", self._header.get("output"))
        if answer is not None and not any(call.task_done for call in session.calls()):
            self.say(text_of(answer))
        status = str_or_none(self._header.get("state"))
        session.recorded_status = status or session.recorded_status
        if status == "max_steps_error":
            session.ending = Ending.LIMIT
        self.close()
        return session

    def _task(self, task: object) -> None:
        text, session = str_or_none(task), self.session
        if text is not None and session.task != text:
            session.task = session.task or text
            session.say(Message("user", text))
            self.users += 1

    def _step(self, place: str, value: object) -> None:
        step = dict_of(value)
        timing = dict_of(step.get("timing"))
        start, end = (self.clock(timing.get(key)) for key in ("start_time", "end_time"))
        if "task" in step:
            self._task(step["task"])
        elif "system_prompt" in step:
            self.note(text_of(step["system_prompt"]), role="system")
        elif "plan" in step:
            self.say(text_of(step["plan"]), start, thought=True)
            self.meter.spent(of_api(dict_of(step.get("token_usage"))))
        elif _is_action(step):
            self._action(place, step, start, end)
        elif "output" not in step:
            self.log.add(place, "a step of no known kind; skipped")

    def _action(self, place: str, step: dict[str, Any], start: float | None, end: float | None) -> None:
        self.meter.spent(of_api(dict_of(step.get("token_usage"))))
        self.answers += 1
        calls = [dict_of(call) for call in list_of(step.get("tool_calls"))]
        said = text_of(step.get("model_output"))
        code = text_of(step.get("code_action"))
        # A model that writes code says it among its thoughts.
        self.say(said.partition(code)[0] if code else said, start, thought=bool(calls))
        named: list[ToolCall] = []
        for call in calls:
            function = dict_of(call.get("function")) or call
            name, given = str_or_none(function.get("name")), function.get("arguments")
            arguments = {"code": given} if name == _CODE and isinstance(given, str) else arguments_of(given)
            made = self.call(place, self.numbered("call-"), name, arguments, start, batch=place)
            made.task_done = name == "final_answer"
            named.append(made)
        self._result(step, named, end)

    def _result(self, step: dict[str, Any], calls: list[ToolCall], end: float | None) -> None:
        """Add what came back for the calls of a step, which is recorded for all of them at once."""
        session, told = self.session, step.get("error")
        error = dict_of(told)
        reason = str_or_none(error.get("message")) or (text_of(told) if told else "")
        sort = str_or_none(error.get("type"))
        parts = [text_of(step.get("observations")), reason]
        text = "\n".join(part for part in parts if part)
        if sort == "AgentMaxStepsError":
            session.ending, session.ending_detail = Ending.LIMIT, reason
        if step.get("is_final_answer") is True and session.ending is None:
            session.ending = Ending.SUBMITTED
            self.say(text_of(step.get("action_output")), end)
        if not calls:
            self.note(text, end)
        elif text or step.get("observations") is not None:
            # A step's time is the model's and the tools' together.
            session.events.append(ToolResult(calls[-1].id, text, True if told else None))


FORMAT = described(__file__, SmolAgents)
