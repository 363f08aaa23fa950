"""PHPUnit's report: numbered sections of a test's name, the message and the places, then the counts."""

from __future__ import annotations

import re

from analyzer.failures.trace import RawFrame, RunResult, Trace
from analyzer.failures.traces import php
from analyzer.text.expressions import compiled

NAME = "phpunit"
LANGUAGE = "php"

_OK = compiled(r"^OK \((?P<all>\d{1,9}) tests?, |^OK, but ", re.MULTILINE)
_BAD = compiled(r"^(?:FAILURES|ERRORS)!$", re.MULTILINE)
_TITLE = compiled(r"^PHPUnit \d+[\w.-]* by ", re.MULTILINE)
_TOTAL = compiled(r"^Tests: (?P<all>\d{1,9}), Assertions: \d{1,9}(?P<rest>[^\n]{0,200})\.$", re.MULTILINE)
_COUNT = compiled(r"(Failures|Errors|Skipped|Incomplete|Risky): (\d{1,9})")
_LIST = compiled(r"^There (?:was|were) \d{1,9} (?P<what>failures?|errors?|[\w ]{3,60}):?$", re.MULTILINE)
_HEAD = compiled(r"^\d{1,6}\) (?P<name>\S+::\S+(?: with data set [^\n]{1,200})?)$", re.MULTILINE)
_PLACE = compiled(r"^(?P<file>(?:[A-Za-z]:)?[^\s:][^:\n]{0,300}\.\w{1,8}):(?P<line>\d{1,9})$")
_PLACED = compiled(r"^(?:/|\w:)[^\n:]{1,300}\.php\w?:\d{1,9}$", re.MULTILINE)
_TYPED = compiled(r"^(?P<type>\\?(?:\w+\\)*\w*(?:Exception|Error|Throwable)\w*): ?(?P<message>.*)$")
_END = compiled(r"^(?:--|(?:FAILURES|ERRORS|WARNINGS)!|OK\b.*|Tests: \d+.*)$", re.MULTILINE)
_WORDS = {"Failures": "failed", "Errors": "errors", "Skipped": "skipped"}
_MOST_LINES = 1_000


def recognises(text: str) -> bool:
    """Whether `text` holds a report of PHPUnit, even one whose end was cut."""
    return any(mark.search(text) for mark in (_OK, _BAD, _TITLE, _TOTAL)) or (
        "Failed asserting" in text and _PLACED.search(text) is not None
    )


def parse(text: str) -> RunResult:
    """The report of the last run in `text`. A run that a fatal error ended has no counts."""
    counts: dict[str, int] = {}
    totals = list(_TOTAL.finditer(text))
    run = text[totals[-2].end() :] if len(totals) > 1 else text
    if totals:
        rest = {word: int(number) for word, number in _COUNT.findall(totals[-1]["rest"])}
        counts = {name: rest[word] for word, name in _WORDS.items() if word in rest}
        counts["passed"] = max(0, int(totals[-1]["all"]) - sum(rest.values()))
    elif (passed := _OK.search(text)) and passed["all"]:
        counts = {"passed": int(passed["all"])}
    sections = _sections(run)
    if not (sections or totals) and (cut := run.find("Failed asserting")) >= 0:
        sections = [("", _trace(run[run.rfind("\n", 0, cut) + 1 :], ""))]
    ended = not totals and _OK.search(run) is None
    failed = (
        bool(counts.get("failed") or counts.get("errors")) or _BAD.search(run) is not None or (ended and bool(sections))
    )
    fatal = php.traces(run) if ended and not failed else []
    if not failed and not fatal:
        return RunResult(NAME, False, [], counts)
    traces = [trace for _, trace in sections if trace is not None] + fatal
    return RunResult(
        NAME,
        True,
        list(dict.fromkeys(name for name, _ in sections if name)),
        counts,
        traces,
        traces[0].message if traces else "",
    )


def _sections(run: str) -> list[tuple[str, Trace | None]]:
    """The failing tests; the lists of skipped, risky and incomplete ones look the same under another heading."""
    lists = list(_LIST.finditer(run))
    heads = list(_HEAD.finditer(run))
    found: list[tuple[str, Trace | None]] = []
    at = -1
    for number, head in enumerate(heads):
        while at + 1 < len(lists) and lists[at + 1].start() < head.start():
            at += 1
        if at >= 0 and not lists[at]["what"].startswith(("failure", "error")):
            continue
        until = heads[number + 1].start() if number + 1 < len(heads) else len(run)
        stop = _END.search(run, head.end(), until)
        while stop is not None and stop.group().startswith("--") and stop.group() != "--":
            stop = _END.search(run, stop.end(), until)
        found.append((head["name"], _trace(run[head.end() : stop.start() if stop else until], head["name"])))
    return found


def _trace(body: str, test: str) -> Trace | None:
    lines = [line[:1_500] for line in body.split("\n", _MOST_LINES)[:_MOST_LINES]]
    frames: list[RawFrame] = []
    said: list[str] = []
    for line in lines:
        if place := _PLACE.match(line):
            frames.append(RawFrame(place["file"], int(place["line"])))
        elif line.strip() and not frames:
            said.append(line.strip())
        elif frames and line.startswith("Caused by"):
            break
    if not said and not frames:
        return None
    if frames:
        method = test.partition("::")[2].partition(" ")[0] or None
        frames[-1] = RawFrame(frames[-1].file, frames[-1].line, method)
    typed = _TYPED.match(said[0]) if said else None
    if typed:
        return Trace(frames[::-1], typed["type"].lstrip("\\"), typed["message"] or next(iter(said[1:]), ""))
    return Trace(frames[::-1], "AssertionError", said[0] if said else "")
