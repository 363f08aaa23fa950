"""A case study: what several recorded runs of one scenario say together. This is the context that templates get, and
what `-f json` prints."""

from __future__ import annotations

from typing import Annotated, Literal

from analyzer.model.finding import Evidence
from analyzer.model.postmortem import PostMortem
from analyzer.model.scenario import Scenario
from analyzer.model.struct import Meta, Public, field
from analyzer.model.words import MAIN_LANE

CASE_STUDY_VERSION: Literal["1.0"] = "1.0"

Deviation = Literal["missing", "extra", "reordered", "wrong-arguments", "wrong-result", "failed"]
Passing = Literal["passed-on", "cut", "changed", "not-substituted", "lost", "empty", "unknown"]
"""What became of a result that a later call was to get: passed on whole, cut, something else, the reference itself as
text, nothing, a value although the step returned nothing there (`empty`), or unknown."""


class ArgumentDifference(Public, frozen=True, kw_only=True):
    """An argument that isn't as the plan wants it."""

    name: str
    """The argument."""
    expected: str
    """What the plan wants, as text."""
    given: str | None
    """What the call has, clipped; null where it hasn't this argument."""
    renamed_to: str | None = None
    """Another argument of the call that has the expected value."""


class Reference(Public, frozen=True, kw_only=True):
    """A result of an earlier step that a call was to get."""

    argument: str
    """The argument that should hold it."""
    source: str
    """The plan's step that gave it."""
    source_step: int | None
    """The action that gave it."""
    passed: Passing
    """What became of it."""
    share: float | None = None
    """How much of it arrived, from 0 to 1."""
    given: str | None = None
    """What the call has in that argument, clipped; null where it has nothing."""


class PlanRow(Public, frozen=True, kw_only=True):
    """One step of the plan and what a run did of it."""

    step: str
    """`step_N`, or the id that the scenario gives."""
    tool: str
    """The expected tool."""
    done: bool
    """Whether the run carried it out, with success, as far as the log shows."""
    conforms: bool
    """Whether it did so as the plan wants it."""
    action: int | None
    """The action that is taken for it."""
    attempts: int = 0
    """How many actions tried it."""
    deviations: list[Deviation] = field(default_factory=list)
    """What was different."""
    arguments: list[ArgumentDifference] = field(default_factory=list)
    """Arguments that differ."""
    references: list[Reference] = field(default_factory=list)
    """Results that it was to get."""


class Conformance(Public, frozen=True, kw_only=True):
    """How a run compares with the plan."""

    rows: list[PlanRow]
    """The plan's steps in order, as they were aligned with the run."""
    extra: list[int]
    """Actions of the execution that no step of the plan explains, looks apart."""
    planning_actions: list[int]
    """Actions of the planning phase."""
    repairs: int
    """How often a plan was made or revised after it was refused, or after one of its actions failed."""
    reached: int
    """How many steps of the plan, from the first on and without a gap, were done."""
    fitness: Annotated[float, Meta(ge=0, le=1)]
    """Alignment-based fitness (van der Aalst, Adriansyah, van Dongen 2012): 1 less the cost of the best alignment over
    that of the worst."""
    precision: float | None
    """The share of the execution's actions that the plan explains; null where there are none."""
    other_way: bool
    """Whether the run succeeded although it didn't follow the plan."""


class Check(Public, frozen=True, kw_only=True):
    """One check of success."""

    subject: Literal["answer", "file", "record", "exit-status", "findings"]
    """What it looks at: the final answer, a file, what the log records of the ending, the command's exit status, or the
    findings."""
    what: str
    """What is checked, in words."""
    passed: bool | None
    """Whether it holds; null where the log doesn't show it."""
    evidence: Evidence | None = None
    """What shows it."""


class Repair(Public, frozen=True, kw_only=True):
    """Calls of a tool that were rejected because of their arguments until one was accepted."""

    tool: str
    """The tool whose arguments they are."""
    phase: Literal["planning", "execution"]
    """Whether a plan or a call was repaired."""
    rejected: list[int]
    """The actions that were rejected: what the repair cost."""
    accepted: int
    """The action that was accepted."""
    changed: str
    """What the accepted one gives otherwise than the first that was rejected."""


