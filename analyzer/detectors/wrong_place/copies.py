"""Edits that the failing run never reaches, and the first sort of them: the run loads an installed, built or original
copy of the edited file, or works in another tree."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import takewhile
from pathlib import PurePosixPath
from typing import Any

from analyzer.commands.harm import installs_packages
from analyzer.commands.runners import compiler
from analyzer.commands.table import Does, does, knows
from analyzer.detectors.signals.recurrence import Recurrence, Recurrences
from analyzer.failures.roles import role_of, same_file
from analyzer.model.action import Action, Command
from analyzer.model.failure import Failure, Frame
from analyzer.model.finding import Evidence, Finding, Place
from analyzer.model.struct import Struct, field
from analyzer.model.words import FrameRole
from analyzer.text.late import late

_RENEWED = late(r"(?:^|/)(?:build/lib[^/]*|\.tox|\.nox)/")
_BUILT = frozenset({"bin", "build", "cjs", "compiled", "dist", "esm", "generated", "lib", "out", "public", "target"})
"""Folders into which a build writes what it makes of the sources."""
_LANGUAGES = ({".js", ".cjs", ".mjs", ".jsx", ".ts", ".cts", ".mts", ".tsx"}, {".css", ".scss", ".less"})
"""Suffixes between which a build translates."""
_VARIANT = late(r"[-_. ]?(?:new|fixed|fix|v?\d{1,2}|copy|updated|patched|final|improved|modified|corrected)")


def renews_copies(command: Command) -> bool:
    """Whether a command may install, build or copy what was edited. What leaves the files as they are makes no copy."""
    builds = compiler(command) is not None and not does(command.program, command.args) & Does.SAFE
    return knows(command.program, Does.RENEWS) or builds or installs_packages(command, by_name=False)


@lru_cache(maxsize=20_000)
def stem_of(path: str) -> str:
    """The name of a file without its last suffix; a copy's is the beginning of that of its original."""
    return PurePosixPath(path.replace("\\", "/")).stem


def is_copy(path: str) -> bool:
    """Whether a path lies where installations and builds put their copies."""
    return role_of(path) is FrameRole.LIBRARY or _RENEWED.search(path.replace("\\", "/")) is not None


def loaded_copy(path: str, failure: Failure) -> Frame | None:
    """The frame of the trace that runs through the copy or the original of an edited file, if the trace never shows the
    edited file itself."""
    name = stem_of(path)
    # Whatever way a copy is made, its name begins that of its original: what doesn't is no copy, which is seen at once.
    named = [frame for frame in reversed(failure.frames) if name.startswith(stem_of(frame.file))]
    if not named or any(same_file(path, frame.file) for frame in failure.frames):
        return None
    own = _path(path)
    return next((frame for frame in named if _is_copy_of(_path(frame.file), own, failure)), None)


def loaded_copies(paths: Iterable[str], failure: Failure) -> dict[str, Frame]:
    """Those of some edited files that the trace reaches only as a copy or the original, with that frame."""
    stems = tuple(stem_of(frame.file) for frame in failure.frames)
    named = (path for path in paths if stem_of(path).startswith(stems))
    return {path: loaded for path in named if (loaded := loaded_copy(path, failure)) is not None}


_WORKTREE = late(r"^(?P<repository>.{2,400}?)/(?:\.?[\w-]{1,40}/)?\.?worktrees?/[^/]{1,200}(?=/|$)")
"""A working tree of a repository that lies within another one of it."""


def copies_in_worktree(paths: Sequence[str], directory: str) -> dict[str, Frame]:
    """The copies of edited files in the working tree in which a check ran, where every edit went to the repository
    around that tree; empty where one went elsewhere, or the check ran in no such tree."""
    tree = _WORKTREE.match(directory.replace("\\", "/"))
    if tree is None:
        return {}
    here, around = f"{tree[0]}/", f"{tree['repository']}/"
    copies = {path: own for path in paths if not (own := path.replace("\\", "/")).startswith(here)}
    if len(copies) < len(set(paths)) or not all(own.startswith(around) for own in copies.values()):
        return {}
    return {path: Frame(here + own.removeprefix(around), None, None, FrameRole.PROJECT) for path, own in copies.items()}


def _path(path: str) -> PurePosixPath:
    return PurePosixPath(path.replace("\\", "/"))


def _is_copy_of(loaded: PurePosixPath, own: PurePosixPath, failure: Failure) -> bool:
    folder, wanted = loaded.parent.name, own.parent.name
    same = loaded.name == own.name and bool(wanted) and (folder == wanted or folder.startswith(f"{wanted}@"))
    if same and is_copy(str(loaded)) and not is_copy(str(own)):
        return True
    if _is_built_from(loaded, own) or _is_of_another_checkout(loaded, own, failure):
        return True
    folders = str(loaded.parent), str(own.parent)
    return (
        loaded.suffix == own.suffix
        and (folders[0] == folders[1] or "." in folders or same_file(*folders))
        and own.stem.startswith(loaded.stem)
        and _VARIANT.fullmatch(own.stem[len(loaded.stem) :].lower()) is not None
    )


