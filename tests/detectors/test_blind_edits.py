"""Edits of one place that leave the failure as it is: when they're guesses, and when the agent looks in between."""

from __future__ import annotations

from typing import Any

import pytest

from tests.build import Part, call, edit, findings, pytest_report, read, run, think, traceback, user, write

ERROR = traceback("KeyError: 'bow'", ("app.py", 9, "main", "row(boat)"), ("oars.py", 31, "row", "return boat[side]"))
FIRST = "    side = names[0]\n"


def fails(text: str = ERROR) -> Part:
    return run("python app.py", text, 1)


def tries(number: int, **more: Any) -> Part:
    before = FIRST if number == 1 else f"    side = names[{number - 1}]\n"
    return edit("app.py", before, f"    side = names[{number}]\n", **more)


def lined(number: int) -> Part:
    return call("edit", {"path": "app.py", "start": 4, "end": 5, "text": f"side = names[{number}]"}, "Edited.")


def rounds(*between: Part, count: int = 3) -> list[Part]:
    return [fails(), *(part for number in range(1, count + 1) for part in (tries(number), *between, fails()))]


@pytest.mark.parametrize(
    ("parts", "steps", "detectable_at", "severity"),
    [
        pytest.param(rounds(), [1, 2, 3, 4, 5, 6, 7], 7, "medium", id="three guesses"),
        pytest.param(rounds(count=6), list(range(1, 14)), 7, "high", id="six guesses"),
        pytest.param(
            [fails(), *(part for number in (1, 2, 3) for part in (lined(number), fails()))],
            list(range(1, 8)),
            7,
            "medium",
            id="the same lines",
        ),
        pytest.param(
            [part for number in (1, 2, 3, 4) for part in (run("pytest", pytest_report(), 1), tries(number))][:7],
            list(range(1, 8)),
            7,
            "medium",
            id="a test",
        ),
        pytest.param(
            rounds(think("It must be the index.")), [1, 2, 4, 5, 7, 8, 10], 10, "medium", id="thoughts in between"
        ),
        pytest.param(rounds(run("git add -A")), [1, 2, 4, 5, 7, 8, 10], 10, "medium", id="tidying up in between"),
        pytest.param(
            [
                fails(),
                *(
                    part
                    for number in (1, 2, 3)
                    for part in (run(f"sed -i '4s/.*/side = names[{number}]/' app.py"), fails())
                ),
            ],
            list(range(1, 8)),
            7,
            "medium",
            id="with sed",
        ),
        pytest.param(
            [
                fails(),
                edit("app.py", "nowhere", "x", "String to replace not found in file.", is_error=True),
                *rounds()[1:],
            ],
            [1, 3, 4, 5, 6, 7, 8],
            8,
            "medium",
            id="a refused edit first",
        ),
    ],
)
def test_fires(parts: list[Part], steps: list[int], detectable_at: int, severity: str) -> None:
    (found,) = findings(*parts, detector="blind-edits")
    assert (found.kind, found.steps, found.detectable_at, found.severity) == (
        "blind-edits",
        steps,
        detectable_at,
        severity,
    )


def test_names_the_file_of_the_trace_that_was_never_opened() -> None:
    (found,) = findings(*rounds(), detector="blind-edits")
    assert "oars.py" in found.title
    (found,) = findings(read("oars.py"), *rounds(), detector="blind-edits")
    assert "oars.py" not in found.title


def test_is_surer_when_the_agent_says_the_same_each_time() -> None:
    parts = [fails()]
    for number in (1, 2, 3):
        parts += [tries(number, said="The index must be off by one, so I'll fix the index."), fails()]
    (found,) = findings(*parts, detector="blind-edits")
    assert found.confidence == 0.9


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param(rounds(count=2), id="two guesses"),
        pytest.param(rounds(read("oars.py")), id="the trace's file is read"),
        pytest.param(rounds(read("app.py")), id="the edited file is read"),
        pytest.param(rounds(run("grep -n side oars.py", "31: return boat[side]")), id="a search"),
        pytest.param(rounds(run("python -c 'print(1)'", "1")), id="an experiment"),
        pytest.param(rounds(user("Try the next index.")), id="the user has a say"),
        pytest.param(
            [fails(), tries(1), fails(), edit("oars.py", "boat[side]", "boat.get(side)"), fails(), tries(2), fails()],
            id="another place",
        ),
        pytest.param(
            [fails(), *(part for n in (1, 2, 3) for part in (edit("app.py", f"a{n} = 1", f"a{n} = 2"), fails()))],
            id="other lines of the file",
        ),
        pytest.param(
            [
                fails(),
                *(
                    part
                    for n in (1, 2, 3)
                    for part in (
                        tries(n),
                        fails(ERROR.replace("bow", f"oar{n}s").replace("31", f"4{n}").replace("row", f"f{n}")),
                    )
                ),
            ],
            id="the failure changes",
        ),
        pytest.param(
            [
                fails(),
                *(
                    part
                    for n in (1, 2, 3)
                    for part in (tries(n, result="String to replace not found in file.", is_error=True), fails())
                ),
            ],
            id="refused edits",
        ),
        pytest.param(
            [
                fails(),
                tries(1),
                fails(),
                edit("app.py", "side = names[1]", "side = names[1]\nprint(side, names)"),
                fails(),
                tries(2),
                fails(),
            ],
            id="a print statement",
        ),
        pytest.param(
            [fails(), tries(1), run("python app.py", "ok"), fails(), tries(2), fails(), tries(3), fails()],
            id="it passed in between",
        ),
        pytest.param([fails() for _ in range(8)], id="no edits"),
        pytest.param([write("app.py", "x"), tries(1), tries(2), tries(3), fails()], id="no failure between the edits"),
    ],
)
def test_does_not_fire(parts: list[Part]) -> None:
    assert findings(*parts, detector="blind-edits") == []
