"""Names whose definition was taken out although code that the log shows still uses them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from analyzer.workspace.document import Document
from analyzer.workspace.files import Files
from analyzer.workspace.history import History
from analyzer.workspace.ownership import scratch_paths

_DEFINES = re.compile(
    r"^[ \t]*(?:(?:export|default|public|private|protected|internal|static|final|abstract|async|pub(?:\(\w+\))?"
    r"|unsafe|override|inline|open|data|sealed|declare)[ \t]+)*"
    r"(?:def|class|function\*?|func(?:[ \t]*\([^()\n]{0,80}\))?|fn|fun|struct|enum|interface|trait|type|module|mod"
    r"|const|let|var|val|record|protocol)[ \t]+(?:self\.)?(?P<name>[A-Za-z_$][\w$]{2,80})",
    re.MULTILINE,
)
_CONSTANT = re.compile(r"^(?P<name>[A-Z][A-Z0-9_]{3,80})[ \t]*(?::[^=\n]{1,60})?=", re.MULTILINE)
_SUFFIXES = "py pyi js jsx mjs cjs ts tsx vue svelte rb php java kt kts cs go rs c h cc cpp hpp swift scala sh"
_CODE = re.compile(rf"\.(?:{_SUFFIXES.replace(' ', '|')})$")
_COMMENT = re.compile(r"^\s*(?:#|//|\*|/\*|--|<!--)")
_MOST_USES = 20


@dataclass(slots=True, frozen=True)
class Use:
    """A line that uses a name; `line` is None where its number isn't known."""

    path: str
    line: int | None
    text: str


@dataclass(slots=True, frozen=True)
class Orphan:
    """A name that is used but no longer defined anywhere that the log shows. `step` took its definition out."""

    name: str
    path: str
    step: int
    lane: str
    uses: tuple[Use, ...]


def orphans(history: History, task: str = "") -> list[Orphan]:
    """The names that are left without a definition at the end of the session, in the order of their removal."""
    gone: dict[str, tuple[str, int, str]] = {}
    names: dict[str, set[str]] = {}
    for action, step, replay in history.again():
        for change in step.changes:
            if not _CODE.search(change.path):
                continue
            earlier = replay.files.earlier.get(change.path)
            before = names.get(change.path, set()) | (defined(earlier[-1]) if earlier else set())
            after = defined(replay.files.get(change.path))
            names[change.path] = after
            for name in before - after:
                gone[name] = (change.path, action.step, action.lane)
            for name in after:
                gone.pop(name, None)
    if not gone:
        return []
    files = history.files
    hidden = scratch_paths(history, task)
    still = {name for path in files.documents if path not in hidden for name in defined(files.get(path))}
    found = []
    for name, (path, number, lane) in gone.items():
        uses = _uses(files, name, hidden) if name not in still else []
        if uses:
            found.append(Orphan(name, path, number, lane, tuple(uses)))
    return found


def defined(document: Document) -> set[str]:
    """The names that the known text of a file defines."""
    if not document.exists:
        return set()
    return {
        found["name"]
        for _, text in _known(document)
        for pattern in (_DEFINES, _CONSTANT)
        for found in pattern.finditer(text)
    }


def _known(document: Document) -> list[tuple[int | None, str]]:
    """What is known of a file now, each part with the number of its first line."""
    if document.text is not None:
        return [(1, document.text)]
    shown: list[tuple[int | None, str]] = [(window.start, "\n".join(window.lines)) for window in document.windows]
    return [*shown, *((entry.line, entry.after) for entry in document.fragments if not document.windows)]


def _uses(files: Files, name: str, hidden: set[str]) -> list[Use]:
    pattern = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")
    found: list[Use] = []
    for path, document in files.documents.items():
        if path in hidden or not document.exists or not _CODE.search(path):
            continue
        for first, text in _known(document):
            if name not in text:
                continue
            for number, line in enumerate(text.split("\n")):
                if pattern.search(line) and not _COMMENT.match(line) and len(found) < _MOST_USES:
                    found.append(Use(path, first + number if first is not None else None, line.strip()))
    return found
