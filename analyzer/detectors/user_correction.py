"""The user corrects the agent, or has to say the same thing again.

What it flags
    Corrections after the agent had acted: something else than what it used ("pnpm, not npm"), a repeated request ("I
    said tabs"), a fix that doesn't work ("still broken"), the wrong thing done ("you removed the wrong one"), a program
    that is run again after the user had said to use another (`ignored`), and an error that the user reports about a
    name, a rule or a file that the agent had called no problem (`contradicted`). Corrections about the same thing are
    one finding with their count, together with the request that they repeat; all single corrections
    are one finding together. Two corrections are about the same thing if they have the same words, the same path or
    name, "the folder" after one was named, or a quotation of the user's earlier words.

Why it matters
    What a user has to say twice was known after the first time. A rule in the instructions file (CLAUDE.md, AGENTS.md)
    keeps it for the next session, too; the finding has its text.

What it does not flag
    New requests, approvals, answers to a question of the agent, questions, pasted text, what a harness says, what an
    agent says to a sub-agent, and exactly the same prompt sent again after an interruption.

Options
    None.

Example:
    The task says "use pnpm"; after step 4 the user says "no, pnpm", after step 9 "I said pnpm, not npm".

"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Literal

from analyzer.detectors.engine.guidance import Guidance
from analyzer.detectors.engine.interface import LiveDetector
from analyzer.detectors.engine.rule_state import LaneContext, RuleState, cost_of
from analyzer.detectors.signals.reassurances import Reassurances
from analyzer.model.action import Action
from analyzer.model.finding import Evidence, Finding, Payload, Taxonomy
from analyzer.model.session import Message
from analyzer.model.words import MAIN_LANE, Category, Severity
from analyzer.task.corrections import Correction, CorrectionKind, corrections_of
from analyzer.task.prose import prose, quotation
from analyzer.task.referents import Referents, referents_of, same_referent
from analyzer.task.rule_lines import rule_line, use_line
from analyzer.task.topics import about_the_same, instructions, topic
from analyzer.task.turns import asks
from analyzer.text.clip import clip, clip_path, clip_words
from analyzer.text.english import times
from analyzer.text.markdown import code
from analyzer.text.sentences import as_quoted

_MOST = 100
_HEARD = 200_000
"""Characters of what was said that are kept to see who said what is quoted."""


class RepeatedWish(Payload):
    """What the user had to say, how often, and the rule that would have prevented it."""

    type: Literal["user-correction"] = "user-correction"
    """Which payload it is."""
    count: int
    """How often the user said it, the first time included."""
    quotes: list[str]
    """What the user said, to the letter."""
    rule: str
    """Lines for the instructions file, each naming what it is about; empty where there is none."""


_GUIDANCE = {
    "": Guidance(
        questions=("What did the user say before step {first} that the next call didn't follow?",),
        approaches=(
            ("Repeat it back", "Say in one line what the user wants, before the next call, and follow that line."),
            ("Write it down", "{advice}"),
        ),
        improvement="Keep what the user corrects",
        change="{advice}",
        lesson="What a user says twice belongs into the instructions file.",
    )
}


class UserCorrection(LiveDetector):
    """One finding for each thing that is said again, and one for all corrections that stand alone."""

    name = "user-correction"
    category = Category.CONTEXT
    taxonomy = Taxonomy.of(mast=["FM-1.1"], trail=["Instruction Non-compliance"])
    guidance = _GUIDANCE
    cause_name = "the user's words not followed"

    def start(self, lane_context: LaneContext) -> RuleState:
        """The state of the rule in a lane that is about to begin."""
        return _State(lane_context)


DETECTOR = UserCorrection()


@dataclass(slots=True)
class _Saying:
    """One thing that the user said: the sentence, what it's about, and the last action before it, if any."""

    quote: str
    topic: frozenset[str]
    correction: Correction | None
    action: Action | None
    referents: Referents = field(default_factory=Referents)
    quotes: bool = False
    """Whether the user quotes own earlier words with it."""


@dataclass(slots=True)
class _Group:
    """Sayings that want the same, the one that made it more than one, and whether they only point at the same."""

    sayings: list[_Saying] = field(default_factory=list)
    since: _Saying | None = None
    pointed: bool = False


