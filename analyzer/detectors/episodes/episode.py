"""What the tracks of the episode finder hand over, and what comes out of it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from analyzer.commands.table import Does, knows
from analyzer.model.action import Action
from analyzer.model.struct import Struct, replace
from analyzer.model.words import FailureKind, Kind, LoopKind, Mark
from analyzer.text.late import late

ROUNDS = 3
"""How often something must come round to be an episode."""
LONGEST_PERIOD = 8
"""The longest cycle that is looked for, in actions."""
MOST_LIVE = 50
"""How many rounds of one stretch are kept in a running agent; more are only counted on."""

CHANT = "repetition within one message"
"""The pattern of a message that says the same again and again."""
FAILING = "call that keeps failing"
"""The pattern of a stretch whose call fails each time, in other words."""
GUESSED = "guessed values"
"""The pattern of a stretch that tries one made-up value after another."""
REPORTED = "the same report again"
"""The pattern of a program around the agent that reports the same again and again."""
REWORDED = "reworded question"
"""The pattern of a stretch whose calls ask the same in other words."""
INSERTED = "the same text inserted again"
"""The pattern of a stretch that puts the same text into a file."""

_AGAIN = late(
    r"\b(?:\d+|two|three|four|five|ten|several|many|multiple) (?:more )?times\b|\brepeat(?:ed(?:ly)?)?\b|\bkeep "
    r"(?:calling|running|polling)\b|\bin a loop\b",
    re.IGNORECASE,
)
_NUMBERS = ("zero", "once", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_TIMES = late(rf"\b(?P<number>\d{{1,3}}|{'|'.join(_NUMBERS[2:])}) (?:more )?times\b", re.IGNORECASE)
_PLAIN = late(r"[A-Za-z]{2,12}")
_UNNAMED = "call"
"""The word for an action that fits no kind, of a tool whose name is no plain word."""
_PASSING = late(
    r"\b(?:429|502|503|504)\b|rate.?limit|too many requests|temporar|not (?:yet )?ready|connection refused"
    r"|ECONNREFUSED|unavailable|try again|overloaded|still (?:running|starting)",
    re.IGNORECASE,
)
"""What passes by itself."""


class Stretch(Struct):
    """The repetition that one track sees, from the round at which it's an episode on; the track lets it grow.

    `round_ends` are the steps at which a round was complete, `steps` those whose call or failure came back. `exact` is
    True when every call of a round comes back with its result, not only a failure. `due` is how many actions a round
    takes at most; `calls` are the calls that come back. `opened_at` is the step at which it was known.
    """

    kind: LoopKind
    first: int
    last: int
    period: int | None
    round_ends: list[int]
    steps: list[int]
    group: str | None
    same_calls: bool
    exact: bool
    pattern: str
    due: int
    calls: set[str]
    opened_at: int

    @staticmethod
    def of(
        kind: LoopKind,
        steps: list[int],
        at: int,
        calls: set[str],
        pattern: str,
        *,
        due: int = 1,
        first: int | None = None,
        period: int | None = None,
        same_calls: bool = True,
        exact: bool = False,
    ) -> Stretch:
        """One of which each round ends with one of some steps, known at the last of them."""
        start = steps[0] if first is None else first
        return Stretch(kind, start, at, period, steps, steps, None, same_calls, exact, pattern, due, calls, at)

    @property
    def length(self) -> int:
        """How many steps it covers."""
        return self.last - self.first + 1

    @property
    def weight(self) -> tuple[int, bool, int, int]:
        """By what one stretch stands for an episode rather than another: the one that covers more steps, of two that
        cover equally many the one whose calls and results all come back, then the one with more rounds, then the
        earlier one."""
        return self.length, self.exact, len(self.round_ends), -self.first

    def overlaps(self, other: Stretch) -> int:
        """How many steps both cover."""
        return max(0, min(self.last, other.last) - max(self.first, other.first) + 1)

    def without(self, other: Stretch) -> Stretch | None:
        """What is left of it outside of `other`, the later part first; None where that's fewer than three rounds."""
        starts = [self.first, *(end + 1 for end in self.round_ends[:-1])]
        rounds = list(zip(starts, self.round_ends, strict=True))
        later = [(max(start, other.last + 1), end) for start, end in rounds if end > other.last]
        for kept in (later, [pair for pair in rounds if pair[1] < other.first]):
            if len(kept) >= ROUNDS:
                first, last = kept[0][0], kept[-1][1]
                steps = [step for step in self.steps if first <= step <= last]
                return replace(self, first=first, last=last, round_ends=[end for _, end in kept], steps=steps)
        return None


