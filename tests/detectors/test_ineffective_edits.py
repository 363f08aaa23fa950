"""Edits that left the file as it was."""

from __future__ import annotations

import pytest

from analyzer.model.finding import Finding
from tests.build import Part, edit, findings, read, run, says, user

SHOWN = read("pier.py", "posts = 2\n# the deck\ndepth = 3\n")


def idle(*parts: Part) -> list[Finding]:
    return findings(*parts, detector="ineffective-edits")


@pytest.mark.parametrize(
    ("parts", "severity", "steps"),
    [
        pytest.param([SHOWN, run("sed -i '2s/depth/height/' pier.py")], "low", [2], id="another line"),
        pytest.param([SHOWN, run("sed -i 's/oars/sails/' pier.py")], "low", [2], id="a text that isn't there"),
        pytest.param(
            [SHOWN, run("sed -i '2s/depth/height/' pier.py"), run("sed -i '1s/depth/height/' pier.py")],
            "medium",
            [2, 3],
            id="twice",
        ),
        pytest.param([SHOWN, edit("pier.py", "depth = 3", "depth = 3")], "low", [2], id="the same text again"),
        pytest.param(
            [edit("pier.py", "depth = 3 ** 2  # hidden", "depth = 3 ** 2  # hidden")],
            "low",
            [1],
            id="the same text with a power and a plain word",
        ),
    ],
)
def test_fires(parts: list[Part], severity: str, steps: list[int]) -> None:
    (found,) = idle(*parts)
    assert (found.severity, found.steps) == (severity, steps)
    assert "`pier.py`" in found.title


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([SHOWN, run("sed -i '3s/depth/height/' pier.py")], id="it hit"),
        pytest.param([run("sed -i '3s/depth/height/' pier.py")], id="lines that nobody has seen"),
        pytest.param([edit("pier.py", "REDACTED", "REDACTED")], id="texts that a recorder blanked out"),
        pytest.param([edit("pier.py", "<redacted>", "<redacted>")], id="texts in brackets that are blanked out"),
        pytest.param([edit("pier.env", "KEY=*** # old", "KEY=*** # old")], id="texts with a part blanked out"),
        pytest.param([SHOWN, run("sed -i '2s/depth/height/' pier.py", "sed: no such file", 2)], id="it failed"),
        pytest.param([SHOWN, run("sed -n '2p' pier.py", "# the deck")], id="only shown"),
    ],
)
def test_does_not_fire(parts: list[Part]) -> None:
    assert idle(*parts) == []


SAME = "the text to replace and the one put in its place are the same"
NO_MATCH = "nothing matches where it looked"


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        pytest.param([SHOWN, edit("pier.py", "depth = 3", "depth = 3")], SAME, id="the same text again"),
        pytest.param([SHOWN, run("sed -i 's/depth/depth/' pier.py")], SAME, id="by a stream editor"),
        pytest.param([SHOWN, run("sed -i 's/oars/sails/' pier.py")], NO_MATCH, id="a text that isn't there"),
        pytest.param([SHOWN, run("sed -i '2s/depth/height/' pier.py")], NO_MATCH, id="there, on another line"),
        pytest.param(
            [SHOWN, edit("pier.py", "depth = 3", "depth = 3"), run("sed -i 's/oars/sails/' pier.py")],
            f"in 1 of them {SAME}, and for the others nothing matches where they looked",
            id="both",
        ),
    ],
)
def test_the_title_says_why_nothing_changed(parts: list[Part], reason: str) -> None:
    (found,) = idle(*parts)
    assert found.title.endswith(f"): {reason}")
    assert ("prints nothing" in " ".join(found.advice)) is (reason != SAME)


def test_many_steps_are_named_by_the_first_and_the_last() -> None:
    (found,) = idle(SHOWN, *(edit("pier.py", "depth = 3", "depth = 3") for _ in range(25)))
    assert found.title.startswith("25 edits of `pier.py` changed nothing (between steps 2 and 26)")
    assert found.steps == list(range(2, 27))


