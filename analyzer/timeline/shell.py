"""Take a shell line apart into its simple commands.

This is no shell: it finds out which programs a line runs and with which words, well enough to say what the line is for.
Here-documents are set aside first (their bodies are text, not commands), wrappers such as `sudo`, `timeout 30` or `uv
run` are looked through, and a line that isn't valid shell is split at the usual separators instead.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from analyzer.model.action import Command

_HEREDOC = re.compile(r"(?<!<)<<(?!<)-?[ \t]*\\?(?P<quote>['\"]?)(?P<tag>[A-Za-z_][\w-]*)(?P=quote)")
_COMMENT = re.compile(
    r"""(?P<quoted>'[^']*'|"(?:\\.|[^"\\])*"|\\.)|(?:^|(?<=[\s;&|(]))\#[^\n]*""", re.DOTALL | re.MULTILINE
)
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
_SEPARATORS = frozenset(";&|\n()")
_WRAPPERS = frozenset(
    {
        "sudo",
        "time",
        "nohup",
        "exec",
        "command",
        "builtin",
        "nice",
        "xargs",
        "stdbuf",
        "then",
        "do",
        "else",
        "if",
        "while",
        "!",
        "{",
    }
)
_WRAPPERS_WITH_VALUE = frozenset({"timeout", "gtimeout"})
_TAKE_VALUES = {
    "sudo": frozenset({"-u", "-g", "-C", "-D", "-h", "-p", "-U"}),
    "xargs": frozenset({"-n", "-I", "-P", "-L", "-d", "-s", "-a", "-E"}),
    "nice": frozenset({"-n"}),
    "env": frozenset({"-u", "-C", "-S"}),
    "timeout": frozenset({"-k", "-s"}),
    "gtimeout": frozenset({"-k", "-s"}),
    "uv": frozenset({"--with", "--python", "-p", "--extra", "--group", "--project", "--directory", "--package"}),
    "conda": frozenset({"-n", "--name", "-p", "--prefix", "--cwd"}),
    "poetry": frozenset({"-C", "--directory", "-P", "--project"}),
    "pdm": frozenset({"-p", "--project"}),
}
"""Options of programs that are looked through whose value is the next word."""
_RUNNERS = {
    "uv": "run",
    "poetry": "run",
    "pipenv": "run",
    "hatch": "run",
    "pdm": "run",
    "rye": "run",
    "conda": "run",
    "bundle": "exec",
}
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
    lexer = shlex.shlex(text.replace("\\\n", " "), posix=True, punctuation_chars=";&|<>()\n")
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
            words.append(token)
    if words or writes:
        groups.append((words, writes))
    return groups, hides and len(groups) > 1


def _is_separator(token: str) -> bool:
    return bool(token) and set(token) <= _SEPARATORS


def _command(words: list[str]) -> Command | None:
    rest = list(words)
    while rest:
        word = rest[0]
        if _ASSIGNMENT.match(word):
            rest.pop(0)
        elif word in _WRAPPERS or word == "env":
            rest = _without_options(rest[1:], word)
        elif word in _WRAPPERS_WITH_VALUE:
            rest = _without_options(rest[1:], word)
            if rest and re.fullmatch(r"[\d.]+[smhd]?", rest[0]):
                rest.pop(0)
        elif len(rest) > 2 and _RUNNERS.get(word) == rest[1]:
            rest = _without_options(rest[2:], word)
        else:
            break
    if not rest:
        return None
    program = PurePosixPath(rest[0]).name or rest[0]
    if program in ("npx", "pnpx", "bunx") and len(rest) > 1:
        rest = [word for word in rest[1:] if not word.startswith("-")] or rest
        program = PurePosixPath(rest[0]).name or rest[0]
    return Command(program, tuple(rest[1:]), " ".join(rest))


def _without_options(words: list[str], wrapper: str) -> list[str]:
    """The words after a wrapper's own options."""
    if wrapper == "!":
        return words
    values = _TAKE_VALUES.get(wrapper, frozenset())
    position = 0
    while position < len(words) and words[position].startswith("-"):
        position += 2 if words[position] in values else 1
    return words[position:]
