"""Input that is no transcript: one message that says what is wrong, exit code 2, nothing on standard output."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.conftest import Program, json_lines, process

NOT_A_TRANSCRIPT = [
    pytest.param(b"", "is empty", id="empty"),
    pytest.param(b" \n\t\n", "only white space", id="white space"),
    pytest.param(b"\x7fELF\x02\x01\x00\x00\xff\xfe\x80" * 40, "binary", id="binary"),
    pytest.param(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\xff", "binary", id="a picture"),
    pytest.param(b'{"session": {"id": "x"}, "actions": [{"tool": "sh', "truncated", id="truncated JSON"),
    pytest.param(b'[{"role": "user", "content": "hel', "truncated", id="truncated JSON array"),
    pytest.param(
        b'{"name": "notes", "version": "1.0.0"}',
        "no transcript of a known format (keys: name, version)",
        id="another JSON",
    ),
    pytest.param(b"[1, 2, 3]", "no transcript", id="numbers"),
    pytest.param(b"null", "no transcript", id="null"),
    pytest.param(b'"a text"', "no transcript", id="a JSON text"),
    pytest.param(b"# Notes\n\nBuy milk.\n", "is text, but no transcript", id="prose"),
    pytest.param(b"[" * 100_000, "damaged JSON", id="nested too deeply"),
]


@pytest.mark.parametrize(("content", "says"), NOT_A_TRANSCRIPT)
def test_a_file_that_is_no_transcript(program: Program, elsewhere: Path, content: bytes, says: str) -> None:
    (elsewhere / "log.json").write_bytes(content)
    ran = program("log.json")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("Error: log.json: ")
    assert says in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.slow
@pytest.mark.parametrize(("content", "says"), NOT_A_TRANSCRIPT[:1] + NOT_A_TRANSCRIPT[6:7])
def test_standard_input_that_is_no_transcript(content: bytes, says: str) -> None:
    ran = process("-", stdin=content)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("Error: <stdin>: ")
    assert says in ran.err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        pytest.param(["nowhere.json"], "Error: nowhere.json: no such file.\n", id="missing"),
        pytest.param(["."], "Error: .: is a directory", id="a directory"),
        pytest.param(["."], "analyze-session audit . -o audit/", id="what to do with a directory"),
        pytest.param(["nowhere.json"], "analyze-session audit folders", id="what to do without a file"),
        pytest.param(["formatz"], "Did you mean the command 'formats'?", id="a mistyped command"),
        pytest.param(["no/such/folder/log.json"], "no such file", id="missing folder"),
        pytest.param(["a" * 5000], "File name too long", id="a name that is too long"),
        pytest.param(["--", "-odd-name.json"], "Error: -odd-name.json: no such file.", id="a name like an option"),
    ],
)
def test_a_place_that_holds_no_file(program: Program, arguments: list[str], says: str) -> None:
    ran = program(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert says in ran.err


def test_a_mistyped_file_is_answered_with_the_nearest_one(program: Program, elsewhere: Path) -> None:
    (elsewhere / "run-17.json").touch()
    ran = program(elsewhere / "run-71.json")
    assert ran.code == 2
    assert f"Did you mean '{elsewhere / 'run-17.json'}'?" in ran.err


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="the super-user may read everything")
def test_a_file_without_permission(program: Program, elsewhere: Path) -> None:
    (elsewhere / "log.json").touch(mode=0o000)
    ran = program("log.json")
    assert ran.code == 2
    assert "Permission denied" in ran.err


def test_an_unknown_input_format_is_answered_with_the_known_ones(program: Program, stuck: Path) -> None:
    ran = program(stuck, "--input-format", "morse")
    assert ran.code == 2
    assert "morse" in ran.err
    assert "swe-agent" in ran.err


def test_latin_1_still_reads_with_a_warning(program: Program, elsewhere: Path) -> None:
    lines = json_lines(
        {"session": {"id": "caf\u00e9", "task": "Entr\u00e9e"}},
        {"action": {"tool": "shell", "arguments": {"command": "ls"}, "result": "cr\u00e8me", "exit_code": 0}},
    )
    (elsewhere / "latin.jsonl").write_bytes(lines.decode().encode("latin-1"))
    ran = program("latin.jsonl", "-f", "json")
    assert ran.code == 0
    assert "1 warning while reading" in ran.err
    assert "not valid UTF-8" in ran.out


def test_a_file_that_stops_in_the_middle_of_a_line_still_reads(
    program: Program, elsewhere: Path, two_sessions: Path
) -> None:
    cut = two_sessions.read_bytes()[:-40]
    (elsewhere / "cut.jsonl").write_bytes(cut)
    ran = program("cut.jsonl", "-v")
    assert ran.code == 0
    assert "the file ends in the middle of this record" in ran.err


def test_the_names_of_files_reach_the_terminal_without_escapes(program: Program) -> None:
    ran = program("\x1b]0;owned\x07\x1b[2Jlog\u202e.json")
    assert ran.code == 2
    assert "\x1b" not in ran.err
    assert r"\x1b]0;owned\x07\x1b[2Jlog\u202e.json: no such file." in ran.err


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="file names are Unicode there")
def test_a_file_name_that_is_no_text_in_any_encoding(elsewhere: Path, healthy: Path) -> None:
    name = os.fsdecode(b"caf\xe9.json")
    (elsewhere / name).write_bytes(healthy.read_bytes())
    ran = process(name, "-f", "json")
    assert ran.code == 0, ran.err
    assert process(name + ".missing").code == 2
