"""What the sample sessions promise, checked in the files themselves."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

NAMES = ("bspline_clamping", "bspline_solved", "moving_numbers", "polling_a_build")
FOUNDING_ERROR = "ValueError: Need at least 8 knots for degree 3"
TEST_FILE = "../out/test_clamp_splines.py"
TEST_DATA = "REBSpline(control_points=[Point3D(X=1, Y=2, Z=1), Point3D(X=2, Y=1, Z=0)], knots=[0, 0, 0, 1, 1, 1])"


def read(folder: Path, name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    return loaded


def actions(folder: Path, name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = read(folder, name)["actions"]
    return found


def moment(text: str) -> datetime:
    assert text.endswith("Z")
    return datetime.fromisoformat(text)


def failing(found: list[dict[str, Any]]) -> list[str]:
    return [action["result"] for action in found if action["exit_code"] not in (0, None)]


@pytest.mark.parametrize("name", NAMES)
def test_every_sample_has_the_documented_keys(samples: Path, name: str) -> None:
    sample = read(samples, name)
    assert list(sample) == ["format", "session", "messages", "actions"]
    assert sample["format"] == "analyze-session/1"
    assert set(sample["session"]) == {
        *("id", "agent", "model", "task", "started_at", "ended_at", "environment", "messages"),
        *("tokens", "cost_usd", "status", "ending", "ending_detail"),
    }
    for action in sample["actions"]:
        assert set(action) == {"tool", "arguments", "intent", "result", "exit_code", "started_at", "duration_seconds"}
        assert isinstance(action["exit_code"], int) == (action["tool"] == "bash")
    for message in sample["messages"]:
        assert set(message) - {"before_action"} == {"role", "text", "time"}
        assert 1 <= message.get("before_action", 1) <= len(sample["actions"])


@pytest.mark.parametrize("name", NAMES)
def test_messages_are_counted_right(samples: Path, name: str) -> None:
    sample = read(samples, name)
    roles = [message["role"] for message in sample["messages"]]
    assert sample["session"]["messages"] == {"user": roles.count("user"), "assistant": roles.count("assistant")}


@pytest.mark.parametrize("name", NAMES)
def test_time_goes_forward_and_stays_within_the_session(samples: Path, name: str) -> None:
    sample = read(samples, name)
    times = [moment(action["started_at"]).timestamp() for action in sample["actions"]]
    ends = [start + action["duration_seconds"] for start, action in zip(times, sample["actions"], strict=True)]
    assert all(end <= start for end, start in zip(ends, times[1:], strict=False))
    assert moment(sample["session"]["started_at"]).timestamp() <= times[0]
    assert ends[-1] <= moment(sample["session"]["ended_at"]).timestamp()


def test_every_sample_has_its_line_in_the_readme(samples: Path) -> None:
    readme = (samples / "README.md").read_text(encoding="utf-8")
    assert {path.name for path in samples.glob("*.json")} == set(
        re.findall(r"^\| \[(.+?\.json)\]", readme, re.MULTILINE)
    )


@pytest.mark.parametrize("name", NAMES)
def test_no_sample_shows_where_it_was_made(samples: Path, name: str) -> None:
    text = (samples / f"{name}.json").read_text(encoding="utf-8")
    assert not re.findall(r"/tmp/(?!tmp\w{8}\b)\S+|/root\b|site-packages", text)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        pytest.param("id", "b50375f7-c696-451e-a8bc-78c1a90d0bbf", id="id"),
        pytest.param("task", "Clamping Multiple B-Splines for C1 Continuity", id="task"),
        pytest.param("agent", "reference-agent", id="agent"),
        pytest.param("model", None, id="model not recorded"),
        pytest.param("tokens", None, id="tokens not recorded"),
        pytest.param("cost_usd", None, id="cost not recorded"),
        pytest.param("environment", {"language": "Python 3.11"}, id="language"),
        pytest.param("messages", {"user": 2, "assistant": 2}, id="messages"),
        pytest.param("status", "iteration_limit", id="recorded status"),
        pytest.param("ending", "limit", id="ending"),
        pytest.param("ending_detail", "Reached the limit of 26 iterations.", id="limit"),
    ],
)
def test_founding_case_header(samples: Path, key: str, value: object) -> None:
    assert read(samples, "bspline_clamping")["session"][key] == value


def test_founding_case_takes_place_from_23_22_to_23_26(samples: Path) -> None:
    session = read(samples, "bspline_clamping")["session"]
    last = actions(samples, "bspline_clamping")[-1]
    assert (session["started_at"][:16], session["ended_at"][:16]) == ("2025-11-14T23:22", "2025-11-14T23:26")
    last_end = moment(last["started_at"]).timestamp() + last["duration_seconds"]
    assert 0 < datetime(2025, 11, 14, 23, 26, 50, tzinfo=UTC).timestamp() - last_end < 5


def test_founding_case_alternates_between_edit_and_failing_test(samples: Path) -> None:
    found = actions(samples, "bspline_clamping")
    assert len(found) == 26
    assert [action["tool"] for action in found[14:]] == ["file_edit", "bash"] * 6
    assert not failing(found[:14])
    assert [action["exit_code"] for action in found[14:]] == [None, 1] * 6
    assert {action["arguments"]["command"] for action in found[15::2]} == {f"python3 -m pytest {TEST_FILE}"}


def test_founding_case_edits_only_the_implementation_and_differently_each_time(samples: Path) -> None:
    edits = [action["arguments"] for action in actions(samples, "bspline_clamping")[14::2]]
    assert {edit["path"] for edit in edits} == {"clamp_splines.py"}
    assert len({(edit["old"], edit["new"]) for edit in edits}) == 6
    assert all(edit["old"] != edit["new"] for edit in edits)


@pytest.mark.parametrize("index", range(15, 26, 2), ids=lambda index: f"step {index + 1}")
def test_founding_case_shows_the_same_error_from_the_same_lines(samples: Path, index: int) -> None:
    result = actions(samples, "bspline_clamping")[index]["result"]
    assert re.findall(r"^E +(.+)$", result, re.MULTILINE) == [FOUNDING_ERROR]
    assert re.findall(r"^(\S+\.py):(\d+): ?(\w*)$", result, re.MULTILINE) == [
        (TEST_FILE, "21", ""),
        ("clamp_splines.py", "49", "ValueError"),
    ]
    assert "1 failed, 3 passed in " in result
    assert f">       first = {TEST_DATA}" in result


def test_founding_case_has_pytest_times_that_differ(samples: Path) -> None:
    times = re.findall(r"1 failed, 3 passed in (\S+) =", "\n".join(failing(actions(samples, "bspline_clamping"))))
    assert len(times) == 6
    assert len(set(times)) > 1


def test_founding_case_follows_from_the_files_that_the_agent_wrote(samples: Path) -> None:
    found = actions(samples, "bspline_clamping")
    written = {
        a["arguments"]["path"]: a["arguments"]["content"].split("\n") for a in found if a["tool"] == "file_write"
    }
    assert written[TEST_FILE][20].endswith(TEST_DATA)
    for edit in (a["arguments"] for a in found if a["tool"] == "file_edit"):
        text = "\n".join(written["clamp_splines.py"])
        assert text.count(edit["old"]) == 1
        written["clamp_splines.py"] = text.replace(edit["old"], edit["new"]).split("\n")
        assert written["clamp_splines.py"][48].strip().startswith('raise ValueError(f"Need at least {needed} knots')


def test_solved_case_fails_once_and_ends_with_a_passing_run_after_its_last_edit(samples: Path) -> None:
    found = actions(samples, "bspline_solved")
    assert 12 <= len(found) <= 16
    (only,) = failing(found)
    assert f"E           {FOUNDING_ERROR}" in only
    edits = [index for index, action in enumerate(found) if action["tool"] == "file_edit"]
    assert [found[index]["arguments"]["path"] for index in edits] == [TEST_FILE]
    assert found[-1]["arguments"]["command"] == f"python3 -m pytest {TEST_FILE}"
    assert edits[-1] < len(found) - 1
    assert "4 passed" in found[-1]["result"]
    session = read(samples, "bspline_solved")["session"]
    assert (session["status"], session["ending"]) == ("completed", None)


def test_moving_numbers_repeat_one_cause_in_texts_that_all_differ(samples: Path) -> None:
    found = actions(samples, "moving_numbers")
    errors = failing(found)
    last_lines = [text.split("\n")[-1] for text in errors]
    shape = (
        r"errors\.ImportBatchError: batch ([0-9a-f-]{36}) could not be written to (/tmp/tmp\w{8})"
        r"/part-0001\.parquet: (.+)"
    )
    parts = [re.fullmatch(shape, line) for line in last_lines]
    ids, folders, causes = zip(*(part.groups() for part in parts if part), strict=True)
    assert 18 <= len(found) <= 24
    assert len(errors) == len(ids) == len(set(ids)) == len(set(folders)) == 7
    assert set(causes) == {"schema has no column 'customer_ref'"}
    assert len({re.findall(r"line (\d+), in write_batch", text)[0] for text in errors}) >= 5
    assert len({a["arguments"]["command"] for a in found if a["exit_code"]}) >= 5
    session = read(samples, "moving_numbers")["session"]
    assert (session["status"], session["ending"]) == ("ended", None)


def test_polling_repeats_one_call_whose_answers_move_on(samples: Path) -> None:
    found = actions(samples, "polling_a_build")
    polls = [action for action in found if "status 4812" in action["arguments"].get("command", "")]
    done = [int(re.findall(r"(\d+)/58 targets", poll["result"])[0]) for poll in polls]
    repeated = sum(one["result"] == two["result"] for one, two in pairwise(polls))
    assert 8 <= len(polls) <= 10
    assert len({poll["arguments"]["command"] for poll in polls}) == 1
    assert done == sorted(done)
    assert done[-1] == 58
    assert repeated in (1, 2)
    assert not failing(found)
    assert "passed" in found[-1]["result"]
