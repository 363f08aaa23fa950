"""What one action did to the workspace, and ids of states: equal where every file has equal content, whichever way that
came about.

While the session is replayed only the changes of tokens are recorded, and which tokens turn out to name the same
content. The ids are worked out at the end, so that what a later read shows of a file also counts for the steps before
it.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

from analyzer.model.struct import Struct
from analyzer.workspace.document import BASE, Document


class Change(Struct, frozen=True):
    """One file got another content."""

    path: str
    before: str
    after: str


class Version(Struct, frozen=True):
    """What a file was before a change and what it is after it."""

    path: str
    before: Document
    after: Document


class Equal:
    """Which tokens of a file name the same content."""

    def __init__(self) -> None:
        self._parent: dict[tuple[str, str], str] = {}

    def copy(self) -> Equal:
        """The same knowledge, to which more can be added apart."""
        twin = Equal()
        twin._parent = dict(self._parent)
        return twin

    def same(self, path: str, one: str, other: str) -> None:
        """Two tokens of a file name the same content."""
        first, second = self.of(path, one), self.of(path, other)
        if first != second:
            if second == BASE:
                first, second = second, first
            self._parent[path, second] = first

    def of(self, path: str, token: str) -> str:
        """The token that stands for all that name this content."""
        if (path, token) not in self._parent:
            return token
        seen = []
        while (parent := self._parent.get((path, token))) is not None:
            seen.append(token)
            token = parent
        for entry in seen[:-1]:
            self._parent[path, entry] = token
        return token


class StateIds:
    """The id of each state in the order in which they come up."""

    def __init__(self, equal: Equal) -> None:
        self._equal = equal
        self._sum = 0
        self._unknown = ""
        self._names: dict[tuple[int, str], str] = {}
        self._weights: dict[tuple[str, str], int] = {}

    @property
    def current(self) -> str:
        """The id of the state at hand: `S` and a number, with a question mark behind it where something has run whose
        effects aren't known."""
        key = (self._sum, self._unknown)
        if key not in self._names:
            self._names[key] = f"S{len(self._names)}" + ("?" if self._unknown else "")
        return self._names[key]

    def apply(self, changes: Iterable[Change], unknown: str | None = None) -> None:
        """What a step did: files that changed, and the mark that stands for all unknown effects up to now."""
        for change in changes:
            self._sum ^= self._weight(change.path, change.before) ^ self._weight(change.path, change.after)
        if unknown is not None:
            self._unknown = unknown

    def _weight(self, path: str, token: str) -> int:
        token = self._equal.of(path, token)
        if token == BASE:
            return 0
        key = (path, token)
        if key not in self._weights:
            made = blake2b(f"{path}\0{token}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
            self._weights[key] = int.from_bytes(made)
        return self._weights[key]


class Step(Struct):
    """What one action did. `directory` is where it ran (empty: not known), `changes` the files that it changed,
    `versions` what they were before and after, `touched` all that it names as changed, `unknown` the commands whose
    effects aren't known, `outside` the files that it found changed by something else, `found` those whose change it
    only showed and no step is known to have made, `moved` the old and new names of what it moved, `mark` the name of
    all unknown effects up to here, `rewritten` that of all rewriting of files that outputs report up to here, where
    this one does."""

    number: int
    lane: str
    directory: str = ""
    changes: tuple[Change, ...] = ()
    versions: tuple[Version, ...] = ()
    touched: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    found: tuple[str, ...] = ()
    moved: tuple[tuple[str, str], ...] = ()
    mark: str | None = None
    rewritten: str | None = None

    def by_file(self) -> dict[str, Version]:
        """What each file was before the step and is after all of it."""
        found: dict[str, Version] = {}
        for version in self.versions:
            first = found.get(version.path, version)
            found[version.path] = Version(version.path, first.before, version.after)
        return found
