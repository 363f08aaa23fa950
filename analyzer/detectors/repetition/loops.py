"""The agent repeats itself without progress.

What it flags
    A stretch of steps in which the same action, or the same cycle of up to eight actions, or the same failure comes
    back for three rounds or more, with essentially the same result and no progress in between. It counts even if the
    agent gets out of it later, at a lower severity. Also the same question asked again between reads, or asked four
    times in different words with the same answer, the same action on the same page of a browser, one made-up value
    after another in the same call, one message that says the same thing ten times, and one thought that a tool records
    six times. Answers that differ only in ids, times or ages are the same, and so are the receipts of something that is
    sent or created once more.

Why it matters
    Rounds after the third almost never help, and they consume most of the time and money of stuck runs. Rules that
    count equal calls miss the most common case, edit -> test -> edit -> test, in which every edit differs and every
    error is the same.

What it does not flag
    Updating a list of tasks, a file that is read again after it was edited or after the context was compacted,
    paging through a file, working through many files with one tool, test runs whose failures change, waiting for a
    process (fewer than twenty polls with one answer), the same check between pieces of work, repeats that the user
    asked for, calls that were sent together in one message, checking the time, listed values that are looked up one
    by one, keys pressed a few times where the answer doesn't say what that did, as many calls as the user asks for,
    calls whose results weren't recorded, lists, tables and code within a message.

Options
    rounds: how many rounds make a finding (3).

Example:
    Steps 15-26: edit-test loop, 6 rounds: edits to `clamp_splines.py` differ, the error stays.

"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import Annotated, Any

from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.engine.interface import Options, followed
from analyzer.detectors.engine.rule_state import LaneContext, RuleState, cost_of, cost_of_steps, is_spread
from analyzer.detectors.engine.table import new_finding
from analyzer.detectors.episodes.episode import CHANT, REPORTED, ROUNDS, Episode
from analyzer.detectors.episodes.finder import EpisodeFinder
from analyzer.detectors.signals.loop_words import advice_on_loop, loop_facts, words_on_loop
from analyzer.detectors.signals.quoted import evidence_of
from analyzer.model.action import Action
from analyzer.model.finding import Cost, Evidence, Finding
from analyzer.model.session import Message
from analyzer.model.struct import Meta
from analyzer.model.words import Kind, LoopKind, Severity, Status
from analyzer.text.clip import clip
from analyzer.text.markdown import code
from analyzer.timeline.closing.ending import text_given

_COSTLY_ROUNDS = 12
_COSTLY_ACTIONS = 40
"""From how many rounds or actions on a loop weighs as much as one that the agent never left."""
_MOST_RECENT = 200
"""Actions that the rule remembers in a running agent: what a finding quotes lies within."""


class LoopsOptions(Options, frozen=True, kw_only=True):
    """Options of this detector."""

    rounds: Annotated[int, Meta(ge=ROUNDS)] = ROUNDS
    """How many rounds make a finding."""


class _State(RuleState):
    def __init__(self, lane_context: LaneContext, options: LoopsOptions) -> None:
        super().__init__(lane_context)
        self._options = options
        self._finder = EpisodeFinder(lane_context, options.rounds)
        self._actions: deque[Action] = deque(maxlen=_MOST_RECENT if lane_context.live else None)
        self._said: dict[int, str] = {}

    def on_action(self, action: Action) -> Iterable[Finding]:
        self._actions.append(action)
        new = self._finder.on_action(action)
        return self._of(new) if new else []

    def on_message(self, message: Message) -> Iterable[Finding]:
        new = self._finder.on_message(message)
        self._said.update(dict.fromkeys((episode.last for episode in new), message.text))
        return self._of(new)

    def findings(self) -> Iterable[Finding]:
        return self._of(self._finder.episodes(list(self._actions)))

    def _of(self, episodes: Sequence[Episode]) -> list[Finding]:
        known = list(self._actions) if episodes else []
        return [_of_episode(episode, known, self._said.get(episode.last)) for episode in episodes]


def _of_episode(episode: Episode, known: Sequence[Action], said: str | None) -> Finding:
    """The finding of an episode in a lane of which these actions are known; `said` is the message that made it
    known."""
    if episode.kind is LoopKind.MONOLOGUE:
        handed = next((text_given(action) for action in known if action.step == episode.last), "")
        return _monologue(episode, said or handed)
    start = known[0].step
    actions = [known[step - start] for step in range(max(start, episode.first), episode.last + 1)]
    at = {action.step: action for action in actions}
    shown = [at[step] for step in episode.steps if step in at]
    beside = _sent_with(episode, actions, shown)
    facts = loop_facts(episode, actions, shown, beside)
    # Whether the rounds are single calls that lie far apart.
    apart = episode.period in (1, None) and is_spread(episode.steps)
    doubts = (not episode.same_calls) + (episode.period is None) + (episode.rounds == 3)
    return _finding(
        episode,
        words=words_on_loop(episode, actions, shown, facts),
        severity=_severity(episode, actions, shown, len(episode.steps) if apart else episode.length),
        confidence=round(0.95 - 0.1 * doubts, 2),
        round_ends=episode.round_ends,
        period=episode.period,
        evidence=_evidence(episode, shown),
        advice=advice_on_loop(episode, shown, facts),
        cost=cost_of_steps(shown) if apart else cost_of(actions[0], actions[-1]),
        repeated=_repeated(episode, shown[-1]),
        differed=_differed(actions, [*shown, *beside], episode),
        also=[str(kind) for kind in episode.others],
        group=episode.group,
        slots=facts,
    )


def _monologue(episode: Episode, said: str) -> Finding:
    """Said between two steps, or in several calls of a tool that takes down thoughts; `first_step` is the step before
    what was said between two, 0 where there was none."""
    where = f"after step {episode.first}" if episode.first else "before the first step"
    if episode.first < episode.last:
        where = f"steps {episode.first}-{episode.last}"
    return _finding(
        episode,
        words=episode.pattern if episode.pattern in (CHANT, REPORTED) else "",
        severity=Severity.MEDIUM if episode.rounds < 6 else Severity.HIGH,
        evidence=[Evidence(step=episode.last, quote=clip(said, 300))],
        cost=Cost(actions=0),
        repeated=clip(said, 300),
        slots={"rounds": episode.rounds, "where": where},
    )


def _finding(episode: Episode, **more: Any) -> Finding:
    return new_finding(
        f"loops/{episode.kind!s}",
        lane=episode.lane,
        first_step=episode.first,
        last_step=episode.last,
        steps=episode.steps,
        detectable_at=episode.opened_at,
        rounds=episode.rounds,
        escaped=episode.escaped,
        pattern=episode.pattern,
        **more,
    )


def _severity(episode: Episode, actions: Sequence[Action], shown: Sequence[Action], length: int) -> Severity:
    if not episode.escaped:
        return Severity.HIGH
    if episode.rounds >= _COSTLY_ROUNDS or length >= _COSTLY_ACTIONS:
        return Severity.MEDIUM if _is_search(episode, actions, shown) else Severity.HIGH
    return Severity.MEDIUM if episode.rounds > 4 or (episode.rounds > 3 and length > 8) else Severity.LOW


def _is_search(episode: Episode, actions: Sequence[Action], shown: Sequence[Action]) -> bool:
    """Whether the agent looks for something that it finds in part: each of the failing calls is new, and others of the
    same tools succeed between them. Once it goes on to something else, the error alone makes that no costly loop."""
    tools = {action.tool for action in shown}
    found = sum(
        action.tool in tools and action.status is Status.OK and action.kind is not Kind.EDIT for action in actions
    )
    new = len({action.keys.call_masked for action in shown}) == len(shown)
    return episode.kind is LoopKind.REPEATED_ERROR and new and found * 4 >= len(shown)


def _repeated(episode: Episode, last: Action) -> str:
    if last.failure is not None and episode.group is not None:
        return clip(last.failure.headline, 300)
    return clip(f"{last.tool} {last.keys.browser_action or last.operation.target}", 200)


def _evidence(episode: Episode, shown: Sequence[Action]) -> list[Evidence]:
    if episode.group is not None:
        some = shown if len(shown) < 4 else (shown[0], shown[len(shown) // 2], shown[-1])
        return [evidence_of(action) for action in some if action.failure is not None]
    found = []
    for one in {action.step: action for action in (shown[0], shown[-1])}.values():
        if (one.result or "").strip():
            called = clip(f"{one.tool} {one.operation.target}".strip(), 90)
            found.append(Evidence(step=one.step, label=f"{called} returned", quote=clip(one.result or "", 200)))
        else:
            quote = clip(one.operation.target or one.tool, 200)
            found.append(Evidence(step=one.step, label="nothing was returned by", quote=quote))
    return found


def _differed(actions: Sequence[Action], shown: Sequence[Action], episode: Episode) -> list[str]:
    found: list[str] = []
    if edits := [action for action in actions if action.kind is Kind.EDIT and action.operation.path]:
        paths = ", ".join(dict.fromkeys(action.operation.path or "" for action in edits))
        texts = len({(action.keys.call, action.operation.edits) for action in edits})
        what = "1 edit" if len(edits) == 1 else "the same edit" if texts == 1 else f"{texts} different edits"
        found.append(f"{what} of {paths}")
    calls = list(dict.fromkeys(action.operation.target for action in shown))
    if not episode.same_calls and len(calls) > 1:
        such = dict.fromkeys(code(clip(call, 80)) for call in calls)
        found.append(f"{len(calls)} different calls, such as {', '.join(list(such)[:3])}")
    intents = [" ".join(action.said.split()) for action in actions if action.said]
    if len(intents) >= max(3, episode.rounds) and len(set(intents)) == 1:
        found.append("not even what the agent said about it")
    return found


def _sent_with(episode: Episode, actions: Sequence[Action], shown: Sequence[Action]) -> list[Action]:
    """The calls that show the same as a round's, and were sent in one message with it."""
    if episode.period != 1 and episode.kind is not LoopKind.REPEATED_ERROR:
        return []
    batches = {action.batch for action in shown if action.batch is not None}
    calls, steps = {action.keys.call_masked for action in shown}, set(episode.steps)
    near = [action for action in actions if action.batch in batches and action.step not in steps]
    if episode.group is None:
        return [action for action in near if action.keys.call_masked in calls]
    return [action for action in near if action.failure is not None and action.failure.group == episode.group]


OPTIONS = LoopsOptions()
STATE = _State


def detect(facts: Facts, options: LoopsOptions) -> Iterable[Finding]:
    """The findings of one session: its episodes are those of all detectors, unless another number of rounds
    makes a finding here."""
    if options.rounds != ROUNDS:
        return followed(lambda lane: _State(lane, options), facts)
    return [_of_episode(episode, facts.lane(episode.lane), facts.said(episode)) for episode in facts.episodes]
