"""Errors that the user brings about what the agent had called no problem, and those that say nothing of it."""

from __future__ import annotations

import pytest

from tests.build import Part, edit, findings, read, says, user

LOOK = read("/w/src/tide.ts")
ESLINT = user("/home/ci/src/tide.ts\nError:   12:9  error  '_' is assigned a value but never used  no-unused-vars")


def contradicted(*parts: Part) -> list[tuple[str, list[str]]]:
    found = findings(user("Mend the tide."), *parts, detector="user-correction")
    return [(str(one.severity), [entry.quote for entry in one.evidence]) for one in found if one.kind == "contradicted"]


@pytest.mark.parametrize(
    ("said", "error"),
    [
        ("That's fine: the tests don't enforce the rule no-unused-vars.", ESLINT.text),
        ("The name `spare` is fine here.", "src/tide.ts:4:7: error: 'spare' is declared but never read"),
        ("`low` won't cause a problem.", "NameError: name 'low' is not defined"),
        ("E501 isn't checked here.", "tide.py:9:80: E501 line too long (93 > 79 characters)"),
        ("`ebb` is not an issue for the compiler.", "error[E0425]: cannot find value `ebb` in this scope"),
        ("`tide.ts` has no type errors.", "src/tide.ts:4:7 - error TS2304: Cannot find name 'Knot'."),
        (
            "There is no need to change `Knot`.",
            "FAILED tests/test_knot.py::test_ply - TypeError: 'Knot' is not callable",
        ),
        ("`_` is the conventional name, and unused ones are fine.", ESLINT.text),
    ],
)
def test_fires(said: str, error: str) -> None:
    (found,) = contradicted(LOOK, says(said), user(error))
    severity, (quote, line) = found
    assert (severity, quote) == ("medium", said)
    assert line in " ".join(error.split())


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([LOOK, says("The fix is in."), ESLINT], id="no word of it"),
        pytest.param(
            [LOOK, says("Let me check whether `spare` is fine."), user("error: 'spare' is unused")], id="open"
        ),
        pytest.param([LOOK, says("Is `spare` fine with you?"), user("error: 'spare' is unused")], id="a question"),
        pytest.param([LOOK, says("`spare` is a problem."), user("error: 'spare' is unused")], id="a warning"),
        pytest.param([LOOK, says("`knot` is fine."), user("error: 'spare' is unused")], id="another name"),
        pytest.param([LOOK, says("`_` is fine."), user("error: '_' is unused")], id="a name that says little"),
        pytest.param([LOOK, says("`spare` is fine."), user("Is `spare` used at all?")], id="no error"),
        pytest.param([LOOK, says("`spare` is fine."), user("Please name it 'spare'.")], id="a wish"),
        pytest.param(
            [LOOK, says("`spare` is fine."), edit("/w/src/tide.ts", "a", "b"), user("src/tide.ts:4:7: error: 'spare'")],
            id="the file was edited since",
        ),
        pytest.param([says("`spare` is fine."), user("error: 'spare' is unused")], id="before it had looked"),
        pytest.param([LOOK, says("`tide.ts` is fine as a name."), user("src/tide.ts:4:7: error: x")], id="of a name"),
    ],
)
def test_stays_calm(parts: list[Part]) -> None:
    assert contradicted(*parts) == []


def test_what_it_says() -> None:
    found = findings(
        user("Mend the tide."),
        LOOK,
        says("The name `spare` is fine here."),
        user("src/tide.ts:4:7: error: 'spare' is unused"),
        detector="user-correction",
    )
    assert [one.title for one in found] == [
        "The user comes back with an error about `spare`, of which the agent had said after step 1 that it's no "
        "problem: “src/tide.ts:4:7: error: 'spare' is unused”"
    ]
