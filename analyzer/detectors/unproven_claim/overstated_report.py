"""An answer says more than the session did.

What it flags
    An answer, the last one or one before, that says something was done outside of the files (committed, pushed,
    deployed, booked, sent), when no call did it, or all attempts failed (`not-done`); a commit, a push, a deployment or
    a call of a tool with a lasting effect that failed or was refused, that no later call made good, and of which no
    answer from then on says anything, or the last run of a program that failed, where the answer says that something in
    its words was done, or where it was the last call and the answer speaks of nothing that failed
    (`unreported-failure`); what it says that a test, a program or all tests have shown, when the last run of that
    failed, or only a part of it has passed since, and that all of so many things were done, when the last result that
    counts them left some out, or when a share of the whole or an earlier run shows otherwise (`check`); tests
    that nothing can have run or written, logs that nothing opened, more runs than there were, and trials where only
    files were read and edited (`no-run`); a measure or number of tests that nothing in the session shows
    (`no-measure`); and work that is announced in answer after answer without a call (`announced`). Failed edits count
    where the user or the answer names the file, failing checks where an answer before the last one passes over them.

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
from itertools import chain, islice

from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.engine.table import new_finding
from analyzer.detectors.signals.check_claims import checks_claimed, first_runs, unnamed, untested
from analyzer.detectors.signals.claims import Verdict, claims_in, may_have_done
from analyzer.detectors.signals.effects import (
    Effect,
    Report,
    State,
    broken_runs,
    effects_of,
    failing_checks,
    reported,
    speaks_of_run,
    undone,
    words_of,
)
from analyzer.detectors.signals.quoted import evidence_of
from analyzer.detectors.unproven_claim.counts_claimed import overcounted
from analyzer.detectors.unproven_claim.measures_claimed import unshown_measures
from analyzer.failures.roles import last_part
from analyzer.model.action import Action
from analyzer.model.finding import Evidence, Finding
from analyzer.model.struct import Struct
from analyzer.model.words import MAIN_LANE, Kind, Severity
from analyzer.speech.acts import Act, words_for
from analyzer.speech.heard import first_with, heard
from analyzer.task.turns import asks
from analyzer.text.clip import clip
from analyzer.text.late import late
from analyzer.text.markdown import code
from analyzer.text.plain import holds_any
from analyzer.timeline.closing.ending import asked_for, closing_words, ended_by_others
from analyzer.timeline.verification.checks import is_prose

_CAME_TO = {State.REFUSED: "was refused", State.FAILED: "failed"}
_EARLIER = late(
    r"continued from a previous|previous (?:conversation|session)|summary of (?:the|our) (?:conversation|work)"
    r"|resum(?:e|ed|ing)\b",
    re.IGNORECASE,
)
_DEFINED = late(
    r"^[ \t]*(?:(?:async )?def test|(?:it|test|specify)(?:\.each\S*)?\(|func Test|#\[(?:tokio::)?test\]"
    r"|@(?:Parameterized)?Test\b)",
    re.MULTILINE,
)
"""How the definition of a test begins."""
_DIGITS = frozenset("0123456789")


def detect(facts: Facts) -> Iterable[Finding]:
    """The sentences of the closing report that the record contradicts."""
    actions = [action for action in facts.lane(MAIN_LANE) if not action.harness]
    if not actions or ended_by_others(facts.timeline.session) or _continues(facts, actions):
        return
    closing = closing_words(facts.timeline, actions[-1])
    turns = list(_answered(facts, actions, closing))
    found = next(chain(_not_done(facts, turns), _unreported(facts, turns), _only_announced(facts, actions)), None)
    if found is not None:
        yield found
    yield from islice(_made_up(facts, turns), 1)


def _continues(facts: Facts, actions: Sequence[Action]) -> bool:
    """Whether the beginning of the work isn't in the log."""
    task = asked_for(facts.timeline)[:4_000]
    return _EARLIER.search(task) is not None or any(action.compacted_before for action in actions)


_ANNOUNCES = late(
    r"\bi(?:['’]m| am) (?:now |just |currently )?\w+ing\b"
    r"|\bi(?:['’]ll| will) (?:now |start|begin|next|then|report|let you)"
    r"|\bis (?:now |just |currently )?being \w+ed\b"
    r"|^\W*(?:next|now),? i\b|^\W*\w+ing\b[^.]*\b(?:now|right away|at once)\b",
    re.IGNORECASE,
)
_COURTESY = ("anything else", "anything more", "help you with")
"""What a question asks out of politeness, which leaves nothing open."""
_UNWELL = (Act.NOT_DONE, Act.ASKS, Act.ABSENT, Act.LACKS, Act.BLAMES_EARLIER, Act.GIVES_UP, Act.COULD_NOT_CHECK)
_FAILED_WORDS = ("fail", "error", "n't", " not ")
"""How a sentence says that something isn't as it was to be."""
_SHORTEST = 8
"""Letters of a file's name by which an answer may name it without its ending."""
_NUDGE = 80
"""Characters of a turn by which the user only asks how far it is."""


