"""What a megabyte of text in every field of a session costs: the seconds of the processor that its pages take, and how
many times as many as a quarter of a megabyte. Four is in proportion; many more say that something goes over the text
again and again. The tests hold shorter texts to the same (`tests/report/hostile.py`).

Usage: python benchmarks/long_texts.py
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from analyzer.report.case_study import render as document
from analyzer.report.markdown import render
from tests.audit.tables import full_of
from tests.audit.test_report import page_of
from tests.build import report
from tests.case_study.test_document import hostile
from tests.report.hostile import LONG, sessions
from tests.report.html.pages import written

MEGABYTE = 1_000_000
MOST = 10.0
"""Times as long as a quarter of it, from which on the exit code is 1."""
PAGES: dict[str, Callable[[str], str]] = {
    "post-mortem, Markdown": lambda text: render(report(sessions(text)[0])),
    "post-mortem, HTML": lambda text: written(sessions(text)[0]),
    "case study": lambda text: document(hostile(text)),
    "audit": lambda text: page_of(full_of(text)),
}


def main() -> int:
    """Measure and print."""
    worst = 0.0
    for page, write in PAGES.items():
        for name, text in LONG.items():
            whole = (text * (MEGABYTE // len(text) + 1))[:MEGABYTE]
            quarter, all_of_it = seconds(write, whole[: MEGABYTE // 4]), seconds(write, whole)
            worst = max(worst, all_of_it / quarter)
            print(
                f"{page:22} {name:10} {all_of_it:6.2f} s, {all_of_it / quarter:4.1f} times a quarter of it", flush=True
            )
    return int(worst > MOST)


def seconds(write: Callable[[str], str], text: str) -> float:
    """How long writing a page of it takes."""
    began = time.process_time()
    write(text)
    return time.process_time() - began


if __name__ == "__main__":
    sys.exit(main())
