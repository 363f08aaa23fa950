"""The agent says that something passes, but its last run failed, or it was never run.

What it flags
    Statements of the agent such as "all tests pass", "the build succeeds" or "the error is gone" although the last run
    of the tests, of the build or of the failing command failed and none has passed since (`says-passing`); statements
    such as "I ran the tests" or "all tests pass" when nothing was run at all (`never-ran`); and statements that tests
    of a kind pass ("the doctests pass") when each run of them ended before the first one (`never-reached`).

Why it matters
    People and the agent itself build on what it says: the work is submitted, merged, or continued
    from a state that doesn't exist.

What it does not flag
    Plans, intentions and questions ("the tests should pass", "let me verify that all tests pass"), quotes and code,
    statements with a reservation ("3 of 4 pass", "all tests pass except", "an unrelated failure"), what the user or
    another program reported as passing, runs in the background whose output shows that they passed, and sessions that
    continue an earlier one.

Options
    reach: how many actions may lie between the failed run and the statement (60).
    never_ran: also report claims about tests that were never run at all (true).

Example:
    `pytest` ends with 2 failures at step 17; at step 20 the agent says "I fixed the parser and all tests pass".

"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pydantic import Field

from analyzer.detectors.engine.guidance import Guidance
from analyzer.detectors.engine.interface import LiveDetector, Options
from analyzer.detectors.engine.rule_state import LaneContext, RuleState, cost_of
from analyzer.detectors.engine.traits import Trait
from analyzer.detectors.signals.claims import claims
from analyzer.detectors.signals.named_tests import NamedTests
from analyzer.detectors.signals.speech import words_of
from analyzer.model.action import Action
from analyzer.model.finding import Evidence, Finding, Taxonomy
from analyzer.model.session import Message
from analyzer.model.words import RUN_NOTHING, Category, FailureKind, Kind, Severity
from analyzer.text.clip import clip
from analyzer.text.english import listed
from analyzer.text.late import late
from analyzer.text.markdown import code
from analyzer.timeline.verification.checks import is_check
from analyzer.timeline.verification.proof import ran_nothing

_EXCUSED = late(
    (
        r"n't (?:be )?(?:related|caused|due)\b|\b(?:unrelated|not (?:be )?(?:related|caused|due)|pre-?existing"
        r"|nothing to do with|flaky|known (?:issue|failure)|environment(?:al)? (?:issue|problem|limitation))"
    ),
    re.IGNORECASE,
)
"""Words that set a failed run aside in the open: whoever says so once needn't say it again."""
_PASSES = late(
    (
        r"(?=[0-9taopb✓✔✅])(?:\b[1-9]\d* (?:tests? )?pass(?:ed|ing)?\b|\btests?:? +(?:all )?pass(?:ed)?\b|^ok\b"
        r"|\ball (?:\w+ ){0,3}pass(?:ed)?\b|\bPASS(?:ED)?\b|\bBUILD SUCCESS|\b0 (?:failures|failed|errors)\b|✓|✔|✅"
        r"|\btests? (?:run )?success)"
    ),
    re.IGNORECASE | re.MULTILINE,
)
_PASSING = ("pass", "success", "\nok", "0 fail", "0 err", "✓", "✔", "✅")
"""What a text that says so must hold, in small letters; looking for these first spares most texts the expressions."""
_WELL = late(r"\bsuccess(?:ful(?:ly)?)?\b|\bworks\b|\b(?:ok|done|fixed|correct)\b", re.IGNORECASE)
"""What a script may print when all is well."""
_SETS_ASIDE = late(
    r"\bgit\s+(?:stash\b(?!\s+(?:list|show|drop))|bisect\b|worktree\s+\w|(?:checkout|switch)\s+(?:-(?=\s|$)|HEAD"
    r"|main\b|master\b|origin/|[0-9a-f]{7,40}\b))"
)
"""Calls by which a change is put aside, so that what runs next runs without it."""
_BRINGS_BACK = late(
    r"\bgit\s+(?:stash\s+(?:pop|apply)|checkout\s+-(?=\s|$)|switch\s+-(?=\s|$)|bisect\s+reset|worktree\s+remove)"
)
_NEVER_GOT_THERE = frozenset(
    {
        FailureKind.EXCEPTION,
        FailureKind.PERMISSION,
        FailureKind.COMPILE,
        FailureKind.MISSING_DEPENDENCY,
        FailureKind.COMMAND_NOT_FOUND,
        FailureKind.TIMEOUT,
        FailureKind.CRASH,
        FailureKind.USAGE,
    }
)
"""Failures for which no test was run. A bare exit status may be that of a filter behind the run."""
_REPORTED = late(
    (
        r"\b[1-9]\d* (?:tests? )?passed\b|\b(?:tests?|build|suite) (?:have |has )?(?:all )?passed\b|\bBUILD SUCCESS"
        r"|^OK\b[^\n]{0,20}$"
    ),
    re.IGNORECASE | re.MULTILINE,
)
"""What somebody else than the agent reports as passing; tasks speak of tests that are to pass."""
_EARLIER = late(
    (
        r"continued from a previous|previous (?:conversation|session)|summary of (?:the|our) (?:conversation|work)"
        r"|resum(?:e|ed|ing) (?:the|from|our)"
    ),
    re.IGNORECASE,
)
_SETS_ASIDE = late(
    r"\bgit\s+(?:stash\b(?!\s+(?:list|show|drop))|bisect\b|worktree\s+\w|(?:checkout|switch)\s+(?:-(?=\s|$)|HEAD"
    r"|main\b|master\b|origin/|[0-9a-f]{7,40}\b))"
)
"""Calls by which a change is put aside, so that what runs next runs without it."""
_TRIES = late(r"test|spec\b|check|verif|build|compil|run|exec|agent|task|delegate|script", re.IGNORECASE)
_SPEAKS = {"tests": "the tests pass", "build": "the build succeeds", "error": "the error is fixed"}