def _only_announced(facts: Facts, actions: Sequence[Action]) -> Iterator[Finding]:
    """Answers in a row that announce what is done next, with no call between them."""
    row: list[str] = []
    for turn in facts.timeline.turns():
        said = " ".join(turn.said)
        made = facts.timeline.actions[turn.first : turn.end]
        waits = not any(True for one in made for _ in effects_of(one)) and (not row or len(turn.text) <= _NUDGE)
        row = [*row, said] if waits and _ANNOUNCES.search(said) is not None else []
        if len(row) > 1:
            title = f"{len(row)} answers in a row announce work (“{clip(said, 120)}”), and no call is made between them"
            yield _finding(facts, actions, said, "announced", Severity.MEDIUM, title, [])
            return


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
    # After the last answer the user may have spoken once more; what was done since isn't answered.
    end = answered[-1].end if answered else 0
    over = not any(action.lane == MAIN_LANE for action in facts.timeline.actions[end:])
    last = answered[-1].said if answered and over else ()
    asked = "\n".join(turn.text for turn in facts.timeline.turns() if turn.said or turn.first < turn.end).lower()
    yield _Answer(closing or "\n\n".join(last), asked, actions, "The closing report")


_SHOWS = {Verdict.CONTRADICTED: "shows otherwise", Verdict.UNSUPPORTED: "left tests out, as each one did"}


def _not_done(facts: Facts, turns: Sequence[_Answer]) -> Iterator[Finding]:
    """What an answer says was done, and every call for it failed to do, or none did, though the user had asked for
    it or the session ends so; and what it says checks have shown, when their last run failed."""
    whole, steps = len(facts.timeline.lanes()) == 1, [action.step for action in turns[-1].actions]
    for answer in turns:
        before = turns[-1].actions[: bisect_right(steps, answer.actions[-1].step)]
        for claim in claims_in(answer.text, before, whole=whole, asked=answer.asked):
            last = answer is turns[-1]
            if claim.verdict is Verdict.CONTRADICTED and claim.action is not None:
                but = f"the call for it (step {claim.action.step}) {_CAME_TO[claim.state]}"
                yield _says(facts, answer, claim.quote, "not-done", but, claim.action)
            elif claim.verdict is Verdict.UNSUPPORTED and (
                last or holds_any(answer.asked, words_for("operations", claim.verb))
            ):
                but = f"no call {'of the session' if last else 'before it'} did it"
                yield _says(facts, answer, claim.quote, "not-done", but)
        for claim in checks_claimed(answer.text, before):
            if claim.verb == "before" and claim.action is not None:
                but = f"the same run passed at step {claim.action.step}, before anything was changed"
                yield _says(facts, answer, claim.quote, "check", but, claim.action)
            elif claim.verdict in _SHOWS and (ran := claim.action) is not None:
                call = f"{code(clip(ran.operation.target, 80))} (step {ran.step})"
                but = f"the last run of {call} {_SHOWS[claim.verdict]}"
                yield _says(facts, answer, claim.quote, "check", but, ran)


def _says(facts: Facts, answer: _Answer, quote: str, kind: str, but: str, shown: Action | None = None) -> Finding:
    """What an answer says, and what the record says of that."""
    title, evidence = f"{answer.report} says “{clip(quote, 120)}”, and {but}", [evidence_of(shown)] if shown else []
    return _finding(facts, answer.actions, quote, kind, Severity.HIGH, title, evidence)


def _made_up(facts: Facts, turns: Sequence[_Answer]) -> Iterator[Finding]:
    """The first check or measure of an answer that nothing in the session shows."""
    actions, steps = facts.timeline.actions, [action.step for action in turns[-1].actions]
    alone = len(facts.timeline.lanes()) == 1
    complete = not [action for action in turns[-1].actions if action.result is None]
    counted = not [one for one in actions if one.kind is Kind.TEST and _DIGITS.isdisjoint(one.result or "")]

    def known() -> str:
        messages = facts.timeline.messages
        others = [message.text for message in messages if message.lane != MAIN_LANE or message.role == "user"]
        # What the agent wrote into a new document says no more than its answer.
        told = [one for one in actions if not any(edit.created and is_prose(edit.path) for edit in one.operation.edits)]
        written = "\n".join(edit.after or "" for one in actions for edit in one.accepted_edits)
        tests = f"{len(_DEFINED.findall(written))} tests written"
        return "\n".join([*[f"{action.arguments}\n{action.result}" for action in told], *others, tests])

    ran, loud = first_runs(turns[-1].actions)
    for answer in turns:
        before = turns[-1].actions[: bisect_right(steps, answer.actions[-1].step)]
        for quote in untested(answer.text, ran=ran < len(before)) if alone and complete and len(before) <= loud else ():
            if not any(map(may_have_done, before)):
                yield _says(facts, answer, quote, "no-run", "no call ran anything that could show it")
        for quote, what in unnamed(answer.text, before, known) if alone and complete else ():
            if what.startswith(("that ", "“")) or not any(map(may_have_done, before)):
                yield _says(facts, answer, quote, "no-run", f"no call names {what}")
        for quote, action, but in overcounted(answer.text, before):
            yield _says(facts, answer, quote, "check", but, action)
        for quote, measure in unshown_measures(answer.text, known, counted=counted) if complete else ():
            title = f"{answer.report} gives {measure} (“{clip(quote, 120)}”), which no result shows"
            yield _finding(facts, answer.actions, quote, "no-measure", Severity.MEDIUM, title, [])


