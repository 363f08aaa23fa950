"""What a later message of the user allows again, of several things that were forbidden."""

from __future__ import annotations

import pytest

from analyzer.task.prohibitions import lifted, rules_of

RULES = list(rules_of("Do not modify the tests. Don't change boats.md. Don't touch tides.json."))


@pytest.mark.parametrize(
    ("text", "what"),
    [
        pytest.param("Now update the tests.", [("tests", ())], id="the tests"),
        pytest.param("You may change boats.md.", [("file", ("boats.md",))], id="a file"),
        pytest.param(
            "Change boats.md.\nThen update the tests.", [("tests", ()), ("file", ("boats.md",))], id="in two sentences"
        ),
        pytest.param("Don't update the tests.", [], id="forbidden again"),
        pytest.param("Where are the tests?", [], id="only asked"),
        pytest.param("Read boats.md.", [], id="only named"),
        pytest.param("Update moons.json.", [], id="another file"),
        pytest.param("", [], id="nothing"),
    ],
)
def test_what_a_message_allows(text: str, what: list[tuple[str, tuple[str, ...]]]) -> None:
    assert sorted((rule.what, rule.names) for rule in lifted(RULES, text)) == sorted(what)
    assert lifted([], text) == []
