"""Prose is split into sentences with their places, whatever full stops, lists and code stand in it."""

from __future__ import annotations

import pytest

from analyzer.text.sentences import sentences

CASES = {
    "two sentences": ("It works. All tests pass!", ["It works.", "All tests pass!"]),
    "a version": ("Use version 1.2 or v1.3.4 of it. Then stop.", ["Use version 1.2 or v1.3.4 of it.", "Then stop."]),
    "a year at the end": ("It was made in 2019. It still runs.", ["It was made in 2019.", "It still runs."]),
    "a code span": ("Call `a. B()` twice. Done.", ["Call `a. B()` twice.", "Done."]),
    "abbreviations": (
        "Read e.g. the log, i.e. all of it, cf. Fig. 2. Fine.",
        ["Read e.g. the log, i.e. all of it, cf. Fig. 2.", "Fine."],
    ),
    "etc. within": ("Fix names, files etc. before it. Go.", ["Fix names, files etc. before it.", "Go."]),
    "etc. at the end": ("Fix names, files etc. Then go.", ["Fix names, files etc.", "Then go."]),
    "an initial": ("Ask J. Doe. He knows.", ["Ask J. Doe.", "He knows."]),
    "the answer no": ("No. I didn't.", ["No.", "I didn't."]),
    "a list": (
        "Steps:\n1. Build it\n2. Run it. Twice.\n- [x] done",
        ["Steps:", "Build it", "Run it.", "Twice.", "done"],
    ),
    "a heading": ("## Summary\nIt works", ["Summary", "It works"]),
    "Chinese": ("已修复。测试通过！好的", ["已修复。", "测试通过！", "好的"]),
    "closing marks": (
        'He said "stop." Then (it stopped.) **Done.** Bye',
        ['He said "stop."', "Then (it stopped.)", "**Done.**", "Bye"],
    ),
    "wrapped lines": (
        "The first line of this text is long enough to be wrapped\nby its writer. Next.",
        ["The first line of this text is long enough to be wrapped by its writer.", "Next."],
    ),
    "short lines": ("fix the bug\nrun the tests", ["fix the bug", "run the tests"]),
    "fenced code": ("Run this:\n```sh\nmake. Now\n```\nThen stop.", ["Run this:", "Then stop."]),
    "a fence that is never closed": ("Look:\n```\nIt failed.", ["Look:", "It failed."]),
    "a file's name": ("Open main.py. Edit it.", ["Open main.py.", "Edit it."]),
    "nothing": ("  \n--- \n", []),
}


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES)
def test_sentences(text: str, expected: list[str]) -> None:
    assert [sentence.text for sentence in sentences(text)] == expected


def test_places() -> None:
    text = "Steps:\n- Build  it. \n- Run `a. b`\n"
    assert [text[found.start : found.end] for found in sentences(text)] == ["Steps:", "Build  it.", "Run `a. b`"]
