"""Whatever a transcript holds, it stays text on the page."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.report.html.prose import prose
from analyzer.text.names import name_set
from tests.drawn import examples
from tests.report.hostile import LONG, PAYLOADS, Mixed, mixed, sessions
from tests.report.html.pages import Parsed, of_report, parsed, written
from tests.tables import table

pytestmark = pytest.mark.slow

EVIL = {
    "element": "<x-evil y-evil=1>",
    "out of an attribute": "\"><x-evil y-evil='",
    "out of a quoted attribute": "'><x-evil y-evil=\"",
    "handler": '" onfocus="alert(1)" autofocus y-evil="',
    "out of a script": "</script><x-evil>",
    "out of a style": "</style><x-evil>",
    "out of a text": "</pre></details></main><x-evil>",
    "out of a title": "</title><x-evil>",
    "out of an SVG": "</text></svg><x-evil>",
    "comment": "<!--<x-evil>",
    "comment that ends": "--><x-evil>",
    "CDATA": "]]><x-evil><![CDATA[",
    "processing instruction": "?><x-evil><?x",
    "address": "javascript:alert(1)",
    "link": '<a href="javascript:alert(1)">step 1</a>',
    "step with an address": "step 1\"'><x-evil>, steps 2-3<x-evil>",
    "code span": "`<x-evil>` `` ` <x-evil> ``",
    "stress": "**<x-evil>** *<x-evil y-evil>*",
    "huge word": "x" * 3_000,
    "huge step": f"step {'9' * 3_000}",
}
ALL = {**PAYLOADS, **EVIL}
MIXED = mixed(ALL)
CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
TAGS = name_set(
    "svg g path rect circle line polyline polygon text tspan desc use defs symbol pattern em kbd span a details "
    "summary form label input select option button output html head meta title style body script main header "
    "footer section article nav figure figcaption div h1 h2 h3 h4 p ul ol li dl dt dd table caption thead tbody "
    "tr th td pre code blockquote b strong i noscript br hr"
)
SINKS = name_set("src srcset action formaction data poster background ping style srcdoc xlink:href target download")


def unharmed(html: str) -> Parsed:
    """The page, after everything in it was found to be ours."""
    html.encode("utf-8")
    assert not CONTROLS.search(html)
    page = parsed(html)
    assert page.tags <= TAGS
    names = {name for one in page.elements for name in one.attributes}
    assert not [name for name in names if name.startswith("on") or name in SINKS or "evil" in name]
    assert (page.unbalanced, page.open, page.odd) == ([], [], ["doctype html"])
    assert [len(page.all(tag)) for tag in ("main", "script", "style", "html")] == [1, 1, 1, 1]
    ids = [one.id for one in page.elements if one.id]
    assert len(ids) == len(set(ids))
    assert {f"#{name}" for name in ids} >= set(page.links())
    assert all(re.fullmatch(r"[A-Za-z][\w-]*", name) for name in ids)
    return page


every_text = pytest.mark.parametrize("made", MIXED.values(), ids=MIXED.keys())


@every_text
def test_a_text_stays_text_in_every_field(made: Mixed) -> None:
    unharmed(of_report(made.report, *made.sessions))


@every_text
def test_a_text_stays_text_in_the_page_of_one_session(made: Mixed) -> None:
    for entry, said in zip(made.sessions, made.reports, strict=True):
        page = unharmed(of_report(said, entry))
        assert len(page.all("details", "step")) == len(said.sessions[0].timeline)


def test_texts_are_shown_as_they_are() -> None:
    page = parsed(written(sessions("<x-evil>&amp;\"'")[0]))
    said = next(one.text for one in page.all("pre", "said") if one.inside("step-1"))
    assert said.endswith("I'll try <x-evil>&amp;\"'.")


@pytest.mark.parametrize("name", ["letters", "brackets"])
def test_a_long_text_makes_no_heavy_page(name: str) -> None:
    html = written(sessions(LONG[name])[0])
    assert len(html.encode()) < 200_000
    unharmed(html)


MARKUP = st.text(alphabet=st.sampled_from("`<>[]()&;#*_\"'=/ \n\t\r-1step\x1b\x00\u202e\u2028\ud800"), max_size=60)


@examples(200)
@given(st.one_of(st.text(max_size=60), MARKUP, st.sampled_from(list(ALL.values()))))
def test_prose_is_text_with_links_to_steps(text: str) -> None:
    page = parsed(f"<p>{prose(text, 's2-', range(1, 5))}</p>")
    assert {one.tag for one in page.elements} <= {"p", "a", "code", "em", "strong"}
    assert {name for one in page.elements for name in one.attributes} <= {"href"}
    assert set(page.links()) <= {f"#s2-step-{step}" for step in range(1, 5)}
    assert (page.unbalanced, page.open, page.odd) == ([], [], [])


@table("prose")
def test_prose(text: str, shown: str) -> None:
    assert prose(text, known=range(1, 32)) == shown
