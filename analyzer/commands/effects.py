"""Which programs leave the workspace as it is, and what is known of those that don't."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import PurePosixPath

from analyzer.commands.statements import Word
from analyzer.commands.table import ASKING, PYTHONS, Does, does, from_subcommand, knows, row_of
from analyzer.text.late import late
from analyzer.text.names import name_set, names
from analyzer.text.plain import holds_any

SCRIPTS = names(".py .js .mjs .cjs .ts .rb .pl .php .sh .lua .R")
"""How scripts end that an interpreter runs."""
_GIVES_CODE = frozenset({"-c", "-e", "--eval", "-p", "-lc", "-ne", "-pe"})
_GIVES_LINE = late(r"-[a-z]*c[a-z]*")
_ASSIGNS = late(r"^[${@}-]|^\.\w+\(")
"""Assignments, blocks, operators and calls of methods in PowerShell."""
_FIXES = names("fix write format update fmt")
_CHECK_WORD = late(r"^(?:test|tests|lint|check|type-?check|tsc|build|ci|e2e|unit)(?:[:_-][\w:-]+)?$")
_JS_WRITES = late(
    r"\b(?:writeFile|appendFile|unlink|rename|mkdir|rmdir|copyFile|createWriteStream|truncate|cpSync|rmSync|outputFile)|"
    r"child_process|execSync|Bun\.write|Deno\.(?:write|remove)|File\.(?:write|open)|FileUtils|file_put_contents|fopen\("
)
UPDATES = late(
    r"^(?:-u|--?update(?:-?snapshots?|-?golden)?|--snapshot-update|--update-golden|--force-regen|--inline-snapshot=.*)$"
)


def program_of(words: Sequence[Word]) -> str:
    """The base name of the program that a command runs."""
    return PurePosixPath(words[0].text.replace("\\", "/")).name or words[0].text


def is_harmless(program: str, arguments: Sequence[str], *, is_test: bool) -> bool:
    """Whether a program changes no file of the project. `is_test` is what the action is known for."""
    row = row_of(program)
    if any(UPDATES.match(word) for word in arguments) and (is_test or (row is not None and row.does & Does.SAFE)):
        return False
    done = does(program, tuple(arguments))
    if done._value_ & Does.SAFE._value_ or _ASSIGNS.match(program):
        return True
    if done & Does.FORMATS:
        return False
    if "--version" in arguments or "--help" in arguments or (row is not None and row.sub and not arguments):
        return program != "make"
    words = [word for word in from_subcommand(program, arguments) if not word.startswith("-")]
    if words[:1] in (["run"], ["run-script"], ["exec"]) and row is not None and row.sub:
        return len(words) > 1 and _checks(words[1])
    if row is not None and row.does & Does.RECIPE and row.sub:
        return bool(words) and _checks(words[0])
    if done & Does.TASKS:
        return any(_CHECK_WORD.match(word.rsplit(":", 1)[-1]) for word in words)
    if words[:1] and words[0] in ASKING | {"wait", "watch"} and not (row is not None and row.sub):
        return True
    return (is_test and not PYTHONS.match(program)) or program.endswith((".test", "_test", "runtests.py"))


def _checks(word: str) -> bool:
    """Whether a task of a project is called like one that only checks or builds."""
    return _CHECK_WORD.match(word) is not None and not holds_any(word.lower(), _FIXES)


@lru_cache(maxsize=4_096)
def code_of(program: str, arguments: tuple[str, ...]) -> tuple[str, str] | None:
    """What an interpreter runs: (`file`, its name), (`code`, its text) or (`module`, its name); None for a program that
    is no interpreter."""
    if program.endswith((*SCRIPTS, ".bash")):
        return "file", program
    if not knows(program, Does.RUNTIME):
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
    return PYTHONS.match(program) is not None or program.endswith(".py")


def is_shell(program: str) -> bool:
    """Whether a program is a shell or a script of one."""
    return program in ("bash", "sh", "zsh") or program.endswith((".sh", ".bash"))


def written_names(program: str, args: Sequence[str]) -> list[str]:
    """The files whose content a command changes, as its words name them."""
    row = row_of(program)
    if row is None or not row.writes or not does(program, tuple(args)) & (Does.WRITES | Does.MOVES):
        return []
    if row.writes.startswith("-"):
        return [word for option, word in pairwise(args) if option in row.writes.split()]
    if row.writes == "path":
        named = [word for option, word in pairwise(args) if option.casefold() in _PATH_OPTIONS]
        return named[-1:] or [word for word in args[:1] if not word.startswith("-")]
    names = [word for word in args if not word.startswith("-")]
    given = [word for option, word in pairwise(("", *args)) if _EXPRESSION.fullmatch(option)]
    has_expression = bool(given) or any(word.startswith("--expression=") for word in args)
    names = [name for name in names if name not in given]
    return names[-1:] if row.writes == "last" else names[1:] if row.writes == "rest" and not has_expression else names


_PATH_OPTIONS = frozenset({"-path", "-filepath", "-literalpath", "-destination"})
_EXPRESSION = late(r"-\w*e|--expression")
_WRITTEN = late(
    r"(?:writeFile|appendFile|outputFile|createWriteStream|Bun\.write|writeTextFile|(?:File|IO)\.write|WriteAllText"
    r"|file_put_contents)(?:Sync)?\(\s*(?P<quote>['\"`])(?P<path>[^'\"`\n]{1,300})(?P=quote)"
)


def foreign_code_writes(code: str) -> list[str] | None:
    """The files that a program in another language than Python writes, by the names in it; None where nothing in it is
    a sign of something that changes files."""
    names = [found["path"] for found in _WRITTEN.finditer(code)]
    return names if names or _JS_WRITES.search(code) is not None else None


_CALLS = late(r"::(?:Write|Append)All(?:Text|Lines|Bytes)\(\s*(?:\$(?P<name>\w+)|['\"](?P<path>[^'\"\n]{1,300})['\"])")


def written_by_calls(line: str) -> list[str]:
    """The files that a line of PowerShell writes by methods of .NET, also by a variable that names one in it."""
    found: list[str] = []
    for call in _CALLS.finditer(line):
        name = re.escape(call["name"] or "")
        given = re.search(rf"\${name}\s*=[^;\n]*?(?P<path>[\w.\\/:-]+\.\w{{1,8}})", line) if name else call
        found += [given["path"]] if given is not None else []
    return found


MODULES_THAT_CHECK = name_set("""
pytest unittest doctest nose tox nox py_compile compileall mypy flake8 pylint pdb http.server json.tool trace cProfile
timeit pyright site platform coverage
""")
"""Modules that `python -m` runs without a change to the project."""
