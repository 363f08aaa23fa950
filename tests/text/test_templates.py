"""Messages that differ in values only have one template, and others don't."""

from __future__ import annotations

import pytest

from analyzer.text.similarity import similar, templates_of
from benchmarks.log_styles import STYLES, log_of
from tests.tables import table


@table("one_template")
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
