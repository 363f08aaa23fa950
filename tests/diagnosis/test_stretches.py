"""Several loops with one cause are one story: the page is about the costliest stretch, and counts from the first."""

from __future__ import annotations

from tests.build import Part, diagnosed, edit, pytest_report, read, run, user

ERROR = "ValueError: a pier needs three posts"


def rounds(count: int, error: str = ERROR) -> list[Part]:
    return [
        part
        for number in range(count)
        for part in (
            edit("pier.py", f"posts = {number}", f"posts = {number + 1}"),
            run("pytest", pytest_report(error), 1),
        )
    ]


BREAK: list[Part] = [
    user("Look at the plan first."),
    *(read(f"plan{number}.md", f"plan {number}") for number in range(10)),
]


def test_two_stretches_of_one_failure_name_each_other() -> None:
    found = diagnosed(*rounds(3), *BREAK, *rounds(5))
    loops = [finding for finding in found.findings if finding.category == "loop"]
    assert [(part.first_step, part.last_step) for part in loops] == [(17, 26), (1, 6)]
    assert [(other.first_step, other.last_step, other.rounds) for other in loops[0].stretches] == [(1, 6, 3)]
    assert [(other.first_step, other.last_step, other.rounds) for other in loops[1].stretches] == [(17, 26, 5)]
    assert found.early_stop.detectable_at == 6
    assert found.early_stop.actions_saved == 10
    assert found.diagnosis.headline.endswith("2 stretches in all, detectable from step 6.")


def test_loops_with_other_failures_are_stories_of_their_own() -> None:
    found = diagnosed(*rounds(3, "KeyError: 'mast'"), *BREAK, *rounds(5))
    assert all(not finding.stretches for finding in found.findings)
    assert found.early_stop.detectable_at == 22
