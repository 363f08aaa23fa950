"""Command lines within command lines: what a shell is given as text (`bash -lc '...'`), and what a command runs in a
container or on another machine (`docker exec box sh -c '...'`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import PurePosixPath

from analyzer.commands.statements import Statement, Word, statements
from analyzer.model.struct import Struct
from analyzer.text.late import late
from analyzer.text.names import name_set

SHELLS = name_set("bash sh zsh dash ksh ash fish rbash")
_GIVES = late(r"-[A-Za-z]*c[A-Za-z]*")
"""The option of a shell that says that a command line follows; shells allow others in the same word."""
_SHELL_VALUES = frozenset({"-o", "+o", "-O", "+O", "--rcfile", "--init-file"})
_POWERSHELLS = name_set("powershell pwsh")
_POWER_GIVES = name_set("c com comm comma comman command")
_POWER_VALUES = late(r"[-/](?:ex\w*|ep|w|win\w*|wo\w*|v\w*|o|out\w*|in\w*|con\w*)", re.IGNORECASE)
_BLOCK = late(r"(?s)\s*&?\s*\{(?P<line>.*)\}\s*")
_CMD_GIVES = name_set("/c /k //c //k")
_CONTAINERS = name_set("docker podman nerdctl docker-compose kubectl oc lxc incus")
_SWITCHES = name_set(
    "--rm -i -t -it -ti -d -T -P --no-deps --build --init --privileged -q --quiet --detach --interactive --tty"
)
"""The options of containers that have no value."""
_SSH_VALUES = name_set("-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w")
_LONGEST = 20_000


class Inner(Struct, frozen=True):
    """The commands that another one runs; `elsewhere` where they run in a container or on another machine, whose
    files aren't those of the session."""

    statements: list[Statement]
    elsewhere: bool = False


def inner_of(words: Sequence[Word], stdin: str | None = None) -> Inner | None:
    """The commands that a command runs which is given a command line; None for another one, and where the line is
    not written out. `words` are those of the command without what wraps it."""
    if not words:
        return None
    texts = [word.text for word in words]
    program = program_name(texts[0])
    if program in _READERS:
        return _parsed(_READERS[program](texts, stdin))
    if program == "vagrant" and "-c" in texts[:-1]:
        return _parsed(texts[texts.index("-c") + 1], elsewhere=True)
    if program == "ssh":
        place = _after_options(texts, _after_options(texts, 1, _SSH_VALUES) + 1, _SSH_VALUES)
        return _parsed(" ".join(texts[place:]) or (stdin if len(texts) <= place else None), elsewhere=True)
    return _contained(words, texts, stdin) if program in _CONTAINERS else None


def line_given(program: str, arguments: Sequence[str]) -> str | None:
    """The command line that a shell of whatever system is given; None for another program."""
    line_of = _READERS.get(program_name(program))
    return line_of([program, *arguments], None) if line_of is not None else None


def program_name(path: str) -> str:
    """The name of a program without its folders and without the ending of executable files on Windows."""
    return (PurePosixPath(path.replace("\\", "/")).name or path).lower().removesuffix(".exe")


def _parsed(line: str | None, *, elsewhere: bool = False) -> Inner | None:
    if line is None or not line.strip() or line.lstrip().startswith(("$", "`")) or len(line) > _LONGEST:
        return None
    found = statements(line)
    return Inner(found, elsewhere) if found else None


def _of_shell(texts: Sequence[str], stdin: str | None) -> str | None:
    given = False
    at = 1
    while at < len(texts) and texts[at][:1] in "-+" and texts[at] not in ("-", "--"):
        given = given or _GIVES.fullmatch(texts[at]) is not None
        at += 2 if texts[at] in _SHELL_VALUES else 1
    if given:
        at += at < len(texts) and texts[at] == "--"
        return texts[at] if at < len(texts) else None
    reads = at == len(texts) or texts[at] in ("-", "--") or "-s" in texts[1:at]
    return stdin if reads else None


def _of_powershell(texts: Sequence[str], _: str | None) -> str | None:
    at = 1
    while at < len(texts) and texts[at].startswith(("-", "/")):
        if texts[at][1:].lower() in _POWER_GIVES:
            line = " ".join(texts[at + 1 :])
            block = _BLOCK.fullmatch(line)
            return block["line"] if block is not None else line
        at += 2 if _POWER_VALUES.fullmatch(texts[at]) else 1
    return None


def _of_cmd(texts: Sequence[str], _: str | None) -> str | None:
    place = next((at for at, text in enumerate(texts) if text.lower() in _CMD_GIVES), None)
    if place is None or not all(text.startswith("/") for text in texts[1:place]):
        return None
    return " ".join(texts[place + 1 :])


_READERS: dict[str, Callable[[Sequence[str], str | None], str | None]] = {
    **dict.fromkeys(SHELLS, _of_shell),
    **dict.fromkeys(_POWERSHELLS, _of_powershell),
    "cmd": _of_cmd,
}


def _contained(words: Sequence[Word], texts: Sequence[str], stdin: str | None) -> Inner | None:
    """What runs in a container: the words behind its name, or those from a shell on that is given a line."""
    verb = next((at for at, text in enumerate(texts) if text in ("exec", "run") and at <= 6), None)
    if verb is None:
        return None
    behind = range(verb + 1, len(texts) - 1)
    shells = (at for at in behind if program_name(texts[at]) in SHELLS and _GIVES.fullmatch(texts[at + 1]))
    shell = next(shells, None)
    if shell is None and "--" in texts[verb:]:
        shell = texts.index("--", verb) + 1
    if shell is None:
        shell = verb + 1
        while shell < len(texts) and texts[shell].startswith("-"):
            shell += 1 if "=" in texts[shell] or texts[shell] in _SWITCHES else 2
        shell += 1
    if shell >= len(texts) or {"-d", "--detach"} & set(texts[verb:shell]):
        return None
    return Inner([Statement(list(words[shell:]), stdin=stdin)], elsewhere=True)


def _after_options(texts: Sequence[str], start: int, valued: frozenset[str]) -> int:
    at = start
    while at < len(texts) and texts[at].startswith("-"):
        at += 2 if texts[at] in valued else 1
    return at
