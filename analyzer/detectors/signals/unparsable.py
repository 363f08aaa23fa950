"""Files that the agent wrote and that can't be parsed as what their names say they are."""

from __future__ import annotations

import ast
import json
import warnings

from analyzer.model.difference import ChangeKind
from analyzer.text.late import late
from analyzer.timeline.delivery import Delivery

_LONGEST = 200_000
_SURE = late(
    r"was never closed|^unmatched |unterminated (?:string|triple)|unexpected indent|expected an indented block"
    r"|unindent does not match|does not match opening parenthesis"
)
"""What is wrong in every version of Python."""
_RELAXED = late(r"(?:^|/)(?:tsconfig[\w.-]*|jsconfig|settings|launch|tasks|devcontainer|\.[\w-]+rc)\.?(?:json)?$")
"""Files called JSON that may have comments."""


def unparsable(delivery: Delivery) -> tuple[str, str] | None:
    """The first file that the agent made, that is left, and whose text as the session shows it can't be parsed, with
    what is wrong."""
    for change in delivery.files:
        if change.kind is not ChangeKind.CREATED:
            continue
        text = delivery.text(change.file)
        if text is None or not text.strip() or len(text) > _LONGEST:
            continue
        wrong = _python(text) if change.file.endswith(".py") else None
        if change.file.endswith(".json") and _RELAXED.search(change.file) is None:
            wrong = _json(text)
        if wrong is not None:
            return change.file, wrong
    return None


def _python(text: str) -> str | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except SyntaxError as error:
        message = error.msg or ""
        return f"line {error.lineno}: {message}" if _SURE.search(message) is not None else None
    except (ValueError, MemoryError, RecursionError):
        return None
    return None


def _json(text: str) -> str | None:
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return f"line {error.lineno}: {error.msg}" if "//" not in text and "{{" not in text else None
    except RecursionError:
        return None
    return None
