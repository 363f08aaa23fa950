"""The ledger: for each turn of the user what was asked, done, checked, claimed and lost, and how the user took it."""

from __future__ import annotations

from typing import Literal

from analyzer.model.struct import Public, field
from analyzer.model.words import Basis, TurnKind


class LedgerAct(Public, frozen=True, kw_only=True):
    """One thing that was done with a lasting effect, or was tried."""

    kind: str
    """What it is: `edit`, `commit`, `push`, `publish`, ..., or the verb of a tool (`book`)."""
    what: str
    """What it was done to or by: a file, a command line, a tool."""
    steps: list[int]
    """The steps that did it, in order."""
    state: Literal["done", "failed", "refused", "unknown"]
    """What became of the last of them."""


class LedgerCheck(Public, frozen=True, kw_only=True):
    """One check that ran."""

    step: int
    """The step."""
    what: str
    """What ran, at most 100 characters."""
    state: Literal["passed", "failed", "unknown"]
    """How it ended; `unknown` too where it proves nothing."""
    counts: dict[str, int] = field(default_factory=dict)
    """What the runner of a failed one counted, by its own words."""
    current: bool
    """Whether no code was changed between it and the end of the turn."""


class LedgerClaim(Public, frozen=True, kw_only=True):
    """One sentence by which the answer says that something was done, to a file that it names or outside of the files,
    or that a check has shown something. What is open was done or shown by nothing that is known for it: a check, for
    example, that ran before the last change of code."""

    quote: str
    """The sentence."""
    state: Literal["borne out", "contradicted", "unsupported", "open"]
    """How the record stands to it."""
    step: int | None
    """The step that shows this; null where none does."""


class Reaction(Public, frozen=True, kw_only=True):
    """What the user said next."""

    kind: Literal["corrects", "asks again", "approves", "goes on", "interrupts"]
    """How the user took what was done."""
    text: str
    """The words, at most 200 characters; empty for an interruption without words."""


class LedgerEntry(Public, frozen=True, kw_only=True):
    """One turn of the user, and what came of it. Messages that the user sent in a row are one turn."""

    text: str
    """What the user said, at most 400 characters; empty where the words aren't recorded."""
    kind: TurnKind
    """What the user does with it."""
    first_step: int | None
    """The first step of the main lane that was taken on it; null where none was."""
    last_step: int | None
    """The last of them; null where there was none."""
    files: list[str]
    """The files that differ after these steps from what they were before them, without the agent's own trials."""
    deleted: list[str] = field(default_factory=list)
    """Those of them that aren't there after these steps."""
    acts: list[LedgerAct] = field(default_factory=list)
    """What was done with a lasting effect by any lane, in order of its first step, at most 50."""
    checks: list[LedgerCheck] = field(default_factory=list)
    """The checks that ran in the main lane, in order, the last 50."""
    answer: str
    """What the agent said at the end of it, at most 400 characters; empty where the log holds no such words."""
    claims: list[LedgerClaim] = field(default_factory=list)
    """What the answer claims to have been done, at most 20."""
    contradictions: list[int] = field(default_factory=list)
    """The findings that hold the answer against the record, by their positions in `findings`."""
    losses: list[int] = field(default_factory=list)
    """The findings about work that was lost in these steps, by their positions in `findings`."""
    reaction: Reaction | None = None
    """What the user said next; null at the end."""
    basis: Basis
    """What is known of it rests on this."""
    known: str
    """How it's known what came of it, in one sentence; empty where nothing recorded shows it."""
