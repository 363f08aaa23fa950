"""Which test runner, compiler, linter or build tool a command starts."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import pairwise
from types import MappingProxyType

from analyzer.model.action import Command
from analyzer.text.expressions import compiled
from analyzer.text.names import name_set, names
from analyzer.text.subcommands import from_subcommand

PYTHONS = compiled(r"^(?:python|pypy)[\d.]*$")
_ASKS = frozenset({"--version", "--help", "-h", "--collect-only", "--co", "--listTests", "--list-tests"})
_TEST_TASK = compiled(r"^(?:run[-_]?)?tests?(?:[:_-][\w:-]+)?$", re.IGNORECASE)
_BUILD_SCRIPT = compiled(r"(build|lint|types?[:-]?check|check|tsc|format|fmt)(?:[:-][\w:-]+)?$")
_WHERE = frozenset({"--filter", "-F", "--workspace", "-w", "--dir", "-C", "--prefix", "--cwd"})
"""Options that say in which package a task runs, each with its value."""
_INSTALLED = compiled(r"^(?:/usr(?:/local)?|/opt(?:/[\w.-]+){0,6})?/s?bin/")
_PACKAGE_TASKS = frozenset({"install", "add", "i", "remove"})

_Words = tuple[str, ...]
_Match = Callable[[_Words], str | None]
"""Finds in the words after a program the one that says what it starts, or None."""
_Row = tuple[str, _Match, str]
"""Programs, what must stand among their words, and the name of what is started; `{program}` and `{word}` in a name are
the program and the word found."""


def _always(_: _Words) -> str | None:
    return ""


def _unless_asked_for_version(args: _Words) -> str | None:
    return None if "--version" in args else ""


def _first(choices: str) -> _Match:
    known = name_set(choices)
    return lambda args: args[0] if args and args[0] in known else None


def _anywhere(choices: str) -> _Match:
    known = name_set(choices)
    return lambda args: next((word for word in args if word in known), None)


def _module(choices: str) -> _Match:
    """A module that is run as a program (`-m pytest`)."""
    known = name_set(choices)
    return lambda args: next((word for option, word in pairwise(args) if option == "-m" and word in known), None)


def _first_module(choices: str) -> _Match:
    match = _module(choices)
    return lambda args: match(args[:2])


def _file(name: str, *others: str) -> _Match:
    """A file that is run, together with the words that must follow it."""

    def match(args: _Words) -> str | None:
        run = next((word for word in args if not word.startswith("-")), "")
        return name if run.rsplit("/", 1)[-1] == name and all(word in args for word in others) else None

    return match


def _archive(*names: str) -> _Match:
    """The first words that are no options, without folders and `.phar`."""

    def match(args: _Words) -> str | None:
        words = [word.rsplit("/", 1)[-1].removesuffix(".phar") for word in args if not word.startswith("-")]
        return names[0] if tuple(words[: len(names)]) == names else None

    return match


def _task(args: _Words) -> str | None:
    """A task of a package manager or build tool that is named after tests."""
    words = [word for word in args if not word.startswith("-")][:2]
    if words and words[0] in _PACKAGE_TASKS:
        return None
    return next((word for word in words if word == "t" or _TEST_TASK.match(word)), None)


def _gradle_task(args: _Words) -> str | None:
    return next((word for word in args if word == "check" or word.rsplit(":", 1)[-1].lower().endswith("test")), None)


def _build_script(args: _Words) -> str | None:
    words = [word for before, word in zip(("", *args), args, strict=False) if not {before, word} & _WHERE]
    found = next((found for word in words[:2] if (found := _BUILD_SCRIPT.match(word))), None)
    return re.sub(r"s?[:-]", "", found[1]) if found is not None else None


def _table(*rows: _Row) -> Mapping[str, tuple[tuple[_Match, str], ...]]:
    table: dict[str, tuple[tuple[_Match, str], ...]] = {}
    for programs, match, name in rows:
        for program in names(programs):
            table[program] = (*table.get(program, ()), (match, name))
    return MappingProxyType(table)


_TEST_RUNNERS = _table(
    (
        """
        ava bats ctest cypress jest karma minitest mocha nox pest phpunit playwright prove pytest rest rspec tox vitest
        """,
        _always,
        "{program}",
    ),
    ("py.test", _always, "pytest"),
    ("nosetests", _always, "nose"),
    ("gotestsum", _always, "go test"),
    ("runtests.py", _always, "django"),
    ("python coverage", _module("pytest unittest doctest nose tox nox"), "{word}"),
    ("python coverage", _file("runtests.py"), "django"),
    ("python coverage", _file("manage.py", "test"), "django"),
    ("python coverage", _file("setup.py", "test"), "setuptools"),
    ("node", _anywhere("--test"), "node --test"),
    ("rails artisan", _first("test"), "{program} test"),
    ("php", _archive("phpunit"), "phpunit"),
    ("php", _archive("pest"), "pest"),
    ("php", _archive("artisan", "test"), "artisan test"),
    ("cargo", _first("test nextest llvm-cov"), "cargo test"),
    ("go dotnet", _first("test"), "{program} test"),
    ("mvn mvnw", _anywhere("test verify integration-test"), "maven"),
    ("gradle gradlew", _gradle_task, "gradle"),
    ("npm pnpm yarn bun deno make mise just task rake composer mix swift sbt lein", _task, "{program} test"),
)
_COMPILERS = _table(
    ("gcc g++ cc c++", _unless_asked_for_version, "gcc"),
    ("clang clang++", _unless_asked_for_version, "clang"),
    ("tsc vue-tsc", _unless_asked_for_version, "tsc"),
    ("pyright basedpyright", _unless_asked_for_version, "pyright"),
    (
        """
        javac kotlinc rustc csc make cmake ninja mypy ruff flake8 pylint eslint oxlint biome golangci-lint staticcheck
        rubocop shellcheck prettier black isort gofmt rustfmt
        """,
        _unless_asked_for_version,
        "{program}",
    ),
    ("cargo", _first("build check clippy run"), "cargo"),
    ("cargo", _first("fmt"), "rustfmt"),
    ("go", _first("build vet run"), "go"),
    ("dotnet", _first("build"), "dotnet"),
    ("mvn mvnw", _always, "maven"),
    ("gradle gradlew", _always, "gradle"),
    ("python", _first_module("py_compile compileall mypy"), "{word}"),
    ("npm pnpm yarn bun deno", _build_script, "{program} {word}"),
)


def is_of_project(path: str) -> bool:
    """Whether a program is named by a path that lies outside of the folders of installed programs."""
    return "/" in path and _INSTALLED.match(path) is None


def test_runner(command: Command) -> str | None:
    """The test runner that a command starts, or None when it starts none or only asks it something."""
    if _ASKS & set(command.args):
        return None
    started = _started(command, _TEST_RUNNERS)
    path = command.text.split(" ", 1)[0]
    if started is None and is_of_project(path) and _TEST_TASK.match(path.rsplit("/", 1)[-1]):
        return path.removeprefix("./")
    return started


def compiler(command: Command) -> str | None:
    """The compiler, linter or build tool that a command starts, or None."""
    return _started(command, _COMPILERS)


def _started(command: Command, table: Mapping[str, tuple[tuple[_Match, str], ...]]) -> str | None:
    program = "python" if PYTHONS.match(command.program) else command.program
    args = from_subcommand(program, command.args)
    for match, name in table.get(program, ()):
        word = match(args)
        if word is not None:
            return name.format(program=command.program, word=word)
    return None
