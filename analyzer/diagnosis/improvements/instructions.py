"""Lines for the instructions file of a project, each with what this session learned."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.detectors.engine.interface import Trait
from analyzer.detectors.engine.registry import has
from analyzer.diagnosis.case import Case, steps_text
from analyzer.diagnosis.causes.clues import at, raised_at, raised_there, unmet
from analyzer.diagnosis.end import End
from analyzer.diagnosis.improvements.idea import Idea, Saved
from analyzer.model.diagnosis import ProvenanceKind
from analyzer.text.clip import clip
from analyzer.text.english import one_or_many
from analyzer.text.expressions import compiled
from analyzer.text.markdown import code

_KNOWN = compiled(r"(?:^|/)(CLAUDE\.md|AGENTS\.md|GEMINI\.md|\.cursorrules|\.clinerules|copilot-instructions\.md)$")
_OF_AGENTS = (
    ("claude", "CLAUDE.md"),
    ("gemini", "GEMINI.md"),
    ("cursor", ".cursorrules"),
    ("cline", ".clinerules"),
    ("copilot", ".github/copilot-instructions.md"),
)
_LASTING = frozenset({ProvenanceKind.ENVIRONMENT, ProvenanceKind.DIFFERENT_CALL})
"""What holds for the next session too."""
_OFTEN = 2
"""The steps that must have met a failure before it's worth a rule."""


def ideas(case: Case) -> Iterator[Idea]:
    """The rules, each with the steps that show why."""
    yield from _data(case)
    yield from _lasting(case)
    yield from _check(case)


def instructions_file(case: Case) -> str:
    """The file that the agent reads its rules from: one that the session touched, else what its program reads."""
    for action in case.timeline.actions:
        found = _KNOWN.search(action.operation.path or "")
        if found is not None:
            return found[1]
    agent = (case.timeline.session.agent or "").lower()
    return next((name for word, name in _OF_AGENTS if word in agent), "AGENTS.md")


def _rule(case: Case, title: str, why: str, rule: str, saved: Saved, step: int) -> Idea:
    name = instructions_file(case)
    return Idea("instructions", title, why, f"Add to {code(name)}:", saved, step, name, f"- {rule}", "markdown")


def _data(case: Case) -> Iterator[Idea]:
    finding, failure = case.wrong_file, case.failure
    if finding is None or finding.fault is None or failure is None or len(finding.steps) < 2:
        return
    if raised_there(failure, finding.fault):
        return  # a line that fails by itself breaks no rule about data
    raised, demand = raised_at(failure), unmet(failure)
    where = f" ({at(raised)})" if raised is not None else ""
    asked = f'"{clip(failure.message, 100)}"' if demand is None else demand.text[0].upper() + demand.text[1:]
    yield _rule(
        case,
        f"State the rule that {finding.fault.file.rsplit('/', 1)[-1]} breaks",
        f"{at(finding.fault)} caused {code(clip(failure.headline, 90))} at steps {steps_text(finding.steps, 6)}.",
        f"Test data in {code(finding.fault.file)}: {asked}{where}.",
        Saved(finding.steps[0] + 1, finding.steps[-1], finding.lane),
        finding.steps[0],
    )


def _lasting(case: Case) -> Iterator[Idea]:
    seen: set[str] = set()
    if case.misread is not None:
        return
    for group in sorted(case.timeline.groups, key=lambda group: -len(group.steps)):
        if len(group.steps) < _OFTEN:
            return
        found = case.provenances.of(group)
        if found is None or found.kind not in _LASTING or found.reason in seen:
            continue
        seen.add(found.reason)
        yield _rule(
            case,
            f"Write down what step {group.steps[0]} met",
            f"{code(clip(group.template, 110))}: {one_or_many(len(group.steps), 'step')} {steps_text(group.steps, 6)}.",
            f"{found.reason}.",
            Saved(group.steps[0] + 1, group.steps[-1], group.lane),
            group.steps[0],
        )
        if len(seen) == 2:
            return


def _check(case: Case) -> Iterator[Idea]:
    """The check that a claim lacks."""
    claim = next((finding for finding in case.findings if has(finding, Trait.DOUBTS_SUCCESS)), None)
    if claim is None or claim.kind == "failed-as-before":
        return
    end = End(case)
    changed = end.changed or next(reversed(end.edits), None)
    files = [edit.path for edit in changed.operation.edits if edit.path] if changed is not None else []
    last = changed.step if changed is not None else claim.first_step
    if not files or (changed is not None and changed.lane != claim.lane):
        return
    ran, claimed = [action.step for action in end.ran_on_delivered], claim.steps[-1] if claim.steps else last
    since = f"{one_or_many(len(ran), 'step')} {steps_text(ran, 5)}"
    yield Idea(
        "harness",
        f"Ask for a check of {files[-1].rsplit('/', 1)[-1]}",
        f"Step {last} edited it; {f'what ran on that ({since}) shows no success' if ran else 'nothing ran it'}.",
        f"At step {claimed}, ask which command checks {code(files[-1])}.",
        Saved(last, 0),
        last,
    )
