"""Fixtures that every test may use."""

from __future__ import annotations

import gc
import os
import re
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from tests.drawn import PROFILE

settings.load_profile(PROFILE)
# Every program that a test starts would otherwise compile all that it imports: a third of the time that it takes. The
# program itself, which another conftest may import next, would keep its expressions in the home of whoever runs this.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

pytest_plugins = ("tests.distribution",)
ROOT = Path(__file__).resolve().parent.parent


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="Write what the program prints now into the golden files."
    )


def pytest_configure() -> None:
    # A process that was started in the background, by `nohup` or by some CI services ignores SIGINT, and so would every
    # program that a test starts and then interrupts.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    # Collecting leaves some 400 000 objects that live to the end. Every full collection of garbage would walk through
    # all of them again, while they're made and afterwards.
    gc.disable()


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()
    # As rarely as the program itself looks for garbage: most tests call what is beneath it.
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


Golden = Callable[[Path, str], None]
Document = Callable[[Path, str, str], None]


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """Compares a golden file with what the program makes now, or writes that into it (`make golden`)."""

    def compare(file: Path, made: str) -> None:
        if request.config.getoption("--update-golden"):
            file.parent.mkdir(exist_ok=True)
            file.write_text(made, encoding="utf-8")
        assert made == file.read_text(encoding="utf-8"), f"{file.name} isn't what is made now: run `make golden`"

    return compare


@pytest.fixture
def document(request: pytest.FixtureRequest) -> Document:
    """Compares a part of a document, between comments with its name, as `golden` does a file."""

    def compare(file: Path, part: str, made: str) -> None:
        text = file.read_text(encoding="utf-8")
        between = re.compile(rf"(?<=<!-- {part} -->\n).*?(?=<!-- /{part} -->)", re.DOTALL)
        if request.config.getoption("--update-golden"):
            file.write_text(between.sub(lambda _: f"{made}\n", text), encoding="utf-8")
            return
        found = between.search(text)
        assert found is not None
        assert found.group() == f"{made}\n", f"{file.name} doesn't show what is made now: run `make golden`"

    return compare


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
