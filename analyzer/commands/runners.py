"""What a command is for: which test runner, compiler, linter, build tool or script it starts, what it does otherwise,
and what makes a check say less than it finds."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from itertools import pairwise
from types import MappingProxyType

from analyzer.commands.effects import SCRIPTS
from analyzer.commands.table import Does, Finder, does, entries, file_act, from_subcommand, knows, row_of
from analyzer.model.action import Command
from analyzer.model.words import Kind
from analyzer.text.late import late
from analyzer.text.names import name_set

_ASKS = name_set("--version --help -h --collect-only --co --listTests --list-tests --showConfig")
_TEST_TASK = late(r"^(?:run[-_]?)?tests?(?:[:_-][\w:-]+)?$", re.IGNORECASE)
_LINT_SCRIPT = late(r" (?:lint|types?[:-]?check|check|tsc)\b")
"""The name of a project's own task, behind its package manager."""
_BUILD_SCRIPT = late(r"(build|lint|types?[:-]?check|check|tsc|format|fmt)(?:[:-][\w:-]+)?$")
_WHERE = frozenset({"--filter", "-F", "--workspace", "-w", "--dir", "-C", "--prefix", "--cwd"})
"""Options that say in which package a task runs, each with its value."""
_INSTALLED = late(r"^(?:/usr(?:/local)?|/opt(?:/[\w.-]+){0,6})?/s?bin/")
_PACKAGE_TASKS = frozenset({"install", "add", "i", "remove"})

_LEFT_OUT = late(
    r"(?:(?:^| )--?(?:skip|deselect|ignore(?:-glob)?|exclude)[= ]|(?:^| )-k ?not |!~|=!)(?P<name>[\w./:*-]{3,})"
)
"""How a run of tests leaves some out."""

_Words = tuple[str, ...]


def _module(args: _Words, choices: _Words) -> str | None:
    """A module that is run as a program (`-m pytest`)."""
    return next((word for option, word in pairwise(args) if option == "-m" and word in choices), None)


def _file(args: _Words, choices: _Words) -> str | None:
    """A file that is run, together with the words that must follow it."""
    name, *others = choices
    run = next((word for word in args if not word.startswith("-")), "")
    return name if run.rsplit("/", 1)[-1] == name and all(word in args for word in others) else None


def _archive(args: _Words, choices: _Words) -> str | None:
    """The first words that are no options, without folders and `.phar`."""
    words = [word.rsplit("/", 1)[-1].removesuffix(".phar") for word in args if not word.startswith("-")]
    return choices[0] if tuple(words[: len(choices)]) == choices else None


def _task(args: _Words, _: _Words) -> str | None:
    """A task of a package manager or build tool that is named after tests."""
    words = [word for word in args if not word.startswith("-")][:2]
    if words and words[0] in _PACKAGE_TASKS:
        return None
    return next((word for word in words if word == "t" or _TEST_TASK.match(word.rsplit("/", 1)[-1])), None)


def _build_script(args: _Words, _: _Words) -> str | None:
    words = [word for before, word in zip(("", *args), args, strict=False) if not {before, word} & _WHERE]
    found = next((found for word in words[:2] if (found := _BUILD_SCRIPT.match(word))), None)
    return re.sub(r"s?[:-]", "", found[1]) if found is not None else None


_MATCHERS: Mapping[str, Callable[[_Words, _Words], str | None]] = MappingProxyType(
    {
        "always": lambda _, __: "",
        "runs": lambda args, _: None if _ASKS & set(args) else "",
        "first": lambda args, choices: args[0] if args and args[0] in choices else None,
        "anywhere": lambda args, choices: next((word for word in args if word in choices), None),
        "module": _module,
        "first-module": lambda args, choices: _module(args[:2], choices),
        "file": _file,
        "archive": _archive,
        "task": _task,
        "gradle": lambda args, _: next(
            (word for word in args if word == "check" or word.rsplit(":", 1)[-1].lower().endswith("test")), None
        ),
        "script": _build_script,
    }
)
"""How the words after a program say that it starts a runner: each finds the word that says so, or None."""


def is_of_project(path: str) -> bool:
    """Whether a program is named by a path that lies outside of the folders of installed programs."""
    return "/" in path and _INSTALLED.match(path) is None


def test_runner(command: Command) -> str | None:
    """The test runner that a command starts, or None when it starts none or only asks it something."""
    if _ASKS & set(command.args):
        return None
    row = row_of(command.program) if not does(command.program, command.args) & Does.ASKS else None
    started = _started(command, row.check) if row is not None else None
    path = command.text.split(" ", 1)[0]
    if started is None and is_of_project(path) and _TEST_TASK.match(path.rsplit("/", 1)[-1]):
        return path.removeprefix("./")
    return started


def compiler(command: Command) -> str | None:
    """The compiler, linter or build tool that a command starts, or None."""
    row = row_of(command.program)
    return _started(command, row.build) if row is not None else None


def names_checker(runner: str) -> bool:
    """Whether the name of a runner is that of a linter or type checker, or of a project's task for one."""
    return knows(runner, Does.LINTS) or _LINT_SCRIPT.search(runner) is not None


