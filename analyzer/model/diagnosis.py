"""What a session means: its causes, what brought them in, what steps do to the files against earlier ones, what would
have helped, and what an early stop would have saved."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from analyzer.model.finding import Cost, Place
from analyzer.model.struct import Meta, Public, field
from analyzer.model.words import MAIN_LANE


class ProvenanceKind(StrEnum):
    """How the cause of a failure came in."""

    OWN_EDIT = "own-edit"
    """The agent's own edit wrote the failing line, or took out what it needs."""
    TEST_DATA = "test-data"
    """A test, a helper, a factory, a fixture or a data file supplies what the implementation refuses."""
    TEST_CODE = "test-code"
    """The test's own line raises: a name that it doesn't import, an index that isn't there."""
    ENVIRONMENT = "environment"
    """Something that the program needs isn't there: a module, a program, a service."""
    INVENTED = "invented"
    """A name, a path or a value that nothing in the session had shown before the agent used it."""
    DIFFERENT_CALL = "different-call"
    """The call differs from one that worked."""
    BASELINE = "baseline"
    """The failure was there before the agent changed anything."""


class Provenance(Public, frozen=True, kw_only=True):
    """Where the cause of a failure came in, as far as the session shows it."""

    kind: ProvenanceKind
    """How it came in."""
    introduced_at: int | None
    """The step of the same lane that brought it in; null where no step did."""
    file: str | None
    """The file that holds it."""
    line: int | None
    """1-based, as of the step that shows it."""
    quote: str | None
    """The line, value or message that shows it, to the letter."""
    confidence: Annotated[float, Meta(ge=0, le=1)]
    """How sure that is."""
    reason: str
    """What the session shows, in one sentence without a full stop."""


class MoveKind(StrEnum):
    """How a step relates to an earlier one."""

    TAKES_BACK = "takes-back"
    """It reverses what the earlier step changed in a file."""
    FILE_RESTORED = "file-restored"
    """The file is again what it was before the earlier step, and other steps changed it in between."""
    REMOVES_OWN = "removes-own"
    """It removes a file that the earlier step made."""
    REPEATS_EDIT = "repeats-edit"
    """It replaces the same text by the same other text as the earlier step."""
    STACKS = "stacks"
    """It puts in lines that are right there already."""
    NOW_PASSES = "now-passes"
    """A check that failed on the original code, at the earlier step, and passes now."""


class Move(Public, frozen=True, kw_only=True):
    """One such relation."""

    kind: MoveKind
    """Which one."""
    step: int | None
    """The earlier step of the same lane; null where no step is known."""
    file: str | None = None
    """The file, where it's one."""


Where = Literal["guard", "instructions", "prompt", "harness", "tool"]
"""What an improvement changes: the guard's configuration, the project's instructions file, the prompt, the program that
runs the agent, or the definition of a tool."""
Part = Literal["asked", "delivered", "said", "known", "wrong", "user", "steps", "cost", "next"]
"""What a statement of the lead says."""


class Reason(Public, frozen=True, kw_only=True):
    """One reason why the agent failed, with what shows it."""

    title: str
    """The reason in a few words."""
    text: str
    """The reason in whole sentences."""
    steps: list[int]
    """The steps that show it."""


class Attempt(Public, frozen=True, kw_only=True):
    """One attempt at getting past a failure."""

    steps: list[int]
    """The steps of the attempt."""
    intent: str
    """What the agent said it wanted; empty where it said nothing."""
    change: str
    """What it changed or tried."""
    result: str
    """What came back."""
    new: str = ""
    """What was new in it compared with the attempts before; empty for the first."""


class Approach(Public, frozen=True, kw_only=True):
    """A really different way to go on."""

    title: str
    """In a few words."""
    text: str
    """What to do, in this session's terms."""


