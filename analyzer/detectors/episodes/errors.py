"""The error track: the same failure comes back, whatever the calls are, until something shows progress.

Progress is another failure of a test or a run, other or fewer failing tests, the failing call succeeding, an accepted
edit after a refused one, a malformed call put right, a user who says something new. A successful edit is no progress
for an error that then comes back. Rounds of the very same failing call may lie further apart than those of different
calls. Whoever waits before trying again what may pass by itself (a rate limit, a server that isn't up yet) is given
twice as many rounds.

A script that catches its error and prints more than the last time tells something new. A run that prints what it
printed before, and more, ahead of the same failure is no round: what comes back after it may be one.

What the agent provokes with an input of its own and accepts is no round of anything (`probes`).

Different calls that meet the same error of the code with no change in between are probes, not rounds. Writing the
script that is then run for the first time is no change: it's a part of the probe.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Sequence, Set

from analyzer.detectors.engine.rule_state import LaneContext
from analyzer.detectors.episodes.episode import MOST_LIVE, Stretch, kind_of_rounds, passing, pattern_of, waits
from analyzer.detectors.episodes.shown import Probes, ShownValues, shows_more
from analyzer.failures.roles import last_part, same_file
from analyzer.model.action import Action
from analyzer.model.failure import Failure
from analyzer.model.words import NOT_CARRIED_OUT, OF_CODE, FailureKind, Kind, LoopKind

_GAP_SAME_CALL = 12
"""How many actions may lie between two rounds of the very same failing call."""
_GAP_OTHER_CALL = 8
"""How many actions may lie between two rounds when the calls differ."""
_UNAPPLIED = frozenset({"EditNoMatch", "EditAmbiguous", "NoOpEdit", "InvalidCall", "NotRead", "StaleFile"})
"""Ways in which an edit can miss its file. A tool that goes from one to another on the same file hasn't got
anywhere."""
_CAUGHT = "CaughtError"
"""The type of an error that a script catches and only prints."""
_PROSE = "ProseInShell"
"""The type of a sentence that was sent to the shell: no command that follows is the same call put right, if the
sentence comes again."""
_NOT_THERE = frozenset({FailureKind.NOT_FOUND, FailureKind.TIMEOUT, FailureKind.NETWORK, FailureKind.OTHER})
"""What somebody learns who looks up a value that isn't there."""
_MOST_RUNS = 256
_MOST_CALLS = 1_000


class ErrorTrack:
    """Follows one lane; see the module's text."""

    def __init__(self, lane_context: LaneContext, rounds: int, shown: ShownValues) -> None:
        self._rounds = rounds
        self._shown = shown
        self._live = lane_context.live
        self._masks = lane_context.masks
        self._position = -1
        self._units: deque[Action] = deque(maxlen=_GAP_SAME_CALL + 2)
        self._runs: dict[tuple[str, str | None], _Run] = {}
        self._probes = Probes()

    def on_action(self, unit: Action) -> Iterator[Stretch]:
        """Take the next action; the stretches that became episodes with it."""
        self._position += 1
        self._units.append(unit)
        failure, probed = unit.failure, self._probes.is_probe(unit)
        if failure is None or failure.group is None or failure.expected or failure.kind in NOT_CARRIED_OUT:
            return
        names = [failure.group]
        if unit.kind is Kind.EDIT and failure.type in _UNAPPLIED and unit.operation.path:
            names.append(f"unapplied edits of {unit.operation.path}")
        if len(self._runs) > _MOST_RUNS:
            oldest = self._position - _GAP_SAME_CALL - 1
            self._runs = {key: run for key, run in self._runs.items() if run.position >= oldest}
        for name in names:
            for call in (None, unit.keys.call_masked):
                if (made := self._add((name, call), unit, probed=probed)) is not None:
                    yield made

    def _add(self, key: tuple[str, str | None], unit: Action, *, probed: bool) -> Stretch | None:
        run = self._runs.get(key)
        if run is not None and unit.batch is not None and run.latest.batch == unit.batch:
            return None
        recent = list(self._units)
        gap = self._position - run.position if run is not None else 0
        looks = unit.failure is not None and unit.failure.kind in _NOT_THERE and unit.kind is not Kind.EDIT
        anew = run is None or probed or (key[1] is None and looks and self._shown.looked_up(run.latest, unit))
        if run is None or anew or gap >= len(recent) or _progress(run, recent[-gap - 1], recent[-gap:-1], unit):
            self._runs[key] = _Run(unit, recent, self._position)
            return None
        if run.latest.keys.call_masked == unit.keys.call_masked and shows_more(run.latest, unit, self._masks):
            run.latest, run.position = unit, self._position
            return None
        return run.add(unit, recent, self._position, live=self._live, rounds=self._rounds)


