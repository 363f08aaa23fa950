"""Truth from outside."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.audit.backtest.truth import Labels
from analyzer.model.errors import BadConfiguration
from tests.audit import trees
from tests.audit.backtests import replayed, score, step, stuck, work, write
from tests.tables import table

ONE = "identical-call:times=3"


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three runs, and their folder as the current one."""
    place = tmp_path / "runs"
    write(place / "a.json", [*work(4), *stuck(6), *work(2, "late")])
    write(place / "b.json", [*work(3), *[step("status", f"{n} done") for n in range(4)]])
    write(place / "c.json", stuck(9))
    monkeypatch.chdir(tmp_path)
    return place


def labels(text: str, name: str = "labels.csv") -> Path:
    file = Path(name)
    file.write_text(text)
    return file


@table("labels_alone_say_what_is_stuck")
def test_labels_alone_say_what_is_stuck(runs: Path, text: str) -> None:
    result = replayed(runs, policies=["identical-call", "same-tool"], labels=labels(text))
    assert (result.truth, result.labels) == ("labels", "labels.csv")
    assert (result.counts.stuck, result.counts.good, result.counts.unclear) == (1, 1, 1)
    found = score(result, ONE)
    assert (found.stopped, found.disturbed, found.fires_unclear) == (1, 1, 1)


def test_what_is_saved_ends_with_the_labelled_steps(runs: Path) -> None:
    file = labels("run,label,first,last\na,stuck,5,10\nc,stuck,7,9\nb,good,,\n")
    found = score(replayed(runs, policies=["identical-call"], labels=file), ONE)
    assert (found.stopped, found.too_soon, found.saved.actions, found.to_come) == (1, 0, 3, 0.5)
    assert found.missed == 1, (
        "it fires in the third of nine equal calls, which our detectors call a loop and the label doesn't yet"
    )


def test_a_stuck_run_without_steps_is_stuck_from_its_first_action_on(runs: Path) -> None:
    found = score(replayed(runs, policies=["same-tool"], labels=labels("run,label\na,stuck\n")), "same-tool:times=5")
    assert (found.stopped, found.too_soon, found.saved.actions) == (1, 0, 7)


def test_an_alarm_after_the_labelled_steps_is_late(runs: Path) -> None:
    found = score(
        replayed(runs, policies=["step-limit:actions=11"], labels=labels("run,label,first,last\na,stuck,5,10\n")),
        "step-limit:actions=11",
    )
    assert (found.late, found.stopped) == (1, 0)


def test_our_guard_and_the_others_share_one_frontier(runs: Path) -> None:
    result = replayed(
        runs,
        policies=["identical-call", "step-limit:actions=8", "guard"],
        labels=labels("run,label,first,last\na,stuck,5,10\nb,good,,\n"),
    )
    assert score(result, ONE).beaten_by == "guard"


def test_a_label_outweighs_a_recorded_success(runs: Path) -> None:
    write(runs / "d.json", stuck(5), ending="solved")
    assert replayed(runs, policies=["guard"], labels=labels("run,label\nd,stuck\n")).counts.stuck == 1


def test_labels_that_fit_no_run_are_listed(runs: Path) -> None:
    assert replayed(runs, policies=["guard"], labels=labels("run,label\nnobody,stuck\na,stuck\n")).unused_labels == [
        "nobody"
    ]


@table("labels_that_say_nothing_are_refused")
def test_labels_that_say_nothing_are_refused(runs: Path, text: str, expectation: str) -> None:
    with pytest.raises(BadConfiguration) as caught:
        Labels(labels(text))
    assert expectation in caught.value.message


def test_a_missing_file_is_refused(runs: Path) -> None:
    with pytest.raises(BadConfiguration, match="can't be read"):
        Labels(Path("nowhere.csv"))


def test_contradictions_are_refused(runs: Path) -> None:
    with pytest.raises(BadConfiguration, match="stuck and good"):
        replayed(runs, policies=["guard"], labels=labels("run,label\na,stuck\nruns/a.json,good\n"))


def test_an_id_that_several_runs_have_is_refused(runs: Path) -> None:
    write(runs / "more" / "a.json", stuck(4))
    with pytest.raises(BadConfiguration, match="several runs"):
        replayed(runs, policies=["guard"], labels=labels("run,label\na,stuck\n"))
    named = labels("run,label\nruns/more/a.json,stuck\n")
    assert replayed(runs, policies=["guard"], labels=named).counts.stuck == 1


def test_a_session_of_several_files_is_named_by_any_of_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    trees.write(tmp_path / "home", {"trial/" + name: content for name, content in trees.openhands().items()})
    for named in ("home/trial", "home/trial/base_state.json", "home/trial/events/event-00000-e1.json"):
        result = replayed(tmp_path / "home", policies=["guard"], labels=labels(f"run,label\n{named},good\n"))
        assert (result.counts.runs, result.counts.good, result.unused_labels) == (1, 1, []), named
