"""The agent says that something started or was done, right after its own call for it failed.

What it flags
    A statement of the agent directly after a call that was aborted, stopped or failed, that the goal of that call
    is running now (`says-running`) or was done successfully (`says-done`), while the message admits no trouble
    and the call's result shows no success.

Why it matters
    The user and the agent itself continue from a state that doesn't exist: they call what isn't running, and search
    elsewhere for what doesn't exist.

What it does not flag
    Statements about something other than the call, messages that also name the failure, plans and questions, commands
    that start something in the background, results that themselves report success, tests (their claims are
    `claims-against-evidence`).

Options
    None.

Example:
    Step 9 runs `./quay-server` and is aborted; the agent says "The server is now running in the background".

"""

from __future__ import annotations

import json
from collections.abc import Iterable
from types import MappingProxyType

from analyzer.detectors.engine.guidance import Guidance
from analyzer.detectors.engine.interface import LiveDetector
from analyzer.detectors.engine.rule_state import LaneContext, RuleState, cost_of
from analyzer.detectors.engine.traits import Trait
from analyzer.detectors.signals.quoted import quoted
from analyzer.detectors.signals.speech import own_words, sentences, words_of
from analyzer.model.action import Action
from analyzer.model.finding import Evidence, Finding, Taxonomy
from analyzer.model.session import Message
from analyzer.model.words import Category, FailureKind, Kind, Mark, Severity
from analyzer.text.clip import clip
from analyzer.text.late import late

_RUNS = late(
    r"(?i)\b(?:is|are) (?:now |already )?(?:up and )?running\b|\b(?:has|have) (?:been )?(?:started|launched)\b"
    r"|\b(?:started|launched) successfully\b|\bsuccessfully (?:started|launched)\b"
)
_DONE = late(
    r"(?i)\b(?:has|have|was|were|is|are)(?: been)?(?: now)? successfully \w+ed\b|\b\w+ed successfully\b"
    r"|\bI(?:'ve| have)? successfully \w+(?:ed|t)\b|\bsucceeded\b"
)
_ADMITS = late(
    r"(?i)\b(?:fail\w*|errors?|abort\w*|interrupt\w*|cancel\w*|timed? ?out|stopped|killed|denied|refused|reject\w*"
    r"|issue|problem|unfortunately|however|but|although|though|despite|not|\w+n't|cannot|unable|retry|instead|partly"
    r"|partially|warning)\b"
)
"""Words by which a message speaks of trouble."""
_PLANS = late(r"(?i)\b(?:again|once|if|should|will|would|let me|let's|need|until|when|as soon as)\b|\?")
"""Words by which a sentence speaks of a plan or of a condition."""
_WELL = late(
    r"(?i)\b(?:success\w*|succeed\w*|done|complete[ds]?|finished|created|built|installed|saved|passed|ok)\b|✓|✔"
)
_BACKGROUND = late(
    r"(?<!&)&(?![&>\d])|\bnohup\b|\bsetsid\b|\bdisown\b|\s-d\b|\bdaemon|\bsystemctl\b|\bservice\b|\bstart\b"
)
_WORD = late(r"[a-z]{4,}")
_COMMON = frozenset(
    {
        *("successfully", "started", "running", "have", "been", "with", "that", "this", "were", "from", "your", "here"),
        *("great", "perfect", "excellent", "command", "launched", "already", "background", "tool", "call", "into"),
    }
)
_DOES = frozenset({Kind.RUN, Kind.EDIT, Kind.OTHER})
_LONGEST = 2_000
_ENDED = (Mark.INTERRUPTED, Mark.TIMEOUT)


class SuccessAfterFailure(LiveDetector):
    """One finding per call."""

    name = "success-after-failure"
    category = Category.VERIFICATION
    taxonomy = Taxonomy.of(mast=["FM-3.3"], trail=["Tool Output Misinterpretation"])
    traits = frozenset({Trait.RESULT_ONLY})
    cause_name = "success claimed after a failed call"
    guidance = MappingProxyType(
        {
            "": Guidance(
                questions=("What does the result of step {first} say, word by word?",),
                approaches=(
                    ("Look at it", "Ask the system whether it's there or running before saying that it is."),
                    ("Report the failure", "Quote the last line of the result of step {first} instead."),
                ),
                improvement="Hold a report against the last result",
                change="Before a message that reports success is sent, compare it with the status of the last call.",
                lesson="A call that was aborted or failed has not done what it was made for.",
            )
        }
    )

    def start(self, lane_context: LaneContext) -> RuleState:
        """The state of the rule in a lane that is about to begin."""
        return _State(lane_context)


DETECTOR = SuccessAfterFailure()


class _State(RuleState):
    def __init__(self, lane_context: LaneContext) -> None:
        super().__init__(lane_context)
        self._last: Action | None = None
        self._found: list[Finding] = []

    def on_message(self, message: Message) -> Iterable[Finding]:
        last = self._last
        if message.role != "assistant":
            self._last = None
            return
        text = words_of(message)
        if last is None or not text:
            return
        self._last = None
        finding = _false(last, text)
        if finding is not None:
            if not self.lane_context.live:
                self._found.append(finding)
            yield finding

    def on_action(self, action: Action) -> Iterable[Finding]:
        failure = action.failure
        batched = action.batch is not None and self._last is not None and self._last.batch == action.batch
        wrong = action.failed and failure is not None and not failure.expected and action.kind in _DOES
        self._last = action if wrong and not action.harness and not batched else None
        return ()

    def findings(self) -> Iterable[Finding]:
        return self._found


def _false(last: Action, text: str) -> Finding | None:
    """The finding, where a text says right after a failed call that it did what it was made for."""
    if _ADMITS.search(own_words(text)) is not None or last.failure is None:
        return None
    about = _about(last)
    ended = last.mark in _ENDED or last.failure.kind is FailureKind.TIMEOUT or last.failure.type == "Interrupted"
    for sentence in sentences(text):
        words = sentence.words[:500]
        if _PLANS.search(words) is not None or not any(
            word in about for word in _WORD.findall(words.lower()) if word not in _COMMON
        ):
            continue
        if ended and _RUNS.search(words) is not None and not _BACKGROUND.search(last.operation.command or ""):
            return _finding(last, "says-running", "was aborted", sentence.quote)
        if not ended and _DONE.search(words) is not None and not _WELL.search((last.result or "")[-_LONGEST:]):
            return _finding(last, "says-done", "failed", sentence.quote)
    return None


def _about(action: Action) -> str:
    """What a call says of itself, for comparison."""
    given = action.arguments if isinstance(action.arguments, str) else json.dumps(action.arguments, default=str)
    return f"{action.tool} {given[:_LONGEST]} {action.operation.command or ''}".lower()


def _finding(last: Action, kind: str, what: str, quote: str) -> Finding:
    return SuccessAfterFailure.finding(
        kind=kind,
        severity=Severity.MEDIUM,
        confidence=0.7,
        title=f'Step {last.step} {what}, and the agent says right after it: "{clip(quote, 120)}"',
        lane=last.lane,
        steps=[last.step],
        detectable_at=last.step,
        evidence=[Evidence(step=last.step, quote=quoted(last)), Evidence(step=last.step, quote=clip(quote, 300))],
        advice=[f"Look whether what step {last.step} was for is there or running before building on it."],
        cost=cost_of(last, last),
    )
