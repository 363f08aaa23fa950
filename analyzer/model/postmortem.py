"""The post-mortem: everything that is said about the sessions of one transcript. This is the JSON contract, version
1."""

from __future__ import annotations

from typing import Annotated, Literal

from analyzer.model.diagnosis import Diagnosis, EarlyStop, Move, Provenance
from analyzer.model.finding import Finding
from analyzer.model.ledger import LedgerEntry
from analyzer.model.session_summary import SessionSummary, TokenCounts
from analyzer.model.spending import Spending
from analyzer.model.struct import Meta, Public, field
from analyzer.model.words import (
    Basis,
    DeliverableKind,
    FailureKind,
    FrameRole,
    Kind,
    NotRun,
    OriginRole,
    OutcomeStatus,
    Repeat,
    ShownKind,
    Status,
    StatusSource,
)

SCHEMA_VERSION: Literal["1.0"] = "1.0"


class Source(Public, frozen=True, kw_only=True):
    """The file that was read."""

    path: str
    """As given on the command line; `<stdin>` for standard input."""
    format: str
    """The transcript format that was recognised."""
    size_bytes: int
    """Its size in bytes."""
    sha256: str
    """The SHA-256 of its bytes, in hexadecimal."""


class Deliverable(Public, frozen=True, kw_only=True):
    """What the session leaves behind, as far as the log shows it."""

    kind: DeliverableKind
    """What it is."""
    files: list[str] = field(default_factory=list)
    """The changed files, those that only served to try something out at the end."""
    scratch: list[str] = field(default_factory=list)
    """Those of them that only served to try something out, and were left at the end."""
    created: list[str] = field(default_factory=list)
    """Those of them of which a result says that they were new."""
    written: list[str] = field(default_factory=list)
    """Those of them that were written whole, with nothing recorded of whether they had been there."""
    deleted: list[str] = field(default_factory=list)
    """Those of them that are gone at the end."""


class Outcome(Public, frozen=True, kw_only=True):
    """How the session ended."""

    status: OutcomeStatus
    """In one word."""
    words: str = ""
    """What is known of it, in a few words for people: `done and checked`, `done by its own report, not checked`,
    `answered`, `stopped by a limit`."""
    confidence: Annotated[float, Meta(ge=0, le=1)]
    """How sure that is."""
    reason: str
    """Why, in one sentence."""
    evidence_steps: list[int]
    """The steps that show it."""
    basis: Basis = Basis.NONE
    """What it rests on."""
    deliverable: Deliverable | None = None
    """What the session leaves behind; null where the log doesn't show it."""


class TimelineRow(Public, frozen=True, kw_only=True):
    """One action."""

    step: int
    """Its number in its lane, from 1."""
    lane: str
    """`main` or a sub-agent."""
    tool: str
    """The tool's name as recorded."""
    kind: Kind
    """What it does."""
    target: str
    """The file, command or pattern it works on."""
    status: Status
    """Whether it failed."""
    status_source: StatusSource
    """Whether the log says so."""
    decided_by: str | None = None
    """What the status rests on: the log's flag, the exit code, or a reader and the piece of the result."""
    exit_code: int | None
    """The recorded exit code."""
    repeats_step: int | None = None
    """The latest earlier step that made the same call on the same state of what it touches, or that showed the same
    failure; null where none did."""
    repeats_as: Repeat | None = None
    """In what way it repeats that step."""
    failure_group: str | None
    """The group of its failure."""
    started_at: str | None
    """RFC 3339."""
    duration_seconds: float | None
    """Recorded, or null."""
    summary: str
    """One line."""
    tokens: TokenCounts | None = None
    """What the model used to ask for it; of actions that were asked for together the first has it. Null where the log
    doesn't record it."""
    cost_usd: float | None = None
    """What that cost in USD, where the log records it."""
    state: str | None = None
    """The state of the workspace on which it ran, as far as the log shows it; equal states have equal ids within a
    session. A question mark ends the id of a state that something with unknown effects has led to."""
    moves: list[Move] = field(default_factory=list)
    """What it does to the files against earlier steps: takes back, repeats, restores; and which checks pass what failed
    before."""
    checks: bool = False
    """Whether it is a command that lints or checks types, which the pages count as a check as they do tests."""
    changes: bool = False
    """Whether the code of the project, a page or a setting was another one after it than before it, or gone, as far as
    the log shows that; the pictures count a command that did so as a change. Files to try things out and what is only
    there to be read count for nothing."""
    called: str = ""
    """The first part of `summary`: what was called on what."""
    came_back: list[str] = field(default_factory=list)
    """The second part in pieces, where the status alone doesn't say it: the error, how much of it there is, whether it
    is back, whether it's the one that was to be fixed; why it never ran, or not to its end."""
    error_is_back: bool = False
    """Whether it fails as an earlier step of its lane did."""
    result_characters: int | None = None
    """How many characters its result has, without blanks around it; null where the log holds none."""
    not_run: NotRun | None = None
    """Why it never ran, or not to its end: it was refused or waited for leave, another call of the same message failed,
    or it was stopped while it ran. The pages don't count it as failed, whatever its status."""
    shown_kind: ShownKind = ShownKind.OTHER
    """What the pages call what it does: its `kind`, and of calls of kind `other` what their names and arguments say."""

    @property
    def shown_as(self) -> Status:
        """Its status as the pages count it: a call that never ran, or not to its end, neither succeeded nor failed."""
        return self.status if self.not_run is None else Status.UNKNOWN


