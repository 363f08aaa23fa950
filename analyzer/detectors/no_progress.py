"""A long stretch of steps yields nothing new.

What it flags
    At least 30 actions in a row without progress of any kind: no change that lasts, no line of a file, of a search or
    of a command's output that hadn't been seen before, no new failure and none resolved, nothing new from the user.

Why it matters
    Each of those steps costs as much as a useful one. A loop repeats steps in order; this is the same waste without the
    order: the agent goes back and forth over what it already knows.

What it does not flag
    A long exploration that keeps seeing new lines, a wait for a process (waiting counts neither way), edits that differ
    from each other or make a file grow, thoughts that differ (they count neither way), commands that change something
    without saying so, rereading what a compaction removed, and calls whose results weren't recorded or are
    pictures.

Options
    actions: how many actions in a row must yield nothing new (30).

Example:
    Steps 41 to 83 read the same four files in turn, run the same test with the same failure and revert the edit of
    step 38.

"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field

from pydantic import Field

from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.engine.guidance import Guidance
from analyzer.detectors.engine.interface import LiveDetector, Options
from analyzer.detectors.engine.rule_state import LaneContext, RuleState, cost_of
from analyzer.detectors.engine.traits import Trait
from analyzer.detectors.signals.growth import adds, appends
from analyzer.failures import STANDARD, MaskTable
from analyzer.model.action import Action
from analyzer.model.finding import Evidence, Finding, Taxonomy
from analyzer.model.session import Message
from analyzer.model.words import Category, Kind, Severity
from analyzer.text.clip import clip
from analyzer.text.english import plural, times
from analyzer.text.late import late
from analyzer.text.markdown import code

_MOST_LINES = 50_000
"""How many different lines are remembered; the oldest are forgotten first, which only makes the rule milder."""
_MOST_CALLS = 20_000
_MOST_WAITING = 200_000
"""Characters of results that may wait to be masked."""
_MAY_VARY = dict.fromkeys(map(ord, " \t\r0123456789abcdefABCDEFTZkKMGiByteshrmouncdsµ.,:+-_"))
"""Every character of a number, an id, a time or a size with its unit."""
_HALF = 6_000
"""Characters of a result that are looked at from either end."""
_NUMBERING = late(r"^[ \t>]{0,12}\d{1,7}[ \t]{0,4}(?:[:|\-→]|\t| {2})[ \t]?", re.MULTILINE)
"""The line number in front of a line, as readers and searches print it."""
_PICTURE = late(r"\b(?:image|screenshot|picture)\b", re.IGNORECASE)
"""What such a call showed isn't in the text."""
_QUIET = frozenset({Kind.THINK, Kind.PLAN, Kind.FINISH})
_CHANGES_BY_ITSELF = frozenset({Kind.RUN, Kind.OTHER, Kind.EDIT})


class NoProgressOptions(Options):
    """Options of this detector."""

    actions: int = Field(default=30, ge=5)
    """How many actions in a row must bring nothing new."""


_GUIDANCE = {
    "": Guidance(
        questions=(
            "What is known at step {last} that wasn't known at step {first}?",
            "What does the task need next, in one sentence?",
        ),
        approaches=(
            (
                "Write down what is known",
                "List what the last steps have shown, and cross out what isn't relevant to the task.",
            ),
            (
                "Return to the task",
                "Read the task again and name the smallest change that would make a difference to it.",
            ),
            ("Ask", "Say what was tried and what is missing, and ask the user the one question that decides."),
        ),
        improvement="A budget for steps that yield nothing new",
        change=(
            "Count steps since the last new file, new output, new failure or kept edit; after twenty, inject a summary "
            "of what is known and ask for a plan."
        ),
        lesson="Steps without new information are the simplest sign of being stuck.",
    )
}


