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
    that nothing can have run, and trials where only files were read and edited (`no-run`); a measure or number of tests
    that nothing in the session shows (`no-measure`). Failed edits count where the user or the answer names the file,
    failing checks where an answer before the last one passes over them.

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
from functools import cache
from itertools import chain, islice
from typing import Unpack

from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.engine.table import Given, new_finding
from analyzer.detectors.signals.check_claims import checks_claimed, first_runs, untested
from analyzer.detectors.signals.claims import Verdict, claims_in, may_have_done
from analyzer.detectors.signals.effects import (
    Effect,
    Report,
    State,
    broken_runs,
    failing_checks,
    reported,
    speaks_of_run,
    undone,
    words_of,
)
from analyzer.detectors.signals.quoted import evidence_of
from analyzer.detectors.unproven_claim.numbers_claimed import ShownNumbers, overcounted, unshown_measures
from analyzer.failures.roles import last_part
from analyzer.model.action import Action
from analyzer.model.finding import Evidence, Finding, Slot
from analyzer.model.struct import Struct
from analyzer.model.words import MAIN_LANE, Kind, Severity
from analyzer.speech.acts import Act, words_for
from analyzer.speech.heard import first_with, heard
from analyzer.task.turns import asks
from analyzer.text.clip import clip
from analyzer.text.late import late
from analyzer.text.plain import holds_any
from analyzer.timeline.closing.ending import asked_for, closing_words, ended_by_others
from analyzer.timeline.verification.checks import is_prose

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
_COURTESY = ("anything else", "anything more", "help you with")
"""What a question asks out of politeness, which leaves nothing open."""
_UNWELL = (Act.NOT_DONE, Act.ASKS, Act.ABSENT, Act.LACKS, Act.BLAMES_EARLIER, Act.GIVES_UP, Act.COULD_NOT_CHECK)
_FAILED_WORDS = ("fail", "error", "n't", " not ")
"""How a sentence says that something isn't as it was to be."""
_SHORTEST = 8
"""Letters of a file's name by which an answer may name it without its ending."""
_NUDGE = 80
"""Characters of a turn by which the user only asks how far it is."""


def detect(facts: Facts) -> Iterable[Finding]:
    """The sentences of the closing report that the record contradicts."""
    actions = [action for action in facts.lane(MAIN_LANE) if not action.harness]
    if not actions or ended_by_others(facts.timeline.session) or any(action.compacted_before for action in actions):
        return
    if _EARLIER.search(asked_for(facts.timeline)[:4_000]) is not None:
        return  # the beginning of the work isn't in the log
    closing = closing_words(facts.timeline, actions[-1])
    turns = list(_answered(facts, actions, closing))
    yield from islice(chain(_not_done(facts, turns), _unreported(facts, turns)), 1)
    yield from islice(_made_up(facts, turns), 1)


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
            yield _Answer("\n\n".join(turn.said), turn.text.lower(), own, f"the answer after step {own[-1].step}")
    # After the last answer the user may have spoken once more; what was done since isn't answered.
    end = answered[-1].end if answered else 0
    over = not any(action.lane == MAIN_LANE for action in facts.timeline.actions[end:])
    last = answered[-1].said if answered and over else ()
    asked = "\n".join(turn.text for turn in facts.timeline.turns() if turn.said or turn.first < turn.end).lower()
    yield _Answer(closing or "\n\n".join(last), asked, actions, "the closing report")


def _until(answer: _Answer, turns: Sequence[_Answer]) -> Sequence[Action]:
    """The calls of the session up to an answer."""
    actions = turns[-1].actions
    return actions[: bisect_right(actions, answer.actions[-1].step, key=lambda action: action.step)]


_SHOWS = {Verdict.CONTRADICTED: "run-shows-otherwise", Verdict.UNSUPPORTED: "run-left-out"}


def _not_done(facts: Facts, turns: Sequence[_Answer]) -> Iterator[Finding]:
    """What an answer says was done, and every call for it failed to do, or none did, though the user had asked for
    it or the session ends so; and what it says checks have shown, when their last run failed."""
    whole = len(facts.timeline.lanes()) == 1
    for answer in turns:
        before, last = _until(answer, turns), answer is turns[-1]
        for claim in claims_in(answer.text, before, whole=whole, asked=answer.asked):
            if claim.verdict is Verdict.CONTRADICTED and claim.action is not None:
                refused = int(claim.state is State.REFUSED)
                yield _says(facts, answer, "not-done", claim.quote, "call-failed", claim.action, refused=refused)
            elif claim.verdict is Verdict.UNSUPPORTED and (
                last or holds_any(answer.asked, words_for("operations", claim.verb))
            ):
                yield _says(facts, answer, "not-done", claim.quote, "no-call" if last else "no-call-before")
        for claim in checks_claimed(answer.text, before):
            if claim.verb == "before" and claim.action is not None:
                yield _says(facts, answer, "check", claim.quote, "passed-before", claim.action)
            elif claim.verdict in _SHOWS and (ran := claim.action) is not None:
                words = _SHOWS[claim.verdict]
                yield _says(facts, answer, "check", claim.quote, words, ran, call=ran.operation.target)


def _says(
    facts: Facts, answer: _Answer, about: str, quote: str, words: str = "", shown: Action | None = None, **slots: Slot
) -> Finding:
    """What an answer says, and what the record says of that."""
    return _finding(facts, answer.actions, about, quote, words, shown, slots={"report": answer.report, **slots})


