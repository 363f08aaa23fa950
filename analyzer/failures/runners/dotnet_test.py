"""The report of `dotnet test`, whichever framework the tests are written for: xUnit, NUnit or MSTest."""

from __future__ import annotations

import re

from analyzer.failures.trace import RunResult, Trace
from analyzer.failures.traces import dotnet
from analyzer.text.expressions import compiled

NAME = "dotnet test"
LANGUAGE = "csharp"

_TOOK = r"\[?[(\[]<? ?\d[\d.,]* ?(?:ms|s|m|h)[^\])\n]{0,40}[)\]]"
_COUNTS = compiled(
    r"^(?:Passed|Failed|Skipped)! +- +Failed: +(?P<failed>\d{1,9}), +Passed: +(?P<passed>\d{1,9})(?:, +Skipped: "
    r"+(?P<skipped>\d{1,9}))?"
    r"|^Test summary: total: \d+, failed: (?P<failed_2>\d{1,9}), succeeded: (?P<passed_2>\d{1,9}), skipped: "
    r"(?P<skipped_2>\d{1,9})",
    re.MULTILINE,
)
_TOTALS = compiled(
    r"^Total tests: \d+(?P<rest>(?:\.? +(?:Passed|Failed|Skipped): \d+\.?|\n +(?:Passed|Failed|Skipped): \d+)*)",
    re.MULTILINE,
)
_TOTAL = compiled(r"(Passed|Failed|Skipped): (\d{1,9})")
_VERDICT = compiled(r"^Test Run (?P<word>Successful|Failed|Aborted)\.", re.MULTILINE)
_BUILD_ERROR = compiled(r"^[^\n]{0,400}?: error (?:CS|FS|BC|MSB|NU|NETSDK)\d{1,5}: |^Build FAILED\.", re.MULTILINE)
_TEST = compiled(
    rf"^[ \t]+(?P<word>Failed|Passed|Skipped) (?P<name>[^\n]{{1,400}}?) {_TOOK}$"
    rf"|^ +(?P<headed>(?:\w+\.)+\w[^\n]{{0,300}}?) {_TOOK}: Error Message: ",
    re.MULTILINE,
)
_XUNIT = compiled(r"^\[xUnit\.net [\d:.]+\] +(?P<name>\S[^\n]{0,400}?) \[FAIL\]$", re.MULTILINE)
_END = compiled(r"^(?:(?:Passed|Failed)! +- |Total tests: |Test Run |Test summary: |Results File: )", re.MULTILINE)
_PARTS = compiled(r"Error Message:[ \t]*\n?(?P<message>.*?)(?:^[ \t]*Stack Trace:[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_OUTPUT = compiled(r"^[ \t]*(?:Standard (?:Output|Error) Messages|Debug Trace|TestContext Messages):", re.MULTILINE)
_TYPED = compiled(r"^(?P<type>(?:[A-Za-z_]\w*\.)+[A-Z]\w*|[A-Z]\w*Exception) ?: ?(?P<message>[^\n]*)")
_INSIDE = compiled(r"^-{4,} (?P<type>(?:[A-Za-z_]\w*\.)*[A-Z]\w*) : (?P<message>[^\n]*)")
_INNER_STACK = compiled(r"^-{4,} Inner Stack Trace[^\n]*-{4,}[ ]*$", re.MULTILINE)
_THREW = compiled(
    r"^(?:Initialization method|Class [^\n]*method|Test method|Cleanup method) [^\n]*?threw exception[:.]"
)


def recognises(text: str) -> bool:
    """Whether `text` holds a report of `dotnet test`, or of a build that it couldn't test."""
    return any(expression.search(text) for expression in (_COUNTS, _TOTALS, _VERDICT, _XUNIT, _BUILD_ERROR))


def parse(text: str) -> RunResult:
    """The report in `text`, of all test projects together; of one that was cut, what there is."""
    counts = _counts(text)
    verdicts = {found["word"] for found in _VERDICT.finditer(text)}
    tests = list(_TEST.finditer(text))
    failing = [found["name"] or found["headed"] for found in tests if found["word"] in ("Failed", None)]
    failing = failing or [found["name"] for found in _XUNIT.finditer(text)]
    failed = bool(counts.get("failed") or verdicts & {"Failed", "Aborted"} or (failing and not counts))
    if not failed:
        broken = _BUILD_ERROR.search(text) is not None
        return RunResult(NAME, broken, [], {} if broken else counts)
    traces = []
    for position, test in enumerate(tests):
        if test["word"] in ("Failed", None):
            end = tests[position + 1].start() if position + 1 < len(tests) else len(text)
            stop = _END.search(text, test.end(), end)
            traces.append(_trace(text[test.start() : stop.start() if stop else end]))
    shown = [trace for trace in traces if trace is not None]
    message = shown[0].message if shown else ""
    return RunResult(NAME, True, list(dict.fromkeys(failing)), counts, shown, message)


def _counts(text: str) -> dict[str, int]:
    """By project, added up; `Total tests:` is what older versions and other verbosities write."""
    sums: dict[str, int] = {}
    for found in _COUNTS.finditer(text):
        for word in ("failed", "passed", "skipped"):
            sums[word] = sums.get(word, 0) + int(found[word] or found[f"{word}_2"] or 0)
    if not sums:
        for found in _TOTALS.finditer(text):
            for word, number in _TOTAL.findall(found["rest"]):
                sums[word.lower()] = sums.get(word.lower(), 0) + int(number)
    return {word: number for word, number in sums.items() if number or word == "passed"}


def _trace(section: str) -> Trace | None:
    """What made a test fail. An assertion's exception isn't named, only what it says."""
    parts = _PARTS.search(section)
    if parts is None:
        return None
    said = parts["message"]
    stack = _OUTPUT.split(section[parts.end() :], maxsplit=1)[0]
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    if lines and _THREW.match(lines[0]):
        lines = [part.strip() for part in (_THREW.sub("", lines[0]), *lines[1:]) if part.strip()]
    inside = [found for line in lines if (found := _INSIDE.match(line))]
    if inside:
        stretches = [dotnet.causes(stretch)[:1] for stretch in _INNER_STACK.split(stack)]
        frames = dotnet.joined([trace.frames for found in stretches for trace in found])
        return Trace(frames, inside[-1]["type"], inside[-1]["message"].strip())
    frames = [frame for trace in dotnet.causes(stack)[:1] for frame in trace.frames]
    inner = dotnet.causes("\n".join([*lines, stack]))
    if lines and any("--->" in line for line in lines) and inner and inner[0].type:
        return inner[0]
    typed = _TYPED.match(lines[0]) if lines else None
    if typed:
        return Trace(frames, typed["type"], typed["message"].strip() or " ".join(lines[1:3]))
    return Trace(frames, "AssertionError", " ".join(" ".join(lines[:6]).split())[:500])
