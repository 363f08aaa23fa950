"""Fixtures that every test may use."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# How long a machine takes over an example says nothing about the example.
settings.register_profile("any-machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any-machine")

ROOT = Path(__file__).resolve().parent.parent


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="Write what the program prints now into the golden files.")


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