class _State(RuleState):
    def __init__(self, lane_context: LaneContext) -> None:
        super().__init__(lane_context)
        self._last: Action | None = None
        self._asked = False
        self._wishes: list[_Saying] = []
        self._groups: list[_Group] = []
        self._by_user = self._by_agent = ""
        self._count = 0
        self._unwanted: dict[str, Correction] = {}
        self._ignored: dict[str, Finding] = {}
        self._reassured = Reassurances()
        self._contradicted: list[Finding] = []

    def on_message(self, message: Message) -> Iterable[Finding]:
        if self.lane_context.lane != MAIN_LANE or message.thought:
            return ()
        if message.role == "assistant":
            self._asked = asks(message.text)
            self._by_agent = f"{self._by_agent}\n{as_quoted(message.text)}"[-_HEARD:]
            self._reassured.say(message.text, self._last)
        if message.role != "user":
            return ()
        return [*self._contradict(message.text), *self._hear(message.text)]

    def on_action(self, action: Action) -> Iterable[Finding]:
        self._last = action
        self._reassured.act(action)
        self._asked = False
        return list(self._again(action))

    def findings(self) -> Iterable[Finding]:
        """All findings so far: what was said again, each by itself, then the corrections that stand alone."""
        repeated = [self._repeated(group) for group in self._groups if len(group.sayings) > 1]
        alone = [group.sayings[0] for group in self._groups if len(group.sayings) == 1]
        return [*repeated, *([self._alone(alone)] if alone else []), *self._ignored.values(), *self._contradicted]

    def _contradict(self, text: str) -> Iterable[Finding]:
        """An error in the user's words about what the agent had called no problem."""
        found = self._reassured.contradicted_by(text)
        if found is None or self._last is None or len(self._contradicted) >= _MOST:
            return
        finding = UserCorrection.finding(
            kind="contradicted",
            severity=Severity.MEDIUM,
            confidence=0.75,
            title=(
                f"The user comes back with an error about {code(clip(found.shared, 60))}, of which the agent had said "
                f"after step {found.after.step} that it's no problem: “{clip_words(found.error, 100)}”"
            ),
            lane=self.lane_context.lane,
            steps=sorted({found.after.step, self._last.step}),
            detectable_at=self._last.step,
            evidence=[
                Evidence(step=found.after.step, label="the agent said", quote=found.said),
                Evidence(step=self._last.step, label="the user's error", quote=found.error),
            ],
            advice=[f"Run the check that reports {code(clip(found.shared, 60))} before calling it no problem."],
            cost=cost_of(found.after, self._last),
        )
        if not self.lane_context.live:
            self._contradicted.append(finding)
        yield finding

    def _again(self, action: Action) -> Iterable[Finding]:
        """What the user had said not to take, taken all the same."""
        for command in action.operation.commands:
            correction = self._unwanted.pop(command.program.lower(), None)
            if correction is None or len(self._ignored) >= _MOST:
                continue
            said = clip(correction.quote, 100)
            finding = UserCorrection.finding(
                kind="ignored",
                severity=Severity.MEDIUM,
                confidence=0.8,
                title=f"After the user said “{said}”, step {action.step} runs {code(clip(command.text, 80))}",
                lane=self.lane_context.lane,
                steps=[action.step],
                detectable_at=action.step,
                evidence=[
                    Evidence(step=action.step, quote=clip(correction.quote, 300)),
                    Evidence(step=action.step, quote=clip(command.text, 300)),
                ],
                advice=[f"Put this line into the instructions file (CLAUDE.md, AGENTS.md): {use_line(correction)}"],
                cost=cost_of(action, action),
                details=RepeatedWish(count=1, quotes=[correction.quote], rule=use_line(correction)),
            )
            self._ignored[command.program.lower()] = finding
            yield finding

    def _hear(self, text: str) -> Iterable[Finding]:
        if self._last is None and not self._wishes:
            self._wish(self.lane_context.task)
        corrections = [] if self._last is None else list(corrections_of(text, answers=self._asked))
        own = self._own_quotation(text) if corrections else ""
        for correction in corrections[: _MOST - self._count]:
            self._count += 1
            if correction.wanted is not None and correction.unwanted is not None:
                self._unwanted[correction.unwanted.lower()] = correction
                self._unwanted.pop(correction.wanted.lower(), None)
            self._correct(correction, text, own)
        self._by_user = f"{self._by_user}\n{as_quoted(text)}"[-_HEARD:]
        self._wish(text, {correction.quote for correction in corrections})
        return self.findings() if corrections else ()

    def _wish(self, text: str, corrected: Collection[str] = ()) -> None:
        """Remember what the user wants, for the case that it has to be said again."""
        known = {saying.quote for saying in self._wishes}
        for sentence in instructions(text):
            if sentence not in known and sentence not in corrected and len(self._wishes) < _MOST:
                self._wishes.append(_Saying(sentence, topic(sentence), None, self._last))

    def _own_quotation(self, text: str) -> str:
        """What the user quotes of own earlier words; empty where it's the agent's, or nobody is known to have said it
        and it names no path."""
        quoted = quotation(text)
        plain = as_quoted(quoted)
        if not plain or plain in self._by_agent:
            return ""
        said = plain in self._by_user or plain in as_quoted(self.lane_context.task)
        return quoted if said or referents_of(quoted).paths else ""

    def _correct(self, correction: Correction, turn: str, own: str) -> None:
        """Put a correction with what it says again: earlier corrections, or the wish itself."""
        pointed = referents_of(correction.quote) | referents_of(own)
        if pointed == Referents():
            pointed = referents_of(prose(turn))
        saying = _Saying(correction.quote, topic(correction.quote), correction, self._last, pointed, quotes=bool(own))
        group = next((group for group in self._groups if any(_same(other, saying) for other in group.sayings)), None)
        if group is None:
            near = (group for group in self._groups if any(_points(other, saying) for other in group.sayings))
            group = next(near, None)
            if group is not None:
                group.pointed = True
        if group is None:
            group = _Group([wish for wish in self._wishes if _repeats(saying, wish)][-1:])
            self._groups.append(group)
        if own and all(other.correction is not None for other in group.sayings):
            group.sayings.insert(0, _Saying(own, topic(own), None, None, referents_of(own)))
        group.sayings.append(saying)
        if group.since is None and len(group.sayings) > 1:
            group.since = saying

    def _repeated(self, group: _Group) -> Finding:
        sayings, last = group.sayings, group.sayings[-1]
        count, said = len(sayings), clip_words(last.quote, 100)
        what = _pointed_at(sayings) if group.pointed else ""
        does = f"come back to {what} {times(count)}" if what else f"say the same thing {times(count)}"
        return self._finding(
            sayings,
            kind="said-again",
            severity=Severity.HIGH if count > 2 else Severity.MEDIUM,
            title=f"The user has to {does}, the last time: “{said}”",
            since=group.since or last,
            rules=[_rule(sayings)],
        )

    def _alone(self, sayings: list[_Saying]) -> Finding:
        several = len(sayings) > 1
        said = clip_words(sayings[-1].quote, 100)
        return self._finding(
            sayings,
            kind="correction",
            severity=Severity.LOW if several else Severity.INFO,
            title=f"The user corrects the agent {times(len(sayings))}, the last time: “{said}”"
            if several
            else f"The user corrects the agent: “{said}”",
            since=sayings[0],
            rules=[_rule([saying]) for saying in sayings],
        )

    def _finding(
        self, sayings: list[_Saying], *, kind: str, severity: Severity, title: str, since: _Saying, rules: list[str]
    ) -> Finding:
        actions = [saying.action for saying in sayings if saying.correction is not None and saying.action is not None]
        first, last = actions[0], actions[-1]
        made = [rule for rule in rules if rule]
        heeded = f"Do what the user said after step {last.step}: “{clip_words(sayings[-1].quote, 200)}”"
        return UserCorrection.finding(
            kind=kind,
            severity=severity,
            confidence=0.8,
            title=title,
            lane=self.lane_context.lane,
            steps=sorted({action.step for action in actions}),
            detectable_at=since.action.step if since.action is not None else first.step,
            evidence=[
                Evidence(step=(saying.action or first).step, quote=clip(saying.quote, 300)) for saying in sayings[:10]
            ],
            advice=[f"Put this line into the instructions file (CLAUDE.md, AGENTS.md): {rule}" for rule in made[:3]]
            or [heeded],
            cost=cost_of(first, last),
            details=RepeatedWish(
                count=len(sayings), quotes=[saying.quote for saying in sayings[:20]], rule="\n".join(made[:10])
            ),
        )


