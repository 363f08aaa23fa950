"""What the files are at a step against what they were at the beginning, as far as the log knows it, and whether what a
step changed is still there in what the session left."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from analyzer.model.difference import ChangeKind, Difference, FileChange, Hunk, Known, NotKnown
from analyzer.model.spending import LaneStep
from analyzer.model.words import MAIN_LANE
from analyzer.text.clip import clip
from analyzer.workspace.document import BASE, Document, known_texts
from analyzer.workspace.files import Files
from analyzer.workspace.fragments import Fragment
from analyzer.workspace.history import History
from analyzer.workspace.ownership import scratch_paths
from analyzer.workspace.paths import below
from analyzer.workspace.states import Version

_MOST_LINES = 20_000
"""Lines of a file up to which its texts are compared line by line."""
_MOST_COMPARED = 2_000
"""Lines up to which each line of a file is compared, however common it is."""
_LONGEST_COMMAND = 300


def difference(history: History, upto: int | None = None, task: str = "", words: str = "") -> Difference:
    """The files after the action at index `upto` (None: the last) against those at the beginning. `task` is what the
    user asked for: a file that it names is no scratch file."""
    files = history.files
    if upto is not None and upto + 1 < len(history.actions):
        for _, _, replay in history.again(upto):
            files = replay.files
    count = len(history.steps) if upto is None else upto + 1
    passed = history.steps[:count]
    steps: dict[str, dict[tuple[str, int], None]] = {}
    for state, taken in zip(passed, history.taken, strict=False):
        for path in state.changed:
            own = steps.setdefault(path, {})
            if path not in taken.found:  # a step that only shows a change didn't make it
                own[state.lane, state.step] = None
    scratch = scratch_paths(history, task, words)
    changes = [
        change
        for path in sorted({*steps, *files.captured})
        if (change := _change(history, files, path, tuple(steps.get(path, ())), path in scratch)) is not None
    ]
    return Difference(
        session=history.session.id,
        after_step=passed[-1].step if upto is not None and passed else None,
        lane=passed[-1].lane if upto is not None and passed else MAIN_LANE,
        state=passed[-1].after if passed else "S0",
        root=history.root or None,
        files=sorted(changes, key=lambda change: change.scratch),
        unknown_effects=[
            NotKnown(lane=state.lane, step=state.step, what=clip(" ".join(reason.split()), _LONGEST_COMMAND))
            for state in passed
            for reason in state.unknown
        ],
        changed_outside=[
            NotKnown(lane=state.lane, step=state.step, what=below(path, history.root))
            for state in passed
            for path in state.outside
        ],
    )


def is_as_at_first(history: History, path: str) -> bool:
    """Whether a file that was there at the beginning is in the end what it was then."""
    files, document = history.files, history.files.get(path)
    same = files.equal.of(path, document.token) == files.equal.of(path, BASE)
    return document.exists and path not in files.captured and same


def _change(
    history: History, files: Files, path: str, steps: Sequence[tuple[str, int]], scratch: bool
) -> FileChange | None:
    document, equal = files.get(path), history.files.equal
    captured = path in files.captured
    if not captured and equal.of(path, document.token) == equal.of(path, BASE):
        return None
    original = history.files.original if path in history.files.original else files.original
    before, was_there = original.get(path), original.get(path, "") is not None
    kind = ChangeKind.MODIFIED if was_there else ChangeKind.CREATED
    hunks: list[Hunk] = []
    known, why = Known.NOT, None
    if not document.exists:
        if not was_there:
            return None
        kind = ChangeKind.REMOVED
        known, why = (Known.WHOLE, None) if before is not None else (Known.NOT, "its content was never shown")
        hunks = _between(before, "") if before is not None else []
    elif captured:
        scratch, why = True, "what a program printed into it isn't shown"
    elif document.text is not None and (before is not None or not was_there):
        known, hunks = Known.WHOLE, _between(before or "", document.text)
    elif document.text is not None:
        lines = len(lines_of_text(document.text))
        why = f"what it was before isn't known; it has {lines} {'line' if lines == 1 else 'lines'} now"
    else:
        hunks = [_of_fragment(fragment) for fragment in document.fragments]
        known, why = _how_much(document)
    return FileChange(
        file=below(path, history.root),
        kind=kind,
        known=known,
        scratch=scratch,
        steps=[step for lane, step in steps if lane == MAIN_LANE],
        elsewhere=[LaneStep(lane=lane, step=step) for lane, step in steps if lane != MAIN_LANE],
        added=_count(hunks, "+"),
        removed=_count(hunks, "-"),
        hunks=hunks,
        why_not=why,
    )


def _how_much(document: Document) -> tuple[Known, str | None]:
    """How much is known of a change whose file was never shown whole, and why not all."""
    if document.origin != BASE:
        known = Known.PARTS if document.fragments else Known.NOT
        elsewhere = document.origin.startswith("x")
        who = "something that the log doesn't show changed it" if elsewhere else "a command wrote it"
        rest = "; what follows is what changed after that" if document.fragments else ""
        return known, f"{who}, and its content wasn't shown in full afterwards{rest}"
    if any(fragment.before is None for fragment in document.fragments):
        return Known.PARTS, "lines were replaced that were never shown"
    if any(fragment.line is None for fragment in document.fragments):
        return Known.PARTS, "the place was never shown: the texts are those of the edit, not whole lines"
    return Known.WHOLE, None


def _count(hunks: Sequence[Hunk], sign: str) -> int:
    return sum([line[:1] for line in hunk.lines].count(sign) for hunk in hunks)


def _matcher(old: list[str], new: list[str]) -> difflib.SequenceMatcher[str] | None:
    """What compares two texts line by line; None where they're too long for it."""
    most = max(len(old), len(new))
    return difflib.SequenceMatcher(None, old, new, autojunk=most > _MOST_COMPARED) if most <= _MOST_LINES else None


