"""The report of `cargo test` (and `cargo nextest`): a section per failing test, a list of them, and a result per
target.

A target that ran several times counts by its last result.
"""

from __future__ import annotations

import re

from analyzer.failures.trace import RawFrame, RunResult, Trace
from analyzer.failures.traces import rust
from analyzer.text.expressions import compiled

NAME = "cargo test"
LANGUAGE = "rust"

_RESULT = compiled(
    r"^test result: (?P<word>ok|FAILED)\. (?P<passed>\d{1,9}) passed; (?P<failed>\d{1,9}) failed", re.MULTILINE
)
_NEXT_RESULT = compiled(
    (
        r"^[ \t]*Summary \[[^\]\n]{1,40}\] +\d{1,9}(?:/\d{1,9})? tests? run: (?P<passed>\d{1,9}) passed[^,\n]"
        r"{0,80}(?:, (?P<failed>\d{1,9}) failed)?"
    ),
    re.MULTILINE,
)
_TARGET = compiled(
    r"^[ \t]*(?P<target>Running (?:unittests|\S{1,400}\.rs|\S{0,400}deps[/\\])[^\n]*|Doc-tests \S+)$", re.MULTILINE
)
_REPORT = compiled(
    r"^(?:running \d{1,9} tests?$|error: (?:doc)?test failed, to rerun |test \S[^\n]{0,300} \.\.\. FAILED$)",
    re.MULTILINE,
)
_FAILED_TEST = compiled(
    r"^test (?P<name>\S[^\n]{0,300}?)(?: - (?:should panic|compile(?: fail)?))* \.\.\. (?:[^\n]{0,300} )?FAILED$",
    re.MULTILINE,
)
_NEXT_FAILED = compiled(
    (
        r"^[ \t]+(?:TRY \d{1,3} )?(?:FAIL|SIGABRT|SIGSEGV|TIMEOUT|ABORT) \[[^\]\n]{1,40}\] (?:\([ \d/]{1,40}\) )"
        r"?(?P<name>\S+(?: \S+)?)$"
    ),
    re.MULTILINE,
)
_LISTED = compiled(r"^failures:\n(?P<names>(?:    \S[^\n]{0,300}\n?)+)", re.MULTILINE)
_SECTION = compiled(r"^---- (?P<name>\S[^\n]{0,300}?) (?:stdout|stderr) ----$", re.MULTILINE)
_SECTION_END = compiled(r"^failures:$|^test result: ", re.MULTILINE)
_RETURNED = compiled(r"^Error: (?P<message>[^\n]+)$", re.MULTILINE)
_NOT_PANICKED = compiled(
    (
        r"^note: (?P<message>(?:test did not panic as expected|panic did not contain expected string))(?: at "
        r"(?P<file>[^\n:]{1,400}):(?P<line>\d{1,9}):\d{1,9})?"
    ),
    re.MULTILINE,
)
_STOPPED = compiled(
    (
        r"^error: (?:doc)?test failed, to rerun |^  process didn't exit successfully: [^\n]{1,600}\(signal: "
        r"(?P<signal>[^\n()]{1,200})\)$"
    ),
    re.MULTILINE,
)


def recognises(text: str) -> bool:
    """Whether `text` holds a report of `cargo test`."""
    return any(expression.search(text) is not None for expression in (_RESULT, _REPORT, _NEXT_RESULT))


def parse(text: str) -> RunResult:
    """What the last result of each target says, all targets together."""
    counts: dict[str, int] = {}
    failing: dict[str, None] = {}
    traces: list[Trace] = []
    failed = False
    for body in _targets(text):
        results = [*_RESULT.finditer(body), *_NEXT_RESULT.finditer(body)]
        for result in results:
            for word in ("passed", "failed"):
                counts[word] = counts.get(word, 0) + int(result[word] or 0)
        names = _names(body)
        bad = any(int(result["failed"] or 0) for result in results) if results else bool(names or _STOPPED.search(body))
        if bad:
            failed = True
            failing.update(dict.fromkeys(names))
            traces += _traces(body)
    if not failed:
        return RunResult(NAME, False, [], counts)
    signal = next((found["signal"] for found in _STOPPED.finditer(text) if found["signal"]), None)
    message = f"the test process was stopped: {signal}" if signal else ""
    return RunResult(NAME, True, list(failing), counts, traces, message)


def _targets(text: str) -> list[str]:
    """The output of each target, of one that ran several times the last; what no target is named for stands by
    itself."""
    starts = list(_TARGET.finditer(text))
    found = {"": text[: starts[0].start()] if starts else text}
    for position, start in enumerate(starts):
        end = starts[position + 1].start() if position + 1 < len(starts) else len(text)
        found.pop(start["target"], None)
        found[start["target"]] = text[start.end() : end]
    return [body for body in found.values() if body]


def _names(body: str) -> list[str]:
    listed = [name.strip() for found in _LISTED.finditer(body) for name in found["names"].splitlines()]
    named = [found["name"] for found in _FAILED_TEST.finditer(body)] + [
        found["name"] for found in _NEXT_FAILED.finditer(body)
    ]
    return list(dict.fromkeys([*named, *listed]))


def _traces(body: str) -> list[Trace]:
    """What tests that print as they go have shown, then what each failing test's section shows."""
    heads = list(_SECTION.finditer(body))
    found = rust.traces(body[: heads[0].start()] if heads else body)
    for position, head in enumerate(heads):
        end = heads[position + 1].start() if position + 1 < len(heads) else len(body)
        stop = _SECTION_END.search(body, head.end(), end)
        trace = _section(body[head.end() + 1 : stop.start() if stop else end])
        if trace is not None:
            found.append(trace)
    return found


def _section(section: str) -> Trace | None:
    panics = rust.traces(section)
    if panics:
        return panics[-1]
    if found := _NOT_PANICKED.search(section):
        frames = [RawFrame(found["file"], int(found["line"]))] if found["file"] else []
        return Trace(frames, "TestFailure", found["message"])
    returned = _RETURNED.search(section)
    return Trace([], "TestFailure", returned["message"].strip()) if returned else None
