"""What a task expects of the agent, in the project's own form."""

from __future__ import annotations

from analyzer.formats.record.fields import dict_of, list_of, str_or_none
from analyzer.model.session import Expected, ExpectedAnswer, ExpectedCall


def expected_of(value: object) -> Expected | None:
    """The expected calls, words and answer under `calls`, `words` and `answer`; None where `value` is no object. What
    isn't a call with a tool, or no text, is left out."""
    if not isinstance(value, dict):
        return None
    about = dict_of(value.get("answer"))
    wanted = str_or_none(about.get("wanted"))
    answer = None
    if wanted is not None:
        answer = ExpectedAnswer(wanted, str_or_none(about.get("given")), str_or_none(about.get("why")))
    if answer is not None and "calls" not in value:
        return Expected(None, _names(value.get("words")) or (), answer)
    calls = (
        ExpectedCall(tool, dict_of(call.get("arguments")), _names(call.get("compared")))
        for call in map(dict_of, list_of(value.get("calls")))
        if (tool := str_or_none(call.get("tool")))
    )
    return Expected(tuple(calls), _names(value.get("words")) or (), answer)


def _names(value: object) -> tuple[str, ...] | None:
    return tuple(name for name in value if isinstance(name, str)) if isinstance(value, list) else None
