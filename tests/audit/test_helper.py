"""A process that runs a function over items which may kill it or take for ever."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator

import pytest

from analyzer.audit.workers.helper import Helper, HelperDied


@pytest.fixture(scope="module")
def started() -> Iterator[list[Helper]]:
    """Those that were started, the last of which may still be usable."""
    made: list[Helper] = []
    yield made
    for one in made:
        one.close()


@pytest.fixture
def helper(started: list[Helper]) -> Helper:
    """One that can be asked: starting it takes two seconds."""
    if not started or not started[-1].is_usable:
        started.append(Helper())
    return started[-1]


@pytest.mark.slow
def test_it_can_be_asked_again_and_again(helper: Helper) -> None:
    assert [helper.run(abs, number, 60) for number in (-3, 4)] == [3, 4]
    with pytest.raises(ValueError, match="invalid literal"):
        helper.run(int, "three")
    assert helper.done == 3
    assert helper.is_usable


@pytest.mark.slow
def test_what_takes_too_long_is_stopped(helper: Helper) -> None:
    with pytest.raises(TimeoutError):
        helper.run(time.sleep, 600, 0.2)
    assert not helper.is_usable


@pytest.mark.slow
def test_what_ends_it_is_given_by_the_exit_code(helper: Helper) -> None:
    with pytest.raises(HelperDied) as raised:
        helper.run(os._exit, 7)
    assert raised.value.code == 7
    assert not helper.is_usable


def process(_: object) -> int:
    """The process that runs this."""
    return os.getpid()


@pytest.mark.slow
def test_one_that_was_killed_while_it_was_idle_is_not_asked(helper: Helper) -> None:
    os.kill(helper.run(process, None), signal.SIGKILL)
    deadline = time.monotonic() + 10
    while helper.is_usable and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not helper.is_usable
