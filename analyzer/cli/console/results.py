"""What the commands hand to a writer: one class per kind of result.

These classes hold finished models and nothing else; a help page needs them, so they import no model when they are
imported.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from analyzer.audit.store.store import Store
    from analyzer.case_study.bench_folder import Recorded
    from analyzer.checkup import Checkup
    from analyzer.guard import Alarm
    from analyzer.model.audit_report import AuditReport
    from analyzer.model.backtest import Backtest
    from analyzer.model.case_study import CaseStudy, CaseStudyIndex
    from analyzer.model.comparison import Comparison
    from analyzer.model.difference import DifferenceReport
    from analyzer.model.postmortem import Report
    from analyzer.model.search import Search
    from analyzer.model.step_texts import Recording
    from analyzer.report.action_table import Table
    from analyzer.report.results import Results


@dataclass(frozen=True, slots=True)
class Asked:
    """Which detectors were asked, and the severity from which on a finding is a failure."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    fail_on: str | None = None


@dataclass(frozen=True, slots=True)
class PostMortemResult:
    """The sessions of one transcript; `recordings` has the texts of their steps where the format shows them."""

    report: Report
    recordings: Sequence[Recording] = ()
    asked: Asked = Asked()

    def findings(self) -> Results:
        """Its findings as rows."""
        from analyzer.report.results import Results

        return Results.of_report(self.report)


@dataclass(frozen=True, slots=True)
class AuditResult:
    """All sessions of an audit."""

    report: AuditReport
    store: Store
    asked: Asked = Asked()

    def findings(self) -> Results:
        """Its findings as rows."""
        from analyzer.report.results import Results

        return Results.of_tables(*map(self.store.rows, ("sessions", "findings", "failures", "problems")))


@dataclass(frozen=True, slots=True)
class TimelineResult:
    """The actions of each session; `full` says whether the texts of the steps are shown."""

    tables: Sequence[Table]
    full: bool = False


@dataclass(frozen=True, slots=True)
class ComparisonResult:
    """Two sets of sessions, compared."""

    comparison: Comparison


@dataclass(frozen=True, slots=True)
class BacktestResult:
    """Policies, replayed over past runs."""

    backtest: Backtest


@dataclass(frozen=True, slots=True)
class CaseStudyResult:
    """One case study; `templates` and `template` are the user's own."""

    study: CaseStudy
    templates: Path | None = None
    template: Path | None = None


@dataclass(frozen=True, slots=True)
class CaseStudyIndexResult:
    """The list of several case studies."""

    index: CaseStudyIndex
    templates: Path | None = None


@dataclass(frozen=True, slots=True)
class DifferenceResult:
    """What sessions changed in their files; `stat` leaves all but the counts out."""

    report: DifferenceReport
    stat: bool = False


@dataclass(frozen=True, slots=True)
class CheckResult:
    """How well files were read."""

    checkups: Sequence[Checkup]


@dataclass(frozen=True, slots=True)
class BenchResult:
    """The runs of a scenario, and the case study that they make."""

    study: CaseStudy
    recorded: Sequence[Recorded]


@dataclass(frozen=True, slots=True)
class AlarmResult:
    """One alarm of a session that is followed; `brief` leaves out the message to the agent."""

    session: str
    alarm: Alarm
    brief: bool = False


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What was found in the sessions of the audit in `folder`."""

    search: Search
    folder: str
