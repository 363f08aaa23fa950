"""Inspect archives: members of every packing, whole and in chunks, complete and broken off."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from analyzer.formats.loading.load import load, load_bytes
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import Message, Session, ToolResult, Transcript
from analyzer.model.words import Ending
from tests.formats.inspect_builders import (
    DEFLATE,
    ZSTD,
    Json,
    answer,
    archive,
    asked,
    came,
    log,
    model,
    sample,
    tool,
    user,
)
from tests.formats.mutations import read_or_refuse

HEADER = {key: value for key, value in log().items() if key != "samples"}
WHOLE = sample(
    model(1, [user("Do it.")], answer("", asked("c1", cmd="attachment://k"))),
    tool(2, "c1", "x"),
    attachments={"k": "ls"},
)
START = {"version": 2, "eval": HEADER["eval"], "plan": HEADER["plan"]}


def chunked(name: str = "samples/s_epoch_1", **rest: Any) -> dict[str, object]:
    """A sample in chunks: the second model's input and its words refer to what other chunks hold."""
    pool = [user("attachment://0"), answer("", asked("c1", cmd="attachment://1"), message_id="a1"), came("c1", "x")]
    events = [
        model(1, [], pool[1], input_refs=[[0, 1]]),
        tool(2, "c1", "attachment://2"),
        model(4, [], answer("So.", message_id="a2"), input_refs=[[0, 3]]),
    ]
    shell: Json = {
        "id": "s",
        "epoch": 1,
        "input": "attachment://0",
        "target": "",
        "scores": {"m": {"value": "C"}},
        "message_refs": [[0, 3]],
    }
    return {
        f"{name}/sample.json": shell | rest,
        f"{name}/skeleton.json": {"spans": []},
        f"{name}/messages/0.json": pool[:2],
        f"{name}/messages/2.json": pool[2:],
        f"{name}/events/0.json": events[:2],
        f"{name}/events/2.json": events[2:],
        f"{name}/events/stats.json": {"chunks": []},
        f"{name}/events/uuids.json": ["m1", "t2", "m4"],
        f"{name}/attachments/0.json": ["Do it.", "ls"],
        f"{name}/attachments/2.json": ["a\nb"],
    }


def read(members: Mapping[str, object], packing: int = DEFLATE) -> Transcript:
    return load_bytes(archive(members, packing), "logs/run.eval")


def spoken(session: Session) -> list[str]:
    return [event.text for event in session.events if isinstance(event, Message)]


@pytest.mark.parametrize(
    "packing", [pytest.param(DEFLATE, id="deflate"), pytest.param(ZSTD, id="zstd"), pytest.param(0, id="stored")]
)
def test_an_archive_of_any_packing(packing: int) -> None:
    transcript = read({"header.json": HEADER, "summaries.json": [], "samples/s_epoch_1.json": WHOLE}, packing)
    (session,) = transcript.sessions

    assert (transcript.format, session.id, session.model, session.agent_version) == (
        "inspect",
        "s_epoch_1",
        "some/model",
        "0.3.1",
    )
    assert [(call.name, call.arguments) for call in session.calls()] == [("bash", {"cmd": "ls"})]


@pytest.mark.parametrize("packing", [DEFLATE, ZSTD])
def test_a_sample_in_chunks(packing: int) -> None:
    (session,) = read({"header.json": HEADER | {"version": 3}} | chunked(), packing).sessions

    assert (session.id, session.task, session.ending) == ("s_epoch_1", "Do it.", Ending.SOLVED)
    assert [(call.id, call.arguments) for call in session.calls()] == [("c1", {"cmd": "ls"})]
    assert [event.text for event in session.events if isinstance(event, ToolResult)] == ["a\nb"]
    assert spoken(session) == ["Do it.", "So."]
    assert session.warnings == []


def test_chunks_without_events_are_read_by_their_messages() -> None:
    members = {name: value for name, value in chunked().items() if "/events/" not in name}
    (session,) = read({"header.json": HEADER} | members).sessions

    assert [(call.id, call.arguments) for call in session.calls()] == [("c1", {"cmd": "ls"})]
    assert [event.text for event in session.events if isinstance(event, ToolResult)] == ["x"]


def test_a_missing_chunk_moves_no_reference() -> None:
    members = {name: value for name, value in chunked().items() if not name.endswith("attachments/0.json")}
    (session,) = read({"header.json": HEADER} | members).sessions

    assert [event.text for event in session.events if isinstance(event, ToolResult)] == ["a\nb"]
    assert [call.arguments for call in session.calls()] == [{"cmd": "attachment://1"}]
    assert [warning.where for warning in session.warnings] == ["samples/s_epoch_1/attachments/2.json"]


def test_whole_and_chunked_samples_stand_side_by_side_in_order() -> None:
    names = ["samples/10_epoch_1.json", "samples/9_epoch_2.json", "samples/9_epoch_1.json"]
    members: dict[str, object] = {name: WHOLE | {"id": name[8:-5], "epoch": None} for name in names}
    transcript = read({"header.json": HEADER} | members | chunked("samples/9_epoch_10", id=9, epoch=10))

    assert [session.id for session in transcript.sessions] == ["9_epoch_1", "9_epoch_2", "9_epoch_10", "10_epoch_1"]


def test_an_unfinished_run_is_described_by_its_start() -> None:
    members = {"_journal/start.json": START, "_journal/summaries/1.json": [], "samples/s_epoch_1.json": WHOLE}
    (session,) = read(members).sessions

    assert (session.model, session.environment, session.recorded_status) == ("some/model", {"solver": "react"}, None)


def test_members_that_cant_be_read_are_left_out() -> None:
    members: dict[str, object] = {
        "header.json": b"{torn",
        "_journal/start.json": START,
        "samples/a_epoch_1.json": b"{torn",
    }
    (session,) = read(members | {"samples/b_epoch_1.json": [], "samples/s_epoch_1.json": WHOLE}).sessions

    assert session.model == "some/model"
    assert [(warning.where, warning.what) for warning in session.warnings] == [
        ("samples/a_epoch_1.json", "not JSON; skipped"),
        ("samples/b_epoch_1.json", "not a sample; skipped"),
    ]


def test_an_archive_without_samples_says_so() -> None:
    with pytest.raises(UnreadableInput, match="holds no sample"):
        read({"header.json": HEADER, "summaries.json": []})


def test_a_box_of_other_files_is_no_log() -> None:
    box = archive({"header.json": {"x": 1}, "log.json": log(WHOLE)})

    assert load_bytes(box, "box.zip").sessions[0].id == "s_epoch_1"


def test_an_unpacked_archive_is_read_from_its_folder(tmp_path: Path) -> None:
    import json

    for name, value in ({"header.json": HEADER} | chunked()).items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(json.dumps(value), encoding="utf-8")
    transcript = load(tmp_path)

    assert (transcript.format, [session.id for session in transcript.sessions]) == ("inspect", ["s_epoch_1"])


@pytest.mark.parametrize("packing", [DEFLATE, ZSTD])
def test_an_archive_cut_or_changed_anywhere_is_read_or_refused(packing: int) -> None:
    whole = archive({"header.json": HEADER, "samples/s_epoch_1.json": WHOLE}, packing)
    for place in range(0, len(whole), 3):
        assert read_or_refuse(whole[:place], "inspect") == []
        changed = bytearray(whole)
        changed[place] ^= 0x5A
        read_or_refuse(bytes(changed), "inspect")
