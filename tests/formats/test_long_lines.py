"""A file that is one line of 100 MB, or holds such a line, is read or refused in bounded time."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

import pytest

from analyzer.formats import load
from analyzer.formats.container.content import LONGEST_LINE
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import Message, Session, ToolResult
from tests.drawn import depth
from tests.growth import LEEWAY, assert_in_proportion

pytestmark = [pytest.mark.slow, pytest.mark.sampled]

SIZE = depth(30_000_000, 100_000_000)
"""A line of as many bytes, and of a quarter of them to compare it with."""


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
def folder(tmp_path: Path) -> Iterator[Path]:
    """A place for large files, which aren't kept as other files of tests are."""
    yield tmp_path
    for file in tmp_path.iterdir():
        file.unlink()


def within_bounds(
    folder: Path,
    write: Callable[[BinaryIO, int], object],
    small: int = SIZE // 4,
    large: int = SIZE,
    leeway: float = LEEWAY,
) -> list[Session]:
    """The sessions of a file with a line of the larger size, which takes no longer than it does in proportion to one of
    the smaller size."""
    read: dict[Path, list[Session] | UnreadableInput] = {}

    def made(size: int) -> Path:
        file = folder / f"run-{size}.jsonl"
        if not file.exists():
            with file.open("wb") as out:
                write(out, size)
        return file

    def look(file: Path) -> None:
        try:
            read[file] = load(file).sessions
        except UnreadableInput as error:
            read[file] = error

    assert_in_proportion(look, made, small, large, "one line", leeway)
    sessions = read[made(large)]
    if isinstance(sessions, UnreadableInput):
        raise sessions
    return sessions


def test_a_record_of_one_long_line_is_read(folder: Path) -> None:
    ((message,),) = (
        session.events for session in within_bounds(folder, lambda out, size: out.write(said("u", "x" * size)))
    )
    assert isinstance(message, Message)
    assert len(message.text) == SIZE


def test_a_long_result_among_others_is_read(folder: Path) -> None:
    (session,) = within_bounds(
        folder, lambda out, size: out.write(said("u") + result_of("word " * (size // 5)) + said("v"))
    )
    assert [len(event.text) for event in session.events if isinstance(event, ToolResult)] == [SIZE]
    assert len(session.events) == 4


def test_a_long_line_that_is_no_record_is_reported_and_the_rest_is_read(folder: Path) -> None:
    (session,) = within_bounds(folder, lambda out, size: out.write(said("u") + b"{" * size))
    assert [(warning.where, warning.what) for warning in session.warnings] == [
        ("line 2", "the file ends in the middle of this record; skipped")
    ]
    assert len(session.events) == 1


def test_a_line_longer_than_is_ever_held_is_reported_and_the_rest_is_read(folder: Path) -> None:
    def write(out: BinaryIO, size: int) -> None:
        out.write(said("u") + b'{"type": "user"')
        out.seek(size)  # a hole, which takes no space on the disk
        out.write(b"}\n" + said("v"))

    # Twice as long a line takes four times as long where the time grows with the square.
    (session,) = within_bounds(folder, write, LONGEST_LINE + 1000, 2 * LONGEST_LINE, 1.5)
    assert [(warning.where, warning.what) for warning in session.warnings] == [
        ("line 2", "longer than a line can sensibly be; skipped")
    ]
    assert len(session.events) == 2


@pytest.mark.parametrize(
    ("begin", "unit", "says"),
    [
        pytest.param(b"", b"word ", "is text, but no transcript of a known format", id="text"),
        pytest.param(b'{"a": "', b"x", "is damaged JSON", id="a record without its end"),
    ],
)
def test_nothing_but_a_long_line_that_is_no_record_is_refused(
    folder: Path, begin: bytes, unit: bytes, says: str
) -> None:
    with pytest.raises(UnreadableInput, match=says):
        within_bounds(folder, lambda out, size: out.write(begin + unit * (size // len(unit))))
