"""Find every stretch in which an agent repeats itself in vain: maximal, none overlapping another, step by step.

Several tracks are followed over the whole lane. On the call track the same cycle of one to eight calls comes back with
its results, on the lap track one whose rounds differ a little; on the error track the same failure, whatever the calls
are; on the content track a file's content, flipped back and forth or read again; on the look track a
question that nothing can have given another answer, on the rewording track one that comes back in other words; on the
guess track one made-up value after another, on the talk track what the agent says. Each sees what the others can't:
edit -> test -> edit -> test with every edit different and every error equal shows on the error track only.

What the tracks see at the same place is one episode. It's known from the step on at which the first of them had seen
three rounds; the track that covers most steps says what kind it is, the others are named. An episode that later turns
out to be a part of a longer one is reported with that.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterable, Sequence

from analyzer.detectors.engine.rule_state import LaneContext
from analyzer.detectors.episodes.calls import CallTrack
from analyzer.detectors.episodes.contents import ContentTrack
from analyzer.detectors.episodes.episode import ROUNDS, Episode, Stretch, counts
from analyzer.detectors.episodes.errors import ErrorTrack
from analyzer.detectors.episodes.guesses import GuessTrack, fails_over_a_name, refuses
from analyzer.detectors.episodes.looks import LapTrack, LookTrack
from analyzer.detectors.episodes.rewording import RewordingTrack
from analyzer.detectors.episodes.shown import ShownValues
from analyzer.detectors.episodes.talk import TalkTrack
from analyzer.model.action import Action
from analyzer.model.session import Message
from analyzer.model.struct import Struct, asdict, field
from analyzer.model.words import Kind, LoopKind

_ONE_CALL = frozenset({LoopKind.REPEATED_CALL, LoopKind.RE_READ})
_HORIZON = 120
"""Actions after which an episode that no track has seen going on can't meet another one any more: longer than any
round."""


class _Cluster(Struct):
    """Stretches at one place. `opened_at` is the step at which the first one was known; `beside` those that began only
    after that and lie mostly inside."""

    opened_at: int
    stretches: list[Stretch]
    beside: list[Stretch] = field(default_factory=list)

    @property
    def best(self) -> Stretch:
        if len(self.stretches) == 1:
            return self.stretches[0]
        return max(self.stretches, key=lambda stretch: stretch.weight)

    @property
    def members(self) -> list[Stretch]:
        return [*self.stretches, *self.beside]


class EpisodeFinder:
    """Follows one lane, and knows its episodes."""

    def __init__(self, lane_context: LaneContext, rounds: int = ROUNDS) -> None:
        self._lane_context = lane_context
        self._rounds = rounds
        self._shown = ShownValues(lane_context.task)
        self._calls = CallTrack(lane_context, rounds)
        self._tracks = (
            self._calls,
            ErrorTrack(lane_context, rounds, self._shown),
            ContentTrack(lane_context, rounds),
            LookTrack(lane_context, rounds),
            RewordingTrack(lane_context, rounds),
            LapTrack(lane_context, rounds),
            GuessTrack(lane_context, rounds, self._shown),
        )
        self._talk = TalkTrack(rounds, lane_context.task)
        self._recent: list[_Cluster] = []
        self._done: list[_Cluster] = []

    def feed(self, event: Action | Message) -> list[Episode]:
        """Take the next event; the episodes that became known with it."""
        return self.on_action(event) if isinstance(event, Action) else self.on_message(event)

    def on_action(self, action: Action) -> list[Episode]:
        """Take the next action; the episodes that became known with it, as of now."""
        if action.kind is Kind.THINK and not action.harness:
            return self._known(self._place(self._talk.on_thought(action)))
        if not counts(action):
            return []
        self._talk.on_action(action)
        made = [stretch for track in self._tracks for stretch in track.on_action(action)]
        new = self._place(made) if made else []
        if action.result and not refuses(action) and not fails_over_a_name(action):
            self._shown.add(action.result)
        new += self._promoted(action.step)
        if self._recent:
            self._settle(action.step)
        return self._known(new) if new else []

    def on_message(self, message: Message) -> list[Episode]:
        """Take the next message; the episodes that became known with it."""
        if message.role == "user":
            self._shown.request(message.text)
            self._calls.on_request(message.text)
        return self._known(self._place(self._talk.on_message(message)))

    def episodes(self, actions: Sequence[Action]) -> list[Episode]:
        """All episodes of the lane, in step order; `actions` are all of its actions, step N at index N - 1."""
        covered: list[tuple[int, int, _Cluster]] = []
        for knot in sorted((*self._done, *self._recent), key=lambda knot: knot.best.weight, reverse=True):
            part: Stretch | None = knot.best
            while part is not None and (rival := _rival(part, covered)) is not None:
                part = part.without(rival.best)
                if part is None or not part.first <= knot.opened_at <= part.last:
                    rival.beside.extend(knot.members)
                    part = None
            if part is not None:
                left = knot if part is knot.best else _Cluster(knot.opened_at, [part], knot.beside)
                insort(covered, (part.first, part.last, left), key=lambda entry: entry[0])
        return self._known((knot for _, _, knot in covered), actions)

    def _place(self, stretches: Iterable[Stretch]) -> list[_Cluster]:
        """Put new stretches beside those that they overlap; the clusters of those that overlap none."""
        new: list[_Cluster] = []
        for stretch in stretches:
            for knot in reversed(self._recent):
                shared = max(stretch.overlaps(other) for other in (knot.stretches[0], knot.best))
                if shared and stretch.first <= knot.opened_at:
                    knot.stretches.append(stretch)
                    break
                if shared and shared * 2 >= stretch.length:
                    knot.beside.append(stretch)
                    break
            else:
                new.append(self._open(stretch))
        return new

    def _open(self, stretch: Stretch) -> _Cluster:
        made = _Cluster(stretch.opened_at, [stretch])
        self._recent.append(made)
        return made

    def _promoted(self, step: int) -> list[_Cluster]:
        """What lay inside another stretch and has outlived it by more than it shared with it is an episode of its
        own."""
        new: list[_Cluster] = []
        for knot in tuple(self._recent):
            for stretch in tuple(knot.beside):
                outlives = stretch.last == step and stretch.length > 2 * stretch.overlaps(knot.best)
                if outlives and stretch.without(knot.best) is not None:
                    knot.beside.remove(stretch)
                    stretch.opened_at = step
                    others = (rival for rival in self._recent if rival is not knot and stretch.overlaps(rival.best))
                    if (other := next(others, None)) is None:
                        new.append(self._open(stretch))
                    else:
                        (other.stretches if stretch.first <= other.opened_at else other.beside).append(stretch)
        return new

    def _settle(self, step: int) -> None:
        if self._recent[0].best.last >= step - _HORIZON:
            return
        old = [knot for knot in self._recent if all(stretch.last < step - _HORIZON for stretch in knot.members)]
        self._recent = [knot for knot in self._recent if knot not in old]
        if not self._lane_context.live:
            self._done.extend(old)

    def _known(self, knots: Iterable[_Cluster], actions: Sequence[Action] = ()) -> list[Episode]:
        episodes: list[Episode] = []
        for knot in knots:
            best = knot.best
            # The track goes on with its lists.
            own = {"round_ends": list(best.round_ends), "steps": list(best.steps), "opened_at": knot.opened_at}
            others = [kind for kind in dict.fromkeys(one.kind for one in knot.members) if kind is not best.kind]
            known = {**asdict(best), **own, "lane": self._lane_context.lane, "others": others}
            episodes.append(Episode(**known, escaped=bool(actions) and _escaped(best, actions)))
        return episodes


def _rival(part: Stretch, covered: Sequence[tuple[int, int, _Cluster]]) -> _Cluster | None:
    """The episode, of those already reported, that covers a step of `part`. They're in step order and don't overlap."""
    after = bisect_right(covered, part.last, key=lambda entry: entry[0])
    return covered[after - 1][2] if after and covered[after - 1][1] >= part.first else None


def _escaped(stretch: Stretch, actions: Sequence[Action]) -> bool:
    """Whether the agent got out of it: one of its calls succeeded afterwards, or it continued for longer than a round
    takes.

    A session that somebody else ended before the next round was due ended inside the episode, unless it is one call
    that didn't fail: whatever else follows that is something else. Handing in the work right after the last round is no
    way out, unless that's what had been refused.
    """
    if stretch.last < 1:
        return True
    handing_in = actions[stretch.last - 1].kind is Kind.FINISH
    handed_in = actions[-1].kind is Kind.FINISH and not actions[-1].harness
    due = 1 if handed_in or (stretch.kind in _ONE_CALL and stretch.group is None) else max(1, stretch.due)
    after = 0
    for position in range(stretch.last, len(actions)):
        action = actions[position]
        if not counts(action) or (action.kind is Kind.FINISH and not handing_in):
            continue
        after += 1
        if after >= due or (action.failure is None and (handing_in or action.keys.call_masked in stretch.calls)):
            return True
    return False
