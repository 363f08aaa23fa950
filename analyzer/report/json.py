"""Reports as JSON: the output contract."""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel


def render(report: BaseModel) -> str:
    """The report as indented JSON in the order of the contract, ending in a newline."""
    return dump(report.model_dump(mode="json"), indent=2)


def dump(value: Any, indent: int | None = None) -> str:
    """The value as JSON, ending in a newline. Characters that no UTF-8 file can hold (lone surrogates from a
    transcript's escapes) are written as escapes."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        text = json.dumps(value, indent=indent)
    return text + "\n"