class NoProgress(LiveDetector):
    """One finding per stretch."""

    name = "no-progress"
    category = Category.PLAN
    taxonomy = Taxonomy.of(mast=["FM-1.3", "FM-1.5"], trail=["Resource Abuse"])
    options = NoProgressOptions.usual()
    traits = frozenset({Trait.ASPECT_OF_LOOP})
    guidance = _GUIDANCE
    cause_name = "no progress"

    def start(self, lane_context: LaneContext) -> RuleState:
        """The state of the rule in a lane that is about to begin."""
        return _State(lane_context, self.options)

    def detect(self, facts: Facts) -> Iterable[Finding]:
        """The findings of one session."""
        return self.follow(facts, self.options.actions)


DETECTOR = NoProgress()


@dataclass(slots=True)
class _Stretch:
    """Actions in a row that brought nothing new."""

    first: Action
    last: Action
    count: int = 0
    at: int | None = None
    """The step at which it was long enough."""
    escaped: bool = False
    calls: Counter[str] = field(default_factory=Counter)
    seen: dict[str, Action] = field(default_factory=dict)


class _Memory:
    """The last things seen: at least `most`, at most twice as many."""

    def __init__(self, most: int) -> None:
        self._now: set[Hashable] = set()
        self._before: set[Hashable] = set()
        self._most = most

    def add(self, artifact: Hashable) -> bool:
        """Whether it's new."""
        if artifact in self._now:
            return False
        if len(self._now) >= self._most:
            self._before, self._now = self._now, set()
        self._now.add(artifact)
        return artifact not in self._before

    def holds(self, artifact: Hashable) -> bool:
        """Whether it was seen."""
        return artifact in self._now or artifact in self._before


class _Lines:
    """The lines that were seen, apart from what varies by itself.

    Masking is what takes time. A line without every character that a standard mask can touch is the same for all lines
    that are equal once masked; where that is new, so is the line, and masking waits until it matters.
    """

    def __init__(self, masks: MaskTable) -> None:
        self._masks = masks
        self._bare, self._masked = _Memory(_MOST_LINES), _Memory(_MOST_LINES)
        self._waiting: list[str] = []
        self._size = 0

    def new_in(self, text: str) -> bool:
        """Whether a text has a line that wasn't seen before. All its lines are remembered."""
        sure = False
        for line in text.translate(_MAY_VARY).split("\n"):
            sure = (bool(line) and self._bare.add(hash(line))) or sure
        sure = sure and self._masks is STANDARD and "/tmp/" not in text and "/var/" not in text
        if sure and self._size < _MOST_WAITING:
            self._waiting.append(text)
            self._size += len(text)
            return True
        for earlier in self._waiting:
            self._remember(earlier)
        self._waiting.clear()
        self._size = 0
        return self._remember(text)

    def _remember(self, text: str) -> bool:
        new = False
        for line in self._masks.mask(text).split("\n"):
            if line := line.strip():
                new = self._masked.add(hash(line)) or new
        return new


