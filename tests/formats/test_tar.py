"""Tar archives: what is read of them, and what isn't."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import sys
import tarfile
from pathlib import Path

import pytest

from analyzer.formats import load, load_bytes
from analyzer.formats.container.bundle import TarBundle
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import ReadWarning, Transcript

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

MAIN = "0a1b2c3d-0000-4000-8000-000000000001"


def log(task: str) -> bytes:
    return json.dumps(
        {
            "session": {"id": task, "task": task},
            "actions": [{"tool": "bash", "arguments": {"command": "ls"}, "result": "a.py"}],
        }
    ).encode()


def record(number: int, kind: str, content: object, **more: object) -> str:
    message = {"role": kind, "content": content, "id": f"m{number}{more.get('agentId', '')}"}
    stamp = f"2025-03-01T10:00:{number:02}.000Z"
    return json.dumps(
        {
            "type": kind,
            "uuid": f"u{number}",
            "parentUuid": None,
            "isSidechain": False,
            "sessionId": MAIN,
            "timestamp": stamp,
            "message": message,
            **more,
        }
    )


def member(
    name: str, data: bytes = b"", kind: bytes = tarfile.REGTYPE, link: str = ""
) -> tuple[tarfile.TarInfo, bytes]:
    entry = tarfile.TarInfo(name)
    entry.size, entry.type, entry.linkname = len(data), kind, link
    return entry, data


def tar(*members: tuple[tarfile.TarInfo, bytes], form: int = tarfile.PAX_FORMAT) -> bytes:
    box = io.BytesIO()
    with tarfile.open(fileobj=box, mode="w", format=form) as archive:
        for entry, data in members:
            archive.addfile(entry, io.BytesIO(data) if data else None)
    return box.getvalue()


def tasks(transcript: Transcript) -> list[str | None]:
    return [session.task for session in transcript.sessions]


def names_of(transcript: Transcript) -> list[str]:
    return [warning.where for session in transcript.sessions for warning in session.warnings]


TWO = tar(member("runs/b.json", log("second")), member("runs/a.json", log("first")))


@pytest.mark.parametrize(
    "pack", [bytes, gzip.compress, bz2.compress, lzma.compress, zstd.compress], ids=["tar", "gz", "bz2", "xz", "zst"]
)
def test_the_members_of_a_tar_archive_are_read_by_name(tmp_path: Path, pack: object) -> None:
    assert callable(pack)
    file = tmp_path / "runs.tar"
    file.write_bytes(pack(TWO))
    transcript = load(file)
    assert (transcript.format, tasks(transcript), names_of(transcript)) == ("actions", ["first", "second"], [])


@pytest.mark.parametrize("form", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_every_kind_of_tar_is_recognised_by_its_content(form: int) -> None:
    name = f"{'long-folder/' * 7}a.json"
    assert tasks(load_bytes(tar(member(name, log("one")), form=form), "download")) == ["one"]


def test_a_packed_transcript_needs_no_archive() -> None:
    assert tasks(load_bytes(bz2.compress(log("one")), "a.json.bz2")) == ["one"]
    assert tasks(load_bytes(lzma.compress(log("one")), "a.json.xz")) == ["one"]


def test_a_text_that_begins_like_bzip2_is_a_text() -> None:
    with pytest.raises(UnreadableInput, match="is text, but no transcript"):
        load_bytes(b"BZh9 is how a packed file begins.", "notes.txt")


def test_links_devices_and_names_that_lead_out_are_left_out() -> None:
    data = tar(
        member("a.json", log("one")),
        member("link.json", kind=tarfile.SYMTYPE, link="/etc/hostname"),
        member("hard.json", kind=tarfile.LNKTYPE, link="a.json"),
        member("pipe", kind=tarfile.FIFOTYPE),
        member("/etc/b.json", log("absolute")),
        member("../c.json", log("outside")),
        member("x/../../d.json", log("outside too")),
        member("./sub/../e.json", log("two")),
    )
    transcript = load_bytes(data, "x.tar")
    assert tasks(transcript) == ["one", "two"]
    assert names_of(transcript) == ["link.json", "hard.json", "pipe", "/etc/b.json", "../c.json", "x/../../d.json"]


def test_what_macos_adds_is_passed_over() -> None:
    transcript = load_bytes(
        tar(member("a.json", log("one")), member("._a.json", b"\0\5\x16\7"), member("__MACOSX/b.json", b"\0")), "x.tar"
    )
    assert (tasks(transcript), names_of(transcript)) == (["one"], [])


def test_of_members_of_one_name_the_last_counts() -> None:
    assert tasks(load_bytes(tar(member("a.json", log("before")), member("a.json", log("after"))), "x.tar")) == ["after"]


def test_a_tar_that_is_cut_off_is_read_as_far_as_it_goes() -> None:
    data = tar(member("a.json", log("one")), member("b.json", log("two") + b" " * 5_000))
    transcript = load_bytes(data[:3_000], "x.tar")
    assert tasks(transcript) == ["one"]
    assert names_of(transcript) == ["tar archive", "b.json"]


def test_a_header_that_claims_more_than_there_is_is_not_believed() -> None:
    entry, _ = member("huge.json")
    entry.size = 1 << 40
    warnings: list[ReadWarning] = []
    bundle = TarBundle(entry.tobuf() + log("one"), "x.tar", warnings)
    with pytest.raises(UnreadableInput, match="unexpected end of data"):
        bundle.read("huge.json")


def test_a_tar_without_a_transcript_says_so() -> None:
    with pytest.raises(UnreadableInput, match="archive of 1 files, none of them a transcript"):
        load_bytes(tar(member("readme.md", b"Nothing to see.")), "x.tar")


def test_archives_in_archives_are_opened_to_a_limit() -> None:
    inner = tar(member("a.json", log("one")))
    assert tasks(load_bytes(tar(member("inner.tar.gz", gzip.compress(inner))), "x.tar")) == ["one"]
    with pytest.raises(UnreadableInput, match="none of them a transcript"):
        load_bytes(tar(member("x.tar", tar(member("y.tar", tar(member("z.tar", inner)))))), "x.tar")


def test_an_archive_is_read_as_the_folder_that_was_packed() -> None:
    lines = [
        record(1, "user", "Fix it."),
        record(2, "assistant", [{"type": "tool_use", "id": "t1", "name": "Task", "input": {}}]),
    ]
    agent = [
        record(
            3,
            "assistant",
            [{"type": "tool_use", "id": "s1", "name": "Grep", "input": {}}],
            agentId="a7f",
            isSidechain=True,
        )
    ]
    data = tar(
        member(f"projects/shop/{MAIN}.jsonl", "\n".join(lines).encode()),
        member(f"projects/shop/{MAIN}/subagents/agent-a7f.jsonl", "\n".join(agent).encode()),
        member("projects/shop/other.json", log("other")),
    )
    transcript = load_bytes(data, "x.tar")
    assert tasks(transcript) == ["Fix it.", "other"]
    assert [(call.name, call.lane) for call in transcript.sessions[0].calls()] == [
        ("Task", "main"),
        ("Grep", "agent-a7f"),
    ]
    assert transcript.format == "claude-code-folder+actions"
