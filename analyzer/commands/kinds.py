"""What well-known programs are for."""

from __future__ import annotations

from functools import lru_cache

from analyzer.commands.runners import test_runner
from analyzer.commands.table import Does, does, file_act, knows
from analyzer.model.action import Command
from analyzer.model.words import Kind
from analyzer.text.expressions import compiled

_CODE_OPTIONS = frozenset({"-c", "-m", "-e", "--eval"})
_VALUE_OPTIONS = frozenset({"-W", "-X"})
_TEST_FILE = compiled(r"(?:^|/)(?:test_[\w-]+|[\w-]+_test|run_?tests?|tests?)\.(?:py|js|ts|rb|php|sh)$")
_SCRIPT = compiled(r"\.(?:py|js|mjs|cjs|ts|rb|pl|php|sh|lua|R|jl)$")
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
    if _SCRIPT.search(command.program):
        return command.text.split(" ", 1)[0]
    if not knows(command.program, Does.RUNTIME):
        return None
    words = iter(command.args)
    for word in words:
        if word in _CODE_OPTIONS:
            return None
        if word in _VALUE_OPTIONS:
            next(words, None)
        elif _SCRIPT.search(word):
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
