"""Fixtures that every test may use."""

from __future__ import annotations

import gc
import os
from pathlib import Path

import pytest
from hypothesis import settings

# How long a machine takes over an example says nothing about the example. Making one up may take long where a strategy
# does too much, which
# the health check tells: without a deadline it allows 30 seconds for what takes a tenth of one here, on a busy machine
# as well.
settings.register_profile("any-machine", deadline=None)
settings.load_profile("any-machine")

ROOT = Path(__file__).resolve().parent.parent


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="Write what the program prints now into the golden files."
    )


def pytest_collection_finish() -> None:
    # Collecting leaves some 400 000 objects that live to the end. Every full collection of garbage would walk through
    # all of them again.
    gc.collect()
    gc.freeze()


@pytest.fixture
def samples() -> Path:
    """The folder with our own sample sessions."""
    return ROOT / "sample_sessions"


@pytest.fixture(scope="session")
def corpus() -> Path:
    """A folder of real transcripts; tests that want it are skipped where there is none."""
    place = Path(os.environ.get("ANALYZE_SESSION_CORPUS") or ROOT.parent / "shared" / "corpus")
    if not (place / "MANIFEST.jsonl").is_file():
        pytest.skip("no corpus of real transcripts here (set ANALYZE_SESSION_CORPUS)")
    return place
