"""Where the actions, the time, the tokens and the money of a session went."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from analyzer.model.struct import Public, field


class WasteKind(StrEnum):
    """In what way actions brought nothing."""

    LOOP = "loop"
    """Rounds of a loop after the step from which it was detectable."""
    RETRY = "retry"
    """A call that failed, made again on the same state."""
    REREAD = "reread"
    """A read or a search made again on the same state, with nothing dropped from the context in between; a query of
    another tool that has the same answer again."""
    DISCARDED = "discarded edit"
    """Edits to files that are in the end as they were at first."""
    WAITING = "waiting"
    """Waits."""
    OVERSIZED = "oversized result"
    """Results of more than 30,000 characters, all of which the model is sent again with each later call. That's their
    size, and says nothing of whether they were needed."""


class Spent(Public, frozen=True, kw_only=True):
    """What some actions took. Null where the log doesn't record it for all of them."""

    actions: int
    """How many."""
    seconds: float | None = None
    """The time that passed while they ran; what ran at the same time counts once."""
    tokens: int | None = None
    """What the model used to ask for them, input and output."""
    usd: float | None = None
    """What that cost."""


class LaneStep(Public, frozen=True, kw_only=True):
    """A step of a sub-agent."""

    lane: str
    """The sub-agent's lane."""
    step: int
    """The step's number there."""


class ToolSpent(Spent, frozen=True, kw_only=True):
    """One tool."""

    tool: str
    """Its name as recorded."""
    failed: int
    """Calls of it that failed."""
    slowest: int | None = None
    """The step of the main lane that took longest of all; null where a sub-agent's did, and where no duration is
    recorded."""
    slowest_elsewhere: LaneStep | None = None
    """The sub-agent's step that took longest of all, where that was one."""
    slowest_seconds: float | None = None
    """How long that took."""
    largest: int | None = None
    """The step of the main lane with the longest result of all, of at least 1,000 characters; null where a sub-agent's
    is longer."""
    largest_elsewhere: LaneStep | None = None
    """The sub-agent's step with the longest result of all, where that was one."""
    largest_characters: int | None = None
    """The length of that result, without blanks around it."""


class SubAgentTokens(Public, frozen=True, kw_only=True):
    """What a sub-agent used, as the result of the call that started it says."""

    step: int
    """That call's step in the main lane."""
    tokens: int
    """The sum that the result names."""


class PhaseSpent(Spent, frozen=True, kw_only=True):
    """One part of the main lane: before the first change of the project (of any file where nothing of it changed), to
    the last, and after it."""

    phase: Literal["before the first change", "first to last change", "after the last change"]
    """Which part."""
    first_step: int
    """Its first step."""
    last_step: int
    """Its last step."""


class Waste(Spent, frozen=True, kw_only=True):
    """Actions that brought nothing, for one reason. An action is counted under the first reason that applies."""

    kind: WasteKind
    """The reason."""
    steps: list[int]
    """Those in the main lane."""
    others: int = 0
    """How many there are in other lanes."""
    characters: int | None = None
    """Of oversized results: what they hold together."""


class CopiedPart(Public, frozen=True, kw_only=True):
    """The beginning of a session that is a copy of another one's, which the other figures include."""

    origin: str
    """The session that it's from, as the log names it."""
    actions: int
    """Actions of the main lane that were copied: its first ones."""
    input_tokens: int | None
    """Tokens sent for them, with those that a cache served."""
    output_tokens: int | None
    """Tokens received for them."""
    own_usd: float | None
    """What the session cost without them, where that's worked out from its tokens; null where it isn't known."""


class Spending(Public, frozen=True, kw_only=True):
    """All of it for one session."""

    usd: float | None
    """What the session cost; null where that's neither recorded nor known from its tokens and a list price."""
    basis: Literal["recorded", "list prices"] | None
    """Whether the log says so, or it's worked out from the tokens."""
    bound: Literal["at least", "at most"] | None = None
    """Where it's worked out: in which direction it may be wrong, as the log doesn't say all that counts."""
    tokens_bound: Literal["at least"] | None = None
    """The same of the tokens, of which the log may count fewer than were written."""
    prices_as_of: str | None = None
    """The day of the price list that was used."""
    copied: CopiedPart | None = None
    """What was copied from another session; null where nothing was, or the log doesn't tell which records were."""
    unpriced: list[str] = field(default_factory=list)
    """Models with recorded tokens whose price isn't known."""
    all: Spent
    """All actions of all lanes."""
    tools: list[ToolSpent]
    """Tool by tool, the one with the most actions first."""
    answers: Spent | None = None
    """What the model used for answers that asked for no action, with the number of them in place of actions; null where
    the log doesn't record it."""
    sub_agents: list[SubAgentTokens] = field(default_factory=list)
    """What sub-agents used by their own count, where the log has no use of the model for their steps, so that no other
    figure here includes it."""
    phases: list[PhaseSpent]
    """The parts of the main lane; empty where no file was changed."""
    waste: list[Waste]
    """What was repeated, discarded or waiting, the most actions first, and what is large."""
    wasted: Spent | None
    """All of `waste` but oversized results; null where there's none."""
