"""The order in which tests are run. The tests of a file share a worker of pytest-xdist, and workers take the files in
this order, so that those with a browser are handed out one by one, and a worker that takes several of them keeps its
browser."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

_PAUSE = 0.05
_FIRST = ("browser", "wheel", "slow")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes long begins first, so that no worker waits for another at the end."""
    items.sort(key=_turn)


def _turn(item: pytest.Item) -> int:
    return next((turn for turn, name in enumerate(_FIRST) if item.get_closest_marker(name)), len(_FIRST))


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all workers of this run share, for what takes long to make."""
    own = tmp_path_factory.getbasetemp()
    shared = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "shared"
    shared.mkdir(exist_ok=True)
    return shared


def made_once(folder: Path, make: Callable[[Path], Path]) -> Path:
    """What `make` makes in that folder, made by the first process that asks; the others wait for it."""
    said = folder.with_name(f"{folder.name}.made")
    with alone(folder.with_name(f"{folder.name}.lock")):
        if not said.exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            said.write_text(str(make(folder)), encoding="utf-8")
        return Path(said.read_text(encoding="utf-8"))


@contextmanager
def alone(lock: Path) -> Iterator[None]:
    """Inside of this no other process is inside of it with the same lock."""
    while True:
        try:
            lock.mkdir()
            break
        except FileExistsError:
            time.sleep(_PAUSE)
    try:
        yield
    finally:
        lock.rmdir()
