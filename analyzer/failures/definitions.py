"""Where test code makes what one of its lines passes: the helper, constant or data file behind a name."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence

from analyzer.failures.passed_value import has_literal
from analyzer.failures.roles import same_file
from analyzer.model.failure import CodeLine
from analyzer.text.late import late

_NAME = late(r"(?<![\w.'\"$@:])[A-Za-z_$][\w$]*")
_QUOTED = late(r"'[^'\n]*'|\"[^\"\n]*\"")
_COMPARED = late(r"\s(?:===?|!==?|is)\s|\)\.(?:to|not|should)\b|\)\.to(?:Be|Equal|Have|Match|Throw|Contain|Strict)")
"""Where the call that a test judges ends and what it's held against begins."""
_ASSERTED = late(r"^\s*(?:self\.|\$this->|Assert\w*\.)?(?:assert|expect)\w*!?(?:\.\w+)?(?P<open>[ (]*)", re.IGNORECASE)
_DATA = late(r"""['"`](?P<file>[\w./-]{0,200}\w\.(?:json|jsonl|ya?ml|toml|csv|tsv|txt|xml|ini|geojson|sql))['"`]""")
_ASSIGNS = r"(?:^|[\s;(])[$@]?{name}\s*(?::[^=\n]{{1,60}})?:?=(?!=)"
_DEFINES = r"\b(?:def|fn|func|fun|function)\s+(?:self\.)?{name}\b"
_FUNCTION = late(r"\b(?:def|fn|func|fun|function)\s+\w+")
_MOST_NAMES = 12
_MOST_LINES = 4_000


def passed(line: str) -> str:
    """The part of a test's line that makes the call, without what its result is held against."""
    asserted = _ASSERTED.match(line)
    if asserted is not None:
        line = line[asserted.end() :]
    found = _COMPARED.search(line)
    if found is not None:
        line = line[: found.start()]
    if asserted is None or "(" not in asserted["open"]:
        return line
    return next((part for part in _arguments(line) if "(" in part), line)


def _arguments(text: str) -> list[str]:
    """The arguments of a call whose parenthesis is open."""
    depth, found = 0, [""]
    for sign in _QUOTED.sub(lambda quoted: "_" * len(quoted[0]), text):
        depth += (sign in "([{") - (sign in ")]}")
        if depth < 0:
            break
        if sign == "," and depth == 0:
            found.append("")
        else:
            found[-1] += sign
    starts = [sum(len(part) + 1 for part in found[:number]) for number in range(len(found))]
    return [text[start : start + len(part)] for start, part in zip(starts, found, strict=True)]


def made_by(line: str, file: str, known: Sequence[CodeLine]) -> CodeLine | None:
    """The line of known test code, in another file, that makes what `line` of `file` passes: of a name on it, the
    definition that holds a literal or the helper, or the data file that is loaded into it. None where the line itself
    passes a literal, or nothing shown defines its names."""
    call = passed(line)
    if has_literal(call) or not known:
        return None
    helper: CodeLine | None = None
    for name in list(dict.fromkeys(_NAME.findall(_QUOTED.sub("", call))))[:_MOST_NAMES]:
        assigns, defines = (form.format(name=re.escape(name)) for form in (_ASSIGNS, _DEFINES))
        for entry in known[:_MOST_LINES]:
            if name not in entry.text or entry.text == line:
                continue
            if re.search(assigns, entry.text) is not None:
                data = _DATA.search(entry.text)
                if data is not None:
                    return CodeLine(_beside(data["file"], entry.file), None, "", entry.shown_at)
                elsewhere = not same_file(entry.file, file)
                if elsewhere and (any(sign in entry.text for sign in "{[") or has_literal(entry.text)):
                    return entry
            elif helper is None and not same_file(entry.file, file) and re.search(defines, entry.text) is not None:
                helper = entry
    return helper


def _beside(name: str, file: str) -> str:
    """The path of a file that is named relative to another one."""
    if not name.startswith((".", "./")):
        return name
    return posixpath.normpath(posixpath.join(posixpath.dirname(file), name))


def passes_on(line: str, file: str, number: int | None, known: Sequence[CodeLine]) -> bool:
    """Whether a line passes nothing but parameters, without a default, of the function around it, as far as its
    definition was shown."""
    call = passed(line)
    arguments = _NAME.findall(call.partition("(")[2])
    if not arguments or number is None or has_literal(call):
        return False
    above = [entry for entry in known if entry.line is not None and entry.line < number and same_file(entry.file, file)]
    around = next((entry.text for entry in reversed(above) if _FUNCTION.search(entry.text) is not None), "")
    parameters = around.partition("(")[2]
    return all(re.search(rf"\b{re.escape(name)}\b(?![^,()]*=)", parameters) is not None for name in arguments)
