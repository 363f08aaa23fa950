"""How heavy the page of a session is, how long it takes to write, and how long Chromium takes to open it.

Run it with `python benchmarks/html_page.py`. A session of 270 actions is to weigh at most 200 kB, and one of 10,000 to
open within a second. Loading is the best of several visits, from the first byte until everything that's seen
is drawn; it needs Playwright and a Chromium, and is left out where they're missing. An empty page beside it shows what
the machine needs for any.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.sessions import session

if TYPE_CHECKING:
    from playwright.sync_api import Browser

LENGTHS = (45, 100, 270, 1_000, 10_000)
HEAVIEST = {270: 200_000}
"""How many bytes the page of a session of that length may have."""
VISITS = 5
_DRAWN = (
    """() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now()))))"""
)


def chromium() -> str | None:
    """Where the browser is."""
    return next(
        (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
    )


def opened(browser: Browser, file: Path) -> float:
    """Milliseconds until the page is drawn, the best of some visits."""
    times = []
    for _ in range(VISITS):
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto(file.as_uri())
        times.append(page.evaluate(_DRAWN))
        page.close()
    return float(min(times))


def written(length: int, folder: Path) -> tuple[Path, float]:
    """The page of a session of that many actions, and the seconds that drawing it took, the analysis not counted."""
    from analyzer.api import Loaded, report_of
    from analyzer.diagnosis.step_texts import recording_of
    from analyzer.model.session import Transcript
    from analyzer.report.html.session import render
    from analyzer.timeline import build_timeline

    made = session(length)
    timeline = build_timeline(made)
    report = report_of(Loaded(Transcript("made-up.json", "none", 0, "", [made]), [timeline]))
    began = time.perf_counter()
    text = render(report, [recording_of(timeline)])
    seconds = time.perf_counter() - began
    file = folder / f"{length}.html"
    file.write_text(text, encoding="utf-8")
    return file, seconds


def main() -> None:
    """Print one line per length."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pages = {length: written(length, folder) for length in LENGTHS}
        empty = folder / "empty.html"
        empty.write_text("<!doctype html><title>Empty</title><p>Nothing", encoding="utf-8")
        times: dict[Path, float] = {}
        program = chromium()
        try:
            from playwright.sync_api import sync_playwright
        except ImportError:
            program = None
        if program is not None:
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
                times = {file: opened(browser, file) for file in [empty, *(file for file, _ in pages.values())]}
                browser.close()
            print(f"{times[empty]:7.0f} ms to open an empty page")
        for length, (file, seconds) in pages.items():
            visit = (
                f", {times[file]:.0f} ms to open ({times[file] / times[empty]:.0f} times the empty page)"
                if times
                else ""
            )
            size = file.stat().st_size
            heavy = "" if size <= HEAVIEST.get(length, size) else f", above {HEAVIEST[length] / 1000:.0f} kB"
            print(f"{length:7} actions: {size / 1000:.0f} kB{heavy}, {seconds:.2f} s to draw{visit}")


if __name__ == "__main__":
    main()
