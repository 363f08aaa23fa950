"""What a session leaves behind: the files that it changed with their steps, and what the agent said at the end.

Where no file was changed: what the edits that were tried came to. Where there are no closing words either: what the
agent said beside its last call, and the calls whose results aren't recorded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analyzer.diagnosis.end import End
from analyzer.diagnosis.labels import Said, call_text, numbered, some
from analyzer.failures.roles import same_file
from analyzer.model.action import Action
from analyzer.model.difference import ChangeKind
from analyzer.model.postmortem import Outcome
from analyzer.model.words import Basis, DeliverableKind, Kind, NotRun
from analyzer.text.clip import both_ends, clip_path, clip_words, middle, quote, without_marks
from analyzer.text.english import file_changes, one_or_many, plural
from analyzer.text.markdown import code
from analyzer.timeline.closing.closing_message import ClosingMessage, spoken_last
from analyzer.timeline.closing.ending import ends_with_call
from analyzer.timeline.closing.user_answers import not_run


def _what_there_is(end: End) -> Iterator[Said]:
    """Of a session of which it isn't known what it left behind: the calls without a result, unless none has one."""
    lost = [action for action in end.actions if not end.came_back(action)]
    if lost and any(end.came_back(action) for action in end.actions):
        steps = [action.step for action in lost]
        call = f" ({code(call_text(lost[0], 80))})" if len(lost) == 1 else ""
        yield f"What came of {numbered(steps, 4)}{call} isn't recorded.", steps


def _beside_last_call(end: End) -> Iterator[Said]:
    """The last words of an agent that said nothing after its last call."""
    words = end.words_beside
    if words is not None:
        text = f'The agent\'s last words, before the call of step {end.last.step}: "{quote(without_marks(words.text))}"'
        yield text, [end.last.step]


_MOST_FILES = 4
_MOST_SCRATCH = 2
_ANSWER = 420
_REPORT = 240
_KINDS = frozenset({DeliverableKind.CHANGE, DeliverableKind.SCRATCH})
_UNRECORDED = "What the agent answered at the end isn't recorded."


def delivered(end: End, outcome: Outcome) -> Iterator[Said]:
    """The files, or that there are none."""
    if not end.actions:
        return
    left = outcome.deliverable
    scratch = left.scratch if left is not None and left.kind is DeliverableKind.CHANGE else []
    files = _kept(end, outcome)
    if left is not None and left.kind in _KINDS and files:
        if left.kind is DeliverableKind.CHANGE:
            text = file_changes(left, files, lambda path: _file(end, path), _MOST_FILES)
        else:
            shown = some([_file(end, path) for path in files], _MOST_FILES)
            text = f"Left only experimental files: {shown}{_nothing_before_changed(end)}."
        yield text, _changed_at(end, files)
    if scratch:
        shown = some([_file(end, path) for path in scratch], _MOST_SCRATCH)
        yield f"Experimental files were left behind: {shown}.", _changed_at(end, scratch)
    yield from _untouched(end)
    if end.closing_message is not None or end.case.timeline.closing_unrecorded():
        return
    if left is not None and left.kind is DeliverableKind.NOTHING:
        silent = f"no words after the call of step {end.last.step}" if end.words_beside else "no closing words"
        ends = ends_with_call(end.case.timeline, end.last)
        stops = f"; the recording ends with {ends}" if ends else ""
        yield f"Nothing: {plural(len(end.actions), 'action')}, no file changed and {silent}{stops}.", [end.last.step]
    elif left is None and outcome.basis is not Basis.WAITING:
        yield from _what_there_is(end)


def _kept(end: End, outcome: Outcome) -> list[str]:
    """The files that are left besides experiments: what the agent wrote itself before what a program wrote."""
    left = outcome.deliverable
    scratch = left.scratch if left is not None and left.kind is DeliverableKind.CHANGE else []
    kept = [path for path in left.files if path not in scratch] if left is not None else []
    return sorted(kept, key=lambda path: not any(same_file(name, path) for name in end.edited_paths))


