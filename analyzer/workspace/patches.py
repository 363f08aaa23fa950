"""Read and apply a patch: unified diffs and the `*** Begin Patch` form, hunk by hunk."""

from __future__ import annotations

import re

from analyzer.model.struct import Struct, field
from analyzer.text.late import late
from analyzer.workspace.document import Document, replaced
from analyzer.workspace.files import Files
from analyzer.workspace.fragments import equal_ends
from analyzer.workspace.paths import normal

_FILE = late(r"^\*\*\* (?P<verb>Add|Update|Delete) File: (?P<name>.+)$")
_MOVE = "*** Move to: "
_NOWHERE = "/dev/null"


class FilePatch(Struct):
    """What a patch does to one file: the lines that it takes out and puts in, and each hunk as the text before and
    after, with its context."""

    name: str
    verb: str = "Update"
    moved_to: str | None = None
    hunks: list[tuple[list[str], list[str]]] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    added: list[str] = field(default_factory=list)


def is_patch(text: str) -> bool:
    """Whether a text holds a patch."""
    return "*** Begin Patch" in text or re.search(r"^--- \S.*\n\+\+\+ \S", text, re.MULTILINE) is not None


def parse(text: str) -> list[FilePatch]:
    """The files of a patch, in order."""
    files: list[FilePatch] = []
    lines = text.splitlines()
    number = 0
    while number < len(lines):
        line = lines[number]
        found = _FILE.match(line)
        old, new = _side(line, "--- ", "a/"), _side("".join(lines[number + 1 : number + 2]), "+++ ", "b/")
        if found:
            files.append(FilePatch(found["name"].strip(), found["verb"], hunks=[([], [])]))
        elif old and new:
            gone, made = new.strip() == _NOWHERE, old.strip() == _NOWHERE
            files.append(FilePatch((old if gone else new).strip(), "Delete" if gone else "Add" if made else "Update"))
            number += 1
        elif files:
            _line(files[-1], line)
        number += 1
    for file in files:
        file.hunks = [hunk for hunk in file.hunks if hunk[0] or hunk[1]]
    return files


def _side(line: str, mark: str, folder: str) -> str:
    """The file that a line with a mark names; empty for another line."""
    return line.removeprefix(mark).partition("\t")[0].removeprefix(folder) if line.startswith(mark) else ""


def _line(file: FilePatch, line: str) -> None:
    if line.startswith(_MOVE):
        file.moved_to = line.removeprefix(_MOVE).strip()
    elif line.startswith("@@"):
        file.hunks.append(([], []))
    elif line.startswith(("*** ", "diff --git", "index ", "\\ No newline")):
        return
    else:
        before, after = file.hunks[-1] if file.hunks else ([], [])
        if line.startswith("+"):
            after.append(line[1:])
            file.added.append(line[1:])
        elif line.startswith("-"):
            before.append(line[1:])
            file.removed.append(line[1:])
        elif line.startswith(" ") or not line:
            before.append(line[1:])
            after.append(line[1:])


def apply(files: Files, text: str, directory: str, *, reverse: bool = False) -> list[str]:
    """Apply a patch to the files; the paths that it touches."""
    touched = []
    for part in parse(text):
        path = normal(part.name, directory)
        touched.append(path)
        hunks = [(after, before) if reverse else (before, after) for before, after in part.hunks]
        verb = {"Add": "Delete", "Delete": "Add"}.get(part.verb, part.verb) if reverse else part.verb
        if verb == "Delete":
            files.remove(path)
            continue
        if verb == "Add":
            lines = [line for _, after in hunks for line in after]
            files.write(path, "\n".join(lines) + "\n" if lines else "")
            continue
        document = files.get(path)
        for before, after in hunks:
            document = hunk_applied(document, before, after)
        files.put(path, document)
        if part.moved_to and not reverse:
            target = normal(part.moved_to, directory)
            files.move(path, target)
            touched.append(target)
    return touched


def hunk_applied(document: Document, before: list[str], after: list[str]) -> Document:
    """The document after one hunk: what the hunk leaves as it is only says where."""
    old, new = "\n".join(before), "\n".join(after)
    if document.text is not None:
        made = replaced(document, old, new)
        if made is None and old.strip():  # the context may end at the end of the file, or be trimmed at its end
            made = replaced(document, old.rstrip("\n"), new.rstrip("\n"))
        if made is not None:
            return made
        document = Document(origin=document.token)
    else:
        made = replaced(document, old, new)
        if made is not None and made.windows:
            return made
    head, tail = equal_ends(before, after)
    # One line of context stays with a pure insertion or deletion: it says where.
    if head and (head + tail == len(before) or head + tail == len(after)):
        head -= 1
    elif tail and (head + tail == len(before) or head + tail == len(after)):
        tail -= 1
    old = "\n".join(before[head : len(before) - tail])
    new = "\n".join(after[head : len(after) - tail])
    return replaced(document, old, new) or document