class _Run:
    """The occurrences of one failure with no progress between them, so far."""

    def __init__(self, unit: Action, recent: Sequence[Action], position: int) -> None:
        self.latest = self._first = unit
        self.position, self.count, self._longest = position, 1, 0
        self.calls = {unit.keys.call_masked}
        """The different calls that met the failure."""
        self._stretch: Stretch | None = None
        self._before = recent
        self._second: Sequence[Action] = ()
        self._cycle: Sequence[Action] = ()
        self._gap: int | None = 0
        self._alike = True
        self._kinds: list[Kind] = []
        self._edits = self._changed = 0
        self._steps = [unit.step]
        self._groups = Counter([_group(unit)])
        self._of_code = _of_code(unit)
        self._patient = passing(unit)
        self._only_edits = unit.kind is Kind.EDIT

    def add(self, unit: Action, recent: Sequence[Action], position: int, *, live: bool, rounds: int) -> Stretch | None:
        """Another occurrence; the stretch, when it becomes an episode with this one."""
        gap = position - self.position
        latest = recent[-gap:]
        kinds, edits = [action.kind for action in latest], [one for one in latest[:-1] if one.kind is Kind.EDIT]
        self._gap = gap if self._gap in (0, gap) else None
        if self.count == 1:
            self._second, self._kinds = recent, kinds
        elif self._gap is not None:
            self._alike = self._alike and kinds == self._kinds
        self._changed += any(_changes(action, unit, self.calls) for action in latest)
        if edits:
            self._edits += 1
            self._cycle = edits[-1:]
        self.latest, self.position, self.count, self._longest = unit, position, self.count + 1, max(self._longest, gap)
        if not live or len(self._steps) < MOST_LIVE:
            self._steps.append(unit.step)
        if len(self.calls) < _MOST_CALLS:
            self.calls.add(unit.keys.call_masked)
        self._groups[_group(unit)] += 1
        self._of_code = self._of_code and _of_code(unit)
        self._patient = self._patient and waits(latest) and passing(unit)
        self._only_edits = self._only_edits and unit.kind is Kind.EDIT
        if self._stretch is not None:
            self._update(self._stretch)
            return None
        if self.count < (2 * rounds if self._patient else rounds) or self._probes():
            return None
        self._stretch = Stretch.of(LoopKind.REPEATED_ERROR, self._steps, unit.step, self.calls, "")
        self._update(self._stretch)
        return self._stretch

    def _probes(self) -> bool:
        """Whether the agent only tries one piece of code with different inputs: calls that differ, an error of the
        code, and no change to any file in most of the rounds."""
        return self._of_code and len(self.calls) * 2 > self.count and self._changed * 2 < self.count - 1

    def _update(self, stretch: Stretch) -> None:
        same = len(self.calls) == 1
        period, first = self._gap, self._first.step
        cycle: Sequence[Action] = [self._first]
        if period is not None and period > 1:
            lead = self._before[-period:]
            # Of actions that fit no kind, the tool says what sort of thing they do.
            pairs = zip(lead, self._second[-period:], strict=False)
            same_sort = all(one.kind is not Kind.OTHER or one.tool == other.tool for one, other in pairs)
            alike = same_sort and [action.kind for action in lead] == self._kinds
            if len(lead) == period and alike and not any(action.after_user for action in lead[1:]):
                first = lead[0].step
            cycle = self._second[-period:]
            if not self._alike:
                period = None
        elif period is None and self._edits * 2 >= self.count - 1:
            cycle = [*self._cycle, self.latest]
            if len(self._before) > 1 and self._before[-2].kind is Kind.EDIT and not self._first.after_user:
                first = self._before[-2].step
        if period is not None and period > 1:
            stretch.kind = kind_of_rounds(period)
        else:
            by_call = same and (period == 1 or not self._only_edits)
            stretch.kind = LoopKind.REPEATED_CALL if by_call else LoopKind.REPEATED_ERROR
        stretch.first, stretch.last, stretch.period = first, self.latest.step, period
        stretch.group = self._groups.most_common(1)[0][0]
        stretch.same_calls, stretch.pattern, stretch.due = same, pattern_of(cycle, same=same), self._longest


