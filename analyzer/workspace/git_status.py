"""What `git status` shows of a working copy: which files are not tracked, and which are changed."""

from __future__ import annotations

from analyzer.model.struct import Struct
from analyzer.text.expressions import compiled

_SHORT = compiled(r"(?P<index>[ MADRCUT?!])(?P<copy>[ MADRCUT?!]) (?P<path>\S.*)")
_LONG = compiled(r"(?:modified|deleted|renamed|new file|both modified|typechange): +(?P<path>\S.*)")
_UNTRACKED = "Untracked files:"
_SECTION = compiled(r"^(?:Changes |Untracked files:|Unmerged paths:|On branch |no changes added|nothing )")
_LONGEST = 40_000


class WorkingCopy(Struct, frozen=True):
    """The paths that aren't tracked, and those with changes that aren't committed, as git wrote them: a folder ends
    with a slash."""

    untracked: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()


def working_copy_shown(text: str) -> WorkingCopy:
    """What the output of a command line with `git status` in it shows, in the short form or the long one."""
    untracked: list[str] = []
    changed: list[str] = []
    in_untracked = False
    for line in text[:_LONGEST].splitlines():
        if _SECTION.match(line):
            in_untracked = line.startswith(_UNTRACKED)
        elif (found := _SHORT.fullmatch(line)) is not None and found["index"] + found["copy"] != "  ":
            unknown = found["index"] == "?"
            if unknown or "!" not in (found["index"], found["copy"]):
                (untracked if unknown else changed).append(_path(found["path"]))
        elif line[:1] in ("\t", " ") and (named := line.strip()) and not named.startswith("("):
            if (long := _LONG.match(named)) is not None:
                changed.append(_path(long["path"]))
            elif in_untracked:
                untracked.append(_path(named))
    return WorkingCopy(tuple(untracked), tuple(changed))


def _path(text: str) -> str:
    """A path without quotes and without the name before a renaming."""
    return text.rpartition(" -> ")[2].strip().strip('"')
