"""A cause in what was changed, or in the code as it was before.

The failing line is in text that the agent wrote; one change lies between a pass of the same check and the failure; or
the same check had shown the failure on untouched code.
"""

from __future__ import annotations

from analyzer.diagnosis.labels import at
from analyzer.diagnosis.provenance.context import FailureContext, answer
from analyzer.failures.compilers import disagrees, unparsed
from analyzer.failures.roles import is_test_path, last_part, same_file
from analyzer.model.action import Action
from analyzer.model.diagnosis import Provenance, ProvenanceKind
from analyzer.model.failure import Frame
from analyzer.model.words import FailureKind, FrameRole, Kind, Status
from analyzer.text.english import listed, one_or_many
from analyzer.text.late import late
from analyzer.text.markdown import code
from analyzer.workspace.states import Version
from analyzer.workspace.written import Authored, added, changes_between, removed, squeezed

_LEAST_LINE = 4
_QUOTED = late(r"(?<!\w)['\"`](?P<name>[A-Za-z_$][\w.$]{0,80})['\"`](?!\w)")
_VERBS = {FailureKind.LINT: "a linter rejects", FailureKind.COMPILE: "the compiler rejects"}


def written(scene: FailureContext) -> Provenance | None:
    """The step that wrote the line at which the program, the compiler or the parser stopped."""
    failure = scene.failure
    if failure.kind is FailureKind.TEST or (failure.type or "").rsplit(".", 1)[-1] == "AssertionError":
        return None
    broken = unparsed(failure)
    for frame in scene.frames[:3]:
        compiled = failure.kind is FailureKind.COMPILE
        if frame.role is FrameRole.TEST and not compiled and not broken and is_test_path(frame.file):
            continue
        author = _author(scene, frame, broken=broken)
        # A line after which the same call had worked isn't it.
        worked = max((one.step for one in scene.same_calls if one.failure is None), default=0)
        if author is not None and not ((broken or disagrees(failure)) and worked > author.step):
            return _by(scene, frame, author, broken=broken)
        if broken or frame.role is FrameRole.PROJECT:
            return None
    return None


def _author(scene: FailureContext, frame: Frame, *, broken: bool) -> Authored | None:
    """The step that wrote the line at a place. A parser stops behind what it can't read: of that line and the one right
    above it the last to be written counts."""
    lines = [*([frame.code] if frame.code else []), *_lines_at(scene, frame, 2 if broken else 1)]
    meant = (text for text in lines if len(text.strip()) >= _LEAST_LINE and _is_meant(scene, text))
    found = (author for text in meant if (author := scene.author(frame.file, text)) is not None)
    return max(found, key=lambda author: author.index, default=None) if broken else next(found, None)


def _is_meant(scene: FailureContext, text: str) -> bool:
    """Whether a message may be about a line: where a linter quotes names, one of them must be in it."""
    if scene.failure.kind is not FailureKind.LINT:
        return True
    names = [found["name"] for found in _QUOTED.finditer(scene.failure.message)]
    return not names or any(name in text for name in names)


def _lines_at(scene: FailureContext, frame: Frame, count: int) -> list[str]:
    """The line at a place and those right above it, as the file was when the failure first showed."""
    document = scene.document(frame.file)
    if frame.line is None or document is None:
        return []
    wanted = range(frame.line, frame.line - count, -1)
    if document.text is not None:
        rows = document.text.split("\n")
        return [rows[number - 1] for number in wanted if 0 < number <= len(rows)]
    shown = ((window, number) for window in document.windows for number in wanted)
    return [window.lines[at - window.start] for window, at in shown if window.start <= at < window.end]


def _again(scene: FailureContext, author: Authored) -> str:
    """The later steps that put the very line into the file once more, while the failure kept coming back."""
    steps = [
        action.step
        for index in scene.texts.changed(author.path, len(scene.history.actions))
        if index > author.index
        and (action := scene.history.actions[index]).lane == author.lane
        and action.step < scene.group.steps[-1]
        for version in scene.history.taken[index].versions
        if same_file(version.path, author.path)
        and any(squeezed(text) == squeezed(author.text) for _, text in added(version))
    ]
    steps_again = f"{one_or_many(len(steps), 'step')} {listed([str(step) for step in sorted(steps)])}"
    return f"; the same line was written again at {steps_again}" if steps else ""


