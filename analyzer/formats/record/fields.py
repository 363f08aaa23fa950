"""Reading one field of a record whose JSON type nobody guarantees.

Every function here takes any JSON value and answers without raising: a value of the wrong type is None or empty.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from analyzer.text.names import name_set

_END_OF_CALENDAR = 253_402_300_800.0
"""Seconds from 1970 to the year 10000: what a datetime can't hold is no time."""
_EPOCH_DIGITS = 9
"""A text of at least this many digits is a count of seconds (or a finer unit); a shorter one may be a date."""
_LARGEST_INT = 2**63 - 1
_DECODER = json.JSONDecoder(strict=False)

IMAGE_BLOCKS = name_set("image image_url input_image output_image")
SILENT_BLOCKS = name_set("tool_use server_tool_use function_call redacted_thinking fallback")
SAYS = ("text", "content", "thinking", "output")
"""The keys of what a block says."""


def parse_time(value: object) -> float | None:
    """Seconds since 1970 from an ISO 8601 text or an epoch number in seconds, milliseconds, microseconds or
    nanoseconds.

    A text without a time zone is read as UTC (`is_naive` tells). Zero, negative values and what lies beyond the
    calendar stand for "not set" and are None.
    """
    if isinstance(value, str):
        text = value.strip()
        if text.replace(".", "", 1).isdecimal() and len(text.partition(".")[0]) >= _EPOCH_DIGITS:
            return _from_epoch(float(text))
        try:
            moment = datetime.fromisoformat(text)
            seconds = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
        except (ValueError, OverflowError):
            return None
        return seconds if 0 < seconds < _END_OF_CALENDAR else None
    number = float_or_none(value)
    return None if number is None else _from_epoch(number)


def is_naive(value: object) -> bool:
    """Whether the value is a time written without a time zone."""
    if not isinstance(value, str) or parse_time(value) is None:
        return False
    try:
        return datetime.fromisoformat(value.strip()).tzinfo is None
    except ValueError:
        return False


def _from_epoch(number: float) -> float | None:
    for limit, unit in ((1e17, 1e9), (1e14, 1e6), (1e11, 1e3)):
        if number >= limit:
            number /= unit
            break
    return number if 0 < number < _END_OF_CALENDAR else None


def text_of(content: object) -> str:
    """Flatten the text of a message's or result's content: a text, a list of blocks (one below the other), or one
    block.

    Of a block its `text`, `content`, `thinking` or `output` counts; an image becomes `[image]`; a tool call inside the
    content is no text. A block without any of these is shown as JSON, so that nothing is lost.
    """
    try:
        return _flatten(content)
    except RecursionError:
        return "[nested too deeply to be shown]"


def _flatten(content: object) -> str:
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(part for part in map(_flatten, content) if part)
    if not isinstance(content, dict):
        return json.dumps(content)
    kind = content.get("type")
    if isinstance(kind, str):
        if kind in IMAGE_BLOCKS:
            return "[image]"
        if kind in SILENT_BLOCKS:
            return ""
    for key in SAYS:
        if key in content:
            return _flatten(content[key])
    return json.dumps(content, ensure_ascii=False) if content else ""


def str_or_none(value: object) -> str | None:
    """Return the value when it is a text that isn't blank."""
    return value if isinstance(value, str) and value.strip() else None


def name_or_none(value: object) -> str | None:
    """Return an id, which is a text or a whole number, as a text."""
    number = int_or_none(value)
    return str_or_none(value) if number is None else str(number)


def first_of(record: Mapping[str, Any], *keys: str) -> Any:
    """Return what stands under the first of the keys that has anything."""
    return next((record[key] for key in keys if record.get(key) is not None), None)


def first_text(record: Mapping[str, Any], *keys: str) -> str | None:
    """Return the text under the first of the keys that has one."""
    return next((text for key in keys if (text := str_or_none(record.get(key))) is not None), None)


def first_count(record: Mapping[str, Any], *keys: str) -> int | None:
    """Return the whole number from 0 on under the first of the keys that has one."""
    return next((count for key in keys if (count := count_or_none(record.get(key))) is not None), None)


def first_int(record: Mapping[str, Any], *keys: str) -> int | None:
    """Return the whole number under the first of the keys that has one."""
    return next((number for key in keys if (number := int_or_none(record.get(key))) is not None), None)


def first_time(record: Mapping[str, Any], *keys: str) -> float | None:
    """Return the time under the first of the keys that has one."""
    return next((time for key in keys if (time := parse_time(record.get(key))) is not None), None)


def dict_of(value: object) -> dict[str, Any]:
    """Return the value when it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def list_of(value: object) -> list[Any]:
    """Return the value when it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def int_or_none(value: object) -> int | None:
    """Return the value when it is a whole number of a sensible size; truth values are no numbers."""
    number = float_or_none(value)
    if number is None or not number.is_integer() or abs(number) > _LARGEST_INT:
        return None
    return value if isinstance(value, int) else int(number)


def count_or_none(value: object) -> int | None:
    """Return the value when it is a whole number from 0 on."""
    number = int_or_none(value)
    return number if number is not None and number >= 0 else None


def float_or_none(value: object) -> float | None:
    """Return the value when it is a finite number; truth values are no numbers."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def bool_or_none(value: object) -> bool | None:
    """Return the value when it is true or false."""
    return value if isinstance(value, bool) else None


def json_or_none(text: str | bytes) -> Any:
    """Return the value of a JSON text; None for a text that isn't one, or is too deep."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def object_in(text: str, braces: int = 1) -> dict[str, Any]:
    """Return the first JSON object in a text that begins at one of its first braces; empty where there is none."""
    at = text.find("{")
    for _ in range(braces):
        if at < 0:
            break
        try:
            value, _end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, dict) and value:
            return value
        at = text.find("{", at + 1)
    return {}


def arguments_of(value: object) -> dict[str, Any] | str:
    """Return the arguments of a call: an object, or a JSON text of one or of such a text, as a dict; all else as text.

    Nothing at all (absent, null or blank) is an empty dict. Where every argument is a JSON text, and two or more are
    quoted ones, the arguments are what these hold.
    """
    if isinstance(value, dict):
        quoted = sum(isinstance(one, str) and one[:1] == one[-1:] == '"' != one for one in value.values())
        inner = (
            {name: json_or_none(one) if isinstance(one, str) else None for name, one in value.items()}
            if quoted > 1
            else {}
        )
        return inner if inner and None not in inner.values() else value
    if value is None:
        return {}
    if not isinstance(value, str):
        return text_of(value)
    if not value.strip():
        return {}
    parsed = json_or_none(value)
    parsed = json_or_none(parsed) if isinstance(parsed, str) else parsed
    return parsed if isinstance(parsed, dict) else value


def unused_name(wanted: str, taken: set[str]) -> str:
    """Return the name, with `-2`, `-3`, ... behind it where it's taken already, and take it: the sessions of a file
    have names of their own."""
    name, number = wanted, 1
    while name in taken:
        number += 1
        name = f"{wanted}-{number}"
    taken.add(name)
    return name
