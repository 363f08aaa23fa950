"""Whatever a transcript holds, it stays inside its place on the page."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from analyzer.model.session import Session
from analyzer.report import safe
from analyzer.report.markdown import render
from tests.build import report
from tests.drawn import examples
from tests.growth import assert_in_proportion
from tests.report.hostile import LONG, MIXED, PAYLOADS, Mixed, sessions
from tests.report.rendered import unharmed, widths
from tests.tables import table

MARKUP = st.text(alphabet=st.sampled_from("`<>[]()\\|&;#*_~-=!:/ \n\t\rab1\x1b\x00\u202e\u2028\ud800"), max_size=60)
ANY = st.one_of(
    st.text(max_size=60),
    MARKUP,
    st.sampled_from(list(PAYLOADS.values())),
    st.tuples(MARKUP, st.sampled_from(list(PAYLOADS.values()))).map("".join),
)
CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


every_text = pytest.mark.parametrize("made", MIXED.values(), ids=MIXED.keys())


@pytest.mark.slow
@every_text
def test_no_text_breaks_out_of_its_place(made: Mixed) -> None:
    markdown = render(made.report)
    unharmed(markdown)
    assert not CONTROLS.search(markdown)
    markdown.encode("utf-8")


@pytest.mark.slow
@every_text
def test_every_fence_closes_and_every_section_stays(made: Mixed) -> None:
    known = {
        *("Request by request", "What was done and said", "What happened", "Root cause", "Why the agent failed"),
        "Suggested improvements",
    }
    for entry in made.reports:
        markdown = render(entry)
        page = unharmed(markdown)
        headings, summaries = page.headings(), [one.text for one in page.all("summary")]
        assert not CONTROLS.search(markdown)
        assert len(headings) == len(set(headings))
        assert len(summaries) == len(set(summaries))
        assert set(headings) <= known
        assert sum(summary.startswith("Full timeline") for summary in summaries) == 1
        assert sum(summary.startswith("Warnings while reading") for summary in summaries) == 1


@pytest.mark.slow
@pytest.mark.parametrize("text", LONG.values(), ids=LONG.keys())
def test_a_long_text_makes_no_long_page(text: str) -> None:
    def write(session: Session) -> None:
        pages.append(render(report(session)))

    pages: list[str] = []
    assert_in_proportion(
        write, lambda size: sessions(text[:size])[0], len(text) // 8, len(text), repr(text[:2]), leeway=1.25
    )
    markdown = pages[0]
    assert len(markdown) < 165_000
    unharmed(markdown)


@settings(deadline=None)
@given(ANY)
def test_prose_is_one_harmless_paragraph(text: str) -> None:
    shown = safe.prose(text)
    assert "\n" not in shown
    assert not CONTROLS.search(shown)
    assert unharmed(f"Text: {shown}").tags <= {"p", "code", "em", "strong"}


@settings(deadline=None)
@given(ANY, ANY)
def test_prose_around_code_of_ours_stays_apart_from_it(before: str, after: str) -> None:
    span = safe.code(f"x{after}")
    page = unharmed(f"Text: {safe.prose(f'{before} {span} {after}')}")
    assert page.tags <= {"p", "code", "em", "strong"}


@settings(deadline=None)
@given(ANY)
def test_a_code_span_holds_all_of_its_text(text: str) -> None:
    shown = safe.code(text)
    (token,) = [token for token in MarkdownIt("commonmark").parse(f"a {shown} b") if token.type == "inline"]
    children = token.children or []
    spans = [child.content for child in children if child.type == "code_inline"]
    assert spans == ([safe.clip(text, 300)] if shown else [])
    assert {child.type for child in children} <= {"text", "code_inline"}


@settings(deadline=None)
@given(ANY, st.integers(5, 60))
def test_a_cell_is_one_cell(text: str, limit: int) -> None:
    shown = safe.cell(text, limit)
    assert widths(unharmed(f"| a | b |\n| --- | --- |\n| {shown} | end |\n")) == [{2}]


@settings(deadline=None)
@given(
    st.lists(st.text(alphabet="ab =(),.", min_size=1, max_size=30).filter(str.strip), min_size=1, max_size=6),
    st.integers(10, 80),
)
def test_a_cut_cell_never_ends_in_half_a_code_span(texts: list[str], limit: int) -> None:
    shown = safe.cell(" -> ".join(safe.code(text) for text in texts), limit)
    assert "\\`" not in shown
    assert len(shown) <= limit + 2


@settings(deadline=None)
@given(ANY)
def test_code_in_a_table_is_one_cell(text: str) -> None:
    shown = safe.code(text, 120).replace("|", "\\|")
    assert widths(unharmed(f"| a | b |\n| --- | --- |\n| {shown} | end |\n")) == [{2}]


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from(["`", "```", "~~~", "\n", "x", " ", "</details>", "````python", "   ```"]), max_size=30
    ).map("".join)
    | ANY
)
def test_a_fence_closes_after_all_of_its_text(text: str) -> None:
    tokens = MarkdownIt("commonmark").parse(f"Before:\n\n{safe.fence(text, 'text')}\n\nAfter.")
    assert [token.type for token in tokens if token.level == 0] == [
        *("paragraph_open", "paragraph_close"),
        "fence",
        *("paragraph_open", "paragraph_close"),
    ]
    (fence,) = [token for token in tokens if token.type == "fence"]
    assert fence.info == "text"
    assert fence.content.strip("\n") == safe.visible(text).strip("\n")


@settings(deadline=None)
@given(st.text(max_size=200) | ANY)
def test_visible_text_can_be_written_and_shown(text: str) -> None:
    shown = safe.visible(text)
    assert not CONTROLS.search(shown)
    assert safe.visible(shown) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("\x1b[31mred\x1b[0m", "red", id="colour"),
        pytest.param("\x1b]8;;https://x.test\x07click\x1b]8;;\x1b\\", "click", id="hyperlink"),
        pytest.param("\x1b]0;title\nValueError", "\nValueError", id="escape that never ends"),
        pytest.param("a\x1b", "a", id="escape at the end"),
        pytest.param("\u202eabc", "abc", id="direction"),
        pytest.param("a\ud800b", "a?b", id="surrogate"),
        pytest.param("a\r\nb\rc", "a\nb\nc", id="newlines"),
        pytest.param("äé→", "äé→", id="letters"),
    ],
)
def test_visible(text: str, shown: str) -> None:
    assert safe.visible(text) == shown


@pytest.mark.slow
@examples(25)
@given(st.lists(ANY, min_size=8, max_size=8))
def test_a_page_with_any_texts_is_whole(texts: list[str]) -> None:
    made = Mixed(tuple(texts))
    for entry in (made.report, *made.reports):
        unharmed(render(entry))


@table("an_address_is_no_link_and_swallows_nothing")
def test_an_address_is_no_link_and_swallows_nothing(text: str, shown: str) -> None:
    assert safe.prose(text) == shown


def test_marks_of_direction_are_left_out() -> None:
    assert safe.visible("a\u061cb\u200ec\u200fd\u202ee\u2066f") == "abcdef"
