"""What the commands hand to a writer: one class per kind of result.

These classes hold finished models and nothing else; a help page needs them, so they import no model when they are
imported.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from analyzer.model.struct import Struct

if TYPE_CHECKING:
    from analyzer.audit.store.store import Store
    from analyzer.case_study.bench_run import Recorded
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


class Asked(Struct, frozen=True):
    """Which detectors were asked, and the severity from which on a finding is a failure."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    fail_on: str | None = None


class PostMortemResult(Struct, frozen=True):
    """The sessions of one transcript; `recordings` has the texts of their steps where the format shows them."""

    report: Report
    recordings: Sequence[Recording] = ()
    asked: Asked = Asked()


class AuditResult(Struct, frozen=True):
    """All sessions of an audit."""

    report: AuditReport
    store: Store
    asked: Asked = Asked()


class TimelineResult(Struct, frozen=True):
    """The actions of each session; `full` says whether the texts of the steps are shown."""

    tables: Sequence[Table]
    full: bool = False


class ComparisonResult(Struct, frozen=True):
    """Two sets of sessions, compared."""

    comparison: Comparison


class BacktestResult(Struct, frozen=True):
    """Policies, replayed over past runs."""

    backtest: Backtest


class CaseStudyResult(Struct, frozen=True):
    """One case study; `templates` and `template` are the user's own."""

    study: CaseStudy
    templates: Path | None = None
    template: Path | None = None


class CaseStudyIndexResult(Struct, frozen=True):
    """The list of several case studies."""

    index: CaseStudyIndex
    templates: Path | None = None


class DifferenceResult(Struct, frozen=True):
    """What sessions changed in their files; `stat` leaves all but the counts out."""

    report: DifferenceReport
    stat: bool = False


class CheckResult(Struct, frozen=True):
    """How well files were read."""

    checkups: Sequence[Checkup]


class BenchResult(Struct, frozen=True):
    """The runs of a scenario, and the case study that they make."""

    study: CaseStudy
    recorded: Sequence[Recorded]


class AlarmResult(Struct, frozen=True):
    """One alarm of a session that is followed; `brief` leaves out the message to the agent."""

    session: str
    alarm: Alarm
    brief: bool = False


class SearchResult(Struct, frozen=True):
    """What was found in the sessions of the audit in `folder`."""

    search: Search
    folder: str
