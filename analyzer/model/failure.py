"""What went wrong at one step, and which steps show the same thing again."""

from __future__ import annotations

from typing import Literal

from analyzer.model.struct import Struct, field
from analyzer.model.words import FailureKind, FrameRole, OriginRole


class Frame(Struct, frozen=True):
    """One line of a stack trace. `code` is the source line that the trace itself shows, `guard` the condition under
    which it runs, where the trace shows that too (`if len(knots) < 8` above a `raise`). `shown_at` is the step that
    showed the code where the trace itself doesn't."""

    file: str
    line: int | None
    function: str | None
    role: FrameRole
    code: str | None = None
    guard: str | None = None
    shown_at: int | None = None


class CodeLine(Struct, frozen=True):
    """One line of a file as something in the transcript shows it, 1-based, without the white space around it.
    `shown_at` is the step that showed it, None for a line of the trace itself."""

    file: str
    line: int | None
    text: str
    shown_at: int | None = None


class Origin(Struct):
    """Where a failure comes from, how sure that is (0 to 1) and why, in one sentence. `code` is the line at that place,
    where the transcript shows it, `shown_at` the step that did, None where the trace itself does."""

    role: OriginRole
    confidence: float
    reason: str
    file: str | None = None
    line: int | None = None
    function: str | None = None
    code: str | None = None
    shown_at: int | None = None


APPROVAL_NEEDED = "ApprovalNeeded"
"""The type of a failure that is a call's want of somebody's leave."""
BLOCKED = "Blocked"
"""The type of a failure that is a rule's refusal of a call."""
USER_REJECTED = "UserRejected"
"""The type of a failure that is a person's decision."""
FORMAT_REJECTED = "FormatError"
"""The type of a failure of a message whose format the harness rejected, so that nothing ran."""


class Failure(Struct):
    """A result that shows something failing.

    `message` is the sharpest line of it without the type, `type` the name of the exception or error class. `frames` go
    from the outermost call to where it was raised. `failing_tests` are ids as the runner prints them. `counts` has what
    the runner summed up (`failed`, `passed`, `errors`). `expected` is True for a reproduction that is meant to fail
    before the fix. `recorded` is True when the log itself says that the call failed. `subject` tells failures without a
    telling message apart (the command that timed out). `labelled` is True where `type` is the word of this program for
    it, and nothing that the result says, `unexplained` where a check marks a line and gives no message. `group` is set
    when the session's failures are grouped. `origin` is what the whole session says about where it comes from,
    `origin_then` what could be known when it showed.
    """

    kind: FailureKind
    type: str | None
    message: str
    language: str | None = None
    runner: str | None = None
    frames: tuple[Frame, ...] = ()
    failing_tests: tuple[str, ...] = ()
    counts: dict[str, int] = field(default_factory=dict)
    expected: bool = False
    recorded: bool = False
    subject: str | None = None
    labelled: bool = False
    unexplained: bool = False
    origin: Origin | None = None
    origin_then: Origin | None = None
    group: str | None = None

    @property
    def is_decision(self) -> bool:
        """Whether a person decided against the call, so that nothing went wrong."""
        return self.kind is FailureKind.DENIED and self.type == USER_REJECTED

    @property
    def is_held_back(self) -> bool:
        """Whether the call waits for somebody's leave, so that it never ran."""
        return self.kind is FailureKind.DENIED and self.type == APPROVAL_NEEDED

    @property
    def headline(self) -> str:
        """Type and message as one line, as an engineer would quote it; without a type that the result doesn't name."""
        if not self.type or (self.labelled and self.message):
            return self.message
        if not self.message:
            return self.type
        if self.message.casefold().startswith(self.type.casefold()):
            return self.message
        return f"{self.type}: {self.message}"

    @property
    def headline_with_line(self) -> str:
        """The headline, with the line at which the innermost frame stands where one is known."""
        line = self.frames[-1].line if self.frames else None
        return f"{self.headline} at line {line}" if line is not None else self.headline


class FailureGroup(Struct):
    """Steps that show the same failure again.

    `identical` means that type, message, failing tests and the place that raised are the same; `near-identical` that
    the place differs, or that the rest is equal once line numbers, temporary paths, ids and the like are masked, or
    nearly so. `template` is the masked headline;
    `varied` says what differed between members, as `label: first -> last`.
    """

    id: str
    match: Literal["identical", "near-identical"]
    steps: list[int]
    lane: str
    type: str | None
    template: str
    varied: tuple[str, ...] = ()
