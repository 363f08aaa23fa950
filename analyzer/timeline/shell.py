"""Take a shell line apart into its simple commands.

This is no shell: it finds out which programs a line runs and with which words, well enough to say what the line is for.
Here-documents are set aside first (their bodies are text, not commands), wrappers such as `sudo`, `timeout 30` or `uv
run` are looked through, and a line that isn't valid shell is split at the usual separators instead.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from types import MappingProxyType

from analyzer.model.action import Command
from analyzer.text.names import name_set, names
from analyzer.timeline.programs import READERS, SEARCHERS
from analyzer.timeline.runners import is_of_project

_HEREDOC = re.compile(r"(?<!<)<<(?!<)-?[ \t]*\\?(?P<quote>['\"]?)(?P<tag>[A-Za-z_][\w-]*)(?P=quote)")
_COMMENT = re.compile(
    r"""(?P<quoted>'[^']*'|"(?:\\.|[^"\\])*"|\\.)|(?:^|(?<=[\s;&|(]))\#[^\n]*""", re.DOTALL | re.MULTILINE
)
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
_ESCAPED = re.compile(r"""(?P<kept>'[^']*'|"(?:\\.|[^"\\])*"|\\[^();&|<>])|\\(?P<sign>[();&|<>])""", re.DOTALL)
_SIGNS = {sign: chr(0xE000 + number) for number, sign in enumerate("();&|<>")}
"""Private characters that stand for escaped signs, which are words, while a line is split at those that aren't."""
_BACK = str.maketrans({mark: sign for sign, mark in _SIGNS.items()})
_SEPARATORS = frozenset(";&|\n()")
_DURATION = re.compile(r"[\d.]+[smhd]?")
_PACKAGE_RUNNERS = frozenset({"npx", "pnpx", "bunx"})


@dataclass(slots=True, frozen=True)
class _Wrapper:
    """A program that runs the command after it: the word that makes it do so (`uv run`), its options whose value is the
    next word, and whether a duration stands before the command."""

    verb: str | None = None
    valued: frozenset[str] = frozenset()
    has_options: bool = True
    has_duration: bool = False


