"""What a worker of pytest-xdist needn't say about a test, and what it must."""

from __future__ import annotations

from typing import Any

import pytest

from tests.distribution import is_shown


def report(when: str, outcome: str = "passed", duration: float = 0.001, **more: Any) -> dict[str, Any]:
    return {"data": {"when": when, "outcome": outcome, "duration": duration, "sections": [], **more}}


@pytest.mark.parametrize(
    ("name", "event"),
    [
        ("logstart", {"nodeid": "tests/test_tides.py::test_one"}),
        ("logfinish", {"nodeid": "tests/test_tides.py::test_one"}),
        ("testreport", report("setup")),
        ("testreport", report("teardown")),
    ],
)
def test_what_is_shown_nowhere_is_not_sent(name: str, event: dict[str, Any]) -> None:
    assert not is_shown(name, event)


@pytest.mark.parametrize(
    ("name", "event"),
    [
        pytest.param("testreport", report("call"), id="a test that passed"),
        pytest.param("testreport", report("call", "failed"), id="a test that failed"),
        pytest.param("testreport", report("setup", "failed"), id="a fixture that can't be made"),
        pytest.param("testreport", report("setup", "skipped"), id="a test that is skipped"),
        pytest.param("testreport", report("teardown", "failed"), id="a fixture that can't be undone"),
        pytest.param("testreport", report("setup", duration=0.005), id="a fixture that takes a while to make"),
        pytest.param("testreport", report("teardown", duration=2.0), id="a fixture that takes long to undo"),
        pytest.param(
            "testreport", report("setup", sections=[("Captured stdout setup", "oh")]), id="words of a fixture"
        ),
        pytest.param("collectionfinish", {"ids": []}, id="all tests were found"),
        pytest.param("runtest_protocol_complete", {"item_index": 0}, id="the next test may begin"),
        pytest.param("warning_recorded", {}, id="a warning"),
        pytest.param("workerfinished", {}, id="no test is left"),
    ],
)
def test_all_else_is_sent(name: str, event: dict[str, Any]) -> None:
    assert is_shown(name, event)


def test_every_duration_that_is_asked_for_is_sent() -> None:
    assert is_shown("testreport", report("setup", duration=0.0), 0.0)
    assert not is_shown("testreport", report("setup", duration=0.5), 1.0)
