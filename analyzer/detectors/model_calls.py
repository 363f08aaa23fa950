"""What the model's service answered, or didn't: its errors, and replies without a word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from pydantic import Field

from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.engine.interface import Detector, LiveDetector, Options, Trait
from analyzer.detectors.engine.rule_state import LaneContext, RuleState
from analyzer.model.action import Action
from analyzer.model.finding import Cost, Evidence, Finding, Taxonomy
from analyzer.model.session import EMPTY_ANSWER, Message, Session
from analyzer.model.words import MAIN_LANE, Category, Severity
from analyzer.text.clip import clip
from analyzer.text.english import one_or_many, plural, times
from analyzer.timeline.closing.ending import ended_by_others, still_going

_MOST = 50
_QUOTED = 120


class FailedModelCallsOptions(Options):
    """Options of this detector."""

    calls: int = Field(default=3, ge=2)
    """How many calls of the model must fail."""


class _State(RuleState):
    def __init__(self, lane_context: LaneContext, options: FailedModelCallsOptions) -> None:
        super().__init__(lane_context)
        self._options = options
        self._step = 0
        self._count = self._unanswered = 0
        self._open = self._failed = False
        """Whether the user's last message has no answer yet, and whether a failure came in its place."""
        self._said: Counter[str] = Counter()
        self._first: dict[str, int] = {}
        """The step after which each text first came."""
        self._steps: list[int] = []
        self._raised_at: int | None = None

    def on_action(self, action: Action) -> Iterable[Finding]:
        self._step, self._open, self._failed = action.step, False, False
        return ()

    def on_message(self, message: Message) -> Iterable[Finding]:
        if message.role == "user":
            self._open, self._failed = True, False
        elif message.role == "assistant" and not message.thought:
            self._unanswered -= self._failed and self._open
            self._open = self._failed = False
        elif message.failed and message.text != EMPTY_ANSWER:
            self._unanswered += self._open and not self._failed
            self._failed = True
            yield from self._note(message.text)

    def findings(self) -> Iterable[Finding]:
        return [self._finding()] if self._raised_at is not None and not self.lane_context.live else []

    def _note(self, text: str) -> Iterable[Finding]:
        self._count += 1
        words = clip(" ".join(text.split()), _QUOTED)
        if words in self._said or len(self._said) < _MOST:
            self._said[words] += 1
            self._first.setdefault(words, self._step)
        if len(self._steps) < _MOST and self._step not in self._steps:
            self._steps.append(self._step)
        if self._raised_at is None and self._count >= self._options.calls:
            self._raised_at = self._step
            yield self._finding()

    def _finding(self) -> Finding:
        assert self._raised_at is not None
        words, often = self._said.most_common(1)[0]
        same = "each time" if often == self._count else times(often)
        left = ""
        if self._unanswered:
            left = (
                f"; {plural(self._unanswered, 'message')} of the user "
                f"{one_or_many(self._unanswered, 'has', 'have')} no other answer"
            )
        return FailedModelCalls.finding(
            severity=Severity.MEDIUM if self._unanswered > 1 else Severity.LOW,
            confidence=0.9,
            title=f'{plural(self._count, "model call")} failed ({same} "{clip(words, 80)}"){left}',
            lane=self.lane_context.lane,
            steps=self._steps,
            detectable_at=self._raised_at,
            rounds=self._count,
            evidence=[
                Evidence(step=self._first[said], label="the model's service answered", quote=said)
                for said, _ in self._said.most_common(3)
            ],
            advice=["Mend what the service's message names (a key, a limit, a model) before sending anything again."],
            cost=Cost(actions=0),
        )


class FailedModelCalls(LiveDetector):
    """Calls to the model failed, so that the user got no answer.

    What it flags
        Three or more calls to the model that ended in an error of its service. The finding quotes the most frequent
        error, and counts the user messages that got no other answer.

    Why it matters
        No action shows such a call: the session looks idle, while the user repeats the same message and pays for
        waiting. A missing key, quota or permission doesn't come back by itself.

    What it does not flag
        One or two failures, which are usually transient, empty answers, errors of a program that the agent runs.

    Options
        calls: how many calls to the model must fail (3).

    Example:
        After step 7 the user says "hello" five times; each time the service answers "403 key limit exceeded".

    """

    name = "failed-model-calls"
    category = Category.TOOL
    state = _State
    taxonomy = Taxonomy.of(trail=["Service Errors"])
    options = FailedModelCallsOptions.usual()
    cause_name = "failed model calls"


class EmptyReply(Detector):
    """The agent was asked for something, and every reply is recorded empty.

    What it flags
        A session without calls in which the user asks something and no text of the agent is recorded, although the log
        counts its replies. The finding says how many output tokens the log counts: if there are any, the recording
        lacks something that the agent said or thought.

    Why it matters
        Nothing shows what came of the request, while the recording ends like that of a session that went well.

    What it does not flag
        Sessions with calls; replies whose text the recorder omits, or for which a thought is recorded; failed calls to
        the model, which have their own detector; sessions that were ended by a limit, a crash or the user, or that
        were still running.

    Options
        None.

    Example:
        The user asks for one word, the log counts one reply with 39 output tokens, and its text is empty.

    """

    name = "empty-reply"
    category = Category.TOOL
    taxonomy = Taxonomy.of(mast=["FM-3.1"], trail=["Service Errors"])
    traits = frozenset({Trait.RESULT_ONLY})
    cause_name = "empty replies"

    def detect(self, facts: Facts) -> Iterable[Finding]:
        """The replies that are counted and not there."""
        session = facts.timeline.session
        count = _empty(facts)
        if not count or ended_by_others(session) or still_going(session):
            return
        which = "The only reply is" if count == 1 else f"All {count} replies are"
        yield EmptyReply.finding(
            severity=Severity.MEDIUM,
            confidence=0.85,
            title=f"{which} recorded empty{_tokens(session)}; nothing answers what was asked",
            steps=[],
            first_step=0,
            last_step=0,
            detectable_at=0,
            evidence=[Evidence(step=0, label="the user asked", quote=_asked(facts))],
            advice=["Look up the reply where the model's service keeps it, or send the request again."],
            cost=Cost(actions=0),
        )


def _empty(facts: Facts) -> int:
    """How many replies are counted in a session that holds neither a word nor a call of the agent; 0 for others."""
    timeline, session = facts.timeline, facts.timeline.session
    own = [message for message in timeline.messages if message.role == "assistant"]
    failed = [message for message in timeline.messages if message.failed]
    asked = bool(session.task) or any(message.role == "user" for message in timeline.messages)
    if timeline.actions or own or not asked or any(message.text != EMPTY_ANSWER for message in failed):
        return 0
    if any(message.lane != MAIN_LANE for message in timeline.messages):
        return 0
    return max(len(failed), session.assistant_messages or 0)


def _asked(facts: Facts) -> str:
    """The request that nothing answers: the user's last words, or the task of a log that keeps it apart."""
    said = [message.text for message in facts.timeline.messages if message.role == "user" and message.text.strip()]
    return clip(" ".join((said[-1] if said else facts.timeline.session.task or "").split()), 200)


def _tokens(session: Session) -> str:
    """What the log counts of what was said."""
    count = session.tokens.output if session.tokens is not None else None
    if count is None:
        return ""
    if not count:
        return ", and no output token is counted"
    return f", though {plural(count, 'output token')} {'is' if count == 1 else 'are'} counted"


DETECTORS = (FailedModelCalls(), EmptyReply())
