"""What a detector is: a name, a manual page, options, a rule, and all that others need to know of its findings.

What the rest of the program needs to know of a detector besides its name: what its findings mean.

What there is to ask, to try, to change and to remember about one sort of finding. The words in braces are filled in
from the finding: `title`, `first`, `last`, `steps`, `quote` (its first quotation), `advice`.
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum, auto
from functools import cache
from importlib.resources import files
from typing import Any, ClassVar, Self, TypedDict, Unpack

from analyzer.detectors.engine.facts import Facts, Need
from analyzer.detectors.engine.rule_state import LaneContext, RuleState, kinds_asked
from analyzer.model.finding import Cost, Evidence, Finding, Payload, Place, Slot, Taxonomy
from analyzer.model.struct import Struct
from analyzer.model.words import Category, FailureKind, Severity
from analyzer.text.expressions import KEPT
from analyzer.text.late import late

_ROW = late(r"\n(?=\S)")


class Guidance(Struct, frozen=True):
    """What a detector says about findings of one kind."""

    questions: tuple[str, ...]
    """Questions to the agent, each naming what it should have looked at."""
    approaches: tuple[tuple[str, str], ...]
    """Different ways to continue: titles and texts."""
    improvement: str
    """The title of a change to the agent, its prompts or its tools."""
    change: str
    """What to build."""
    lesson: str
    """What to remember, in one line."""
    call_misread: bool = False
    """Whether the call was never meant as it was taken, so that this holds instead of what its failure suggests."""

    @classmethod
    @cache
    def read(cls, text: str) -> Self:
        """The guidance that a text gives, a sentence to a row: `Ask:` a question, `Try:` the title of an approach and
        what to do, `Change:` the title of an improvement and what to build, `Learn:` the lesson; `Misread:` says that
        the call was never meant as it was taken. A row goes on where the next line is indented."""
        said: dict[str, list[str]] = {}
        for row in _ROW.split(inspect.cleandoc(text)):
            head, _, words = " ".join(row.split()).partition(": ")
            said.setdefault(head, []).append(words)
        improvement, _, change = said["Change"][0].partition(": ")
        approaches = [row.partition(": ") for row in said.get("Try", ())]
        return cls(
            questions=tuple(said.get("Ask", ())),
            approaches=tuple((title, words) for title, _, words in approaches),
            improvement=improvement,
            change=change,
            lesson=said["Learn"][0],
            call_misread="Misread" in said,
        )


GENERAL = Guidance(
    questions=("What did step {first} show that was not acted upon?",),
    approaches=(
        ("Act on it", "{advice}"),
        ("Look again", "Read steps {steps} again, and write down what they have in common."),
        (
            "Ask for a second opinion",
            "State what was observed ({quote}) and what was expected, and ask someone which of the two is wrong.",
        ),
    ),
    improvement="Make it visible to the agent",
    change="{advice}",
    lesson="What the log shows, the agent could have noticed.",
)
"""The guidance for findings whose detector declares none."""


@cache
def retired() -> Mapping[str, str]:
    """The names of detectors that are gone, which stay valid, each with what says something of the kind now."""
    names: Mapping[str, str] = KEPT.table(files(__package__).joinpath("retired.toml").read_text(encoding="utf-8"))
    return names


class Trait(Enum):
    """What the findings of a detector mean, whatever the detector is called."""

    REPETITION = auto()
    """A failure or a call came back; the diagnosis has words of its own for the sorts of repetition."""
    RECOUNTS = auto()
    """A failure came back, and nothing more is said of it."""
    WEAKENS_CHECK = auto()
    """It says that a check passes because the agent made it say less."""
    ASPECT_OF_LOOP = auto()
    """Inside a loop it's a part of that, seen from another side."""
    DOUBTS_SUCCESS = auto()
    """Nothing that ran supports the claim of success."""
    CONTRADICTS_REPORT = auto()
    """What the closing report says isn't so; of high severity, something that it says was done wasn't."""
    ENDS_WITHOUT_RESULT = auto()
    """The agent ended the session without a result."""
    RESULT_ONLY = auto()
    """The result is wrong or in doubt; no step is said to fail."""
    TEST_AT_FAULT = auto()
    """The cause is in the test, and the edits went elsewhere."""
    EDITS_NOT_LOADED = auto()
    """The edited files aren't those that the failing run loads."""
    INPUT_LOST = auto()
    """A step lacked the result of an earlier one."""
    BROKEN_CONTRACT = auto()
    """A tool's definition and the function behind it don't fit together."""
    HELD_AGAINST_TASK = auto()
    """It says how a failed trial differs from what its task expects; its pattern is the mode of failure."""
    LOSES_WORK = auto()
    """Something that was there is gone."""
    REJECTED = auto()
    """Calls came back because of their arguments."""


class Fields(TypedDict, total=False):
    """What a finding has besides what each has; see `Finding`."""

    kind: str
    category: Category
    taxonomy: Taxonomy
    lane: str
    first_step: int
    last_step: int
    rounds: int | None
    round_ends: Sequence[int]
    period: int | None
    escaped: bool | None
    evidence: Sequence[Evidence]
    advice: Sequence[str] | None
    pattern: str | None
    repeated: str | None
    differed: Sequence[str]
    also: Sequence[str]
    group: str | None
    fault: Place | None
    edited_instead: Sequence[str]
    details: Payload | None
    slots: Mapping[str, Slot]


