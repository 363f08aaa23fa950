"""The files of the workspace at one moment, what happens to them, and what tools say of those that they write whole."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from analyzer.model.struct import Struct, field, replace
from analyzer.text.late import late
from analyzer.text.names import digest, name_set
from analyzer.text.plain import holds_any, is_blanked
from analyzer.workspace.document import ABSENT, BASE, Document, Window, content_token, put_at_end, shown, whole
from analyzer.workspace.fragments import changed_text, original_text
from analyzer.workspace.paths import derived, last, normal, under
from analyzer.workspace.shown import Lines
from analyzer.workspace.states import Change, Equal, Version

_MOST_UNSEEN = 2
"""Files that nothing had shown before, and that a tool claims to have overwritten, from which it isn't believed."""


class Claims(Struct):
    """The words in which a session's tools say that they overwrote a file, with the files that nothing had shown."""

    _unseen: dict[str, set[str]] = field(default_factory=dict)
    _disproved: list[str] = field(default_factory=list)
    _tells_apart: bool = False

    def tells_apart(self) -> None:
        """A tool said of a file that it's new."""
        self._tells_apart = True

    def hold(self, words: str, path: str, *, known: bool) -> bool:
        """Whether these words, said of a file, show that it was there; `known` where the session had shown it."""
        if known or self._tells_apart:
            return True
        unseen = self._unseen.setdefault(words.casefold(), set())
        unseen.add(path)
        if len(unseen) < _MOST_UNSEEN:
            return True
        if len(unseen) == _MOST_UNSEEN:
            self._disproved = sorted(unseen - {path})
        return False

    def disproved(self) -> list[str]:
        """The files that were taken for ones that were there, until now; each once."""
        found, self._disproved = self._disproved, []
        return found


_MOST_UNDONE = 20
_WORD = late(r"[\w./@+-]+")
_LISTED = late(r"[\w./@+-]*[\w@+-]\.\w{1,8}(?![\w/])|[\w.@+-]*/[\w./@+-]*\w")
_MISSING = ("no such file", "cannot access", "not found", "does not exist", "did not match")
_MOST_LISTED = 20_000
_OUTPUT = name_set("build builds dist out output outputs coverage htmlcov logs log tmp temp cache .cache bin obj")
"""Folders that hold what programs write, which isn't said to be deleted as a whole."""
_ABSENT = Document(exists=False)


