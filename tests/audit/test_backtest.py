"""What guard policies would have done to past runs."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path

import pytest

from analyzer import analyze
from analyzer.audit.backtest.choice import chosen
from analyzer.audit.backtest.guards import first_alarms
from analyzer.audit.backtest.replay import replay
from analyzer.audit.backtest.score import interval
from analyzer.audit.run import run as audit
from analyzer.audit.settings import Settings
from analyzer.audit.sources.discover import discover
from analyzer.audit.sources.filters import Filter
from analyzer.guard import Guard
from analyzer.model.backtest import Interval
from analyzer.model.errors import AnalyzerError
from analyzer.model.session import Message, ToolCall
from analyzer.model.words import Severity
from analyzer.report.backtest import render
from analyzer.timeline.pairing import pair
from tests.audit.backtests import here, of_every_sort, replayed, score, step, stuck, work, write
from tests.build import Part, edit, pytest_report, run, says, session
from tests.conftest import ROOT
from tests.tables import table


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """Runs of every sort."""
    return of_every_sort(tmp_path / "runs")


def test_the_worked_example_of_the_document(runs: Path) -> None:
    result = replayed(runs, policies=["identical-call"])
    assert (
        result.counts.runs,
        result.counts.stuck,
        result.counts.good,
        result.counts.solved,
        result.counts.unclear,
    ) == (5, 2, 2, 1, 1)
    found = score(result, "identical-call:times=3")
    assert (found.stopped, found.late, found.too_soon, found.missed) == (1, 1, 0, 0)
    assert (found.disturbed, found.disturbed_solved, found.fires_unclear) == (1, 1, 1)
    assert (found.recall, found.precision, found.false_alarm_rate) == (0.5, 0.5, 0.5)
    assert (found.to_come, found.spared, found.median_action) == (0.6667, 0.3333, 6.0)
    assert (found.saved.actions, found.saved.seconds, found.saved.tokens, found.saved.usd) == (6, 6.0, 600, 0.3)
    assert (found.lost.actions, found.lost.seconds, found.lost.tokens, found.lost.usd) == (4, 4.0, 400, 0.4)
    assert [(run.id, run.action) for run in found.misses] == [("short", 5)]
    assert [(run.id, run.action) for run in found.disturbs] == [("waits", 5)]
    assert result.stopped_by_none == 1


def test_tokens_and_money_are_those_of_the_steps_where_the_log_has_them(tmp_path: Path) -> None:
    steps = stuck(9, before=3)
    for number, entry in enumerate(steps, 1):
        entry |= {"tokens": {"input": 100 * number, "output": 1}, "cost_usd": 0.5}
    write(tmp_path / "a.json", steps)
    found = score(replayed(tmp_path, policies=["identical-call"]), "identical-call:times=3")
    assert (found.saved.actions, found.saved.tokens, found.saved.usd) == (6, 5706, 3.0)


def test_an_alarm_before_anything_went_round_is_too_soon(tmp_path: Path) -> None:
    write(tmp_path / "a.json", stuck(6, before=8))
    found = score(replayed(tmp_path, policies=["same-tool"]), "same-tool:times=5")
    assert (found.stopped, found.too_soon, found.precision, found.saved.actions, found.lost.actions) == (
        0,
        1,
        0.0,
        0,
        0,
    )


def test_an_alarm_in_a_loop_that_the_agent_got_out_of_is_a_miss_and_no_false_alarm(tmp_path: Path) -> None:
    write(
        tmp_path / "a.json",
        [*[step("ls", "a.py") for _ in range(4)], *work(5), *[step("cat plan.txt", "nothing") for _ in range(6)]],
    )
    found = score(replayed(tmp_path, policies=["identical-call"]), "identical-call:times=3")
    assert (found.missed, found.too_soon, found.stopped, found.precision) == (1, 0, 0, None)


def test_a_recorded_success_is_good_whatever_the_detectors_say(tmp_path: Path) -> None:
    write(tmp_path / "a.json", stuck(8), ending="solved")
    result = replayed(tmp_path, policies=["guard"])
    assert (result.counts.stuck, result.counts.good) == (0, 1)
    assert (score(result, "guard").disturbed, score(result, "guard").disturbed_solved) == (1, 1)
    assert score(result, "guard").recall is None


def test_policies_see_each_lane_alone_and_the_first_alarm_of_any_counts(tmp_path: Path) -> None:
    mixed = [
        entry
        for n in range(4)
        for entry in (step("ls", "a", lane="helper"), step("ls", "a", lane="other") if n < 2 else work(1, str(n))[0])
    ]
    write(tmp_path / "a.json", mixed)
    run = replay(next(discover([str(tmp_path)])), chosen(["identical-call"], sweep=False), Settings()).runs[0]
    assert list(run.fired) == [5], "the third call of the helper is the fifth action of all"


def test_entries_of_the_harness_are_no_actions(tmp_path: Path) -> None:
    write(tmp_path / "a.json", [*stuck(5), {"tool": "exit", "arguments": {}, "harness": True}])
    found = score(replayed(tmp_path, policies=["identical-call"]), "identical-call:times=3")
    assert (found.stopped, found.saved.actions) == (1, 2)


def test_runs_without_actions_and_equal_files_are_left_out(tmp_path: Path) -> None:
    first = write(tmp_path / "a.json", stuck(5), id="one")
    shutil.copy(first, tmp_path / "b.json")
    write(tmp_path / "c.json", [])
    result = replayed(tmp_path, policies=["identical-call"])
    assert (result.counts.runs, result.copies, result.without_actions) == (1, 1, 1)


def test_a_file_that_cannot_be_read_is_a_problem_and_no_end(tmp_path: Path) -> None:
    write(tmp_path / "a.json", stuck(5))
    bad = tmp_path / "b.json"
    bad.write_bytes(b"")
    (tmp_path / "notes.txt").write_text("Nothing of interest.")
    result = replayed(tmp_path, bad, policies=["identical-call"])
    assert result.counts.runs == 1
    assert [problem.partition(":")[0] for problem in result.problems] == [str(bad)]


def test_the_folder_of_an_audit_stands_for_the_files_that_it_covers(runs: Path, tmp_path: Path) -> None:
    kept = tmp_path / "audit"
    audit([str(runs / "long.json"), str(runs / "calm.json")], kept, Settings(), here)
    assert replayed(kept, policies=["identical-call"]) == replayed(
        runs / "long.json", runs / "calm.json", policies=["identical-call"]
    )
    with sqlite3.connect(kept / "audit.db") as connection:
        before = connection.execute("SELECT count(*) FROM stored_files").fetchone()
    (runs / "calm.json").unlink()
    result = replayed(kept, policies=["identical-call"])
    assert result.counts.runs == 1
    assert "calm.json" in result.problems[0]
    with sqlite3.connect(kept / "audit.db") as connection:
        assert connection.execute("SELECT count(*) FROM stored_files").fetchone() == before


def test_of_an_audit_with_filters_only_the_sessions_that_it_kept_are_replayed(tmp_path: Path) -> None:
    log = tmp_path / "two.jsonl"
    sessions = [
        [{"session": {"id": name, "agent": name}}, *({"action": entry} for entry in stuck(5))]
        for name in ("one", "two")
    ]
    log.write_text("".join(f"{json.dumps(line)}\n" for lines in sessions for line in lines))
    kept = tmp_path / "audit"
    audit([str(log)], kept, Settings(), here, chosen=Filter.parse(agents=["two"]))
    assert replayed(log, policies=["guard"]).counts.runs == 2
    result = replayed(kept, policies=["openclaw"])
    assert result.counts.runs == 1
    assert [run.id for run in score(result, "openclaw").misses] == ["two"]


def test_the_frontier_and_what_beats_the_others(runs: Path) -> None:
    result = replayed(runs, policies=["identical-call:times=2..5", "same-tool:times=5", "opencode"])
    places = {entry.policy: (entry.frontier, entry.beaten_by) for entry in result.policies}
    assert places["identical-call:times=2"] == (True, None)
    assert places["identical-call:times=3"] == (False, "identical-call:times=2")
    assert places["opencode"] == (False, None), "what stops nothing is nowhere"
    assert [entry.frontier for entry in result.policies] == sorted(
        (entry.frontier for entry in result.policies), reverse=True
    )


def test_policies_that_fire_at_the_same_actions_are_reported_as_one(runs: Path) -> None:
    result = replayed(runs, policies=["identical-call:times=4", "roo-code", "guard", "guard:select=loops"])
    assert score(result, "roo-code").same_as == "identical-call:times=4"
    assert score(result, "guard:select=loops").same_as == "guard"
    assert score(result, "guard").same_as is None, "our guard is told apart from the others"


def test_same_runs_same_result_whatever_their_order(runs: Path) -> None:
    files = sorted(runs.iterdir())
    assert replayed(*files) == replayed(*reversed(files)) == replayed(runs)


CHAT: list[Part] = [
    *[[edit("shapes.py", f"{n}", f"{n}{n}", said="Another try."), run("pytest", pytest_report(), 1)] for n in range(5)],
    says("I'll try it differently."),
    *[run("ls", "a.py") for _ in range(6)],
]


@table("the_guard_is_replayed_as_it_would_have_spoken_live")
def test_the_guard_is_replayed_as_it_would_have_spoken_live(settings: dict[str, int | str]) -> None:
    asked = dict(settings)
    rounds = asked.pop("rounds", None) or asked.pop("loops.rounds", None)
    guard = Guard(
        "Build it.",
        select=str(asked["select"]).split("+") if "select" in asked else (),
        ignore=str(asked["ignore"]).split("+") if "ignore" in asked else (),
        settings={"loops": {"rounds": rounds}} if rounds else None,
        least=Severity(str(asked.get("least", "medium"))),
    )
    shown = session(*CHAT, task="Build it.")
    expected = None
    taken = 0
    results = iter(pair(shown.events).results)
    for event in shown.events:
        alarms = guard.take_message(event) if isinstance(event, Message) else []
        if isinstance(event, ToolCall):
            taken += 1
            alarms = guard.take(event, next(results))
        if alarms and expected is None:
            expected = taken
    others: list[dict[str, int | str]] = [{"select": "loops", "rounds": 4}, {}, {"rounds": 5}]
    together = first_alarms([tuple(sorted(entry.items())) for entry in (settings, *others)], shown, None)
    assert together[0] == expected
    assert first_alarms([tuple(sorted(settings.items()))], shown, None) == [expected]


@pytest.mark.parametrize("sample", sorted((ROOT / "sample_sessions").glob("*.json")), ids=lambda path: path.stem)
def test_policies_fire_where_the_post_mortem_says(sample: Path) -> None:
    names = {
        "identical call 3 times in a row": "identical-call",
        "identical call and result 4 times in a row (as in OpenHands)": "identical-call-and-result",
        "two calls alternating 3 times with equal results (as in OpenHands)": "alternating-calls",
        "exact cycle of 1-5 calls, 5 rounds (as in gemini-cli)": "exact-cycle",
        "identical error 3 times": "identical-error",
        "same error 3 times, masked": "masked-error",
        "two tools alternating 3 times with the same error": "alternating-error",
    }
    expectation = {row.policy: row.at_step for row in analyze(sample).sessions[0].early_stop.policies}
    (run,) = replay(next(discover([str(sample)])), chosen(list(names.values()), sweep=False), Settings()).runs
    assert {name: None if fired < 0 else fired for name, fired in zip(names, run.fired, strict=True)} == {
        name: expectation[name] for name in names
    }


@table("intervals")
def test_intervals(part: int, whole: int, low: float, high: float) -> None:
    found = interval(part, whole)
    assert found is not None
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-4)


def test_there_is_no_interval_of_nothing() -> None:
    assert interval(0, 0) is None


def test_every_sweep_names_each_policy_once() -> None:
    choices = chosen([], sweep=True)
    assert len({choice.label for choice in choices}) == len(choices)
    assert {choice.label for choice in chosen([], sweep=False)} <= {choice.label for choice in choices}


@table("how_policies_are_named")
def test_how_policies_are_named(text: str, sweep: bool, labels: list[str] | None) -> None:
    if labels is None:
        with pytest.raises(AnalyzerError):
            chosen([text], sweep=sweep)
    else:
        assert [choice.label for choice in chosen([text], sweep=sweep)] == labels


@table("what_cannot_be_replayed_is_refused")
def test_what_cannot_be_replayed_is_refused(text: str, expectation: str) -> None:
    with pytest.raises(AnalyzerError) as caught:
        chosen([text], sweep=False)
    assert expectation in caught.value.message


@pytest.mark.slow
def test_the_result_is_json() -> None:
    made = replayed(ROOT / "sample_sessions", sweep=True)
    assert json.loads(json.dumps(made.model_dump()))["counts"]["runs"] == len(
        list((ROOT / "sample_sessions").rglob("*.json"))
    )


@pytest.mark.slow
def test_an_interval_that_ends_near_all_is_no_arrow() -> None:
    made = replayed(ROOT / "sample_sessions", policies=["identical-error:times=3"])
    (policy,) = made.policies
    near = Interval(low=0.92, high=0.998)
    page = render(
        made.model_copy(
            update={"policies": [policy.model_copy(update={"recall_interval": near, "precision_interval": near})]}
        )
    )
    assert "(92-100)" in page
    assert "1 policy saw" in page
