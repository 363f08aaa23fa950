"""What came back for a function call of the Gemini API, as Gemini CLI and those that grew out of it record it."""

from __future__ import annotations

import json
import re

from analyzer.formats.record.fields import dict_of, text_of
from analyzer.model.session import ToolResult
from analyzer.model.words import Mark
from analyzer.text.late import late

_SHELL = "run_shell_command"
_FRONT = late(r"\A(?:Command: .*?\nDirectory: [^\n]*\n)?(?:Stdout|Output): ", re.DOTALL)
_BACK = late(
    r"(?:\nError: [^\n]*)?(?:\nExit Code: (?P<code>[^\n]*))?(?:\nSignal: [^\n]*)?(?:\nBackground PIDs: [^\n]*)"
    r"?(?:\nProcess Group PGID: [^\n]*)?\Z"
)
_NOTHING = frozenset({"(empty)", "(none)"})
_DENIED = ("did not allow", "denied by policy", "rejected")


def result_of(call_id: str, tool: str | None, status: object, text: str, error: bool) -> ToolResult:
    """The result of a call that ended with this status; `error` says that it came back as an error."""
    result = ToolResult(call_id, text, is_error=status != "success")
    if status == "cancelled":
        result.mark = Mark.DENIED if any(words in text.lower() for words in _DENIED) else Mark.INTERRUPTED
    elif tool == _SHELL and not error:
        result.text, result.exit_code = _of_shell(text)
    return result


def response_of(result: object) -> tuple[str, bool]:
    """Return what came back for a call, and whether it came back as an error."""
    texts, failed = list[str](), False
    for part in result if isinstance(result, list) else [result]:
        answer = dict_of(part).get("functionResponse")
        if not isinstance(answer, dict):
            texts.append(text_of(part))
            continue
        response = answer.get("response")
        given = dict_of(response)
        failed = failed or "error" in given
        key = next((key for key in ("error", "output") if key in given), None)
        if key:
            texts.append(text_of(given[key]))
        else:
            texts.append(json.dumps(given, ensure_ascii=False) if given else text_of(response))
    return "\n".join(filter(None, texts)), failed


def _of_shell(text: str) -> tuple[str, int | None]:
    """Return what a command printed, without the process ids that differ each time, and its exit code where it is
    given."""
    text = text.rstrip()
    front, back = _FRONT.match(text), _BACK.search(text)
    if front is None or back is None or back.start() < front.end():
        return text, None
    printed = text[front.end() : back.start()]
    code = re.match(r"\d{1,10}|-\d{1,10}", back["code"] or "")
    return ("" if printed in _NOTHING else printed), int(code[0]) if code is not None else None
