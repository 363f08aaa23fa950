"""Take a shell line apart into its simple commands.

This is no shell: it finds out which programs a line runs and with which words, well enough to say what the line is for.
Here-documents are set aside first (their bodies are text, not commands), wrappers such as `sudo`, `timeout 30` or `uv
run` are looked through, a line that is given to another shell is opened, and a line that isn't valid shell is split at
the usual separators instead.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import PurePosixPath

from analyzer.commands.inner_lines import inner_of
from analyzer.commands.runners import is_of_project
from analyzer.commands.statements import Redirect, Statement, Word, printed_words, statements
from analyzer.commands.table import SUFFIX, Does, Wrapper, file_act, is_silent, knows, row_of
from analyzer.model.action import Command
from analyzer.model.struct import Struct, field
from analyzer.text.late import late

ASSIGNMENT = late(r"[A-Za-z_]\w*=")
"""How a word begins that gives a variable its value."""
_DURATION = late(r"[\d.]+[smhd]?")
_INSTALLED = ("/bin/", "/usr/bin/", "/usr/local/bin/")


def command_at(words: Sequence[str], *, stop: Collection[str] = ()) -> int:
    """The place of the first word of a command behind the assignments and wrappers before it; `stop` are wrappers that
    are left in place."""
    place = 0
    while place < len(words):
        if "=" in words[place] and ASSIGNMENT.match(words[place]):
            place += 1
            continue
        folder = next((folder for folder in _INSTALLED if words[place].startswith(folder)), "")
        name = words[place].removeprefix(folder)
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


def _after_options(words: Sequence[str], place: int, wrapper: Wrapper) -> int:
    """The place behind a wrapper's own options."""
    while wrapper.has_options and place < len(words) and words[place].startswith("-"):
        place += 2 if words[place] in wrapper.valued else 1
    if wrapper.has_duration and place < len(words) and _DURATION.fullmatch(words[place]):
        place += 1
    return min(place, len(words))


_OUTPUT_OF = late(r"[A-Za-z_]\w*=\$\((?P<line>.*)\)", re.DOTALL)
_CHANGE_DIRECTORY = frozenset({"set-location", "chdir", "sl"})
_NAMES_PATH = frozenset({"-path", "-literalpath"})
_APPENDS = frozenset({"-a", "--append"})
_DEEPEST = 3
"""How many lines within lines are opened."""


class ShellLine(Struct):
    """What a shell line consists of. `writes` are the files that output is redirected into, with the text that
    goes there where the line itself has it (a here-document, the words of `echo`); `inputs` is the here-document that
    each command reads, None where it reads none. `shows` says whether any command's output is left for whoever ran the
    line."""

    commands: list[Command] = field(default_factory=list)
    inputs: list[str | None] = field(default_factory=list)
    writes: list[tuple[Redirect, str | None]] = field(default_factory=list)
    directory: str | None = None
    shows: bool = False


def parse(line: str) -> ShellLine:
    """The simple commands of a shell line, in order, with a leading `cd DIR &&` taken off into `directory`."""
    parsed = ShellLine()
    found = list(_executed(statements(line)))
    written: set[int] = set()
    for (statement, elsewhere), following in zip(found, [*found, None][1:], strict=True):
        words, body = statement.words, statement.stdin
        command = _command([word.text for word in words], elsewhere=elsewhere)
        if body is None and words:
            body = printed_words(words[0].text, words[1:])
        if not elsewhere:
            # Where a line within the line is redirected, its commands share the redirection.
            own = (redirect for redirect in statement.writes if id(redirect) not in written)
            parsed.writes.extend((redirect, None if redirect.errors_only else body) for redirect in own)
            written.update(map(id, statement.writes))
        piped = following is not None and following[0].joined == "|"
        if command is not None and not piped and not is_silent(command.program):
            parsed.shows |= not any(not redirect.errors_only for redirect in statement.writes)
        if command is not None:
            parsed.commands.append(command)
            parsed.inputs.append(statement.stdin)
            if file_act(command.program) == "keep-input" and not elsewhere:
                append = not _APPENDS.isdisjoint(command.args)
                names = (word for word in command.args if not word.startswith("-"))
                parsed.writes.extend((Redirect(Word(name), append), statement.stdin) for name in names)
    if found and not found[-1][0].words and found[-1][0].writes and all(made.depth for made, _ in found[:-1]):
        parsed.shows = False  # what commands in brackets print goes into a file
    first = parsed.commands[0] if len(parsed.commands) > 1 else None
    if first is not None and file_act(first.program) == "enter" and len(first.args) == 1:
        parsed.directory = parsed.commands.pop(0).args[0]
        parsed.inputs.pop(0)
    return parsed


def _executed(found: list[Statement], depth: int = 0, *, elsewhere: bool = False) -> Iterator[tuple[Statement, bool]]:
    """The statements, each with whether it runs in a container or on another machine. The commands whose output an
    assignment keeps take its place, and those of a line that a shell is given the place of the shell; what is run
    elsewhere follows the command that runs it."""
    for statement in found:
        kept = _OUTPUT_OF.fullmatch(statement.words[0].text) if len(statement.words) == 1 else None
        if kept is not None and depth < _DEEPEST:
            yield from _executed(statements(kept["line"]), depth + 1, elsewhere=elsewhere)
            continue
        words = statement.words[command_at([word.text for word in statement.words]) :]
        inner = inner_of(words, statement.stdin) if depth < _DEEPEST else None
        if inner is None or inner.elsewhere:
            yield statement, elsewhere
        if inner is None:
            continue
        if not inner.elsewhere:  # a redirection of the shell is its commands', and so is its place in a pipe
            inner.statements[0].joined, inner.statements[-1].piped = statement.joined, statement.piped
            for made in inner.statements:
                made.writes.extend(statement.writes)
        yield from _executed(inner.statements, depth + 1, elsewhere=elsewhere or inner.elsewhere)


def _command(words: list[str], *, elsewhere: bool) -> Command | None:
    rest = words[command_at(words) :]
    if not rest:
        return None
    program = _base_name(rest[0])
    if program.casefold() in _CHANGE_DIRECTORY:
        program, rest = "cd", ["cd", *(word for word in rest[1:] if word.casefold() not in _NAMES_PATH)]
    return Command(program, tuple(rest[1:]), " ".join(rest), elsewhere)


def _base_name(path: str) -> str:
    """The name of a program without its folders; a program of the project that is called like one that looks at
    something (`bin/test`) keeps them, since it is another."""
    name = SUFFIX.sub("", PurePosixPath(path.replace("\\", "/")).name or path)
    return path.removeprefix("./") if is_of_project(path) and knows(name, Does.SHOWS | Does.ASKS) else name
