"""What holds for every format: who recognises what, what is read, and what comes of files that are cut, or are
something else."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from analyzer.formats.container.document import MISSING, Document
from analyzer.formats.container.unpack import is_database
from analyzer.formats.loading.load import document_of, load, load_bytes
from analyzer.formats.loading.registry import by_name, formats, sniff
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import Session
from analyzer.timeline import build_timeline
from tests.drawn import depth
from tests.formats.corpus_files import entries
from tests.formats.mutations import read_or_refuse, transcript_or_none
from tests.formats.samples import ALL_SAMPLES, FOLDERS, Sample
from tests.tables import table
from tests.together import check_each

CUTS = depth(75, 300)
"""At how many places, evenly spread, a sample is cut; besides, at the ends of its first lines."""
OURS = {
    "inspect-ai": {"inspect"},
    "inspect-events": {"inspect"},
    "chat-trajectory": {"atif"},
    "agentrx": {"magentic-one", "tau-bench"},
}
"""The formats of corpus files that the manifest calls by another name."""
WARNED = {
    "application_log.jsonl": "1 speak neither of a call nor of a result; left out",
    "langgraph_checkpoints.sql": "1 checkpoint of branches that were taken back; left out",
    "openclaw_trajectory.jsonl": "2 messages of a run left out by the recorder",
    "terminal_bench.json": "only the verdict is in this file; read the trial's folder for the steps",
}
"""What is remarked on in the samples that hold something which isn't read on purpose."""
of_every_sample = pytest.mark.parametrize("sample", ALL_SAMPLES, ids=lambda sample: sample.file)


def takers(document: Document) -> list[str]:
    return [entry.name for entry in formats() if entry.sniff(document)]


def test_every_format_has_a_sample_and_every_sample_is_listed() -> None:
    assert {sample.format for sample in ALL_SAMPLES} | FOLDERS.keys() == {entry.name for entry in formats()}
    folder = Path(__file__).resolve().parents[1] / "data" / "formats"
    assert {path.name for path in folder.iterdir()} <= {Path(sample.file).name for sample in ALL_SAMPLES}


@of_every_sample
def test_a_sample_is_recognised_by_its_own_format_only(sample: Sample) -> None:
    document = document_of(sample.path.read_bytes(), sample.path.name)
    # The one for logs without a format takes whatever names calls in the usual words, and is asked behind all others.
    particular = [name for name in takers(document) if name in (sample.format, "chat") or name != "action-list"]
    assert particular == [sample.format, *(["chat"] if sample.last_resort else [])]
    assert sniff(document) is by_name(sample.format)


@of_every_sample
def test_a_sample_is_read_with_its_calls_and_tokens(sample: Sample) -> None:
    sessions = load(sample.path).sessions
    assert tuple(Counter(call.lane for call in session.calls()) for session in sessions) == sample.calls
    assert tuple(session.tokens for session in sessions) == sample.tokens
    costs = [session.cost_usd for session in sessions if session.cost_usd is not None]
    assert (sum(costs) if costs else None) == pytest.approx(sample.cost)
    assert len({session.id for session in sessions}) == len(sessions)
    warned = [warning.what for session in sessions for warning in session.warnings]
    assert warned == [what for file, what in WARNED.items() if file == sample.file]


@of_every_sample
def test_steps_are_numbered_from_1_in_each_lane(sample: Sample) -> None:
    for session, calls in zip(load(sample.path).sessions, sample.calls, strict=True):
        timeline = build_timeline(session)
        for lane in timeline.lanes():
            assert [action.step for action in timeline.lane(lane)] == list(range(1, calls.get(lane, 0) + 1))
        assert [action.tool for action in timeline.actions] == [call.name for call in session.calls()]


def calls_of(sessions: list[Session]) -> int:
    return sum(1 for session in sessions for _ in session.calls())