class Options(Struct, frozen=True, kw_only=True):
    """The options of a detector; each field's docstring says what it does. Of what users set unknown keys and values of
    the wrong type are refused."""


class Detector(ABC):
    """One detector, in one file whose docstring is its manual page.

    A detector is pure: no clock, no randomness, no environment, nothing of other detectors, nothing of the agent that
    wrote the log. It may be asked about any session and returns nothing where it has nothing to say. What others need
    to know of its findings is declared in its class, so that no other module names it. The class itself is what is
    known of a detector that isn't there any more.
    """

    name: str = ""
    """The name used in reports and on the command line."""
    family: str = ""
    """The folder of the family that it belongs to; empty for one that stands alone."""
    category: Category
    """The field that its findings belong to, unless one says otherwise."""
    taxonomy: Taxonomy | None = None
    """The classes of published taxonomies that its findings belong to, unless one says otherwise."""
    needs: Need = Need.NOTHING
    """What a session must hold for it to be asked."""
    options: Options | None = None
    """The options that it runs with; as a class attribute, the usual ones. None for a detector that has none."""

    traits: frozenset[Trait] = frozenset()
    """What its findings mean."""
    traits_by_kind: Mapping[str, frozenset[Trait]] = {}
    """What findings of a kind mean, for kinds that mean something else."""
    explains: frozenset[FailureKind] = frozenset()
    """The kinds of failures about which its advice is the best there is."""
    cause_rank: int = 0
    """How directly its findings explain why other steps went wrong, the highest most; 0 where they only say that they
    did."""
    guidance: Mapping[str, Guidance | str] = {}
    """What to ask, to try, to change and to remember, by kind of finding, or a text that says so (`Guidance.read`);
    `""` holds for the other kinds."""

    first_failure_rank: int = 0
    """For case studies: how well its findings explain the first failure of a run, the highest best; 0 where they say
    only how the trouble looked."""
    cause_name: str | None = None
    """For case studies: what people call the cause that its findings are."""
    cause_names_by_kind: Mapping[str, str] = {}
    """The kinds of finding that have a name of their own."""
    case_lesson: str | None = None
    """For case studies: what a run that failed for this teaches whoever builds the system; the lesson of its guidance
    where it declares none."""
    once: Options | None = None
    """For case studies: the options with which a single call is enough, since a step of a plan that fails once has
    failed; None where the usual ones ask for no more."""

    def __init__(self, options: Options | None = None) -> None:
        if options is not None:
            self.options = options

    def with_options(self, options: Options) -> Self:
        """The same detector with other options."""
        return type(self)(options)

    @abstractmethod
    def detect(self, facts: Facts) -> Iterable[Finding]:
        """The findings of one session."""

    def guidance_for(self, kind: str) -> Guidance | None:
        """What it has to say about findings of one kind."""
        told = self.guidance.get(kind) or self.guidance.get("")
        return Guidance.read(told) if isinstance(told, str) else told

    @classmethod
    def finding(
        cls,
        *,
        severity: Severity,
        confidence: float,
        title: str,
        steps: Sequence[int],
        detectable_at: int,
        cost: Cost,
        **more: Unpack[Fields],
    ) -> Finding:
        """A finding of this detector: name, category and taxonomy are its own unless given, the kind is its name, and
        the first and the last step are those of `steps`."""
        known = {"severity": severity, "confidence": confidence, "title": title, "detectable_at": detectable_at}
        return finding_of(cls, steps, {**more, **known, "cost": cost})


def finding_of(declared: Detector | type[Detector], steps: Sequence[int], more: Mapping[str, Any]) -> Finding:
    """A finding of a detector, with what the detector declares where `more` doesn't say otherwise."""
    usual: dict[str, Any] = {"detector": declared.name, "kind": declared.name, "category": declared.category}
    usual["taxonomy"] = declared.taxonomy or Taxonomy()
    if steps:
        usual |= {"first_step": steps[0], "last_step": steps[-1]}
    return Finding(**{**usual, **{name: value for name, value in more.items() if value is not None}}, steps=list(steps))


class LiveDetector(Detector):
    """A detector whose rule is followed step by step, so that it says the same live, in a running agent, and
    afterwards, in its recording."""

    state: ClassVar[Callable[..., RuleState]] = RuleState
    """What makes the state of the rule, from the lane's context and, where the detector has any, its options."""

    def start(self, lane_context: LaneContext) -> RuleState:
        """The state of the rule in a lane that is about to begin."""
        return self.state(lane_context) if self.options is None else self.state(lane_context, self.options)

    def detect(self, facts: Facts) -> Iterable[Finding]:
        """The findings of one session: each lane is shown to a rule state, event by event."""
        return followed(self.start, facts)


def followed(start: Callable[[LaneContext], RuleState], facts: Facts) -> Iterable[Finding]:
    """The findings of one session, each of whose lanes is shown to a rule state of its own."""
    for lane in facts.timeline.lanes():
        state = start(LaneContext(lane, facts.timeline.session.task or "", facts.timeline.masks))
        asked = kinds_asked(state)
        for event in facts.events(lane):
            if isinstance(event, asked):
                state.feed(event)
        yield from state.findings()