def _progress(run: _Run, before: Action, between: Sequence[Action], now: Action) -> bool:
    """Whether something between the run's last occurrence and `now` shows that the agent got somewhere."""
    if now.after_user or any(action.after_user for action in between):
        return True
    if before.failure is not None and now.failure is not None and _failing(before.failure) != _failing(now.failure):
        return True
    same_call = before.keys.call_masked == now.keys.call_masked
    # Where a script that catches its errors prints more than the last time, somebody made it tell what it does.
    caught = all(one.failure is not None and one.failure.type == _CAUGHT for one in (before, now))
    printed, earlier = ((one.result or "").strip().count("\n") for one in (now, before))
    if same_call and caught and printed > earlier:
        return True
    if len(between) > (_GAP_SAME_CALL if same_call else _GAP_OTHER_CALL):
        return True
    refused = now.kind is Kind.EDIT and now.failure is not None
    invalid = now.failure if now.failure is not None and now.failure.kind is FailureKind.INVALID_CALL else None
    malformed = invalid is not None and not (same_call and invalid.type == _PROSE)
    for action in between:
        if action.failure is None:
            if action.kind is not Kind.EDIT and (
                action.keys.call_masked in run.calls or action.keys.call_masked == now.keys.call_masked
            ):
                return True
            if refused and action.kind is Kind.EDIT and action.operation.path == now.operation.path:
                return True
            if malformed and action.tool == now.tool and action.kind is now.kind:
                return True
        elif not same_call and action.kind in (Kind.TEST, Kind.RUN):
            return True
    return False


def _changes(action: Action, probe: Action, calls: Set[str]) -> bool:
    """Whether an action changes a file other than by writing the script that a probe then runs for the first time;
    `calls` are the ones before it."""
    if probe.kind is not Kind.RUN or not all(edit.created for edit in action.operation.edits):
        return bool(action.operation.edits)
    words = [word for command in probe.operation.commands for word in command.args]
    return not all(
        any(same_file(edit.path, word) for word in words) and not any(last_part(edit.path) in call for call in calls)
        for edit in action.operation.edits
    )


def _failing(failure: Failure) -> int:
    """How many tests fail, as far as the runner counts them."""
    return failure.counts.get("failed", 0) + failure.counts.get("errors", 0)


def _group(unit: Action) -> str:
    return (unit.failure.group if unit.failure is not None else None) or ""


def _of_code(unit: Action) -> bool:
    """Whether a program was running when it failed, the system refusing it something included. A tool of its own that
    turns a call down runs no code of the agent's."""
    failure = unit.failure
    if failure is None or (unit.kind is Kind.OTHER and unit.operation.command is None and not failure.frames):
        return False
    return failure.kind in OF_CODE or (failure.kind is FailureKind.PERMISSION and bool(failure.frames))
