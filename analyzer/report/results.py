"""Findings as a CI wants them: each with the file and the session it's from, the worst first.

They come from the report of one file, or from the rows of an audit's tables; what is made of them is in `sarif`,
`junit` and `github`.
"""

from __future__ import annotations

import json
import os
import posixpath
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from analyzer.model.postmortem import Report
from analyzer.model.struct import Struct
from analyzer.model.tables import columns
from analyzer.model.words import Severity
from analyzer.report.safe import clip, visible
from analyzer.text.late import late

_URL = late(r"[A-Za-z][A-Za-z0-9+.-]*://")
_LONGEST_QUOTE = 300
_MOST_QUOTES = 3
_FACTS = ("id", "agent", "model", "started_at")
_OF_FINDING = ("detector", "category", "kind", "severity", "confidence", "title", "lane", "first_step", "last_step")
"""Fields that a session and a finding have under the same name in a report and in an audit's tables."""


class Session(Struct, frozen=True):
    """One session: `path` is the file or URL it was read from, `key` tells sessions of one file apart, `seconds` how
    long it took."""

    path: str
    key: str
    id: str
    agent: str | None
    model: str | None
    outcome: str
    headline: str
    started_at: str | None
    seconds: float | None


class Result(Struct, frozen=True):
    """One finding. `origin` is the file and line in somebody's code that it comes from, as the transcript names it;
    `fingerprint` that of the failure which came back, equal in every run."""

    session: Session
    detector: str
    category: str
    kind: str
    severity: Severity
    confidence: float
    title: str
    lane: str
    first_step: int
    last_step: int
    evidence: tuple[tuple[int, str], ...]
    advice: tuple[str, ...]
    fingerprint: str | None = None
    origin: tuple[str, int | None] | None = None
    actions: int = 0
    """How many actions lie inside of it."""

    @property
    def steps(self) -> str:
        """`step 7`, or `steps 3-9 of agent-2`; `no step` for what was found where nothing was done."""
        if self.last_step == 0:
            return "no step"
        first, last = self.first_step, self.last_step
        steps = f"step {first}" if first == last else f"steps {first}-{last}"
        return steps if self.lane == "main" else f"{steps} of {visible(self.lane)}"

    def summary(self) -> str:
        """What was found, where, what shows it and what to do, in a few lines."""
        lines = [
            clip(self.title, 1_000),
            f"Session {clip(self.session.id, 200)}, {self.steps}, confidence {self.confidence:.0%}.",
        ]
        lines += [f"Step {step}: {clip(quoted, _LONGEST_QUOTE)}" for step, quoted in self.evidence[:_MOST_QUOTES]]
        lines += [f"Advice: {clip(advice, _LONGEST_QUOTE)}" for advice in self.advice[:_MOST_QUOTES]]
        return "\n".join(lines)


