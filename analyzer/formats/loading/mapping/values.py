"""What a record of a mapped log says: its time, its result, and whether its call failed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analyzer.formats.loading.mapping.keys import value_at, word_of
from analyzer.formats.loading.mapping.rows import Row
from analyzer.formats.record.fields import arguments_of, float_or_none, int_or_none, parse_time, text_of
from analyzer.model.mapping import CallRule, LogRule, ResultRule


def around_or_own(row: Row, key: str | None) -> Any:
    """Return what stands under the key in the record, or in the nearest object around it that has it."""
    if key is None:
        return None
    found = (value_at(value, key) for value in (row.value, *row.around))
    return next((value for value in found if value is not None), None)


def time_of(row: Row, rule: LogRule) -> float | None:
    """Return the record's time."""
    return parse_time(around_or_own(row, rule.time))


def arguments(record: Mapping[str, Any], rule: CallRule) -> dict[str, Any] | str:
    """Return the arguments of a call."""
    if rule.command is not None and (command := value_at(record, rule.command)) is not None:
        return {"command": " ".join(map(text_of, command)) if isinstance(command, list) else text_of(command)}
    if isinstance(rule.arguments, tuple):
        named = {key.rpartition(".")[2]: value_at(record, key) for key in rule.arguments}
        return {key: value for key, value in named.items() if value is not None}
    given = value_at(record, rule.arguments) if rule.arguments is not None else None
    return {"arguments": given} if isinstance(given, list) else arguments_of(given)


def failed(record: Mapping[str, Any], rule: ResultRule) -> bool | None:
    """Return whether the call failed, as the record states it; None where it states nothing."""
    error = value_at(record, rule.error) if rule.error is not None else None
    if isinstance(error, bool):
        return error
    if isinstance(error, int | float):
        return error != 0
    if error:
        return True
    success = value_at(record, rule.success) if rule.success is not None else None
    if isinstance(success, bool):
        return not success
    word = word_of(value_at(record, rule.status)) if rule.status is not None else None
    if word is not None:
        folded = word.casefold()
        if folded in {entry.casefold() for entry in rule.failed}:
            return True
        if folded in {entry.casefold() for entry in rule.succeeded}:
            return False
    return None


def result_text(record: Mapping[str, Any], rule: ResultRule) -> str:
    """Return what came back, with the error below it where that is a text or an object of its own."""
    said = text_of(value_at(record, rule.text)) if rule.text is not None else ""
    error = value_at(record, rule.error) if rule.error is not None else None
    more = text_of(error) if isinstance(error, str | dict | list) and error else ""
    return "\n".join(part for part in (said, more if more not in said else "") if part)


def says_anything(record: Mapping[str, Any], rule: ResultRule) -> bool:
    """Whether the record holds a result, a status or an error at all."""
    keys = (rule.text, rule.error, rule.success, rule.status, rule.exit_code)
    return any(key is not None and value_at(record, key) is not None for key in keys)


def exit_code(record: Mapping[str, Any], rule: ResultRule) -> int | None:
    """Return the recorded exit code."""
    return int_or_none(value_at(record, rule.exit_code)) if rule.exit_code is not None else None


def duration(record: Mapping[str, Any], rule: ResultRule, start: float | None) -> float | None:
    """Return the recorded duration in seconds."""
    for key, unit in ((rule.seconds, 1.0), (rule.milliseconds, 1000.0)):
        span = float_or_none(value_at(record, key)) if key is not None else None
        if span is not None and span >= 0:
            return span / unit
    end = parse_time(value_at(record, rule.end)) if rule.end is not None else None
    return end - start if end is not None and start is not None and end >= start else None
