"""Reports as JSON: the output contract."""

from __future__ import annotations

import json

from pydantic import BaseModel


def render(report: BaseModel) -> str:
    """The report as indented JSON in the order of the contract, ending in a newline. Characters that no UTF-8 file can
    hold (lone surrogates from a transcript's escapes) are written as escapes."""
    text = json.dumps(report.model_dump(mode="json"), ensure_ascii=False, indent=2)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        text = json.dumps(report.model_dump(mode="json"), ensure_ascii=True, indent=2)
    return text + "\n"
