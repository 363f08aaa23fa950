"""One step of the timeline: a call, what it does, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analyzer.model.failure import Failure
from analyzer.model.session import Usage
from analyzer.model.struct import Struct, field, force_setattr
from analyzer.model.words import MAIN_LANE, FailureKind, Kind, Mark, Repeat, Status, StatusSource


class Edit(Struct, frozen=True):
    """A change to one file. `before` and `after` are the texts replaced and put in, where the call shows them; `lines`
    is the replaced range (1-based, inclusive) where the call names one. `created` is True for a call that writes a
    whole file."""

    path: str
    before: str | None = None
    after: str | None = None
    lines: tuple[int, int] | None = None
    created: bool = False


class Command(Struct, frozen=True):
    """One simple command of a shell line: the program's base name, its words after it, and the text as written.
    `elsewhere` is True where another command runs it in a container or on another machine."""

    program: str
    args: tuple[str, ...]
    text: str
    elsewhere: bool = False


class Operation(Struct):
    """What a call does, whatever the tool is called.

    `target` is what a person would name it by: the file for reads and edits, the command line for runs and tests, the
    pattern for searches. `commands` are the simple commands of a shell line; `runner` the test runner or, without one,
    the first compiler among them, `runners` all of either.
    `lines` is the part of a file that a read shows (1-based, inclusive; the end may be None). `writes` are the files
    into which a shell line redirects output, `directory` is the one to which it changes first.
    """

    kind: Kind
    target: str
    path: str | None = None
    command: str | None = None
    commands: tuple[Command, ...] = ()
    runner: str | None = None
    runners: tuple[str, ...] = ()
    edits: tuple[Edit, ...] = ()
    lines: tuple[int, int | None] | None = None
    writes: tuple[str, ...] = ()
    directory: str | None = None


class Call(Struct, frozen=True):
    """A call in its place among the calls of its lane, before anything is known of what came back.

    `said` is what the agent said or thought since its previous call: its stated intent. `after_user` is True when the
    user said something between the previous call and this one. `usage` is what the model used to ask for it.
    `compacted_by_user` is True where every compaction before it was ordered by the user. `asks_agent` is True where
    another agent is asked, whose answer is the result. `started_at` is in seconds since 1970.
    """

    step: int
    tool: str
    arguments: Mapping[str, Any] | str
    operation: Operation
    lane: str = MAIN_LANE
    said: str = ""
    after_user: bool = False
    batch: str | None = None
    harness: bool = False
    task_done: bool = False
    asks_agent: bool = False
    started_at: float | None = None
    compacted_before: bool = False
    compacted_by_user: bool = False
    usage: Usage | None = None

    @property
    def place(self) -> tuple[str, int]:
        """The lane and the step, which no other call of the session has."""
        return self.lane, self.step


class Answer(Struct, frozen=True):
    """What came back for a call. `text` is None where the log holds no result of it; `blanked` is True where it holds
    one whose text a recorder blanked out, and `text` is empty. `duration` is in seconds, and `own_duration` is True
    where the log itself gives it. `handle` is the id by which later calls ask for what runs on, `time` when the result
    was recorded, in seconds since 1970."""

    text: str | None = None
    blanked: bool = False
    is_error: bool | None = None
    exit_code: int | None = None
    mark: Mark | None = None
    error_type: str | None = None
    score: float | None = None
    duration: float | None = None
    own_duration: bool = False
    handle: str | None = None
    time: float | None = None


class Keys(Struct):
    """What makes two actions equal, track by track. Empty where the action has nothing on that track.

    `call` is the canonical call; `call_masked` the same without what varies by itself (ids, temporary paths); `outcome`
    and `outcome_masked` are the same for the result, and `outcome_unnamed` leaves out the names, times and numbers that
    only say which answer it is as well; the latter two are filled in when they're first asked for. `browser_action` is
    what a browser that is asked in words reports to have done, and takes the place of the request in `call`;
    `browser_page` is the page that it shows then.
    """

    call: str = ""
    call_masked: str = ""
    outcome: str = ""
    outcome_masked: str = ""
    outcome_unnamed: str = ""
    browser_action: str = ""
    browser_page: str = ""


class Action(Call, frozen=True):
    """One tool call with its result. The fields that `Answer` has, too, mean the same here; `result` is the text of the
    answer, with what came of the call later.

    `decided_by` is what the status rests on (the log's flag, the exit code, or the piece of the result),
    `status_confidence` how sure it is (0 to 1). `repeats_step` is the latest earlier step of the lane that made the
    same call on the same state of what it touches, or that showed the same failure, and `repeats_as` says which of
    these it is. `duration` is None where the time is somebody else's than the tool's, who had to allow or answer the
    call: then it's `waited`. `unended` says why nothing is known of how it ended where it ran in the background.
    `score` is how the log rates the state after it. `state` is the id of the state of the workspace on which it ran,
    and `directory` where; both are empty where that isn't known. `unfinished` is True for the call with which the
    recording breaks off. `kind` is that of the operation.
    """

    result: str | None = None
    blanked: bool = False
    status: Status = Status.UNKNOWN
    status_source: StatusSource = StatusSource.INFERRED
    decided_by: str | None = None
    status_confidence: float = 0.0
    exit_code: int | None = None
    mark: Mark | None = None
    failure: Failure | None = None
    unfinished: bool = False
    unended: str | None = None
    duration: float | None = None
    waited: float | None = None
    score: float | None = None
    keys: Keys = field(default_factory=Keys)
    repeats_step: int | None = None
    repeats_as: Repeat | None = None
    state: str = ""
    directory: str = ""
    kind: Kind = Kind.OTHER

    def __post_init__(self) -> None:
        """Take over what the call does."""
        force_setattr(self, "kind", self.operation.kind)

    @property
    def accepted_edits(self) -> tuple[Edit, ...]:
        """The edits that were made: none where the recording breaks off with the call, or where it failed, unless what
        failed is a test run behind them, which counts what passed as well."""
        edits = self.operation.edits
        if self.unfinished or not edits or self.failure is None:
            return () if self.unfinished else edits
        tested = self.operation.kind is Kind.TEST or self.failure.kind is FailureKind.TEST
        return edits if tested or "passed" in self.failure.counts else ()

    @property
    def failed(self) -> bool:
        """Whether this step shows a failure of its own (a call cancelled because its neighbour failed does not)."""
        return self.failure is not None and self.mark is not Mark.CASCADE
