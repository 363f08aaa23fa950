"""C and C++ as gcc, clang, MSVC and the linkers report them: the first error, with what led to it."""

from __future__ import annotations

import re

from analyzer.failures.compilers.diagnostic import COMPILED, Diagnostics, summed
from analyzer.failures.trace import RawFrame, Trace
from analyzer.failures.traces.sanitizers import named
from analyzer.text.expressions import compiled

NAME = "c"
LANGUAGE = "c"
KIND = COMPILED

_EXTENSION = r"\.(?:c|cc|cp|cpp|cxx|c\+\+|C|h|hh|hpp|hxx|h\+\+|H|inl|ipp|tpp|tcc|inc|def|m|mm|cu|cuh|s|S|y|l|ino|pyx)"
_FILE = rf"(?:[A-Za-z]:)?(?:[^\s:][^:\n]{{0,400}}{_EXTENSION}|/[^:\n]{{1,300}}/(?:include|c\+\+)/[^:\n]{{1,200}})"
_ERROR = compiled(
    rf"^(?P<file>{_FILE}):(?P<line>\d{{1,9}}):(?:\d{{1,9}}:)? (?:fatal )?error: (?P<message>[^\n]+)$"
    rf"|^[ ]{{0,8}}(?:\d{{1,4}}>)?(?P<ms_file>[^\s(:][^(:\n]{{0,300}}{_EXTENSION})\((?P<ms_line>\d{{1,9}})"
    rf"(?:,\d{{1,9}})?\) ?: (?:fatal )?error (?P<ms_message>[A-Z]{{1,4}}\d{{3,5}}: [^\n]+)$"
    r"|^(?:[^\s:]{0,200}ld(?:\.\w+)?(?:\.exe)?: )?(?:[^\s:]{1,300}\.(?:o|a|so)(?:\([^()\n]{1,100}\))?: ?)"
    r"?(?P<link_file>[^\s:]{1,300}):(?:(?P<link_line>\d{1,9})|\([^()\n]{1,200}\)): (?P<link_message>(?:undefined "
    r"reference to|multiple definition of) [^\n;]+)"
    r"|^[^\s:]{0,200}ld(?:\.\w+)?(?:\.exe)?: (?:error: )?(?P<ld_message>undefined symbol: [^\n]+|cannot find [^\n]+)$"
    r"|^Undefined symbols for architecture \w{1,20}:\n +\"(?P<mac_symbol>[^\"\n]{1,300})\", referenced from:$",
    re.MULTILINE,
)
_WARNING = compiled(rf"^{_FILE}:\d{{1,9}}:(?:\d{{1,9}}:)? warning: [^\n]+$", re.MULTILINE)
_SUMMARY = compiled(r"^(?:(?P<warnings>\d{1,6}) warnings? and )?(?P<errors>\d{1,6}) errors? generated\.$", re.MULTILINE)
_INSIDE = compiled(
    (
        r"^(?P<file>[^\n]{0,400}?):? [Ii]n (?:\w+ ){0,4}?(?:function|constructor|destructor|method|instantiation of"
        r"|substitution of) [‘'`](?P<signature>[^\n]{1,600})[’']:$"
    ),
    re.MULTILINE,
)
_REQUIRED = compiled(
    r"^(?P<file>[^\s:][^:\n]{0,400}):(?P<line>\d{1,9}):(?:\d{1,9}:)? {2,4}(?:recursively )?required (?:from|by) "
    r"(?:here|[‘'`](?P<signature>[^\n]{1,600})[’'])$"
)
_REQUESTED = compiled(
    r"^(?P<file>[^\s:][^:\n]{0,400}):(?P<line>\d{1,9}):\d{1,9}: note: (?:in instantiation of [^\n]"
    r"{1,600}requested here|expanded from macro [^\n]{1,200})$"
)
_NEXT = compiled(r"^[^\s:][^:\n]{0,400}:\d{1,9}:\d{1,9}: (?:fatal error|error|warning): ")
_SHOWN = compiled(r"^ {0,6}\d{1,9} \| ?(?P<code>[^\n]*)$")
_CARETS = compiled(r"^ *[~^][~^ ]*$")
_MOST_ABOVE = 4_000
_MOST_LINES = 40


def read(text: str) -> Diagnostics | None:
    """The first error as a trace, from which later ones often follow, and how many there are. Its frames are the places
    that required the code at fault (templates), then the place itself."""
    errors = list(_ERROR.finditer(text))
    if not errors:
        return None
    warnings = len(set(_WARNING.findall(text)))
    counts = summed(text, _SUMMARY) or {"errors": len({error.group() for error in errors}), "warnings": warnings}
    return Diagnostics(NAME, _trace(text, errors[0]), {name: number for name, number in counts.items() if number})


def _trace(text: str, error: re.Match[str]) -> Trace:
    if error["file"]:
        return _diagnosed(text, error)
    if error["ms_file"]:
        return Trace(
            [RawFrame(error["ms_file"], int(error["ms_line"]))], "CompileError", error["ms_message"], error.end()
        )
    if error["link_file"]:
        line = int(error["link_line"]) if error["link_line"] else None
        frame = RawFrame(error["link_file"], line, _inside(text, error.start()))
        return Trace([frame], "CompileError", error["link_message"].strip(), error.end())
    return Trace([], "CompileError", error["ld_message"] or f"undefined symbol: {error['mac_symbol']}", error.end())


def _diagnosed(text: str, error: re.Match[str]) -> Trace:
    above = text[max(0, error.start() - _MOST_ABOVE) : error.start()].splitlines()
    required = []
    for line in reversed(above):
        if (found := _REQUIRED.match(line)) is None:
            break
        required.append(
            RawFrame(found["file"], int(found["line"]), named(found["signature"]) if found["signature"] else None)
        )
    below = text[error.end() + 1 : error.end() + _MOST_ABOVE].splitlines()[:_MOST_LINES]
    requested = []
    for line in below:
        if _NEXT.match(line):
            break
        if found := _REQUESTED.match(line):
            requested.append(RawFrame(found["file"], int(found["line"])))
    own = RawFrame(
        error["file"].removeprefix("./"), int(error["line"]), _inside(text, error.start(), error["file"]), _code(below)
    )
    return Trace([*(required or requested[::-1]), own], "CompileError", error["message"].strip(), error.end())


def _code(below: list[str]) -> str | None:
    """The source line that is shown below an error."""
    if not below:
        return None
    if shown := _SHOWN.match(below[0]):
        return shown["code"].strip()
    return below[0].strip() if len(below) > 1 and _CARETS.match(below[1]) else None


def _inside(text: str, position: int, file: str | None = None) -> str | None:
    """The function that the nearest heading above names; a heading of another file says nothing."""
    headings = list(_INSIDE.finditer(text, max(0, position - _MOST_ABOVE), position))
    heading = headings[-1] if headings else None
    if heading is None or (file is not None and heading["file"] != file):
        return None
    return named(heading["signature"])
