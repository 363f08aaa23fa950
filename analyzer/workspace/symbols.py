"""Names whose definition was taken out although code that the log shows still uses them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from analyzer.text.late import late
from analyzer.workspace.document import Document
from analyzer.workspace.files import Files
from analyzer.workspace.history import History
from analyzer.workspace.ownership import scratch_paths
from analyzer.workspace.states import Version
from analyzer.workspace.written import removed

_DEFINES = late(
    r"^[ \t]*(?:(?:export|default|public|private|protected|internal|static|final|abstract|async|pub(?:\(\w+\))?"
    r"|unsafe|override|inline|open|data|sealed|declare)[ \t]+)*"
    r"(?:def|class|function\*?|func(?:[ \t]*\([^()\n]{0,80}\))?|fn|fun|struct|enum|interface|trait|type|module|mod"
    r"|const|let|var|val|record|protocol)[ \t]+(?:self\.)?(?P<name>[A-Za-z_$][\w$]{2,80})",
    re.MULTILINE,
)
_LASTING = late(
    r"^[ \t]*(?:(?:export|default|public|private|protected|internal|static|final|abstract|async|pub(?:\(\w+\))?"
    r"|unsafe|override|inline|open|data|sealed|declare)[ \t]+)*"
    r"(?:def|class|function\*?|func(?:[ \t]*\([^()\n]{0,80}\))?|fn|fun|struct|enum|interface|trait|record|protocol)"
    r"[ \t]+(?:self\.)?(?P<name>[A-Za-z_$][\w$]{3,80})",
    re.MULTILINE,
)
"""A definition that other code can use, unlike a variable's."""
_CONSTANT = late(r"^(?P<name>[A-Z][A-Z0-9_]{3,80})[ \t]*(?::[^=\n]{1,60})?=", re.MULTILINE)
_SUFFIXES = "py pyi js jsx mjs cjs ts tsx vue svelte rb php java kt kts cs go rs c h cc cpp hpp swift scala sh"
_CODE = late(rf"\.(?:{_SUFFIXES.replace(' ', '|')})$")
_COMMENT = late(r"^\s*(?:#|//|\*|/\*|--|<!--)")
_MOST_USES = 20


@dataclass(slots=True, frozen=True)
class Use:
    """A line that uses a name; `line` is None where its number isn't known."""

    path: str
    line: int | None
    text: str


@dataclass(slots=True, frozen=True)
class Orphan:
    """A name that is used but no longer defined anywhere that the log shows. `step` took its definition out, of which
    `text` is the first line."""

    name: str
    path: str
    step: int
    lane: str
    uses: tuple[Use, ...]
    text: str


def orphans(history: History, task: str = "") -> list[Orphan]:
    """The functions, classes and constants that are left without a definition at the end of the session, in the order
    of their removal. The removed lines must be known, and the use must be one of that very definition: in its file, or
    in a file that takes it from there."""
    gone: dict[str, tuple[str, int, str, str]] = {}
    known: dict[str, frozenset[str]] = {}
    for action, step in zip(history.actions, history.taken, strict=True):
        for version in step.versions:
            if not _CODE.search(version.path) or _unknown(version):
                continue
            before, after = defined(version.before, known), defined(version.after, known)
            if version.before.text is None or before - after:
                for name, line in _defined_in(removed(version)):
                    if name not in after:
                        gone[name] = (version.path, action.step, action.lane, line)
            for name in list(gone):
                if name in after:
                    del gone[name]
    if not gone:
        return []
    files = history.files
    hidden = scratch_paths(history, task)
    still = {name for path in files.documents if path not in hidden for name in defined(files.get(path), known)}
    found = []
    for name, (path, number, lane, text) in gone.items():
        uses = _uses(files, name, path, hidden) if name not in still else []
        if uses:
            found.append(Orphan(name, path, number, lane, tuple(uses), text))
    return found


