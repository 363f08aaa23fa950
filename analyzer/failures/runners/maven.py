"""Maven's report of a test run (Surefire and Failsafe), and JUnit's own plain one.

The closing counts outrank what is said of a single class: a test that passes when it is run again has failed there too.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from analyzer.failures.trace import RawFrame, RunResult, Trace
from analyzer.failures.traces import jvm
from analyzer.text.expressions import compiled

NAME = "maven"
LANGUAGE = "java"

_START = compiled(r"^\[INFO\] Scanning for projects\.\.\.", re.MULTILINE)
_BUILD = compiled(
    r"^(?:\[\w+\] )?BUILD (?P<word>SUCCESS|FAILURE)[ ]*$"
    r"|^\[ERROR\] (?:Failed to execute goal |-> \[Help 1\]|\[Help 1\] )",
    re.MULTILINE,
)
_COUNTS = compiled(
    r"^(?:\[\w+\] )?Tests run: +(?P<run>\d{1,9}), +Failures: +(?P<failed>\d{1,9})"
    r"(?:, +Errors: +(?P<errors>\d{1,9}))?(?:, +Skipped: +(?P<skipped>\d{1,9}))?(?P<rest>[^\n]*)$",
    re.MULTILINE,
)
_PLAIN_OK = compiled(r"^OK \((?P<run>\d{1,9}) tests?\)$", re.MULTILINE)
_TEST = compiled(
    (
        r"^(?:\[ERROR\] +)?(?!Tests run:|\[)(?P<name>\S[^\n]{0,300}?)(?: --)? +Time elapsed: [^\n<]{1,60}<<< "
        r"(?:FAILURE|ERROR)!"
    ),
    re.MULTILINE,
)
_PLAIN_TEST = compiled(r"^\d{1,6}\) (?P<name>\w[^\n()]{0,200}\([\w.$]+\))$", re.MULTILINE)
_OLD_NAME = compiled(r"^(?P<method>[^.()]+)\((?P<owner>(?:\w+\.)*[A-Z][\w$]*)\)(?P<case>\[[^\]]*\])?$")
_SECTION_END = compiled(r"^(?:\[\w+\] )?(?:Results ?:|Running \S|Tests run: )", re.MULTILINE)
_LISTED = compiled(
    r"^(?:\[ERROR\])? {2,}(?:Run \d+: )?(?P<name>(?:[\w$]+\.)+[\w$]+)(?:\([^)\n]{0,200}\))?(?:\[[^\]\n]{0,200}\])?"
    r"(?::(?P<line>\d{1,9}))?(?P<through>(?:->[\w$.]+(?::\d+)?){0,30})(?P<raised> »)? (?P<message>[^\n]+)$",
    re.MULTILINE,
)
_REASON = compiled(
    r"^\[ERROR\] (?:Failed to execute goal (?:\S+ (?:\([^)\n]*\) )?)?on project [^\s:]+: )?(?!COMPILATION ERROR"
    r"|Tests run|Failures:|Errors:)"
    r"(?P<reason>\S[^\n]*?)(?: -> \[Help 1\])?$",
    re.MULTILINE,
)


def recognises(text: str) -> bool:
    """Whether `text` holds a report of Maven or of JUnit's own runner."""
    return _COUNTS.search(text) is not None or _BUILD.search(text) is not None or _PLAIN_OK.search(text) is not None


def parse(text: str) -> RunResult:
    """The report of the last run in `text`; of one that was cut, what there is."""
    starts = [found.start() for found in _START.finditer(text)]
    run = text[starts[-1] :] if len(starts) > 1 else text
    counts = _counts(run)
    broken = any(found["word"] != "SUCCESS" for found in _BUILD.finditer(run))
    bad = bool(counts.get("failed") or counts.get("errors")) or _cut_after_failure(run)
    if not bad and not broken:
        return RunResult(NAME, False, [], counts)
    heads = [*_TEST.finditer(run), *_PLAIN_TEST.finditer(run)] if bad or not counts else []
    listed = list(_LISTED.finditer(run)) if bad or not counts else []
    names = [_name(found["name"]) for found in heads] or [found["name"] for found in listed]
    message = next((found["message"].strip() for found in listed), "")
    traces = _traces(run, heads) or _listed_traces(listed)
    if not bad:
        counts = {} if not names else counts
    return RunResult(NAME, True, list(dict.fromkeys(names)), counts, traces, message or _reason(run))


def _cut_after_failure(run: str) -> bool:
    """Whether a class failed and neither counts nor the end of the build come after it."""
    failed = [found.end() for found in _COUNTS.finditer(run) if "<<<" in found["rest"]]
    return (
        bool(failed)
        and not any(
            "<<<" not in found["rest"] and "Time elapsed" not in found["rest"]
            for found in _COUNTS.finditer(run, failed[-1])
        )
        and _BUILD.search(run, failed[-1]) is None
    )


def _counts(run: str) -> dict[str, int]:
    """The closing counts of all modules together; without any, those of the classes."""
    found = list(_COUNTS.finditer(run))
    closing = [entry for entry in found if "Time elapsed" not in entry["rest"]] or found
    if not closing:
        plain = _PLAIN_OK.search(run)
        return {"passed": int(plain["run"])} if plain else {}
    sums = {word: sum(int(entry[word] or 0) for entry in closing) for word in ("run", "failed", "errors", "skipped")}
    ran = sums.pop("run")
    passed = max(0, ran - sum(sums.values()))
    return {"passed": passed, **{word: number for word, number in sums.items() if number}}


def _name(shown: str) -> str:
    """`noCrew(quay.BoatTest)` is what older versions write for `quay.BoatTest.noCrew`."""
    old = _OLD_NAME.match(shown)
    return f"{old['owner']}.{old['method']}{old['case'] or ''}" if old else shown


def _traces(run: str, heads: list[re.Match[str]]) -> list[Trace]:
    """What made each test fail: the first cause of the trace below its name."""
    starts = [head.start() for head in heads]
    ends = [found.start() for found in _SECTION_END.finditer(run)]
    found = []
    for position, head in enumerate(heads):
        end = starts[position + 1] if position + 1 < len(starts) else len(run)
        stop = bisect_right(ends, head.end())
        if stop < len(ends):
            end = min(end, max(ends[stop], head.end()))
        causes = jvm.causes(run[head.end() : end])
        if causes:
            found.append(causes[0])
    return found


def _listed_traces(listed: list[re.Match[str]]) -> list[Trace]:
    """A list of failures tells the line of each; of errors only a shortened type, so there's none of those."""
    found = []
    for entry in listed:
        owner, _, method = entry["name"].rpartition(".")
        if entry["line"] and not entry["raised"] and not entry["through"]:
            place = RawFrame(jvm.source_path(owner, None), int(entry["line"]), f"{owner.rpartition('.')[2]}.{method}")
            found.append(Trace([place], "AssertionError", entry["message"].strip()))
        else:
            return found
    return found


def _reason(run: str) -> str:
    found = _REASON.search(run)
    return found["reason"][:500] if found else ""
