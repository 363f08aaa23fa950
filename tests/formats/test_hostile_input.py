"""Files that nobody should have written: each is read, warned about, or refused in one clear sentence, and never
hangs."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from pathlib import Path

import pytest

from analyzer.formats import load, load_bytes
from analyzer.formats.loading.load import STREAMED
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import Transcript
from tests.growth import assert_in_proportion

CHAT = [
    {"role": "user", "content": "List the shelf."},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "c1", "function": {"name": "bash", "arguments": '{"command": "ls"}'}}],
    },
    {"role": "tool", "tool_call_id": "c1", "content": "a b"},
]
LINES = "\n".join(json.dumps(message) for message in CHAT)


def calls(transcript: Transcript) -> int:
    return sum(1 for session in transcript.sessions for _ in session.calls())


def warnings(transcript: Transcript) -> list[str]:
    return [f"{warning.where}: {warning.what}" for session in transcript.sessions for warning in session.warnings]


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"\xef\xbb\xbf" + json.dumps(CHAT).encode(), id="byte order mark"),
        pytest.param(json.dumps(CHAT).encode("utf-16"), id="UTF-16"),
        pytest.param(LINES.replace("\n", "\r\n").encode(), id="CRLF"),
        pytest.param(json.dumps(CHAT).replace("a b", "NaN").replace('"NaN"', "NaN").encode(), id="NaN"),
        pytest.param(json.dumps(CHAT).replace("a b", "\\ud800").encode(), id="lone surrogate"),
        pytest.param(json.dumps(CHAT).replace("a b", "a\x01b").encode(), id="control character in a string"),
        pytest.param(json.dumps(CHAT).replace("a b", "a\\u0000b").encode(), id="NUL in a string"),
        pytest.param(json.dumps(CHAT, indent=4).encode(), id="pretty-printed"),
        pytest.param(b"\n\n" + LINES.encode() + b"\n\n", id="blank lines"),
        pytest.param(gzip.compress(LINES.encode()), id="gzip"),
        pytest.param(gzip.compress(gzip.compress(LINES.encode())), id="gzip twice"),
    ],
)
def test_odd_but_readable(data: bytes) -> None:
    assert calls(load_bytes(data, "x.jsonl")) == 1


def test_a_zstd_file_is_unpacked() -> None:
    zstd = pytest.importorskip("backports.zstd")
    assert calls(load_bytes(zstd.compress(LINES.encode()), "x.jsonl.zst")) == 1


@pytest.mark.parametrize(
    ("line", "said"),
    [
        pytest.param("{" + '"a":{' * 10_000, "line 2", id="10,000 deep and cut"),
        pytest.param('{"a":' * 10_000 + "1" + "}" * 10_000, "line 2", id="10,000 deep"),
        pytest.param("not json", "line 2: not JSON", id="text"),
        pytest.param("[1, 2]", "line 2: a JSON list", id="a list"),
        pytest.param('{"role": "assistant", "content": "cut', "line 2", id="cut"),
    ],
)
def test_a_bad_line_is_a_warning_with_its_number(line: str, said: str) -> None:
    first, rest = LINES.split("\n", 1)
    transcript = load_bytes(f"{first}\n{line}\n{rest}".encode(), "x.jsonl")
    assert calls(transcript) == 1
    assert [text for text in warnings(transcript) if text.startswith(said)]


def test_bytes_that_are_no_utf8_are_replaced_and_counted() -> None:
    transcript = load_bytes(LINES.replace("a b", "a\xe9b").encode("latin-1"), "x.jsonl")
    assert calls(transcript) == 1
    assert any("not valid UTF-8" in text for text in warnings(transcript))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        pytest.param(b"", "is empty", id="empty"),
        pytest.param(b" \n\t\n", "only white space", id="white space"),
        pytest.param(b"\x00" * 4_000, "only white space", id="NUL bytes"),
        pytest.param(b"\x7fELF\x02\x01\x01" + b"\x00\xff\xfe" * 500, "binary", id="binary"),
        pytest.param(b'{"a": ' * 20_000, "damaged JSON", id="cut and deep"),
        pytest.param(b'[{"role": "user", "content": "x"}, {"role": "assis', "damaged JSON", id="truncated"),
        pytest.param(b"hello", "no transcript", id="text"),
        pytest.param(b"{}", "no transcript", id="empty object"),
        pytest.param(b"PK\x03\x04 not really", "damaged zip", id="damaged zip"),
        pytest.param(b"\x1f\x8b\x08\x00 broken", "packed and damaged", id="damaged gzip"),
    ],
)
def test_a_refusal_says_what_is_wrong(data: bytes, said: str) -> None:
    with pytest.raises(UnreadableInput, match=said):
        load_bytes(data, "x.json")


@pytest.mark.slow
def test_a_gzip_bomb_is_refused() -> None:
    bomb = gzip.compress(b"0" * (300 << 20), compresslevel=1)
    with pytest.raises(UnreadableInput, match="far more than a transcript"):
        load_bytes(bomb, "x.gz")


@pytest.mark.slow
def test_a_zip_bomb_is_refused_and_its_neighbours_are_read() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        archive.writestr("bomb.json", b" " * (64 << 20))
        archive.writestr("good.jsonl", LINES)
    transcript = load_bytes(packed.getvalue(), "runs.zip")
    assert calls(transcript) == 1
    assert len(warnings(transcript)) == 1
    assert "bomb.json" in warnings(transcript)[0]


def test_a_cut_gzip_gives_what_is_there() -> None:
    many = "\n".join([LINES] * 2_000).encode()
    packed = gzip.compress(many, compresslevel=0)
    assert calls(load_bytes(packed[: len(packed) // 2], "x.jsonl.gz")) > 100


def test_a_link_that_leads_in_a_circle_does_not_hang(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "notes.txt").write_text("nothing", encoding="utf-8")
    with pytest.raises(UnreadableInput, match="directory"):
        load(tmp_path)


@pytest.mark.slow
def test_a_large_file_of_lines_is_read_from_disk(tmp_path: Path) -> None:
    path = tmp_path / "large.jsonl"
    filler = json.dumps({"role": "user", "content": "x" * 1_000_000})
    with path.open("w", encoding="utf-8") as file:
        file.write(LINES + "\n")
        while file.tell() <= STREAMED:
            file.write(filler + "\n")
    transcript = load(path)
    assert (calls(transcript), transcript.size_bytes) == (1, path.stat().st_size)
    assert len(transcript.sha256) == 64


def test_a_word_of_the_letters_of_hashes_is_looked_at_in_proportion() -> None:
    def refused(data: bytes) -> None:
        with pytest.raises(UnreadableInput):
            load_bytes(data, "x.md")

    assert_in_proportion(refused, lambda size: b"a" * size + b"\nharbour\n", 2_500, 10_000, "a word of such letters")
