"""What holds for every page that the program writes."""

from __future__ import annotations

import pytest

from tests.browser.look import Looks
from tests.browser.shelf import HEAVY, MAKERS

pytestmark = pytest.mark.browser

every_page = pytest.mark.parametrize("name", MAKERS)
every_light_page = pytest.mark.parametrize("name", sorted(set(MAKERS) - HEAVY))


@every_page
def test_it_opens_from_disk_asks_for_nothing_and_leads_nowhere_else(name: str, looks: Looks) -> None:
    seen = looks[name].wide
    assert seen["title"]
    assert (seen["headings"], seen["heading is seen"], seen["mains"], seen["scripts run"]) == (1, True, 1, True)
    assert seen["duplicate ids"] == []
    assert seen["dead links"] == []


@every_page
def test_it_fits_windows_of_any_width(name: str, looks: Looks) -> None:
    sideways = looks[name].sideways
    assert {"1280 closed", "1280 open", "400 closed", "400 open", "400 loaded"} <= sideways.keys()
    assert {circumstances: what for circumstances, what in sideways.items() if what} == {}


@every_light_page
def test_it_hinders_no_reader_in_any_light(name: str, looks: Looks) -> None:
    hindrances = looks[name].hindrances
    assert {"closed", "1280", "400"} <= hindrances.keys()
    assert {circumstances: what for circumstances, what in hindrances.items() if what} == {}


@every_light_page
def test_it_prints(name: str, looks: Looks) -> None:
    assert looks[name].printed == {
        "begin": b"%PDF-",
        "sideways": [],
        "skip link": False,
        "scripted parts": 0,
        "heading is seen": True,
    }


@every_page
def test_it_is_whole_without_scripts(name: str, looks: Looks) -> None:
    seen = looks[name].unscripted
    assert (seen["scripted parts"], seen["dead links"], seen["details open"]) == (0, [], True)
    assert seen["letters"] > 100


@every_page
def test_tab_reaches_the_skip_link_first_and_always_goes_on(name: str, looks: Looks) -> None:
    skip, *others = looks[name].stops
    assert (skip["name"], skip["left"] >= 0) == ("skip", True)
    assert [stop["html"] for stop in others if not stop["marked"]] == []
    places = [stop["place"] for stop in others]
    assert [stop["html"] for stop in others if places.count(stop["place"]) > 1] == []
    assert places or not looks[name].wide["stops"]
