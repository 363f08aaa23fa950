"""smolagents: the steps of an agent's memory, by themselves, in the result of a run, or in lines of a benchmark."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.formats.container.document import MISSING, Document
from analyzer.formats.loading.interface import FileLog, SessionsFormat, described
from analyzer.formats.record.fields import dict_of, json_or_none, list_of, str_or_none, text_of
from analyzer.formats.record.reader import RecordReader
from analyzer.formats.record.records import sample_of
from analyzer.formats.record.token_counts import of_api
from analyzer.model.session import Message, Session
from analyzer.model.words import Ending

_ACTION = {"step_number", "observations"}


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
        return (_Reader(Session(document.stem, agent="smolagents")).run(*found) for found in _runs(values))


def _runs(values: list[Any]) -> list[tuple[dict[str, Any], list[Any]]]:
    """The runs among the values of a document, each with what is recorded around its steps."""
    if any(map(_is_action, values)):
        return [({}, values)]
    runs = ((run, run.get("steps") or run.get("intermediate_steps")) for run in map(dict_of, values))
    found = ((run, list_of(json_or_none(held) if isinstance(held, str) else held)) for run, held in runs)
    return [(header, steps) for header, steps in found if any(map(_is_action, steps))]


def _is_action(value: object) -> bool:
    step = dict_of(value)
    return step.keys() >= _ACTION and ("tool_calls" in step or "model_output" in step)


class _Reader(RecordReader):
    def run(self, header: dict[str, Any], steps: list[Any]) -> Session:
        session, status = self.session, str_or_none(header.get("state"))
        session.model = str_or_none(header.get("model_id"))
        self._task(header.get("question") or header.get("task"))
        for number, step in enumerate(steps, 1):
            self.take(f"step {number}", dict_of(step))
        for key in ("start_time", "end_time"):
            self.clock(header.get(key))
        answer = header.get("answer", header.get("output"))
        if answer is not None and not any(call.task_done for call in session.calls()):
            self.say(text_of(answer))
        session.recorded_status = status
        session.ending = Ending.LIMIT if status == "max_steps_error" else session.ending
        return self.closed()

    def _task(self, task: object) -> None:
        text, session = str_or_none(task), self.session
        if text is not None and session.task != text:
            session.task = session.task or text
            session.say(Message("user", text))
            self.users += 1

    def take(self, place: str, record: dict[str, Any]) -> None:
        timing = dict_of(record.get("timing"))
        start, end = (self.clock(timing.get(key)) for key in ("start_time", "end_time"))
        if "task" in record:
            self._task(record["task"])
        elif "system_prompt" in record:
            self.note(text_of(record["system_prompt"]), role="system")
        elif "plan" in record:
            self.say(text_of(record["plan"]), start, thought=True)
            self.meter.spent(of_api(dict_of(record.get("token_usage"))))
        elif _is_action(record):
            self._action(place, record, start, end)
        elif "output" not in record:
            self.log.add(place, "a step of no known kind; skipped")

    def _action(self, place: str, step: dict[str, Any], start: float | None, end: float | None) -> None:
        self.meter.spent(of_api(dict_of(step.get("token_usage"))))
        self.answers += 1
        calls = [dict_of(call) for call in list_of(step.get("tool_calls"))]
        said, code = text_of(step.get("model_output")), text_of(step.get("code_action"))
        # A model that writes code says it among its thoughts.
        self.say(said.partition(code)[0] if code else said, start, thought=bool(calls))
        for call in calls:
            function = dict_of(call.get("function")) or call
            name, given = function.get("name"), function.get("arguments")
            given = {"code": given} if name == "python_interpreter" and isinstance(given, str) else given
            made = self.call(place, self.numbered("call-"), name, given, start, batch=place)
            made.task_done = name == "final_answer"
        # What came back for the calls of a step is recorded for all of them at once.
        told, error = step.get("error"), dict_of(step.get("error"))
        reason = str_or_none(error.get("message")) or (text_of(told) if told else "")
        text = "\n".join(filter(None, (text_of(step.get("observations")), reason)))
        if error.get("type") == "AgentMaxStepsError":
            self.ended(None, Ending.LIMIT, reason)
        if step.get("is_final_answer") is True and self.session.ending is None:
            self.session.ending = Ending.SUBMITTED
            self.say(text_of(step.get("action_output")), end)
        if not calls:
            self.note(text, end)
        elif text or step.get("observations") is not None:
            # A step's time is the model's and the tools' together.
            self.result(f"call-{self.made}", text, True if told else None)


FORMAT = described(__file__, SmolAgents)
