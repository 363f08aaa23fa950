"""Changes to a tool's definition or to the program that runs the agent, with the calls that show why."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.detectors.episodes import REPORTED
from analyzer.diagnosis.case import Case, call_text, steps_text
from analyzer.diagnosis.causes.clues import Shape, at, raised_at, shape_of
from analyzer.diagnosis.improvements.idea import Idea, Saved
from analyzer.failures.unparsed import unparsed
from analyzer.model.finding import RejectedArguments
from analyzer.model.words import FailureKind, LoopKind
from analyzer.text.clip import clip, middle
from analyzer.text.english import listed, one_or_many, times
from analyzer.text.markdown import code
from analyzer.timeline.calls.judging import is_query


def ideas(case: Case) -> Iterator[Idea]:
    """The changes, each about one sort of trouble."""
    yield from _schema(case)
    yield from _answers(case)
    yield from _prompt(case)


def _schema(case: Case) -> Iterator[Idea]:
    for finding in case.findings:
        details = finding.details
        if isinstance(details, RejectedArguments) and (details.unexpected or details.missing):
            unexpected = [f"accept {code(name)} as an alias" for name in details.unexpected[:2]]
            missing = [f"say in its description that {code(name)} is required" for name in details.missing[:2]]
            yield Idea(
                "tool",
                f"Schema of {details.tool}",
                f"Rejected at {one_or_many(len(finding.steps), 'step')} {steps_text(finding.steps, 6)}.",
                f"{code(details.tool)}: {listed([*unexpected, *missing])}.",
                Saved(finding.first_step, finding.last_step, finding.lane),
                finding.first_step,
                details.tool,
            )


def _answers(case: Case) -> Iterator[Idea]:
    main = case.main
    if main is None or shape_of(case) is not Shape.IDLE_CALL or main.detectable_at > main.last_step:
        return
    if not all(is_query(case.action(step)) for step in range(main.first_step, main.last_step + 1)):
        return  # leaving out a call that does something isn't the same as making it
    call = call_text(case.action(main.steps[-1]), 80)
    yield Idea(
        "harness",
        f"Answer step {main.detectable_at} with step {main.first_step}",
        f"{code(call)} returned the same {times(main.rounds or len(main.steps))}, from step {main.first_step} on.",
        f"Return what step {main.first_step} returned, and say so.",
        Saved(main.detectable_at, main.last_step, main.lane),
        main.detectable_at,
        call,
    )


def _prompt(case: Case) -> Iterator[Idea]:
    main, failure, shape = case.main, case.failure, shape_of(case)
    if main is None:
        return
    if main.kind == LoopKind.MONOLOGUE and main.pattern != REPORTED:
        said, often = clip(main.repeated or main.title, 100), times(main.rounds or 0)
        yield Idea(
            "prompt",
            "Ask what it is waiting for",
            f"It said {code(said)} {often} after step {main.last_step}.",
            f"Send it instead of the message after step {main.last_step}:",
            Saved(main.last_step, 0),
            main.last_step,
            "",
            f'You wrote "{said}" {often}. Which call follows?',
            "text",
        )
    elif shape is Shape.SAME_ERROR and failure is not None and len(main.steps) > 2:
        raised = raised_at(failure)
        if raised is None or failure.kind in (FailureKind.LINT, FailureKind.COMPILE) or unparsed(failure):
            return
        where = at(raised).strip("`")
        first, second = main.steps[:2]
        group = case.group
        known = [step for step in group.steps if step <= second] if group is not None else [first, second]
        tried = (action for action in case.edits if action.failure is None and first < action.step < second)
        paths = dict.fromkeys(edit.path for action in tried for edit in action.operation.edits if edit.path)
        files = ", ".join(list(paths)[:2])
        yield Idea(
            "prompt",
            f"Ask for the values at {where}",
            f"Steps {steps_text(main.steps, 6)} ended alike"
            + (f"; what changed was {', '.join(map(code, case.changed_paths[:2]))}." if case.changed_paths else "."),
            f"Add it to the result of step {main.steps[1]}:",
            Saved(main.steps[1] + 1, main.last_step, main.lane),
            main.steps[1],
            "",
            f"{middle(failure.headline, 110)}: {times(len(known))}"
            + (f", through edits of {files}" if files else "")
            + f". {where}: which values arrive there?",
            "text",
        )
