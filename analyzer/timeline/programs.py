"""What well-known programs are for."""

from __future__ import annotations

import re
from itertools import pairwise

from analyzer.model.action import Command
from analyzer.model.words import Kind

READERS = frozenset(
    {
        "cat",
        "head",
        "tail",
        "less",
        "more",
        "nl",
        "bat",
        "sed",
        "awk",
        "od",
        "xxd",
        "hexdump",
        "strings",
        "jq",
        "yq",
        "cut",
        "column",
    }
)
SEARCHERS = frozenset(
    {
        "grep",
        "egrep",
        "fgrep",
        "rg",
        "ag",
        "ack",
        "find",
        "fd",
        "ls",
        "tree",
        "locate",
        "which",
        "whereis",
        "type",
        "wc",
        "stat",
        "file",
        "du",
        "diff",
        "cmp",
        "pwd",
        "dirname",
        "basename",
        "realpath",
        "readlink",
        "sort",
        "uniq",
        "tr",
        "test",
        "[",
        "env",
        "printenv",
        "date",
        "whoami",
        "uname",
        "hostname",
        "id",
        "ps",
        "pgrep",
        "lsof",
        "df",
        "free",
    }
)
NEUTRAL = frozenset(
    {
        "cd",
        "echo",
        "printf",
        "true",
        "false",
        ":",
        "set",
        "export",
        "source",
        ".",
        "pushd",
        "popd",
        "sleep",
        "clear",
        "exit",
        "done",
        "fi",
        "for",
        "esac",
        "case",
        "unset",
        "ulimit",
        "umask",
        "alias",
        "}",
        "break",
        "continue",
        "trap",
        "wait",
    }
)
FILE_WRITERS = frozenset({"tee", "patch", "truncate", "dd", "install"})
FILE_MOVERS = frozenset({"rm", "mv", "cp", "mkdir", "rmdir", "ln", "chmod", "chown", "touch", "unzip", "tar"})

_RUNNER_PROGRAMS = {
    "pytest": "pytest",
    "py.test": "pytest",
    "nosetests": "nose",
    "tox": "tox",
    "nox": "nox",
    "jest": "jest",
    "vitest": "vitest",
    "mocha": "mocha",
    "ava": "ava",
    "karma": "karma",
    "playwright": "playwright",
    "cypress": "cypress",
    "rspec": "rspec",
    "minitest": "minitest",
    "phpunit": "phpunit",
    "pest": "pest",
    "ctest": "ctest",
    "gotestsum": "go test",
    "bats": "bats",
    "prove": "prove",
    "runtests.py": "django",
    "rest": "rest",
}
_COMPILERS = {
    "gcc": "gcc",
    "g++": "gcc",
    "cc": "gcc",
    "c++": "gcc",
    "clang": "clang",
    "clang++": "clang",
    "javac": "javac",
    "kotlinc": "kotlinc",
    "rustc": "rustc",
    "tsc": "tsc",
    "csc": "csc",
    "make": "make",
    "cmake": "cmake",
    "ninja": "ninja",
    "mypy": "mypy",
    "ruff": "ruff",
    "flake8": "flake8",
    "pylint": "pylint",
    "pyright": "pyright",
    "eslint": "eslint",
    "oxlint": "oxlint",
    "biome": "biome",
    "golangci-lint": "golangci-lint",
    "staticcheck": "staticcheck",
    "basedpyright": "pyright",
    "vue-tsc": "tsc",
    "rubocop": "rubocop",
    "shellcheck": "shellcheck",
    "prettier": "prettier",
    "black": "black",
    "isort": "isort",
    "gofmt": "gofmt",
    "rustfmt": "rustfmt",
}
_SCRIPT_WORD = re.compile(r"(build|lint|type-?check|check|tsc|format|fmt)(?:[:-][\w:-]+)?$")
_ASKS = frozenset({"--version", "--help", "-h", "--collect-only", "--co", "--listTests", "--list-tests"})
_TEST_WORD = re.compile(r"^(?:run-?)?tests?(?:[:_-][\w:-]+)?$", re.IGNORECASE)
_TEST_FILE = re.compile(r"(?:^|/)(?:test_[\w-]+|[\w-]+_test|run_?tests?|tests?)\.(?:py|js|ts|rb|php|sh)$")
PYTHONS = re.compile(r"^(?:python|pypy)[\d.]*$")
_SCRIPT = re.compile(r"\.(?:py|js|mjs|cjs|ts|rb|pl|php|sh|lua|R|jl)$")


