"""Packed files, archives and folders that are damaged, nested without end, or hold what is no file."""

from __future__ import annotations

import gzip
import io
import json
import os
import random
import tarfile
import zipfile
from pathlib import Path

import pytest

from analyzer.checkup import check, files_of
from analyzer.formats import load, load_bytes
from analyzer.model.errors import UnreadableInput
from tests.formats.test_hostile_input import LINES, calls, warnings

DRAW = random.Random(7)
LONG = "\n".join(json.dumps({"role": "user", "content": f"{DRAW.getrandbits(4_000):x}"}) for _ in range(300))


def boxed(data: bytes, times: int) -> bytes:
    for _ in range(times):
        box = io.BytesIO()
        with zipfile.ZipFile(box, "w") as archive:
            archive.writestr("inner.zip", data)
        data = box.getvalue()
    return data


@pytest.mark.parametrize("cut", [0.4, 0.9])
def test_what_could_be_unpacked_of_a_cut_file_is_read_with_a_warning(cut: float) -> None:
    packed = gzip.compress(f"{LINES}\n{LONG}".encode())
    transcript = load_bytes(packed[: int(len(packed) * cut)], "x.jsonl.gz")
    assert calls(transcript) == 1
    assert any("cut off or damaged" in text for text in warnings(transcript))


def test_an_intact_packed_file_has_no_warning() -> None:
    assert warnings(load_bytes(gzip.compress(LINES.encode()), "x.jsonl.gz")) == []


def test_archives_in_archives_are_opened_to_a_limit() -> None:
    one = io.BytesIO()
    with zipfile.ZipFile(one, "w") as archive:
        archive.writestr("a.jsonl", LINES)
    assert calls(load_bytes(boxed(one.getvalue(), 1), "x.zip")) == 1
    with pytest.raises(UnreadableInput, match="none of them a transcript"):
        load_bytes(boxed(one.getvalue(), 1_200), "x.zip")


@pytest.mark.parametrize("name", ["/run.jsonl", "//a/run.jsonl", "../../run.jsonl", "/"])
def test_members_stay_inside_of_the_archive(name: str) -> None:
    box = io.BytesIO()
    with zipfile.ZipFile(box, "w") as archive:
        archive.writestr(zipfile.ZipInfo(f"{name}x" if name.endswith("/") else name), LINES)
    assert calls(load_bytes(box.getvalue(), "x.zip")) == 1


@pytest.mark.parametrize("form", ["zip", "tar"])
def test_a_path_that_no_file_system_could_hold_is_refused(form: str) -> None:
    box = io.BytesIO()
    name = "a/" * 30_000 + "run.jsonl"
    if form == "zip":
        with zipfile.ZipFile(box, "w") as archive:
            archive.writestr(name, LINES)
    else:
        with tarfile.open(fileobj=box, mode="w", format=tarfile.PAX_FORMAT) as tar:
            entry = tarfile.TarInfo(name)
            entry.size = len(LINES)
            tar.addfile(entry, io.BytesIO(LINES.encode()))
    with pytest.raises(UnreadableInput, match="path has 60009 characters"):
        load_bytes(box.getvalue(), f"x.{form}")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no such device here")
def test_a_device_without_end_is_refused() -> None:
    with pytest.raises(UnreadableInput, match="is a device"):
        load("/dev/zero")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_members_of_one_name_are_both_read() -> None:
    box = io.BytesIO()
    with zipfile.ZipFile(box, "w") as archive:
        archive.writestr("a.jsonl", LINES)
        archive.writestr("a.jsonl", LINES.replace("List the shelf.", "List the shelves."))
    assert calls(load_bytes(box.getvalue(), "x.zip")) == 2


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_pipes_and_links_to_nothing_are_left_out_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(LINES)
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "gone").symlink_to(tmp_path / "nowhere")
    assert [Path(name).name for name in files_of(str(tmp_path))] == ["a.jsonl"]
    assert check(str(tmp_path / "a.jsonl")).actions == 1


def test_spans_that_are_each_other_s_parents_keep_one() -> None:
    def span(own: str, parent: str) -> dict[str, object]:
        return {
            "traceId": "t1",
            "spanId": own,
            "parentSpanId": parent,
            "name": "execute_tool moor",
            "startTimeUnixNano": "1000000000",
            "endTimeUnixNano": "2000000000",
            "attributes": [
                {"key": "gen_ai.operation.name", "value": {"stringValue": "execute_tool"}},
                {"key": "gen_ai.tool.name", "value": {"stringValue": "moor"}},
            ],
        }

    spans = [span("s0", "s1"), span("s1", "s0")]
    line = json.dumps({"resourceSpans": [{"resource": {"attributes": []}, "scopeSpans": [{"spans": spans}]}]})
    assert calls(load_bytes(line.encode(), "trace.jsonl")) == 1
