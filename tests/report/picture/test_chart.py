"""Charts: where marks stand, what is written beside them, and that nothing in a text gets out of it."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from analyzer.model.audit_figures import Share
from analyzer.report.picture.chart import Bar, Row, pair_chart, responsive, row_chart
from analyzer.report.picture.scale import Unit, scale_of
from analyzer.report.picture.small import Point, rate_over_time
from tests.tables import table

HOSTILE = '</text><script>alert(1)</script> " onload="x" \x1b]0;t\x07 \u202eabc'
_SVG = "{http://www.w3.org/2000/svg}"


def _texts(picture: str) -> list[str]:
    return [text.text or "" for text in ElementTree.fromstring(picture).iter(f"{_SVG}text")]


@table("ticks_are_round_and_have_room_for_the_values")
def test_ticks_are_round_and_have_room_for_the_values(values: list[float], unit: Unit, labels: list[str]) -> None:
    scale = scale_of(values, unit)

    assert [scale.label(tick) for tick in scale.ticks] == labels
    assert all(value <= scale.high for value in values)


def test_a_row_shows_its_mark_on_its_interval_and_its_value_as_text() -> None:
    drawn = row_chart(
        [Row("first", 0.5, "50% of 10", 0.25, 0.75, "first: 50% of 10", "#agent=first")],
        scale_of([1.0], "share"),
        width=1160,
        title="Rates",
    )
    root = ElementTree.fromstring(drawn)
    (dot,) = root.iter(f"{_SVG}circle")
    (interval,) = (line for line in root.iter(f"{_SVG}line") if line.get("class") == "interval")
    ticks = [float(line.get("x1", "")) for line in root.iter(f"{_SVG}line") if line.get("class") == "tick"]

    assert [float(dot.get("cx", "")), float(interval.get("x1", "")), float(interval.get("x2", ""))] == [
        ticks[2],
        ticks[1],
        ticks[3],
    ]
    assert {"first", "50% of 10"} <= set(_texts(drawn))
    assert (root.get("role"), root.findtext(f"{_SVG}title")) == ("group", "Rates")


def test_the_longer_bar_is_as_much_longer_as_its_value_is_larger() -> None:
    drawn = pair_chart(
        [("Actions", Bar("A", 10, "10"), Bar("B", 40, "40"))],
        scale_of([40], "count"),
        width=360,
        title="Actions",
        description="By side.",
    )

    before, after = (float(bar.get("width", "")) for bar in ElementTree.fromstring(drawn).iter(f"{_SVG}rect"))
    assert after == pytest.approx(4 * before, rel=0.01)
    assert {"Actions", "A", "10", "B", "40"} <= set(_texts(drawn))


def test_hostile_texts_stay_texts_and_the_same_bytes_come_out_again() -> None:
    scale = scale_of([1.0], "share")

    def draw(width: int) -> str:
        return "".join(
            (
                row_chart(
                    [Row(HOSTILE, 0.5, HOSTILE, 0.2, 0.7, HOSTILE, f"#{HOSTILE}")], scale, width=width, title=HOSTILE
                ),
                pair_chart(
                    [(HOSTILE, Bar(HOSTILE, 0.5, HOSTILE), Bar(HOSTILE, 0.1, HOSTILE))],
                    scale,
                    width=width,
                    title=HOSTILE,
                    description=HOSTILE,
                    axis=HOSTILE,
                ),
            )
        )

    for width in (1160, 360):
        drawn = draw(width)
        root = ElementTree.fromstring(f"<all>{drawn}</all>")
        assert not any("script" in element.tag or "onload" in element.attrib for element in root.iter())
        assert not {"\x1b", "\x07", "\u202e"} & set(drawn)
        assert drawn == draw(width)


def test_both_drawings_are_in_the_page() -> None:
    drawn = responsive(lambda width: row_chart([], scale_of([], "count"), width=width, title="Nothing"))

    assert [svg.get("width") for svg in ElementTree.fromstring(drawn).iter(f"{_SVG}svg")] == ["1160", "360"]


def test_a_rate_over_time_has_room_to_be_read() -> None:
    points = [Point(at, f"2026-0{at + 1}", Share(count=at, of=12, share=at, low=0, high=1), 12) for at in (0, 1)]
    marks = [
        float(mark.get("cy", ""))
        for mark in ElementTree.fromstring(rate_over_time(points, 560, title="Rate", whole=True)).iter(f"{_SVG}circle")
    ]

    assert marks[0] - marks[1] == pytest.approx(150)