def _same(one: _Saying, other: _Saying) -> bool:
    """Whether two sayings want the same."""
    if one.correction is None or other.correction is None:
        return _repeats(other, one)
    wanted = {name for name in (one.correction.wanted, other.correction.wanted) if name is not None}
    if len(wanted) == 1 and wanted <= one.topic | other.topic:
        return wanted <= one.topic & other.topic
    still = CorrectionKind.STILL_WRONG
    if one.correction.kind is still and other.correction.kind is still:
        return one.topic == other.topic or not (one.topic and other.topic) or about_the_same(one.topic, other.topic)
    return about_the_same(one.topic, other.topic)


def _points(one: _Saying, other: _Saying) -> bool:
    """Whether two corrections that use other words point at the same."""
    return same_referent(one.referents, other.referents)


def _pointed_at(sayings: list[_Saying]) -> str:
    """What sayings that use other words are about, by its name."""
    written = [name for saying in sayings for name in saying.referents.written]
    shared = [name for name in written if sum(name in saying.referents.written for saying in sayings) > 1]
    return code(clip_path(shared[0], 80)) if shared else ""


def _repeats(saying: _Saying, wish: _Saying) -> bool:
    """Whether a correction says again what the user had wished: all that it's about is in the wish, or what is wanted
    instead is."""
    correction = saying.correction
    if correction is None or correction.kind is CorrectionKind.STILL_WRONG or not saying.topic:
        return False
    if correction.wanted is not None:
        return correction.wanted.lower() in wish.topic
    return (correction.kind is CorrectionKind.SAID_BEFORE and saying.topic <= wish.topic) or about_the_same(
        saying.topic, wish.topic
    )


def _rule(group: list[_Saying]) -> str:
    """The line for the instructions file that would have prevented the correction; empty where there is none."""
    wish = next((saying.quote for saying in group if saying.correction is None), "")
    return rule_line(wish, [saying.correction for saying in group if saying.correction is not None])
