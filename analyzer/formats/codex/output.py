"""What the outputs in Codex's records mean. Every version writes the exit code somewhere else, and none has an error
flag."""

from __future__ import annotations

from typing import Any

from analyzer.formats.loading.interface import expressions_of
from analyzer.formats.record.fields import dict_of, float_or_none, int_or_none, json_or_none, list_of, text_of
from analyzer.formats.record.prompts import mark_of
from analyzer.model.session import ToolResult
from analyzer.model.words import Mark

_SAYS = expressions_of(__file__)
_RESULT_KEYS = frozenset({"exit_code", "session_id", "wall_time_seconds"})


def output_of(value: object) -> ToolResult:
    """The result that an output of any version is, without its call: a text with a header, a text that is JSON, or a
    list of texts, all without what Codex writes around it. Its `handle` is the id of a process that had not ended."""
    if isinstance(value, dict):
        return _of_object(value)
    if isinstance(value, list):
        return _of_items(value)
    # Some programs of Windows print UTF-16, which is recorded with a zero after every letter.
    text = text_of(value).replace("\0", "")
    parsed = json_or_none(text) if text.startswith(('{"', "[{")) else None
    if isinstance(parsed, dict) and "output" in parsed and "metadata" in parsed:
        return _of_object(parsed)
    blocks = list(map(dict_of, list_of(parsed)))
    told = [isinstance(item.get("type"), str) and ("text" in item or "image_url" in item) for item in blocks]
    return _of_items(blocks) if told and all(told) else _of_text(text)


def _of_object(value: dict[str, Any]) -> ToolResult:
    text, about = text_of(value.get("output", value.get("content", value))), dict_of(value.get("metadata"))
    # Where the code stands beside the text, the text is the program's alone.
    output = _timed(ToolResult(None, text)) if about else _of_text(text)
    code, seconds = int_or_none(about.get("exit_code")), float_or_none(about.get("duration_seconds"))
    output.exit_code = code if code is not None else output.exit_code
    output.duration = seconds if seconds is not None and seconds >= 0 else output.duration
    if isinstance(value.get("success"), bool):
        output.is_error = not value["success"]
    return output


def _timed(output: ToolResult) -> ToolResult:
    output.mark = Mark.TIMEOUT if mark_of(output.text) is Mark.TIMEOUT else output.mark
    return output


def _of_items(items: list[Any]) -> ToolResult:
    """Read a list of texts, the first of which may say how the script went that printed the others."""
    texts = [text_of(item) for item in items]
    header = _SAYS["script"].match(texts[0]) if texts else None
    if header is None:
        return _of_text("\n".join(texts))
    printed = [texts[0][header.end() :], *texts[1:]]
    output = ToolResult(None, "", duration=float_or_none(float(header["seconds"])), handle=header["cell"])
    found = [_of_part(text) for text in printed if text.strip()]
    output.text = "\n".join(part.text for part in found if part.text)
    output.exit_code = _worst([part.exit_code for part in found])
    output.mark = next((part.mark for part in found if part.mark), None)
    if header["state"] == "failed":
        output.is_error = True
    if not output.text.strip() and header["state"] != "completed":
        output.text = f"Script {header['state']}"
    return output


def _of_part(text: str) -> ToolResult:
    """Read one thing that a script printed: what a command printed, or its whole result as Codex hands it over, or
    several."""
    parsed = json_or_none(text) if text.lstrip()[:1] in ("{", "[") else None
    found = [dict_of(item) for item in (parsed if isinstance(parsed, list) else [parsed])]
    found = [dict_of(item.get("value")) if item.get("status") == "fulfilled" else item for item in found]
    whole = [isinstance(item.get("output"), str) and not _RESULT_KEYS.isdisjoint(item) for item in found]
    if not whole or not all(whole):
        return _without_header(text) or ToolResult(None, text)
    code = _worst([int_or_none(item.get("exit_code")) for item in found])
    return ToolResult(None, "\n".join(item["output"] for item in found if item["output"]), exit_code=code)


def _worst(codes: list[int | None]) -> int | None:
    known = [code for code in codes if code is not None]
    return next(filter(None, known), 0) if known else None


def _of_text(text: str) -> ToolResult:
    if _SAYS["script"].match(text):
        return _of_items([text])
    if (output := _without_header(text)) is not None:
        return _timed(output)
    # What went wrong is distinguished from a text without a header, since that is how Codex says so.
    output = ToolResult(None, text, mark=mark_of(text))
    if denied := _SAYS["sandbox"].match(text):
        printed, _, complained = text[denied.end() :].rpartition(", stderr: ")
        output.text = "\n".join(part for part in (printed, complained) if part.strip())
        output.exit_code = _code(denied[1])
    output.is_error = True if output.mark is not None or _SAYS["errors"].match(text) else None
    return _timed(output)


def _without_header(text: str) -> ToolResult | None:
    header = _SAYS["header"].match(text)
    if header is None or text.startswith("Output:"):
        return None
    code = header["code"] or header["exited"]
    output = ToolResult(None, text[header.end() :], exit_code=_code(code) if code else None, handle=header["session"])
    output.duration = float_or_none(float(header["seconds"])) if header["seconds"] else None
    if output.handle and not output.text.strip():
        output.text = header["running"].strip()
    return output


def _code(digits: str) -> int | None:
    return int(digits) if len(digits) < 12 else None


def summary_of(value: object) -> str:
    """Return the text of a reasoning item's summary or content."""
    return "\n\n".join(text for item in list_of(value) if (text := text_of(item)).strip())