class Recurring(Struct):
    """Something that comes back: when it was last, at which steps, in which different calls, and in how many rounds,
    each message being one. `stretch` is what it has become, once that was enough."""

    latest: Action
    position: int
    steps: list[int]
    calls: set[str]
    rounds: int = 1
    stretch: Stretch | None = None

    @classmethod
    def of(cls, unit: Action, position: int) -> Recurring:
        """What an action begins."""
        return cls(unit, position, [unit.step], {unit.keys.call_masked})

    def again(self, unit: Action, position: int, *, live: bool) -> int:
        """Note that it came back; how many actions that took."""
        due, together = position - self.position, unit.batch is not None and unit.batch == self.latest.batch
        self.latest, self.position = unit, position
        if together:
            return due
        self.rounds += 1
        if self.stretch is not None:
            self.stretch.last = unit.step
        if not live or len(self.steps) < MOST_LIVE:
            self.steps.append(unit.step)
            self.calls.add(unit.keys.call_masked)
        return due

    def is_due(self, rounds: int) -> bool:
        """Whether it has come back so often, and is no stretch yet."""
        return self.stretch is None and self.rounds >= rounds

    def open(
        self, kind: LoopKind, pattern: str, *, due: int = 1, period: int | None = None, same_calls: bool = True
    ) -> Stretch:
        """The stretch that it has become."""
        self.stretch = Stretch.of(
            kind, self.steps, self.latest.step, self.calls, pattern, due=due, period=period, same_calls=same_calls
        )
        return self.stretch


class Episode(Stretch):
    """One stretch of a lane in which the agent repeats itself without progress.

    `opened_at` is the step at which the first of its tracks had seen three rounds; `others` are the kinds of loop that
    it shows besides `kind`, `escaped` whether the agent got out of it before the session ended.
    """

    lane: str
    escaped: bool
    others: list[LoopKind]

    @property
    def rounds(self) -> int:
        """How many rounds it has."""
        return len(self.round_ends)


def counts(action: Action) -> bool:
    """Whether an action is looked at: not thoughts, calls that were cancelled with a failing neighbour, entries of the
    harness, looks at the clock."""
    if action.harness or action.kind is Kind.THINK or action.mark is Mark.CASCADE:
        return False
    commands = action.operation.commands
    return not (commands and all(knows(command.program, Does.CLOCKS) for command in commands))


def kind_of_rounds(period: int) -> LoopKind:
    """The kind of a loop whose calls come back after so many."""
    return {1: LoopKind.REPEATED_CALL, 2: LoopKind.ALTERNATING}.get(period, LoopKind.CYCLE)


def pattern_of(cycle: Sequence[Action], *, same: bool) -> str:
    """What people call a loop with such a round; `same` is True when the calls are equal from round to round."""
    kinds = [action.kind for action in cycle]
    if len(kinds) == 1:
        only = cycle[0]
        if only.kind is Kind.EDIT and only.failure is not None:
            return "refused-edit loop"
        if only.kind is Kind.READ and only.failure is None and only.operation.path and same:
            return "re-read"
        return "repeated call" if same else "same-error loop"
    if kinds[0] is Kind.EDIT and kinds[-1] in (Kind.TEST, Kind.RUN):
        return "edit-test loop" if kinds[-1] is Kind.TEST else "edit-run loop"
    words = list(dict.fromkeys(map(_word_for, cycle)))
    if words == [_UNNAMED]:
        return "alternating calls" if len(cycle) == 2 else "cycle of calls"
    return "-".join(words) + " loop"


def _word_for(action: Action) -> str:
    """The kind of an action; of one that fits none the tool's name, where that is a plain word."""
    if action.kind is not Kind.OTHER:
        return str(action.kind)
    return action.tool.lower() if _PLAIN.fullmatch(action.tool) else _UNNAMED


def asks_again(task: str) -> bool:
    """Whether a task says that something is to be done again and again."""
    return _AGAIN.search(task) is not None


def times_asked(task: str) -> int:
    """How often a task says that something is to be done; 0 where it gives no number."""
    found = _TIMES.search(task)
    if found is None:
        return 0
    word = found["number"].casefold()
    return int(word) if word.isdigit() else _NUMBERS.index(word)


def passing(action: Action) -> bool:
    """Whether an action shows a failure that may pass by itself."""
    failure = action.failure
    return failure is not None and (
        failure.kind is FailureKind.NETWORK or _PASSING.search(failure.headline) is not None
    )


def waits(actions: Sequence[Action]) -> bool:
    """Whether one of some actions waits."""
    return any(
        action.kind is Kind.WAIT or any(knows(command.program, Does.WAITS) for command in action.operation.commands)
        for action in actions
    )
