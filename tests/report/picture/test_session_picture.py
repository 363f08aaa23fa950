"""What the picture of a session shows of invented sessions, read back from its elements."""

from __future__ import annotations

import re
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.model.struct import replace
from analyzer.model.words import MAIN_LANE
from analyzer.report.html.picture import figure
from analyzer.report.picture.model import Group, Mark, PictureModel
from analyzer.report.picture.views import draw_in_order, draw_in_time, has_times
from tests.report.picture.sessions import bracket, cells, model

LOOP = bracket(5, 16, 2)
ALTERNATING = "rrse" + "eT" * 6
MARKS = (
    Mark(MAIN_LANE, 6, "first failure", "Step 6: the first failure"),
    Mark(MAIN_LANE, 10, "detectable", "Step 10: detectable from here"),
    Mark(MAIN_LANE, 16, "end", "Step 16: the end (stuck)"),
)


def read(markup: str) -> Element:
    return ElementTree.fromstring(markup)


def links(picture: Element, kind: str = "") -> list[Element]:
    """The links of a picture, of its cells where no class is named."""
    if kind:
        return [link for link in picture.iter("a") if kind in link.get("class", "").split()]
    return [link for group in picture.iter("g") if group.get("class") == "cells" for link in group.iter("a")]


def box(link: Element) -> tuple[float, float, float, float]:
    """Left, top, width and height of a cell."""
    path = link.find("path")
    assert path is not None
    found = re.fullmatch(r"M([\d.]+) ([\d.]+)h([\d.]+)v([\d.]+)h-[\d.]+z", path.get("d", ""))
    assert found, path.get("d")
    left, top, width, height = map(float, found.groups())
    return left, top, width, height


def test_a_loop_is_a_zigzag() -> None:
    drawn = links(read(draw_in_order(model(cells("eTeTeT")))))
    middles = [top + height / 2 for _, top, _, height in map(box, drawn)]
    assert len(set(middles)) == 2
    assert middles[0::2] == [middles[0]] * 3
    assert middles[1::2] == [middles[1]] * 3
    assert [box(link)[0] for link in drawn] == sorted(box(link)[0] for link in drawn)


def test_what_failed_differs_in_shape_and_what_is_unknown_is_hollow() -> None:
    went, failed, unknown = links(read(draw_in_order(model(cells("tTt?")))))
    assert box(failed)[3] > box(went)[3]
    assert (went.get("class"), failed.get("class"), unknown.get("class")) == ("k2", "f", "k2 u")
    assert [link.findtext("title") for link in (went, failed, unknown)] == [
        None,
        None,
        "3 test, unknown",
    ]


def test_cells_marks_episodes_and_groups_are_links_with_the_prefix() -> None:
    session = model(
        cells(ALTERNATING),
        cells("rE", "helper"),
        brackets=(LOOP,),
        marks=MARKS,
        groups=(Group(0, "F1", MAIN_LANE, 6, "ValueError: no"),),
    )
    page = read(figure(session, "s2-"))
    targets = {link.get("href", "") for link in page.iter("a")}
    assert {f"#s2-step-{step}" for step in range(1, 17)} <= targets
    assert targets - {f"#s2-step-{step}" for step in range(1, 17)} == {
        "#s2-lane-1-step-1",
        "#s2-lane-1-step-2",
        "#s2-finding-1",
        "#s2-group-F1",
    }
    assert all(element.get("id", "s2-").startswith("s2-") for element in page.iter())


def test_rounds_are_shaded_by_turns_under_their_bracket() -> None:
    picture = read(draw_in_order(model(cells(ALTERNATING), brackets=(LOOP,))))
    shaded = {
        path.get("class"): path.get("d", "").count("M")
        for path in picture.iter("path")
        if path.get("class", "").startswith("round")
    }
    assert shaded == {"round": 3, "round odd": 3}
    (over,) = links(picture, "bracket")
    assert over.findtext("text") == "Edit-test loop: 6 rounds with the same result"
    assert over.findtext("title") == LOOP.title


def test_episodes_that_overlap_are_stacked() -> None:
    session = model(cells("eT" * 20), brackets=(bracket(1, 30, 2), bracket(11, 40, 3, "The same call", finding=1)))
    heights = {text.get("y") for link in links(read(draw_in_order(session)), "bracket") for text in link.iter("text")}
    assert len(heights) == 2