class Improvement(Public, frozen=True, kw_only=True):
    """A change to the agent, its prompts or its tools that would have helped here."""

    priority: int
    """1 is first."""
    title: str
    """What to add."""
    impact: str
    """What it would have saved here."""
    why: str
    """Why, from this session."""
    change: str
    """What to change and where in an agent loop."""
    phase: Literal["now", "next", "later"]
    """When."""
    sketch: str | None = None
    """A few lines of code or prompt."""
    language: str | None = None
    """The language of the sketch, for highlighting."""
    where: Where = "harness"
    """What to change."""
    target: str = ""
    """The file, tool or call that is to be changed, where it has a name."""
    saves: Cost | None = None
    """What it would have saved here: actions, and the seconds, tokens and USD where the log records them; null where no
    step is known that it would have saved."""


ANSWERED = "The agent answered:"
"""How a headline begins that is the answer of the agent."""


class Statement(Public, frozen=True, kw_only=True):
    """One statement of the lead."""

    part: Part
    """What it says."""
    text: str
    """The statement in whole sentences."""
    steps: list[int]
    """The steps that show it."""
    lane: str = MAIN_LANE
    """The lane whose steps are meant."""
    first: bool = False
    """Whether it belongs to the first screen of a page, which has at most 120 words with the headline."""


class Diagnosis(Public, frozen=True, kw_only=True):
    """What it means."""

    headline: str
    """The whole story in a sentence or two: what came out, what shows it, what speaks against it."""
    lead: list[Statement] = field(default_factory=list)
    """What was asked, what was delivered and said, how that is known, what went wrong, what the user thought of it,
    how the steps went, what it cost and what to do next, as far as the headline doesn't say it."""
    root_cause: str | None
    """Where the trouble comes from; null when there was none or nothing shows it."""
    about: int | None = None
    """The position in `findings`, from 0, of the finding that this is about; null when there was none."""
    cause: int | None = None
    """The position in `findings` of the finding that is taken for the root cause; it may be the same."""
    fault: Place | None
    """The place in the code that the root cause names."""
    provenance: Provenance | None = None
    """What brought the cause of the failure in that this is about; null where nothing in the session shows it."""
    edited_instead: list[str]
    """The files changed instead."""
    requirement: str | None
    """What the error message demands, compared with what was given."""
    story: list[str]
    """What happened, in a few sentences with their steps."""
    contributing: list[str]
    """Other causes."""
    reasons: list[Reason]
    """Why the agent failed."""
    attempts: list[Attempt]
    """What was tried."""
    step_back: list[str]
    """Questions that would have helped."""
    approaches: list[Approach]
    """Really different ways to go on."""
    improvements: list[Improvement]
    """Changes to the agent."""
    lessons: list[str]
    """What to remember."""


class PolicyResult(Public, frozen=True, kw_only=True):
    """What a guard rule of the field would have done."""

    policy: str
    """The rule."""
    fires: bool
    """Whether it would have stopped the session."""
    at_step: int | None
    """When."""
    why: str
    """Why, or why not."""
    saves: int | None = None
    """The actions inside the finding that were sent after that step and failed, came back or made no difference; null
    where it fires outside of it, or not at all."""
    false_alarm: bool | None = None
    """Whether it fires where no detector found anything; null where it doesn't fire."""


class EarlyStop(Public, frozen=True, kw_only=True):
    """What noticing early would have saved."""

    detectable_at: int | None
    """The step at which the worst finding was already plain; null when there is nothing to stop."""
    actions_saved: int | None
    """The actions inside the finding that were sent after that step and failed, came back or made no difference."""
    fraction_saved: float | None
    """`actions_saved` as a share of the actions that came after the repeated result first showed."""
    seconds_saved: float | None
    """Seconds that these took, each stretch from the end of the step before it, where the log has times."""
    tokens_saved: int | None = None
    """Tokens that the actions saved took, where the log records them per step."""
    usd_saved: float | None = None
    """What the actions saved cost in USD, where the log records it per step."""
    policies: list[PolicyResult]
    """Guard rules, replayed."""
