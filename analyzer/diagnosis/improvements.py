"""Changes to the agent, its prompts and its tools that would have helped here, in the order of what they would have
saved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from analyzer.detectors.engine.registry import declared, first_with
from analyzer.detectors.engine.traits import Trait
from analyzer.diagnosis import stacked, talk, unverified
from analyzer.diagnosis.case import Case, call_text
from analyzer.diagnosis.guidance import guidance_for
from analyzer.diagnosis.impact import counted, impact, saved
from analyzer.diagnosis.miscopied import miscopied
from analyzer.diagnosis.root_cause import at, requirement_of
from analyzer.diagnosis.shape import Shape, shape_of
from analyzer.diagnosis.sketches import (
    ERROR_LOCATION,
    ERROR_SIMILARITY,
    LOOP_GUARD,
    READ_BEFORE_RETRY,
    RESULT_GUARD,
    TURN_GUARD,
    VALIDATE_FIRST,
    VERIFY_BEFORE_DONE,
    step_back_prompt,
    test_data_prompt,
)
from analyzer.model.diagnosis import EarlyStop, Improvement
from analyzer.model.finding import Finding
from analyzer.model.words import Category, FailureKind, Severity
from analyzer.text.clip import clip, middle
from analyzer.text.english import times
from analyzer.text.markdown import code

_OF_SHAPE = frozenset({Trait.REPETITION, Trait.DOUBTS_SUCCESS})
"""What findings mean whose improvements are made from the shape of the trouble."""
Phase = Literal["now", "next", "later"]
_PHASES: tuple[Phase, ...] = ("now", "next", "later")
_GRADES = ("High", "", "Medium", "Low")


@dataclass(frozen=True, slots=True)
class _Idea:
    title: str
    impact: str
    why: str
    change: str
    phase: Phase
    sketch: str | None = None
    language: str | None = None


def improvements_of(case: Case, stop: EarlyStop) -> list[Improvement]:
    """The improvements, numbered from 1."""
    shape = shape_of(case)
    ideas = [
        *_of_findings(case, shape),
        *_guards(case, stop, shape),
        *_location(case, shape),
        *_prompts(case, shape),
        *_tools(case, shape),
    ]
    ideas.sort(key=lambda idea: (_PHASES.index(idea.phase), _grade(idea)))
    return [
        Improvement(
            priority=number,
            title=idea.title,
            impact=idea.impact,
            why=idea.why,
            change=idea.change,
            phase=idea.phase,
            sketch=idea.sketch,
            language=idea.language,
        )
        for number, idea in enumerate(ideas, 1)
    ]


def _grade(idea: _Idea) -> int:
    """The place of what its impact begins with; what has no grade comes between high and medium."""
    return next((place for place, word in enumerate(_GRADES) if word and idea.impact.startswith(word)), 1)


def _guards(case: Case, stop: EarlyStop, shape: Shape) -> list[_Idea]:
    main, loop = case.main, case.loop
    if main is None or loop is None or main.category is not Category.LOOP:
        return []
    if shape is Shape.TALK:
        return [
            _Idea(
                "Guard on turns without a call",
                talk.impact(case),
                "Guards that compare calls detect nothing here: there was no call.",
                (
                    "Keep the last messages that came without a call. On the third nearly equal one, return the "
                    "step-back message instead of sending it; after the next one, end the run."
                ),
                "now",
                TURN_GUARD,
                "python",
            ),
        ]
    again = stacked.stacked(case)
    if again is not None:
        return [
            _Idea(
                "Loop guard that compares edits",
                saved(stop),
                f"{times(again.rounds).capitalize()} the same text went into {code(again.path)}; each result differed.",
                "Before each edit compare file and text with the last ones; on the third equal pair, return the "
                "step-back message instead of making the edit.",
                "now",
                stacked.GUARD,
                "python",
            ),
        ]
    if case.group is None:
        return [
            _Idea(
                "Loop guard that compares results",
                saved(stop),
                (
                    f"{times(loop.rounds or 0).capitalize()} the same call returned the same result, from step "
                    f"{loop.first_step} on."
                ),
                (
                    "After each tool call compare (call, masked result) with the last ones; on the third equal pair, "
                    "return the step-back message instead of running the call again."
                ),
                "now",
                RESULT_GUARD,
                "python",
            ),
        ]
    ideas = [
        _Idea(
            "Loop guard on alternating patterns and identical errors",
            saved(stop),
            f"The error came {times(len(main.steps))}; {counted(stop, main)}",
            (
                "In the loop that runs tools, keep the failure signatures of the session. On the third occurrence of "
                "one, "
                "whatever the calls in between, stop and inject the step-back message."
            ),
            "now",
            LOOP_GUARD,
            "python",
        ),
    ]
    if case.group.match == "near-identical":
        moved = "; ".join(clip(entry, 60) for entry in case.group.varied[:3]) or "what varies by itself"
        ideas.append(
            _Idea(
                "Error-similarity tracking",
                "High: without it, every round looks like a new error.",
                f"From error to error, only {moved} differed.",
                (
                    "Mask line numbers, temporary paths, ids, ports, times and durations before comparing errors; "
                    "compare the rest."
                ),
                "now",
                ERROR_SIMILARITY,
                "python",
            )
        )
    elif shape in (Shape.WRONG_FILE, Shape.SAME_ERROR):
        ideas.append(
            _Idea(
                "Error-similarity tracking",
                "Medium: the same guard then also works when line numbers or paths change.",
                "Between the rounds, only this varied: "
                f"{'; '.join(clip(entry, 60) for entry in case.group.varied[:3])}."
                if case.group.varied
                else "Here the error was identical; next time its line number may differ.",
                "Mask line numbers, temporary paths, ids and durations before comparing errors.",
                "next",
                ERROR_SIMILARITY,
                "python",
            )
        )
    return ideas


def _of_findings(case: Case, shape: Shape) -> list[_Idea]:
    """What would have prevented the main finding, its cause, and the others that weigh something, by what they cost."""
    own = [finding for finding in (case.cause, case.main) if finding is not None]
    covered: set[str] = set()
    wanted = [
        *own,
        *sorted(
            (finding for finding in case.findings if finding.severity.rank >= Severity.MEDIUM.rank),
            key=lambda finding: -finding.cost.actions,
        ),
    ]
    ideas: list[_Idea] = []
    for finding in wanted:
        known = declared(finding)
        if finding.detector in covered or known.traits & _OF_SHAPE or finding.category is Category.LOOP:
            continue
        covered.add(finding.detector)
        entry = guidance_for(finding)
        first = finding in own and shape is Shape.OTHER
        why = (
            finding.advice[0]
            if finding in own and finding.advice and known.guidance
            else f"{finding.title.rstrip('.')}."
        )
        ideas.append(
            _Idea(
                entry.improvement,
                impact(case, finding),
                why,
                entry.change,
                "now" if first or finding is case.cause else "next",
            )
        )
    return ideas[:4]


def _location(case: Case, shape: Shape) -> list[_Idea]:
    finding = case.wrong_file
    if shape is not Shape.WRONG_FILE or finding is None or finding.fault is None:
        return []
    return [
        _Idea(
            "Error-location analysis",
            "High: it names the file to edit at the first failure.",
            (
                f"The trace names {at(finding.fault)}; every edit went to "
                f"{', '.join(f'{code(path)}' for path in finding.edited_instead[:2])}."
            ),
            (
                "Parse the trace of a failing test before the model sees it. Pass on where it was raised, which "
                "frame supplied the value, whether that frame is test code, and which files were edited since."
            ),
            "now",
            ERROR_LOCATION,
            "python",
        ),
    ]


def _prompts(case: Case, shape: Shape) -> list[_Idea]:
    if shape in (Shape.NONE, Shape.UNVERIFIED, Shape.OTHER) or case.main is None:
        return []
    if shape is Shape.TALK:
        return [
            _Idea(
                "Step-back prompt",
                "High: the agent then makes a call or ends the session.",
                "Nothing in the session asked the agent what it was waiting for.",
                "When the guard fires, add this message instead of sending the agent's.",
                "now",
                talk.prompt(case),
                "text",
            )
        ]
    again = stacked.stacked(case)
    if again is not None:
        return [
            _Idea(
                "Step-back prompt",
                "High: one look at the file shows the text twice.",
                stacked.reason(again),
                "When the guard fires, add this message instead of the next tool result.",
                "now",
                stacked.prompt(again),
                "text",
            )
        ]
    said = middle(case.failure.headline, 120) if case.failure else _answer(case, case.main)
    ideas = [
        _Idea(
            "Step-back prompt",
            "High: it leads to another hypothesis.",
            "Nothing in the session asked the agent to question what its attempts had in common.",
            "When the guard fires, add this message instead of the next tool result.",
            "now",
            step_back_prompt(said, len(case.main.steps), case.changed_paths),
            "text",
        ),
    ]
    if shape is Shape.WRONG_FILE and case.failure is not None:
        requirement = requirement_of(case.failure)
        ideas.append(
            _Idea(
                "Input-validation prompt",
                "Medium: one look at the input ends this loop.",
                requirement[0].upper() + requirement[1:] + "."
                if requirement
                else "The rejected value was never compared with what the message requires.",
                "For validation errors, ask first whether the input meets the stated requirement.",
                "next",
                VALIDATE_FIRST,
                "text",
            )
        )
        ideas.append(
            _Idea(
                "Test-data guidance",
                "Medium: it prevents the error in the first place.",
                f"The faulty value is in {code(case.wrong_file.fault.file)}."
                if case.wrong_file and case.wrong_file.fault
                else "The faulty value is in the test.",
                "Where the prompt asks for tests, say how to choose test data.",
                "later",
                test_data_prompt(requirement),
                "text",
            )
        )
    if shape is Shape.SAME_ERROR and (
        case.failure is None or case.failure.kind not in (FailureKind.COMPILE, FailureKind.LINT)
    ):
        ideas.append(
            _Idea(
                "Error-location analysis",
                "Medium: it points to files that were never opened.",
                "Several edits were made without looking at the failing values.",
                (
                    "Parse the trace and pass on the raising frame with its code, and the list of files in the "
                    "trace that were never read."
                ),
                "next",
                ERROR_LOCATION,
                "python",
            )
        )
    return ideas


def _answer(case: Case, main: Finding) -> str:
    """A call that came back, with what it gave."""
    action = case.action(main.steps[-1])
    return f"{call_text(action, 80)} -> {clip(action.result or '(nothing)', 100)}"


def _tools(case: Case, shape: Shape) -> list[_Idea]:
    ideas = []
    wrong = miscopied(case) if shape is Shape.FAILING_CALL else None
    if wrong is not None:
        ideas.append(
            _Idea(
                "Check names against the conversation",
                "High: the first call would have been right.",
                f"{code(wrong.sent)} was sent although {code(wrong.given)} had been given.",
                (
                    "Before a call, look up the identifiers in its arguments in what the user and the tools "
                    "have said; if one is a character off, answer with the right one."
                ),
                "now",
            )
        )
    if shape is Shape.REFUSED_EDIT:
        ideas.append(
            _Idea(
                "Read before retry in the editing tool",
                "High: the retry then starts from the actual file.",
                "A rejected edit was sent again without looking at the lines that it should replace.",
                (
                    "After a rejected edit, return the current lines around the range with the error, and reject an "
                    "edit identical to one that was rejected before."
                ),
                "next",
                READ_BEFORE_RETRY,
                "python",
            )
        )
    claim = first_with(case.findings, Trait.DOUBTS_SUCCESS)
    if claim is not None and claim.kind != "failed-as-before":
        ideas.append(
            _Idea(
                "Verification gate before submitting",
                "High: a claim then needs a check behind it.",
                unverified.why(claim),
                (
                    "When the agent wants to finish, check whether a test or a run of the changed code passed after "
                    "the last edit; if not, send it back once with that information."
                ),
                "now",
                VERIFY_BEFORE_DONE,
                "python",
            )
        )
    return ideas
