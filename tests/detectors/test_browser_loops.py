"""Loops of a browser that is asked in words: it does the same again, and the page doesn't change."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.model.finding import Finding
from analyzer.timeline.keys import visit_of
from tests.build import Part, call, findings, user

PAGE = "https://tides.example/tables?harbour=east"
WORDS = (
    "Tide tables of the eastern harbours. High water at six and at eighteen. Low water at noon. Contact the harbour "
    "master. Sign in. Help."
)
OTHER = (
    "Records of ships that were sunk between two wars, with their captains, their cargo, and the reasons that the "
    "court gave."
)
REQUESTS = (
    "Please open the table.",
    "Open the tide table by its link and list the times.",
    "Try the table again, and read the times.",
    "Please get the times from the table now.",
    "Show the table's content.",
)


def browser(
    request: str,
    browser_action: str = "clicked 'Open the table'",
    *,
    page: str = PAGE,
    where: str = "at the top of the page",
    part: int = 40,
    text: str = WORDS,
) -> Part:
    shown = (
        f"I {browser_action}.\n\nHere is a screenshot of [Tides]({page}). The viewport shows {part}% of the webpage, "
        f"and is positioned {where}.\nThe following text was read from it:\n\n{text}"
    )
    return call("WebSurfer", {"instruction": request}, shown)


def loops(*parts: Part, **header: Any) -> list[Finding]:
    return findings(*parts, detector="loops", **header)


@pytest.mark.parametrize(
    ("parts", "steps", "detectable_at"),
    [
        pytest.param([browser(request) for request in REQUESTS[:3]], [1, 2, 3], 3, id="the same click"),
        pytest.param(
            [
                browser(request, text=f"{WORDS} The picture shows {artifact}.")
                for artifact, request in zip(("a boat", "a lamp", "ropes", "a table", "a tide"), REQUESTS, strict=True)
            ],
            [1, 2, 3, 4, 5],
            3,
            id="a picture that's read a little differently",
        ),
        pytest.param(
            [
                browser(request, text=" ".join(reversed(WORDS.split(". ")))) if n % 2 else browser(request)
                for n, request in enumerate(REQUESTS)
            ],
            [1, 2, 3, 4, 5],
            3,
            id="a picture that's read in another order",
        ),
        pytest.param(
            [
                browser(request, "scrolled down one page in the browser", where="at the bottom of the page")
                for request in REQUESTS[:4]
            ],
            [1, 2, 3, 4],
            3,
            id="scrolling at the end",
        ),
        pytest.param(
            [
                browser("Open it.", "typed 'east' into the search bar"),
                *(browser(request, "clicked 'Search\nnow'") for request in REQUESTS[:3]),
            ],
            [2, 3, 4],
            4,
            id="after something else",
        ),
        pytest.param([browser(REQUESTS[0]) for _ in range(3)], [1, 2, 3], 3, id="the same request"),
    ],
)
def test_fires(parts: list[Part], steps: list[int], detectable_at: int) -> None:
    (found,) = loops(*parts)
    assert (found.kind, found.steps, found.detectable_at) == ("repeated-call", steps, detectable_at)
    assert found.title.startswith("The browser ")
    assert "another source" in found.advice[0]


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param(
            [
                browser(request, "scrolled down one page in the browser", where=f"{n}0% down from the top of the page")
                for n, request in enumerate(REQUESTS)
            ],
            id="scrolling down",
        ),
        pytest.param(
            [browser(request, page=f"{PAGE}&page={n}") for n, request in enumerate(REQUESTS)],
            id="another address each time",
        ),
        pytest.param([browser(request, part=40 - 5 * n) for n, request in enumerate(REQUESTS)], id="a page that grows"),
        pytest.param(
            [
                browser(
                    request, "clicked 'Next'", text=f"{name}: " + " ".join(f"{name}{word}" for word in WORDS.split())
                )
                for name, request in zip("abcde", REQUESTS, strict=True)
            ],
            id="other content at the same address",
        ),
        pytest.param(
            [
                browser(
                    request, "clicked 'Next'", text=f"{WORDS} Tides {10 * n} {10 * n + 3} {10 * n + 5} {10 * n + 7}"
                )
                for n, request in enumerate(REQUESTS)
            ],
            id="other numbers in the same table",
        ),
        pytest.param(
            [browser(request, "clicked 'Next'", text=(WORDS, OTHER)[n % 2]) for n, request in enumerate(REQUESTS)][:4],
            id="content that changes to and fro",
        ),
        pytest.param(
            [browser(f"Open table {name}.", f"clicked '{name}'") for name in ("east", "west", "north", "south")],
            id="other clicks on one page",
        ),
        pytest.param(
            [
                browser("Please open the table of tides of the harbour.", f"clicked '{name}'")
                for name in ("east", "west", "north", "south")
            ],
            id="the same request, other clicks",
        ),
        pytest.param([browser(request) for request in REQUESTS[:2]], id="twice"),
        pytest.param(
            [[browser(request), browser("Go back.", f"clicked 'Back to {n}'")] for n, request in enumerate(REQUESTS)][
                :2
            ],
            id="twice, with something else",
        ),
        pytest.param([[user(f"{request} Please!"), browser(request)] for request in REQUESTS], id="the user asks"),
        pytest.param(
            [
                call("WebSurfer", {"instruction": request}, f"I have read page {name} for you: {name}.")
                for name, request in zip("abcde", REQUESTS, strict=True)
            ],
            id="results that show no page",
        ),
    ],
)
def test_does_not_fire(parts: list[Part]) -> None:
    assert [found.title for found in loops(*parts)] == []


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("I " + "clicked " * 10_000 + "Here is a screenshot of [", id="a long action"),
        pytest.param("I clicked" + "\n" * 900 + "Here is a screenshot of [", id="many empty lines"),
        pytest.param("I clicked.\n\nHere is a screenshot of [a](" + "b" * 100_000, id="a long address"),
        pytest.param("I clicked.\n\nHere is a screenshot of [" + "](" * 50_000, id="many addresses"),
        pytest.param("Here is a screenshot of [a](b).", id="no action"),
        pytest.param("", id="nothing"),
        pytest.param(None, id="no result"),
    ],
)
def test_what_shows_no_page_is_no_visit(text: str | None) -> None:
    assert visit_of(text) is None


def test_a_visit() -> None:
    visit = visit_of(
        "I clicked 'a\nb'.\n\nHere is a screenshot of [T](http://x.test/?q=(a)). The viewport shows 3% of the "
        "webpage, and is positioned 8% down from the top of the page.\nText"
    )
    assert visit is not None
    assert (visit.browser_action, visit.browser_page, visit.shown) == (
        "clicked 'a b'",
        "http://x.test/?q=(a) 3% 8% down from the top of the page",
        "\nText",
    )
