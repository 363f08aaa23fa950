"""Which programs leave the workspace as it is, and what is known of those that don't."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from analyzer.text.expressions import compiled
from analyzer.text.subcommands import from_subcommand
from analyzer.workspace.command_effects.shell import Word

_HARMLESS_NAMES = """
sed gsed cat head tail less more nl bat awk gawk od xxd hexdump strings jq yq cut column grep egrep fgrep rg ag ack
find fd ls tree locate which whereis type wc stat file du diff cmp pwd dirname basename realpath readlink sort uniq tr
test [ [[ env printenv date whoami uname hostname id ps pgrep lsof df free echo printf true false : set export source
. sleep clear exit done fi for esac case unset ulimit umask alias } { break continue trap wait read local return
declare shopt seq md5sum sha1sum sha256sum shasum cksum base64 fold paste join comm rev tac expr bc cal man help
history time top htop kill pkill killall ping nc netstat ss ip ifconfig dig nslookup host open xdg-open pbcopy jobs fg
bg disown tput stty command hash in do then else if while until elif function select chmod chown chgrp mkdir sync
ssh-add gh glab pytest py.test nosetests jest vitest mocha ava karma rspec phpunit ctest gotestsum bats prove tox nox
coverage mypy flake8 pylint pyright basedpyright tsc vue-tsc shellcheck staticcheck javac gcc g++ cc clang clang++
rustc kotlinc csc ld ninja objdump nm ldd strace gdb pydoc get-content get-childitem select-string test-path
select-object write-host write-output where-object measure-object dir pip-audit cloc tokei psql mysql sqlite3
redis-cli findstr tasklist taskkill systeminfo ipconfig tracert where more
"""
HARMLESS = frozenset(_HARMLESS_NAMES.split())
"""Programs that change no file of the project: they look, compute, check or build into folders of their own."""
_PYTHON = compiled(r"^(?:python|pypy)[\d.]*$")
_SCRIPTS = compiled(r"\.(?:py|js|mjs|cjs|ts|rb|pl|php|sh|bash|lua|R)$")
_INTERPRETERS = frozenset(
    {"node", "deno", "bun", "ruby", "perl", "php", "bash", "sh", "zsh", "tsx", "ts-node", "Rscript", "lua"}
)
_GIVES_CODE = frozenset({"-c", "-e", "--eval", "-p", "-lc", "-ne", "-pe"})
_GIVES_LINE = compiled(r"-[a-z]*c[a-z]*")
_FIXERS = {
    "black": frozenset({"--check", "--diff", "--version"}),
    "isort": frozenset({"--check", "--check-only", "--diff", "-c", "--version"}),
    "rustfmt": frozenset({"--check"}),
    "autopep8": frozenset({"--diff", "-d"}),
    "yapf": frozenset({"--diff", "-d"}),
}
"""Formatters that write unless they are asked not to."""
_FIX = frozenset(
    {
        "--fix",
        "--write",
        "-w",
        "--apply",
        "--autofix",
        "-a",
        "-A",
        "--auto-correct",
        "--autocorrect",
        "--in-place",
        "-i",
    }
)
"""Words that make a linter write."""
_LINTERS = frozenset(
    {"ruff", "eslint", "prettier", "biome", "oxlint", "gofmt", "goimports", "rubocop", "golangci-lint", "stylelint"}
)
_QUIET_WORDS = {
    "npm": (
        "test",
        "t",
        "ls",
        "list",
        "view",
        "run-script",
        "outdated",
        "audit",
        "why",
        "config",
        "-v",
        "--version",
        "root",
    ),
    "pnpm": ("test", "t", "ls", "list", "why", "-v", "--version", "root"),
    "yarn": ("test", "list", "why", "-v", "--version"),
    "bun": ("test", "-v", "--version"),
    "pip": ("list", "show", "freeze", "check", "--version", "index"),
    "pip3": ("list", "show", "freeze", "check", "--version", "index"),
    "uv": ("tree", "--version"),
    "cargo": ("test", "build", "check", "clippy", "run", "nextest", "bench", "doc", "tree", "--version", "metadata"),
    "go": ("test", "build", "vet", "run", "list", "env", "version", "doc"),
    "dotnet": ("test", "build", "run", "--version", "--info"),
    "make": ("test", "check", "lint", "build", "all", "tests"),
    "mvn": ("test", "verify", "compile", "package", "dependency:tree"),
    "mvnw": ("test", "verify", "compile", "package", "dependency:tree"),
    "docker": ("ps", "logs", "images", "inspect", "build", "exec", "info", "version"),
    "kubectl": ("get", "describe", "logs"),
    "apt-cache": ("search", "show", "policy"),
    "apt": ("list", "search", "show"),
}
"""The first words with which programs that do many things change no file of the project."""
_CMDLET = compiled(
    r"^(?:Get|Test|Select|Write|Where|ForEach|Sort|Measure|Format|Convert\w*|Join|Split|Resolve|Compare)-[A-Z]\w+$|^[${@}]"
)
"""Commands of PowerShell that only look, and the assignments and blocks around them."""
_FIXING_WORD = compiled(r"fix|write|format|update|fmt", re.IGNORECASE)
_LOOKS = frozenset(
    {"status", "list", "ls", "show", "logs", "log", "ps", "get", "describe", "view", "info", "wait", "watch", "search"}
)
"""First words by which a program that isn't known is asked something."""
_CHECK_WORD = compiled(r"^(?:test|tests|lint|check|type-?check|tsc|build|ci|e2e|unit)(?:[:_-][\w:-]+)?$")
_JS_WRITES = compiled(
    r"\b(?:writeFile|appendFile|unlink|rename|mkdir|rmdir|copyFile|createWriteStream|truncate|cpSync|rmSync|outputFile)|"
    r"child_process|execSync|Bun\.write|Deno\.(?:write|remove)|File\.(?:write|open)|FileUtils|file_put_contents|fopen\("
)
_UPDATES = compiled(
    r"^(?:-u|--update(?:-?snapshots?)?|--snapshot-update|--update-golden|--force-regen|--inline-snapshot=.*)$"
)


def program_of(words: Sequence[Word]) -> str:
    """The base name of the program that a command runs."""
    return PurePosixPath(words[0].text.replace("\\", "/")).name or words[0].text


def is_harmless(program: str, arguments: Sequence[str], *, is_test: bool) -> bool:
    """Whether a program changes no file of the project. `is_test` is what the action is known for."""
    if any(_UPDATES.match(word) for word in arguments) and (is_test or program in HARMLESS):
        return False
    if program in HARMLESS or program.lower() in HARMLESS or _CMDLET.match(program):
        return True
    if program in _FIXERS:
        return bool(_FIXERS[program] & set(arguments))
    if program in _LINTERS:
        return (not (_FIX & set(arguments)) and "format" not in arguments[:1]) or "--check" in arguments
    if "--version" in arguments or "--help" in arguments or (program in _QUIET_WORDS and not arguments):
        return program != "make"
    arguments = from_subcommand(program, arguments)
    words = [word for word in arguments if not word.startswith("-")]
    if program in _QUIET_WORDS:
        if arguments[0] in _QUIET_WORDS[program] and arguments[0] != "run-script":
            return True
        if words[:1] in (["run"], ["run-script"], ["exec"]):
            return len(words) > 1 and _checks(words[1])
        return bool(words) and program in ("yarn", "pnpm", "make", "bun") and _checks(words[0])
    if program in (
        "gradle",
        "gradlew",
        "sbt",
        "mix",
        "rake",
        "composer",
        "swift",
        "just",
        "task",
        "mise",
        "lein",
        "cmake",
    ):
        return any(_CHECK_WORD.match(word.rsplit(":", 1)[-1]) for word in words) or program in ("gradle", "gradlew")
    if words[:1] and words[0] in _LOOKS:
        return True
    return (is_test and not _PYTHON.match(program)) or program.endswith((".test", "_test", "runtests.py"))


def _checks(word: str) -> bool:
    """Whether a task of a project is called like one that only checks or builds."""
    return _CHECK_WORD.match(word) is not None and _FIXING_WORD.search(word) is None


def is_formatter(program: str) -> bool:
    """Whether a program rewrites the files that it's given, and no others."""
    return program in _FIXERS or program in _LINTERS


def code_of(program: str, arguments: Sequence[str]) -> tuple[str, str] | None:
    """What an interpreter runs: (`file`, its name), (`code`, its text) or (`module`, its name); None for a program that
    is no interpreter."""
    if _SCRIPTS.search(program):
        return "file", program
    if not (_PYTHON.match(program) or program in _INTERPRETERS):
        return None
    skip = False
    for index, word in enumerate(arguments):
        if skip:
            skip = False
        elif (_GIVES_LINE.fullmatch(word) if is_shell(program) else word in _GIVES_CODE) and index + 1 < len(arguments):
            return "code", arguments[index + 1]
        elif word == "-m" and index + 1 < len(arguments):
            return "module", arguments[index + 1]
        elif word in ("-W", "-X"):
            skip = True
        elif word in ("-", "run") or word.startswith("-"):
            continue
        else:
            return "file", word
    return "code", ""


def is_python(program: str) -> bool:
    """Whether a program is an interpreter of Python or a script in it."""
    return _PYTHON.match(program) is not None or program.endswith(".py")


def is_shell(program: str) -> bool:
    """Whether a program is a shell or a script of one."""
    return program in ("bash", "sh", "zsh") or program.endswith((".sh", ".bash"))


def foreign_code_writes(code: str) -> bool:
    """Whether a program in another language than Python shows a sign of something that changes files."""
    return _JS_WRITES.search(code) is not None


_MODULES_THAT_CHECK_NAMES = """
pytest unittest doctest nose tox nox py_compile compileall mypy flake8 pylint pdb http.server json.tool trace cProfile
timeit pyright site platform coverage
"""
MODULES_THAT_CHECK = frozenset(_MODULES_THAT_CHECK_NAMES.split())
"""Modules that `python -m` runs without a change to the project."""
