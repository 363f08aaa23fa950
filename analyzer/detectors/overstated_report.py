"""An answer says more than the session did.

What it flags
    An answer, the last one or one before, that says something was done outside of the files (committed, pushed,
    deployed, booked, sent), when no call did it, or all attempts failed (`not-done`); a commit, a push, a deployment or
    a call of a tool with a lasting effect that failed or was refused, that no later call made good, and of which no
    answer from then on says anything (`unreported-failure`); at the end a number of passing tests that is greater than
    was ever shown (`count`); and that all tests pass when the run of all of them failed or timed out, and only a part
    has run since, or when only selected ones ever ran (`part`).

Why it matters
    The report is what people read. They don't check a push that it reports, nor run tests again that it says pass.

What it does not flag
    Plans, offers and reservations ("not pushed yet", "all but one pass"); sessions that continue an earlier one or were
    compacted, whose beginning isn't in the log; operations that a script, a tool or a sub-agent may have
    carried out; counts where some result was cut off; reports in another language than English, as far as their words
    decide.

Options
    None.

Example:
    The last message says "committed and pushed"; `git push` at step 9 was rejected, and nothing was pushed after it.

"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from analyzer.detectors.engine.facts import Facts, Need
from analyzer.detectors.engine.interface import Detector, Trait
from analyzer.detectors.signals.claims import ReportClaim, Verdict, claims_in, report_claims
from analyzer.detectors.signals.effects import State, is_reported, undone
from analyzer.detectors.signals.quoted import evidence_of, quoted
from analyzer.detectors.signals.selection import names_files, narrower
from analyzer.model.action import Action
from analyzer.model.finding import Evidence, Finding, Taxonomy
from analyzer.model.struct import Struct
from analyzer.model.words import MAIN_LANE, Category, FailureKind, Kind, Severity
from analyzer.speech.acts import Act, words_for
from analyzer.speech.heard import first_with, heard
from analyzer.task.turns import asks
from analyzer.text.clip import around, clip
from analyzer.text.late import late
from analyzer.text.markdown import code
from analyzer.text.plain import holds_any
from analyzer.timeline.closing.ending import asked_for, closing_words, ended_by_others
from analyzer.timeline.verification.checks import HANDLES_FILES

_CAME_TO = {State.REFUSED: "was refused", State.FAILED: "failed"}
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
        turns = list(_answered(facts, actions, closing))
        found = next(chain(_not_done(facts, turns), _unreported(facts, turns)), None)
        if found is not None:
            yield found
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
    if claim.count is None:
        return _only_a_part(facts, actions, claim)
    return _miscounted(facts, actions, claim, claim.count)


class _Answer(Struct, frozen=True):
    """What the agent answered in one turn of the user, the calls of the main lane that it took on it, and what asked
    for them; `report` is how a sentence about the answer calls it."""

    text: str
    asked: str
    actions: Sequence[Action]
    report: str


def _answered(facts: Facts, actions: Sequence[Action], closing: str) -> Iterator[_Answer]:
    """The answers to the turns of the user, the last one with all calls of the session."""
    answered = [turn for turn in facts.timeline.turns() if turn.said]
    for turn in answered[:-1]:
        own = [action for action in facts.timeline.actions[turn.first : turn.end] if action.lane == MAIN_LANE]
        if own and not turn.stopped:
            yield _Answer("\n\n".join(turn.said), turn.text.lower(), own, f"The answer after step {own[-1].step}")
    # After the last answer the user may have spoken once more.
    last = answered[-1].said if answered else ()
    yield _Answer(closing or "\n\n".join(last), "", actions, "The closing report")


def _not_done(facts: Facts, turns: Sequence[_Answer]) -> Iterator[Finding]:
    """What an answer says was done, and every call for it failed to do, or none did, though the user had asked for
    it or the session ends so."""
    whole, steps = len(facts.timeline.lanes()) == 1, [action.step for action in turns[-1].actions]
    for answer in turns:
        before = turns[-1].actions[: bisect_right(steps, answer.actions[-1].step)]
        for claim in claims_in(answer.text, before, whole=whole):
            said = f"{answer.report} says “{clip(claim.quote, 120)}”"
            if claim.verdict is Verdict.CONTRADICTED and claim.effect is not None:
                last = claim.effect.action
                title = f"{said}, and the call for it (step {last.step}) {_CAME_TO[claim.effect.state]}"
                yield _finding(
                    facts, answer.actions, claim.quote, "not-done", Severity.HIGH, title, [evidence_of(last)]
                )
            elif claim.verdict is Verdict.UNSUPPORTED and (
                answer is turns[-1] or holds_any(answer.asked, words_for("operations", claim.verb))
            ):
                title = f"{said}, and no call {'of the session' if answer is turns[-1] else 'before it'} did it"
                yield _finding(facts, answer.actions, claim.quote, "not-done", Severity.HIGH, title, [])


def _unreported(facts: Facts, turns: Sequence[_Answer]) -> Iterator[Finding]:
    """The first act that failed, that no later call made good, and of which no answer from its turn on says so."""
    for effect in undone(turns[-1].actions) if heard(turns[-1].text) else ():
        last = effect.action
        answers = [answer for answer in turns if answer.actions[-1].step >= last.step]
        # One that ends with a question reports nothing yet, unless a later one says that it was done all the same.
        if any(map(asks, (answer.text for answer in answers))):
            answers = [answer for answer in answers[1:] if first_with(answer.text, Act.DONE, Act.CHECKED)]
        if answers and not any(is_reported(effect, answer.text) for answer in answers):
            report = answers[0].report
            title = (
                f"The {effect.kind} of step {last.step} ({code(clip(effect.what, 80))}) {_CAME_TO[effect.state]}, and "
                f"{report[:1].lower()}{report[1:]} doesn't say so"
            )
            quote = heard(answers[0].text)[-1].quote if heard(answers[0].text) else ""
            evidence = [evidence_of(last)]
            yield _finding(facts, answers[0].actions, quote, "unreported-failure", Severity.HIGH, title, evidence)


def _delegations(actions: Sequence[Action]) -> list[Action]:
    """The calls that sent a sub-agent off, as far as an answer of it is recorded."""
    return [
        action
        for action in actions
        if action.result is not None and not action.operation.commands and action.asks_agent
    ]


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
    return _finding(
        facts, actions, claim.quote, "count", Severity.MEDIUM, title, [Evidence(step=shown.step, quote=quote)]
    )


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
    return _finding(facts, actions, claim.quote, "part", severity, title, evidence)


def _only_selected(
    facts: Facts, actions: Sequence[Action], claim: ReportClaim, runs: Sequence[Action]
) -> Finding | None:
    """All tests are said to pass, and every run took only some: the runner says how many it left out, or the report
    speaks of the whole suite and each run names its files."""
    whole = _WHOLE_SUITE.search(claim.quote) is not None
    others = any(
        action.kind is Kind.OTHER or any(entry.program not in HANDLES_FILES for entry in action.operation.commands)
        for action in actions
        if action.kind in (Kind.RUN, Kind.OTHER)
    )
    if not runs or others or len(facts.timeline.lanes()) > 1 or _delegations(actions):
        return None
    left = [_DESELECTED.search((run.result or "")[-_LONGEST:]) for run in runs]
    if not all(
        run.operation.commands and (out is not None or (whole and names_files(run)))
        for run, out in zip(runs, left, strict=True)
    ):
        return None
    last, out = runs[-1], left[-1]
    why = f", which left out {out[0]}" if out is not None else ""
    target = code(clip(last.operation.target, 80))
    title = f"The closing report says that all tests pass; only selected ones ran (step {last.step}: {target}){why}"
    quote = out[0] if out is not None else clip(last.operation.target, 300)
    return _finding(
        facts, actions, claim.quote, "part", Severity.MEDIUM, title, [Evidence(step=last.step, quote=quote)]
    )


def _finding(
    facts: Facts,
    actions: Sequence[Action],
    said: str,
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
        evidence=[*evidence, Evidence(step=last.step, quote=clip(said, 300))],
        advice=["Name for each sentence of the report the step that shows it, and leave out what none shows."],
        cost=facts.cost(MAIN_LANE, steps[0], last.step),
    )