def said_last(end: End, outcome: Outcome) -> Iterator[Said]:
    """The answer or the closing words of the agent; that they aren't recorded."""
    steps = [end.last.step] if end.actions else []
    words = end.closing_message if end.actions else spoken_last(end.case.timeline)
    left = outcome.deliverable
    if words is not None:
        waits = outcome.basis is Basis.WAITING  # a request for leave is no answer
        answer = not steps or (left is not None and left.kind is DeliverableKind.ANSWER and not waits)
        files = bool(steps) and bool(_kept(end, outcome))
        # Some agents begin with what came out, others end with it.
        text = both_ends(without_marks(words.text), _ANSWER if answer or not files else _REPORT)
        what = _what(words, end.last.step, answer=answer, files=files) if steps else "The answer"
        yield f'{what}: "{text}"', steps
    elif end.case.timeline.closing_unrecorded():
        yield _UNRECORDED, steps
    elif steps and (left is None or left.kind is DeliverableKind.NOTHING) and outcome.basis is not Basis.WAITING:
        yield from _beside_last_call(end)


def _what(words: ClosingMessage, step: int, *, answer: bool, files: bool) -> str:
    """What the last words are: an answer, what was handed in, or the end of what was said."""
    if answer and not words.sign_off:
        return "The answer"
    if words.handed_in and (words.is_value or not files):
        return f"Handed in (step {step})"
    before = f" before {code(clip_words(words.sign_off, 40))}" if words.sign_off else ""
    whose = f"The last words of {words.speaker}" if words.speaker else "The agent's closing words"
    return f"{whose}{before}"


def _file(end: End, path: str) -> str:
    steps = _steps(end, path)
    old = next((old for old, new in end.delivery.moved.items() if new == path), None)
    notes = [f"moved from {code(clip_path(old, 80))}"] if old is not None else []
    notes += [numbered(steps, 4)] if steps else []
    where = f" ({', '.join(notes)})" if notes else ""
    return f"{code(clip_path(path, 80))}{where}"


def _steps(end: End, path: str) -> list[int]:
    files, scratch = end.delivery.files, end.delivery.scratch
    same = [change for change in (*files, *scratch) if change.file == path]
    same += [change for change in files if same_file(change.file, path)]
    edits = (edit for edit in end.edits if any(same_file(entry.path, path) for entry in edit.operation.edits))
    return list(same[0].steps if same else ()) or [edit.step for edit in edits]


def _changed_at(end: End, paths: Sequence[str]) -> list[int]:
    return sorted({step for path in paths for step in _steps(end, path)}) or [end.last.step]


_EMPTY = frozenset({DeliverableKind.ANSWER, DeliverableKind.NOTHING})


def _untouched(end: End) -> Iterator[Said]:
    """What became of the edits of a session that leaves no file changed, where there were some and none was made."""
    left = end.deliverable
    if left is None or left.kind not in _EMPTY or end.edits:
        return
    tried = [action for action in end.actions if action.operation.edits or action.kind is Kind.EDIT]
    if tried and not any(action.failure is None or action.accepted_edits for action in tried):
        yield f"No file was changed: {_came_to(tried)}.", [action.step for action in tried]


def _nothing_before_changed(end: End) -> str:
    """That only new files are left, as the end of a sentence, with the edits of other files that came to nothing; empty
    where a file that was there before was changed."""
    changes = [*end.delivery.files, *end.delivery.scratch]
    if not changes or end.delivery.moved or any(change.kind is not ChangeKind.CREATED for change in changes):
        return ""
    edits = (action for action in end.actions if action.kind is Kind.EDIT and not action.accepted_edits)
    refused = ((action, action.operation.path) for action in edits if action.failure is not None)
    own = end.delivery.made_by_agent
    tried = [action for action, path in refused if path and not own(path, action.directory)]
    return f"; no existing file was changed{f': {_came_to(tried)}' if tried else ''}"


def _came_to(tried: Sequence[Action]) -> str:
    """What some edits came to, none of which was made."""
    which = {1: "the only edit", 2: "both edits"}.get(len(tried), f"all {len(tried)} edits")
    paths = {action.operation.path or action.operation.target for action in tried}
    where = f" of {code(clip_path(next(iter(paths)), 80))}" if len(paths) == 1 else ""
    was, kinds = one_or_many(len(tried), "was", "were"), {not_run(action) for action in tried}
    became = "refused" if kinds == {NotRun.REFUSED} else "cancelled" if kinds == {NotRun.CANCELLED} else "rejected"
    last, said = tried[-1], ""
    if last.failure is not None and last.failure.message:
        # Quotation marks are for the result's own words.
        shown = middle(last.failure.message, 140)
        quoted = f'"{shown}"' if last.failure.message in (last.result or "") else shown
        said = f"{', the last one' if len(tried) > 1 else ''}: {quoted}"
    return f"{which}{where} ({numbered([action.step for action in tried], 4)}) {was} {became}{said}"
