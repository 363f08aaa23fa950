"""browser-use: the history of an agent that works in a browser. Each entry has the model's output with its actions, the
results in the same order, and the page that the model saw.

An entry has the times at which its step began and ended; the model's time is in between, and the actions' isn't known.
"""

from __future__ import annotations

from typing import Any

from analyzer.formats.container.document import Document
from analyzer.formats.loading.interface import ObjectFormat
from analyzer.formats.record.fields import dict_of, int_or_none, list_of, str_or_none, text_of
from analyzer.formats.record.reader import RecordReader
from analyzer.formats.record.records import take_time
from analyzer.formats.record.usage import cost_or_none
from analyzer.formats.record.warnings import OBJECT, TEXT, Form
from analyzer.model.session import Session, Tokens, ToolCall, ToolResult
from analyzer.model.words import Ending

_THOUGHTS = ("thinking", "evaluation_previous_goal", "valuation_previous_goal", "memory", "next_goal")
_SAID = ("extracted_content", "error", "long_term_memory")
_DONE = "done"
_ENTRY = Form("an entry", {}, {"model_output": OBJECT, "result": (list, dict), "state": OBJECT})
_OUTPUT = Form("the model's output", {"action": (list, dict)})
_RESULT = Form(
    "a result",
    {},
    {"extracted_content": TEXT, "error": TEXT, "long_term_memory": TEXT},
    frozenset({"judgement", "metadata", "attachments", "images", "interacted_element"}),
)


class BrowserUse(ObjectFormat):
    """Reads the one session of a history."""

    name = "browser-use"
    title = "browser-use"
    versions = "agent histories with model_output, result and state, of 2024 and 2025"
    not_recorded = ("the task", "model", "whether the task was solved", "exit codes", "how long an action took")
    nothing = "history of browser-use"

    def is_own(self, value: object) -> bool:
        """Whether an object has a history of such entries."""
        return any(map(_is_entry, list_of(dict_of(value).get("history"))))

    def session(self, document: Document, value: dict[str, Any]) -> Session:
        """The session that a history is."""
        reader = _Reader(Session(document.stem, agent="browser-use"))
        for number, entry in enumerate(value["history"], 1):
            reader.entry(f"history {number}", entry)
        reader.finish(dict_of(value.get("usage")))
        return reader.session


def _is_entry(value: object) -> bool:
    return dict_of(value).keys() >= {"model_output", "result", "state"}


class _Reader(RecordReader):
    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._count = 0

    def entry(self, place: str, entry: object) -> None:
        """Read one entry."""
        if not isinstance(entry, dict) or not _is_entry(entry):
            self.log.wrong_type(place, entry, "an entry of the history")
            return
        session, about = self.session, dict_of(entry.get("metadata"))
        start = take_time(session, about.get("step_start_time"))
        end = take_time(session, about.get("step_end_time"))
        self.meter.spent(Tokens(int_or_none(about.get("input_tokens"))))
        output = dict_of(entry["model_output"])
        _ENTRY.check(place, entry, self.log)
        if output:
            _OUTPUT.check(place, output, self.log)
        for one in map(dict_of, _listed(entry["result"])):
            _RESULT.check(place, one, self.log)
        actions = _listed(output.get("action"))
        results = [result for result in _listed(entry["result"]) if isinstance(result, dict)]
        thoughts = {**dict_of(output.get("current_state")), **output}
        for key in _THOUGHTS:
            self.say(text_of(thoughts.get(key)), start, thought=True)
        self.answers += bool(output)
        for number, action in enumerate(actions):
            result = results[number] if number < len(results) else None
            self._action(place, action, result, start, end)
        for result in results[len(actions) :]:
            # An answer of the model that couldn't be used has results without actions.
            self.note(_text(result), end)

    def finish(self, usage: dict[str, Any]) -> None:
        """Take the totals, and say what was left out."""
        self.close()
        self.session.tokens = Tokens(
            int_or_none(usage.get("total_prompt_tokens")) or self.session.tokens.input,
            int_or_none(usage.get("total_completion_tokens")),
            int_or_none(usage.get("total_prompt_cached_tokens")),
        )
        self.session.cost_usd = cost_or_none(usage.get("total_cost"))

    def _action(
        self, place: str, action: object, result: dict[str, Any] | None, start: float | None, end: float | None
    ) -> None:
        named = {key: value for key, value in dict_of(action).items() if value is not None}
        if not named:
            self.log.add(place, "an action without a name; skipped")
            return
        name = next(iter(named))
        if len(named) > 1:
            self.log.add(place, "an action with several names; the first is taken")
        given = named[name]
        arguments = given if isinstance(given, dict) else {"value": given} if given != {} else {}
        self._count += 1
        call = ToolCall(f"action-{self._count}", name, arguments, start, batch=place, task_done=name == _DONE)
        session = self.session
        session.events.append(call)
        if result is None:
            return
        failed = bool(result.get("error"))
        session.events.append(ToolResult(call.id, _text(result), failed))
        if name == _DONE and result.get("is_done") is True:
            success = result.get("success")
            session.recorded_status = "done" if success is not False else "done without success"
            session.ending = Ending.SUBMITTED if success is not False else None
            self.say(str_or_none(dict_of(given).get("text")) or _text(result), end)


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else [value] if isinstance(value, dict) else []


def _text(result: dict[str, Any]) -> str:
    parts = [text for key in _SAID if (text := str_or_none(result.get(key)))]
    return "\n".join(dict.fromkeys(parts))


FORMAT = BrowserUse()
"""The object that the registry lists."""