def _made_up(facts: Facts, turns: Sequence[_Answer]) -> Iterator[Finding]:
    """The first check or measure of an answer that nothing in the session shows."""
    actions = facts.timeline.actions
    complete = not [action for action in turns[-1].actions if action.result is None]
    alone = complete and len(facts.timeline.lanes()) == 1
    counted = not [one for one in actions if one.kind is Kind.TEST and _DIGITS.isdisjoint(one.result or "")]

    @cache
    def known() -> str:
        messages = facts.timeline.messages
        others = [message.text for message in messages if message.lane != MAIN_LANE or message.role == "user"]
        # What the agent wrote into a new document says no more than its answer.
        told = [one for one in actions if not any(edit.created and is_prose(edit.path) for edit in one.operation.edits)]
        written = "\n".join(edit.after or "" for one in actions for edit in one.accepted_edits)
        tests = f"{len(_DEFINED.findall(written))} tests written"
        return "\n".join([*[f"{action.arguments}\n{action.result}" for action in told], *others, tests])

    @cache
    def numbers() -> ShownNumbers:
        return ShownNumbers(known())

    ran, loud = first_runs(turns[-1].actions)
    for answer in turns:
        before = _until(answer, turns)
        for quote in untested(answer.text, ran=ran < len(before)) if alone and len(before) <= loud else ():
            if not any(map(may_have_done, before)):
                yield _says(facts, answer, "no-run", quote, "nothing-ran")
        for quote, (shown, words, slots) in overcounted(answer.text, before):
            yield _says(facts, answer, "check", quote, words, shown, **slots)
        for quote, measure in unshown_measures(answer.text, numbers, counted=counted) if complete else ():
            yield _says(facts, answer, "no-measure", quote, measure=measure)


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
        edit, file = effect.kind == "edit", last_part(effect.what)
        stem = file.rpartition(".")[0].lower()
        names = [file.lower(), *([stem] if len(stem) >= _SHORTEST else [])]
        if edit and asked.isdisjoint(words_of(file)) and not any(holds_any(one.text.lower(), names) for one in answers):
            continue
        said = [reported(effect, answer.text, failed, asked) for answer in answers]
        # Of a run people also read what the agent says on its way.
        later = (one.said for one in turns[-1].actions if one.step > effect.action.step)
        on_its_way = "\n".join(later) if effect.kind in ("run", "check") else ""
        if Report.FAILED in said or reported(effect, on_its_way, failed, asked) is Report.FAILED:
            continue
        # One that only asks reports nothing yet, and one behind it only where it says that something was done.
        after = max((place + 1 for place, one in enumerate(said) if one is Report.OPEN), default=0)
        done = [one for one in answers[after:] if first_with(one.text, Act.DONE, Act.CHECKED)]
        asking = (one for one in answers if asks(one.text) and not holds_any(one.text[-_NUDGE:].lower(), _COURTESY))
        told = done if edit or effect.kind == "check" or after > 0 or any(asking) else answers
        if effect.beside:
            whole = set(words_for("clauses", "whole"))
            told = [one for one in done if not whole.isdisjoint(one.text.lower().split())]
        if effect.kind == "run":
            told = [one for one in answers if _hides_run(effect, one)]
        if told:
            yield _passed_over(facts, effect, told[0])


def _hides_run(effect: Effect, answer: _Answer) -> bool:
    """Whether an answer says that a run went well, or follows right upon it and speaks of nothing that failed."""
    small, follows = f" {answer.text.lower()}", effect.action is answer.actions[-1] and effect.state is State.FAILED
    silent = follows and heard(answer.text) and first_with(answer.text, *_UNWELL) is None
    if silent and not holds_any(small, _FAILED_WORDS):
        return True
    return "fail" not in small and speaks_of_run(effect, answer.text) is not None


def _passed_over(facts: Facts, effect: Effect, answer: _Answer) -> Finding:
    claim = speaks_of_run(effect, answer.text) or first_with(answer.text, Act.DONE, Act.CHECKED)
    return _finding(
        facts,
        answer.actions,
        "unreported-failure",
        claim or heard(answer.text)[-1].quote,
        f"{'edit' if effect.kind == 'edit' else 'act'}-{'passed-over' if claim is not None else 'unsaid'}",
        effect.action,
        severity=Severity.MEDIUM if effect.kind in ("edit", "check", "run") else None,
        slots={"report": answer.report, "what": effect.what, "refused": int(effect.state is State.REFUSED)},
    )


def _finding(
    facts: Facts,
    actions: Sequence[Action],
    about: str,
    said: str,
    words: str = "",
    shown: Action | None = None,
    **given: Unpack[Given],
) -> Finding:
    last = actions[-1]
    steps = sorted({last.step, *([shown.step] if shown is not None else [])})
    given["slots"] = {"said": said, **given["slots"], **({"step": shown.step} if shown is not None else {})}
    given["evidence"] = [Evidence(step=last.step, quote=clip(said, 300))]
    if shown is not None:
        given["evidence"] = [evidence_of(shown), *given["evidence"]]
    return new_finding(
        f"overstated-report/{about}",
        words=words,
        steps=steps,
        detectable_at=last.step,
        cost=facts.cost(MAIN_LANE, steps[0], last.step),
        **given,
    )
