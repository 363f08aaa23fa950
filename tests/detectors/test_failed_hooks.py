"""Hooks of the harness that fail."""

from __future__ import annotations

import pytest

from analyzer.model.session import HookRuns
from tests.build import Part, findings, run, says, user

PARTS: list[Part] = [user("Count the boats."), run("ls", "a b"), says("Two.")]


@pytest.mark.parametrize(
    ("hooks", "title", "step"),
    [
        pytest.param(
            (HookRuns("before-call", 8, 8, "Error: no such command", 0),),
            "All 8 runs of the harness's hooks failed (`before-call`), first with `Error: no such command`",
            1,
            id="each time",
        ),
        pytest.param(
            (HookRuns("at-end", 1, 1, "Error: disk full", 1),),
            "The only run of the harness's hooks failed (`at-end`), first with `Error: disk full`",
            1,
            id="once, of one run",
        ),
        pytest.param(
            (HookRuns("before-call", 9, 3, "Error: no such command", 1), HookRuns("at-end", 2)),
            "3 of 9 runs of the harness's hooks failed (`before-call`), first with `Error: no such command`",
            1,
            id="often",
        ),
        pytest.param(
            tuple(HookRuns(name, 1, 1) for name in "abcd"),
            "All 4 runs of the harness's hooks failed (`a`, `b` and 2 more)",
            1,
            id="no message",
        ),
        pytest.param(
            (HookRuns("before-call", 4, 4, "Error: a", 1), HookRuns("at-start", 1, 1, "Error: b", 0)),
            "All 5 runs of the harness's hooks failed (`before-call` and `at-start`), first with `Error: b`",
            1,
            id="several hooks",
        ),
    ],
)
def test_fires(hooks: tuple[HookRuns, ...], title: str, step: int) -> None:
    (found,) = findings(*PARTS, detector="failed-hooks", hooks=hooks)

    assert (found.severity, found.title, found.first_step) == ("low", title, step)
    first = min((hook for hook in hooks if hook.failures), key=lambda hook: hook.after)
    assert [entry.quote for entry in found.evidence] == [first.error] * (first.error is not None)


@pytest.mark.parametrize(
    "hooks",
    [
        pytest.param((), id="none"),
        pytest.param((HookRuns("before-call", 8),), id="all went well"),
        pytest.param((HookRuns("before-call", 8, 2, "Error: no such command", 0),), id="now and then"),
    ],
)
def test_does_not_fire(hooks: tuple[HookRuns, ...]) -> None:
    assert findings(*PARTS, detector="failed-hooks", hooks=hooks) == []
