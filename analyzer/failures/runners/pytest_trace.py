"""One section of pytest's report: the traceback of one failing test.

The `E` lines say what was raised, `file:line:` lines where, `>` lines show the code.
"""

from __future__ import annotations

import re

from analyzer.failures.traces import RawFrame, StackTrace, python
from analyzer.text.late import late

_PLACE = late(
    r"^(?P<file>(?:[A-Za-z]:)?[^\s:>][^:\n]*\.\w+):(?P<line>\d{1,9}): ?(?:in (?P<function>[^\n]+)"
    r"|(?P<error>[A-Za-z_][\w.]*))?[ ]*$"
)
_FIXTURE_PLACE = late(r"^file (?P<file>[^\n]+), line (?P<line>\d{1,9})$", re.MULTILINE)
_ERROR_LINE = late(r"^E(?:   (?P<text>(?!.*\[ *\d+%\]$).*)|[ ]*)$")
_TYPED = late(r"^(?P<type>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)(?:: (?P<message>.*)|:?)$")
_DEFINITION = late(r"^    (?:async )?def (\w+)\(")
_CHAINED = ("During handling of the above exception", "The above exception was the direct cause")
_LONGEST_CONDITION = 200


def section_trace(body: str) -> StackTrace | None:
    """The traceback in a section's text; of a chain of exceptions the one that was raised last."""
    frames: list[RawFrame] = []
    block: list[str] = []
    name: str | None = None
    code: str | None = None
    guard: str | None = None
    function: str | None = None
    after_block = False
    lines = body.splitlines()
    for position, line in enumerate(lines):
        error = _ERROR_LINE.match(line) if line.startswith("E") else None
        if error:
            block = [*([] if after_block else block), error["text"] or ""]
            after_block = False
            continue
        after_block = bool(block)
        if line.startswith(_CHAINED):
            frames, block, name, code, guard, function = [], [], None, None, None, None
        elif line.startswith(">"):
            code, guard = _statement(lines, position), _guard(lines, position)
        elif line.startswith("    ") and (definition := _DEFINITION.match(line)):
            function = definition[1]
        elif ":" in line and (place := _PLACE.match(line)):
            shown, below = code, lines[position + 1] if position + 1 < len(lines) else ""
            if shown is None and place["function"] and below.startswith("    "):
                shown = below.strip()
            frames.append(RawFrame(place["file"], int(place["line"]), place["function"] or function, shown, guard))
            name = place["error"] or name
            code, guard, function = None, None, None
    if not frames and not block:
        native = python.traces(body)
        return native[-1] if native else None
    if not frames and (found := _FIXTURE_PLACE.search(body)):
        frames.append(RawFrame(found["file"], int(found["line"])))
    return StackTrace(frames, *_error(block, name))


def typed(text: str) -> tuple[str, str]:
    """Type and message of an error as pytest writes it on one line; a bare `assert` is an AssertionError."""
    found = _TYPED.match(text)
    if found is None or text.startswith("assert "):
        return "AssertionError", text
    return found["type"], (found["message"] or "").strip()


def _error(block: list[str], name: str | None) -> tuple[str | None, str]:
    """Type and message of the `E` lines; `name` is the class that the place line tells, which is never a guess."""
    lines = [line for line in block if line.strip()]
    least = min((len(line) - len(line.lstrip()) for line in lines), default=0)
    heads = [line.strip() for line in lines if len(line) - len(line.lstrip()) == least]  # none is indented further
    if not heads:
        return name, ""
    for head in heads:
        kind, message = typed(head)
        if name is None or kind.rsplit(".", 1)[-1] == name.rsplit(".", 1)[-1]:
            if name is None and head.startswith("fixture '"):
                return "FixtureLookupError", head
            return kind, message
    return name, heads[0]


def _statement(lines: list[str], position: int) -> str:
    """The statement marked with `>`, with the lines that continue it (pytest indents all of them alike)."""
    parts = [lines[position][1:].strip()]
    depth = _depth(parts[0])
    for line in lines[position + 1 : position + 12]:
        if depth <= 0 or line.startswith("E ") or not line.strip():
            break
        parts.append(line.lstrip(">").strip())
        depth += _depth(line)
    return " ".join(parts)


def _guard(lines: list[str], position: int) -> str | None:
    """The condition that leads to a marked `raise`: the nearest `if` above it that is indented less."""
    marked = lines[position].replace(">", " ", 1)
    if not marked.strip().startswith("raise"):
        return None
    indent = len(marked) - len(marked.lstrip())
    above = lines[max(0, position - 12) : position]
    for number in range(len(above) - 1, -1, -1):
        line = above[number]
        if line.strip() and len(line) - len(line.lstrip()) < indent:
            condition = line.strip().rstrip(":")
            return _with_meaning(condition, above[:number]) if condition.startswith(("if ", "elif ")) else None
    return None


def _with_meaning(condition: str, above: list[str]) -> str:
    """The condition, with what its last plain name stands for if a line above says so: `if n < needed, needed = 2 *
    k`."""
    if len(condition) > _LONGEST_CONDITION:
        return condition
    for name in reversed(re.findall(r"(?<![\w.])[a-z_]\w*(?![\w.(])", condition)):
        made = next((line.strip() for line in reversed(above) if re.match(rf"\s*{name} = [^=]", line)), None)
        if made and len(made) < 100:
            return f"{condition}, {made}"
    return condition


def _depth(text: str) -> int:
    return sum(text.count(mark) for mark in "([{") - sum(text.count(mark) for mark in ")]}")
