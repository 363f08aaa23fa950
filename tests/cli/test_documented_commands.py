"""Every command line that the documentation and the help show is one that the program takes."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from analyzer.cli.main import cli
from tests.conftest import ROOT
from tests.tables import table

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
_LINE = re.compile(r"^\s*(?:\$ )?analyze-session\b(?P<rest>.*)$")
_INLINE = re.compile(r"`analyze-session (?P<rest>[^`\n]+)`")
_ENDS = frozenset({"|", ">", "<", "||", "&&", ";", "--", "#"})


def shown_in(text: str) -> Iterator[str]:
    """What follows the program's name: in blocks of code, without continuation lines, and within sentences."""
    inside = False
    for line in text.replace("\\\n", " ").splitlines():
        inside ^= line.lstrip().startswith("```")
        found = _LINE.match(line)
        if inside and found is not None:
            yield found["rest"]
        elif not inside:
            yield from (match["rest"] for match in _INLINE.finditer(line))


def unknown_options(rest: str) -> list[str]:
    """The options of a command line that its command doesn't have."""
    words = shlex.split(rest.replace("<!--", "").replace("'...'", "..."), comments=True)
    command: click.Command = cli
    while isinstance(command, click.Group):
        names = command.list_commands(click.Context(command))
        default = getattr(command, "default", None)
        if words and words[0] in ("--help", "--version", "COMMAND"):
            return []
        name = words.pop(0) if words and words[0] in names else default
        inner = command.get_command(click.Context(command), str(name))
        assert inner is not None, rest
        command = inner
    known = {name for option in command.params for name in (*option.opts, *option.secondary_opts)} | {"-h", "--help"}
    given = []
    for word in words:
        if word in _ENDS or word.startswith((">", "|")):
            break
        if re.fullmatch(r"--?[A-Za-z][\w-]*(?:=.*)?", word):
            given.append(word.partition("=")[0])
    return [word for word in given if word not in known]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_options_in_the_documentation_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert {rest: unknown for rest in shown_in(text) if (unknown := unknown_options(rest))} == {}


def test_command_lines_are_found() -> None:
    shown = [rest for page in PAGES for rest in shown_in(page.read_text(encoding="utf-8"))]
    assert len(shown) > 80


@table("what_is_no_option_is_found")
def test_what_is_no_option_is_found(rest: str, unknown: list[str]) -> None:
    assert unknown_options(rest) == unknown
