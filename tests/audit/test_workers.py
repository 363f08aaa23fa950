"""The processes of an audit: the same ones do all of its work."""

from __future__ import annotations

import os
from itertools import islice

import pytest

from analyzer.audit.workers.pool import Workers

PID = "__import__('os').getpid()"
DEATH = "__import__('time').sleep(0.2) or __import__('os').kill(__import__('os').getpid(), 9)"
"""Not before the pool has heard who took the item: else it knows no more than `BROKEN` says."""
BROKEN = "(_ for _ in ()).throw(__import__('concurrent.futures').futures.BrokenExecutor('All workers expired'))"


def lost(item: str, kind: str, what: str) -> str:
    return f"{kind}: {what}"


@pytest.mark.slow
def test_one_process_does_one_thing_after_the_other() -> None:
    with Workers(1) as engine:
        first = set(engine(eval, [PID] * 3, lost))
        second = set(engine(eval, [f"str({PID})"], lost))

    assert len(first) == 1
    assert second == {str(pid) for pid in first}
    assert os.getpid() not in first


@pytest.mark.slow
def test_what_was_left_early_or_broke_is_followed_by_other_processes() -> None:
    with Workers(1) as engine:
        left = next(islice(engine(eval, [PID] * 9, lost), 1))
        after = next(engine(eval, [PID], lost))
        broken = list(engine(eval, [DEATH], lost))
        last = next(engine(eval, [PID], lost))

    assert len({left, after, last}) == 3
    assert broken == ["crash: the worker that read it was killed by SIGKILL (out of memory?)."]


@pytest.mark.slow
def test_a_worker_that_ends_before_it_says_what_it_took_costs_its_item_only() -> None:
    with Workers(1) as engine:
        found = list(engine(eval, ["1", BROKEN, "2"], lost))
    assert sorted(found, key=str) == [1, 2, "crash: the worker that read it ended at once."]


def test_no_process_is_started_where_there_is_nothing_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    with Workers(2) as engine:
        assert os.environ["PYTHONSAFEPATH"] == "1"
        assert list(engine(eval, [], lost)) == []
    assert "PYTHONSAFEPATH" not in os.environ