def _is_of_another_checkout(loaded: PurePosixPath, own: PurePosixPath, failure: Failure) -> bool:
    """Whether a file has the same place in two trees, both of them on one machine: a container shows the same tree by
    another path."""
    pairs = zip(reversed(loaded.parts), reversed(own.parts), strict=False)
    tail = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    here, there = own.parts[:-tail], loaded.parts[:-tail]
    absolute = own.is_absolute() and loaded.is_absolute()
    if not absolute or tail < _LEAST_TAIL or min(len(here), len(there)) < _LEAST_ROOT:
        return False
    places = [_path(frame.file).parts for frame in failure.frames]
    beside = len(here) > _LEAST_ROOT and (here[:-1] == there[:-1] or there[: len(here)] == here)
    both = beside or any(parts[: len(here)] == here and parts[: len(there)] != there for parts in places)
    return both and own.parent.parts not in [parts[:-1] for parts in places]


_LEAST_TAIL, _LEAST_ROOT = 2, 2


def _is_built_from(loaded: PurePosixPath, own: PurePosixPath) -> bool:
    """Whether a build may have made the one of the other: `dist/text/parse.js` of `src/text/parse.ts`."""
    translated = any({loaded.suffix, own.suffix} <= group for group in _LANGUAGES)
    if loaded.stem != own.stem or not (loaded.suffix == own.suffix or translated):
        return False
    folders, sources = loaded.parent.parts, own.parent.parts
    for number, folder in enumerate(folders, 1):
        # The source lies one folder (`src`) above the folders that the build kept, or right in them.
        kept = folders[number:]
        beside = len(sources) > len(kept) and sources[len(sources) - len(kept) :] == kept
        if beside and folder in _BUILT and folder not in own.parts:
            return True
    return False


class Occurrence(Struct, frozen=True):
    """One more occurrence of a failure, with the edits since the first one and the files that they went to."""

    recurrence: Recurrence
    action: Action
    failure: Failure
    edits: Sequence[Action]
    edited: list[str]


class Barrier(Struct, frozen=True):
    """What keeps the edits from the check: the kind, the facts that its words name, the place, and the files that were
    edited instead. `words` are those of the table that hold instead of the kind's, `label` stands before a quote."""

    kind: str
    slots: dict[str, Any]
    fault: Place
    edited: list[str] = field(default_factory=list)
    words: str = ""
    label: str = ""
    sure: float | None = None


class Unreached(Recurrences):
    """Asks at each occurrence of a failure that came back what keeps the edits from it."""

    @abstractmethod
    def find(self, shown: Occurrence) -> Barrier | None:
        """What keeps the edits from the check, as far as this occurrence shows."""

    def judge(self, recurrence: Recurrence, action: Action, edits: Sequence[Action]) -> Finding | None:
        """The finding at an occurrence."""
        failure, steps = action.failure, recurrence.steps
        if failure is None or (self.ended and recurrence.finding is None):
            return None  # what came after the last occurrence was not known then
        found = self.find(Occurrence(recurrence, action, failure, edits, paths_of(edits)))
        if found is None:
            return None
        shown = Evidence(step=steps[0], label=found.label, quote=failure.headline[:160])
        given = {} if found.sure is None else {"confidence": found.sure}
        return self.found(
            f"wrong-file/{found.kind}",
            recurrence,
            failure,
            words=found.words,
            slots=found.slots,
            evidence=[
                shown,
                *(Evidence(step=entry.step, label="edited", quote=entry.operation.path or "") for entry in edits[:3]),
                shown.model_copy(update={"step": steps[-1]}),
            ],
            fault=found.fault,
            edited_instead=found.edited,
            **given,
        )


class OtherCopy(Unreached):
    """The run loads another copy than the one that is edited. What makes or renews copies starts the count again."""

    def on_action(self, action: Action) -> Iterable[Finding]:
        """Take the next action; the findings that became detectable with it."""
        if any(map(renews_copies, action.operation.commands)):
            self.forget()
        return super().on_action(action)

    def find(self, shown: Occurrence) -> Barrier | None:
        """A copy in the trace, or another working tree."""
        paths, failure, directory = shown.edited, shown.failure, shown.action.directory
        twins = loaded_copies(paths, failure)
        others = [path for path in paths if path not in twins]
        tree = {} if twins or not failure.frames else copies_in_worktree(paths, directory)
        twins, others = (tree, []) if tree else (twins, others)
        if not twins or any(same_file(path, frame.file) for path in others for frame in failure.frames):
            return None
        edited, loaded = next(iter(twins.items()))
        place = f"{loaded.file}:{loaded.line}" if loaded.line is not None else loaded.file
        return Barrier(
            "another-tree" if tree else "unloaded-file",
            {"loaded": loaded.file, "edited": edited},
            place_of(loaded, shown.recurrence.steps[0]),
            list(twins),
            label=f"failed in {directory}" if tree else f"{place} raised",
            sure=0.85 if is_copy(loaded.file) else None,
        )


def place_of(frame: Frame, step: int) -> Place:
    """The place that a frame shows, with the step at which it's seen."""
    return Place(file=frame.file, line=frame.line, function=frame.function, code=frame.code, step=step)


def paths_of(edits: Sequence[Action]) -> list[str]:
    """The files that some edits went to, each once."""
    return list({edit.path: None for action in edits for edit in action.operation.edits if edit.path})
