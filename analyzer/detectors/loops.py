"""The agent repeats itself without progress.

What it flags
    A stretch of steps in which the same action, or the same cycle of up to eight actions, or the same failure comes
    back for three rounds or more, with essentially the same result and no progress in between. It counts even if the
    agent gets out of it later; then it matters less. Also the same question that is asked again between looks, or asked
    four times in different words with the same answer, the same action on the same page of a browser, one made-up value
    after another in the same call, one message that says the same thing ten times, and one thought that a tool takes
    down six times. Answers that differ in ids, times or ages only are the same, and so are the receipts of what is
    sent or created once more.

Why it matters
    Rounds after the third almost never help, and they're where the time and the money of stuck runs go. Rules that
    count equal calls don't see the commonest case, edit -> test -> edit -> test, in which every edit differs and every
    error is the same.

What it does not flag
    Keeping a list of tasks, a file that is read again after it was edited or after the context was compacted, paging
    through a file, working through many files with one tool, test runs whose failures change, waiting for a process,
    the same check between pieces of work, repeats that the user asked for, calls that were sent together in one
    message, looks at the clock, listed values that are looked up one by one, keys pressed a few times where
    the answer doesn't say what that did, as many calls as the user asks for, calls whose results weren't recorded,
    lists, tables and code within a message.

Options
    rounds: how many rounds make a finding (3).

Example:
    Steps 15-26: edit-test loop, 6 rounds: edits to `clamp_splines.py` differ, the error stays.

"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Sequence

from pydantic import Field

from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.engine.interface import LiveDetector, Options
from analyzer.detectors.engine.rule_state import LaneContext, RuleState, cost_of, cost_of_steps, is_spread, often
from analyzer.detectors.engine.traits import Trait
from analyzer.detectors.episodes import (
    CHANT,
    FAILING,
    GUESSED,
    INSERTED,
    REPORTED,
    REWORDED,
    ROUNDS,
    Episode,
    EpisodeFinder,
)
from analyzer.detectors.signals.failure_advice import advice_on, advice_on_answer, advice_on_check
from analyzer.detectors.signals.growth import grows
from analyzer.detectors.signals.quoted import evidence_of
from analyzer.detectors.signals.refused_edits import edit_again
from analyzer.detectors.signals.refused_text import explained, in_other_language, replaces_nothing
from analyzer.detectors.signals.short_range import short_ranges
from analyzer.detectors.signals.unchanged_place import unchanged_place
from analyzer.model.action import Action
from analyzer.model.finding import Cost, Evidence, Finding, Taxonomy
from analyzer.model.session import Message
from analyzer.model.words import Category, FailureKind, Kind, LoopKind, Severity, Status
from analyzer.text.clip import clip
from analyzer.text.english import listed, plural, times
from analyzer.text.markdown import code

_TITLES = {
    LoopKind.REPEATED_CALL: "The same call {times} with the same result",
    LoopKind.ALTERNATING: "{pattern}: {rounds} rounds with the same result",
    LoopKind.CYCLE: "The same {period} steps {times} with the same result",
    LoopKind.REPEATED_ERROR: "The same error {times} while the calls vary",
    LoopKind.OSCILLATION: "{path} flips back and forth {times}",
    LoopKind.RE_READ: "The same unchanged content is read {times}",
    LoopKind.MONOLOGUE: "The agent says the same thing {times} without acting",
}
_TITLES_OF_ERRORS = {
    LoopKind.REPEATED_CALL: "The same error {times} from the same call",
    LoopKind.ALTERNATING: "{pattern}: {rounds} rounds with the same error",
    LoopKind.CYCLE: "The same {period} steps {times} with the same error",
}
"""Titles where a failure comes back: the rest of what the calls print may differ."""
_EVERY_FEW_STEPS = "The same error {times}, every {period} steps"
"""The title of a cycle whose first round is its failing step alone."""
_REWORDED_TITLE = "{rounds} calls in different words with the same answer"
_GUESSED_TITLE = "The same call with {rounds} made-up values, each of them refused"
_INSERTED_TITLE = "The same text is put in {times}"
_TITLES_BY_PATTERN = {
    FAILING: "The same call fails {times}",
    REWORDED: _REWORDED_TITLE,
    GUESSED: _GUESSED_TITLE,
    INSERTED: _INSERTED_TITLE,
}
_GROWING_TITLE = "The same edit {times}, and the file grows each time"
_BROWSER_TITLE = "The browser {action} {times}, and the page doesn't change"
_SAID = {
    CHANT: "One message says the same thing {times}",
    REPORTED: "The program around the agent reports the same thing {times} while nothing else happens",
}
_SAID_ADVICE = {
    CHANT: (
        "Stop this message: say in one sentence what comes next, and do it. If the text keeps coming back, end the "
        "turn; a fresh turn with less context breaks it."
    ),
    REPORTED: "Nothing happens between these reports: end the run, and look at what keeps it from the next step.",
}
_COSTLY_ROUNDS = 12
_COSTLY_ACTIONS = 40
"""From how many rounds or actions on a loop weighs as much as one that the agent never left."""
_MOST_RECENT = 200
"""Actions that the rule remembers in a running agent: what a finding quotes lies within."""


class LoopsOptions(Options):
    """Options of this detector."""

    rounds: int = Field(default=ROUNDS, ge=ROUNDS)
    """How many rounds make a finding."""


class Loops(LiveDetector):
    """Findings from episodes, one each."""

    name = "loops"
    category = Category.LOOP
    taxonomy = Taxonomy.of(mast=["FM-1.3"], trail=["Resource Abuse"])
    options = LoopsOptions.usual()
    traits = frozenset({Trait.REPETITION})

    def start(self, lane_context: LaneContext) -> RuleState:
        """The state of the rule in a lane that is about to begin."""
        return _State(lane_context, self.options)

    def detect(self, facts: Facts) -> Iterable[Finding]:
        """The findings of one session: its episodes are those of all detectors, unless another number of rounds
        makes a finding here."""
        if self.options.rounds != ROUNDS:
            return self.follow(facts)
        return [_of_episode(episode, facts.lane(episode.lane), facts.said(episode)) for episode in facts.episodes]


DETECTOR = Loops()


class _State(RuleState):
    def __init__(self, lane_context: LaneContext, options: LoopsOptions) -> None:
        super().__init__(lane_context)
        self._options = options
        self._finder = EpisodeFinder(lane_context, options.rounds)
        self._actions: deque[Action] = deque(maxlen=_MOST_RECENT if lane_context.live else None)
        self._said: dict[int, str] = {}

    def on_action(self, action: Action) -> Iterable[Finding]:
        self._actions.append(action)
        return [
            _of_episode(episode, self._actions, self._said.get(episode.last))
            for episode in self._finder.on_action(action)
        ]

    def on_message(self, message: Message) -> Iterable[Finding]:
        new = self._finder.on_message(message)
        for episode in new:
            self._said[episode.last] = message.text
        return [_of_episode(episode, self._actions, self._said.get(episode.last)) for episode in new]

    def findings(self) -> Iterable[Finding]:
        actions = list(self._actions)
        return [
            _of_episode(episode, actions, self._said.get(episode.last)) for episode in self._finder.episodes(actions)
        ]


def _of_episode(episode: Episode, known: Sequence[Action], said: str | None = None) -> Finding:
    """The finding of an episode in a lane of which these actions are known; `said` is the message that made it
    known."""
    if episode.kind is LoopKind.MONOLOGUE:
        handed = next((_handed(action) for action in known if action.step == episode.last), "")
        return _monologue(episode, said or handed)
    start = known[0].step
    actions = [known[step - start] for step in range(max(start, episode.first), episode.last + 1)]
    at = {action.step: action for action in actions}
    shown = [at[step] for step in episode.steps if step in at]
    return _finding(episode, actions, shown, known)


def _finding(episode: Episode, actions: Sequence[Action], shown: Sequence[Action], known: Sequence[Action]) -> Finding:
    browser_action, beside = _browser_action(episode, shown), _sent_with(episode, actions, shown)
    form = _BROWSER_TITLE if browser_action else _TITLES_BY_PATTERN.get(episode.pattern, _TITLES[episode.kind])
    kind = LoopKind.CYCLE if episode.pattern == "other loop" and episode.period else episode.kind
    if kind is not episode.kind:
        form = _TITLES[kind]
    if episode.group is not None and episode.pattern != FAILING:
        form = _TITLES_OF_ERRORS.get(kind, form)
        if kind is LoopKind.CYCLE and episode.period and episode.length < episode.period * episode.rounds:
            form = _EVERY_FEW_STEPS
    elif _growing(episode, shown):
        form = _GROWING_TITLE
    elif episode.period in (1, None) and len({action.result for action in shown}) > 1:
        form = form.replace("with the same result", "with nearly the same result")
    if episode.kind is LoopKind.REPEATED_ERROR:
        made = [*shown, *beside]
        same = max(Counter(action.keys.call for action in made).values(), default=0)
        if same > 1 and same * 3 >= len(made) * 2:
            form = "The same error {times}" + (
                " from the same call" if same == len(made) else f", {same} of them from one call"
            )
    if kind is LoopKind.CYCLE and episode.group is not None and not _same_rounds(episode, actions):
        form = "The same error {times}, every {period} steps"
    reasons = len({action.failure.group for action in shown if action.failure is not None})
    if episode.group is not None and all(map(_is_spoken, shown)):
        form = "A sentence is sent to the shell {times}"
    elif reasons > 1 and all(action.kind is Kind.EDIT for action in shown):
        form = f"Edits of {{path}} are refused {{times}}, with {plural(reasons, 'different message')}"
    if not episode.same_calls and episode.kind is LoopKind.REPEATED_CALL:
        form = form.replace("The same call {times}", "Nearly the same call {times}").replace(
            "from the same call", "from nearly the same call"
        )
    calls = _unnamed(actions, episode) if episode.kind is LoopKind.ALTERNATING else ""
    if calls:
        form = form.replace("{pattern}", "{calls} by turns")
    title = form.format(
        calls=calls,
        action=browser_action,
        rounds=episode.rounds,
        times=often(episode.rounds + len(beside), episode.rounds),
        period=episode.period,
        pattern=episode.pattern.capitalize(),
        path=shown[-1].operation.path or "A file",
    )
    return Loops.finding(
        kind=str(episode.kind),
        severity=Severity.MEDIUM if _is_search(episode, actions, shown) else _severity(episode),
        confidence=_confidence(episode),
        title=f"{title} (steps {episode.first}-{episode.last})",
        lane=episode.lane,
        first_step=episode.first,
        last_step=episode.last,
        steps=episode.steps,
        detectable_at=episode.detectable_at,
        rounds=episode.rounds,
        round_ends=episode.round_ends,
        period=episode.period,
        escaped=episode.escaped,
        evidence=_evidence(episode, shown),
        advice=_advice(episode, actions, shown, known),
        cost=cost_of_steps(shown) if _is_spread(episode) else cost_of(actions[0], actions[-1]),
        pattern=episode.pattern,
        repeated=_repeated(episode, shown[-1]),
        differed=_differed(actions, [*shown, *beside], episode),
        also=[str(kind) for kind in episode.others],
        group=episode.group,
    )


def _is_spread(episode: Episode) -> bool:
    """Whether the rounds are single calls that lie far apart."""
    return episode.period in (1, None) and is_spread(episode.steps)


def _in_group(action: Action, episode: Episode) -> bool:
    return action.failure is not None and action.failure.group == episode.group is not None


def _unnamed(actions: Sequence[Action], episode: Episode) -> str:
    """The calls of the last round, where the pattern has no word for them; nothing where it has."""
    if "call" not in episode.pattern:
        return ""
    last = actions[-(episode.period or 1) :]
    named = dict.fromkeys(code(clip(f"{action.tool} {action.operation.target}".strip(), 60)) for action in last)
    return listed(list(named)) if 1 < len(named) < 4 else ""


def _handed(action: Action) -> str:
    """The thought that an action hands to a tool."""
    if isinstance(action.arguments, str):
        return action.arguments
    return "\n".join(value for value in action.arguments.values() if isinstance(value, str))


def _monologue(episode: Episode, said: str) -> Finding:
    """Said between two steps, or in several calls of a tool that takes down thoughts; `first_step` is the step before
    what was said between two, 0 where there was none."""
    where = f"after step {episode.first}" if episode.first else "before the first step"
    if episode.first < episode.last:
        where = f"steps {episode.first}-{episode.last}"
    return Loops.finding(
        kind=str(episode.kind),
        severity=Severity.MEDIUM if episode.rounds < 6 else Severity.HIGH,
        confidence=0.85,
        title=f"{_SAID.get(episode.pattern, _TITLES[episode.kind]).format(times=times(episode.rounds))} ({where})",
        lane=episode.lane,
        first_step=episode.first,
        last_step=episode.last,
        steps=episode.steps,
        detectable_at=episode.detectable_at,
        rounds=episode.rounds,
        escaped=episode.escaped,
        evidence=[Evidence(step=episode.last, quote=clip(said, 300))],
        advice=[
            _SAID_ADVICE.get(
                episode.pattern,
                "Make the call that does the next thing, or say what is missing and end the turn: another message of "
                "this sort changes nothing.",
            )
        ],
        taxonomy=Taxonomy(mast=["FM-1.3", "FM-1.5"], trail=["Resource Abuse"]),
        cost=Cost(actions=0),
        pattern=episode.pattern,
        repeated=clip(said, 300),
    )


def _severity(episode: Episode) -> Severity:
    length = len(episode.steps) if _is_spread(episode) else episode.length
    if not episode.escaped or episode.rounds >= _COSTLY_ROUNDS or length >= _COSTLY_ACTIONS:
        return Severity.HIGH
    return Severity.MEDIUM if episode.rounds > 4 or (episode.rounds > 3 and length > 8) else Severity.LOW


def _is_search(episode: Episode, actions: Sequence[Action], shown: Sequence[Action]) -> bool:
    """Whether the agent looks for something that it finds in part: each of the failing calls is new, others of the same
    tools succeed between them, and it goes on to something else. The error alone doesn't make that a costly loop."""
    if episode.kind is not LoopKind.REPEATED_ERROR or not episode.escaped or _severity(episode) is not Severity.HIGH:
        return False
    tools = {action.tool for action in shown}
    found = sum(
        action.tool in tools and action.status is Status.OK and action.kind is not Kind.EDIT for action in actions
    )
    return len({action.keys.call_masked for action in shown}) == len(shown) and found * 4 >= len(shown)


