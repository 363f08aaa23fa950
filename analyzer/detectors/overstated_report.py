"""The closing report says more than the session did.

What it flags
    A report at the end that says something was committed, pushed, published or deployed, or a pull request opened, when
    no call of the session did it, or all attempts failed (`not-done`); a number of passing tests that is
    greater than was ever shown (`count`); and that all tests pass when the run of all of them failed or timed out,
    and only a part has run since, or when only selected ones ever ran (`part`).

Why it matters
    The report is what people read. They don't check a push that it reports, nor run tests again that it says pass.

What it does not flag
    Plans, offers and reservations ("not pushed yet", "all but one pass"); sessions that continue an earlier one or were
    compacted, whose beginning isn't in the log; operations that a script, a tool or a sub-agent may have
    carried out; counts where some result was cut off.

Options
    None.

Example:
    The last message says "committed and pushed"; `git push` at step 9 was rejected, and nothing was pushed after it.

"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence

from analyzer.detectors.engine.facts import Facts, Need
from analyzer.detectors.engine.interface import Detector, Trait
from analyzer.detectors.signals.claims import ReportClaim, report_claims
from analyzer.detectors.signals.quoted import evidence_of, quoted
from analyzer.model.action import Action
from analyzer.model.finding import Evidence, Finding, Taxonomy
from analyzer.model.words import MAIN_LANE, Category, FailureKind, Kind, Severity, Status
from analyzer.text.clip import around, clip
from analyzer.text.late import late
from analyzer.text.markdown import code
from analyzer.timeline.calls.selection import names_files, narrower
from analyzer.timeline.closing.ending import asked_for, closing_words, ended_by_others
from analyzer.timeline.verification.checks import HANDLES_FILES

_TRACES = {
    "commit": ("commit",),
    "push": ("push", "sync", "ship", "release", "deploy", "publish"),
    "publish": ("publish", "release", "upload", "ship", "deploy", "push"),
    "deploy": ("deploy", "release", "ship", "apply", "push", "publish", "rollout", " up", "vercel", "netlify", "serve"),
    "pull request": ("pr ", "pull", "merge request", "merge_request", "merge-request", "mr "),
}
"""What a call that may have carried out an operation names somewhere."""
_WORDS = {
    "commit": "was committed",
    "push": "was pushed",
    "publish": "was published",
    "deploy": "was deployed",
    "pull request": "a pull request was opened",
}
_EARLIER = late(
    r"continued from a previous|previous (?:conversation|session)|summary of (?:the|our) (?:conversation|work)"
    r"|resum(?:e|ed|ing)\b",
    re.IGNORECASE,
)
_PASSED = late(
    r"\b(?P<before>\d{1,6}) (?:tests? |specs? |examples? |assertions )?(?:passed|passing|pass|ok|succeeded)\b"
    r"|\b(?:passed|pass|tests run|tests|total|ok \()[: ]+(?P<after>\d{1,6})\b|\bRan (?P<ran>\d{1,6}) tests?\b"
    r"|\b(?P<runs>\d{1,6}) (?:runs|examples|tests|specs)\b",
    re.IGNORECASE,
)
_ONE_EACH = late(r"^\s*(?:--- PASS|✓|✔|√|\S+::\S+ PASSED)", re.MULTILINE)
_LONGEST = 60_000
_DESELECTED = late(r"\b[1-9]\d{0,5} (?:tests? )?(?:deselected|filtered out)\b|\b[1-9]\d{0,5} filtered out\b")
_WHOLE_SUITE = late(
    r"\b(?:full|entire|whole|complete)(?: \w+){0,2} (?:tests?|suites?|specs?)\b|\bno regressions?\b"
    r"|\bevery (?:existing )?test\b|\ball (?:of the )?(?:existing|other) tests\b",
    re.IGNORECASE,
)
_GUIDANCE = {
    "": """Ask: Which step did what the report says?
    Try: Report from the record: Name for each sentence of the report the step that shows it.
    Change: Hold the report against the record: Before the report is sent, compare each operation and each number in it
      with the calls of the session, and send the agent back where no call shows it.
    Learn: A report says what the steps show, no more."""
}


class OverstatedReport(Detector):
    """At most one finding for each kind."""

    name = "overstated-report"
    category = Category.VERIFICATION
    needs = Need.CALLS
    taxonomy = Taxonomy.of(mast=["FM-3.3"], trail=["Language-only Hallucinations"])
    traits = frozenset({Trait.CONTRADICTS_REPORT, Trait.RESULT_ONLY})
    guidance = _GUIDANCE
    cause_name = "report beyond the evidence"

    def detect(self, facts: Facts) -> Iterable[Finding]:
        """The sentences of the closing report that the record contradicts."""
        actions = [action for action in facts.lane(MAIN_LANE) if not action.harness]
        if not actions or ended_by_others(facts.timeline.session) or _continues(facts, actions):
            return
        closing = closing_words(facts.timeline, actions[-1])
        said: set[str] = set()
        for claim in report_claims(closing):
            found = _against(facts, actions, claim)
            if found is not None and found.kind not in said:
                said.add(found.kind)
                yield found


DETECTOR = OverstatedReport()


def _continues(facts: Facts, actions: Sequence[Action]) -> bool:
    """Whether the beginning of the work isn't in the log."""
    task = asked_for(facts.timeline)[:4_000]
    return _EARLIER.search(task) is not None or any(action.compacted_before for action in actions)


