"""Programs and words of the shell that run the command after them: `sudo`, `timeout 30`, `uv run`, `npx`."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from analyzer.commands.table import Wrapper, row_of
from analyzer.text.expressions import compiled

ASSIGNMENT = compiled(r"[A-Za-z_]\w*=")
"""How a word begins that gives a variable its value."""
_DURATION = compiled(r"[\d.]+[smhd]?")
_INSTALLED = ("/bin/", "/usr/bin/", "/usr/local/bin/")


def command_at(words: Sequence[str], *, stop: Collection[str] = ()) -> int:
    """The place of the first word of a command behind the assignments and wrappers before it; `stop` are wrappers that
    are left in place."""
    place = 0
    while place < len(words):
        if "=" in words[place] and ASSIGNMENT.match(words[place]):
            place += 1
            continue
        name = _without_folder(words[place])
        row = row_of(name) if name not in stop else None
        wrapper = row.wraps if row is not None else None
        if wrapper is None:
            break
        if not wrapper.verbs:
            place += 1
        elif (verb := _after_options(words, place + 1, wrapper)) + 1 < len(words) and words[verb] in wrapper.verbs:
            place = verb + 1
        else:
            break
        place = _after_options(words, place, wrapper)
    return place


def _without_folder(path: str) -> str:
    """The name of an installed program."""
    folder = next((folder for folder in _INSTALLED if path.startswith(folder)), "")
    return path.removeprefix(folder)


def _after_options(words: Sequence[str], place: int, wrapper: Wrapper) -> int:
    """The place behind a wrapper's own options."""
    while wrapper.has_options and place < len(words) and words[place].startswith("-"):
        place += 2 if words[place] in wrapper.valued else 1
    if wrapper.has_duration and place < len(words) and _DURATION.fullmatch(words[place]):
        place += 1
    return min(place, len(words))