def _by(scene: FailureContext, frame: Frame, author: Authored, *, broken: bool) -> Provenance:
    failure = scene.failure
    raises = f"raises {code(failure.type)}" if failure.type else "fails"
    verb = _VERBS.get(failure.kind, raises)
    same = [action for action in scene.same_calls if action.step < author.step]
    passed = same[-1].step if same and same[-1].failure is None else None
    ran = f", and the same check had passed at step {passed}" if passed is not None else ""
    line = f"The parser stops at {at(frame)}; {code(author.text, 100)}"
    line = line if broken else f"The line at {at(frame)} that {verb}"
    return answer(
        ProvenanceKind.OWN_EDIT,
        0.95 if passed is not None else 0.85 if broken else 0.75,
        f"{line} was written by the agent at step {author.step}{ran}{_again(scene, author)}",
        quote=author.text,
        step=author.step,
        place=(frame.file, author.line if broken else frame.line),
    )


_NO_FILE = late(r"<\w+>$|\[\w+\](?:-\w+-wrapper)?$|-$|/dev/(?:stdin|fd/\d+)$|(?:.*/)?\[eval\d*\]$")
"""What a program that gets its code on the command line or its standard input is called in its traces."""
_OF_CODE = frozenset({FailureKind.EXCEPTION, FailureKind.TEST, FailureKind.COMPILE})


def untouched(scene: FailureContext) -> Provenance | None:
    """A failure that first showed on code that nobody had touched, or with all changes taken out."""
    if scene.failure.kind not in _OF_CODE or not (scene.frames or scene.failure.failing_tests):
        return None
    found = scene.texts.baselines.get((scene.group.lane, scene.group.id))
    if found is None or not found.sure or (scene.frames and all(_NO_FILE.match(frame.file) for frame in scene.frames)):
        return None
    after = (action for action in scene.history.actions[scene.index :] if action.lane == scene.group.lane)
    if not any(action.failure is None and action.operation.edits for action in after):
        return None
    made = {path for path, by_agent in scene.history.files.made.items() if by_agent}
    if any(same_file(frame.file, path) for frame in scene.failure.frames for path in made):
        return None
    changed = any(edit.path not in made for action in scene.earlier for edit in action.accepted_edits)
    when = "with every change taken out again" if changed else "before any file of the project had been changed"
    reason = f"The failure showed at step {found.step}, {when}"
    return answer(ProvenanceKind.BASELINE, 0.85, reason, quote=scene.failure.headline, place=scene.deepest)


def regressed(scene: FailureContext) -> Provenance | None:
    """The only change between the last time that the check passed and the first time that it fails, or the only one of
    a file in its trace."""
    action, history = scene.action, scene.history
    passed = next((one for one in reversed(scene.same_calls) if one.directory == action.directory), None)
    if action.kind not in (Kind.TEST, Kind.RUN) or passed is None or passed.status is not Status.OK:
        return None
    (since,) = history.places(passed.step, passed.lane)
    if any(history.steps[index].unknown for index in range(since + 1, scene.index)):
        return None
    changes = [made for made in changes_between(history, since, scene.index) if made[0].lane == action.lane]
    if all(is_test_path(version.path) for _, version in changes):
        return None
    frames = scene.failure.frames
    traced = [made for made in changes if any(same_file(made[1].path, frame.file) for frame in frames)]
    for found in (changes, traced):
        if found and len({(changer.step, version.path) for changer, version in found}) == 1:
            return _since(*found[-1], passed.step)
    return None


def _since(action: Action, version: Version, passed: int) -> Provenance:
    new, gone = added(version), removed(version)
    line, text = new[0] if new else (None, gone[0] if gone else "")
    reason = f"Step {action.step} changed {code(last_part(version.path))}, the only change since the same check had"
    reason += f" passed at step {passed}"
    place = (version.path, line)
    return answer(ProvenanceKind.OWN_EDIT, 0.85, reason, quote=text.strip(), step=action.step, place=place)
