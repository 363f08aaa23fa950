"""What a browser says that it did, and which page it shows then.

Browsers that an orchestrator speaks to in words are asked otherwise each time, and answer with a picture that is read
by a machine, a little differently each time. The first sentences of the answer name the action and the page, so two
such calls are compared by the action, and two such results by the page.
"""

from __future__ import annotations

from dataclasses import dataclass

from analyzer.text.late import late

_MARKER = "Here is a screenshot of ["
_SENTENCE = late(
    r"\s{0,9}I (?P<action>[^\s](?:(?!Here is a screenshot)[\s\S]){2,400}?)\.?\s{0,4}\n\s{0,4}"
    r"Here is a screenshot of \[[^\n]{0,400}?\]\((?P<address>\S{1,4000}?)\)\."
    r" The viewport shows (?P<part>\d{1,3})% of the webpage, and is positioned (?P<position>[^.\n]{1,60})\."
)
_MARKER_WITHIN = 1_000
_HEAD = 6_000
_LONGEST = 3_000
"""Characters of what a page shows that are compared."""


@dataclass(frozen=True, slots=True)
class Visit:
    """What was done, the page that it led to with the part of it that is seen, and the text that was read from its
    picture."""

    browser_action: str
    browser_page: str
    shown: str


def visit_of(result: str | None) -> Visit | None:
    """The visit that a result describes, or None for any other result."""
    if result is None or _MARKER not in result[:_MARKER_WITHIN]:
        return None
    found = _SENTENCE.match(result[:_HEAD])
    if found is None:
        return None
    return Visit(
        " ".join(found["action"].split()),
        f"{found['address']} {found['part']}% {found['position']}",
        result[found.end() : found.end() + _LONGEST],
    )
