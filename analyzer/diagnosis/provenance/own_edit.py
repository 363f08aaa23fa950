"""The failing line is in text that the agent wrote, and the failure hadn't been seen before."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.diagnosis.provenance.context import FailureContext, answer, place_text
from analyzer.failures.roles import is_test_path, same_file
from analyzer.failures.unparsed import disagrees, unparsed
from analyzer.model.diagnosis import Provenance, ProvenanceKind
from analyzer.model.failure import Frame
from analyzer.model.words import FailureKind, FrameRole
from analyzer.text.english import listed
from analyzer.text.late import late
from analyzer.text.markdown import code
from analyzer.workspace.written import Authored, added, squeezed

_LEAST_LINE = 4
_QUOTED = late(r"(?<!\w)['\"`](?P<name>[A-Za-z_$][\w.$]{0,80})['\"`](?!\w)")
_NEAR = 3
"""Lines around the place that a parser names in which the damage may begin."""


def find(scene: FailureContext) -> Provenance | None:
    """The step that wrote the line at which the program, the compiler or the parser stopped."""
    failure = scene.failure
    if failure.kind is FailureKind.TEST or (failure.type or "").rsplit(".", 1)[-1] == "AssertionError":
        return None
    broken = unparsed(failure)
    for frame in scene.frames[:3]:
        compiled = failure.kind is FailureKind.COMPILE
        if frame.role is FrameRole.TEST and not compiled and not broken and is_test_path(frame.file):
            continue
        author = _nearest_author(scene, frame, broken)
        if author is not None and not ((broken or disagrees(failure)) and _ran_since(scene, author)):
            return _by(scene, frame, author, broken)
        if broken:
            return None
        if frame.role is FrameRole.PROJECT:
            return None
    return None


def _nearest_author(scene: FailureContext, frame: Frame, broken: bool) -> Authored | None:
    """The step that wrote the line at a place. A parser stops behind what it can't read: of that line and the one right
    above it the last to be written counts, else the nearest of those further above."""
    if not broken:
        return next(_authors(scene, frame, 0), None)
    beside = max(_authors(scene, frame, 1), key=lambda author: author.index, default=None)
    return beside or next(_authors(scene, frame, _NEAR), None)


def _ran_since(scene: FailureContext, author: Authored) -> bool:
    """Whether the same call had worked after the line was written."""
    return any(action.step > author.step and action.failure is None for action in scene.same_calls)


def _authors(scene: FailureContext, frame: Frame, near: int) -> Iterator[Authored]:
    lines = [frame.code] if frame.code else []
    lines.extend(_around(scene, frame, near if lines else max(near, 0)))
    for text in lines:
        if text and len(text.strip()) >= _LEAST_LINE:
            author = scene.author(frame.file, text)
            if author is not None and _is_meant(scene, text):
                yield author


def _is_meant(scene: FailureContext, text: str) -> bool:
    """Whether a line may be the one that a message is about: a linter that quotes names speaks of a line with one of
    them, or of the whole file."""
    if scene.failure.kind is not FailureKind.LINT:
        return True
    names = [found["name"] for found in _QUOTED.finditer(scene.failure.message)]
    return not names or any(name in text for name in names)


def _around(scene: FailureContext, frame: Frame, near: int) -> list[str]:
    """The lines at a place and right above it, as the file was when the failure first showed."""
    if frame.line is None:
        return []
    document = scene.document(frame.file)
    if document is None:
        return []
    if document.text is not None:
        rows = document.text.split("\n")
        return [rows[number - 1] for number in range(frame.line, frame.line - near - 1, -1) if 0 < number <= len(rows)]
    return [
        window.lines[number - window.start]
        for window in document.windows
        for number in range(frame.line, frame.line - near - 1, -1)
        if window.start <= number < window.end
    ]


def _by(scene: FailureContext, frame: Frame, author: Authored, broken: bool) -> Provenance:
    failure = scene.failure
    linted = failure.kind is FailureKind.LINT
    place = code(place_text(frame.file, frame.line))
    verb = (
        "a linter rejects"
        if linted
        else "the compiler rejects"
        if failure.kind is FailureKind.COMPILE
        else f"raises {code(failure.type)}"
        if failure.type
        else "fails"
    )
    passed = _passed_before(scene, author)
    later = _written_again(scene, author)
    again = f"; the same line was written again at {_steps(later)}" if later else ""
    ran = f", and the same check had passed at step {passed}" if passed is not None else ""
    return answer(
        ProvenanceKind.OWN_EDIT,
        0.95 if passed is not None else 0.85 if broken else 0.75,
        f"{_stopped(frame, author, place) if broken else f'The line at {place} that {verb}'} was written by the agent "
        f"at step {author.step}{ran}{again}",
        quote=author.text,
        step=author.step,
        file=frame.file,
        line=frame.line if not broken or _is_line(frame, author) else author.line,
    )


def _stopped(frame: Frame, author: Authored, place: str) -> str:
    """Where a parser stopped, as the line that was written or as one below it."""
    if _is_line(frame, author):
        return f"The parser stops at {place}; that line"
    return f"The parser stops at {place}; {code(author.text, 100)} right above it"


def _is_line(frame: Frame, author: Authored) -> bool:
    if frame.code:
        return squeezed(frame.code) == squeezed(author.text)
    return author.line is not None and author.line == frame.line


def _written_again(scene: FailureContext, author: Authored) -> list[int]:
    """The later steps that put the very line into the file once more, while the failure kept coming back."""
    return [
        action.step
        for index in scene.texts.changed_after(author.path, author.index)
        if (action := scene.history.actions[index]).lane == author.lane and action.step < scene.group.steps[-1]
        for version in scene.history.taken[index].versions
        if same_file(version.path, author.path)
        and any(squeezed(text) == squeezed(author.text) for _, text in added(version))
    ]


def _passed_before(scene: FailureContext, author: Authored) -> int | None:
    """The last step before the edit at which the same check had passed."""
    same = [action for action in scene.same_calls if action.step < author.step]
    return same[-1].step if same and same[-1].failure is None else None


def _steps(steps: list[int]) -> str:
    return f"step{'s' if len(steps) > 1 else ''} {listed([str(step) for step in steps])}"