def test_runner(command: Command) -> str | None:
    """The test runner that a command starts, or None when it starts none or only asks it something."""
    program, args = command.program, command.args
    if _ASKS & set(args):
        return None
    if program in _RUNNER_PROGRAMS:
        return _RUNNER_PROGRAMS[program]
    if (PYTHONS.match(program) or program == "coverage") and args:
        modules = [module for option, module in pairwise(args) if option == "-m"]
        for module in modules:
            if module in ("pytest", "unittest", "doctest", "nose", "tox", "nox"):
                return module
        name = next((word for word in args if not word.startswith("-")), "")
        base = name.rsplit("/", 1)[-1]
        if base == "runtests.py" or (base == "manage.py" and "test" in args):
            return "django"
        if base == "setup.py" and "test" in args:
            return "setuptools"
    if program == "node" and "--test" in args:
        return "node --test"
    if program in ("rails", "artisan") and args[:1] == ("test",):
        return f"{program} test"
    if program == "php":
        words = [word.rsplit("/", 1)[-1].removesuffix(".phar") for word in args if not word.startswith("-")][:2]
        if words[:1] in (["phpunit"], ["pest"]):
            return words[0]
        if words == ["artisan", "test"]:
            return "artisan test"
    if program == "cargo" and args and args[0] in ("test", "nextest", "llvm-cov"):
        return "cargo test"
    if program == "go" and args and args[0] == "test":
        return "go test"
    if program == "dotnet" and args and args[0] == "test":
        return "dotnet test"
    if program in ("mvn", "mvnw") and any(word in ("test", "verify", "integration-test") for word in args):
        return "maven"
    if program in ("gradle", "gradlew") and any(
        word.rsplit(":", 1)[-1].lower().endswith("test") or word == "check" for word in args
    ):
        return "gradle"
    if program in (
        "npm",
        "pnpm",
        "yarn",
        "bun",
        "deno",
        "make",
        "mise",
        "just",
        "task",
        "rake",
        "composer",
        "mix",
        "swift",
        "sbt",
        "lein",
    ) and any(_TEST_WORD.match(word) or word == "t" for word in _first_words(args)):
        return f"{program} test"
    return None


def _first_words(args: tuple[str, ...]) -> list[str]:
    words = [word for word in args if not word.startswith("-")][:2]
    return [] if words[:1] in (["install"], ["add"], ["i"], ["remove"]) else words


def compiler(command: Command) -> str | None:
    """The compiler, linter or build tool that a command starts, or None."""
    program, args = command.program, command.args
    if program in _COMPILERS:
        return None if "--version" in args else _COMPILERS[program]
    if program == "cargo" and args and args[0] in ("build", "check", "clippy", "run", "fmt"):
        return "rustfmt" if args[0] == "fmt" else "cargo"
    if program == "go" and args and args[0] in ("build", "vet", "run"):
        return "go"
    if program == "dotnet" and args and args[0] == "build":
        return "dotnet"
    if program in ("mvn", "mvnw"):
        return "maven"
    if program in ("gradle", "gradlew"):
        return "gradle"
    if PYTHONS.match(program) and args[:2] in (("-m", "py_compile"), ("-m", "compileall"), ("-m", "mypy")):
        return args[1]
    if program in ("npm", "pnpm", "yarn", "bun", "deno"):
        chosen = next((found for word in args[:2] if (found := _SCRIPT_WORD.match(word))), None)
        return f"{program} {chosen[1].replace('-', '')}" if chosen else None
    return None


def script(command: Command) -> str | None:
    """The script file that a command runs (`python repro.py`, `./run.sh`), or None."""
    if _SCRIPT.search(command.program):
        return command.text.split(" ", 1)[0]
    if PYTHONS.match(command.program) or command.program in (
        "node",
        "bash",
        "sh",
        "ruby",
        "perl",
        "php",
        "deno",
        "bun",
        "tsx",
        "ts-node",
        "Rscript",
    ):
        skip = False
        for word in command.args:
            if skip:
                skip = False
            elif word in ("-c", "-m", "-e", "--eval"):
                return None
            elif word in ("-W", "-X"):
                skip = True
            elif _SCRIPT.search(word):
                return word
    return None


def looks_like_test_file(path: str) -> bool:
    """Whether a script's name says that it tests something."""
    return _TEST_FILE.search(path) is not None


def kind_of(command: Command) -> Kind | None:
    """What a command does, or None for one that says nothing (`cd`, `echo`)."""
    program, args = command.program, command.args
    if test_runner(command):
        return Kind.TEST
    if program == "sleep":
        return Kind.WAIT
    if program in NEUTRAL:
        return None
    if program == "sed" or program == "perl":
        in_place = any(
            word.startswith("--in-place") or re.match(r"^-[a-zA-Z]*i", word) for word in args if word.startswith("-")
        )
        return Kind.EDIT if in_place else Kind.READ if program == "sed" else Kind.RUN
    if program in FILE_WRITERS or program in ("applypatch", "apply_patch"):
        return Kind.EDIT
    if program == "git":
        word = next((word for word in args if not word.startswith("-")), "")
        if word in (
            "status",
            "log",
            "branch",
            "remote",
            "rev-parse",
            "ls-files",
            "blame",
            "grep",
            "describe",
            "config",
            "shortlog",
            "reflog",
        ):
            return Kind.SEARCH
        if word in ("diff", "show"):
            return Kind.READ
        return (
            Kind.EDIT
            if word in ("apply", "checkout", "restore", "stash", "revert", "am")
            and ("--" in args or word != "checkout")
            else Kind.RUN
        )
    if program in READERS:
        return Kind.READ
    if program in SEARCHERS:
        return Kind.SEARCH
    name = script(command)
    if name and looks_like_test_file(name):
        return Kind.TEST
    return Kind.RUN
