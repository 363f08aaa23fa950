"""Words that are said, and words that are denied."""

from __future__ import annotations

import re

import pytest

from analyzer.text.sentences import is_affirmed

DONE = re.compile(r"\b(?:is|was|were|been) (?:\w+ ){0,2}(?:fixed|working|done|changed)\b|\bsuccessfully\b")


@pytest.mark.parametrize(
    "text",
    [
        "It is fixed.",
        "It is now working.",
        "It wasn't easy, but it is fixed.",
        "Nothing else was needed: the berth is fixed.",
        "The gauge did not answer before, and now it is working.",
        "It is not only fixed, it is faster.",
        "There was no berth free because the list was changed.",
        "It is not done on the old branch; here it is done.",
        "The change was successfully applied.",
        "The issue where users couldn't log in is now fixed.",
        "The bug that the value was not saved has been fixed.",
        "No doubt the bug is fixed.",
    ],
)
def test_said(text: str) -> None:
    assert is_affirmed(DONE, text) is not None


@pytest.mark.parametrize(
    "text",
    [
        "It is not working.",
        "Nothing is done yet.",
        "No file was changed.",
        "None of the berths is fixed.",
        "The fix was not successfully applied.",
        "It hasn't been fixed.",
        "It is almost done.",
        "I can't say that it is fixed.",
        "I don't think that the bug where the value was lost is fixed.",
        "It has never been done.",
        "",
    ],
)
def test_denied(text: str) -> None:
    assert is_affirmed(DONE, text) is None
