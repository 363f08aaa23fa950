"""The edit blocks in a model's reply to aider."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.formats.loading.interface import expressions_of
from analyzer.model.struct import Struct

_SAYS = expressions_of(__file__)
FENCES = ("```", "<source>", "</source>", "<code>", "</code>", "<pre>", "</pre>", "~~~")
"""What lines that open or close a fence begin with."""
_LONGEST_PATH = 300


class Edit(Struct, frozen=True):
    """One edit block: its place in the reply, and the file with the texts taken out and put in."""

    start: int
    end: int
    arguments: dict[str, str]


def edits_of(text: str) -> Iterator[Edit]:
    """The SEARCH/REPLACE blocks of a reply, in order. A block without a file name of its own is for the file before
    it."""
    path, end = "", 0
    for found in _SAYS["block"].finditer(text):
        path = _file_above(text[end : found.start()]) or path
        replaced = {"old_str": found["old"], "new_str": found["new"]}
        end = found.end()
        texts = replaced if found["old"].strip() else {"content": found["new"]}
        yield Edit(found.start(), end, {"path": path, **texts})


def shown_in(text: str, path: str) -> dict[str, str]:
    """The arguments of an edit that was applied to a file, from a reply without blocks: all of the file, fenced below
    its name, or a diff. Of a file that the reply doesn't show only the path is known."""
    arguments = {"path": path}
    for fence in _SAYS["fenced"].finditer(text):
        head = _SAYS["diff"].match(fence["body"])
        if head is not None and _names(head["file"], path):
            arguments["diff"] = fence["body"]
        elif head is None and _names(_file_above(text[: fence.start()]), path):
            arguments["content"] = fence["body"]
    return arguments


def _names(name: str, path: str) -> bool:
    """Whether a name in a reply, perhaps without the folders, is that of a file."""
    return bool(name) and (name == path or path.endswith(f"/{name}"))


def _file_above(text: str) -> str:
    """The file name above a block: the last line before it that is no fence and no blank."""
    lines = (line.strip() for line in reversed(text.splitlines()[-4:]) if not line.strip().startswith(FENCES))
    name = next(filter(None, (line.strip("`*:").strip() for line in lines)), "")
    return name if len(name) < _LONGEST_PATH and _SAYS["path"].fullmatch(name) else ""