def left_out(command: Command) -> list[str]:
    """The names or parts of names of the tests that a run leaves out."""
    return [found["name"].strip("*") for found in _LEFT_OUT.finditer(" ".join(command.args))]


def is_linter(command: Command) -> bool:
    """Whether a command checks how code is written, rather than its types."""
    does_so = does(command.program, command.args)
    return bool(does_so & Does.LINTS) and not does_so & Does.TYPES


def _started(command: Command, finders: tuple[Finder, ...]) -> str | None:
    args = from_subcommand(command.program, command.args)
    for matcher, choices, name in finders:
        word = _MATCHERS[matcher](args, choices)
        if word is not None:
            return name.format(program=command.program, word=word)
    return None


@cache
def _settings() -> tuple[tuple[tuple[str, ...], re.Pattern[str], str], ...]:
    flags = re.IGNORECASE | re.MULTILINE
    return tuple(
        (tuple(row["files"].split()), re.compile(row["text"], flags), row["how"]) for row in entries("lessens")
    )


@cache
def _comments(program: str | None) -> re.Pattern[str]:
    rows = (row for row in entries("program") if "hides" in row)
    texts = [row["hides"] for row in rows if program is None or program in row["names"].split()]
    return re.compile("|".join(texts) or "$^")


def lessened(name: str, after: str, before: str) -> tuple[str, str] | None:
    """What a new text of a file of this name (in lower case) makes of the project's checks, as a verb with its object,
    and the words that do; None where it makes no less of them."""
    for files, pattern, how in _settings():
        hit = pattern.search(after) if name.startswith(files) else None
        if hit is not None and hit[0] not in before:
            return how, hit[0]
    return None


def hiding_comments(runner: str, *, tests: bool) -> re.Pattern[str]:
    """What finds the comments that hide messages of the check that a `runner` stands for: its own, or any checker's
    where it's the name of a task, which is none of `tests`."""
    program = runner.split(" ", 1)[0]
    return _comments(None if not tests and knows(program, Does.RECIPE | Does.TASKS) else program)


_CODE_OPTIONS = frozenset({"-c", "-m", "-e", "--eval"})
_VALUE_OPTIONS = frozenset({"-W", "-X"})
_TEST_FILE = late(r"(?:^|/)(?:test_[\w-]+|[\w-]+_test|run_?tests?|tests?)\.(?:py|js|ts|rb|php|sh)$")
_SCRIPTS = (*SCRIPTS, ".jl")
_KINDS = (
    ((Does.RUNS | Does.REMOVES)._value_, Kind.RUN),
    (Does.WRITES._value_, Kind.EDIT),
    (Does.SHOWS._value_, Kind.READ),
    (Does.ASKS._value_, Kind.SEARCH),
    (Does.WAITS._value_, Kind.WAIT),
    (Does.MOVES._value_, Kind.RUN),
    (Does.SPEAKS._value_, None),
)
"""The kind of a command is the first whose word it has. Bits are compared, since every command is asked about."""


@lru_cache(maxsize=4_096)
def script(command: Command) -> str | None:
    """The script file that a command runs (`python repro.py`, `./run.sh`), or None."""
    if command.program.endswith(_SCRIPTS):
        return command.text.split(" ", 1)[0]
    if not knows(command.program, Does.RUNTIME):
        return None
    words = iter(command.args)
    for word in words:
        if word in _CODE_OPTIONS:
            return None
        if word in _VALUE_OPTIONS:
            next(words, None)
        elif word.endswith(_SCRIPTS):
            return word
    return None


def kind_of(command: Command) -> Kind | None:
    """What a command does, or None for one that says nothing (`cd`, `echo`)."""
    if test_runner(command):
        return Kind.TEST
    if command.program.startswith(("-", "$_")) or (command.program[:1] == "." and "(" in command.program):
        return None  # an operator or a method in PowerShell, or what comes through its pipe
    if command.program[:1] == "$" and command.args[:1] in ((), ("=",), ("+=",)):
        return None  # a variable in PowerShell, or what it gets
    if file_act(command.program) == "each" and (run := _run_by_find(command.args)) is not None:
        kind = Kind.RUN if file_act(run.program) == "each" else kind_of(run)
        return Kind.SEARCH if kind in (Kind.READ, Kind.SEARCH, Kind.WAIT, None) else kind
    done = does(command.program, command.args)._value_
    for what, kind in _KINDS:
        if done & what:
            return kind
    name = script(command)
    return Kind.TEST if name and _TEST_FILE.search(name) else Kind.RUN


def _run_by_find(args: tuple[str, ...]) -> Command | None:
    """What `find` runs on what it finds; None where it runs nothing."""
    place = next((place for place, word in enumerate(args) if word in ("-exec", "-execdir", "-ok")), None)
    if place is None or not args[place + 1 :] or "-delete" in args:
        return None
    program, *words = args[place + 1 :]
    return Command(program.rsplit("/", 1)[-1], tuple(words), " ".join(args[place + 1 :]))
