"""JSON, as fast as it can be had and as tolerant as it has to be. The only place that imports msgspec.

msgspec decodes two to three times as fast as the standard library and refuses what JSON doesn't allow. Transcripts hold
such things all the same: `NaN`, lone surrogates, control characters in strings. What msgspec refuses the standard
library is asked to read.
"""

from __future__ import annotations

import json
from typing import Any

import msgspec

from analyzer.text.late import late

_DECODER = msgspec.json.Decoder()
_ENCODER = msgspec.json.Encoder()
_TOLERANT = json.JSONDecoder(strict=False)
_BETWEEN = late(r"(?:\s|,|\\[nr])*")


class NotJson(ValueError):
    """The text is no JSON value. `str()` says where and why; `deep` is True when it's merely nested too deeply to be
    read."""

    def __init__(self, why: str, *, deep: bool = False) -> None:
        self.deep = deep
        super().__init__(why)


def unpack(data: bytes) -> Any:
    """The value of MessagePack bytes. Objects of Python, which some write as extensions, are what they were made of.
    Raises `NotJson`."""
    try:
        return msgspec.msgpack.decode(data, ext_hook=_made_of, strict=False)
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError, TypeError, RecursionError) as error:
        raise NotJson(str(error)) from None


def _made_of(_code: int, data: memoryview) -> Any:
    """What an extension holds: of a module, a class and its arguments the arguments."""
    try:
        held = msgspec.msgpack.decode(bytes(data), ext_hook=_made_of, strict=False)
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError, TypeError):
        return None
    named = isinstance(held, list) and len(held) >= 3 and isinstance(held[0], str) and isinstance(held[1], str)
    return held[2] if named else held


def loads(data: bytes) -> Any:
    """The value of a JSON text in UTF-8. Raises `NotJson`."""
    try:
        return _DECODER.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError, RecursionError):
        pass
    try:
        return _TOLERANT.decode(data.decode("utf-8", "replace"))
    except RecursionError:
        raise NotJson("nested too deeply to be read", deep=True) from None
    except ValueError as error:
        raise NotJson(str(error)) from None


def loads_or(data: bytes, otherwise: Any = None) -> Any:
    """The value of a JSON text in UTF-8; `otherwise` for a text that is none."""
    try:
        return loads(data)
    except NotJson:
        return otherwise


def sequence(text: str) -> tuple[list[Any], int]:
    """The values that a text holds one after another, with blanks, commas or a written-out line break between them, and
    where what follows them begins."""
    values, end = list[Any](), 0
    while (between := _BETWEEN.match(text, end)) is not None and (end := between.end()) < len(text):
        try:
            value, end = _TOLERANT.raw_decode(text, end)
        except (ValueError, RecursionError):
            break
        values.append(value)
    return values, end


def dumps(value: Any) -> bytes:
    """The JSON text of a value that `loads` gave, on one line."""
    try:
        return _ENCODER.encode(value)
    except (msgspec.MsgspecError, UnicodeEncodeError, OverflowError, ValueError, TypeError):
        return json.dumps(value).encode()
