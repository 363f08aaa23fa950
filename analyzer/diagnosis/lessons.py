"""What to remember of a session, in one line each."""

from __future__ import annotations

from analyzer.detectors.engine.registry import first_with
from analyzer.detectors.engine.traits import Trait
from analyzer.diagnosis.case import Case, asks
from analyzer.diagnosis.causes import stacked, talk
from analyzer.diagnosis.causes.clues import regression
from analyzer.diagnosis.causes.shape import Shape, shape_of
from analyzer.diagnosis.guidance import guidance_for
from analyzer.model.provenance import ProvenanceKind
from analyzer.model.words import FailureKind

_LESSONS = {
    Shape.WRONG_FILE: [
        "Where an error is raised is not where it comes from; a check that rejects its input points to the caller.",
        "A test that its own author never saw pass is as suspect as the code under it.",
        "An error that stays identical through several edits shows that none of them affected its cause.",
    ],
    Shape.REFUSED_EDIT: [
        "A rejected edit says something about the file, not about the text: read the file before sending it again.",
        "Count rejections by their reason, not by their text.",
    ],
    Shape.FAILING_CALL: [
        "A command that failed will fail again until something that it depends on has changed.",
        "Announcing a change and then sending the same call is still a loop: compare calls, not words.",
    ],
    Shape.SAME_ERROR: [
        "An error that survives several different fixes isn't where the fixes are.",
        "Measure the failing values once before changing code a third time.",
    ],
    Shape.IDLE_CALL: ["The same call returns the same answer: compare the result with the previous one."],
    Shape.STACKED_EDIT: [stacked.LESSON],
    Shape.SWING: ["When neither of two versions is right, the cause is somewhere that hasn't been examined."],
    Shape.UNVERIFIED: ["A claim is worth only as much as the check that ran after the last edit."],
}


def lessons_of(case: Case) -> list[str]:
    """The lessons of the main finding, and of a claim without evidence next to it."""
    shape = shape_of(case)
    if shape is Shape.FAILING_CALL and case.misread is not None:
        return [guidance_for(case.misread).lesson]
    if shape is Shape.IDLE_CALL and case.main is not None and asks(case):
        return ["An answer that was given once is known: asking again achieves nothing."]
    if shape is Shape.TALK:
        return [talk.lesson(case)]
    if shape is Shape.OTHER and case.main is not None:
        return [guidance_for(case.main).lesson]
    found = list(_LESSONS.get(shape, []))
    own = case.provenance is not None and case.provenance.kind is ProvenanceKind.OWN_EDIT
    if shape is Shape.SAME_ERROR and own and found:
        found[0] = (
            "When the failing line is one's own, it comes first: say what is wrong with it before writing it again."
        )
    if (
        shape is Shape.SAME_ERROR
        and case.failure is not None
        and case.failure.kind in (FailureKind.COMPILE, FailureKind.LINT)
    ):
        found[1:2] = ["Read the line that the checker names, and what it names, before changing code a third time."]
    if shape is Shape.SAME_ERROR and regression(case) is not None:
        found[:1] = [
            (
                "When a check that passed begins to fail, the first suspect is what was edited since; look there "
                "before looking at the trace."
            )
        ]
    if shape not in (Shape.NONE, Shape.UNVERIFIED) and first_with(case.findings, Trait.DOUBTS_SUCCESS) is not None:
        found.extend(_LESSONS[Shape.UNVERIFIED])
    if shape is not Shape.FAILING_CALL and _worded_otherwise(case):
        found.append("Compare errors after masking what varies by itself; no two of these were identical.")
    return found


def _worded_otherwise(case: Case) -> bool:
    """Whether the main finding's failure came back in other words each time."""
    if case.main is None or case.group is None or case.group.match == "identical":
        return False
    said = [shown.headline for step in case.main.steps if (shown := case.action(step).failure) is not None]
    return 1 < len(said) == len(set(said))