def _of_fragment(fragment: Fragment) -> Hunk:
    """The change of one place as a hunk, with the lines around it that are known."""
    before, after = lines_of_text(fragment.before or ""), lines_of_text(fragment.after)
    matcher = _matcher(before, after)
    opcodes = matcher.get_opcodes() if matcher is not None else [("replace", 0, len(before), 0, len(after))]
    lines = [line for opcode in opcodes for line in _of_opcode(before, after, opcode)]
    first = fragment.line - len(fragment.above) if fragment.line is not None and fragment.before is not None else None
    framed = [*(f" {line}" for line in fragment.above), *lines, *(f" {line}" for line in fragment.below)]
    return Hunk(old_line=first, new_line=first, lines=framed)


def _of_opcode(old: list[str], new: list[str], opcode: tuple[str, int, int, int, int]) -> list[str]:
    sign, old_from, old_to, new_from, new_to = opcode
    if sign == "equal":
        return [f" {line}" for line in old[old_from:old_to]]
    return [*(f"-{line}" for line in old[old_from:old_to]), *(f"+{line}" for line in new[new_from:new_to])]


def lines_of_text(text: str) -> list[str]:
    """The lines of a text without the newlines at its end."""
    return text.rstrip("\n").split("\n") if text else []


def _between(before: str, after: str) -> list[Hunk]:
    old, new = lines_of_text(before), lines_of_text(after)
    if (matcher := _matcher(old, new)) is None:
        lines = _of_opcode(old, new, ("replace", 0, len(old), 0, len(new)))
        return [Hunk(old_line=1, new_line=1, lines=lines)]
    return [
        Hunk(
            old_line=group[0][1] + bool(old),
            new_line=group[0][3] + bool(new),
            lines=[line for opcode in group for line in _of_opcode(old, new, opcode)],
        )
        for group in matcher.get_grouped_opcodes(3)
    ]


def step_index(history: History, step: int, lane: str = MAIN_LANE) -> int | None:
    """The index of a step in file order, None for a step that there isn't."""
    return next((i for i, entry in enumerate(history.steps) if entry.step == step and entry.lane == lane), None)


_LEAST = 4
"""Characters of a line below which finding it again says nothing."""


class KeptChanges:
    """What a session left, file by file, read once for all steps that are asked about."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._first: dict[str, set[str]] = {}
        self._final: dict[str, set[str]] = {}

    def holds(self, step: int, lane: str) -> bool:
        """Whether a file that a step changed holds at the end what the step put into it: the very content, or a line
        that only the step had brought in."""
        places = self._history.places(step, lane)
        return any(self._is_kept(version) for place in places for version in self._history.taken[place].versions)

    def _is_kept(self, version: Version) -> bool:
        history, path = self._history, version.path
        files = history.files
        final = files.get(path)
        if not final.exists or is_as_at_first(history, path):
            return False
        if files.equal.of(path, final.token) == files.equal.of(path, version.after.token):
            return True
        if path not in self._final:
            self._first[path], self._final[path] = _lines_of(files.original.get(path) or ""), _lines(final)
        new = _lines(version.after) - _lines(version.before) - self._first[path]
        return not new.isdisjoint(self._final[path])


def _lines(document: Document) -> set[str]:
    """The lines that are known of a file, and those that were put into it."""
    known = [*known_texts(document), *(fragment.after for fragment in document.fragments)]
    return {line for text in known for line in _lines_of(text)}


def _lines_of(text: str) -> set[str]:
    return {line for raw in text.splitlines() if len(line := raw.strip()) >= _LEAST}
