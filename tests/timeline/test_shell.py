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


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("sudo pytest", id="sudo"),
        pytest.param("sudo -u bob pytest", id="sudo with a user"),
        pytest.param("timeout 30 pytest", id="timeout"),
        pytest.param("timeout -k 5 30s pytest", id="timeout with option"),
        pytest.param("timeout --signal=KILL 1.5m pytest", id="timeout with a long option"),
        pytest.param("env -i A=1 pytest", id="env"),
        pytest.param("time pytest", id="time"),
        pytest.param("nohup pytest", id="nohup"),
        pytest.param("nice -n 10 pytest", id="nice"),
        pytest.param("xargs -n 1 pytest", id="xargs"),
        pytest.param("uv run pytest", id="uv run"),
        pytest.param("uv run --with hypothesis pytest", id="uv run with a package"),
        pytest.param("poetry run pytest", id="poetry run"),
        pytest.param("conda run -n tests pytest", id="conda run"),
        pytest.param("CI=1 sudo -E timeout 9 uv run pytest", id="several"),
        pytest.param("npx pytest", id="npx"),
        pytest.param("npx --yes pytest", id="npx with option"),
    ],
)
def test_wrappers_are_looked_through(line: str) -> None:
    assert programs(line) == ["pytest"]


@table("redirects")
def test_redirects(line: str, writes: list[tuple[str, str | None]]) -> None:
    parsed = parse(line)
    assert parsed.writes == writes
    assert parsed.commands[0].program == "a"
    assert parsed.commands[0].args == ()


@table("here_documents")
def test_here_documents(line: str, expected: list[str], writes: list[tuple[str, str | None]]) -> None:
    assert programs(line) == expected
    assert parse(line).writes == writes


@pytest.mark.parametrize(
    ("line", "directory", "expected"),
    [
        pytest.param("cd src && ls", "src", ["ls"], id="and"),
        pytest.param("cd src; ls", "src", ["ls"], id="semicolon"),
        pytest.param("cd src\nls", "src", ["ls"], id="newline"),
        pytest.param("cd src", None, ["cd src"], id="alone"),
        pytest.param("ls && cd src", None, ["ls", "cd src"], id="at the end"),
    ],
)
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