class FrameRow(Public, frozen=True, kw_only=True):
    """One frame of a trace."""

    file: str
    """As printed."""
    line: int | None
    """1-based."""
    function: str | None
    """Around it."""
    role: FrameRole
    """Whose code it is."""


class OriginRow(Public, frozen=True, kw_only=True):
    """Where a failure comes from."""

    role: OriginRole
    """Whose fault it is."""
    file: str | None
    """The file that holds the cause, or the deepest known place."""
    line: int | None
    """1-based."""
    function: str | None
    """Around it."""
    confidence: float
    """How sure that is."""
    reason: str
    """Why, in one sentence."""
    code: str | None
    """The line at that place, where something in the transcript shows it."""


class FailureRow(Public, frozen=True, kw_only=True):
    """What went wrong at one step."""

    step: int
    """The step that failed."""
    lane: str
    """Its lane."""
    group: str | None
    """The failure group; steps of one group show the same failure."""
    fingerprint: str
    """A name for what failed that is the same on every machine and in every run, with the version of the masks in
    front."""
    kind: FailureKind
    """What sort of failure."""
    type: str | None
    """The exception or error class."""
    headline: str = ""
    """Type and message, without a type that the result doesn't name, at most 1,000 characters."""
    message: str
    """The sharpest line."""
    runner: str | None
    """The test runner or compiler that printed it."""
    language: str | None
    """The programming language of the trace."""
    failing_tests: list[str]
    """Ids as the runner prints them."""
    counts: dict[str, int]
    """What the runner or the compiler counted: `failed`, `passed`, `skipped`, `errors`, `warnings`."""
    expected: bool
    """A reproduction that is meant to fail before the fix."""
    origin: OriginRow
    """Where it comes from."""
    frames: list[FrameRow]
    """From the outermost call to where it was raised."""
    provenance: Provenance | None = None
    """What brought the cause in, for the first step of each failure group; null for the others, and where nothing in
    the session shows it."""


class FailureGroupRow(Public, frozen=True, kw_only=True):
    """Steps that show the same failure."""

    group: str
    """The group's name."""
    match: Literal["identical", "near-identical"]
    """Equal to the letter and raised at the same place, or equal but for noise or the place."""
    count: int
    """How many steps."""
    steps: list[int]
    """Which steps."""
    lane: str
    """Their lane."""
    type: str | None
    """The exception or error class."""
    template: str
    """Type and message with the varying parts masked."""
    varied: list[str]
    """What differed between members."""
    provenance: Provenance | None = None
    """What brought the cause in; null where nothing in the session shows it."""


class Repetition(Public, frozen=True, kw_only=True):
    """Something that comes round several times and is no loop."""

    pattern: str
    """What people call it, such as `polling`."""
    lane: str
    """The lane whose steps are meant."""
    first_step: int
    """The first of `steps`."""
    last_step: int
    """The last of `steps`."""
    steps: list[int]
    """The steps that come round."""
    rounds: int
    """How many."""
    why: str
    """Why it's none, in one sentence without a full stop."""


class WarningRow(Public, frozen=True, kw_only=True):
    """Something that could not be read."""

    where: str
    """Line, record or key."""
    what: str
    """What was wrong and what was done about it."""


class PostMortem(Public, frozen=True, kw_only=True):
    """All of it for one session."""

    session: SessionSummary
    """The facts."""
    outcome: Outcome
    """How it ended."""
    ledger: list[LedgerEntry] = field(default_factory=list)
    """Turn by turn what the user asked for, what was done, checked, claimed and lost, and what the user said of it."""
    timeline: list[TimelineRow]
    """Every action."""
    failures: list[FailureRow]
    """Every failure."""
    failure_groups: list[FailureGroupRow]
    """Failures that came back."""
    findings: list[Finding]
    """What the detectors say, the worst first."""
    diagnosis: Diagnosis
    """What it means."""
    early_stop: EarlyStop
    """What noticing early would have saved."""
    spending: Spending | None = None
    """Where actions, time, tokens and money went; null for a session without actions, tokens and a recorded
    cost."""
    repetition: list[Repetition] = field(default_factory=list)
    """Repetition that is no loop, by name."""
    warnings: list[WarningRow]
    """What could not be read."""


class Report(Public, frozen=True, kw_only=True):
    """The whole output for one transcript."""

    schema_version: Literal["1.0"] = SCHEMA_VERSION
    """The version of this contract."""
    source: Source
    """The file."""
    sessions: list[PostMortem]
    """Its sessions, in file order."""