def _confidence(episode: Episode) -> float:
    sure = 0.95 if episode.same_calls else 0.85
    if episode.period is None:
        sure -= 0.1
    if episode.rounds == 3:
        sure -= 0.1
    return round(sure, 2)


def _repeated(episode: Episode, last: Action) -> str:
    if last.failure is not None and episode.group is not None:
        return clip(last.failure.headline, 300)
    return clip(f"{last.tool} {last.keys.browser_action or last.operation.target}", 200)


def _evidence(episode: Episode, shown: Sequence[Action]) -> list[Evidence]:
    if episode.group is not None:
        return [evidence_of(action) for action in _spread(shown) if action.failure is not None]
    found = []
    for action in dict.fromkeys((shown[0].step, shown[-1].step)):
        one = shown[0] if action == shown[0].step else shown[-1]
        called = clip(f"{one.tool} {one.operation.target}".strip(), 90)
        if (one.result or "").strip():
            found.append(Evidence(step=one.step, label=f"{called} returned", quote=clip(one.result or "", 200)))
        else:
            quote = clip(one.operation.target or one.tool, 200)
            found.append(Evidence(step=one.step, label="nothing was returned by", quote=quote))
    return found


def _spread(shown: Sequence[Action]) -> Sequence[Action]:
    """The first, the middle and the last."""
    return shown if len(shown) < 4 else (shown[0], shown[len(shown) // 2], shown[-1])


def _differed(actions: Sequence[Action], shown: Sequence[Action], episode: Episode) -> list[str]:
    """What changed from round to round."""
    found: list[str] = []
    edits = [action for action in actions if action.kind is Kind.EDIT and action.operation.path]
    if edits:
        paths = ", ".join(dict.fromkeys(action.operation.path or "" for action in edits))
        texts = {(action.keys.call, action.operation.edits) for action in edits}
        what = "the same edit" if len(texts) == 1 else f"{len(texts)} different edits"
        what = what if len(edits) > 1 else "1 edit"
        found.append(f"{what} of {paths}")
    if not episode.same_calls:
        calls = dict.fromkeys(action.operation.target for action in shown)
        if len(calls) > 1:
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
    calls = {action.keys.call_masked for action in shown}
    return [
        action
        for action in actions
        if action.batch in batches
        and action.step not in episode.steps
        and (action.keys.call_masked in calls if episode.group is None else _shows(action, episode.group))
    ]


def _same_rounds(episode: Episode, actions: Sequence[Action]) -> bool:
    """Whether all rounds of a cycle make the same calls, rather than calls of the same kinds."""
    period, at = episode.period or 1, {action.step: action.keys.call_masked for action in actions}
    rounds = {tuple(at.get(step - back, "") for back in range(period)) for step in episode.steps}
    return len(rounds) == 1


def _is_spoken(action: Action) -> bool:
    """Whether a sentence was sent to the shell."""
    return action.failure is not None and action.failure.type == "ProseInShell"


def _shows(action: Action, group: str) -> bool:
    return action.failure is not None and action.failure.group == group


def _growing(episode: Episode, shown: Sequence[Action]) -> bool:
    """Whether one edit is made again and again, and the file has grown each time."""
    return episode.kind is LoopKind.REPEATED_CALL and episode.group is None and bool(shown) and all(map(grows, shown))


def _browser_action(episode: Episode, shown: Sequence[Action]) -> str:
    """What a browser did in each round, where that is what came back."""
    return (
        clip(shown[-1].keys.browser_action, 120)
        if episode.kind is LoopKind.REPEATED_CALL and episode.group is None
        else ""
    )


def _advice(episode: Episode, actions: Sequence[Action], shown: Sequence[Action], known: Sequence[Action]) -> list[str]:
    last = shown[-1]
    if episode.kind is LoopKind.OSCILLATION:
        return ["Write down what each of the two versions is for and which check distinguishes them; then keep one."]
    if episode.kind is LoopKind.RE_READ:
        return ["Use what the first read showed: quote the lines that matter before reading again."]
    if _browser_action(episode, shown):
        requests = len({action.operation.target for action in shown})
        told = f" {requests} different requests led to the same action." if requests > 1 else ""
        return [
            "Say what on the page blocks progress, and take another route: open the address directly, or use another "
            f"source.{told}"
        ]
    if episode.pattern == FAILING:
        return [
            f"Read what step {shown[-1].step} returned before calling again: each of these calls failed in other words."
        ]
    if episode.pattern == REWORDED:
        return [
            (
                "Look at one of these calls by itself: what does it ask that the others don't? Say what the answer "
                "means, or ask for something that isn't known yet."
            )
        ]
    if episode.pattern == GUESSED:
        return [
            "Look up which values there are (a list, a search, the user) before the next try: nothing had shown these."
        ]
    if _growing(episode, shown):
        return [
            "Look at the file before the next edit: the text that this one puts in is there already, several times."
        ]
    if episode.group is None:
        return advice_on_answer(last, known) or [
            "Stop when a call returns the same result as before: say what the result means, then do something else."
        ]
    if _is_spoken(last):
        return [
            (
                "Answer in the message, not in the shell: send the shell commands only, and end the run with the call "
                "meant for that."
            )
        ]
    if episode.pattern.startswith("edit-"):
        shared = "Name the hypothesis that the last edits share, and try one that contradicts it."
        return [*advice_on_check(shown, known), shared]
    if episode.pattern == "refused-edit loop" and (line := _left_alone(shown)):
        return [
            "Find out whether the check of the edit tool can read this language: it gives no message, and each time it "
            f"complains of a line that the edit leaves as it is ({code(line)}). If it can't, write the file in another "
            "way."
        ]
    if episode.pattern == "refused-edit loop" and (foreign := in_other_language(shown)) is not None:
        return [f"{explained(*foreign)} Write it into a file with the suffix of {foreign[0]}."]
    if episode.pattern == "refused-edit loop" and replaces_nothing(shown):
        return ["Read what the refusal says of the new text: there is nothing at its place that it could clash with."]
    if episode.pattern == "refused-edit loop" and (short := short_ranges(shown)) is not None:
        return [short.advice]
    if episode.pattern == "refused-edit loop" and (again := edit_again(shown)):
        return again
    if episode.pattern == "refused-edit loop":
        return [
            (
                "Read the lines around the range again before the next attempt; the error message shows what the "
                "file would "
                "look like."
            ),
            "Widen the range to a whole statement or function, or rewrite the file.",
        ]
    return advice_on(shown, known) or _on_one_call(episode, actions, shown)


def _on_one_call(episode: Episode, actions: Sequence[Action], shown: Sequence[Action]) -> list[str]:
    """What to do about one call that fails alike each time while nothing else is done; nothing where more happens, or
    only the words of the failure are known."""
    one = len({action.keys.call for action in shown}) == 1 and bool(shown[0].keys.call)
    failure = shown[-1].failure
    if (
        not one
        or failure is None
        or failure.kind is FailureKind.OTHER
        or len(actions) > len(shown)
        or len({action.result for action in shown}) != 1
    ):
        return []
    return [
        f"Change the call before it's sent again: steps {episode.first}-{episode.last} sent the same one and got the "
        "same answer."
    ]


def _left_alone(shown: Sequence[Action]) -> str | None:
    """The line that most refusals complain of, where none gives a message or names a line that its edit changes."""
    lines = [unchanged_place(action) for action in shown]
    return Counter(lines).most_common(1)[0][0] if all(lines) else None