class _State(RuleState):
    def __init__(self, lane_context: LaneContext, options: NoProgressOptions) -> None:
        super().__init__(lane_context)
        self._options = options
        self._lines, self._results = _Lines(lane_context.masks), _Memory(_MOST_CALLS)
        self._calls, self._changes, self._failures = _Memory(_MOST_CALLS), _Memory(_MOST_CALLS), _Memory(_MOST_CALLS)
        self._made = _Memory(_MOST_CALLS)
        self._now: _Stretch | None = None
        self._raised: list[_Stretch] = []

    def on_message(self, message: Message) -> Iterable[Finding]:
        if message.role == "user":
            self._end()
        return ()

    def on_action(self, action: Action) -> Iterable[Finding]:
        if action.kind in _QUIET and action.kind is not Kind.FINISH and self._calls.add(action.keys.call):
            return
        new = self._brings_something(action)
        if new or action.compacted_before:
            self._end()
        if new or action.kind is Kind.WAIT or action.harness:
            return
        stretch = self._now = self._now or _Stretch(action, action)
        stretch.last = action
        if action.kind is Kind.FINISH:
            return
        stretch.count += 1
        target = clip(action.operation.target, 120) or action.tool
        if target in stretch.calls or len(stretch.calls) < 100:
            stretch.calls[target] += 1
            stretch.seen.setdefault(target, action)
        if stretch.count == self._options.actions:
            stretch.at = action.step
            if not self.lane_context.live:
                self._raised.append(stretch)
            yield self._finding(stretch)

    def findings(self) -> Iterable[Finding]:
        return [self._finding(stretch) for stretch in self._raised]

    def _end(self) -> None:
        if self._now is not None:
            self._now.escaped = True
        self._now = None

    def _brings_something(self, action: Action) -> bool:
        """Whether an action shows or changes anything that the lane hadn't seen. Everything that it shows is
        remembered."""
        if action.kind in _QUIET or action.harness:
            return False
        new_lines = self._new_lines(action)
        new_call = self._calls.add(action.keys.call_masked or action.keys.call)
        if action.result is None and action.kind is not Kind.EDIT:
            return True
        if action.failure is not None:
            new_failure = self._failures.add(self.lane_context.masks.mask(action.failure.headline[:300]))
            return new_failure or (new_lines and action.kind in (Kind.TEST, Kind.RUN))
        if action.kind is Kind.OTHER and (
            len(action.result or "") < 20 or _PICTURE.search((action.result or "")[:200])
        ):
            return True
        if (action.operation.edits and self._changed(action)) or appends(action):
            return True
        if action.kind is Kind.EDIT and action.operation.edits:
            return False
        return new_lines or (new_call and action.kind in _CHANGES_BY_ITSELF)

    def _changed(self, action: Action) -> bool:
        """Whether an edit does something that no earlier one did, or adds to a file, and doesn't only take one back."""
        new = False
        for edit in action.operation.edits[:50]:
            if edit.before is None and edit.after is None:
                new = self._changes.add((edit.path, action.keys.call)) or new
                continue
            here = (edit.path, hash(edit.before), hash(edit.after))
            back = (edit.path, hash(edit.after), hash(edit.before))
            grows = adds(edit) and not (edit.before is not None and self._made.holds(back))
            self._made.add(here)
            fresh = self._changes.add(here)
            known = edit.before is not None and not self._changes.add(back)
            new = new or (fresh and not known) or grows
        return new

    def _new_lines(self, action: Action) -> bool:
        text = action.result or ""
        if not text or not self._results.add(action.keys.outcome):
            return False
        if len(text) > 2 * _HALF:
            text = f"{text[:_HALF]}\n{text[-_HALF:]}"
        return self._lines.new_in(_NUMBERING.sub("", text))

    def _finding(self, stretch: _Stretch) -> Finding:
        assert stretch.at is not None
        often = stretch.calls.most_common(3)
        evidence = [_shown(stretch.seen[target], target, count) for target, count in often]
        names = ", ".join(code(target, 60) for target, _ in often[:2])
        long = stretch.count >= 2 * self._options.actions
        return NoProgress.finding(
            severity=Severity.HIGH if long else Severity.MEDIUM,
            confidence=0.75,
            title=(
                f"Steps {stretch.first.step}-{stretch.last.step} yield nothing new: "
                f"{plural(stretch.count, 'action')} without "
                "a lasting change or a line that hadn't been seen before"
            ),
            lane=self.lane_context.lane,
            first_step=stretch.first.step,
            last_step=stretch.last.step,
            steps=sorted({stretch.first.step, stretch.at, stretch.last.step}),
            detectable_at=stretch.at,
            escaped=stretch.escaped,
            evidence=sorted(evidence, key=lambda entry: entry.step),
            advice=[
                (
                    f"After step {stretch.at} stop repeating {names}: write down what is known and what is still "
                    "open, and try something that hasn't been tried, or ask."
                )
            ],
            cost=cost_of(stretch.first, stretch.last),
        )


def _shown(action: Action, target: str, count: int) -> Evidence:
    """What a call returned, or the call where it returned nothing, with how often it was made before the quote."""
    result = clip(action.result or "", 200)
    if not result:
        return Evidence(step=action.step, label=f"called {times(count)}:", quote=clip(target, 200))
    return Evidence(step=action.step, label=f"{clip(target, 70)} ({times(count)}) returned", quote=result)
