"""The user corrects the agent, or has to say the same thing again.

What it flags
    What the agent said was done, and the user then finds still wrong (`refuted`). Corrections after the agent had
    acted: something else than what it used ("pnpm, not npm"), a repeated request ("I
    said tabs"), a fix that doesn't work ("still broken"), and the wrong thing done ("you removed the wrong one"). Calls
    that the user refused or stopped are one finding (`refused`). A limit that is set again after steps of the agent is
    one of them. Corrections about the same thing are one finding with
    their count, together with the request that they repeat; all single corrections are one finding together.

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

from collections.abc import Collection, Iterable, Sequence
from typing import Literal

from analyzer.detectors.engine.rule_state import LaneContext, RuleState, cost_of
from analyzer.detectors.engine.table import advice_of, new_finding
from analyzer.failures.messages.search import sharpest_line, typed_error
from analyzer.model.action import Action
from analyzer.model.finding import Evidence, Finding, Payload
from analyzer.model.session import Message
from analyzer.model.struct import Struct
from analyzer.model.words import MAIN_LANE, Mark, Severity
from analyzer.speech.acts import Act, acts_of
from analyzer.speech.heard import heard
from analyzer.task.corrections import Correction, CorrectionKind, corrections_of
from analyzer.task.topics import about_the_same, instructions, rule_line, topic
from analyzer.task.turns import asks
from analyzer.text.clip import clip, clip_words
from analyzer.text.late import late

_MOST = 100
_SHORT = 200
"""Characters of a turn that says one thing; in a longer one a sentence may be pasted."""
_CLAIM = 120
"""Characters of a sentence that claims something; a longer one tells how the work goes."""
_LONGEST = 20_000
"""Characters of a turn in which an error is looked for."""
_LEAST_SHOWN = 30
"""Characters of a line of some output by which it's known that it is shown again."""
_DIGIT = late(r"\d")
_TELLING = 3
_LIMITS = frozenset({Act.FORBIDS})
_RESENT = 0.75
"""The share of the words of two messages by which one is the other, sent once more."""
_NO_MARKS = dict.fromkeys(map(ord, "!?.,;:()[]\"'¡¿…"), " ")
"""Words of a request by which it's known to be the same again."""


class RepeatedWish(Payload, frozen=True, kw_only=True):
    """What the user had to say, how often, and the rule that would have prevented it."""

    type: Literal["user-correction"] = "user-correction"
    """Which payload it is."""
    count: int
    """How often the user said it, the first time included."""
    quotes: list[str]
    """What the user said, to the letter."""
    rule: str
    """Lines for the instructions file, each naming what it is about; empty where there is none."""


class _Saying(Struct):
    """One thing that the user said: the sentence, what it's about, and the last action before it, if any."""

    quote: str
    topic: frozenset[str]
    correction: Correction | None
    action: Action | None


