"""The head of a post-mortem: what a log says of a session as a whole, and what can be counted in it."""

from __future__ import annotations

from analyzer.model.struct import Public, field
from analyzer.model.words import Ending


class MessageCounts(Public, frozen=True, kw_only=True):
    """How many messages each side sent. Null where the log doesn't tell."""

    user: int | None
    """Messages of the user."""
    assistant: int | None
    """Messages of the agent."""


class TokenCounts(Public, frozen=True, kw_only=True):
    """Tokens over the whole session; null where the log doesn't record them."""

    input: int | None
    """Tokens sent to the model, cached ones included."""
    output: int | None
    """Tokens that the model wrote."""
    cached: int | None
    """The part of the input that came from a cache."""
    output_is_partial: bool = False
    """Whether what the agent wrote is too long for the recorded output, as where a log keeps what the model's service
    reports at the start of an answer: the real number is larger."""
    unknown_because: str | None = None
    """Why the recorded counts can't be, where they're placeholders: then they're left out, and nothing is priced."""


class RecordedEnd(Public, frozen=True, kw_only=True):
    """How the log itself says that a session ended."""

    status: str | None
    """The log's own word; null where it only shows the end in other ways."""
    ending: Ending | None
    """What that means; null for a word that says no more than that it ended."""
    detail: str | None
    """A few words about it, such as the limit's name."""
    after_step: int | None
    """The last step of the main lane; null where there was none."""


class ModelRow(Public, frozen=True, kw_only=True):
    """A model that asked for actions."""

    model: str
    """Its name."""
    actions: int
    """How many actions of all lanes it asked for."""


class BesideRow(Public, frozen=True, kw_only=True):
    """What a model used that isn't the agent: one that scores, or that plays the user."""

    role: str
    """What it was for."""
    model: str | None
    """Its name."""
    tokens: TokenCounts
    """What it used."""
    cost_usd: float | None
    """What that cost, as recorded."""


class SessionSummary(Public, frozen=True, kw_only=True):
    """The facts that a session's header gives."""

    id: str
    """The session's id, or the file's name where the log has none."""
    agent: str | None
    """The program that ran."""
    agent_version: str | None
    """Its version."""
    model: str | None
    """The language model."""
    models: list[ModelRow] = field(default_factory=list)
    """The models that asked for the actions, the one with the most first; empty where the log doesn't say which did."""
    beside: list[BesideRow] = field(default_factory=list)
    """What models used that belong to the evaluation; `tokens` and `cost_usd` don't hold it."""
    task: str | None
    """What the user asked for."""
    title: str | None
    """A short name for the task."""
    environment: dict[str, str]
    """Language, runtime, working directory and the like; a value that was read from output rather than recorded says
    so."""
    started_at: str | None
    """RFC 3339; without zone where the log's clock has none."""
    ended_at: str | None
    """RFC 3339; without zone where the log's clock has none."""
    duration_seconds: float | None
    """From first to last recorded time."""
    active_seconds: float | None = None
    """The same without the pauses in which the agent waited for its next turn; null where the log has no times of what
    happened."""
    messages: MessageCounts
    """How many messages."""
    user_turns: list[int]
    """Steps of the main lane before which the user said something new, the opening aside."""
    compactions: list[int]
    """Steps of the main lane before which earlier context was dropped or summarised."""
    begins_after_compaction: bool = False
    """Whether the recording has nothing of the agent before its first compaction, so that all figures are of a part."""
    redacted: dict[str, int] = field(default_factory=dict)
    """How many different secrets and names were replaced in the session's texts, by the names of the rules."""
    redacted_at: dict[str, int] = field(default_factory=dict)
    """The first step of the main lane at which they were, by the names of the rules; 0 is what was said before it. Most
    of these texts are shown nowhere."""
    actions: int
    """Actions of all lanes."""
    lanes: list[str]
    """`main` and one per sub-agent."""
    sub_agents_read: int = 0
    """How many files of sub-agents beside the session's own one were read with it."""
    tokens: TokenCounts
    """Tokens used."""
    cost_usd: float | None
    """Recorded cost in USD."""
    recorded_status: str | None
    """The log's own word for how it ended."""
    recorded_end: RecordedEnd | None = None
    """What the log says about the end; null where it says nothing."""
