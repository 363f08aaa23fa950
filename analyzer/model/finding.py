"""What one detector says about a session."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, SerializeAsAny

from analyzer.model.words import MAIN_LANE, Category, Severity

Reason = tuple[str, str, str, tuple[int, ...]]
"""A finding by its lane, its detector, its kind and its steps."""


class Public(BaseModel):
    """Base of everything that leaves the program: immutable, and closed against keys that nobody declared."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class Evidence(Public):
    """One step and what it shows, quoted from the transcript."""

    step: int
    """The step that shows it; 0 for what was recorded before the first step."""
    quote: str
    """The transcript's own words, at most a few lines."""
    label: str = ""
    """What stands before the quote, in the program's words, where it isn't plain what is quoted: `edited` before the
    name of a file, `the user said`, `deploy answered`. Empty otherwise."""


class Taxonomy(Public):
    """The classes of published failure taxonomies that a finding belongs to."""

    mast: list[str] = Field(default_factory=list)
    """Failure modes of MAST, such as `FM-1.3`."""
    trail: list[str] = Field(default_factory=list)
    """Error categories of TRAIL."""

    @classmethod
    def of(cls, *, mast: Sequence[str] = (), trail: Sequence[str] = ()) -> Self:
        """These classes, unchecked: for constants, so that reading them costs no start-up time."""
        return cls.model_construct(mast=list(mast), trail=list(trail))


class Cost(Public):
    """What a finding cost: all from its first to its last action, and of repetitions that lie far apart their steps
    alone. Unknown is null."""

    actions: int
    """Actions spent on it."""
    seconds: float | None = None
    """Seconds from its first action to the end of its last; of steps alone, what they took themselves."""
    tokens: int | None = None
    """Tokens spent inside it, where the log records them per step."""
    usd: float | None = None
    """USD spent inside it, where the log records them per step."""


class Place(Public):
    """A place in somebody's code, with the line itself where the transcript shows it."""

    file: str
    """The file as the trace or the call names it."""
    line: int | None = None
    """1-based line number."""
    function: str | None = None
    """The function around it."""
    code: str | None = None
    """The line or lines, quoted from the transcript."""
    step: int | None = None
    """The step whose call or result shows the quoted code."""


class Payload(Public):
    """What a detector knows of a finding besides its text, as data. Detectors of others derive theirs from it; one that
    isn't known where a finding is read is kept as it is."""

    model_config = ConfigDict(frozen=True, extra="allow", defer_build=True)

    type: str
    """Which payload it is."""


class KnownPayload(Payload):
    """One whose fields are all declared here."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class RejectedArguments(KnownPayload):
    """Calls of a tool that were rejected because of their arguments."""

    type: Literal["rejected-arguments"] = "rejected-arguments"
    """Which payload it is."""
    tool: str
    """The tool that rejects them: the one that the rejections speak of, where calls hand over a plan."""
    unexpected: list[str] = Field(default_factory=list)
    """The names that were given and that the tool doesn't know."""
    missing: list[str] = Field(default_factory=list)
    """The names that the tool wants."""
    alternatives: bool = False
    """Whether one of the missing names would do."""
    given_in_vain: list[str] = Field(default_factory=list)
    """Names and values that a rejected call gave as the rejection wants them."""
    wrong: list[str] = Field(default_factory=list)
    """The names whose values it doesn't accept."""
    allowed: list[str] = Field(default_factory=list)
    """The values that it says it accepts for them."""
    takes: list[str] = Field(default_factory=list)
    """The names that it says it takes."""
    tried: list[str] = Field(default_factory=list)
    """The names, or the values of the wrong names, that the rejected calls gave in turn."""
    phantoms: list[str] = Field(default_factory=list)
    """Names that a rejection complains of although its call doesn't give them."""
    accepted_at: int | None = None
    """The first later call of the tool that was accepted."""


class LostInput(KnownPayload):
    """A step that answers that it lacks what an earlier step had produced."""

    type: Literal["lost-input"] = "lost-input"
    """Which payload it is."""
    source: int
    """The step that had produced it."""
    answered_at: int
    """The step whose answer says that it isn't there."""


class UnprovenClaim(KnownPayload):
    """A claim of success that what was recorded doesn't bear out."""

    type: Literal["unproven-claim"] = "unproven-claim"
    """Which payload it is."""
    doubt: str
    """What speaks against it, as the second half of a sentence."""
    earlier: Evidence | None = None
    """What showed it on the original code, or says why nothing was checked; null where nothing did."""


class LostValue(Public):
    """One value that didn't reach the call that needs it."""

    step: int
    """The call that needs it."""
    tool: str
    """Its tool."""
    argument: str
    """The argument that was to hold it."""
    source: int | None
    """The step that returned it, or that returned nothing; null where the record doesn't say which."""
    wanted: str
    """The reference to it, or its key in the answer."""
    given: str
    """What arrived in its place."""
    fate: Literal["null", "placeholder", "cut", "changed", "shape", "empty", "invented"]
    """What became of it."""


class LostValues(KnownPayload):
    """Values that didn't reach the calls that need them."""

    type: Literal["undelivered-values"] = "undelivered-values"
    """Which payload it is."""
    values: list[LostValue]
    """Each of them, in the order of the calls."""
    of: int | None = None
    """How many references of the plan were followed; null where the record holds no plan."""


