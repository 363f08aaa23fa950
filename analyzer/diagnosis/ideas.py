"""Changes to tools, to the program around the agent and to its instructions, each with what this session shows."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.detectors.engine.interface import Trait
from analyzer.detectors.engine.registry import has
from analyzer.detectors.episodes.episode import REPORTED
from analyzer.diagnosis.case import Case
from analyzer.diagnosis.clues import Shape, raised_at, raised_there, shape_of, unmet
from analyzer.diagnosis.end import End
from analyzer.diagnosis.labels import at, call_text, numbered, steps_text
from analyzer.diagnosis.proposals import stated_rule
from analyzer.failures.compilers import unparsed
from analyzer.model.diagnosis import ProvenanceKind, Where
from analyzer.model.finding import RejectedArguments
from analyzer.model.struct import Struct
from analyzer.model.words import MAIN_LANE, FailureKind, LoopKind
from analyzer.text.clip import clip, middle
from analyzer.text.english import listed, times
from analyzer.text.late import late
from analyzer.text.markdown import code
from analyzer.timeline.calls.judging import is_query


class Saved(Struct, frozen=True):
    """The steps of a lane from `first` to `last` that would not have been needed; none where `last` is less. `sure` is
    whether they would not have been made, rather than could have been avoided."""

    first: int
    last: int
    lane: str = MAIN_LANE
    sure: bool = False

    def steps(self, case: Case) -> tuple[int, ...]:
        """The steps among them that could have been saved."""
        there = 1 <= self.first <= self.last <= len(case.timeline.lane(self.lane))
        return case.avoidable(self.lane, self.first, self.last) if there else ()


class Idea(Struct, frozen=True):
    """A change, where it's made and why. `at` is the step that shows what it is about."""

    where: Where
    title: str
    why: str
    change: str
    saved: Saved
    at: int
    target: str = ""
    sketch: str | None = None
    language: str | None = None


def _schema(case: Case) -> Iterator[Idea]:
    for finding in case.findings:
        details = finding.details
        if isinstance(details, RejectedArguments) and (details.unexpected or details.missing):
            unexpected = [f"accept {code(name)} as an alias" for name in details.unexpected[:2]]
            missing = [f"say in its description that {code(name)} is required" for name in details.missing[:2]]
            yield Idea(
                "tool",
                f"Schema of {details.tool}",
                f"Rejected at {numbered(finding.steps, 6)}.",
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
        f"Answer step {main.detectable_at} with the result of step {main.first_step}",
        f"{code(call)} gave the same result {times(main.rounds or len(main.steps))}, from step {main.first_step} on.",
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
            f"Send this instead of the message after step {main.last_step}:",
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
            f"Steps {steps_text(main.steps, 6)} ended with the same error"
            + (f"; the edits changed {', '.join(map(code, case.changed_paths[:2]))}." if case.changed_paths else "."),
            f"Add this to the result of step {main.steps[1]}:",
            Saved(main.steps[1] + 1, main.last_step, main.lane),
            main.steps[1],
            "",
            f"{middle(failure.headline, 110)}: {times(len(known))}"
            + (f", despite edits of {files}" if files else "")
            + f". Which values arrive at {where}?",
            "text",
        )


_KNOWN = late(r"(?:^|/)(CLAUDE\.md|AGENTS\.md|GEMINI\.md|\.cursorrules|\.clinerules|copilot-instructions\.md)$")
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


def _rule(case: Case, title: str, why: str, rule: str, saved: Saved, step: int) -> Idea:
    """A rule for the file with the agent's rules: one that the session touched, else what its program reads."""
    touched = (_KNOWN.search(action.operation.path or "") for action in case.timeline.actions)
    agent = (case.timeline.session.agent or "").lower()
    usual = next((name for word, name in _OF_AGENTS if word in agent), "AGENTS.md")
    name = next((found[1] for found in touched if found is not None), usual)
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
    rule = stated_rule(case, demand.noun) if demand is not None else None
    asked = asked if rule is None else rule[1].rstrip(".")
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
            f"Note for the next run: {found.reason}",
            f"{code(clip(group.template, 110))}: {numbered(group.steps, 6)}.",
            f"{found.reason}.",
            Saved(group.steps[0] + 1, group.steps[-1], group.lane),
            group.steps[0],
        )
        if len(seen) == 2:
            return


def _missing_check(case: Case) -> Iterator[Idea]:
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
    since = f"what ran on it ({numbered(ran, 5)}) shows no success" if ran else "nothing ran it"
    yield Idea(
        "harness",
        f"Check {files[-1].rsplit('/', 1)[-1]}, which step {last} edited, before the end",
        f"Step {last} edited it; {since}.",
        f"At step {claimed}, ask which command checks {code(files[-1])}.",
        Saved(last, 0),
        last,
    )


IDEAS = (_data, _lasting, _missing_check, _schema, _answers, _prompt)
"""Each with what it looks for in a session: rules for the agent's instructions with the steps that show why, then
changes to tools and to what the agent is given."""