def _unreported(facts: Facts, turns: Sequence[_Answer]) -> Iterator[Finding]:
    """The first act that failed, that no later call made good, and of which no answer from its turn on says so; else
    the first check that an answer before the last one passes over."""
    asked = words_of("\n".join(turn.text for turn in facts.timeline.turns()) or facts.timeline.session.task or "")
    failed = [action for action in turns[-1].actions if action.failure is not None]
    checks = [(effect, [answer]) for answer in turns[:-1] for effect in failing_checks(answer.actions)]
    acts = undone(turns[-1].actions) if heard(turns[-1].text) else []
    acts = [*acts, *broken_runs(turns[-1].actions)]
    since = [(act, [one for one in turns if one.actions[-1].step >= act.action.step]) for act in acts]
    for effect, answers in (*since, *checks):
        # Of edits only those of a file that the user or the answer names: others were a way that was given up.
        edit = effect.kind == "edit"
        stem = last_part(effect.what).rpartition(".")[0]
        names = [last_part(effect.what).lower(), *([stem.lower()] if len(stem) >= _SHORTEST else [])]
        named = edit and any(holds_any(one.text.lower(), names) for one in answers)
        if edit and not named and asked.isdisjoint(words_of(last_part(effect.what))):
            continue
        said = [reported(effect, answer.text, failed, asked) for answer in answers]
        if Report.FAILED in said:
            continue
        # One that only asks reports nothing yet, and one behind it only where it says that something was done.
        after = max((place + 1 for place, one in enumerate(said) if one is Report.OPEN), default=0)
        done = [one for one in answers[after:] if first_with(one.text, Act.DONE, Act.CHECKED)]
        sure = (
            edit
            or effect.kind == "check"
            or after > 0
            or any(asks(one.text) and not holds_any(one.text[-_NUDGE:].lower(), _COURTESY) for one in answers)
        )
        told = done if sure else answers
        if effect.beside:
            whole = set(words_for("clauses", "whole"))
            told = [one for one in done if not whole.isdisjoint(one.text.lower().split())]
        if effect.kind == "run":
            told = [
                one
                for one in answers
                if (
                    effect.action is one.actions[-1]
                    and effect.state is State.FAILED
                    and heard(one.text)
                    and first_with(one.text, *_UNWELL) is None
                    and not holds_any(f" {one.text.lower()}", _FAILED_WORDS)
                )
                or ("fail" not in one.text.lower() and speaks_of_run(effect, one.text))
            ]
        if told:
            yield _passed_over(facts, effect, told[0])


def _passed_over(facts: Facts, effect: Effect, answer: _Answer) -> Finding:
    act = f"{'The edit of ' if effect.kind == 'edit' else ''}{code(clip(effect.what, 80))}"
    came_to = f"{_CAME_TO[effect.state]} (step {effect.action.step})"
    claim = speaks_of_run(effect, answer.text) or first_with(answer.text, Act.DONE, Act.CHECKED)
    says = f"says “{clip(claim, 120)}”, and nothing of that" if claim is not None else "doesn't say so"
    title = f"{act} {came_to}; {answer.report[:1].lower()}{answer.report[1:]} {says}"
    quote = claim or heard(answer.text)[-1].quote
    severity = Severity.HIGH if effect.kind not in ("edit", "check", "run") else Severity.MEDIUM
    evidence = [evidence_of(effect.action)]
    return _finding(facts, answer.actions, quote, "unreported-failure", severity, title, evidence)


def _finding(
    facts: Facts, actions: Sequence[Action], said: str, kind: str, severity: Severity, title: str, shown: list[Evidence]
) -> Finding:
    last = actions[-1]
    steps = sorted({*(entry.step for entry in shown), last.step})
    return new_finding(
        f"overstated-report/{kind}",
        severity=severity,
        confidence=0.8,
        title=title,
        steps=steps,
        detectable_at=last.step,
        evidence=[*shown, Evidence(step=last.step, quote=clip(said, 300))],
        advice=["Name for each sentence of the report the step that shows it, and leave out what none shows."],
        cost=facts.cost(MAIN_LANE, steps[0], last.step),
    )
