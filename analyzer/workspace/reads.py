"""What the output of shell commands shows of files: `cat`, `sed -n 1,20p`, `head`, `nl`, and listings of names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from analyzer.failures.envelope import printed
from analyzer.model.action import Action, Command
from analyzer.model.words import Status
from analyzer.text.expressions import compiled
from analyzer.workspace import shown
from analyzer.workspace.files import Files
from analyzer.workspace.paths import normal

_RANGE = compiled(r"^(?P<first>\d{1,7})(?:,(?P<last>\d{1,7}|\$|\+\d{1,7}))?p;?(?:\d+q)?$")
_LISTERS = frozenset({"ls", "find", "tree", "rg", "grep", "fd", "git", "wc"})
_NEUTRAL = frozenset({"cd", "pwd", "true", "set"})
_FOOTER = compiled(r"\n*\[[^\]\n]*(?:exit code|working directory|interpreter|finished)[^\]\n]*\]\s*$", re.IGNORECASE)


def seen(files: Files, action: Action, directory: str) -> None:
    """Learn what the result of a shell line shows of files."""
    if not action.result:
        return
    result = printed(action.result)
    commands = [command for command in action.operation.commands if command.program not in _NEUTRAL]
    if any(command.program in _LISTERS for command in commands):
        files.list_names(result, _listed_folder(commands, directory))
    if len(commands) == 2 and commands[0].program in ("nl", "cat") and commands[1].program in ("sed", "head"):
        commands = commands[:1] if _numbers(commands[0]) else commands
    if len(commands) != 1 or action.status is Status.ERROR:
        return
    command = commands[0]
    names = [
        word for word in command.args if not word.startswith("-") and not _RANGE.match(word) and not word.isdigit()
    ]
    if len(names) != 1 or any(sign in names[0] for sign in "*?$[{") or action.operation.writes:
        return
    lines = _lines(command, result, action)
    path = normal(names[0], directory)
    if lines is not None:
        files.see(path, lines)


def _listed_folder(commands: Sequence[Command], directory: str) -> str:
    """The folder whose files a line lists by their names alone."""
    if len(commands) == 1 and commands[0].program == "ls":
        names = [word for word in commands[0].args if not word.startswith("-")]
        if (
            len(names) == 1
            and "." not in names[0].rsplit("/", 1)[-1]
            and not any(sign in names[0] for sign in "*?$[{~")
        ):
            return normal(names[0], directory)
    return directory


def _numbers(command: Command) -> bool:
    return command.program == "nl" or any(word.startswith("-") and "n" in word for word in command.args)


def _lines(command: Command, result: str, action: Action) -> shown.Lines | None:
    while result.rstrip().endswith("]") and (stripped := _FOOTER.sub("", result)) != result:
        result = stripped
    program, args = command.program, command.args
    if program in ("cat", "bat", "nl") and (_numbers(command) or program == "bat"):
        found = shown.numbered(result)
        piped = len(action.operation.commands) > 1
        return shown.Lines(found.start, found.lines, whole=False) if found is not None and piped else found
    if program == "cat" and not any(word.startswith("-") for word in args):
        return shown.as_printed(result)
    if program == "head":
        return shown.as_printed(result, whole=False)
    if program == "sed" and "-n" in args:
        span = next((match for word in args if (match := _RANGE.match(word))), None)
        if span is not None:
            return shown.as_printed(result, int(span["first"]), whole=False)
    return None
