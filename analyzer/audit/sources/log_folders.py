"""Where agents keep their sessions: `--from claude-code` instead of a path.

A variable that the agent itself obeys goes before its usual folders.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from glob import escape, glob
from pathlib import Path

from analyzer.model.errors import AnalyzerError, BadConfiguration
from analyzer.model.struct import Struct
from analyzer.text.english import did_you_mean
from analyzer.text.expressions import KEPT

_EDITORS = (
    *(f"{{config}}/{name}" for name in ("Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf")),
    "{home}/.vscode-server/data",
)


class LogFolder(Struct, frozen=True):
    """Where one agent keeps its sessions on this machine: below the `roots` at the patterns `inside`. The roots are
    those that `variable` names, one of the `variables` of the environment that the agent obeys, or its usual ones."""

    agent: str
    variables: tuple[str, ...]
    variable: str | None
    roots: tuple[str, ...]
    inside: tuple[str, ...]

    def places(self, roots: Iterable[str]) -> list[str]:
        """What is there below these of the roots."""
        return [
            place
            for root in roots
            for pattern in self.inside
            for place in sorted(glob(os.path.join(escape(root), *pattern.split("/")) if pattern else escape(root)))  # noqa: PTH118, PTH207
        ]


_TABLE: dict[str, dict[str, list[str]]] = KEPT.table(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def known_folders(environment: Mapping[str, str] | None, system: str) -> dict[str, LogFolder]:
    """The agents whose folders are known, by name."""
    environment = os.environ if environment is None else environment
    folders = _folders(environment, system)
    return {agent: _log_folder(agent, environment, folders, **row) for agent, row in _TABLE.items()}


def _log_folder(
    agent: str,
    environment: Mapping[str, str],
    folders: Mapping[str, str],
    variables: list[str],
    roots: list[str],
    inside: list[str],
) -> LogFolder:
    named = [variable.removeprefix("=").partition("/") for variable in variables]
    variable, more = next(((name, more) for name, _, more in named if environment.get(name, "").strip()), (None, ""))
    if variable is None:
        every = [root.replace("{editors}", editor) for root in roots for editor in _EDITORS]
        roots = [root.format(**folders) for root in every]
    else:
        value = environment[variable].strip()
        # Tools that read the same variables take a list, separated by commas.
        listed = [value] if os.path.isdir(value) else [part.strip() for part in value.split(",") if part.strip()]  # noqa: PTH112
        home = folders["home"]
        whole = (home + part[1:] if part == "~" or part.startswith(("~/", "~\\")) else part for part in listed)
        roots = [os.path.join(part, more) for part in whole]  # noqa: PTH118
        inside = [""] if f"={variable}" in variables else inside
    names = tuple(name for name, *_ in named)
    return LogFolder(agent, names, variable, tuple(dict.fromkeys(map(os.path.normpath, roots))), tuple(inside))


ALL = "all"
"""Stands for all of them."""
_WITHOUT = {
    "aider": "aider keeps its history in each project (.aider.chat.history.md), so name the folder of your projects.",
    "crush": "Crush keeps a database in each project (.crush/crush.db), so name these files.",
}


def log_folders(
    environment: Mapping[str, str] | None = None, system: str = sys.platform
) -> list[tuple[str, str, str, bool]]:
    """Every known agent: its name, the variables that it obeys, its folders here, and whether these hold sessions."""
    return [
        (home.agent, ", ".join(home.variables), ", ".join(home.roots), bool(home.places(home.roots)))
        for home in known_folders(environment, system).values()
    ]


def folders_of(agents: Iterable[str], environment: Mapping[str, str] | None = None) -> list[str]:
    """The folders and files in which these agents keep their sessions, as paths for
    `analyzer.audit.sources.discover.discover`. `all` stands for every agent that has sessions on this machine.

    Raises `BadConfiguration` for an agent whose folder isn't known, and `AnalyzerError` where it has no sessions.
    """
    known = known_folders(environment, sys.platform)
    found: list[str] = []
    for agent in dict.fromkeys(agents):
        if agent == ALL:
            found += _everywhere(known.values())
            continue
        if agent not in known:
            hint = _WITHOUT.get(agent) or did_you_mean(agent, [ALL, *known])
            raise BadConfiguration(f"no folder is known in which {agent!r} keeps its sessions.", hint=hint)
        found += _places(known[agent])
    return found


def _everywhere(known: Iterable[LogFolder]) -> list[str]:
    """What every agent keeps in a folder of its own; one below the current folder is meant only where it's named."""
    found: list[str] = []
    for home in known:
        if home.variable is not None or any(map(os.path.isabs, home.roots)):
            with suppress(AnalyzerError):
                found += _places(home)
    if not found:
        hint = "`analyze-session audit folders` lists the folders. Name a folder as a path."
        raise AnalyzerError("no agent has sessions in its usual folder on this machine.", hint=hint)
    return list(dict.fromkeys(found))


def _places(home: LogFolder) -> list[str]:
    variable = home.variable
    there = [root for root in home.roots if os.path.isdir(root)]  # noqa: PTH112
    found = [os.path.abspath(place) for place in home.places(there)]  # noqa: PTH100
    if found:
        return found
    others = " or ".join(f"${name}" for name in home.variables if name != "XDG_DATA_HOME")
    hint = "Name the folder of its sessions as a path."
    if variable:
        hint = f"${variable} names this folder. {hint}"
    elif others:
        hint = f"Set {others} where it's elsewhere, or name its folder as a path."
    what = "keeps its sessions there, and no such folder exists"
    if there:
        what = f"has no sessions there ({' or '.join(filter(None, home.inside)) or 'it is empty'})"
    raise AnalyzerError(f"{home.agent} {what}.", where=" or ".join(there or home.roots), hint=hint)


_PERSONAL: dict[str, tuple[str, tuple[str, str], tuple[str, str]]] = {
    "win32": ("USERPROFILE", ("APPDATA", "AppData/Roaming"), ("LOCALAPPDATA", "AppData/Local")),
    "darwin": ("HOME", ("", "Library/Application Support"), ("", "Library/Application Support")),
    "": ("HOME", ("XDG_CONFIG_HOME", ".config"), ("XDG_DATA_HOME", ".local/share")),
}
"""By system: the variable that names the person's own folder, and those that name the folders for configuration and
data, with where these are otherwise."""


def _folders(environment: Mapping[str, str], system: str) -> dict[str, str]:
    """The person's own folder, and those for configuration and data."""
    own, *others = _PERSONAL.get(system, _PERSONAL[""])
    home = environment.get(own) or os.path.expanduser("~")  # noqa: PTH111
    config, data = (environment.get(variable) or f"{home}/{usual}" for variable, usual in others)
    return {"home": home, "config": config, "data": data}
