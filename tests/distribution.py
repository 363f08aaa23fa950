"""The order in which tests are run. The tests of a file share a worker of pytest-xdist, and workers take the files in
this order, so that those with a browser are handed out one by one, and a worker that takes several of them keeps its
browser."""

from __future__ import annotations

import pytest

_FIRST = ("browser", "wheel", "slow")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes long begins first, so that no worker waits for another at the end."""
    items.sort(key=_turn)


def _turn(item: pytest.Item) -> int:
    return next((turn for turn, name in enumerate(_FIRST) if item.get_closest_marker(name)), len(_FIRST))
