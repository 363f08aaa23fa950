"""pytest's report: failing tests, counts, and the tracebacks in its long, short, line and native styles.

Where a text holds several runs, the last one counts: agents run the tests, change something and run them again in one
call.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from analyzer.failures.runners.pytest_trace import section_trace, typed
from analyzer.failures.traces import RawFrame, RunResult, StackTrace, python
from analyzer.text.late import Hints, late

NAME = "pytest"
LANGUAGE = "python"

_WORDS = r"(?:subtests )?(?:failed|passed|errors?|skipped|deselected|xfailed|xpassed|warnings?|rerun)"
_SUMMARY = late(
    rf"^=*[ ]?(?P<body>no tests ran|\d+ {_WORDS}(?:, \d+ {_WORDS})*) in [\d.:]+ ?(?:s|seconds?)?(?: \([^()\n]"
    rf"{{1,40}}\))? ?=*[ ]*$",
    re.MULTILINE,
)
_COUNT = late(r"(\d{1,9}) (failed|passed|errors?|skipped)")
_SHORT = late(r"^(?:FAILED|ERROR) (?P<path>[^\s\[]+)(?P<rest>(?:\[| - |$)[^\n]*)", re.MULTILINE)
_PROGRESS = late(r"^(?P<id>[^\s\[:]+\.py::[^\n]{1,300}?) (?:FAILED|ERROR)(?: +\[ *\d+%\])?$", re.MULTILINE)
_SECTION = late(r"^_{3,} (?P<name>(?!_)[^\n]*?) _{3,}$", re.MULTILINE)
_SECTION_OF = late(r"^ERROR (?:at (?:setup|teardown) of|collecting) ")
_HEADER = late(r"^=+ test session starts =+|^collected \d+ items?|^E   +(?!\[)\S", re.MULTILINE)
_REPORT_END = late(r"^=+ (?:short test summary|warnings summary)|^=+ [^\n]* in [\d.]+s", re.MULTILINE)
_INTERNAL = late(
    r"^(?:INTERNALERROR>|ImportError while loading conftest"
    r"|ERROR: (?P<usage>(?:file or directory not found|not found|found no collectors|Wrong expression)[^\n]*))",
    re.MULTILINE,
)
_SIGNS = (
    (_SUMMARY, Hints("passed", "failed", "error", "skipped", "warning", "no tests ran", "deselected", "rerun")),
    (_HEADER, Hints(" test session starts ", "collected ", "E   ")),
    (_INTERNAL, Hints("INTERNALERROR>", "ImportError while loading", "ERROR: ")),
)
"""How a report is known, each with texts of which one is in all that it finds."""
_LINE_STYLE = late(
    r"^(?P<file>[^\s:][^:\n]*\.py):(?P<line>\d{1,9}): (?P<error>(?:[A-Za-z_]\w*(?:\.\w+)*:|assert) [^\n]*)$",
    re.MULTILINE,
)


def recognises(text: str) -> bool:
    """Whether `text` holds a report of pytest."""
    return any(hints.any_within(text) and pattern.search(text) is not None for pattern, hints in _SIGNS)


def parse(text: str) -> RunResult:
    """The report of the last run in `text`; of one that was cut, what there is."""
    summaries = list(_SUMMARY.finditer(text))
    counts: dict[str, int] = {}
    if summaries:
        for number, word in _COUNT.findall(summaries[-1]["body"]):
            counts["errors" if word.startswith("error") else word] = int(number)
    run = text[summaries[-2].end() :] if len(summaries) > 1 else text
    shorts = list(_shorts(run))
    sections = _sections(run)
    internal = _INTERNAL.search(run)
    bad = bool(counts.get("failed") or counts.get("errors"))
    if bad and not shorts and not sections:
        run, shorts, sections = text, list(_shorts(text)), _sections(text)
    failing = [name for name, _ in shorts or sections] or [found["id"] for found in _PROGRESS.finditer(run)]
    failed = bad if counts else bool(failing or internal)
    if not failed:
        return RunResult(NAME, False, [], counts)
    message = next((why for _, why in shorts if why), "")
    traces = [trace for _, body in sections if (trace := section_trace(body)) is not None]
    traces = traces or _without_sections(run, internal, message)
    return RunResult(NAME, True, list(dict.fromkeys(failing)), counts, traces, message)


def _shorts(text: str) -> Iterator[tuple[str, str]]:
    """Ids and reasons of the closing list. The brackets of a parametrised id may hold anything, even ` - `."""
    for found in _SHORT.finditer(text):
        path, rest = found["path"], found["rest"]
        if not ("::" in path or "/" in path or ".py" in path):
            continue
        if rest.startswith("["):
            end = _closing(rest)
            path, rest = path + rest[:end], rest[end:]
        if not rest or rest.startswith(" - "):
            yield path, rest.removeprefix(" - ")


def _closing(rest: str) -> int:
    """Where the bracket that opens `rest` is closed: at a balanced end of the id, else at the first end that there
    is."""
    depth, first = 0, 0
    for position, character in enumerate(rest):
        if character == "[":
            depth += 1
        elif character == "]":
            depth -= 1
            if rest.startswith(" - ", position + 1) or position + 1 == len(rest):
                first = first or position + 1
                if depth <= 0:
                    return position + 1
    return first or len(rest)


def _sections(text: str) -> list[tuple[str, str]]:
    heads = list(_SECTION.finditer(text))
    bodies = []
    for position, head in enumerate(heads):
        name = _SECTION_OF.sub("", head["name"].strip())
        if name.startswith(("Captured", "coverage", "summary")):
            continue
        end = heads[position + 1].start() if position + 1 < len(heads) else len(text)
        stop = _REPORT_END.search(text, head.end(), end)
        bodies.append((name, text[head.end() : stop.start() if stop else end]))
    return bodies


def _without_sections(run: str, internal: re.Match[str] | None, message: str) -> list[StackTrace]:
    """Tracebacks of a report without sections: one line each, of pytest itself, or with the head cut off."""
    if internal and internal["usage"]:
        return [StackTrace([], "UsageError", internal["usage"])]
    if internal and internal.group().startswith("INTERNALERROR"):
        return python.traces(run.replace("INTERNALERROR> ", ""))
    lines = [
        StackTrace([RawFrame(found["file"], int(found["line"]))], *typed(found["error"]))
        for found in _LINE_STYLE.finditer(run)
    ]
    if lines:
        return lines
    stop = _REPORT_END.search(run)
    shown = section_trace(run[: stop.start()] if stop else run)
    if shown is not None and (shown.frames or shown.type):
        return [shown]
    return [StackTrace([], *typed(message))] if message else []
