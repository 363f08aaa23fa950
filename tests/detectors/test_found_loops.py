"""Sessions that go round in circles: which steps of them are a loop, of which kind, and how often they go round."""

from __future__ import annotations

from typing import Any

import pytest

from tests.build import Part, call, edit, read, run, says, submit, think, together, traceback, user
from tests.detectors.rounds import (
    AFTER,
    BAD_MATCH,
    BEFORE,
    MISSING,
    REFUSED,
    change,
    check,
    fails,
    loops,
    passes,
    shown,
)


@pytest.mark.parametrize(
    ("parts", "expected", "group"),
    [
        pytest.param(
            [BEFORE, [fails("cat settings.toml", MISSING) for _ in range(4)]],
            ("repeated-call", 3, 6, 4, 1, 5, False),
            "F1",
            id="the same failing call",
        ),
        pytest.param(
            [BEFORE, [run("ls", "a.py b.py") for _ in range(3)], AFTER],
            ("repeated-call", 3, 5, 3, 1, 5, True),
            None,
            id="a harmless call with an equal result",
        ),
        pytest.param(
            [[run("make", f"built in {number}.{number}s", 0) for number in range(3, 7)]],
            ("repeated-call", 1, 4, 4, 1, 3, False),
            None,
            id="a result that differs in what varies by itself",
        ),
        pytest.param(
            [BEFORE, [[change(number), check()] for number in range(5)]],
            ("alternating", 3, 12, 5, 2, 8, False),
            "F1",
            id="edit and test, every edit different and every error equal",
        ),
        pytest.param(
            [BEFORE, [[edit("shapes.py", "a", "b"), check()] for _ in range(3)]],
            ("alternating", 3, 8, 3, 2, 8, False),
            "F1",
            id="edit and test, edits equal as well",
        ),
        pytest.param(
            [check(), [[change(number), check()] for number in range(3)]],
            ("alternating", 1, 7, 4, 2, 5, False),
            "F1",
            id="a failing test first, then edit and test",
        ),
        pytest.param(
            [BEFORE, [[read("a.py", "one"), run("ls", "a.py"), run("pwd", "/w")] for _ in range(3)], AFTER],
            ("cycle", 3, 11, 3, 3, 10, True),
            None,
            id="a cycle of three calls",
        ),
        pytest.param(
            [
                BEFORE,
                [
                    [
                        run("python a.py", traceback("KeyError: 'x'", ("a.py", 3, "load", "d['x']")), 1),
                        read("a.py", "one"),
                        run("ls", "a.py"),
                    ]
                    for _ in range(3)
                ],
                AFTER,
            ],
            ("cycle", 3, 11, 3, 3, 9, True),
            "F1",
            id="a cycle of three calls that starts with a failing one",
        ),
        pytest.param(
            [
                *(check(), read("a.py", "1")),
                *(check(), read("b.py", "2"), run("git log", "3"), change(1)),
                *(
                    check(),
                    change(2),
                    change(3),
                    read("c.py", "4"),
                    run("git diff", "5"),
                    read("d.py", "6"),
                    run("ls", "7"),
                    read("e.py", "8"),
                    read("f.py", "9"),
                    read("g.py", "10"),
                ),
                check(),
            ],
            ("repeated-call", 1, 17, 4, None, 7, False),
            "F1",
            id="the same failing call comes back, with other things in between",
        ),
        pytest.param(
            [
                BEFORE,
                [
                    edit("a.py", f"old {word}", "new", BAD_MATCH, is_error=True)
                    for word in ("text", "words", "line", "body")
                ],
            ],
            ("repeated-error", 3, 6, 4, 1, 5, False),
            "F1",
            id="a refused edit with variations",
        ),
        pytest.param(
            [
                [
                    [
                        call("edit", {"path": "a.py", "start": 3, "end": 4, "text": f"x = {number}"}, REFUSED),
                        read("a.py", "text"),
                    ]
                    for number in range(3)
                ]
            ],
            ("alternating", 1, 5, 3, 2, 5, False),
            "F1",
            id="a refused edit and a look at the file",
        ),
        pytest.param(
            [
                [
                    [
                        change(number),
                        check(
                            f"ValueError: bad token at line {20 + number}", raised=("shapes.py", 40 + number, "raise")
                        ),
                    ]
                    for number in range(3)
                ]
            ],
            ("alternating", 1, 6, 3, 2, 6, False),
            "F1",
            id="an error whose line numbers move",
        ),
        pytest.param(
            [[change(number), check()] for number in range(3)] + AFTER,
            ("alternating", 1, 6, 3, 2, 6, True),
            "F1",
            id="a loop that the agent left",
        ),
        pytest.param(
            [[[think(f"idea {number}"), change(number), think("and?"), check()] for number in range(3)]],
            ("alternating", 2, 12, 3, 2, 12, False),
            "F1",
            id="notes in between",
        ),
        pytest.param(
            [[[says(f"Try {number}"), call("settle", {"x": 1}, "Accepted.")] for number in range(3)]],
            ("repeated-call", 1, 3, 3, 1, 3, False),
            None,
            id="a call that succeeds and changes nothing",
        ),
        pytest.param(
            [[edit("a.py", "x", "x = 1", "Edited.") for _ in range(3)]],
            ("repeated-call", 1, 3, 3, 1, 3, False),
            None,
            id="an edit that succeeds again and again",
        ),
        pytest.param(
            [[run(f"python -m tool{letter}", "bash: python: command not found", 127) for letter in "abcd"]],
            ("repeated-error", 1, 4, 4, 1, 3, False),
            "F1",
            id="other calls, the same missing program",
        ),
        pytest.param(
            [[fails("cat settings.toml", MISSING) for _ in range(3)], submit("Done.")],
            ("repeated-call", 1, 3, 3, 1, 3, False),
            "F1",
            id="handing in the work is no way out",
        ),
        pytest.param(
            [[together(f"m{number}", run("ls", "a"), run("pwd", "/w")) for number in range(3)]],
            ("alternating", 1, 6, 3, 2, 5, False),
            None,
            id="the same pair of parallel calls again and again",
        ),
        pytest.param(
            [call("process", {"action": "poll", "id": "7"}, "Still running.") for _ in range(20)],
            ("repeated-call", 1, 20, 20, 1, 20, False),
            None,
            id="a poll that is answered the same twenty times",
        ),
        pytest.param(
            [check(), [call("wait", {"seconds": 5}, ""), check()] * 3],
            ("alternating", 1, 7, 4, 2, 5, False),
            "F1",
            id="waiting for a failing test to pass",
        ),
        pytest.param(
            [
                [
                    [fails("curl https://x.test/v1", "HTTP 429 Too Many Requests", 22), run("sleep 1", "")]
                    for _ in range(6)
                ]
            ],
            ("alternating", 1, 12, 6, 2, 11, False),
            "F1",
            id="waiting for what never passes",
        ),
        pytest.param(
            [
                [call("grep", {}, "Missing required parameter: pattern", is_error=True), read(f"{name}.py", name)]
                for name in "abc"
            ],
            ("alternating", 1, 5, 3, 2, 5, False),
            "F1",
            id="a malformed call that is never put right",
        ),
        pytest.param(
            [
                [
                    [change(number), run("python try_it.py", "starting\nAn error occurred: no such shape: round")]
                    for number in range(3)
                ]
            ],
            ("alternating", 1, 6, 3, 2, 6, False),
            "F1",
            id="a script that prints the error it caught",
        ),
        pytest.param(
            [
                fails(
                    f"{opening} you can look at it now.", f"bash: line 1: {opening.split()[0]}: command not found", 127
                )
                for opening in (
                    "The areas are done, and",
                    "I have measured all sides;",
                    "Great! All shapes are there, so",
                )
            ],
            ("repeated-error", 1, 3, 3, 1, 3, False),
            "F1",
            id="sentences that are sent to the shell",
        ),
        pytest.param(
            [
                [
                    fails("The areas are done, as it seems.", "bash: line 1: The: command not found", 127),
                    run(f"python {name}.py", name),
                ]
                for name in "abc"
            ],
            ("alternating", 1, 5, 3, 2, 5, False),
            "F1",
            id="the same sentence between commands",
        ),
        pytest.param(
            [run("gh pr view 12 --json title", '{"title": "Areas"}') for _ in range(3)],
            ("repeated-call", 1, 3, 3, 1, 3, False),
            None,
            id="a pull request that is looked at again and again",
        ),
        pytest.param(
            [user("Fix it."), [[change(number), check()] for number in range(4)], user("Stop.")],
            ("alternating", 1, 8, 4, 2, 6, False),
            "F1",
            id="the user speaks before and after",
        ),
    ],
)
def test_fires(parts: list[Part], expected: tuple[Any, ...], group: str | None) -> None:
    (found,) = loops(*parts)
    assert shown(found) == expected
    assert found.group == group


