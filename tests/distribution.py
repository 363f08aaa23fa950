"""The order in which tests are run. The tests of a file share a worker of pytest-xdist, and workers take the files in
this order, so that those with a browser are handed out one by one, and a worker that takes several of them keeps its
browser."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path

import pytest

_PAUSE = 0.05
_FIRST = ("browser", "wheel", "slow")


def pytest_collection(session: pytest.Session) -> None:
    """Where nothing is compiled yet, every worker would compile everything, all of them the same file at the same time.
    Every other worker begins at the other end, so that each finds compiled what its neighbour has reached. What can't
    be imported is for the collection itself to say."""
    worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0")
    if int(worker.removeprefix("gw")) % 2 == 0 or session.config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return
    tests = Path(__file__).resolve().parent
    for file in sorted(tests.rglob("test_*.py"), reverse=True):
        with suppress(Exception, pytest.skip.Exception):
            import_module(".".join(file.relative_to(tests.parent).with_suffix("").parts))


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