def _against(facts: Facts, actions: Sequence[Action], claim: ReportClaim) -> Finding | None:
    if claim.operation is not None:
        return _not_done(facts, actions, claim, claim.operation)
    if claim.count is not None:
        return _miscounted(facts, actions, claim, claim.count)
    return _only_a_part(facts, actions, claim)


def _delegations(actions: Sequence[Action]) -> list[Action]:
    """The calls that sent a sub-agent off, as far as an answer of it is recorded."""
    return [
        action
        for action in actions
        if action.result is not None and not action.operation.commands and action.asks_agent
    ]


def _not_done(facts: Facts, actions: Sequence[Action], claim: ReportClaim, operation: str) -> Finding | None:
    """What no call did, or every call for it failed to do."""
    if len(facts.timeline.lanes()) > 1 or any(_may_delegate(action) for action in actions):
        return None
    tried = [action for action in actions if any(word in _called(action).lower() for word in _TRACES[operation])]
    if any(action.failure is None for action in tried):
        return None
    spoken = [
        action for action in actions if action.kind is Kind.RUN and f"{operation}" in (action.result or "").lower()
    ]
    if not tried and any(action.failure is None for action in spoken):
        return None
    last = tried[-1] if tried else actions[-1]
    why = f"the last call for it (step {last.step}) failed" if tried else "no call of the session did it"
    title = f"The closing report says that it {_WORDS[operation]}, and {why}"
    if operation == "pull request":
        title = f"The closing report says that {_WORDS[operation]}, and {why}"
    evidence = [evidence_of(last)] if tried and last.failure is not None else []
    return _finding(facts, actions, claim, "not-done", Severity.HIGH, title, [*evidence])


def _called(action: Action) -> str:
    text = action.arguments if isinstance(action.arguments, str) else json.dumps(action.arguments, default=str)
    return (
        ""
        if action.kind in (Kind.READ, Kind.SEARCH, Kind.THINK, Kind.PLAN, Kind.FINISH)
        else f"{action.tool} {text[:_LONGEST]}"
    )


def _may_delegate(action: Action) -> bool:
    """Whether a call may have done anything for all that is known: a tool that is no shell, editor or viewer, or one
    whose result isn't known."""
    return (action.kind is Kind.OTHER and not action.operation.commands and not action.task_done) or (
        action.kind is Kind.RUN and action.status is Status.UNKNOWN and action.failure is None
    )