class Results(Struct, frozen=True):
    """All sessions in their order, and all findings, the worst first. `problems` are files that could not be read, with
    what was wrong."""

    sessions: tuple[Session, ...]
    results: tuple[Result, ...]
    problems: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of_report(cls, report: Report) -> Results:
        """Those of one file."""
        sessions: list[Session] = []
        results: list[Result] = []
        for number, entry in enumerate(report.sessions, 1):
            facts = entry.session
            session = Session(
                path=report.source.path,
                key=str(number),
                outcome=entry.outcome.status.value,
                headline=entry.diagnosis.headline,
                seconds=facts.duration_seconds,
                **{name: getattr(facts, name) for name in _FACTS},
            )
            sessions.append(session)
            failures = {row.group: row for row in reversed(entry.failures) if row.group is not None}
            for finding in entry.findings:
                failure = failures.get(finding.group or "")
                place = finding.fault or (failure.origin if failure is not None and failure.origin.file else None)
                results.append(
                    Result(
                        session=session,
                        evidence=tuple((row.step, _labelled(row.quote, row.label)) for row in finding.evidence),
                        advice=tuple(finding.advice),
                        fingerprint=failure.fingerprint if failure is not None else None,
                        origin=(place.file, place.line) if place is not None and place.file else None,
                        actions=finding.cost.actions or 0,
                        **{name: getattr(finding, name) for name in _OF_FINDING},
                    )
                )
        return cls._sorted(sessions, results)

    @classmethod
    def of_tables(
        cls,
        sessions: Iterable[Sequence[Any]],
        findings: Iterable[Sequence[Any]],
        failures: Iterable[Sequence[Any]],
        problems: Iterable[Sequence[Any]] = (),
    ) -> Results:
        """Those of an audit: rows of four of the tables of `analyzer.model.tables`, with their columns in order."""
        known = {
            row["session"]: Session(
                key=row["session"],
                seconds=row["duration_seconds"],
                **{name: row[name] for name in ("path", "outcome", "headline", *_FACTS)},
            )
            for row in map(_named("sessions"), sessions)
        }
        origins: dict[tuple[str, str | None], tuple[str, str | None, int | None]] = {}
        for row in map(_named("failures"), failures):
            if row["failure_group"] is not None:
                origin = (row["fingerprint"], row["origin_file"], row["origin_line"])
                origins.setdefault((row["session"], row["failure_group"]), origin)
        results = []
        for row in map(_named("findings"), findings):
            fingerprint, file, line = origins.get((row["session"], row["failure_group"]), (None, None, None))
            quotes = json.loads(row["evidence"])
            results.append(
                Result(
                    session=known[row["session"]],
                    evidence=tuple((one["step"], _labelled(one["quote"], one.get("label", ""))) for one in quotes),
                    advice=tuple(json.loads(row["advice"])),
                    fingerprint=fingerprint,
                    origin=(file, line) if file else None,
                    actions=row["cost_actions"] or 0,
                    **{name: row[name] for name in _OF_FINDING} | {"severity": Severity(row["severity"])},
                )
            )
        told = (row for row in map(_named("problems"), problems) if row["kind"] != "warning")
        return cls._sorted(list(known.values()), results, tuple((row["path"], row["what"]) for row in told))

    @classmethod
    def _sorted(
        cls, sessions: list[Session], results: list[Result], problems: tuple[tuple[str, str], ...] = ()
    ) -> Results:
        # Python's sort keeps the order of what is equal: by session, and within one as the report has them.
        return cls(
            tuple(sessions),
            tuple(sorted(results, key=lambda result: (-result.severity.rank, -result.actions, -result.confidence))),
            problems,
        )


def _named(table: str) -> Any:
    names = columns(table)
    return lambda row: dict(zip(names, row, strict=True))


def relative(path: str, base: str) -> tuple[str, bool]:
    """The path from the folder `base` on with `/` between its parts, and True; as it is, and False, where it isn't
    below that folder."""
    if path == "<stdin>":
        return "stdin", True
    if _URL.match(path):
        return path, False
    absolute = os.path.normpath(os.path.join(base, path))  # noqa: PTH118
    try:
        return Path(absolute).relative_to(os.path.normpath(base)).as_posix(), True
    except ValueError:
        return Path(absolute).as_posix(), False


def uri(path: str, base: str) -> tuple[str, bool]:
    """As `relative`, as a URI reference."""
    shown, below = relative(path, base)
    if below:
        return quote(_bytes(shown)), True
    if _URL.match(shown):
        return quote(_bytes(shown), safe=":/?#[]@!$&'()*+,;=%"), False
    return "file://" + quote(_bytes(shown if shown.startswith("/") else f"/{shown}"), safe="/:"), False


def _bytes(path: str) -> bytes:
    """A path as the bytes that the file system knows; halves of surrogate pairs that no file's name has are
    replaced."""
    try:
        return path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return path.encode("utf-8", "replace")


def code_uri(file: str) -> str | None:
    """A file of somebody's code as a URI reference from the root of their project; None where the transcript names it
    absolutely, as it was on the machine of the run."""
    name = posixpath.normpath(file.replace("\\", "/"))
    if name.startswith(("/", "..", "<")) or name[1:2] == ":" or not name.strip("."):
        return None
    return quote(name.encode("utf-8", "replace"))


def _labelled(quote: str, label: str) -> str:
    return f"{label} {quote}" if label else quote
