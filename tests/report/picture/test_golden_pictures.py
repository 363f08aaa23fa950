"""The pictures of our own samples, compared to the letter with the files that the documentation shows.

`pytest --update-golden tests/report/picture` writes what is drawn now; look at the pictures before committing them.
"""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from analyzer import analyze
from analyzer.report.environment import templates_directory
from analyzer.report.html.picture import figure
from analyzer.report.picture.model import model_of
from analyzer.report.picture.views import draw_in_order, draw_in_time
from tests.conftest import ROOT, Golden
from tests.report.picture.standalone import standalone

PICTURES = ROOT / "docs" / "pictures"
GOLDEN = Path(__file__).parent / "golden"
DRAWN = {
    "bspline_clamping.svg": ("bspline_clamping", False),
    "bspline_solved.svg": ("bspline_solved", False),
    "moving_numbers.svg": ("moving_numbers", False),
    "polling_a_build_in_time.svg": ("polling_a_build", True),
}


@pytest.mark.golden
@pytest.mark.parametrize("name", DRAWN)
def test_picture_of_a_sample(name: str, samples: Path, golden: Golden) -> None:
    sample, time = DRAWN[name]
    model = model_of(analyze(samples / f"{sample}.json").sessions[0])
    picture = standalone(draw_in_time(model) if time else draw_in_order(model))
    golden(PICTURES / name, picture)
    ElementTree.fromstring(picture)
    assert "<a " not in picture
    assert "href" not in picture


@pytest.mark.golden
@pytest.mark.parametrize("sample", ["bspline_clamping", "moving_numbers"])
def test_figure_of_a_sample(sample: str, samples: Path, golden: Golden) -> None:
    drawn = figure(model_of(analyze(samples / f"{sample}.json").sessions[0]))
    golden(GOLDEN / f"{sample}.html", drawn.replace("><", ">\n<") + "\n")


def test_a_file_of_its_own_has_every_colour_it_uses() -> None:
    """A variable that is used and not set would be drawn black."""
    css = "".join(
        (templates_directory() / "html" / f"{part}.css").read_text(encoding="utf-8")
        for part in ("swimlanes", "thumbnail")
    )
    style = standalone('<svg class="swimlane-chart"></svg>')
    used = {each.split(")")[0] for each in style.split("var(")[1:]}
    assert "--look" in used
    assert all(f"{name}:" in style for name in used)
    assert css.count(".swimlane-chart .k0") >= 1
