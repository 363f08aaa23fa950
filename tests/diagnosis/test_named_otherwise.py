"""An agent that names the right path and sends another one has overlooked nothing, and needn't be taught the name."""

from __future__ import annotations

import pytest

from tests.build import Part, diagnosed, run

LISTED = run("ls -F", "fastboats/\nREADME.md\n")


def entered(said: str) -> Part:
    return run("cd fastbridge/", "bash: line 1: cd: fastbridge/: No such file or directory", 1, said=said)


@pytest.mark.parametrize(
    ("said", "title", "taught"),
    [
        pytest.param(
            "Now into the folder `fastboats/`.", "Words and calls name different things", False, id="knows the name"
        ),
        pytest.param("Now into the next folder.", "Overlooked what an earlier step showed", True, id="says nothing"),
        pytest.param(
            "Now into `fastbridge/`.", "Overlooked what an earlier step showed", True, id="says the wrong name"
        ),
    ],
)
def test_what_is_said_of_a_name(said: str, title: str, taught: bool) -> None:
    made = diagnosed(LISTED, *[entered(f"{said} Try {number}.") for number in range(5)]).diagnosis

    assert made.reasons[0].title == title
    assert any(entry.title.startswith("Name the path") for entry in made.improvements) is taught
