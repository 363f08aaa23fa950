"""What version control does to the files, as far as the log shows what was committed, staged and set aside."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from analyzer.commands.git import GitCall
from analyzer.model.struct import Struct, field
from analyzer.text.names import name_set
from analyzer.workspace import patches
from analyzer.workspace.document import Document, whole
from analyzer.workspace.files import Files
from analyzer.workspace.paths import normal, under

_QUIET = name_set("""
status log diff show branch remote rev-parse ls-files blame grep describe config shortlog reflog fetch push tag add
ls-remote check-ignore cat-file for-each-ref fsck rev-list merge-base name-rev count-objects bisect-log notes
symbolic-ref ls-tree diff-index diff-tree format-patch archive help version init gc maintenance var worktree
whatchanged show-ref hash-object write-tree commit-tree update-index range-diff credential send-pack
verify-pack read-tree mktree
""")
_FOLLOWED = name_set("checkout restore stash reset commit clean rm mv switch")
_UNKNOWN = Document()
_HEAD = ("HEAD", "@")


class Git(Struct):
    """One repository. A file that was there at the beginning counts as committed as it was then."""

    files: Files
    head: dict[str, Document] = field(default_factory=dict)
    staged: dict[str, Document] = field(default_factory=dict)
    stashes: list[dict[str, Document]] = field(default_factory=list)
    commits: list[dict[str, Document]] = field(default_factory=list)
    """What each commit of the session changed, as it was before."""
    saved: dict[str, dict[str, Document]] = field(default_factory=dict)
    _originals: dict[str, tuple[str, Document]] = field(default_factory=dict)

    def run(self, call: GitCall, directory: str, root: str, unknown: Callable[[str], None]) -> None:
        """Follow one call; `root` is the folder of the repository. `unknown` is called with the reason where the effect
        isn't known."""
        directory = normal(call.folder, directory) if call.folder is not None else directory
        verb, rest = call.verb, call.words
        known = verb in _QUIET or verb in _FOLLOWED
        if verb in ("mv", "rm") and {"-n", "--dry-run"} & set(rest):
            known = True
        elif verb in ("checkout", "restore"):
            self._checkout(call, directory, unknown)
        elif verb == "stash":
            self._stash(rest, directory, root)
        elif verb == "reset":
            self._reset(call, root, unknown)
        elif verb == "commit":
            self._commit(rest, root)
        elif verb == "clean":
            self._clean(rest, directory)
        elif verb == "rm":
            for name in call.names if "--cached" not in rest else ():
                self.files.remove(normal(name, directory))
        elif verb == "mv" and len(call.names) == 2:
            old, new = call.names
            self.files.move(normal(old, directory), normal(new, directory))
        elif verb == "revert" and call.names[:1] in (("HEAD",), ()) and self.commits:
            known = True
            for path, document in self.commits.pop().items():
                self.head[path] = document
                self.files.put(path, document)
        elif verb == "switch":
            self._branch(call, unknown)
        if verb == "add":
            self._add(call, directory, root)
        elif not known:
            unknown("git " + " ".join((verb, *rest[:2])))

    def committed(self, path: str) -> Document | None:
        """The file as it was last committed, None for one that never was."""
        if path in self.head:
            return self.head[path]
        if self.files.made.get(path, False):
            return None
        text = self.files.original.get(path)
        if text is None:
            return _UNKNOWN
        known = self._originals.get(path)
        if known is None or known[0] is not text:
            known = self._originals[path] = text, whole(text)
        return known[1]

    def changed(self, root: str) -> dict[str, Document]:
        """The committed files below `root` that differ from what was committed."""
        found = {}
        for path in self.files.below(root):
            committed = self.committed(path)
            if committed is not None and not self._same(path, committed):
                found[path] = self.files.get(path)
        return found

    def _same(self, path: str, document: Document) -> bool:
        equal = self.files.equal
        return equal.of(path, self.files.get(path).token) == equal.of(path, document.token)

    def _restore(self, path: str, *, staged: bool = True) -> None:
        document = (self.staged.get(path) if staged else None) or self.committed(path)
        if document is not None:
            self.files.put(path, document)

    def _checkout(self, call: GitCall, directory: str, unknown: Callable[[str], None]) -> None:
        rest, switches = call.words, call.verb == "checkout"
        source = next((word.partition("=")[2] for word in rest if word.startswith("--source=")), None)
        for flag in ("--source", "-s"):
            if flag in rest and rest.index(flag) + 1 < len(rest):
                source = rest[rest.index(flag) + 1]
        names = list(call.names)
        if switches and "--" in rest:
            at = rest.index("--")
            names, source = list(rest[at + 1 :]), next((word for word in rest[:at] if word in call.names), None)
        if not switches and ("--staged" in rest or "-S" in rest) and not ("--worktree" in rest or "-W" in rest):
            for name in names:
                for path in [path for path in self.staged if under(path, normal(name, directory))]:
                    del self.staged[path]
            return
        if switches and "--" not in rest:
            if any(word in ("-b", "-B", "--orphan", "-t", "--track") for word in rest):
                return
            if names and not self._are_paths(names, directory):
                if len(names) > 1 and self._are_paths(names[1:], directory):
                    source, names = names[0], names[1:]
                else:
                    self._branch(call, unknown)
                    return
        for name in names:
            folder = normal(name, directory)
            for path in list(self.files.below(folder)) or [folder]:
                if source is None or source in _HEAD:
                    self._restore(path, staged=source is None)
                elif self.committed(path) is not None:
                    self.files.put(path, Document(origin=f"git {source}"))

    def _are_paths(self, names: Sequence[str], directory: str) -> bool:
        return all(
            name in (".", "*")
            or re.search(r"\.\w{1,8}$", name)
            or any(True for _ in self.files.below(normal(name, directory)))
            for name in names
        )

    def _branch(self, call: GitCall, unknown: Callable[[str], None]) -> None:
        if call.names and not any(word in ("-c", "-C", "--create") for word in call.options):
            unknown(f"git switch {call.names[0]}")

    def _stash(self, rest: tuple[str, ...], directory: str, root: str) -> None:
        verb = next((word for word in rest if not word.startswith("-")), "push") if "--" not in rest[:1] else "push"
        if verb in ("list", "show", "drop", "clear", "branch"):
            if verb == "drop" and self.stashes:
                self.stashes.pop()
            return
        if verb in ("pop", "apply"):
            if self.stashes:
                stash = self.stashes.pop() if verb == "pop" else self.stashes[-1]
                for path, document in stash.items():
                    self.files.put(path, document)
            return
        files, changed = self.files, self.changed(root)
        if any(word in ("-u", "--include-untracked", "-a", "--all") for word in rest):
            new = [path for path in files.below(root) if self.committed(path) is None and files.get(path).exists]
            changed |= {path: files.get(path) for path in new}
        changed |= {path: files.get(path) for path in self.staged if under(path, root)}
        if "--" in rest:
            chosen = [normal(name, directory) for name in rest[rest.index("--") + 1 :]]
            changed = {path: entry for path, entry in changed.items() if any(under(path, name) for name in chosen)}
        if not changed:
            return
        self.stashes.append(changed)
        for path in changed:
            committed = self.committed(path)
            self.staged.pop(path, None)
            if committed is None:
                files.remove(path)
            else:
                files.put(path, committed)

    def _reset(self, call: GitCall, root: str, unknown: Callable[[str], None]) -> None:
        target = next(iter(call.names), "HEAD")
        if "--hard" not in call.options:
            self.staged.clear()
            return
        if target not in _HEAD:
            unknown(f"git reset --hard {target}")
        new = list(self.staged)
        self.staged.clear()
        for path in self.changed(root):
            self._restore(path)
        for path in new:
            if self.committed(path) is None:
                self.files.remove(path)

    def _add(self, call: GitCall, directory: str, root: str) -> None:
        folders = [normal(name, directory) for name in call.names]
        if any(word in ("-A", "--all", "-u") for word in call.options) and not call.names:
            folders = [root]
        for folder in folders:
            for path in self.files.below(folder):
                document, committed = self.files.get(path), self.committed(path)
                if committed is None or not self._same(path, committed):
                    self.staged[path] = document

    def _commit(self, rest: Sequence[str], root: str) -> None:
        flags = (word.split("=")[0] for word in rest if word.startswith("-") and not word.startswith("--"))
        new = dict(self.staged)
        if "--all" in rest or any("a" in flag for flag in flags):
            new |= self.changed(root)
        if not new:
            return
        self.commits.append({path: before for path in new if (before := self.committed(path)) is not None})
        self.head |= new
        self.staged.clear()

    def _clean(self, rest: Sequence[str], directory: str) -> None:
        forced = any("f" in word for word in rest if word.startswith("-"))
        if not forced or "-n" in rest or "--dry-run" in rest:
            return
        for path in self.files.below(directory):
            if self.committed(path) is None and path not in self.staged:
                self.files.remove(path)

    def apply_file(self, path: str, directory: str, *, reverse: bool) -> bool:
        """Apply the patch that a file holds; whether it's known what that does."""
        if path in self.saved:
            for name, document in self.saved[path].items():
                if (committed := self.committed(name)) is not None:
                    self.files.put(name, committed if reverse else document)
            return True
        text = self.files.get(path).text
        if text is None or not patches.is_patch(text):
            return False
        patches.apply(self.files, text, directory, reverse=reverse)
        return True
