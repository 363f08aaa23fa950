"""A means that the user asked for, that couldn't be used, and of which the agent says nothing."""

from __future__ import annotations

import pytest

from analyzer.model.finding import Finding
from tests.build import Part, call, findings, run, says, user

REFUSED = "The user doesn't want to proceed with this tool use. The tool use was rejected."
NO = call("soundings_search", {"query": "depth"}, REFUSED, is_error=True)
PAGE = call("fetch", {"url": "https://quay.example"}, "The bay is 40 m deep.")
ANSWER = says("The bay is 40 m deep.")
TASK = user("How deep is the bay? Use Soundings")


def found(*parts: Part) -> list[Finding]:
    return findings(*parts, detector="asked-means")


@pytest.mark.parametrize(
    ("parts", "title"),
    [
        pytest.param(
            [TASK, NO, PAGE, ANSWER],
            "The user asked to use `Soundings`: its only call was refused (step 1), step 2 used `fetch`, and nothing "
            "that the agent says after that tells the user",
            id="refused",
        ),
        pytest.param(
            [user("Tell the depth. Please use charts and Soundings."), NO, NO, PAGE, ANSWER],
            "The user asked to use `Soundings`: each of its 2 calls was refused, step 3 used `fetch`, and nothing "
            "that the agent says after that tells the user",
            id="one-of-two",
        ),
        pytest.param(
            [user("Use soundings and search."), NO, PAGE, ANSWER],
            "The user asked to use `soundings` and `search`: their only call was refused (step 1), step 2 used "
            "`fetch`, and nothing that the agent says after that tells the user",
            id="two-names-of-one-call",
        ),
        pytest.param(
            [
                user("Pack it, and use `pnpm`."),
                run("pnpm pack", "bash: pnpm: command not found", 127),
                run("npm pack", "ok"),
                says("It is packed."),
            ],
            "The user asked to use `pnpm`: its only call didn't work (step 1), step 2 used `npm`, and nothing that the "
            "agent says after that tells the user",
            id="a-program",
        ),
    ],
)
def test_fires(parts: list[Part], title: str) -> None:
    (finding,) = found(*parts)
    by_a_person = "was refused" in title
    assert (finding.title, finding.severity) == (title, "low" if by_a_person else "medium")


def test_a_server_that_refuses_weighs_more_than_a_person_who_does() -> None:
    (finding,) = found(
        TASK,
        call("soundings_search", {"query": "depth"}, "403 Forbidden: permission denied", is_error=True),
        PAGE,
        ANSWER,
    )
    assert finding.severity == "medium"


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([TASK, NO, PAGE, says("Soundings can't be reached; a page says 40 m.")], id="told"),
        pytest.param([TASK, NO, PAGE, says("The search was denied. It is 40 m deep.")], id="told-without-its-name"),
        pytest.param([TASK, NO, says("I take the page instead."), PAGE, ANSWER], id="told-on-the-way"),
        pytest.param([TASK, NO, call("soundings_search", {"query": "bay"}, "40 m"), PAGE, ANSWER], id="it-worked-then"),
        pytest.param([TASK, NO, user("Then take a page."), PAGE, ANSWER], id="the-user-knows"),
        pytest.param([TASK, NO, ANSWER], id="nothing-else-was-used"),
        pytest.param([TASK, NO, PAGE], id="no-answer"),
        pytest.param([TASK, PAGE, ANSWER], id="never-tried"),
        pytest.param([user("How deep is the bay?"), NO, PAGE, ANSWER], id="not-asked-for"),
        pytest.param([user("Don't use Soundings."), NO, PAGE, ANSWER], id="forbidden"),
        pytest.param([user("You can use Soundings."), NO, PAGE, ANSWER], id="left-open"),
        pytest.param([user("Use Soundings or a page."), NO, PAGE, ANSWER], id="one-of-two-ways"),
        pytest.param([user("Our users use Soundings. How deep is the bay?"), NO, PAGE, ANSWER], id="about-others"),
        pytest.param(
            [user("Use pytest."), run("pytest", "FAILED test_a.py::test_b\n1 failed", 1), run("ls", "a"), ANSWER],
            id="what-it-was-used-for-failed",
        ),
    ],
)
def test_does_not_fire(parts: list[Part]) -> None:
    assert found(*parts) == []
