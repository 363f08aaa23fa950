"""How large the page of a large audit is, and how long a browser takes to open it, to sort and to filter its table.

Usage: python benchmarks/audit_page.py [SESSIONS...]

The sessions are made up. Needs Playwright and a Chromium ($CHROMIUM, or one on the path); without them only the sizes
are printed.
"""

from __future__ import annotations

import os
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

from analyzer.audit.figures.summary import summarize
from analyzer.audit.index import index_of
from analyzer.report.html.audit import render
from benchmarks.audit_tables import database, tables

_LETTERS = "rsetxwhpfoETXRX"
_WORK = """([name, value]) => new Promise(done => {
  const began = performance.now(), field = document.querySelector(`#filters [name="${name}"]`);
  field.value = value;
  field.form.dispatchEvent(new Event("submit", {cancelable: true}));
  requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)));
})"""
_OPENED = (
    "() => { const told = performance.getEntriesByType('navigation')[0]; return told.loadEventEnd || "
    "told.domComplete; }"
)


def main() -> None:
    """Print one row per number of sessions."""
    print(
        f"{'sessions':>9} {'make s':>7} {'MB':>6} {'open ms':>8} {'sort ms':>8} {'search ms':>10} "
        f"{'filter ms':>10} {'all ms':>7}"
    )
    for count in [int(word) for word in sys.argv[1:]] or [1_000, 10_000, 20_000]:
        made = database(tables(count))
        report = summarize(made, "/audit")
        began = time.perf_counter()
        page = render(
            report,
            index_of(
                made, report, {f"{number:016x}": ".html" for number in range(count)}, miniatures(count), lambda _: []
            ),
        )
        seconds = time.perf_counter() - began
        times = in_a_browser(page)
        print(f"{count:9} {seconds:7.2f} {len(page.encode()) / 1e6:6.2f} {' '.join(times)}", flush=True)


def miniatures(count: int) -> dict[str, str]:
    """A miniature for each session, most of them with an episode."""
    chance = random.Random(11)
    made = {}
    for number in range(count):
        columns = "".join(chance.choices(_LETTERS, k=chance.randint(1, 80)))
        made[f"{number:016x}"] = f"{len(columns)}:{columns}" + (
            f"|{len(columns) // 3 + 1}-{len(columns)}" if number % 3 else ""
        )
    return made


def in_a_browser(page: str) -> list[str]:
    """How long it takes to open the page, to sort by tokens, to search, to filter by outcome, and to show all again, in
    milliseconds."""
    browser_path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return ["(no browser)"]
    if browser_path is None:
        return ["(no browser)"]
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        file = Path(place, "index.html")
        file.write_text(page, encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox", "--disable-gpu"])
        tab = browser.new_page(viewport={"width": 1280, "height": 900})
        tab.goto(file.as_uri())
        times = [tab.evaluate(_OPENED)]
        times += [
            tab.evaluate(_WORK, [name, value])
            for name, value in (("sort", "tokens-down"), ("q", "kettle"), ("outcome", "stuck"), ("q", ""))
        ]
        browser.close()
    return [f"{value:{width}.0f}" for value, width in zip(times, (8, 8, 10, 10, 7), strict=True)]


if __name__ == "__main__":
    main()