def _unknown(version: Version) -> bool:
    """Whether what is left of a file after a change isn't known, so that nothing can be said to be gone from it."""
    old, new = version.before, version.after
    if not new.exists or new.text is not None:
        return False
    return old.text is not None or all(entry in old.fragments for entry in new.fragments)


def _defined_in(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The functions, classes and constants that lines define, each with its line; no variables, and no name that a
    language gives."""
    for line in lines:
        found = _LASTING.match(line) or _CONSTANT.match(line)
        if found is not None and not found["name"].startswith("__"):
            yield found["name"], line.strip()


def defined(document: Document, known: dict[str, frozenset[str]] | None = None) -> frozenset[str]:
    """The names that the known text of a file defines. `known` has what was worked out before for its parts, since they
    come back with every change of the file."""
    names: frozenset[str] = frozenset()
    if document.exists:
        known = {} if known is None else known
        for text in (*(text for _, text in _known(document)), *(entry.after for entry in document.fragments)):
            if text not in known:
                known[text] = frozenset(
                    found["name"] for pattern in (_DEFINES, _CONSTANT) for found in pattern.finditer(text)
                )
            names |= known[text]
    return names


def _known(document: Document) -> list[tuple[int | None, str]]:
    """What is known of a file now, each part with the number of its first line."""
    if document.text is not None:
        return [(1, document.text)]
    shown: list[tuple[int | None, str]] = [(window.start, "\n".join(window.lines)) for window in document.windows]
    return [*shown, *((entry.line, entry.after) for entry in document.fragments if not document.windows)]


def _uses(files: Files, name: str, home: str, hidden: set[str]) -> list[Use]:
    """The lines of code that use what a file defined: in the file itself, and in those that take it from there."""
    named = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")
    used = re.compile(rf"(?:[(=\[,:{{!<|&]\s*|\breturn\s+|\bawait\s+|\bself\.|\bthis\.|^\s*){re.escape(name)}\s*[(.\[]")
    found: list[Use] = []
    for path, document in files.documents.items():
        if path in hidden or not document.exists or path.rsplit(".", 1)[-1] != home.rsplit(".", 1)[-1]:
            continue
        known = _known(document)
        whole = "\n".join(text for _, text in known)
        if name not in whole:
            continue
        taken = _taken_from(whole, name, home)
        if path == home and _given_otherwise(whole, name):
            continue
        if path != home and taken is None:
            continue
        for first, text in known:
            for number, line in enumerate(text.split("\n")):
                if not named.search(line) or _COMMENT.match(line) or len(found) >= _MOST_USES:
                    continue
                if (taken is not None and taken.search(line)) or used.search(line):
                    found.append(Use(path, first + number if first is not None else None, line.strip()))
    return found


def _taken_from(text: str, name: str, home: str) -> re.Pattern[str] | None:
    """How another file takes a name from the one that defined it, None where it doesn't."""
    stem = re.escape(home.rsplit("/", 1)[-1].rsplit(".", 1)[0])
    called = re.escape(name)
    for pattern in (
        rf"^\s*from\s+[\w.]*\b{stem}\s+import\b[^\n]*\b{called}\b",
        rf"^\s*(?:import|export)\b[^\n]*\b{called}\b[^\n]*['\"][^'\"\n]*\b{stem}(?:\.\w+)?['\"]",
        rf"\b{stem}(?:\.|::){called}\b",
    ):
        made = re.compile(pattern, re.MULTILINE)
        if made.search(text):
            return made
    return None


def _given_otherwise(text: str, name: str) -> bool:
    """Whether a file gets a name in another way than by the definition that is gone."""
    called = re.escape(name)
    pattern = (
        rf"\bimport\b[^\n]*\b{called}\b|\b{called}\s*(?::[^=\n]{{1,60}})?=(?!=)|\b(?:for|as|let|var|const|val)\s+{called}\b"
        rf"|\b(?:def|func|function|fn|class)\b[^\n]*\([^\n]*\b{called}\b"
    )
    return re.search(pattern, text) is not None