class ClaimsAgainstEvidenceOptions(Options):
    """Options of this detector."""

    reach: int = Field(default=60, ge=1)
    """How many actions may lie between the failed run and the words."""
    never_ran: bool = True
    """Also report words about tests that were never run at all."""


_GUIDANCE = {
    "": Guidance(
        questions=("Which step shows what is claimed here? The last step about it says otherwise.",),
        approaches=(
            ("Run it now", "Run the check that the claim refers to, and quote its last line."),
            ("Say what is open", "Report what failed at the last run, and what was not run."),
            ("Narrow the claim", "Claim only what a step shows, with its number."),
        ),
        improvement="Check claims against the log before sending them",
        change=(
            "Before a message that says that tests pass is sent, look for a passing run after the last edit; if there "
            "is none, send the agent back with that information."
        ),
        lesson="A report is only as good as the output that it quotes.",
    )
}


class ClaimsAgainstEvidence(LiveDetector):
    """One finding per failed run that is claimed to be fixed, one for runs that never were."""

    name = "claims-against-evidence"
    category = Category.VERIFICATION
    options = ClaimsAgainstEvidenceOptions.usual()
    traits = frozenset({Trait.RESULT_ONLY})
    guidance = _GUIDANCE
    cause_name = "claim contradicted by the evidence"

    def start(self, lane_context: LaneContext) -> RuleState:
        """The state of the rule in a lane that is about to begin."""
        return _State(lane_context, self.options)


DETECTOR = ClaimsAgainstEvidence()


@dataclass(slots=True)
class _Raised:
    """A claim: what it's about, the words, the step at which they were said and the action whose result speaks against
    them."""

    subject: str
    quote: str
    at: int
    """The last action before the words: with it everything was known."""
    step: int
    against: Action | None
    last: Action
    closing: bool = True
    """Whether nothing but the call that hands in the work came after the words, as far as is known."""