def test_flags_say_what_they_mark() -> None:
    picture = read(draw_in_order(model(cells(ALTERNATING), marks=MARKS)))
    flags = {link.findtext("text"): link.get("href") for link in links(picture, "mark")}
    assert flags == {"first failure": "#step-6", "detectable": "#step-10", "end: stuck": "#step-16"}


@pytest.mark.parametrize("at", [1, 2, 3, 30, 75])
def test_words_stay_inside_the_picture(at: int) -> None:
    end = Mark(MAIN_LANE, at, "end", f"Step {at}: the end (limit reached)")
    drawn = read(figure(model(cells("r" * at), brackets=(bracket(at, at, 1),), marks=(end,))))
    for picture in (each for each in drawn.iter("svg") if each.get("aria-label")):
        for link in [*links(picture, "mark"), *links(picture, "bracket")]:
            text = link.find("text")
            assert text is not None
            x, width = float(text.get("x", "")), 6 * len(text.text or "")
            left = x - width if text.get("text-anchor") == "end" else x
            assert left >= 0
            assert left + width <= float(picture.get("width", ""))


def test_a_long_name_of_an_episode_is_cut_to_the_width_of_the_picture() -> None:
    long = replace(
        bracket(10, 12, 1), title="The browser clicked the very same field three times, and the page stayed as it was"
    )
    drawn = read(figure(model(cells("r" * 16), brackets=(long,))))
    pictures = [each for each in drawn.iter("svg") if each.get("aria-label")]
    assert len(pictures) == 2
    for picture in pictures:
        (link,) = links(picture, "bracket")
        text = link.find("text")
        assert text is not None
        assert (text.text or "").endswith("…")
        assert float(text.get("x", "")) + 8 * len(text.text or "") <= float(picture.get("width", ""))


