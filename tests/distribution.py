"""Which tests share a worker of pytest-xdist, and in which order they are run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from xdist.remote import Producer
    from xdist.scheduler import LoadFileScheduling

BROWSER = "tests/browser/"
_FIRST = ("browser", "wheel", "slow")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes long begins first, so that no worker waits for another at the end."""
    items.sort(key=_turn)


def _turn(item: pytest.Item) -> int:
    return next((turn for turn, name in enumerate(_FIRST) if item.get_closest_marker(name)), len(_FIRST))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadFileScheduling | None:
    """The tests of a file share a worker, and so do all tests in a browser, with one browser and one set of pages."""
    if config.getvalue("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    scheduler = LoadFileScheduling(config, log)
    by_file = scheduler._split_scope
    scheduler._split_scope = lambda nodeid: BROWSER if nodeid.startswith(BROWSER) else by_file(nodeid)
    return scheduler