class _State(RuleState):
    def __init__(self, lane_context: LaneContext, options: ClaimsAgainstEvidenceOptions) -> None:
        super().__init__(lane_context)
        self._options = options
        self._failed: dict[str, Action] = {}
        self._headlines: dict[str, int] = {}
        self._edits = 0
        self._ran = _EARLIER.search(lane_context.task[:4_000]) is not None
        self._last: Action | None = None
        self._open: list[_Raised] = []
        self._raised: list[_Raised] = []
        self._named = NamedTests()
        self._unreached: list[Finding] = []
        self._never = False
        self._bare = True
        """Whether nothing but the call that ends the session has been seen: its work isn't in the log."""
        self._aside = False
        """Whether the change is put aside, to see what fails without it."""

    def on_message(self, message: Message) -> Iterable[Finding]:
        if message.role != "assistant":
            text = _ends(message.text)
            passed = _may_say_so(text) and _REPORTED.search(text) is not None
            self._ran = self._ran or passed or _EARLIER.search(text) is not None
            if passed:
                self._failed.clear()
            return
        yield from self._listen(words_of(message), self._last)
        yield from self._deny(words_of(message), self._last)

    def on_action(self, action: Action) -> Iterable[Finding]:
        for raised in self._open:
            raised.step, raised.last, raised.closing = action.step, action, action.kind is Kind.FINISH
        self._open.clear()
        self._last = action
        self._bare = self._bare and action.kind is Kind.FINISH
        if action.compacted_before:
            self._ran = True
        yield from self._listen(words_of(action), action)
        yield from self._deny(words_of(action), action)
        self._open.clear()
        self._learn(action)
        self._named.learn(action)

    def findings(self) -> Iterable[Finding]:
        return [*(self._finding(raised) for raised in self._raised), *self._unreached]

    def _deny(self, text: str, last: Action | None) -> Iterator[Finding]:
        """What is said of tests of a kind of which no run got as far as one."""
        for name, quote, runs in self._named.denied(text) if last is not None else ():
            assert last is not None
            steps = [run.step for run in runs]
            which = f"step {steps[0]}" if len(steps) == 1 else f"steps {listed([str(step) for step in steps])}"
            found = ClaimsAgainstEvidence.finding(
                kind="never-reached",
                severity=Severity.MEDIUM,
                confidence=0.8,
                title=(
                    f"After step {last.step} the agent says that {name}{'s' if name == 'doctest' else ' tests'} pass, "
                    f"but no run of them reached one ({which})"
                ),
                lane=self.lane_context.lane,
                steps=sorted({*steps, last.step}),
                detectable_at=last.step,
                evidence=[*map(_ending, runs[-1:]), Evidence(step=last.step, quote=quote)],
                advice=[
                    f"Get {code(clip(runs[-1].operation.target, 100))} (step {steps[-1]}) to run a test before saying "
                    "that they pass, or say that they couldn't be run."
                ],
                taxonomy=Taxonomy(mast=["FM-3.3", "FM-2.6"], trail=["Tool Output Misinterpretation"]),
                cost=cost_of(runs[0], last),
            )
            if not self.lane_context.live:
                self._unreached.append(found)
            yield found

    def _listen(self, text: str, last: Action | None) -> Iterator[Finding]:
        if last is None or not (text and (self._failed or not self._ran)):
            return
        if self._failed and _EXCUSED.search(text):
            self._failed.clear()
        for subject, quote in claims(text):
            against = self._failed.get(subject)
            if (
                against is not None
                and last.step - against.step <= self._options.reach
                and not _true_in_part(quote, against)
            ):
                del self._failed[subject]
            elif (
                subject in ("tests", "ran") and self._options.never_ran and not (self._ran or self._never or self._bare)
            ):
                self._never, against = True, None
            else:
                continue
            raised = _Raised(subject, quote, last.step, last.step, against, last)
            if not self.lane_context.live:
                self._raised.append(raised)
                self._open.append(raised)
            yield self._finding(raised)

    def _learn(self, action: Action) -> None:
        """What the result of an action says about tests, builds and errors."""
        self._edits += bool(action.operation.edits) and action.failure is None
        self._ran = self._ran or _may_run(action)
        command = action.operation.command or ""
        if "git" in command and _SETS_ASIDE.search(command[:2_000]):
            self._aside = _BRINGS_BACK.search(command[:2_000]) is None
        elif action.operation.edits and action.failure is None:
            self._aside = False
        if action.kind in RUN_NOTHING or action.harness:
            return
        if not action.failed:
            self._passed(action)
        elif not self._aside and is_check(action) and "git stash" not in command:
            self._broke(action)

    def _passed(self, action: Action) -> None:
        text = _ends(action.result or "")
        tested = action.kind is Kind.TEST and action.result is not None
        if tested or _passes(text):
            self._failed.clear()
        elif is_check(action):
            said = _WELL.search(text) is not None and not action.operation.runner
            for subject in (
                ("tests", "error", "build") if said else ("error", "build") if action.operation.runner else ("error",)
            ):
                self._failed.pop(subject, None)

    def _broke(self, action: Action) -> None:
        failure = action.failure
        assert failure is not None
        if failure.expected:
            return
        tests = failure.kind is FailureKind.TEST or bool(failure.failing_tests) or failure.counts.get("failed", 0) > 0
        never_got_there = failure.kind in _NEVER_GOT_THERE and not _passes(_ends(action.result or ""))
        if action.kind is Kind.TEST and (tests or never_got_there):
            self._failed["tests"] = action
        elif action.kind is Kind.RUN and action.operation.runner and failure.kind is FailureKind.COMPILE:
            self._failed["build"] = action
        headline = failure.headline[:300]
        before = self._headlines.get(headline)
        if before is not None and before < self._edits:
            self._failed["error"] = action
        else:
            self._failed.pop("error", None)
            if len(self._headlines) < 500:
                self._headlines.setdefault(headline, self._edits)

    def _finding(self, raised: _Raised) -> Finding:
        against = raised.against
        steps = sorted({*([against.step] if against else []), raised.step})
        said = Evidence(step=raised.step, quote=raised.quote)
        if against is None or against.failure is None:
            title = f"After step {raised.step} the agent reports test results, but no test was ever run"
            evidence, advice = [said], "Run the tests before reporting their result, or say that they weren't run."
        else:
            target = clip(against.operation.target, 100)
            title = (
                f"After step {raised.step} the agent says that {_SPEAKS[raised.subject]}, but the last run "
                f"({code(target, 80)}, step {against.step}) failed"
            )
            evidence = [Evidence(step=against.step, quote=clip(against.failure.headline, 300)), said]
            advice = (
                f"Run {code(target, 100)} again after step {against.step} and report what it prints; until it "
                "passes, say what still fails."
            )
        return ClaimsAgainstEvidence.finding(
            kind="says-passing" if against else "never-ran",
            severity=Severity.HIGH if raised.closing and not self.lane_context.live else Severity.MEDIUM,
            confidence=0.8 if raised.subject == "tests" else 0.7,
            title=title,
            lane=self.lane_context.lane,
            steps=steps,
            detectable_at=raised.at,
            evidence=evidence,
            advice=[advice],
            taxonomy=Taxonomy(
                mast=["FM-3.3", "FM-2.6"],
                trail=["Tool Output Misinterpretation"] if against else ["Language-only Hallucinations"],
            ),
            cost=cost_of(against or raised.last, raised.last),
        )


