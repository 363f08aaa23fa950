"""The sentences with which browsers that are asked in words begin their results, a row for each way of writing them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from analyzer.text.late import late


@dataclass(frozen=True, slots=True)
class PageSentence:
    """A way of saying what was done and what is seen. Every such text contains `marker`; `pattern` has the groups
    `action`, `address`, `part` (percent of the page that is seen) and `position`, and what the page shows follows its
    match."""

    marker: str
    pattern: re.Pattern[str]


PAGE_SENTENCES = (
    PageSentence(
        "Here is a screenshot of [",
        late(
            r"\s{0,9}I (?P<action>[^\s](?:(?!Here is a screenshot)[\s\S]){2,400}?)\.?\s{0,4}\n\s{0,4}"
            r"Here is a screenshot of \[[^\n]{0,400}?\]\((?P<address>\S{1,4000}?)\)\."
            r" The viewport shows (?P<part>\d{1,3})% of the webpage, and is positioned (?P<position>[^.\n]{1,60})\."
        ),
    ),
)
