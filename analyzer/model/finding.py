"""What one detector says about a session."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal

from analyzer.model.struct import Meta, Public, field, force_setattr
from analyzer.model.words import MAIN_LANE, Category, Severity

Reason = tuple[str, str, str, tuple[int, ...]]
"""A finding by its lane, its detector, its kind and its steps."""


class Evidence(Public, frozen=True, kw_only=True):
    """One step and what it shows, quoted from the transcript."""

    step: int
    """The step that shows it; 0 for what was recorded before the first step."""
    quote: str
    """The transcript's own words, at most a few lines."""
    label: str = ""
    """What stands before the quote, in the program's words, where it isn't plain what is quoted: `edited` before the
    name of a file, `the user said`, `deploy answered`. Empty otherwise."""


class Taxonomy(Public, frozen=True, kw_only=True):
    """The classes of published failure taxonomies that a finding belongs to."""

    mast: list[str] = field(default_factory=list)
    """Failure modes of MAST, such as `FM-1.3`."""
    trail: list[str] = field(default_factory=list)
    """Error categories of TRAIL."""


class Cost(Public, frozen=True, kw_only=True):
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


class Place(Public, frozen=True, kw_only=True):
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


class Payload(Public, frozen=True, kw_only=True):
    """What a detector knows of a finding besides its text, as data. Detectors of others derive theirs from it; one that
    isn't known where a finding is read is kept as the object that it is."""

    type: str
    """Which payload it is."""


class RejectedArguments(Payload, frozen=True, kw_only=True):
    """Calls of a tool that were rejected because of their arguments."""

    type: Literal["rejected-arguments"] = "rejected-arguments"
    """Which payload it is."""
    tool: str
    """The tool that rejects them: the one that the rejections speak of, where calls hand over a plan."""
    unexpected: list[str] = field(default_factory=list)
    """The names that were given and that the tool doesn't know."""
    missing: list[str] = field(default_factory=list)
    """The names that the tool wants."""
    alternatives: bool = False
    """Whether one of the missing names would do."""
    given_in_vain: list[str] = field(default_factory=list)
    """Names and values that a rejected call gave as the rejection wants them."""
    wrong: list[str] = field(default_factory=list)
    """The names whose values it doesn't accept."""
    allowed: list[str] = field(default_factory=list)
    """The values that it says it accepts for them."""
    takes: list[str] = field(default_factory=list)
    """The names that it says it takes."""
    tried: list[str] = field(default_factory=list)
    """The names, or the values of the wrong names, that the rejected calls gave in turn."""
    phantoms: list[str] = field(default_factory=list)
    """Names that a rejection complains of although its call doesn't give them."""
    accepted_at: int | None = None
    """The first later call of the tool that was accepted."""


class LostInput(Payload, frozen=True, kw_only=True):
    """A step that answers that it lacks what an earlier step had produced."""

    type: Literal["lost-input"] = "lost-input"
    """Which payload it is."""
    source: int
    """The step that had produced it."""
    answered_at: int
    """The step whose answer says that it isn't there."""


class UnprovenClaim(Payload, frozen=True, kw_only=True):
    """A claim of success that what was recorded doesn't bear out."""

    type: Literal["unproven-claim"] = "unproven-claim"
    """Which payload it is."""
    doubt: str
    """What speaks against it, as the second half of a sentence."""
    earlier: Evidence | None = None
    """What showed it on the original code, or says why nothing was checked; null where nothing did."""


class LostValue(Public, frozen=True, kw_only=True):
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


class LostValues(Payload, frozen=True, kw_only=True):
    """Values that didn't reach the calls that need them."""

    type: Literal["undelivered-values"] = "undelivered-values"
    """Which payload it is."""
    values: list[LostValue]
    """Each of them, in the order of the calls."""
    of: int | None = None
    """How many references of the plan were followed; null where the record holds no plan."""


class OtherCall(Payload, frozen=True, kw_only=True):
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


PAYLOADS: Mapping[str, type[Payload]] = {
    "rejected-arguments": RejectedArguments,
    "lost-input": LostInput,
    "undelivered-values": LostValues,
    "other-call": OtherCall,
    "unproven-claim": UnprovenClaim,
}
"""Those that are known wherever a finding is read."""
if TYPE_CHECKING:
    AnyPayload = Payload | Mapping[str, Any]
else:
    AnyPayload = Any  # by which of them it is `type` says


if TYPE_CHECKING:
    Slot = str | int | float | list[str] | list[int] | None
else:
    Slot = str | int | float | list[str | int] | None
"""A fact that a sentence names; the two lists needn't be distinguished where one is read."""


class Aspect(Public, frozen=True, kw_only=True):
    """What another detector says of the same trouble."""

    detector: str
    """The detector's name."""
    kind: str
    """What sort of thing it is."""
    title: str
    """One sentence."""
    steps: list[int]
    """The steps that show it."""


class Stretch(Public, frozen=True, kw_only=True):
    """Another place at which a loop's story goes on."""

    first_step: int
    """First step of its first round."""
    last_step: int
    """Last step of its last round."""
    rounds: int | None
    """How many rounds it has."""


class Finding(Public, frozen=True, kw_only=True):
    """What one detector found, with the steps and quotes that show it."""

    detector: str
    """The detector's name."""
    category: Category
    """The field it belongs to."""
    kind: str
    """What sort of thing it is; for loops one of the loop kinds."""
    severity: Severity
    """How much it matters."""
    confidence: Annotated[float, Meta(ge=0, le=1)]
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
    round_ends: list[int] = field(default_factory=list)
    """The last step of each round of a loop, in order; empty for what has no rounds."""
    period: int | None = None
    """Actions in one round, null when rounds differ in length."""
    escaped: bool | None = None
    """Whether the agent got out of a loop before the session ended; null where that means nothing."""
    evidence: list[Evidence] = field(default_factory=list)
    """What shows it."""
    advice: list[str] = field(default_factory=list)
    """What the agent could have done instead."""
    taxonomy: Taxonomy = field(default_factory=Taxonomy)
    """Classes of published taxonomies."""
    cost: Cost
    """What it cost."""
    pattern: str | None = None
    """What people call the pattern, such as `edit-test loop`."""
    repeated: str | None = None
    """What stayed the same from round to round."""
    differed: list[str] = field(default_factory=list)
    """What changed from round to round without changing the result."""
    also: list[str] = field(default_factory=list)
    """For loops: the kinds of loop that the stretch shows besides `kind`."""
    group: str | None = None
    """The failure group that came back, if any."""
    fault: Place | None = None
    """Where the cause lies, as far as the transcript shows it."""
    edited_instead: list[str] = field(default_factory=list)
    """The files that the agent changed instead."""
    details: AnyPayload | None = None
    """What the detector knows of it as data, by `type`; null where it has nothing to add."""
    slots: dict[str, Slot] = field(default_factory=dict)
    """The facts that its sentences name, by the names that they have in the table of the rule."""
    aspects: list[Aspect] = field(default_factory=list)
    """What other detectors say of the same trouble, which are no findings of their own."""
    explained_by: Aspect | None = None
    """For loops: the finding that says why the failure comes back at these steps; it is in the list of findings as
    well, and both are one item on the page. Null where none does."""
    stretches: list[Stretch] = field(default_factory=list)
    """For loops: where else the same failure, or the same call, repeats in this lane; each is a finding, too."""

    def __post_init__(self) -> None:
        """Take the payload that an object is which was read."""
        if type(self.details) is dict:
            kind = PAYLOADS.get(str(self.details.get("type")))
            if kind is not None:
                force_setattr(self, "details", kind.model_validate(self.details))

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
