"""One of the two sets that are compared, read from the database of its audit; and what is measured of each session."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, NamedTuple

from analyzer.audit.figures.metrics import GOOD, KNOWN, MEANT, RANKS, TOKENS
from analyzer.audit.run import Engine, Watcher, run
from analyzer.audit.settings import Settings
from analyzer.audit.sources.source import DATABASE
from analyzer.audit.store.store import Store
from analyzer.audit.store.tables import Tables
from analyzer.model.struct import Struct, field
from analyzer.model.tables import columns
from analyzer.model.words import OutcomeStatus, Severity

Scale = Literal["share", "mean", "ratio"]
"""`share` of sessions for which something is so; `mean` of a number that's often zero; `ratio` of a positive, skewed
one, whose differences are looked at on the scale of logarithms."""
Unit = Literal["share", "count", "seconds", "tokens", "usd"]


class Metric(Struct, frozen=True):
    """One number per session. `value` is an SQL expression over the table `sessions`, null where one doesn't tell.

    `more_is_better` says which way is an improvement. `effort` marks what may rise because more is achieved.
    `reference` is a difference worth knowing of, for the estimate of how many sessions it takes to see it: for a ratio
    the factor, else an amount (None: a fifth of the mean). `offset` is added before the logarithm, so that zero has
    one.
    """

    name: str
    title: str
    unit: Unit
    scale: Scale
    value: str
    more_is_better: bool = False
    effort: bool = False
    reference: float | None = None
    offset: float = 0.0


_SUCCESS, _HIGH = f"CASE WHEN {KNOWN} THEN {GOOD} END", f"coalesce(worst, '') = '{Severity.HIGH}'"
_INSIDE = "min(1.0, loop_actions * 1.0 / nullif(actions, 0))"
_DURATION = "CASE WHEN active_seconds > 0 THEN active_seconds WHEN duration_seconds > 0 THEN duration_seconds END"
_COST = "CASE WHEN coalesce(spent_usd, cost_usd) > 0 THEN coalesce(spent_usd, cost_usd) END"
_CORRECTIONS = """CASE WHEN user_messages > 1 THEN (SELECT count(*) FROM findings correction
  WHERE correction.session = sessions.session AND correction.detector = 'user-correction') END"""
_LAST_CHECK = """(SELECT status = 'ok' FROM actions last_check WHERE last_check.session = sessions.session
  AND last_check.kind = 'test' AND last_check.status IN ('ok', 'error') ORDER BY step DESC LIMIT 1)"""
METRICS = (
    Metric("success_rate", "Success rate", "share", "share", _SUCCESS, more_is_better=True, reference=0.1),
    Metric("loop_rate", "Sessions with a loop", "share", "share", "loops > 0", reference=0.1),
    Metric("high_finding_rate", "Sessions with a high finding", "share", "share", _HIGH, reference=0.1),
    Metric("last_check", "Sessions whose last check passed", "share", "share", _LAST_CHECK, True, reference=0.1),
    Metric("corrections", "Corrections by the user per session", "count", "mean", _CORRECTIONS),
    Metric("failures_per_session", "Failed steps per session", "count", "mean", "failures"),
    Metric("loop_action_share", "Share of actions inside loops", "share", "mean", _INSIDE, reference=0.1),
    Metric("actions", "Actions per session", "count", "ratio", "actions", effort=True, reference=1.2, offset=0.5),
    Metric("duration_seconds", "Duration", "seconds", "ratio", _DURATION, effort=True, reference=1.2),
    Metric("tokens", "Tokens", "tokens", "ratio", TOKENS, effort=True, reference=1.2),
    Metric("cost_usd", "Cost (recorded, else list prices)", "usd", "ratio", _COST, effort=True, reference=1.2),
)
"""The metrics. The first is what a comparison is about and tested by itself; the others are corrected for their number.
Tokens are input and output together."""


_LONGEST = 300
"""Characters of a message that are kept: what one line of a report shows."""


class Sign(NamedTuple):
    """What shows a kind of finding, or a failure, in one session: how bad it is (of a failure only where a finding of
    severity high is about it), the step, and its own words."""

    severity: Severity | None
    step: int
    words: str


class Run(Struct):
    """One session, with what a comparison asks of it. The fields are columns of
    `analyzer.model.tables.SessionEntry`."""

    session: str
    path: str
    position: int
    id: str
    title: str | None
    task: str | None
    task_key: str
    agent: str | None
    agent_version: str | None
    model: str | None
    format: str
    outcome: str
    headline: str
    actions: int
    started_at: str | None
    metrics: dict[str, float | None] = field(default_factory=dict)
    """The values of `analyzer.audit.compare.side.METRICS`."""
    kinds: dict[str, Sign] = field(default_factory=dict)
    """Findings above `info` as `detector/kind`, the worst of each."""
    prints: dict[str, Sign] = field(default_factory=dict)
    """Unexpected failures by fingerprint, the first of each."""

    @property
    def succeeded(self) -> bool | None:
        """Whether it succeeded; None where nobody knows."""
        return None if self.outcome == OutcomeStatus.UNKNOWN else self.outcome == OutcomeStatus.SUCCEEDED


class Side(Struct, frozen=True):
    """One set of sessions. `name` is what the user called it; `digests` are those of its files, `problems` the files
    that could not be read, `versions` the versions of program and settings that judged it; `folder` is that of its
    audit, None where there's none."""

    name: str
    runs: tuple[Run, ...]
    digests: Mapping[str, str] = field(default_factory=dict)
    problems: int = 0
    versions: frozenset[str] = frozenset()
    folder: Path | None = None


