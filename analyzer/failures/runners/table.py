"""The one reader of test runners' reports: how a runner counts, names what failed and shows why is a row of patterns
(`rows.toml`)."""

from __future__ import annotations

import re

from analyzer.failures.runners.javascript_section import block_trace
from analyzer.failures.runners.javascript_section import section_trace as javascript_section
from analyzer.failures.traces import RawFrame, RunResult, StackTrace, javascript, python
from analyzer.failures.traces.table import BY_NAME
from analyzer.model.struct import Struct, replace
from analyzer.text.late import Hints, late, made_of, table_beside

_NOT_PASSED = ("failed", "errors", "skipped", "aside")
_MOST_LINES = 400
_LONGEST_LINE = 1_500
_TYPED = late(
    r"^(?P<type>(?:\\?[A-Za-z_]\w*(?:\.|::|\\))*[A-Z]\w*(?:Error|Exception|Invalid|NotFound|Failed|Failure|Interrupt"
    r"|Missing|Timeout))(?: ?: ?(?P<message>.*)|:)?$"
)
_FIRST = 6
"""Lines of a section of which one may name the error."""


class Runner(Struct, frozen=True):
    """How a runner prints its report, and texts of which one occurs in every report.

    The groups of `counts`: `failed`, `errors`, `skipped`, `passed`, or `all` where the passed ones aren't counted, and
    `aside` for those that count as none of these. The groups of `tests`: `name`, and `owner` where it stands behind it;
    `file`, `line` and `code` where they stand with it.
    """

    NAME: str
    LANGUAGE: str
    hints: Hints
    report: tuple[re.Pattern[str], ...]
    """What only this runner prints."""
    counts: tuple[re.Pattern[str], ...]
    tests: tuple[re.Pattern[str], ...]
    """The heading of a failing test."""
    adds: bool = False
    """Whether several counts are parts of one run rather than runs."""
    starts: re.Pattern[str] | None = None
    """The beginning of a run."""
    verdict: re.Pattern[str] | None = None
    """How a run ended: badly where its group `bad` has something. The last one counts; of runs that are added up and
    have no beginning each one."""
    listed: re.Pattern[str] | None = None
    """The `name` of a failing test in a list, where none has a heading."""
    ends: re.Pattern[str] | None = None
    """What comes after the last section."""
    begins: re.Pattern[str] | None = None
    """What stands before a section where the heading comes behind it."""
    noise: re.Pattern[str] | None = None
    """Lines of a section that aren't part of its message."""
    reason: re.Pattern[str] | None = None
    """Why there was no run: the group `why`."""
    limits: bool = False
    """Whether lists of tests that didn't fail look like those of the failing ones before them."""
    kind: str = "AssertionError"
    """What a failure is called that has no name."""
    typed: re.Pattern[str] = _TYPED
    """A line of a section that names the error."""
    machinery: re.Pattern[str] | None = None
    """Files of frames in whose stead the place in the heading is where the test begins."""
    within: tuple[str, ...] = ()
    """The names of the runners whose reports may be a section."""
    inner: tuple[Runner, ...] = ()
    """These runners."""

    def recognises(self, text: str) -> bool:
        """Whether `text` holds such a report, even one whose end was cut."""
        return any(mark.search(text) is not None for mark in self.report)

    def parse(self, text: str) -> RunResult:
        """What the last run in `text` says, or all of them where their counts are to be added up."""
        run = self._last_run(text)
        said = self._counts(run)
        counts = {word: number for word, number in said.items() if number or word == "passed"}
        verdicts = list(self.verdict.finditer(run)) if self.verdict is not None else []
        verdicts = verdicts if self.adds and self.starts is None else verdicts[-1:]
        bad = any(found["bad"] is not None for found in verdicts)
        short = counts.get("failed", 0) + counts.get("errors", 0)
        heads = self._heads(run, short) if short or bad or not (counts or verdicts) else []
        listed = list(self.listed.finditer(run)) if self.listed is not None and (short or "failed" not in said) else []
        if not (short or bad or heads or listed):
            return RunResult(self.NAME, False, [], counts)
        names = list(dict.fromkeys(_name(head) for head in heads if head["name"]))
        if not names:
            names = list(dict.fromkeys(found["name"].strip() for found in listed))
        if listed and counts and not short:
            counts["failed"] = len(listed)
        if not (short or heads or listed):
            counts = {}
        shown = (self._trace(run, heads, number) for number in range(len(heads)))
        traces = [trace for trace in shown if trace is not None]
        if not traces and names:
            traces = [trace for trace in self._read(run) if trace.type]
        why = self.reason.search(run) if self.reason is not None and not names else None
        message = why["why"].strip() if why is not None else traces[0].message if traces else ""
        return RunResult(self.NAME, True, names, counts, traces, message)

    def _last_run(self, text: str) -> str:
        if self.starts is not None:
            starts = [found.start() for found in self.starts.finditer(text)]
            text = text[starts[-1] :] if len(starts) > 1 else text
        if self.adds:
            return text
        ends = [found.end() for found in (self.verdict or self.counts[0]).finditer(text)]
        return text[ends[-2] :] if len(ends) > 1 else text

    def _counts(self, run: str) -> dict[str, int]:
        counts: dict[str, int] = {}
        for pattern in self.counts:
            for found in pattern.finditer(run):
                for word, number in found.groupdict().items():
                    if number is not None:
                        counts[word] = int(number) + (counts.get(word, 0) if self.adds else 0)
        if "all" in counts:
            counts["passed"] = max(0, counts.pop("all") - sum(counts.get(word, 0) for word in _NOT_PASSED))
        counts.pop("aside", None)
        return counts

    def _heads(self, run: str, most: int) -> list[re.Match[str]]:
        """The headings of the failing tests, each test once, where it was last."""
        found = sorted((head for tests in self.tests for head in tests.finditer(run)), key=lambda head: head.start())
        once = {head["name"] or head.start(): head for head in found}
        heads = sorted(once.values(), key=lambda head: head.start())
        return heads[:most] if most and self.limits else heads

    def _trace(self, run: str, heads: list[re.Match[str]], number: int) -> StackTrace | None:
        head = heads[number]
        if self.begins is not None:
            before = heads[number - 1].end() if number else 0
            start = max((found.end() for found in self.begins.finditer(run, before, head.start())), default=before)
            body = run[start : head.start()]
        else:
            until = heads[number + 1].start() if number + 1 < len(heads) else len(run)
            stop = self.ends.search(run, head.end(), until) if self.ends is not None else None
            body = run[head.end() : stop.start() if stop is not None else until]
        trace = self._section(body)
        groups = head.groupdict()
        if groups.get("file") and (trace is None or not trace.frames or self.machinery is not None):
            trace = trace or StackTrace([], self.kind, "")
            own = RawFrame(groups["file"] or "", int(groups["line"] or 0) or None, groups["name"], groups.get("code"))
            kept = (frame for frame in trace.frames if not (self.machinery and self.machinery.search(frame.file)))
            trace.frames = [own, *kept]
        return trace

    def _section(self, body: str) -> StackTrace | None:
        """Why a test failed: what was raised, or else what is said above the first frame."""
        if body.lstrip()[:4] == "---\n":
            return block_trace(body, self.kind)
        for runner in self.inner:
            if runner.recognises(body) and (told := runner.parse(body).traces):
                return told[0]
        if self.noise is not None:
            body = "\n".join(line for line in body.split("\n") if self.noise.match(line) is None)
        if self.LANGUAGE == "javascript":
            return javascript_section(body)
        language = BY_NAME.get(self.LANGUAGE)
        found = self._read(body)
        raised = next((trace for trace in found if trace.type), None)
        if raised is not None and (raised.frames or raised.message):
            return raised
        said: list[str] = []
        shown: list[RawFrame] = []
        over = False
        for line in body.split("\n", _MOST_LINES)[:_MOST_LINES]:
            frame = language.frame_of(line[:_LONGEST_LINE]) if language is not None else None
            if frame is not None:
                shown.append(frame)
            elif shown:
                break
            elif line.strip() and not over:
                said.append(line.strip()[:_LONGEST_LINE])
            else:
                over = bool(said)
        frames = found[0].frames if found else shown[::-1]
        if not said and not frames:
            return None
        for place, line in enumerate(said[:_FIRST]):
            if (typed := self.typed.match(line)) is not None:
                message = (typed["message"] or "").strip() or " ".join(said[place + 1 : place + 2])
                return StackTrace(frames, typed["type"].lstrip("\\"), message)
        return StackTrace(frames, self.kind, " ".join(" ".join(said[:_FIRST]).split())[:500].removeprefix("error: "))

    def _read(self, text: str) -> list[StackTrace]:
        if self.LANGUAGE == "javascript":
            return javascript.traces(text)
        language = BY_NAME.get(self.LANGUAGE)
        return language.traces(text) if language is not None else python.traces(text)


def _name(head: re.Match[str]) -> str:
    """The name of a failing test, with that of its class where this stands apart."""
    name, owner = " ".join(head["name"].split()), head.groupdict().get("owner")
    return name if owner is None else owner if owner.endswith(name) else f"{owner}.{name}"


_TABLE = table_beside(__file__)
_MADE = {runner.NAME: runner for runner in made_of(Runner, _TABLE["runner"], {})}
RUNNERS = tuple(replace(runner, inner=tuple(map(_MADE.__getitem__, runner.within))) for runner in _MADE.values())
"""In the order in which they're asked."""
(TAP,) = made_of(Runner, _TABLE["last"], {})
"""Asked when none of these knows a text."""
