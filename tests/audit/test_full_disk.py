"""What becomes of an audit where there's no room left."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from analyzer.audit.store.store import Store
from analyzer.model.errors import AnalyzerError


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """No file may grow beyond so many bytes, which SQLite takes for a full disk or a broken one."""
    resource = pytest.importorskip("resource")
    before, unkept = resource.getrlimit(resource.RLIMIT_FSIZE), sys.dont_write_bytecode
    # A compiled module that is kept meanwhile would be cut at the limit, too.
    sys.dont_write_bytecode = True
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        sys.dont_write_bytecode = unkept


@pytest.mark.skipif(sys.platform == "win32", reason="no such limit")
def test_a_database_that_cannot_be_made_says_why(tmp_path: Path) -> None:
    with room_for(60_000), pytest.raises(AnalyzerError) as caught:
        Store(tmp_path, "x")
    assert "transaction" not in caught.value.message


@pytest.mark.skipif(sys.platform == "win32", reason="no such limit")
def test_a_disk_that_fills_up_is_an_error_and_what_was_stored_is_kept(tmp_path: Path) -> None:
    with Store(tmp_path, "x") as store:
        store.remember("before", "kept")
    with pytest.raises(AnalyzerError) as caught, Store(tmp_path, "x") as store, room_for(100_000):
        store.remember("after", "y" * 500_000)
    assert "can't be used" in caught.value.message
    assert "go on" in (caught.value.hint or "")
    with Store(tmp_path, "x") as store:
        assert (store.fact("before"), store.fact("after")) == ("kept", None)
