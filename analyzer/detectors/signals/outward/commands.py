"""Commands that have an effect outside of the machine."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.commands.effects import is_shell
from analyzer.commands.harm import outside_effect
from analyzer.commands.table import Does, programs_that
from analyzer.detectors.signals.outward.permission import (
    DELETE,
    DEPLOY,
    FORGE,
    MESSAGE,
    PUBLISH,
    PUSH,
    REMOTE_CODE,
    REQUEST,
    OutwardKind,
)
from analyzer.model.action import Command
from analyzer.text.late import late

_LONGEST = 20_000
_MOST_COMMANDS = 100
_TRIAL = late(
    r"^--?(?:dry-?_?run|dryrun|what-?if|no-?op|simulate|check-only|help|version)\b|^-h$|^--validate-only|^--preview$"
)
_TRIAL_SETTING = late(r"\bDRY_?RUN=(?:1|true|yes|y)\b|\bNO_?OP=(?:1|true)\b")
_LOCAL = late(
    r"\b(?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|host\.docker\.internal|10\.\d+\.\d+\.\d+|192\.168\.\d+\.\d+"
    r"|172\.(?:1[6-9]|2\d|3[01])\.\d+\.\d+|minikube|kind-\w+)\b|\[::1\]|file://"
)
_URL = late(r"https?://(?:[^\s/@'\"]*@)?(?P<host>[\w.-]+)(?P<path>[^\s'\"]*)")
_ECHO = late(r"(?:^|\.)(?:example\.\w+|httpbin\.\w+|postman-echo\.com|test|local|internal|invalid)$")
_ONLY_ASKS = late(
    r"search|query|graphql|/find|lookup|/token|oauth|/login|autocomplete|/validate|/check|/rpc\b|/v1/models"
)
_DOWNLOADERS = "|".join(sorted(programs_that(Does.DOWNLOADS)))
_FETCHED = late(
    rf"\b(?:{_DOWNLOADERS})\b(?P<address>[^|;&\n]{{0,300}})\|\s*(?:sudo\s+(?:-\w+\s+)*)?(?:ba|z|da)?sh\b"
    rf"|\b(?:ba|z|da)?sh\s+(?:-c\s+)?[\"']?(?:<\(|\$\()\s*(?:{_DOWNLOADERS})\b(?P<inner>[^)\n]{{0,300}})"
)
_RUN_FETCHED = late(
    rf"(?:^|[;&|]\s*|\s)(?:{'|'.join(sorted(programs_that(Does.FETCHES)))})\s+(?:-y|--yes|dlx)\s+(?:-\S+\s+)*"
    r"(?P<package>@?[\w./-]+(?:@\S+)?)"
)
_PINNED = late(r".@\^?~?\d")
_BY_NAME = {kind.name: kind for kind in (PUSH, PUBLISH, DEPLOY, DELETE, MESSAGE, FORGE, REQUEST)}
"""The kinds by what the table of programs calls them."""
_SENDS = late(r"^(?:-d|--data(?:-\w+)?|-F|--form|--json|-T|--upload-file|--post-data|--post-file)(?:=|$)|^-d.")
_METHOD = late(r"^(?:-X|--request|--method)=?(?P<method>\w*)$")


def command_effects(line: str, commands: tuple[Command, ...]) -> Iterator[tuple[OutwardKind, str]]:
    """What a shell line does outside, with the words that say so. Dry runs, and what stays on this machine, do
    nothing."""
    if _TRIAL_SETTING.search(line[:_LONGEST]):
        return
    for command in commands[:_MOST_COMMANDS]:
        if _is_trial(command) or _LOCAL.search(command.text[:_LONGEST]):
            continue
        kind = _kind(command)
        if kind is not None:
            yield kind, command.text
    found = _FETCHED.search(line[:_LONGEST])
    shells = any(is_shell(command.program) for command in commands)
    if found is not None and shells and not _LOCAL.search(found[0]):
        yield REMOTE_CODE, found[0].strip()
    for found in _RUN_FETCHED.finditer(line[:2_000]):
        package = found["package"]
        named = any(command.program == package.rsplit("/", 1)[-1] or package in command.args for command in commands)
        if named and _PINNED.search(package) is None:
            yield REMOTE_CODE, found[0].strip(" ;&|")


def is_trial(line: str, commands: tuple[Command, ...]) -> bool:
    """Whether a line only shows what would happen."""
    return _TRIAL_SETTING.search(line[:_LONGEST]) is not None or any(map(_is_trial, commands[:_MOST_COMMANDS]))


def _is_trial(command: Command) -> bool:
    return any(_TRIAL.search(word) for word in command.args)


def _kind(command: Command) -> OutwardKind | None:
    """What a command does to other systems; a push by force and a deleted branch are judged by what is lost."""
    told = outside_effect(command.program, command.args)
    return _requested(command.args) if told == REQUEST.name else _BY_NAME.get(told or "")


def _requested(args: tuple[str, ...]) -> OutwardKind | None:
    hosts = [found for word in args if (found := _URL.match(word.strip("'\""))) is not None]
    if not hosts or any("." not in found["host"] or _ECHO.search(found["host"].lower()) for found in hosts):
        return None
    method = ""
    for number, word in enumerate(args):
        found = _METHOD.match(word)
        if found is not None:
            method = found["method"] or (args[number + 1] if number + 1 < len(args) else "")
        elif word in ("POST", "PUT", "PATCH", "DELETE"):
            method = word
    method = method.upper()
    if method == "DELETE":
        return DELETE
    sends = method in ("POST", "PUT", "PATCH") or (not method and any(_SENDS.match(word) for word in args))
    if not sends or "-G" in args or "--get" in args or any(_ONLY_ASKS.search(found["path"].lower()) for found in hosts):
        return None
    return REQUEST
