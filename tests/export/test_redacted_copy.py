"""Copies to share of files within files and of odd files: what can't be looked into is never copied in the clear."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import sqlite3
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from analyzer.export.redacted import Copy
from analyzer.model.errors import UnreadableInput
from tests.redaction.made_up import letters, private_key
from tests.tables import table

TOKEN = "gh" + "p_" + letters(36)
LINE = json.dumps({"text": f"push with {TOKEN}"}) + "\n"
CLEAN = json.dumps({"text": "push with [github-token-1]"}) + "\n"
PICTURE = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"


def in_zip(**members: bytes) -> bytes:
    box = io.BytesIO()
    with zipfile.ZipFile(box, "w") as archive:
        for name, data in members.items():
            archive.writestr(name.replace("_", "."), data)
    return box.getvalue()


def in_tar(mode: str, **members: bytes) -> bytes:
    box = io.BytesIO()
    with tarfile.open(fileobj=box, mode=mode) as archive:  # type: ignore[call-overload]
        for name, data in members.items():
            entry = tarfile.TarInfo(f"runs/{name.replace('_', '.')}")
            entry.size, entry.mtime, entry.uname = len(data), 1_700_000_000, "robin"
            archive.addfile(entry, io.BytesIO(data))
        link = tarfile.TarInfo("runs/latest")
        link.type, link.linkname = tarfile.SYMTYPE, "log.jsonl"
        archive.addfile(link)
    return box.getvalue()


def leaves(data: bytes) -> Iterator[bytes]:
    """What is in the innermost members of whatever holds others."""
    if data.startswith(b"\x1f\x8b"):
        yield from leaves(gzip.decompress(data))
    elif data.startswith(b"BZh"):
        yield from leaves(bz2.decompress(data))
    elif data.startswith(b"\xfd7zXZ"):
        yield from leaves(lzma.decompress(data))
    elif data.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(data)) as box:
            for name in box.namelist():
                yield from leaves(box.read(name))
    elif data[257:262] == b"ustar":
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            for entry in archive:
                assert not entry.uname
                member = archive.extractfile(entry) if entry.isreg() else None
                yield from leaves(member.read()) if member is not None else ()
    else:
        yield data


def copied(place: Path, data: bytes, name: str = "log", **bounds: int) -> tuple[bytes, Copy]:
    file = place / name
    file.write_bytes(data)
    copy, sink = Copy(file, **bounds), io.BytesIO()
    copy.write(sink)
    return sink.getvalue(), copy


PLAIN = LINE.encode()
NESTED: dict[str, bytes] = {
    "a tar archive": in_tar("w", log_jsonl=PLAIN),
    "a tar archive packed by gzip": in_tar("w:gz", log_jsonl=PLAIN),
    "a tar archive packed by bzip2": in_tar("w:bz2", log_jsonl=PLAIN),
    "a tar archive packed by xz": in_tar("w:xz", log_jsonl=PLAIN),
    "a packed member of a tar archive": in_tar("w", log_jsonl_gz=gzip.compress(PLAIN)),
    "a packed member of a zip archive": in_zip(log_jsonl_gz=gzip.compress(PLAIN)),
    "a zip archive in a zip archive": in_zip(box_zip=in_zip(log_jsonl=PLAIN)),
    "a tar archive in a zip archive": in_zip(box_tar_gz=in_tar("w:gz", log_jsonl=PLAIN)),
    "a zip archive in a tar archive": in_tar("w", box_zip=in_zip(log_jsonl=PLAIN)),
    "a file packed twice": gzip.compress(gzip.compress(PLAIN)),
    "a packed zip archive": gzip.compress(in_zip(log_jsonl=PLAIN)),
}


@pytest.mark.parametrize("data", NESTED.values(), ids=NESTED)
def test_what_is_within_another_file(tmp_path: Path, data: bytes) -> None:
    copy, made = copied(tmp_path, data)

    assert list(leaves(copy)) == [CLEAN.encode()]
    assert made.redactor.counts == {"github-token": 1}
    assert not made.skipped
    assert copied(tmp_path, data)[0] == copy


ODD: dict[str, bytes] = {
    "a NUL in the first line": b'{"a": "\0"}\n' + PLAIN,
    "a NUL beside the secret": b'{"a": "\0 ' + TOKEN.encode() + b'"}\n',
    "a NUL in a text": b"so\0\n" + PLAIN,
    "a hole at the end, as a crash leaves it": PLAIN + b"\0" * 5_000,
    "a hole at the beginning": b"\0" * 70_000 + PLAIN,
    "a text in Latin-1 with a NUL": "caf\u00e9 \u00fcber ".encode("latin-1") * 9 + b"\0" + TOKEN.encode(),
    "UTF-16 with a mark": LINE.encode("utf-16"),
    "UTF-16 in the other order": b"\xfe\xff" + LINE.encode("utf-16-be"),
    "UTF-16 without a mark": LINE.encode("utf-16-le"),
    "UTF-16 in the other order without a mark": LINE.encode("utf-16-be"),
    "UTF-32": LINE.encode("utf-32"),
}


@pytest.mark.parametrize("data", ODD.values(), ids=ODD)
def test_odd_texts_are_looked_at(tmp_path: Path, data: bytes) -> None:
    copy, made = copied(tmp_path, data)

    assert TOKEN.encode() not in copy.replace(b"\0", b"")
    assert made.redactor.counts == {"github-token": 1}
    assert len(copy) < len(data)
    assert copied(tmp_path, copy)[0] == copy


@pytest.mark.parametrize(
    "key", ["id", "signature", "request_id", "sessionId", "tool_call_id", "thread_id", "created_at", "sha256"]
)
def test_a_key_under_the_name_of_an_id(tmp_path: Path, key: str) -> None:
    copy, _ = copied(tmp_path, (json.dumps({key: TOKEN, "other": TOKEN}) + "\n").encode())

    assert json.loads(copy) == {key: "[github-token-1]", "other": "[github-token-1]"}


@table("ids_that_are_no_secrets_stay")
def test_ids_that_are_no_secrets_stay(tmp_path: Path, key: str, value: str) -> None:
    data = (json.dumps({key: value}) + "\n").encode()

    assert copied(tmp_path, data)[0] == data


def test_a_key_over_lines_of_a_log_that_begins_with_a_bracket(tmp_path: Path) -> None:
    copy, _ = copied(tmp_path, f"[10:00] cat key\n{private_key()}\n[10:01] done\n".encode())

    assert copy == b"[10:00] cat key\n[private-key-1]\n[10:01] done\n"


def test_a_text_of_many_pieces(tmp_path: Path) -> None:
    rows = "".join(f"row {number}\n" for number in range(30))
    copy, _ = copied(tmp_path, f"# Chat\n{rows}{private_key()}\n{rows}{TOKEN}\n{rows}".encode(), piece=400)

    assert copy == f"# Chat\n{rows}[private-key-1]\n{rows}[github-token-1]\n{rows}".encode()


@pytest.mark.parametrize("start", [b"# Chat ", b'{"a": "', b"["], ids=["text", "record", "list"])
def test_a_line_too_long_to_be_held_is_refused(tmp_path: Path, start: bytes) -> None:
    with pytest.raises(UnreadableInput, match="has a line of more than"):
        copied(tmp_path, start + b"x" * (1 << 22) + TOKEN.encode(), piece=1 << 12, most=1 << 18)


@pytest.mark.parametrize(
    "pack",
    [gzip.compress, lambda data: in_zip(a=data), lambda data: in_tar("w:gz", a=data)],
    ids=["gzip", "zip", "tar"],
)
def test_what_unpacks_to_far_too_much_is_refused(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    with pytest.raises(UnreadableInput, match=r"far more than a transcript does"):
        copied(tmp_path, pack(b"short lines\n" * 20_000), most=1 << 16)


def test_boxes_in_boxes_without_end_are_refused(tmp_path: Path) -> None:
    data = PLAIN
    for _ in range(9):
        data = gzip.compress(data)
    with pytest.raises(UnreadableInput, match="packed too many times"):
        copied(tmp_path, data)


def database() -> bytes:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE message (text TEXT)")
    connection.execute("INSERT INTO message VALUES (?)", (TOKEN,))
    connection.commit()
    return connection.serialize()


@pytest.mark.parametrize("other", [database(), bytes(range(256)) * 40, b"\x7fELF\2\1\1" + b"\0\1\2\xff" * 99])
def test_what_cannot_be_looked_into_is_left_out(tmp_path: Path, other: bytes) -> None:
    folder, target = tmp_path / "run", tmp_path / "copy"
    folder.mkdir()
    (folder / "box.zip").write_bytes(in_zip(log_jsonl=PLAIN, state_db=other, shot_png=PICTURE))
    (folder / "state.db").write_bytes(other)
    (folder / "shot.png").write_bytes(PICTURE)
    copy = Copy(folder)
    copy.write_folder(target)

    assert sorted(file.name for file in target.iterdir()) == ["box.zip", "shot.png"]
    assert (target / "shot.png").read_bytes() == PICTURE
    with zipfile.ZipFile(target / "box.zip") as box:
        assert box.namelist() == ["log.jsonl", "shot.png"]
    assert copy.left_out == ["box.zip!state.db", "state.db"]
    assert copy.skipped == ["box.zip!shot.png", "shot.png"]
    with pytest.raises(UnreadableInput, match="is a binary file"):
        copied(tmp_path, other, "alone")


def test_a_folder_whose_packed_file_is_damaged(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run/log.jsonl.gz").write_bytes(gzip.compress(PLAIN)[:-9])
    with pytest.raises(UnreadableInput, match="is packed and damaged"):
        Copy(tmp_path / "run").write_folder(tmp_path / "copy")
    assert not list((tmp_path / "copy").rglob("*.gz"))
