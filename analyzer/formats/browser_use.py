"""What histories of browser-use need beyond `browser_use.toml`: actions and their results side by side, and the totals.

An entry has the times at which its step began and ended; the model's time is in between, and the actions' isn't known.
"""

from __future__ import annotations

from typing import Any

from analyzer.formats.loading.interface import words_of
from analyzer.formats.loading.mapping.declared import declared
from analyzer.formats.loading.mapping.reader import RuleReader
from analyzer.formats.loading.mapping.rows import Row
from analyzer.formats.loading.mapping.values import string_at, value_at
from analyzer.formats.record.fields import dict_of, int_or_none
from analyzer.formats.record.usage import cost_or_none
from analyzer.formats.record.warnings import forms
from analyzer.model.session import Tokens
from analyzer.model.words import Ending

_SAID = ("extracted_content", "error", "long_term_memory")
_RESULT = forms(words_of(__file__)["forms"])["result"]


class _Reader(RuleReader):
    _usage: dict[str, Any]

    def begin(self, row: Row) -> None:
        self._usage = dict_of(row.value.get("usage"))

    def close(self) -> None:
        super().close()
        kinds = ("prompt", "completion", "prompt_cached")
        sent, got, cached = (int_or_none(self._usage.get(f"total_{kind}_tokens")) for kind in kinds)
        self.session.tokens = Tokens(sent or self.session.tokens.input, got, cached)
        self.session.cost_usd = cost_or_none(self._usage.get("total_cost"))

    def act(self, row: Row) -> None:
        """Read the actions of an entry, each with the result at its place."""
        output, end = dict_of(row.value.get("model_output")), self.clock(value_at(row, "metadata.step_end_time"))
        self.answers += bool(output)
        results, actions = _objects(row.value.get("result")), output.get("action")
        for result in results:
            _RESULT.check(row.place, result, self.log)
        actions = actions if isinstance(actions, list) else _objects(actions)
        for number, action in enumerate(actions):
            self._action(row.place, dict_of(action), results[number] if number < len(results) else None, end)
        for result in results[len(actions) :]:
            # An answer of the model that couldn't be used has results without actions.
            self.note(_text(result), end)

    def _action(self, place: str, action: dict[str, Any], result: dict[str, Any] | None, end: float | None) -> None:
        named = [(key, value) for key, value in action.items() if value is not None]
        if len(named) != 1:
            several = "an action with several names; the first is taken"
            self.log.add(place, several if named else "an action without a name; skipped")
        for name, given in named[:1]:
            arguments = given if isinstance(given, dict) else {"value": given}
            call = self.call(place, self.numbered("action-"), name, arguments, self.time, batch=place)
            call.task_done = name == "done"
            if result is None:
                continue
            self.result(call.id, _text(result), bool(result.get("error")))
            if call.task_done and result.get("is_done") is True:
                succeeded = result.get("success") is not False
                self.ended("done" if succeeded else "done without success", Ending.SUBMITTED if succeeded else None)
                self.say(string_at(given, "text") or _text(result), end)


def _objects(value: object) -> list[dict[str, Any]]:
    return [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, dict)]


def _text(result: dict[str, Any]) -> str:
    return "\n".join(dict.fromkeys(text for key in _SAID if (text := string_at(result, key))))


FORMAT = declared(__file__, _Reader)
