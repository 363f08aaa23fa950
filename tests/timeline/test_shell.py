"""Which programs a shell line runs, with which words, and what it writes where."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.commands.parse import parse
from tests.growth import assert_in_proportion
from tests.tables import table

PIECES = st.sampled_from(
    [
        *(
            "ls",
            "pytest -q",
            "'",
            '"',
            "\\",
            "<<EOF",
            "EOF",
            "<<'A'",
            "A",
            ">",
            ">>",
            "2>&1",
            "&&",
            "||",
            "|",
            ";",
            "\n",
            "(",
        ),
        *(
            ")",
            "$(",
            "#",
            "sudo -u",
            "env",
            "timeout 5",
            "uv run",
            "npx",
            "x=1",
            " ",
            "\t",
            "\x01",
            "\x010\x01",
            "\x00",
            "é",
        ),
        *("\ud800", "`", "{", "}", "!"),
    ]
)


def programs(line: str) -> list[str]:
    return [" ".join((command.program, *command.args)) for command in parse(line).commands]


@table("simple_commands")
def test_simple_commands(line: str, expected: list[str]) -> None:
    assert programs(line) == expected


@table("quotes_and_comments")
def test_quotes_and_comments(line: str, expected: list[str]) -> None:
    assert programs(line) == expected


@table("wrappers_are_looked_through")
def test_wrappers_are_looked_through(line: str) -> None:
    assert programs(line) == ["pytest"]


@table("redirects")
def test_redirects(line: str, writes: list[tuple[str, str | None]]) -> None:
    parsed = parse(line)
    assert [(to.target.text, text) for to, text in parsed.writes] == writes
    assert parsed.commands[0].program == "a"
    assert parsed.commands[0].args == ()


@table("here_documents")
def test_here_documents(line: str, expected: list[str], writes: list[tuple[str, str | None]]) -> None:
    assert programs(line) == expected
    assert [(to.target.text, text) for to, text in parse(line).writes] == writes


@table("leading_change_of_directory")
def test_leading_change_of_directory(line: str, directory: str | None, expected: list[str]) -> None:
    assert parse(line).directory == directory
    assert programs(line) == expected


@table("signs_that_do_not_end_a_command")
def test_signs_that_do_not_end_a_command(line: str, expected: list[str]) -> None:
    assert programs(line) == expected


@pytest.mark.slow
@table("a_line_of_a_megabyte_is_no_matter")
def test_a_line_of_a_megabyte_is_no_matter(begin: str, unit: str, end: str) -> None:
    def line(size: int) -> str:
        return begin + unit * (size // len(unit)) + end

    assert_in_proportion(parse, line, 250_000, 1_000_000, repr(unit))


@settings(deadline=None)
@given(st.one_of(st.text(), st.lists(PIECES, max_size=30).map("".join), st.lists(PIECES, max_size=30).map(" ".join)))
def test_any_text_can_be_parsed(line: str) -> None:
    for command in parse(line).commands:
        assert isinstance(command.program, str)
