"""Programs and words of the shell that run the command after them: `sudo`, `timeout 30`, `uv run`, `npx`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from analyzer.text.expressions import compiled
from analyzer.text.names import name_set, names

ASSIGNMENT = compiled(r"[A-Za-z_]\w*=")
"""How a word begins that gives a variable its value."""
_DURATION = compiled(r"[\d.]+[smhd]?")
_INSTALLED = ("/bin/", "/usr/bin/", "/usr/local/bin/")


@dataclass(slots=True, frozen=True)
class _Wrapper:
    """A program that runs the command after it: the word that makes it do so (`uv run`), its options whose value is the
    next word, and whether a duration stands before the command."""

    verb: str | None = None
    valued: frozenset[str] = frozenset()
    has_options: bool = True
    has_duration: bool = False


def _wrappers() -> Mapping[str, _Wrapper]:
    plain = """
    time nohup exec command builtin stdbuf setsid unbuffer caffeinate rtk then do else if elif while until { npx pnpx
    bunx
    """
    rows = (
        ("sudo", None, "-u -g -C -D -h -p -U"),
        ("xargs", None, "-n -I -P -L -d -s -a -E"),
        ("nice", None, "-n"),
        ("env", None, "-u -C -S"),
        ("wsl", None, "-d --distribution -u --user --cd"),
        ("uv", "run", "--with --python -p --extra --group --project --directory --package"),
        ("conda", "run", "-n --name -p --prefix --cwd"),
        ("poetry", "run", "-C --directory -P --project"),
        ("pdm", "run", "-p --project"),
        ("pipenv", "run", ""),
        ("hatch", "run", ""),
        ("rye", "run", ""),
        ("bundle", "exec", ""),
    )
    duration = _Wrapper(valued=frozenset({"-k", "-s"}), has_duration=True)
    return MappingProxyType(
        {
            **dict.fromkeys(names(plain), _Wrapper()),
            **{name: _Wrapper(verb, name_set(valued)) for name, verb, valued in rows},
            "!": _Wrapper(has_options=False),
            "timeout": duration,
            "gtimeout": duration,
        }
    )


_WRAPPERS = _wrappers()


def command_at(words: Sequence[str], *, stop: Collection[str] = ()) -> int:
    """The place of the first word of a command behind the assignments and wrappers before it; `stop` are wrappers that
    are left in place."""
    place = 0
    while place < len(words):
        if ASSIGNMENT.match(words[place]):
            place += 1
            continue
        name = _without_folder(words[place])
        wrapper = _WRAPPERS.get(name) if name not in stop else None
        if wrapper is None:
            break
        if wrapper.verb is None:
            place += 1
        elif place + 2 < len(words) and words[place + 1] == wrapper.verb:
            place += 2
        else:
            break
        place = _after_options(words, place, wrapper)
    return place


def _without_folder(path: str) -> str:
    """The name of an installed program."""
    folder = next((folder for folder in _INSTALLED if path.startswith(folder)), "")
    return path.removeprefix(folder)


def _after_options(words: Sequence[str], place: int, wrapper: _Wrapper) -> int:
    """The place behind a wrapper's own options."""
    while wrapper.has_options and place < len(words) and words[place].startswith("-"):
        place += 2 if words[place] in wrapper.valued else 1
    if wrapper.has_duration and place < len(words) and _DURATION.fullmatch(words[place]):
        place += 1
    return min(place, len(words))