_COLUMNS = [name for name in Run.__struct_fields__ if name in columns("sessions")]
_RUNS = f"""SELECT {", ".join(_COLUMNS)}, {", ".join(f"({metric.value}) * 1.0" for metric in METRICS)}
FROM sessions ORDER BY path, position"""
_KINDS = f"""SELECT session, detector || '/' || kind, severity, first_step, title FROM findings
WHERE severity <> '{Severity.INFO}' ORDER BY CASE severity {RANKS} END DESC, session, position"""
_PRINTS = f"""SELECT session, fingerprint, step, type, message, EXISTS (SELECT 1 FROM findings about WHERE
  about.session = f.session AND about.failure_group = f.failure_group AND about.severity = '{Severity.HIGH}')
FROM failures f WHERE {MEANT} AND fingerprint <> '' ORDER BY session, lane, step"""


def runs_of(tables: Tables) -> dict[str, Run]:
    """The sessions in the tables, without their findings and failures, by key."""
    found = {}
    for row in tables.rows(_RUNS):
        facts: dict[str, Any] = dict(zip(_COLUMNS, row, strict=False))
        facts["metrics"] = {metric.name: value for metric, value in zip(METRICS, row[len(_COLUMNS) :], strict=True)}
        found[facts["session"]] = Run(**facts)
    return found


def load(folder: Path, name: str) -> Side:
    """The sessions that the audit in `folder` covers. Raises `AnalyzerError` where its database can't be used."""
    with Store(folder, "") as store:
        runs = runs_of(store.tables)
        for session, kind, severity, step, title in store.tables.rows(_KINDS):
            runs[session].kinds.setdefault(kind, Sign(Severity(severity), step, title[:_LONGEST]))
        for session, mark, step, error, text, high in store.tables.rows(_PRINTS):
            words = text if not error or text.startswith(error) else f"{error}: {text}"
            sign = runs[session].prints.setdefault(mark, Sign(None, step, words[:_LONGEST]))
            if high:
                runs[session].prints[mark] = sign._replace(severity=Severity.HIGH)
        digests = {row["path"]: row["sha256"] for row in store.records("files") if row["sha256"]}
        problems = len({row["path"] for row in store.records("problems") if row["kind"] != "warning"})
        return Side(name, tuple(runs.values()), digests, problems, frozenset(store.versions()), folder)


@contextmanager
def both_sides(
    places: tuple[str, str],
    folder: str | os.PathLike[str] | None,
    asked: Settings,
    engine: Engine,
    watching: Callable[[], AbstractContextManager[Watcher | None]] = nullcontext,
) -> Iterator[tuple[Side, Side]]:
    """The sessions at two places; where these are no audits, they're audited into `before` and `after` in `folder`.
    Without one these audits are gone when the block ends, which reads the steps of some runs from them."""
    with nullcontext(folder) if folder is not None else TemporaryDirectory(prefix="analyze-session-") as root:

        def side(place: str, name: str) -> Side:
            folder = Path(place)
            if folder.name == DATABASE and folder.is_file():
                folder = folder.parent
            elif not (folder / DATABASE).is_file():
                folder = Path(root, name)
                with watching() as watcher:
                    run([place], folder, asked, engine, watcher)
            return load(folder, place)

        yield side(places[0], "before"), side(places[1], "after")
