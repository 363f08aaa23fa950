"""A file that is one line of 100 MB, or holds such a line, is read or refused in bounded time."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter

import pytest

from analyzer.formats import load
from analyzer.formats.content import LONGEST_LINE
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import Message, Session, ToolResult

SIZE = 100_000_000
SECONDS = 120.0
"""Ten times what the slowest of these takes; work that grows with the square of a line takes hours."""


def said(uuid: str, text: str = "Fold the sails") -> bytes:
    record = {"type": "user", "uuid": uuid, "sessionId": "s", "message": {"role": "user", "content": text}}
    return json.dumps(record).encode() + b"\n"


def result_of(text: str) -> bytes:
    call = {"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "cat rope.txt"}}
    back = {"type": "tool_result", "tool_use_id": "t", "content": text}
    records = (
        {"type": "assistant", "uuid": "a", "sessionId": "s", "message": {"role": "assistant", "content": [call]}},
        {"type": "user", "uuid": "b", "sessionId": "s", "message": {"role": "user", "content": [back]}},
    )
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Path]:
    """A place for a large file, which isn't kept as other files of tests are."""
    place = tmp_path / "run.jsonl"
    yield place
    place.unlink(missing_ok=True)


def within_bounds(file: Path) -> list[Session]:
    started = perf_counter()
    try:
        return load(file).sessions
    finally:
        assert perf_counter() - started < SECONDS


def test_a_record_of_one_long_line_is_read(file: Path) -> None:
    file.write_bytes(said("u", "x" * SIZE))
    ((message,),) = (session.events for session in within_bounds(file))
    assert isinstance(message, Message)
    assert len(message.text) == SIZE


def test_a_long_result_among_others_is_read(file: Path) -> None:
    file.write_bytes(said("u") + result_of("word " * (SIZE // 5)) + said("v"))
    (session,) = within_bounds(file)
    assert [len(event.text) for event in session.events if isinstance(event, ToolResult)] == [SIZE]
    assert len(session.events) == 4


def test_a_long_line_that_is_no_record_is_told_and_the_rest_is_read(file: Path) -> None:
    file.write_bytes(said("u") + b"{" * SIZE)
    (session,) = within_bounds(file)
    assert [(warning.where, warning.what) for warning in session.warnings] == [
        ("line 2", "the file ends in the middle of this record; skipped")
    ]
    assert len(session.events) == 1


def test_a_line_longer_than_is_ever_held_is_told_and_the_rest_is_read(file: Path) -> None:
    with file.open("wb") as out:
        out.write(said("u") + b'{"type": "user"')
        out.seek(LONGEST_LINE + 1000)  # a hole, which takes no space on the disk
        out.write(b"}\n" + said("v"))
    (session,) = within_bounds(file)
    assert [(warning.where, warning.what) for warning in session.warnings] == [
        ("line 2", "longer than a line can sensibly be; skipped")
    ]
    assert len(session.events) == 2


@pytest.mark.parametrize(
    ("line", "says"),
    [
        pytest.param(lambda: b"word " * (SIZE // 5), "is text, but no transcript of a known format", id="text"),
        pytest.param(lambda: b'{"a": "' + b"x" * SIZE, "is damaged JSON", id="a record without its end"),
    ],
)
def test_nothing_but_a_long_line_that_is_no_record_is_refused(file: Path, line: Callable[[], bytes], says: str) -> None:
    file.write_bytes(line())
    with pytest.raises(UnreadableInput, match=says):
        within_bounds(file)