class Run(Public, frozen=True, kw_only=True):
    """One run of the scenario."""

    number: int
    """Its place, from 1."""
    name: str
    """What the document calls it: the session's id, or the file's name."""
    path: str
    """The file."""
    post_mortem: PostMortem
    """All that is said about it."""
    conformance: Conformance | None
    """How it compares with the plan; null without one."""
    checks: list[Check]
    """The checks of success."""
    succeeded: bool | None
    """Whether all checks hold; null where that isn't known."""
    phase: Literal["planning", "execution", "result", "none"]
    """Where the first failure that mattered happened: in planning, in carrying out, in a result that is wrong although
    every step ran, or nowhere."""
    repairs: list[Repair] = field(default_factory=list)
    """The rejections that the run got over: no failures, but calls that were lost."""

    @property
    def rows(self) -> list[PlanRow]:
        """The steps of the plan; none without a plan."""
        return self.conformance.rows if self.conformance is not None else []

    def row(self, step: str | None) -> PlanRow | None:
        """The step of that name; None where it hasn't got one."""
        return next((row for row in self.rows if row.step == step), None)

    def fingerprint(self, step: int | None) -> str | None:
        """That of the failure which an action of the main lane shows; None where it shows none."""
        failures = self.post_mortem.failures
        return next((entry.fingerprint for entry in failures if entry.step == step and entry.lane == MAIN_LANE), None)


class Failing(Public, frozen=True, kw_only=True):
    """One failure of the cascade."""

    run: int
    """The run's number."""
    title: str
    """The failure in a few words."""
    at: str | None
    """The plan's step or phase in which it happened."""
    step: int | None
    """The action that shows it first."""
    seen: str
    """What could be seen, in one or two sentences."""
    symptom: list[Evidence]
    """What could be seen, quoted."""
    root_cause: str
    """Why, in whole sentences."""
    hypothesis: bool
    """Whether the root cause is inferred rather than shown by the transcript."""
    detector: str | None
    """The finding it rests on, as `detector/kind`."""
    fingerprint: str | None
    """The fingerprint of the failure, if there is one."""
    solution: str | None
    """What was changed before the next run, from the scenario's fixes and the notes."""
    proposed: list[str]
    """What the findings advise; shown where nobody said what was changed."""
    commits: list[str] = field(default_factory=list)
    """Subjects of the commits of the fix."""
    files: list[str] = field(default_factory=list)
    """Files that they touch."""
    gone: bool | None
    """Whether the next run is free of it; null for the last run, and where no later run got as far."""
    gone_because: str | None
    """What shows that."""


class Lesson(Public, frozen=True, kw_only=True):
    """Something to remember."""

    text: str
    """In whole sentences."""
    runs: list[int]
    """The runs that it's drawn from."""


class Mode(Public, frozen=True, kw_only=True):
    """A way to fail that one or more trials share."""

    title: str
    """The failure in a few words."""
    runs: list[int]
    """The trials that failed so."""


class Left(Public, frozen=True, kw_only=True):
    """What a run left behind."""

    name: str
    """The file, or `the final answer`."""
    step: int
    """The action that shows it."""
    text: str
    """Its content, clipped."""


class CaseStudy(Public, frozen=True, kw_only=True):
    """The document's content."""

    schema_version: Literal["1.0"] = CASE_STUDY_VERSION
    """The version of this form, which is that of the templates' context."""
    scenario: Scenario
    """The scenario."""
    runs: list[Run]
    """The runs in order."""
    cascade: list[Failing]
    """The first failure that mattered of each run that had one."""
    succeeded: bool | None
    """Whether the last run did."""
    left: Left | None = None
    """What the last run left behind of what the checks of success look at: the last file, or the final answer."""
    pass_rate: str | None
    """How many runs passed of how many, with an interval, where they are trials of the same system."""
    trials: bool
    """Whether the runs are trials of one system, with no fix between them, rather than a story."""
    modes: list[Mode] = field(default_factory=list)
    """For trials: the ways in which they failed, the most frequent first."""
    stability: str | None = None
    """For trials: how much the failures are alike, in one sentence."""
    summary: list[str] = field(default_factory=list)
    """What happened over all runs, in a few sentences."""
    lessons: list[Lesson]
    """What was learned."""
    notes: dict[str, str]
    """What a person wrote, by section: `overview`, `scenario`, `failure-1.symptom`, `failure-1.root_cause`,
    `failure-1.solution` ..., `result`, `lessons`, `author`, `date`."""
    reminders: bool = True
    """Whether the document marks what a person has to write."""


class IndexEntry(Public, frozen=True, kw_only=True):
    """One scenario of an index."""

    title: str
    """The scenario's title."""
    link: str
    """Its document, from the index on."""
    runs: int
    """How many runs it has."""
    failures: int
    """How many of them failed."""
    reached: str
    """How far the last run came, such as `5 of 5`; empty without a plan."""
    succeeded: bool | None
    """Whether the last run did."""
    pass_rate: str | None
    """For trials, how many passed."""
    last: str | None
    """The last failure of the cascade in a few words."""


class CaseStudyIndex(Public, frozen=True, kw_only=True):
    """The page that lists the case studies of a folder."""

    schema_version: Literal["1.0"] = CASE_STUDY_VERSION
    """The version of this form."""
    entries: list[IndexEntry]
    """The scenarios by title."""
    problems: list[str] = field(default_factory=list)
    """Scenarios that no document could be written of, and why."""
