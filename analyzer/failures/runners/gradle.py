"""Gradle's report of a test run: each failing test with its exception, short or in full, and the closing lines."""

from __future__ import annotations

import re

from analyzer.failures.trace import RawFrame, RunResult, Trace
from analyzer.failures.traces import jvm
from analyzer.text.expressions import compiled

NAME = "gradle"
LANGUAGE = "java"

_BUILD = compiled(r"^BUILD (?P<word>SUCCESSFUL|FAILED)(?: in [^\n]{1,40})?[ ]*$", re.MULTILINE)
_COUNTS = compiled(
    r"^(?P<run>\d{1,9}) tests? completed(?:, (?P<failed>\d{1,9}) failed)?(?:, (?P<skipped>\d{1,9}) skipped)?$",
    re.MULTILINE,
)
_TEST = compiled(r"^(?P<name>[^\s>:][^\n>]{0,300} > [^\n]{1,400}?) FAILED$", re.MULTILINE)
_SECTION = compiled(r"(?:\n(?:[ \t]+[^\n]*|(?=\n[ \t])))*")
_CAUSE = compiled(r"Caused by:\n[ \t]+")
_SHORT = compiled(
    r"^ +(?:Caused by: )?(?P<type>(?:\w+\.)*[A-Z][\w$]*) at (?P<file>[\w$-]+\.\w+):(?P<line>\d{1,9})$", re.MULTILINE
)
_REASON = compiled(r"^\* What went wrong:\n(?P<what>[^\n]+)(?:\n+[> ]+(?P<why>[^\n]+))?", re.MULTILINE)


def recognises(text: str) -> bool:
    """Whether `text` holds a report of Gradle."""
    return _BUILD.search(text) is not None or _COUNTS.search(text) is not None or _REASON.search(text) is not None


def parse(text: str) -> RunResult:
    """The report of the last build in `text`; of one that was cut, what there is."""
    builds = list(_BUILD.finditer(text))
    run = text[builds[-2].end() :] if len(builds) > 1 else text
    tests = list(_TEST.finditer(run))
    counts = _counts(run)
    failed = builds[-1]["word"] == "FAILED" if builds else bool(counts.get("failed") or tests or _REASON.search(run))
    if not failed and not counts.get("failed"):
        return RunResult(NAME, False, [], counts)
    if not tests and not counts.get("failed"):
        counts = {}
    reason = _REASON.search(run)
    message = (reason["why"] or reason["what"]).strip() if reason and not tests else ""
    traces = [trace for test in tests if (trace := _trace(run, test)) is not None]
    return RunResult(NAME, True, list(dict.fromkeys(test["name"] for test in tests)), counts, traces, message)


def _counts(run: str) -> dict[str, int]:
    found = list(_COUNTS.finditer(run))
    sums = {word: sum(int(entry[word] or 0) for entry in found) for word in ("run", "failed", "skipped")}
    passed = max(0, sums.pop("run") - sum(sums.values()))
    return {"passed": passed, **{word: number for word, number in sums.items() if number}} if found else {}


def _trace(run: str, test: re.Match[str]) -> Trace | None:
    """What made a test fail: the first cause of the exception that is printed below its name, moved in."""
    section = _SECTION.match(run, test.end())
    body = _CAUSE.sub("Caused by: ", section.group()) if section else ""
    whole = jvm.causes(body)
    if whole:
        return whole[0]
    short = list(_SHORT.finditer(body))
    if not short:
        return None
    owner = test["name"].split(" > ")[0]
    frames = []
    for entry in short:
        own = entry["file"].split(".")[0] == owner.rpartition(".")[2]
        function = f"{owner.rpartition('.')[2]}.{test['name'].split(' > ')[-1].split('(')[0]}" if own else None
        frames.append(
            RawFrame(jvm.source_path(owner, entry["file"]) if own else entry["file"], int(entry["line"]), function)
        )
    return Trace(frames, short[-1]["type"], "")
