"""Charts: where marks stand, what is written beside them, and that nothing in a text gets out of it."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from analyzer.report.picture.chart import Bar, Row, pair_chart, responsive, row_chart
from analyzer.report.picture.plot import Curve, Point, scatter_plot
from analyzer.report.picture.scale import Unit, scale_of
from tests.tables import table

HOSTILE = '</text><script>alert(1)</script> " onload="x" \x1b]0;t\x07 \u202eabc'
_SVG = "{http://www.w3.org/2000/svg}"


def _texts(picture: str) -> list[str]:
    return [text.text or "" for text in ElementTree.fromstring(picture).iter(f"{_SVG}text")]


@table("ticks_are_round_and_have_room_for_the_values")
def test_ticks_are_round_and_have_room_for_the_values(values: list[float], unit: Unit, labels: list[str]) -> None:
    scale = scale_of(values, unit)

    assert [scale.label(tick) for tick in scale.ticks] == labels
    assert all(scale.holds(value) for value in values)


def test_a_factor_and_its_inverse_stand_as_far_from_no_change() -> None:
    scale = scale_of([0.25, 4.0], "factor")

    assert scale.place(1.0) - scale.place(0.5) == pytest.approx(scale.place(2.0) - scale.place(1.0))


def test_a_row_shows_its_mark_on_its_interval_and_its_value_as_text() -> None:
    drawn = row_chart(
        [Row("first", 0.5, "50% of 10", 0.25, 0.75), Row("second", None, "-")],
        scale_of([1.0], "share"),
        width=1160,
        title="Rates",
        description="By name.",
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
    assert {"first", "50% of 10", "second", "-"} <= set(_texts(drawn))
    assert (root.get("role"), root.findtext(f"{_SVG}title"), root.findtext(f"{_SVG}desc")) == (
        "img",
        "Rates",
        "By name.",
    )


def test_the_longer_bar_is_as_much_longer_as_its_value_is_larger() -> None:
    drawn = pair_chart(
        [("Actions", Bar("A", 10, "10"), Bar("B", 40, "40"))], scale_of([40], "count"), width=360, title="Actions"
    )

    before, after = (float(bar.get("width", "")) for bar in ElementTree.fromstring(drawn).iter(f"{_SVG}rect"))
    assert after == pytest.approx(4 * before, rel=0.01)
    assert {"Actions", "A", "10", "B", "40"} <= set(_texts(drawn))


def test_points_that_are_links_can_be_reached_and_named() -> None:
    scale = scale_of([1.0], "share")
    drawn = scatter_plot(
        [
            Point(0.1, 0.9, "identical-call: stops 90%", href="#policy-1", in_order=True),
            Point(0.5, 0.5, "other", href="#policy-2"),
        ],
        scale,
        scale,
        width=360,
        names=("disturbed", "stopped"),
        curves=[Curve([(0.0, 0.0), (0.1, 0.9)])],
        title="Policies",
    )
    root = ElementTree.fromstring(drawn)

    links = [(link.get("href"), link.get("aria-label"), link.get("tabindex")) for link in root.iter(f"{_SVG}a")]
    assert links == [("#policy-1", "identical-call: stops 90%", None), ("#policy-2", "other", "-1")]
    assert root.get("role") == "group"


def test_hostile_texts_stay_texts_and_the_same_bytes_come_out_again() -> None:
    scale = scale_of([1.0], "share")

    def draw(width: int) -> str:
        return "".join(
            (
                row_chart(
                    [Row(HOSTILE, 0.5, HOSTILE, about=HOSTILE, href=f"#{HOSTILE}")],
                    scale,
                    width=width,
                    title=HOSTILE,
                    description=HOSTILE,
                    axis=HOSTILE,
                ),
                pair_chart(
                    [(HOSTILE, Bar(HOSTILE, 0.5, HOSTILE), Bar(HOSTILE, 0.1, HOSTILE))],
                    scale,
                    width=width,
                    title=HOSTILE,
                    axis=HOSTILE,
                ),
                scatter_plot(
                    [Point(0.5, 0.5, HOSTILE, label=HOSTILE, href=HOSTILE)],
                    scale,
                    scale,
                    width=width,
                    names=(HOSTILE, HOSTILE),
                    title=HOSTILE,
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
