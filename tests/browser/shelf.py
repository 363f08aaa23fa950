"""The pages that are looked at, made by the program's own commands."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from analyzer.cli.main import main
from tests import hostile_files
from tests.browser import logs
from tests.conftest import ROOT
from tests.distribution import made_once

SAMPLES = ROOT / "sample_sessions"


def analyze_session(*arguments: str | Path, cwd: Path) -> None:
    """Run the program in that folder, in an environment that asks for nothing; it must end well."""
    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            if name.startswith("ANALYZE_SESSION_") or name in ("NO_COLOR", "FORCE_COLOR"):
                patch.delenv(name)
        patch.chdir(cwd)
        assert main([str(argument) for argument in arguments]) == 0


def log(folder: Path, *sessions: dict[str, Any], name: str = "log") -> Path:
    """Sessions in the project's own form as a file: one object, or a line each."""
    file = folder / (f"{name}.json" if len(sessions) == 1 else f"{name}.jsonl")
    file.write_text("".join(json.dumps(session) + "\n" for session in sessions), encoding="utf-8")
    return file


def _page_of(transcript: Callable[[Path], Path]) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        page = folder / "page.html"
        analyze_session(transcript(folder), "-f", "html", "-o", page, "-q", cwd=folder)
        return page

    return make


def _of_sample(name: str) -> Callable[[Path], Path]:
    return _page_of(lambda _: SAMPLES / name)


SESSIONS: dict[str, Callable[[Path], Path]] = {
    "stuck": _of_sample("bspline_clamping.json"),
    "solved": _of_sample("bspline_solved.json"),
    "moving numbers": _of_sample("moving_numbers.json"),
    "healthy": _of_sample("polling_a_build.json"),
    "plan refused": _of_sample("plugin_table/run1.json"),
    "several sessions": _page_of(lambda folder: log(folder, *logs.several_sessions())),
    "several lanes": _page_of(lambda folder: log(folder, logs.several_lanes())),
    "100 actions": _page_of(lambda folder: log(folder, logs.long_session(100))),
    "long words": _page_of(lambda folder: log(folder, logs.long_words())),
    "nothing done": _page_of(lambda folder: log(folder, logs.nothing_done())),
}
"""Pages of single transcripts by name."""


def _audit(folder: Path) -> Path:
    """The pages of an audit of a hundred and thirty sessions; returns its front page."""
    runs = folder / "runs"
    runs.mkdir()
    for number, session in enumerate(logs.many_sessions(130)):
        log(runs, session, name=f"run-{number:03}")
    log(runs, *logs.several_sessions(), name="several")
    log(runs, logs.several_lanes(), name="lanes")
    analyze_session("audit", runs, SAMPLES, "-o", folder / "audit", "-j", "1", "-q", "--pages", "all", cwd=folder)
    return folder / "audit" / "index.html"


def _in_an_audit(folder: Path) -> Path:
    """The page of a session in an audit."""
    analyze_session("audit", SAMPLES / "bspline_clamping.json", "-o", folder / "audit", "-j", "1", "-q", cwd=folder)
    (page,) = (folder / "audit" / "sessions").glob("*.html")
    return page


def _hostile(folder: Path) -> Path:
    """The page of sessions that hold every hostile text."""
    return log(folder, *(hostile_files.session(text) for text in hostile_files.ACTIVE.values()))


def _comparison(folder: Path) -> Path:
    """The page of the same tasks before and after a change."""
    for side, sessions in (("before", logs.many_sessions(30)), ("after", logs.many_sessions(36)[6:])):
        (folder / side).mkdir()
        for number, session in enumerate(sessions):
            log(
                folder / side,
                {**session, "session": {**session["session"], "task": f"Repair quay {number}."}},
                name=f"run-{number:02}",
            )
    analyze_session("compare", "before", "after", "-f", "html", "-o", "comparison.html", "-q", cwd=folder)
    return folder / "comparison.html"


def _backtest(folder: Path) -> Path:
    """The page of guard rules replayed on an audit."""
    runs = folder / "runs"
    runs.mkdir()
    for number, session in enumerate(logs.many_sessions(30)):
        log(runs, session, name=f"run-{number:02}")
    analyze_session("audit", "runs", "-o", "audit", "-j", "1", "-q", cwd=folder)
    analyze_session("backtest", "audit", "--sweep", "-f", "html", "-o", "backtest.html", "-q", cwd=folder)
    return folder / "backtest.html"


def _case_study(folder: Path) -> Path:
    """The page of our own case study."""
    analyze_session(
        "case-study",
        SAMPLES / "plugin_table" / "scenario.yaml",
        "-f",
        "html",
        "-o",
        "case_study.html",
        "-q",
        cwd=folder,
    )
    return folder / "case_study.html"


STORIES: dict[str, Callable[[Path], Path]] = {
    "comparison": _comparison,
    "backtest": _backtest,
    "case study": _case_study,
}
"""Pages of what is said of many sessions, audits apart."""
AUDITS: dict[str, Callable[[Path], Path]] = {"audit": _audit, "session in an audit": _in_an_audit}
"""Pages of audits by name."""
MAKERS = {**SESSIONS, "hostile texts": _page_of(_hostile), **AUDITS, **STORIES}
HEAVY = {"100 actions", "long words", "hostile texts"}
"""Pages that a browser takes long for."""
THOROUGHLY = ("audit", *STORIES, "stuck", "several sessions", "several lanes")
"""Pages that between them have everything, which are looked at in every way."""


class Shelf:
    """Pages by name; each is made once, in a folder of its own, whichever of the test run's processes wants it
    first."""

    def __init__(self, place: Path) -> None:
        self._place = place
        place.mkdir(exist_ok=True)

    def __getitem__(self, name: str) -> Path:
        return made_once(self._place / name.replace(" ", "-"), MAKERS[name])
