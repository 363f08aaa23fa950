"""What a failing step says of the machine it ran on: no disk, no shell, no network, no permission, no program, no
package."""

from __future__ import annotations

import re

from analyzer.commands.table import Does, from_subcommand, knows
from analyzer.model.action import Action
from analyzer.model.failure import Failure
from analyzer.model.words import FailureKind, Kind
from analyzer.text.clip import clip
from analyzer.text.late import late

_MODULE = late(
    r"No module named ['\"]?(?P<python>[A-Za-z_][\w.]{0,80})|Cannot find (?:module|package) ['\"]"
    r"(?P<node>[^'\"\n]{1,120})['\"]|(?P<library>lib[\w.+-]{1,60}\.so[\w.]{0,20}): cannot open shared object file"
    r"|Unable to locate package (?P<apt>\S{1,60})|(?:No matching distribution found for|satisfies the "
    r"requirement) (?P<pip>[\w.\[\]-]{1,60})"
)
_UNLOADED = late(r"python[\d.]{0,6}: No module named|ImportError: lib[^\n]{1,80}: cannot open shared object")
_NETWORK = late(
    r"Temporary failure (?:in name resolution|resolving)|Could not resolve host|Network is unreachable"
    r"|getaddrinfo (?:ENOTFOUND|EAI_AGAIN)|No route to host|dial tcp: lookup [^\n]{1,100}: no such host"
)
_DISK = late(r"No space left on device|Disk quota exceeded|\bENOSPC\b")
_HERE = late(r"\blocalhost\b|\b127\.0\.0\.1\b|\b0\.0\.0\.0\b|\[::1\]")
_FETCHED = late(
    (
        r"^(?:Hit|Get):\d+ http|^ {0,2}Downloading \S+|^Collecting \S+\n {1,4}(?:Downloading|Using)|^added \d{1,5} "
        r"packages|^Fetched [\d.,]{1,12} ?[kMG]?B"
    ),
    re.MULTILINE,
)
"""What package managers print when they have fetched something."""
_BRINGS = ("clone", "fetch", "pull", "push")
"""Commands of version control that speak to a server."""
_DENIED = late(
    (
        r"['‘\"]?(?P<path>(?!EACCES\b)(?=[^\s:]{0,200}[A-Za-z/])[^\s'‘’\":()]{1,200})['’\"]?: (?:Permission denied"
        r"|Operation not permitted)|(?:EACCES|Permission denied)[^\n]{0,40} ['\"](?P<other>[^'\"\n]{1,200})['\"]"
    ),
    re.IGNORECASE,
)
_WORD = late(r"[A-Za-z']{1,30}[.,;:!?]?")
_PROGRAM = late(r"[a-z][a-z0-9+._-]{1,30}")
_LONGEST = 20_000
_DENIAL = 4_000
"""Characters of a message in which the path that access was denied to is looked for."""


def environment_error_of(action: Action, *, online: bool) -> tuple[str, str] | None:
    """What of the machine made a step fail, as a kind, and what was missing; None where nothing of it did. `online` is
    True where the network has been there: then one host is down."""
    failure = action.failure
    if failure is None:
        return None
    result = action.result or ""
    text = result if len(result) <= _LONGEST else result[: _LONGEST // 2] + result[-_LONGEST // 2 :]
    subject = failure.subject or ""
    name = action.operation.commands[0].program if action.operation.commands else action.tool
    if _DISK.search(failure.headline) or (failure.kind is not FailureKind.TEST and _DISK.search(text[-3_000:])):
        return "disk-full", clip(action.operation.target or name, 60)
    out = failure.type in ("NameResolution", "NetworkError") or (
        failure.kind in (FailureKind.MISSING_DEPENDENCY, FailureKind.NETWORK, FailureKind.OTHER, FailureKind.COMPILE)
        and _NETWORK.search(text[-3_000:])
    )
    if out and not online and not _HERE.search(f"{failure.headline} {action.operation.command or ''}"):
        return "no-network", name
    if _not_allowed(action):
        denied = _DENIED.search(failure.message[:_DENIAL])
        return "no-permission", clip((denied["path"] or denied["other"]) if denied else subject or failure.message, 60)
    if failure.kind is FailureKind.COMMAND_NOT_FOUND and action.operation.commands:
        return _program(action, subject)
    return None


def shows_network(action: Action) -> bool:
    """Whether a step that went well shows that there's a network beyond this machine."""
    commands = action.operation.commands
    out = any(
        knows(entry.program, Does.DOWNLOADS)
        or (knows(entry.program, Does.RECORDS) and {*from_subcommand(entry.program, entry.args)[:1]} & {*_BRINGS})
        for entry in commands
    )
    fetched = bool(commands) and (out or _FETCHED.search((action.result or "")[:_LONGEST]) is not None)
    return fetched and not _HERE.search(action.operation.command or "")


def missing_module(failure: Failure) -> re.Match[str] | None:
    """The package or module that a failure says is missing."""
    missing = (
        failure.kind is FailureKind.MISSING_DEPENDENCY
        or failure.type in ("ModuleNotFoundError", "ImportError")
        or _UNLOADED.search(failure.headline) is not None
    )
    return _MODULE.search(failure.headline) if missing else None


def _not_allowed(action: Action) -> bool:
    """Whether the system refuses access to a file: to a command, or to a tool that writes."""
    failure = action.failure
    assert failure is not None
    if failure.kind is FailureKind.PERMISSION and not failure.frames and action.operation.commands:
        return failure.type not in ("HttpError", "BotWall", "Blocked")
    own = failure.kind in (FailureKind.OTHER, FailureKind.EXCEPTION, FailureKind.PERMISSION) and (
        action.operation.commands or action.kind is Kind.EDIT
    )
    return bool(own) and re.search(r"\bEACCES\b|\[Errno 13\]", failure.headline) is not None


def _program(action: Action, subject: str) -> tuple[str, str] | None:
    """A program that isn't there. Prose typed into a shell, or a fence, isn't the environment's fault."""
    entry = next(
        (entry for entry in action.operation.commands if subject in (entry.program, entry.text.split(" ", 1)[0])), None
    )
    if entry is None or not _PROGRAM.fullmatch(subject) or "```" in (action.operation.command or ""):
        return None
    words = sum(_WORD.fullmatch(word) is not None for word in entry.args)
    prose = words >= 3 and words >= 0.7 * len(entry.args) and not any(word.startswith("-") for word in entry.args)
    return None if prose else ("missing-program", subject)