def _miscounted(facts: Facts, actions: Sequence[Action], claim: ReportClaim, count: int) -> Finding | None:
    """More tests than all runs together were seen to pass, or all sub-agents together answered."""
    seen: dict[str, tuple[int, Action]] = {}
    for action in facts.timeline.actions:
        text = (action.result or "")[-_LONGEST:]
        numbers = [int(next(value for value in found.groups() if value)) for found in _PASSED.finditer(text)]
        if re.search(rf"(?<!\d){count}(?!\d)", text) is not None:
            return None
        if action.kind is Kind.TEST or numbers:
            most = max([*numbers, len(_ONE_EACH.findall(text))], default=0)
            if most == 0 and action.failure is None and action.kind is Kind.TEST:
                return None
            key = action.keys.call or action.operation.target
            if most >= seen.get(key, (0, action))[0]:
                seen[key] = (most, action)
    answers = {id(action) for action in _delegations(actions)}
    told = sum(most for most, action in seen.values() if id(action) in answers)
    total = max(told, sum(most for most, _ in seen.values()) - told)
    shown_here = [entry for entry in seen.values() if entry[1].lane == MAIN_LANE]
    if not shown_here or count <= total or len(facts.timeline.lanes()) > 1 > len(_delegations(actions)):
        return None
    most, shown = max(shown_here, key=lambda entry: (entry[0], entry[1].step))
    title = f"The closing report speaks of {count} tests that pass; the runs showed {most} at most (step {shown.step})"
    text = shown.result or ""
    number = next(reversed(list(re.finditer(rf"(?<!\d){most}(?!\d)", text))), None)
    quote = around(text, *(number.span() if number is not None else (len(text), len(text))), 200)
    return _finding(facts, actions, claim, "count", Severity.MEDIUM, title, [Evidence(step=shown.step, quote=quote)])


def _only_a_part(facts: Facts, actions: Sequence[Action], claim: ReportClaim) -> Finding | None:
    """All tests are said to pass; the run of all of them didn't, and only narrower ones have passed since."""
    runs = [action for action in actions if action.kind is Kind.TEST]
    wide = next((run for run in reversed(runs) if run.failure is not None and not run.failure.expected), None)
    if wide is None or wide.failure is None:
        return _only_selected(facts, actions, claim, runs)
    later = [run for run in runs if run.step > wide.step]
    passed = [run for run in later if run.failure is None]
    if not passed or not all(narrower(run, wide) for run in passed):
        return None
    timed_out = wide.failure.kind is FailureKind.TIMEOUT
    how = "timed out" if timed_out else "failed"
    title = (
        f"The closing report says that all tests pass; the run of step {wide.step} {how}, and only a part of it has "
        f"run since (step {passed[-1].step}: {code(clip(passed[-1].operation.target, 80))})"
    )
    evidence = [Evidence(step=wide.step, quote=quoted(wide))]
    severity = Severity.MEDIUM if timed_out else Severity.HIGH
    return _finding(facts, actions, claim, "part", severity, title, evidence)


def _only_selected(
    facts: Facts, actions: Sequence[Action], claim: ReportClaim, runs: Sequence[Action]
) -> Finding | None:
    """All tests are said to pass, and every run took only some: the runner says how many it left out, or the report
    speaks of the whole suite and each run names its files."""
    whole = _WHOLE_SUITE.search(claim.quote) is not None
    if not runs or len(facts.timeline.lanes()) > 1 or _delegations(actions) or any(map(_may_test, actions)):
        return None
    if not all(run.operation.commands and (_left_out(run) or (whole and names_files(run))) for run in runs):
        return None
    last = runs[-1]
    left = _left_out(last)
    why = f", which left out {left[0]}" if left is not None else ""
    target = code(clip(last.operation.target, 80))
    title = f"The closing report says that all tests pass; only selected ones ran (step {last.step}: {target}){why}"
    quote = left[0] if left is not None else clip(last.operation.target, 300)
    return _finding(facts, actions, claim, "part", Severity.MEDIUM, title, [Evidence(step=last.step, quote=quote)])


def _may_test(action: Action) -> bool:
    """Whether a call that isn't known to be a test run may have run tests as well."""
    return _may_delegate(action) or (
        action.kind is Kind.RUN and any(entry.program not in HANDLES_FILES for entry in action.operation.commands)
    )


def _left_out(run: Action) -> re.Match[str] | None:
    """How many tests a run says that it left out by the way it was called."""
    return _DESELECTED.search((run.result or "")[-_LONGEST:])


def _finding(
    facts: Facts,
    actions: Sequence[Action],
    claim: ReportClaim,
    kind: str,
    severity: Severity,
    title: str,
    evidence: Sequence[Evidence],
) -> Finding:
    last = actions[-1]
    steps = sorted({*(entry.step for entry in evidence), last.step})
    return OverstatedReport.finding(
        kind=kind,
        severity=severity,
        confidence=0.8,
        title=title,
        steps=steps,
        detectable_at=last.step,
        evidence=[*evidence, Evidence(step=last.step, quote=claim.quote)],
        advice=["Name for each sentence of the report the step that shows it, and leave out what none shows."],
        cost=facts.cost(MAIN_LANE, steps[0], last.step),
    )
