"""A question about the state of something waits only where it's asked again while nothing was done."""

from __future__ import annotations

import pytest

from analyzer.model.session import Message
from tests.build import Part, edit, read, run, timeline

PS = run("docker ps", "quay is up")
RUN = run("gh run view 17", "in progress")


@pytest.mark.parametrize(
    ("parts", "kinds"),
    [
        pytest.param([PS, PS], ["search", "wait"], id="asked again"),
        pytest.param([RUN, RUN, RUN], ["search", "wait", "wait"], id="asked twice more"),
        pytest.param([RUN, read("a.py", "x"), RUN], ["search", "read", "wait"], id="a file is read in between"),
        pytest.param([run("sleep 9", ""), run("sleep 9; gh run view 17", "x")], ["wait", "wait"], id="pauses"),
        pytest.param([run("sleep 9; gh run view 17", "x"), RUN], ["wait", "wait"], id="again after a pause"),
        pytest.param([run("gh run watch 17", "done")], ["wait"], id="a command that blocks"),
        pytest.param([run("kubectl rollout status deploy/x", "done")], ["wait"], id="another one that blocks"),
        pytest.param([RUN, run("gh run view 17 --json status", "{}")], ["search", "wait"], id="shown otherwise"),
        # Twins that look.
        pytest.param([PS], ["search"], id="asked once"),
        pytest.param([RUN], ["search"], id="a run that is looked at once"),
        pytest.param([PS, Message("user", "Is it up now?"), PS], ["search", "search"], id="the user asks again"),
        pytest.param(
            [PS, run("docker start quay", "quay"), PS], ["search", "run", "search"], id="something was started"
        ),
        pytest.param([RUN, edit("a.py", "x", "y"), RUN], ["search", "edit", "search"], id="something was changed"),
        pytest.param([RUN, run("gh run view 18", "in progress")], ["search", "search"], id="another run"),
        pytest.param([PS, run("docker ps --filter name=pier", "")], ["search", "search"], id="another object"),
        pytest.param([run("gh run list", "17 18"), RUN], ["search", "search"], id="a list and one of it"),
        pytest.param([run("docker images", "x"), run("docker images", "x")], ["search", "search"], id="no state"),
        pytest.param([run("sleep 9", ""), PS], ["wait", "search"], id="the first look after a pause"),
    ],
)
def test_only_a_question_that_is_asked_again_waits(parts: list[Part], kinds: list[str]) -> None:
    assert [str(action.kind) for action in timeline(*parts).actions] == kinds
