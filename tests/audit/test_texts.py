"""The texts that an audit keeps of a session: what is cut, and that nothing else is lost."""

from __future__ import annotations

import json
import zlib
from pathlib import Path

import pytest

from analyzer import load
from analyzer.audit.store.store import Store
from analyzer.audit.store.texts import LEAST, clipped, pack, unpack
from analyzer.detectors import detect
from analyzer.diagnosis import post_mortem
from analyzer.diagnosis.step_texts import recording_of
from analyzer.model.postmortem import PostMortem
from analyzer.model.step_texts import Recording, StepText, Text, Turn
from tests.audit.runs import a_run, audited, tables, write_runs
from tests.conftest import ROOT


def judged(path: Path) -> tuple[Recording, PostMortem]:
    timeline = load(path).sessions[0]
    return recording_of(timeline), post_mortem(timeline, detect(timeline))


def long_run(folder: Path, steps: int, size: int) -> Path:
    """A run of looks of so many characters, the last of which fails."""
    actions = [
        {
            "tool": "shell",
            "arguments": {"command": f"cat tide-{step}.txt"},
            "result": f"{step} " * (size // 2),
            "exit_code": 0,
        }
        for step in range(steps - 1)
    ]
    actions.append(
        {
            "tool": "shell",
            "arguments": {"command": "pytest -q"},
            "result": "E   AssertionError: dry\n1 failed in 0.1s\n" + "x" * size,
            "exit_code": 1,
        }
    )
    path = folder / "run.json"
    path.write_text(
        json.dumps({"format": "analyze-session/1", "session": {"id": "long"}, "actions": actions}), encoding="utf-8"
    )
    return path


def characters(recording: Recording) -> int:
    return sum(
        len(text)
        for step in recording.steps
        for text in (*(text for _, text in step.call), *step.user, *filter(None, (step.result, step.said)))
    )


@pytest.mark.parametrize("sample", sorted((ROOT / "sample_sessions").glob("*.json")), ids=lambda path: path.stem)
def test_what_fits_is_kept_to_the_letter(sample: Path) -> None:
    recording, report = judged(sample)

    assert unpack(pack(clipped(recording, report))) == recording


def test_a_long_session_keeps_to_its_budget_and_the_failure_keeps_most(tmp_path: Path) -> None:
    recording, report = judged(long_run(tmp_path, 40, 5_000))
    assert characters(recording) > 150_000

    kept = clipped(recording, report, 20_000)

    assert 15_000 < characters(kept) <= 20_000
    *looks, failure = kept.steps
    assert failure.result == recording.steps[-1].result
    assert {len(look.result or "") for look in looks} == {
        (20_000 - 5_048 - 9 - sum(len(text) for look in looks for _, text in look.call)) // 39
    }
    assert looks[0].result is not None
    assert looks[0].result.omitted + len(looks[0].result) == len(recording.steps[0].result or "")


@pytest.mark.slow
def test_failures_keep_some_hundred_characters_where_the_budget_is_far_too_small(tmp_path: Path) -> None:
    recording, report = judged(long_run(tmp_path, 400, 2_000))

    kept = clipped(recording, report, 500)

    assert len(kept.steps) == 400
    assert len(kept.steps[-1].result or "") == LEAST
    assert kept.steps[0].result == Text("", "", len(recording.steps[0].result or ""))


def test_texts_that_no_file_can_hold_are_kept() -> None:
    step = StepText(
        1,
        "main",
        (("command", Text("half \ud800", "\udfff", 3)),),
        Text("\x00\x1b]0;t\x07"),
        Text("think"),
        (Text("</script>"), Text("")),
    )
    turns = [Turn("user", 1, Text("half \ud800")), Turn("assistant", 2, Text("a", "b", 7), 1_020)]
    recording = Recording([step, StepText(2, "sub", (), None)], Text("done"), turns, 3)

    assert unpack(pack(recording)) == recording


def test_texts_of_an_earlier_version_have_no_conversation() -> None:
    packed = zlib.compress(json.dumps([[[1, "main", [], "out", None, []]], "done"]).encode())

    assert unpack(packed) == Recording([StepText(1, "main", (), Text("out"))], Text("done"))


def test_an_audit_keeps_them_and_forgets_those_of_what_changed(tmp_path: Path) -> None:
    (file,) = write_runs(tmp_path / "runs", 1)
    audited(tmp_path / "out", tmp_path / "runs")
    file.write_text(json.dumps(a_run(5, actions=2)), encoding="utf-8")
    audited(tmp_path / "out", tmp_path / "runs")

    with Store(tmp_path / "out", "") as store:
        ((key, source, _, texts),) = store.reports([row[0] for row in tables(tmp_path / "out")["sessions"]])
        assert texts is not None
        assert source.path == str(file)
        kept = unpack(texts)
        assert [name for name, _ in kept.steps[0].call] == ["path", "old", "new"]
        assert "harbour 5 is dry" in str(kept.steps[1].result)
        assert list(store.thumbnails()) == [key]