class _State(RuleState):
    def __init__(self, lane_context: LaneContext) -> None:
        super().__init__(lane_context)
        self._last: Action | None = None
        self._asked = False
        self._wishes: list[_Saying] = []
        self._groups: list[list[_Saying]] = []
        """What wants the same: of a wish and the corrections that repeat it, the wish is first."""
        self._count = 0
        self._heard: set[str] = set()
        self._plain: set[str] = set()
        self._answer = ""
        self._refuted: dict[str, tuple[str, _Saying]] = {}
        """What was said to be done and what the user says of it, by the user's words."""
        self._refused: list[_Saying] = []
        self._shown: list[str] = []

    def on_message(self, message: Message) -> Iterable[Finding]:
        if self.lane_context.lane != MAIN_LANE or message.thought:
            return ()
        if message.role == "assistant":
            self._asked = asks(message.text)
            self._answer = "" if message.failed else message.text
        if message.role != "user":
            return ()
        last = self._last if self._last is not None and self._last.mark is Mark.INTERRUPTED else None
        if last is not None:
            self._refuse(last, message.text)
        found = self._hear(message.text)
        self._answer = ""
        return found or ([self._stopped()] if last is not None else [])

    def on_action(self, action: Action) -> Iterable[Finding]:
        self._last, self._asked, failure = action, False, action.failure
        self._answer = ""  # what was said before a call is no answer
        if failure is None or not failure.is_decision or self.lane_context.lane != MAIN_LANE:
            return ()
        self._refuse(action, failure.message)
        return [self._stopped()]

    def findings(self) -> Iterable[Finding]:
        """All findings so far: what was said again, each by itself, then the corrections that stand alone."""
        found = []
        for group in (group for group in self._groups if len(group) > 1):
            severity = Severity.HIGH if len(group) > 2 else Severity.MEDIUM
            found.append(self._finding("said-again", group, [_rule(group)], since=group[1], severity=severity))
        single = [group[0] for group in self._groups if len(group) == 1]
        refuted = [self._refuted[saying.quote] for saying in single if saying.quote in self._refuted]
        found += [self._finding("refuted", [saying], claimed=claimed) for claimed, saying in refuted]
        alone = [saying for saying in single if saying.quote not in self._refuted]
        if alone:
            words, severity = ("several", Severity.LOW) if len(alone) > 1 else ("", Severity.INFO)
            rules = [_rule([saying]) for saying in alone]
            found.append(self._finding("correction", alone, rules, words=words, severity=severity))
        return [*found, self._stopped()] if self._refused else found

    def _refuse(self, action: Action, words: str) -> None:
        """Take that the user refused a call, or stopped it, and what was said of it."""
        if len(self._refused) < _MOST and all(saying.action is not action for saying in self._refused):
            self._refused.append(_Saying(words, frozenset(), Correction(CorrectionKind.WRONG, words), action))

    def _stopped(self) -> Finding:
        severity = Severity.LOW if len(self._refused) > 1 else Severity.INFO
        return self._finding("refused", self._refused, severity=severity)

    def _hear(self, text: str) -> Iterable[Finding]:
        if self._last is None and not self._wishes:
            self._wish(self.lane_context.task)
        corrections = [] if self._last is None else list(corrections_of(text, answers=self._asked))
        lines = text[:_LONGEST].splitlines()
        errors = [line for line in map(str.strip, lines) if typed_error(line) is not None]
        sharp = sharpest_line(text[:_LONGEST]) if len(lines) > 1 and text not in self._heard else ""
        errors += [_DIGIT.sub("0", sharp)] if len(sharp) > _LEAST_SHOWN and ": " in sharp else []
        # The error that the user had shown before the agent answered, and shows again.
        if not corrections and self._last is not None and self._answer:
            seen = [line for line in self._shown if line in errors][:1]
            corrections += [Correction(CorrectionKind.STILL_WRONG, line) for line in seen]
        for correction in corrections[: _MOST - self._count]:
            self._count += 1
            self._correct(correction)
        short = len(text) <= _SHORT and text not in self._heard and not corrections and self._last is not None
        # With another number, another one in the same words isn't the same again.
        numbers = [word for word in text.split() if not word.isalpha() and any(map(str.isdigit, word))] if short else []
        known = all(any(number.strip(".,;:!?") in other for other in self._heard) for number in numbers)
        self._heard.add(text)
        # In whatever language: the same words with other marks around them were typed once more.
        plain = " ".join(text[:_LONGEST].casefold().translate(_NO_MARKS).split())
        again = []
        if short and plain in self._plain and plain.count(" ") >= _TELLING and self._answer and not asks(text):
            again.append(text.strip())
            self._wishes.append(_Saying(again[0], topic(text), None, None))
        self._shown += errors
        del self._shown[:-_MOST]
        # What is sent once more, nearly as it was, because nothing had come back isn't said again.
        short = short and (bool(self._answer) or not self._is_resent(plain))
        for sentence in instructions(text) if short and known else ():
            wanted = topic(sentence)
            # A limit that comes back wasn't kept; a request that comes back is a new one, or waits for its answer.
            limits = self._wishes if acts_of(sentence, "user", _LIMITS) else ()
            before = [wish for wish in limits if wish.action is not self._last and wanted <= wish.topic]
            if len(wanted) >= _TELLING and any(wish.topic == wanted or len(wanted) > _TELLING for wish in before):
                again.append(sentence)
        self._plain.add(plain)
        repeated = [Correction(CorrectionKind.SAID_BEFORE, words) for words in again]
        for correction in repeated:
            self._correct(correction)
        corrections += repeated
        self._wish(text, {correction.quote for correction in corrections})
        return self.findings() if corrections else ()

    def _is_resent(self, plain: str) -> bool:
        """Whether a message has nearly the same words as an earlier one."""
        words = set(plain.split())
        earlier = (set(other.split()) for other in self._plain)
        return any(len(words & other) >= _RESENT * max(len(words), len(other)) for other in earlier)

    def _wish(self, text: str, corrected: Collection[str] = ()) -> None:
        """Remember what the user wants, for the case that it has to be said again."""
        known = {saying.quote for saying in self._wishes}
        for sentence in instructions(text):
            if sentence not in known and sentence not in corrected and len(self._wishes) < _MOST:
                self._wishes.append(_Saying(sentence, topic(sentence), None, self._last))

    def _correct(self, correction: Correction) -> None:
        """Put a correction with what it says again: earlier corrections, or the wish itself."""
        saying = _Saying(correction.quote, topic(correction.quote), correction, self._last)
        claimed = self._claim_about(saying.topic) if correction.kind is CorrectionKind.STILL_WRONG else None
        if claimed is not None and self._last is not None:
            self._refuted[saying.quote] = claimed, saying
        group = next((group for group in self._groups if any(_same(other, saying) for other in group)), None)
        if group is None:
            group = [wish for wish in self._wishes if _repeats(saying, wish)][-1:]
            self._groups.append(group)
        group.append(saying)

    def _claim_about(self, about: frozenset[str]) -> str | None:
        """The sentence of the last answer that says that something is done which the user speaks of; any that says so,
        where the user or the sentence names nothing."""
        claims = (said.quote for said in heard(self._answer) if len(said.quote) <= _CLAIM and said.does(Act.DONE))
        bare = 2  # words of "Fixed." or "All done."
        return next((one for one in claims if not about or len(one.split()) <= bare or about & topic(one)), None)

    def _finding(
        self,
        name: str,
        sayings: Sequence[_Saying],
        rules: Iterable[str] = (),
        *,
        since: _Saying | None = None,
        claimed: str | None = None,
        words: str = "",
        severity: Severity | None = None,
    ) -> Finding:
        actions = [saying.action for saying in sayings if saying.correction is not None and saying.action is not None]
        first, last, quote = actions[0], actions[-1], sayings[-1].quote
        made = [rule for rule in rules if rule]
        advice = [line for rule in made[:3] for line in advice_of("user-correction", "rule", {"rule": rule})]
        quotes = [saying.quote for saying in sayings[:20]]
        return new_finding(
            f"user-correction/{name}",
            words=words,
            severity=severity,
            lane=self.lane_context.lane,
            steps=sorted({action.step for action in actions}),
            detectable_at=((since or sayings[0]).action or first).step,
            evidence=[
                *([Evidence(step=last.step, quote=clip(claimed, 300))] if claimed is not None else []),
                *(Evidence(step=(one.action or first).step, quote=clip(one.quote, 300)) for one in sayings[:10]),
            ],
            advice=advice or None,
            cost=cost_of(first, last),
            details=RepeatedWish(count=len(sayings), quotes=quotes, rule="\n".join(made[:10])),
            slots={
                "count": len(sayings),
                "last": last.step,
                "claim": clip_words(claimed or "", 100),
                "said": clip_words(quote, 100),
                "wish": clip_words(quote, 200),
            },
        )


def _same(one: _Saying, other: _Saying) -> bool:
    if one.correction is None or other.correction is None:
        return _repeats(other, one)
    wanted = {name for name in (one.correction.wanted, other.correction.wanted) if name is not None}
    if len(wanted) == 1 and wanted <= one.topic | other.topic:
        return wanted <= one.topic & other.topic
    still = CorrectionKind.STILL_WRONG
    if one.correction.kind is still and other.correction.kind is still:
        return one.topic == other.topic or not (one.topic and other.topic) or about_the_same(one.topic, other.topic)
    return about_the_same(one.topic, other.topic)


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


STATE = _State