def cuts(data: bytes) -> list[int]:
    ends = [at for at, byte in enumerate(data) if byte == ord("\n")][:20]
    return sorted({*range(0, len(data), max(1, len(data) // CUTS)), *ends, *(end + 1 for end in ends)})


@pytest.mark.slow
@pytest.mark.sampled
@of_every_sample
def test_a_cut_file_is_read_up_to_there_or_refused(sample: Sample) -> None:
    data = sample.path.read_bytes()
    whole = calls_of(load(sample.path).sessions)
    one = not is_database(data) and sample.file.endswith((".json", ".traj"))
    of_one_value = one and Document(sample.file, data).value is not MISSING
    for end in cuts(data):
        recognised = transcript_or_none(data[:end])
        seen = recognised.sessions if recognised is not None else []
        assert calls_of(seen) <= whole
        # What is recognised as the format is read as it's read where the format is named.
        own = recognised is not None and recognised.format == sample.format
        found = seen if own else read_or_refuse(data[:end], sample.format)
        assert calls_of(found) <= whole
        assert not (of_one_value and found and data[end:].strip()), (
            f"half a JSON value was read as a whole one at {end}"
        )


def _with_another_type(value: Any, key: str, other: object) -> Any:
    """A copy in which each text that has that key is `other`."""
    if isinstance(value, dict):
        return {
            name: other if name == key and isinstance(one, str) else _with_another_type(one, key, other)
            for name, one in value.items()
        }
    return [_with_another_type(one, key, other) for one in value] if isinstance(value, list) else value


def _keys_of_texts(value: Any) -> set[str]:
    """The keys under which there are texts."""
    if isinstance(value, dict):
        own = {name for name, one in value.items() if isinstance(one, str)}
        return own.union(*map(_keys_of_texts, value.values()))
    return set().union(*map(_keys_of_texts, value)) if isinstance(value, list) else set()


def _rows(data: bytes) -> list[Any] | None:
    """The JSON values of a document: the whole, or one per line; None where it holds something else."""
    for parts in ([data], [line for line in data.splitlines() if line.strip()]):
        try:
            return [json.loads(part) for part in parts]
        except ValueError:
            continue
    return None


@of_every_sample
def test_a_list_where_a_text_is_expected_is_survived(sample: Sample) -> None:
    data = sample.path.read_bytes()
    if (rows := _rows(data)) is None:
        return
    for key in sorted(_keys_of_texts(rows)):
        lines = (json.dumps(_with_another_type(row, key, ["x"])) for row in rows)
        read_or_refuse("\n".join(lines).encode(), sample.format)


@pytest.mark.parametrize(
    "sample", [sample for sample in ALL_SAMPLES if sample.file.endswith(".jsonl")], ids=lambda sample: sample.file
)
def test_a_line_that_is_cut_off_is_reported(sample: Sample) -> None:
    lines = sample.path.read_bytes().splitlines(keepends=True)
    for number in range(1, len(lines)):
        data = b"".join(lines[:number]) + lines[number][: len(lines[number]) // 2]
        sessions = read_or_refuse(data, sample.format)
        reported = [(warning.where, warning.what) for session in sessions for warning in session.warnings]
        assert not sessions or (f"line {number + 1}", "the file ends in the middle of this record; skipped") in reported


@pytest.mark.parametrize(("name", "says"), sorted({(one.format, one.nothing) for one in ALL_SAMPLES} | FOLDERS.items()))
def test_what_is_something_else_is_refused_by_name(name: str, says: str) -> None:
    entry = by_name(name)
    assert entry is not None

    def check(data: bytes) -> None:
        assert not entry.sniff(Document("other.json", data))
        with pytest.raises(UnreadableInput) as refusal:
            load_bytes(data, "other.json", name)
        assert re.fullmatch(says, refusal.value.what)
        assert (refusal.value.where, refusal.value.format) == ("other.json", name)

    check_each((b"{}", b"[]", b"[3]", b'{"a": 1}\n{"b": 2}', b"text"), check)


@table("other_documents_are_not_taken", "other_documents_are_refused")
def test_other_documents_are_not_taken(name: str, text: str) -> None:
    entry = by_name(name)
    assert entry is not None
    for content in (text, f"{text}\n{text}"):
        assert not entry.sniff(Document("x", content))


@table("other_documents_are_refused")
def test_other_documents_are_refused(name: str, text: str) -> None:
    entry = by_name(name)
    assert entry is not None
    for content in (text, f"{text}\n{text}"):
        with pytest.raises(UnreadableInput):
            list(entry.read(Document("x", content)))


@pytest.mark.slow
def test_the_corpus_is_recognised_by_its_own_formats_only(corpus: Path) -> None:
    for line in (corpus / "MANIFEST.jsonl").read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        if entry["path"].endswith((".eval", ".zip")):
            continue
        document = Document(entry["path"], (corpus / entry["path"]).read_bytes())
        found = takers(document)
        # Looking for the likely formats first must not change who is found.
        first = sniff(document)
        assert (first.name if first else None) == next(iter(found), None), entry["path"]
        if entry["format"] != "schema-fixtures":
            assert set(found) <= {"chat", "action-list"} | OURS.get(entry["format"], {entry["format"]}), entry["path"]


@pytest.mark.slow
def test_schema_fixtures_are_survived_by_every_format(corpus: Path) -> None:
    for path in entries(corpus, "schema-fixtures"):
        data = path.read_bytes()
        for entry in formats():
            read_or_refuse(data, entry.name)


@of_every_sample
def test_the_line_ends_of_windows_change_nothing(sample: Sample) -> None:
    data = sample.path.read_bytes()
    if is_database(data):
        return
    windows = load_bytes(data.replace(b"\n", b"\r\n"), sample.file)
    assert windows.sessions == load_bytes(data, sample.file).sessions