class OtherCall(KnownPayload):
    """The first thing in which a failed run differs from what its task expects."""

    type: Literal["other-call"] = "other-call"
    """Which payload it is."""
    how: Literal["differs", "missing", "refused", "unexpected", "unsaid", "answer"]
    """What differs."""
    tool: str | None = None
    """The tool; null for what the user was to hear and for the answer."""
    argument: str | None = None
    """The argument that differs, with the way to the part of it that does."""
    expected: str | None = None
    """The value or the answer that the task expects, or what the user was to hear."""
    given: str | None = None
    """The value that was given."""
    expected_from: str | None = None
    """Where the expected value stood before the call: `the user`, `step 4` or `nothing`; null where it wasn't looked
    for."""
    given_from: str | None = None
    """Where the given value stood before the call."""
    ended_with: int | None = None
    """The last call of the run, where the expected one was never made."""
    never_shown: str | None = None
    """Of a call that was never made, the argument whose value no message of the user and no result holds."""


AnyPayload = Annotated[
    RejectedArguments | LostInput | LostValues | OtherCall | UnprovenClaim | SerializeAsAny[Payload],
    Field(union_mode="left_to_right"),
]


Slot = str | int | float | list[str] | list[int] | None
"""A fact that a sentence names."""


class Aspect(Public):
    """What another detector says of the same trouble."""

    detector: str
    """The detector's name."""
    kind: str
    """What sort of thing it is."""
    title: str
    """One sentence."""
    steps: list[int]
    """The steps that show it."""


class Stretch(Public):
    """Another place at which a loop's story goes on."""

    first_step: int
    """First step of its first round."""
    last_step: int
    """Last step of its last round."""
    rounds: int | None
    """How many rounds it has."""


class Finding(Public):
    """What one detector found, with the steps and quotes that show it."""

    detector: str
    """The detector's name."""
    category: Category
    """The field it belongs to."""
    kind: str
    """What sort of thing it is; for loops one of the loop kinds."""
    severity: Severity
    """How much it matters."""
    confidence: float = Field(ge=0, le=1)
    """How sure the detector is, apart from how much it matters."""
    title: str
    """One sentence."""
    lane: str = MAIN_LANE
    """The lane whose steps are meant."""
    first_step: int
    """First step; of a loop, the first step of round one. 0 where it lies before the first step."""
    last_step: int
    """Last step; of a loop, the last step of the last round. 0 where it lies before the first step."""
    steps: list[int]
    """The steps that show it."""
    detectable_at: int
    """The first step at which the rule was already fulfilled, using nothing later."""
    rounds: int | None = None
    """How many rounds a loop has."""
    round_ends: list[int] = Field(default_factory=list)
    """The last step of each round of a loop, in order; empty for what has no rounds."""
    period: int | None = None
    """Actions in one round, null when rounds differ in length."""
    escaped: bool | None = None
    """Whether the agent got out of a loop before the session ended; null where that means nothing."""
    evidence: list[Evidence] = Field(default_factory=list)
    """What shows it."""
    advice: list[str] = Field(default_factory=list)
    """What the agent could have done instead."""
    taxonomy: Taxonomy = Field(default_factory=Taxonomy)
    """Classes of published taxonomies."""
    cost: Cost
    """What it cost."""
    pattern: str | None = None
    """What people call the pattern, such as `edit-test loop`."""
    repeated: str | None = None
    """What stayed the same from round to round."""
    differed: list[str] = Field(default_factory=list)
    """What changed from round to round without changing the result."""
    also: list[str] = Field(default_factory=list)
    """For loops: the kinds of loop that the stretch shows besides `kind`."""
    group: str | None = None
    """The failure group that came back, if any."""
    fault: Place | None = None
    """Where the cause lies, as far as the transcript shows it."""
    edited_instead: list[str] = Field(default_factory=list)
    """The files that the agent changed instead."""
    details: AnyPayload | None = None
    """What the detector knows of it as data, by `type`; null where it has nothing to add."""
    slots: dict[str, Slot] = Field(default_factory=dict)
    """The facts that its sentences name, by the names that they have in the table of the rule."""
    aspects: list[Aspect] = Field(default_factory=list)
    """What other detectors say of the same trouble, which are no findings of their own."""
    explained_by: Aspect | None = None
    """For loops: the finding that says why the failure comes back at these steps; it is in the list of findings as
    well, and both are one item on the page. Null where none does."""
    stretches: list[Stretch] = Field(default_factory=list)
    """For loops: where else the same failure, or the same call, repeats in this lane; each is a finding, too."""

    def explains(self, loop: Finding) -> bool:
        """Whether a loop names this finding as the one that says why its failure comes back."""
        return loop.explaining == self.reason

    @property
    def reason(self) -> Reason:
        """By what a loop names this finding as the one that says why its failure comes back."""
        return self.lane, self.detector, self.kind, tuple(self.steps)

    @property
    def explaining(self) -> Reason | None:
        """The `reason` of the finding that says why this loop's failure comes back, None where none does."""
        named = self.explained_by
        return None if named is None else (self.lane, named.detector, named.kind, tuple(named.steps))
