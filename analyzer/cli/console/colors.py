"""Colours for pictures and tables of a session on a terminal. They only repeat what letters, digits and places say."""

from __future__ import annotations

from rich.text import Text

from analyzer.model.words import Kind, Status
from analyzer.report.picture.grid import Line

_KINDS = {
    Kind.READ: "cyan",
    Kind.SEARCH: "cyan",
    Kind.EDIT: "yellow",
    Kind.TEST: "green",
    Kind.THINK: "magenta",
    Kind.PLAN: "magenta",
    Kind.FINISH: "magenta",
}
_GROUPS = (
    "bold white on red",
    "black on yellow",
    "black on cyan",
    "bold white on magenta",
    "black on green",
    "bold white on blue",
    "black on bright_red",
    "black on white",
)
_OTHER_GROUP = "reverse"
_ROLES = {"bracket": "bold", "mark": "bold", "ruler": "dim", "label": "dim"}


def colored(line: Line) -> Text:
    """A line of a picture, which nothing wraps."""
    text = Text(no_wrap=True, overflow="crop", end="\n")
    for piece in line:
        text.append(piece.text, _style(piece.role))
    return text


def kind_style(kind: Kind) -> str:
    """The style of a kind of action."""
    return _KINDS.get(kind, "")


def status_style(status: Status) -> str:
    """The style of an action's status."""
    return "bold red" if status is Status.ERROR else ""


def group_style(number: int) -> str:
    """The style of a failure that came back, by its number from 0."""
    return _GROUPS[number] if number < len(_GROUPS) else _OTHER_GROUP


def _style(role: str) -> str:
    what, _, which = role.partition(":")
    if what == "group":
        return group_style(int(which))
    if what == "failed":
        return status_style(Status.ERROR)
    return kind_style(Kind(which)) if what == "kind" else _ROLES.get(what, "")
