"""What histories of browser-use need beyond `browser_use.toml`: actions and their results side by side, and the totals.

An entry has the times at which its step began and ended; the model's time is in between, and the actions' isn't known.
"""

from __future__ import annotations

from typing import Any

from analyzer.formats.loading.interface import words_of
from analyzer.formats.loading.mapping.declared import declared
from analyzer.formats.loading.mapping.reader import RuleReader
from analyzer.formats.loading.mapping.rows import Row
from analyzer.formats.record.fields import dict_of, int_or_none, str_or_none
from analyzer.formats.record.usage import cost_or_none
from analyzer.formats.record.warnings import forms
from analyzer.model.session import Tokens, ToolCall, ToolResult
from analyzer.model.words import Ending

_SAID = ("extracted_content", "error", "long_term_memory")
_DONE = "done"
_RESULT = forms(words_of(__file__)["forms"])["result"]


class _Reader(RuleReader):
    _usage: dict[str, Any]

    def begin(self, row: Row) -> None:
        self._usage = dict_of(row.value.get("usage"))

    def close(self) -> None:
        super().close()
        usage = self._usage
        self.session.tokens = Tokens(
            int_or_none(usage.get("total_prompt_tokens")) or self.session.tokens.input,
            int_or_none(usage.get("total_completion_tokens")),
            int_or_none(usage.get("total_prompt_cached_tokens")),
        )
        self.session.cost_usd = cost_or_none(usage.get("total_cost"))

    def act(self, row: Row) -> None:
        """Read the actions of an entry, each with the result at its place."""
        entry, output = row.value, dict_of(row.value.get("model_output"))
        end = self.clock(dict_of(entry.get("metadata")).get("step_end_time"))
        self.answers += bool(output)
        results = _objects(entry.get("result"))
        for result in results:
            _RESULT.check(row.place, result, self.log)
        actions = output.get("action")
        actions = actions if isinstance(actions, list) else _objects(actions)
        for number, action in enumerate(actions):
            self._action(row.place, action, results[number] if number < len(results) else None, end)
        for result in results[len(actions) :]:
            # An answer of the model that couldn't be used has results without actions.
            self.note(_text(result), end)

    def _action(self, place: str, action: object, result: dict[str, Any] | None, end: float | None) -> None:
        named = {key: value for key, value in dict_of(action).items() if value is not None}
        if not named:
            self.log.add(place, "an action without a name; skipped")
            return
        if len(named) > 1:
            self.log.add(place, "an action with several names; the first is taken")
        name, given = next(iter(named.items()))
        arguments = given if isinstance(given, dict) else {"value": given} if given != {} else {}
        session, done = self.session, name == _DONE
        call = ToolCall(self.numbered("action-"), name, arguments, self.time, batch=place, task_done=done)
        session.events.append(call)
        if result is None:
            return
        session.events.append(ToolResult(call.id, _text(result), bool(result.get("error"))))
        if done and result.get("is_done") is True:
            succeeded = result.get("success") is not False
            session.recorded_status = "done" if succeeded else "done without success"
            session.ending = Ending.SUBMITTED if succeeded else None
            self.say(str_or_none(dict_of(given).get("text")) or _text(result), end)


def _objects(value: object) -> list[dict[str, Any]]:
    return [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, dict)]


def _text(result: dict[str, Any]) -> str:
    parts = [text for key in _SAID if (text := str_or_none(result.get(key)))]
    return "\n".join(dict.fromkeys(parts))


FORMAT = declared(__file__, _Reader)