class Files(Struct):
    """What is known of each file now and of what it was at the beginning.

    `changes` is what happened since it was last taken, `versions` the contents before and after; `original` has the
    text at the beginning of each file for which it's known, None for a file that wasn't there; `outside` are files
    found changed by something that the log doesn't show, `found` all whose change was only seen afterwards, `met` those
    that were written or shown. `moved` are pairs of old and new names, `folders` those that were made; `at_first` are
    the names of `listed` that were shown before anything ran whose effects aren't known. `clock` counts the commands
    with unknown effects.
    """

    documents: dict[str, Document] = field(default_factory=dict)
    original: dict[str, str | None] = field(default_factory=dict)
    made: dict[str, bool] = field(default_factory=dict)
    equal: Equal = field(default_factory=Equal)
    changes: list[Change] = field(default_factory=list)
    versions: list[Version] = field(default_factory=list)
    listed: set[str] = field(default_factory=set)
    at_first: set[str] = field(default_factory=set)
    outside: list[str] = field(default_factory=list)
    found: list[str] = field(default_factory=list)
    met: list[str] = field(default_factory=list)
    moved: list[tuple[str, str]] = field(default_factory=list)
    folders: set[str] = field(default_factory=set)
    captured: set[str] = field(default_factory=set)
    earlier: dict[str, deque[Document]] = field(default_factory=dict)
    clock: int = 0
    claims: Claims = field(default_factory=Claims)
    _seen_at: dict[str, int] = field(default_factory=dict)

    def get(self, path: str) -> Document:
        """The file as it's known now; one of which nothing is known is as it was at the beginning."""
        return self.documents.get(path) or Document()

    def known(self, path: str) -> bool:
        """Whether anything has been seen of a path, or done to it."""
        return path in self.documents or path in self.listed

    def put(self, path: str, document: Document) -> None:
        """A file gets another content, or goes away."""
        self.met.append(path)
        old = self.get(path)
        before, after = old.token, document.token
        if path not in self.documents and path not in self.original:
            self.made.setdefault(path, False)
        self.documents[path] = document
        self._seen_at[path] = self.clock
        self.captured.discard(path)
        if before == after:
            return
        self.earlier.setdefault(path, deque(maxlen=_MOST_UNDONE)).append(old)
        if not derived(path):
            self.changes.append(Change(path, before, after))
            self.versions.append(Version(path, old, document))

    def write(self, path: str, text: str | None, *, key: str = "", existed: bool | None = None) -> None:
        """A file is written whole; `key` names the content where its text isn't known."""
        if not self.known(path) and existed is not True:
            self.absent_before(path)
        self.put(path, whole(text) if text is not None else self.opaque(path, key))

    def opaque(self, path: str, key: str) -> Document:
        """A content that isn't known, named by what made it out of which content."""
        return Document(origin="o" + digest(f"{key}\0{self.get(path).token}"))

    def append(self, path: str, text: str | None, key: str) -> None:
        """Text is added at the end of a file."""
        old = self.get(path)
        if not self.known(path):
            # A file that nobody has seen may be there: only its end is known.
            self.documents[path] = old
        if text is not None and not old.exists:
            self.put(path, whole(text))
        elif text is not None and old.text is not None:
            glue = "" if not old.text or old.text.endswith("\n") else "\n"
            self.put(path, replace(old, text=old.text + glue + text))
        elif text is not None:
            self.put(path, put_at_end(old, text))
        else:
            self.put(path, self.opaque(path, f"{key}\0{text}"))

    def capture(self, path: str) -> None:
        """The output of a program goes into a file: what it holds isn't known, and nothing shows that it's read."""
        if not self.known(path):
            self.absent_before(path)
        self.documents.setdefault(path, Document(origin="captured"))
        self.captured.add(path)

    def remove(self, path: str, *, sure: bool = True) -> list[str]:
        """A file or a folder goes away; the paths that were there. With `sure`, something was there."""
        folders = {name for name in self.folders if under(name, path)}
        self.folders -= folders
        there = [name for name in self.documents if under(name, path) and self.get(name).exists]
        for name in there:
            if name in self.captured:
                self.documents[name] = _ABSENT
                self.captured.discard(name)
            else:
                self.put(name, _ABSENT)
        listed = last(path).lower() not in _OUTPUT and any(under(name, path) for name in self.at_first)
        was_there = sure or path in self.listed or listed
        if not there and not folders and not derived(path) and self.get(path).exists and was_there:
            self.put(path, _ABSENT)
            there = [path]
        return there

    def move(self, old: str, new: str, *, keep: bool = False) -> None:
        """A file or a folder gets another name; with `keep` it's copied."""
        if not keep:
            self.moved.append((old, new))
        folders = [name for name in self.folders if under(name, old)]
        names = [name for name in self.documents if under(name, old) and self.get(name).exists]
        for name in folders:
            self.folders.add(new + name[len(old) :])
            if not keep:
                self.folders.discard(name)
        for name in names or ([] if folders else [old]):
            target = new + name[len(old) :]
            document = self.get(name)
            if not self.known(target):
                self.absent_before(target)
            if name in self.captured and (target in self.captured or not self.get(target).exists):
                self.capture(target)
            elif name in self.captured:
                self.put(target, self.opaque(target, f"{old} in its place"))
            else:
                if document.text is None and not document.origin.startswith("@"):
                    # It's known by the name of the file in which it stood.
                    document = replace(document, origin=f"@{name}\0{document.origin}")
                came_from, _, origin = document.origin.removeprefix("@").partition("\0")
                back = document.origin.startswith("@") and came_from == target
                self.put(target, replace(document, origin=origin) if back else document)
            if not keep:
                self.remove(name)

    def undo(self, path: str) -> None:
        """A file becomes what it was before its last change."""
        if stack := self.earlier.get(path):
            self.put(path, stack.pop())
            stack.pop()

    def see(self, path: str, lines: Lines, step_changed: bool = False) -> None:
        """Lines of a file were shown; a recorder may have given one name to many files."""
        if is_blanked(last(path).partition(".")[0]):
            return
        self.met.append(path)
        old = self.get(path)
        if path in self.captured:
            self.captured.discard(path)
            self.documents[path] = Document()
            old = self.get(path)
        if not old.exists:
            self._found_changed(path)
            self.put(path, whole(lines.text) if lines.whole else Document(origin="x" + digest(lines.text)))
            return
        if lines.whole:
            self._see_whole(path, old, lines.text)
        elif old.text is None:
            self.documents[path] = shown(old, lines.start, lines.lines)
        elif not step_changed:
            self._see_part(path, old, old.text.rstrip("\n").split("\n"), lines)
        self._seen_at[path] = self.clock

    def _see_part(self, path: str, old: Document, known: list[str], lines: Lines) -> None:
        """Lines of a file were shown whose text was taken to be known."""
        there = known[lines.start - 1 : lines.start - 1 + len(lines.lines)]
        if [line.rstrip() for line in there] != [line.rstrip() for line in lines.lines[: len(there)]]:
            self._found_changed(path)
            self.put(path, shown(Document(origin="x" + digest(f"{old.token}{lines.text}")), lines.start, lines.lines))
        elif any(line.strip() for line in lines.lines[len(there) :]):
            # It has more lines than were shown as all of it.
            known_part = Document(origin=old.token, windows=(Window(1, tuple(known)),))
            self.documents[path] = shown(known_part, lines.start, lines.lines)
            self.original.pop(path, None)

    def _found_changed(self, path: str) -> None:
        """A file isn't what it was taken for, unless something with unknown effects has run meanwhile."""
        self.found.append(path)
        if self._seen_at.get(path, 0) == self.clock:
            self.outside.append(path)

    def _see_whole(self, path: str, old: Document, text: str) -> None:
        new = whole(text)
        if old.text is not None:
            if old.token != new.token and _stripped(old.text) != _stripped(text):
                self._found_changed(path)
                self.put(path, new)
            return
        self.equal.same(path, old.token, new.token)
        self.documents[path] = new
        before = original_text(text, old.fragments)
        if before is None:
            return
        self.equal.same(path, replace(old, fragments=()).token, content_token(before))
        for earlier in self.earlier.get(path, ()):
            same_file = earlier.text is None and earlier.origin == old.origin
            if same_file and (made := changed_text(before, earlier.fragments)) is not None:
                self.equal.same(path, earlier.token, content_token(made))
        if old.origin == BASE:
            self.original.setdefault(path, before)

    def list_names(self, text: str, directory: str) -> None:
        """A listing showed these names."""
        text = text[:_MOST_LISTED]
        if holds_any(text.lower(), _MISSING):
            text = "\n".join(line for line in text.split("\n") if not holds_any(line.lower(), _MISSING))
        words = (word for word in set(_WORD.findall(text)) if "." in word or "/" in word)
        names = {normal(found[0], directory) for word in words if (found := _LISTED.match(word)) is not None}
        self.listed |= names
        if not self.clock:
            self.at_first |= names

    def below(self, folder: str) -> Iterator[str]:
        """The known files below a folder."""
        return (path for path in list(self.documents) if under(path, folder))

    def absent_before(self, path: str) -> None:
        """A path is taken for new: what was there at the beginning is nothing."""
        self.original.setdefault(path, None)
        self.made.setdefault(path, True)
        self.equal.same(path, BASE, ABSENT)
        self.documents.setdefault(path, _ABSENT)


def _stripped(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip().split("\n"))
