"""C and C++ at run time: the sanitizers' reports, failed assertions and exceptions that nobody caught."""

from __future__ import annotations

import re

from analyzer.failures.trace import RawFrame, Trace
from analyzer.text.expressions import compiled

LANGUAGE = "c"

_REPORT = compiled(
    r"^(?:==\d{1,9}==)?(?:ERROR|WARNING): (?P<sanitizer>\w{1,20}Sanitizer): (?P<what>[^\n]+)"
    r"|^(?P<file>[^\s:][^:\n]{0,400}):(?P<line>\d{1,9}):(?:\d{1,9}:)? runtime error: (?P<error>[^\n]+)"
    r"|^(?:[^\n:]{1,200}: )?(?P<asserted_in>[^\s:][^:\n]{0,400}):(?P<asserted_at>\d{1,9}): (?P<function>[^\n]"
    r"{1,300}?): Assertion [`'](?P<assertion>[^\n]{1,500})' failed\."
    r"|^Assertion failed: \((?P<mac_assertion>[^\n]{1,500}?)\), function (?P<mac_function>[^\n]{1,200}?), file "
    r"(?P<mac_file>[^\n]{1,400}?),(?: line)? (?P<mac_line>\d{1,9})\.?$"
    r"|^(?:terminate called after throwing an instance of '(?P<thrown>[^'\n]{1,200})'(?:\n  what\(\):  "
    r"(?P<says>[^\n]*))?"
    r"|libc\+\+abi: terminating (?:due to|with) uncaught exception of type (?P<mac_thrown>[^\n:]"
    r"{1,200}(?:::[^\n:]{1,200}){0,4})(?:: (?P<mac_says>[^\n]*))?)$",
    re.MULTILINE,
)
_CUT = compiled(r" on (?:unknown )?(?:address )?0x| \((?:pid|pc)\b|: memory ranges|:$")
_ACCESS = compiled(
    r"^(?:(?P<access>(?:READ|WRITE) of size \d{1,12})|==\d{1,9}==The signal is caused by a (?P<signal>READ|WRITE))",
    re.MULTILINE,
)
_FRAME = compiled(r"^[ ]{2,8}#\d{1,4} (?:0x[0-9a-f]{1,16} )?(?:in )?(?P<rest>[^\n]+)$", re.MULTILINE)
_BUILD_ID = compiled(r" \(BuildId: [^()\n]{1,80}\)$")
_MODULE = compiled(r" ?\((?P<file>[^()\n]{1,400})\+0x[0-9a-f]{1,16}\)$")
_PLACE = compiled(r" (?P<file>(?:[A-Za-z]:)?[^\s:]{1,400})(?::(?P<line>\d{1,9}))?(?::\d{1,9})?$")
_PLAIN_NAME = compiled(r"^[\w:~]{1,200}(?=\()")
_OUTSIDE = compiled(r"^(?:_start|__libc_start_\w+|__scrt_common_main\w*)$")
_INTERCEPTS = compiled(r"^(?:__interceptor_|__asan_|__sanitizer_|__ubsan_|__tsan_|operator new|operator delete)")
_RUNTIME = compiled(r"libsanitizer/|compiler-rt/")
_MOST_FRAMES = 200
_BEFORE_STACK = 12
"""Lines of a report that may stand above its first stack."""


def traces(text: str) -> list[Trace]:
    """Every report in the order printed. Further runtime errors at the place of the one before follow from it and are
    left out."""
    found: list[Trace] = []
    for head in _REPORT.finditer(text):
        trace = _read(text, head)
        if found and trace.type == found[-1].type == "runtime error" and _place(trace) == _place(found[-1]):
            continue
        found.append(trace)
    return found


def _place(trace: Trace) -> tuple[str, int | None]:
    return trace.frames[-1].file, trace.frames[-1].line


def _read(text: str, head: re.Match[str]) -> Trace:
    if head["sanitizer"]:
        return _sanitized(text, head)
    if head["error"]:
        frames, end = _stack(text, head.end() + 1, 0)
        own = RawFrame(head["file"], int(head["line"]))
        return Trace(frames or [own], "runtime error", head["error"].strip(), end if frames else head.end())
    if head["assertion"] or head["mac_assertion"]:
        file, line = head["asserted_in"] or head["mac_file"], head["asserted_at"] or head["mac_line"]
        function = named(head["function"] or head["mac_function"])
        condition = head["assertion"] or head["mac_assertion"]
        return Trace([RawFrame(file, int(line), function)], "Assertion", f"Assertion `{condition}' failed", head.end())
    return Trace([], head["thrown"] or head["mac_thrown"], (head["says"] or head["mac_says"] or "").strip(), head.end())


def _sanitized(text: str, head: re.Match[str]) -> Trace:
    what = _CUT.split(head["what"], maxsplit=1)[0].strip()
    position = head.end() + 1
    for _ in range(3):
        access = _ACCESS.match(text, position)
        if access:
            what += f": {access['access'] or access['signal'] + ' of a bad address'}"
            break
        position = text.find("\n", position) + 1
        if position == 0:
            break
    frames, end = _stack(text, head.end() + 1, _BEFORE_STACK)
    return Trace(frames, head["sanitizer"], what, end)


def _stack(text: str, position: int, before: int) -> tuple[list[RawFrame], int]:
    """The first stack within `before` lines of an offset: frames from the outermost call inwards, and where it ends."""
    frames: list[RawFrame] = []
    read = False
    for _ in range(_MOST_FRAMES):
        end = text.find("\n", position)
        end = len(text) if end < 0 else end
        line = _FRAME.match(text, position, end)
        if line is not None:
            read = True
            if (frame := _frame(line["rest"])) is not None:
                frames.append(frame)
        elif read or before <= 0:
            break
        before -= 1
        position = end + 1
        if position > len(text):
            break
    while frames and (_RUNTIME.search(frames[0].file) or _INTERCEPTS.match(frames[0].function or "")):
        frames = frames[1:]
    return frames[::-1], min(position, len(text))


def _frame(rest: str) -> RawFrame | None:
    rest = _BUILD_ID.sub("", rest)
    module = _MODULE.search(rest)
    if module:
        rest = rest[: module.start()]
    place = _PLACE.search(rest) if not module or "/" in rest or ":" in rest else None
    if place is not None and (place["line"] or "/" in place["file"]):
        function, file, line = rest[: place.start()], place["file"], int(place["line"]) if place["line"] else None
    elif module:
        function, file, line = rest, module["file"], None
    else:
        return None
    if _OUTSIDE.match(function) or function.startswith("<null>"):
        return None
    return RawFrame(file, line, named(function))


def named(signature: str) -> str:
    """A function's name without its parameters, where it can be recognised."""
    plain = _PLAIN_NAME.search(signature.rsplit(" ", 1)[-1] if "(" not in signature else _without_result(signature))
    return plain.group() if plain else signature


def _without_result(signature: str) -> str:
    head = signature.split("(", 1)[0]
    return signature[head.rfind(" ") + 1 :] if "operator" not in head and "<" not in head else signature
