"""Messages that differ in values only have one template, and others don't."""

from __future__ import annotations

import pytest

from analyzer.text.similarity import similar, templates_of
from benchmarks.log_styles import STYLES, log_of


@pytest.mark.parametrize(
    ("messages", "template"),
    [
        pytest.param(["Order 7 was refused", "Order 812 was refused"], "Order <*> was refused", id="numbers"),
        pytest.param(
            ["no route to 10.0.7.1:22 from db-3", "no route to 10.9.1.30:8080 from edge-7"],
            "no route to <*> from <*>",
            id="addresses",
        ),
        pytest.param(
            ["could not read /srv/a/b.dat (code=17)", "could not read /tmp/x (code=EACCES)"],
            "could not read <*> (code=<*>)",
            id="paths and what follows an equals sign",
        ),
        pytest.param(
            ["login refused for user mira", "login refused for user jan"],
            "login refused for user <*>",
            id="names after a word that announces one",
        ),
        pytest.param(
            ["the pier north is closed", "the pier south is closed", "the pier west is closed"],
            "the pier <*> is closed",
            id="three names",
        ),
        pytest.param(
            ["row [1, 2, 3] has gaps", "row [4, 5] has gaps"], "row [<*>] has gaps", id="lists of other lengths"
        ),
        pytest.param(["sent 1.2 KB in all", "sent 7 MB in all"], "sent <*> in all", id="units"),
    ],
)
def test_one_template(messages: list[str], template: str) -> None:
    assert templates_of(messages) == [template] * len(messages)
    assert similar(messages) == [template] * len(messages)


@pytest.mark.parametrize(
    "messages",
    [
        pytest.param(["the pier is open", "the pier is shut"], id="two words"),
        pytest.param(["the pier job started", "the pier job stopped", "the pier job failed"], id="what happened"),
        pytest.param(["alpha", "beta", "gamma"], id="nothing that agrees"),
        pytest.param(["password refused for mira", "password refused for user mira"], id="another length"),
    ],
)
def test_several_templates(messages: list[str]) -> None:
    assert similar(messages) == messages


@pytest.mark.parametrize("style", ["distributed files", "remote logins", "phone", "cluster mail"])
def test_lines_of_a_template_stay_together(style: str) -> None:
    lines = log_of(style, 600, 5)
    groups = templates_of([line.text for line in lines])
    whole = {(group, line.template) for group, line in zip(groups, lines, strict=True)}
    parted = len(whole) - len({line.template for line in lines})
    assert parted <= 1
    assert len(STYLES[style]) - 1 <= len(set(groups)) <= len(STYLES[style]) + 1
