"""What a result shows of files: a file tool's answer, the output of `cat`, `sed -n 1,20p`, `head` and `nl`, and names
in listings."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from analyzer.commands.table import Does, does, file_act, is_silent, knows
from analyzer.failures.envelope import printed
from analyzer.model.action import Action, Command
from analyzer.model.words import Status
from analyzer.text.expressions import compiled
from analyzer.workspace import shown
from analyzer.workspace.files import Files
from analyzer.workspace.paths import normal

_RANGE = compiled(r"^(?P<first>\d{1,7})(?:,(?P<last>\d{1,7}|\$|\+\d{1,7}))?p;?(?:\d+q)?$")
_LISTS = Does.ASKS | Does.RECORDS
_CUTS = ("edit", "beginning")
_FOOTER = compiled(r"\n*\[[^\]\n]*(?:exit code|working directory|interpreter|finished)[^\]\n]*\]\s*$", re.IGNORECASE)


def seen(files: Files, action: Action, directory: str) -> None:
    """Learn what the result of a shell line shows of files."""
    if not action.result:
        return
    result = printed(action.result)
    commands = _telling(action)
    if any(knows(command.program, _LISTS) for command in commands):
        files.list_names(result, _listed_folder(commands, directory))
    found = shown_part(action)
    if found is not None:
        files.see(normal(found[0], directory), found[1])


def shown_part(action: Action) -> tuple[str, shown.Lines] | None:
    """The file whose text a result shows, as the call names it, with its lines; None where that can't be known."""
    if not action.result or action.status is Status.ERROR:
        return None
    return _of_line(action) if action.operation.command is not None else _of_tool(action, action.result)


def _telling(action: Action) -> list[Command]:
    """The commands of a line that may print something."""
    return [command for command in action.operation.commands if not is_silent(command.program)]


def _of_line(action: Action) -> tuple[str, shown.Lines] | None:
    commands = _telling(action)
    if len(commands) == 2 and _numbers(commands[0]) and file_act(commands[1].program) in _CUTS:
        commands = commands[:1]
    if len(commands) != 1:
        return None
    command = commands[0]
    names = [
        word for word in command.args if not word.startswith("-") and not _RANGE.match(word) and not word.isdigit()
    ]
    if len(names) != 1 or any(sign in names[0] for sign in "*?$[{") or action.operation.writes:
        return None
    lines = _lines(command, printed(action.result or ""), action)
    return (names[0], lines) if lines is not None else None


def _of_tool(action: Action, result: str) -> tuple[str, shown.Lines] | None:
    operation = action.operation
    if not operation.path or "://" in operation.path:
        return None
    limited = operation.lines is not None or (isinstance(action.arguments, Mapping) and "limit" in action.arguments)
    lines = shown.numbered(result)
    if lines is None and (operation.lines is not None or not limited):
        start = operation.lines[0] if operation.lines is not None else 1
        lines = shown.as_printed(result, start, whole=operation.lines is None)
        if lines is not None and not _reads_like_text(lines.lines):
            lines = None
    if lines is not None and limited and lines.whole:
        lines = shown.Lines(lines.start, lines.lines, whole=False)
    return (operation.path, lines) if lines is not None else None


def _reads_like_text(lines: tuple[str, ...]) -> bool:
    """Whether what a reader without line numbers printed is the file, and not a wrapper around it."""
    first = lines[0].lstrip()
    if len(lines) == 1 and " file " in f" {first.lower()} ":
        return False  # a word of the reader about the file ("File unchanged since last read.")
    numbered = sum(1 for line in lines if line.lstrip()[:1].isdigit())
    return numbered * 2 < len(lines) + 1 and not first.startswith(
        ("Here's the", '{"callId"', "[File:", "<path>", "Error")
    )


def _listed_folder(commands: Sequence[Command], directory: str) -> str:
    """The folder whose files a line lists by their names alone."""
    if len(commands) == 1 and file_act(commands[0].program) == "folder":
        names = [word for word in commands[0].args if not word.startswith("-")]
        if (
            len(names) == 1
            and "." not in names[0].rsplit("/", 1)[-1]
            and not any(sign in names[0] for sign in "*?$[{~")
        ):
            return normal(names[0], directory)
    return directory


def _numbers(command: Command) -> bool:
    """Whether a command puts a number before each line that it shows."""
    return bool(does(command.program, command.args) & Does.NUMBERS)


def _lines(command: Command, result: str, action: Action) -> shown.Lines | None:
    while result.rstrip().endswith("]") and (stripped := _FOOTER.sub("", result)) != result:
        result = stripped
    act, args = file_act(command.program), command.args
    if _numbers(command):
        found = shown.numbered(result)
        piped = len(action.operation.commands) > 1
        return shown.Lines(found.start, found.lines, whole=False) if found is not None and piped else found
    if act == "whole" and not any(word.startswith("-") for word in args):
        return shown.as_printed(result)
    if act == "beginning":
        return shown.as_printed(result, whole=False)
    if act == "edit" and "-n" in args:
        span = next((match for word in args if (match := _RANGE.match(word))), None)
        if span is not None:
            return shown.as_printed(result, int(span["first"]), whole=False)
    return None