def _wrappers() -> Mapping[str, _Wrapper]:
    plain = "time nohup exec command builtin stdbuf then do else if while {"
    rows = (
        ("sudo", None, "-u -g -C -D -h -p -U"),
        ("xargs", None, "-n -I -P -L -d -s -a -E"),
        ("nice", None, "-n"),
        ("env", None, "-u -C -S"),
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
_LONGEST = 20_000
"""Characters of a line that are looked at; what follows is text that somebody wrote into a file."""
_MOST_HEREDOCS = 100
_MARK = re.compile(r"\x01(?P<number>\d{1,3})\x01")


@dataclass(slots=True)
class ShellLine:
    """What a shell line consists of. `writes` are the files that output is redirected into, with the here-document that
    goes there where there is one; `pipes` is True when a command's exit code is hidden by a pipe or by what follows
    it."""

    commands: list[Command] = field(default_factory=list)
    writes: list[tuple[str, str | None]] = field(default_factory=list)
    directory: str | None = None
    hides_exit_code: bool = False


def parse(line: str) -> ShellLine:
    """The simple commands of a shell line, in order, with a leading `cd DIR &&` taken off into `directory`."""
    text, bodies = _without_heredocs(line)
    parsed = ShellLine()
    groups, parsed.hides_exit_code = _groups(text[:_LONGEST])
    for words, redirects in groups:
        marks = [found for word in words if (found := _MARK.fullmatch(word))]
        body = next((bodies[number] for mark in reversed(marks) if (number := int(mark["number"])) < len(bodies)), None)
        parsed.writes.extend((target, body) for target in redirects)
        command = _command([word for word in words if not _MARK.fullmatch(word)])
        if command is not None:
            parsed.commands.append(command)
            if command.program == "tee" and body is not None:
                parsed.writes.extend((name, body) for name in command.args if not name.startswith("-"))
    if len(parsed.commands) > 1 and parsed.commands[0].program == "cd" and len(parsed.commands[0].args) == 1:
        parsed.directory = parsed.commands.pop(0).args[0]
    return parsed


def _without_heredocs(line: str) -> tuple[str, list[str]]:
    """The line with a mark in the place of each here-document, and their bodies in order."""
    bodies: list[str] = []
    while len(bodies) < _MOST_HEREDOCS and (found := _HEREDOC.search(line)) is not None:
        tag = found["tag"]
        newline = line.find("\n", found.end())
        if newline < 0:
            return line[: found.start()] + line[found.end() :], bodies
        end = re.compile(rf"^[ \t]*{tag}[ \t]*$", re.MULTILINE).search(line, newline + 1)
        stop = end.start() if end else len(line)
        bodies.append(line[newline + 1 : stop])
        rest = line[end.end() :] if end else ""
        line = f"{line[: found.start()]} \x01{len(bodies) - 1}\x01 {line[found.end() : newline]}{rest}"
    return line, bodies


def _tokens(text: str) -> list[str]:
    text = _ESCAPED.sub(lambda found: found["kept"] or _SIGNS[found["sign"]], text.replace("\\\n", " "))
    lexer = shlex.shlex(text, posix=True, punctuation_chars=";&|<>()\n")
    lexer.whitespace = " \t\r"
    lexer.whitespace_split = True
    lexer.commenters = ""
    try:
        return list(lexer)
    except ValueError:
        spaced = re.sub(r"(&&|\|\||[;|\n<>])", r" \1 ", text)
        return [word.strip("'\"") or word for word in re.split(r"[ \t\r]+", spaced) if word]


def _groups(text: str) -> tuple[list[tuple[list[str], list[str]]], bool]:
    groups: list[tuple[list[str], list[str]]] = []
    words: list[str] = []
    writes: list[str] = []
    hides = False
    redirect: str | None = None
    for token in _tokens(_COMMENT.sub(lambda found: found["quoted"] or "", text)):
        if token and set(token) <= set("<>&|") and set(token) & set("<>"):
            redirect = token
            if words and words[-1].isdigit() and len(words[-1]) == 1:
                words.pop()
        elif redirect is not None:
            if redirect.lstrip("&").startswith(">") and not redirect.endswith("&") and token != "/dev/null":
                writes.append(token)
            redirect = None
        elif _is_separator(token):
            if words or writes:
                groups.append((words, writes))
                words, writes = [], []
            hides = hides or token in ("|", "|&", ";", "||") or (token.startswith("\n") and len(groups) > 0)
        else:
            words.append(token.translate(_BACK))
    if words or writes:
        groups.append((words, writes))
    return groups, hides and len(groups) > 1


def _is_separator(token: str) -> bool:
    return bool(token) and set(token) <= _SEPARATORS


def _command(words: list[str]) -> Command | None:
    rest = _unwrapped(words)
    if not rest:
        return None
    program = _base_name(rest[0])
    if program in _PACKAGE_RUNNERS and len(rest) > 1:
        rest = [word for word in rest[1:] if not word.startswith("-")] or rest
        program = _base_name(rest[0])
    return Command(program, tuple(rest[1:]), " ".join(rest))


def _base_name(path: str) -> str:
    """The name of a program without its folders; a program of the project that is called like one that looks at
    something (`bin/test`) keeps them, since it is another."""
    name = PurePosixPath(path).name or path
    return path.removeprefix("./") if name in READERS | SEARCHERS and is_of_project(path) else name


def _unwrapped(words: list[str]) -> list[str]:
    """The words without the assignments and wrappers before the command."""
    rest = words
    while rest:
        if _ASSIGNMENT.match(rest[0]):
            rest = rest[1:]
            continue
        wrapper = _WRAPPERS.get(rest[0])
        if wrapper is None:
            break
        if wrapper.verb is None:
            rest = rest[1:]
        elif len(rest) > 2 and rest[1] == wrapper.verb:
            rest = rest[2:]
        else:
            break
        rest = _without_options(rest, wrapper)
    return rest


def _without_options(words: list[str], wrapper: _Wrapper) -> list[str]:
    """The words after a wrapper's own options."""
    position = 0
    while wrapper.has_options and position < len(words) and words[position].startswith("-"):
        position += 2 if words[position] in wrapper.valued else 1
    if wrapper.has_duration and position < len(words) and _DURATION.fullmatch(words[position]):
        position += 1
    return words[position:]