def test_two_loops_are_two_findings() -> None:
    found = loops(
        [fails("cat settings.toml", MISSING) for _ in range(3)], BEFORE, [[change(n), check()] for n in range(3)]
    )
    assert sorted(shown(entry)[:4] for entry in found) == [("alternating", 6, 11, 3), ("repeated-call", 1, 3, 3)]


def test_an_error_that_was_fixed_in_between_starts_again() -> None:
    rounds = [[change(n), check()] for n in range(3)]
    found = loops(rounds, [change(8), passes()], rounds)
    assert sorted((entry.first_step, entry.last_step, entry.escaped) for entry in found) == [
        (1, 6, True),
        (9, 14, False),
    ]


def test_loops_of_lanes_are_apart() -> None:
    found = loops([[run("ls", "a.py"), run("pwd", "/w", lane="helper")] for _ in range(3)])
    assert sorted((entry.lane, entry.first_step, entry.last_step) for entry in found) == [
        ("helper", 1, 3),
        ("main", 1, 3),
    ]


def test_a_cycle_whose_rounds_make_other_calls_is_named_by_its_error() -> None:
    output = traceback("KeyError: 'x'", ("a.py", 3, "load", "d['x']"))
    (found,) = loops(
        [[read(f"{name}.py", name), run(f"ls {name}", name), fails("python a.py", output)] for name in "bcde"]
    )
    assert found.title == "The same error 4 times, every 3 steps (steps 1-12)"
    (found,) = loops([[read("b.py", "b"), run("ls", "b"), fails("python a.py", output)] for _ in range(4)])
    assert found.title == "The same 3 steps 4 times with the same error (steps 1-12)"


def test_steps_of_a_cycle_with_one_failing_call_are_those_that_fail() -> None:
    output = traceback("KeyError: 'x'", ("a.py", 3, "load", "d['x']"))
    (found,) = loops([[fails("python a.py", output), read("a.py", "one"), run("ls", "a.py")] for _ in range(4)])
    assert found.steps == [1, 4, 7, 10]
    assert found.repeated == "KeyError: 'x'"


def test_rounds_that_differ_by_a_step_are_said_to_be_nearly_the_same() -> None:
    rounds = [
        [run("make status", "3 open"), read("a.py", "one"), read("b.py", "two"), *extra, run("git status", "clean")]
        for extra in ([], [run("ls d1", "x")], [], [run("ls d3", "x")], [])
    ]
    (found,) = loops(rounds)
    assert found.title == ("Nearly the same steps 5 times, with the same result at the end of each round (steps 1-22)")