def test_the_same_failure_has_the_same_sign_and_a_line_through_it() -> None:
    own = [replace(cell, group={6: 0, 8: 1, 10: 0, 12: 1}.get(cell.step)) for cell in cells(ALTERNATING)]
    groups = (Group(0, "F1", MAIN_LANE, 2, "ValueError: no"), Group(1, "F2", MAIN_LANE, 2, "<b>KeyError</b>"))
    drawn = figure(model(own, groups=groups))
    picture = read(draw_in_order(model(own, groups=groups)))
    signs = {
        each.get("class"): [path.get("d", "") for path in each.iter("path")]
        for each in picture.iter("g")
        if each.get("class") in ("g0", "g1")
    }
    assert set(signs) == {"g0", "g1"}
    assert [len(paths) for paths in signs.values()] == [2, 2]
    assert signs["g0"][1].count("z") == signs["g1"][1].count("z") == 2
    assert "&lt;b&gt;KeyError&lt;/b&gt;" in drawn


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 74, 76, 150, 400, 1_188, 1_189, 10_000])
def test_every_action_has_its_place_within_reach(count: int) -> None:
    """One link to each of them or to the first of those that share a column, and neither too high a picture nor too
    heavy a figure."""
    session = model(
        cells("rsexT" * (count // 5) + "r" * (count % 5), every=9.0, takes=2.0, tokens=3),
        brackets=(bracket(1, count, 5),),
    )
    picture = read(draw_in_order(session))
    drawn = links(picture)
    steps = [int(link.get("href", "").removeprefix("#step-")) for link in drawn]
    size = -(-count // 1_188)
    assert steps == list(range(1, count + 1, size))
    assert float(picture.get("height", "")) < 1_200
    assert len(figure(session)) < 600_000


def test_a_column_that_is_shared_shows_its_rows_and_what_failed() -> None:
    picture = read(draw_in_order(model(cells("r" * 1_188 + "eT"))))
    last = links(picture)[-1]
    assert last.findtext("title") == "Steps 1189-1190: 1 edit, 1 test; 1 failed"
    assert [path.get("class") for path in last.iter("path")] == ["k1", "f"]


def test_no_switch_without_times() -> None:
    assert 'type="radio"' not in figure(model(cells("rest")))
    assert 'type="radio"' not in figure(model(cells("rest", every=0.0)))
    assert figure(model(cells("rest", every=5.0))).count('type="radio"') == 2


def test_in_time_a_cell_is_as_wide_as_its_action_took() -> None:
    session = model([replace(cell, seconds=float(cell.step)) for cell in cells("rrr", every=10.0)])
    widths = [box(link)[2] for link in links(read(draw_in_time(session)))]
    assert widths[1] == pytest.approx(2 * widths[0], abs=0.3)
    assert widths[2] == pytest.approx(3 * widths[0], abs=0.3)


def test_a_night_is_cut_out_and_said() -> None:
    own = cells("rrrr", every=30.0, takes=5.0)
    own = [replace(cell, start=(cell.start or 0.0) + (30_000 if cell.step > 2 else 0)) for cell in own]
    picture = read(draw_in_time(model(own)))
    assert [text.text for text in picture.iter("text") if text.get("class") == "gap"] == ["8 h 20 min"]
    assert sum(path.get("class") == "break" for path in picture.iter("path")) == 2
    lefts = [box(link)[0] for link in links(picture)]
    assert lefts[1] - lefts[0] > 200


def test_sub_agents_have_a_score_of_their_own() -> None:
    lanes = [cells("rest"), *(cells("r" * size, f"helper {size}") for size in range(1, 8))]
    drawn = read(draw_in_order(model(*lanes)))
    named = [text.text for text in drawn.iter("text") if (text.get("class") or "").startswith("lane")]
    assert named == ["helper 4", "helper 5", "helper 6", "helper 7", "and 3 more sub-agents with 6 actions"]


def test_users_compactions_and_usage_are_drawn_only_where_they_are_known() -> None:
    plain = figure(model(cells("rest")))
    assert not any(word in plain for word in (">user<", ">compact<", "tokens", "cost"))
    first, *rest = cells("rest", tokens=1_000)
    full = figure(model([first, replace(rest[0], after_user=True, compacted_before=True), *rest[1:]]))
    assert ">user</text>" in full
    assert ">compact</text>" in full
    assert "tokens per action, at most 4 000 tokens" in full
    usd = figure(model([replace(cell, usd=0.25) for cell in cells("rest")]))
    assert "cost per action, at most $0.25" in usd


def test_the_caption_says_what_the_picture_shows() -> None:
    caption = read(figure(model(cells(ALTERNATING), brackets=(LOOP,), marks=MARKS))).findtext("figcaption")
    assert caption == (
        "16 actions: 7 edits, 6 test runs, 2 reads, 1 search; 6 failed. Steps 5-16: edit-test loop: 6 rounds "
        "with the same result. "
        "Step 6: the first failure. Step 10: detectable from here. Step 16: the end (stuck)."
    )


def test_the_rows_of_what_came_back_are_named_by_their_groups() -> None:
    own = [replace(cell, group={6: 0, 8: 0, 10: 1, 12: 2}.get(cell.step)) for cell in cells(ALTERNATING)]
    groups = tuple(Group(number, f"F{number + 1}", MAIN_LANE, 2, "ValueError: no") for number in range(3))
    named = [text.text for text in read(draw_in_order(model(own, groups=groups))).iter("text")]
    assert "F1 F2…" in named


def test_no_action() -> None:
    assert "No action was recorded." in figure(PictureModel((), (), (), (), ()))


def test_session_text_stays_text() -> None:
    bad = '"><script>alert(1)</script>\x1b[31m\u202e'
    loop, came_back = replace(bracket(1, 2, 1), title=bad), Group(0, bad, MAIN_LANE, 2, bad)
    drawn = figure(model(cells("rT"), cells("rT", bad), brackets=(loop,), groups=(came_back,)))
    assert "<script" not in drawn
    assert "\x1b" not in drawn
    assert "\u202e" not in drawn
    read(drawn)


@pytest.mark.slow
@given(
    st.text("rsetxwhpfoRSETXWHPFO", min_size=1, max_size=120), st.integers(1, 40), st.floats(0.1, 90_000), st.booleans()
)
def test_any_session_can_be_drawn(letters: str, period: int, every: float, timed: bool) -> None:
    session = model(
        cells(letters, every=every if timed else None, takes=every / 3 if timed else None),
        brackets=(bracket(1, len(letters), period),),
    )
    assert figure(session) == figure(session)
    read(figure(session))
    for picture in (draw_in_order(session), *([draw_in_time(session)] if has_times(session) else [])):
        assert "nan" not in picture
        assert "inf" not in picture