def _ending(run: Action) -> Evidence:
    said = run.failure.headline if run.failure is not None else ran_nothing(run) or ""
    return Evidence(step=run.step, quote=clip(said, 300))


def _true_in_part(quote: str, against: Action) -> bool:
    """Whether a claim names a number of tests that passed in the very run in which others failed."""
    result = _ends(against.result or "")
    return any(
        re.search(rf"\b{number}\s+(?:tests? )?pass|pass(?:ed|ing)?:? +{number}\b", result)
        for number in re.findall(r"\b\d{1,6}\b", quote)[:5]
    )


def _may_run(action: Action) -> bool:
    """Whether a call may have run tests, whatever its tool is called."""
    if action.kind in RUN_NOTHING or action.harness:
        return _passes(_ends(action.result or ""))
    if action.kind in (Kind.TEST, Kind.WAIT) or is_check(action):
        return True
    text = action.arguments if isinstance(action.arguments, str) else json.dumps(action.arguments, default=str)
    return _TRIES.search(f"{action.tool} {text[:4_000]}") is not None or _passes(_ends(action.result or ""))


def _passes(text: str) -> bool:
    """Whether a runner's text says that something passed."""
    return _may_say_so(text) and _PASSES.search(text) is not None


def _may_say_so(text: str) -> bool:
    low = text.lower()
    return low.startswith("ok") or any(word in low for word in _PASSING)


def _ends(text: str) -> str:
    """The beginning and the end of a text, where runners sum up."""
    return text if len(text) <= 8_000 else f"{text[:2_000]}\n{text[-6_000:]}"
