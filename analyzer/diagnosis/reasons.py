"""Why the agent failed: one reason per paragraph, each with the steps that show it; and what contributed to it."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.detectors.engine.interface import Trait
from analyzer.detectors.engine.registry import has
from analyzer.diagnosis.case import Case, met_in, one_call
from analyzer.diagnosis.clues import Shape, never_opened, raised_at, raised_there, shape_of
from analyzer.diagnosis.labels import at, numbered, steps_text
from analyzer.model.action import Action
from analyzer.model.diagnosis import Reason
from analyzer.model.finding import Finding, OtherCall
from analyzer.model.words import Category, Kind, LoopKind, Severity
from analyzer.text.clip import clip
from analyzer.text.english import one_or_many, times
from analyzer.text.markdown import code
from analyzer.text.similarity import alike as is_alike


def reasons_of(case: Case) -> list[Reason]:
    """The reasons, the weightiest first. Empty when nothing went wrong that matters."""
    main = case.main
    if main is None:
        return []
    others = main.differed[1:] if isinstance(main.details, OtherCall) else []
    more = [Reason(title="What else differs", text=f"{'; '.join(others)}.", steps=main.steps)] if others else []
    return [*_misdiagnosed(case), *more, *_not_learned(case, main), *_no_other_hypothesis(case, main)]


def _misdiagnosed(case: Case) -> Iterator[Reason]:
    finding = case.wrong_file
    if shape_of(case) is not Shape.WRONG_FILE or finding is None or finding.fault is None or case.failure is None:
        return
    raised = raised_at(case.failure)
    after = [action for action in case.edits if action.step > finding.steps[0]]
    edited = ", ".join(f"{code(path)}" for path in finding.edited_instead[:3])
    text = f"The error of step {finding.steps[0]} comes from {at(finding.fault)}, and the agent edited {edited}"
    if raised is not None and not raised_there(case.failure, finding.fault):
        text = (
            f"The trace goes through {at(finding.fault)}, which supplies the value, to {at(raised)}, which raises the "
            f"error (step {finding.steps[0]}). The agent took the last line for the location of the fault and edited "
            f"{edited}"
        )
    text += f" {times(len(after))} after the error first appeared."
    yield Reason(title="Misdiagnosed location", text=text, steps=finding.steps)


def _not_learned(case: Case, main: Finding) -> Iterator[Reason]:
    failure, group = case.failure, case.group
    if failure is None or group is None or len(main.steps) < 3 or shape_of(case) is Shape.OTHER:
        return
    how = "The same error" if group.match == "identical" else "The same error, apart from what varies by itself,"
    failures = [shown for step in main.steps if (shown := case.action(step).failure) is not None]
    lines = {shown.frames[-1].line for shown in failures if shown.frames}
    raised = failure.frames[-1] if failure.frames else None
    place = f" at the same line ({at(raised)})" if raised is not None and len(lines) == 1 else ""
    met = met_in(case, main)
    text = f"{how} occurred {times(len(met))}{place}: steps {steps_text(met)}."
    if group.varied:
        text += f" Only this changed: {'; '.join(clip(entry, 100) for entry in group.varied)}."
    alike = _said_alike(case)
    if len(alike) > 2:
        spoken = sum(bool(action.said) for action in case.stretch)
        often = "each time" if len(alike) == spoken else f"{len(alike)} of {spoken} times"
        text += f' The agent said nearly the same thing {often} ("{clip(alike[-1].said, 120)}").'
    nearly = "" if group.match == "identical" else "nearly "
    yield Reason(title=f"No learning from {nearly}identical errors", text=text, steps=met)


def _no_other_hypothesis(case: Case, main: Finding) -> Iterator[Reason]:
    if main.category is not Category.LOOP or len(main.steps) < 3 or main.kind == LoopKind.MONOLOGUE:
        return
    parts, paths, count = [], case.edited_paths, len(case.edits)
    different = {action.keys.call for action in case.edits}
    if paths:
        every = {1: "The only edit", 2: "Both edits"}.get(count, f"All {count} edits")
        same = ", the same each time," if count > 1 and len(different) == 1 else ""
        parts.append(f"{every} went{same} to {', '.join(map(code, paths[:3]))}.")
    if opened := never_opened(case):
        them = one_or_many(len(opened), "it", "them")
        parts.append(f"Never opened in between, though the trace names {them}: {', '.join(map(code, opened[:3]))}.")
    reads = (action.step for action in case.stretch if action.kind in (Kind.READ, Kind.SEARCH))
    members = set(main.steps)
    looked = [step for step in reads if step not in members]
    if not looked and main.cost.actions > 3 and case.action(main.steps[-1]).kind not in (Kind.READ, Kind.SEARCH):
        parts.append(f"Between step {main.first_step} and step {main.last_step} nothing else was read or searched.")
    elif len(looked) > 1:
        steps = steps_text(looked, 6)
        parts.append(f"What was read or searched in between (steps {steps}) didn't change the next attempt's result.")
    if parts:
        # That the attempts share a hypothesis is known only where they're the same.
        title = "Every attempt in the same file" if len(paths) == 1 else "Different attempts, the same result"
        same_call = len(different) == 1 if case.edits else one_call(case)
        if same_call or len(_said_alike(case)) > len(main.steps) // 2:
            title = "No other hypothesis tried"
        steps_shown = [action.step for action in case.edits][:12] or main.steps[:3]
        yield Reason(title=title, text=" ".join(parts), steps=steps_shown)


def contributing_to(case: Case) -> list[str]:
    """The other findings that weigh something, in step order, as sentences, each failure once."""
    main = case.main
    own = (entry for entry in (main, case.cause) if entry is not None and entry.group is not None)
    covered = {(finding.lane, finding.group) for finding in own}
    found: list[Finding] = []
    reasons = {finding.reason for finding in case.findings}
    for finding in case.findings:
        if finding in (main, case.cause) or finding.severity is Severity.INFO:
            continue
        if finding.group is not None:
            if (finding.lane, finding.group) in covered:
                continue
            covered.add((finding.lane, finding.group))
        if not _counted_again(finding, case) and finding.explaining not in reasons:
            found.append(finding)
    return [_sentence(finding) for finding in sorted(found, key=lambda finding: finding.first_step)]


def _counted_again(finding: Finding, case: Case) -> bool:
    """Whether a finding only counts a failure, at steps that another finding tells more of."""
    if not has(finding, Trait.RECOUNTS):
        return False
    others = (other for other in case.findings if not has(other, Trait.RECOUNTS) and other.lane == finding.lane)
    return any(set(finding.steps) <= set(other.steps) for other in others)


def _sentence(finding: Finding) -> str:
    title = finding.title.rstrip(".")
    named = "step" in title or not finding.steps
    return f"{title}." if named else f"{title} ({numbered(finding.steps)})."


def _said_alike(case: Case) -> list[Action]:
    """The actions of the main finding whose stated intents are nearly the same as the first one's."""
    spoken = [action for action in case.stretch if action.said]
    return [action for action in spoken if is_alike(spoken[0].said, action.said, 80.0)] if len(spoken) > 2 else []
