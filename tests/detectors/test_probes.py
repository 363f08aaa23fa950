"""Errors that the agent provokes with its own input and accepts are no loop; twins that look alike still are."""

from __future__ import annotations

import pytest

from analyzer.detectors import detect
from analyzer.detectors.episodes.shown import accepts
from tests.build import Part, edit, run, timeline, traceback, write

INPUT = write("bow.tide", "mast = 1\n")
REFUSED = 'bow.tide:1:0: C0104: Disallowed rope "bow" (disallowed-rope)\nFound 1 error.'
CHANGE = edit("berth/knots.py", "split(',')", "list(reader([rope]))[0]")


def lint(option: str, said: str = "") -> Part:
    return run(f"berth lint --knots={option} bow.tide", REFUSED, 1, said=said)


ROW = [
    lint("a{1}"),
    lint("b{2}", "It works! The rope is flagged, because it matches."),
    lint("c{3}", "The important thing is that it didn't crash."),
    lint("d{4}", "It works.\n\nWhat about four?"),
    lint("e{5}", "It works (five too)."),
]
REPEATED = [lint("a{1}", "It works." if number else "") for number in range(5)]
CRASHES = traceback("KeyError: 'bow'", ("berth/knots.py", 9, "split", "return ROPES[rope]"))


def found(*parts: Part) -> set[str]:
    kept = {"loops", "identical-error", "near-identical-error"}
    return {finding.detector for finding in detect(timeline(*parts)) if finding.detector in kept}


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([INPUT, CHANGE, *ROW], id="the call varies"),
        pytest.param(
            [
                INPUT,
                CHANGE,
                *(
                    part
                    for number in range(5)
                    for part in (
                        lint("a{1}"),
                        write("bow.tide", f"mast = {number}\n", said="It is flagged as expected."),
                    )
                ),
            ],
            id="its own input is varied as well",
        ),
        pytest.param(
            [
                CHANGE,
                *(
                    run(
                        f"python -c 'split({number})'",
                        traceback("ValueError: no rope", ("<string>", 1, "<module>", "")),
                        1,
                        said="It is refused as expected." if number else "",
                    )
                    for number in range(5)
                ),
            ],
            id="code in the call",
        ),
    ],
)
def test_probes_are_no_repetition(parts: list[Part]) -> None:
    assert found(*parts) == set()


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([INPUT, CHANGE, *(lint("a{1}") for _ in range(5))], id="nothing is accepted"),
        pytest.param([INPUT, CHANGE, *REPEATED], id="the very same call, with nothing in between"),
        pytest.param(
            [INPUT, CHANGE, *(lint("a{1}", "Still not working, I try again.") for _ in range(5))],
            id="it's not accepted",
        ),
        pytest.param(
            [INPUT, CHANGE, lint("a{1}"), lint("a{1}", "It works."), *(lint("a{1}", "Again.") for _ in range(4))],
            id="accepted once, then the same call again and again",
        ),
        pytest.param(
            [
                INPUT,
                *(
                    part
                    for number in range(5)
                    for part in (
                        lint("a{1}", "It works now." if number else ""),
                        edit("berth/knots.py", f"x = {number}", f"x = {number + 1}"),
                    )
                ),
            ],
            id="the project is edited in between",
        ),
        pytest.param(
            [
                INPUT,
                CHANGE,
                *(run("berth lint bow.tide", CRASHES, 1, said="It works." if number else "") for number in range(5)),
            ],
            id="the project's own code raises it",
        ),
        pytest.param(
            [
                CHANGE,
                *(run("berth lint pier.tide", REFUSED.replace("bow", "pier"), 1, said="It works.") for _ in range(5)),
            ],
            id="somebody else's file",
        ),
    ],
)
def test_what_only_looks_so(parts: list[Part]) -> None:
    assert found(*parts) != set()


@pytest.mark.parametrize(
    "said",
    [
        "It works!",
        "It seems to work. Now two ropes.",
        "It fails as expected (without quotes).",
        "That is exactly what I wanted.",
        "The linter correctly rejects it.",
        "As expected, it ends with an error.",
    ],
)
def test_words_that_accept(said: str) -> None:
    assert accepts(said)


@pytest.mark.parametrize(
    "said",
    [
        "",
        "It still fails.",
        "It does not work.",
        "Hmm, that isn't what I expected. It works elsewhere.",
        "Let me see why it fails. One. Two. It works on the pier.",
        "Now run the linter again.",
        "It works without the rope, oops.",
        "I expected another error.",
    ],
)
def test_words_that_do_not(said: str) -> None:
    assert not accepts(said)