SHOWS = "posts: 2, deck: 3"
PRINTS = run("python pier.py", SHOWS)
EDITS = edit("pier.py", "posts = 2", "posts = 4")
UNCHANGED = [
    pytest.param([PRINTS, EDITS, PRINTS, says("The output is still the same.")], [1, 2, 3], id="the-agent-says-so"),
    pytest.param([PRINTS, EDITS, PRINTS, run("ls", said="That didn't work.")], [1, 2, 3], id="before-a-call"),
    pytest.param([PRINTS, EDITS, PRINTS, user("That didn't change anything.")], [1, 2, 3], id="the-user-says-so"),
    pytest.param(
        [
            PRINTS,
            EDITS,
            edit("pier.py", "deck = 3", "deck = 5"),
            PRINTS,
            says("No change. On to the imports."),
        ],
        [1, 2, 3, 4],
        id="two-edits",
    ),
    pytest.param([PRINTS, EDITS, run('python "pier.py"', SHOWS), says("Still 2.")], [1, 2, 3], id="quoted"),
    pytest.param(
        [run("./render", SHOWS), EDITS, run("./render", SHOWS), says("The number of posts is still wrong.")],
        [1, 2, 3],
        id="the-words-are-about-what-is-printed",
    ),
    pytest.param(
        [
            PRINTS,
            run("python -u pier.py", SHOWS),
            EDITS,
            PRINTS,
            run("python -u pier.py", SHOWS, said="No change."),
            says("No change."),
        ],
        [1, 3, 4],
        id="two-commands",
    ),
    pytest.param(
        [
            user("It prints\nError: no berth for ship 14 at pier 3\nPlease fix it."),
            EDITS,
            says("Fixed."),
            user("Still the same:\nError: no berth for ship 14 at pier 3"),
        ],
        [1],
        id="the-user-gives-it-again",
    ),
]


@pytest.mark.parametrize(("parts", "steps"), UNCHANGED)
def test_output_that_an_edit_did_not_change(parts: list[Part], steps: list[int]) -> None:
    (found,) = idle(*parts)
    assert (found.kind, found.steps) == ("same-output", steps)
    assert "of `pier.py`" in found.title


OTHER = run("python pier.py", "posts: 4, deck: 3")
REFUSED = edit("pier.py", "a", "b", "no match", is_error=True)
NOT_THE_SAME = [
    pytest.param([PRINTS, EDITS, OTHER, says("Still wrong.")], id="another-output"),
    pytest.param([PRINTS, EDITS, PRINTS, says("Good, the output is still the same.")], id="as-wanted"),
    pytest.param([PRINTS, EDITS, PRINTS, says("Now the documentation.")], id="nobody-minds"),
    pytest.param([PRINTS, EDITS, PRINTS, says("The tests still pass.")], id="what-still-works"),
    pytest.param([PRINTS, EDITS, PRINTS, says("Two files are still to be edited.")], id="what-is-left-to-do"),
    pytest.param([PRINTS, EDITS, PRINTS, says("No change yet, the build is running.")], id="waiting"),
    pytest.param([PRINTS, PRINTS, says("Still the same.")], id="no-edit-between"),
    pytest.param([PRINTS, REFUSED, PRINTS, says("No change.")], id="refused"),
    pytest.param([PRINTS, EDITS, run("python quay.py", SHOWS), says("Still 2.")], id="another-command"),
    pytest.param([run("make", "ok"), EDITS, run("make", "ok"), says("It still doesn't work.")], id="says-too-little"),
    pytest.param([EDITS, PRINTS, says("Still the same.")], id="no-output-before"),
    pytest.param(
        [run("crane", SHOWS), EDITS, run("crane", SHOWS), says("The harbour still isn't drawn.")],
        id="a-command-that-has-nothing-to-do-with-it",
    ),
    pytest.param(
        [run("pier --help", SHOWS), EDITS, run("pier --help", SHOWS), says("The posts are still wrong.")],
        id="how-a-program-describes-itself",
    ),
    pytest.param(
        [PRINTS, EDITS, PRINTS, says("Verified with the page: it still shows the posts and no deck.")],
        id="what-is-there-and-what-is-not",
    ),
    pytest.param(
        [
            user("It prints\nError: no berth for ship 14 at pier 3\nPlease fix it."),
            EDITS,
            user("Still not right:\nError: no berth for ship 15 at pier 9"),
        ],
        id="the-user-gives-another",
    ),
    pytest.param(
        [
            user("It prints\nError: no berth for ship 14 at pier 3\nWhat is that?"),
            read("pier.py", "posts = 2"),
            user("It still says\nError: no berth for ship 14 at pier 3"),
        ],
        id="the-user-gives-it-again-without-an-edit",
    ),
]


@pytest.mark.parametrize("parts", NOT_THE_SAME)
def test_output_that_says_nothing_against_an_edit(parts: list[Part]) -> None:
    assert idle(*parts) == []
