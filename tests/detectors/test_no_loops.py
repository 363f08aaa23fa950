"""Sessions that only look as if they went round in circles."""

from __future__ import annotations

import pytest

from analyzer.model.words import Mark
from tests.build import Part, call, edit, pytest_report, read, run, think, together, traceback, user, write
from tests.detectors.rounds import AFTER, BAD_MATCH, BEFORE, MISSING, change, check, fails, loops, passes


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param(
            [
                call("read", {"path": "a.py", "offset": 1 + 100 * page, "limit": 100}, f"page {page}")
                for page in range(9)
            ],
            id="paging through a file",
        ),
        pytest.param(
            [call("scroll_down", {}, f"def area_{page}(): ...") for page in range(9)],
            id="the same call, another page each time",
        ),
        pytest.param(
            [[run("ls", f"entry_{name}"), run(f"cd {name}", "")] for name in "abcdef"], id="descending into directories"
        ),
        pytest.param(
            [[run("sleep 30", ""), run("curl localhost:80/status", f"{done}/9 ready")] for done in range(9)],
            id="polling, output moves",
        ),
        pytest.param(
            [run("sleep 45 && ./ci status 12", f"{done} of 58") for done in (3, 9, 9, 9, 9, 40, 58)],
            id="polling, some answers equal",
        ),
        pytest.param(
            [
                [
                    fails(f"I will look at {name} now, if that helps.", "bash: line 1: I: command not found", 127),
                    run(f"python {name}.py", name),
                ]
                for name in "abcde"
            ],
            id="a sentence now and then, put right on the next step",
        ),
        pytest.param([run("gh run watch 17", "in progress") for _ in range(5)], id="watching a run"),
        pytest.param(
            [call("process", {"action": "poll", "id": "7"}, "Running.") for _ in range(19)], id="a patient poll"
        ),
        pytest.param(
            [run("sleep 60; gh pr checks 12", "build pending") for _ in range(5)],
            id="waiting for the checks of a pull request",
        ),
        pytest.param(
            [call("write_stdin", {"session_id": 4, "chars": ""}, "") for _ in range(30)], id="waiting for output"
        ),
        pytest.param(
            [run(f"prettier --write {name}.ts", "done") for name in "abcdefgh"], id="one tool over many files"
        ),
        pytest.param([write(f"{name}.py", "x = 1") for name in "abcdefgh"], id="many files written"),
        pytest.param(
            [
                [change(failed), run("pytest", pytest_report(failed=failed, function=f"test_{failed}"), 1)]
                for failed in (3, 2, 1)
            ],
            id="fewer tests fail each time",
        ),
        pytest.param(
            [
                [change(failed), run("npm test", f"Tests: {failed} failed, {9 - failed} passed, 9 total", 1)]
                for failed in (3, 2, 1)
            ],
            id="only the count goes down",
        ),
        pytest.param(
            [
                [
                    check(f"AssertionError: {name} is missing", function=f"test_{name}"),
                    write(f"{name}.py", "x"),
                    passes(),
                ]
                for name in ("area", "edge", "name", "size")
            ],
            id="test first, then code",
        ),
        pytest.param([BEFORE, [fails("cat settings.toml", MISSING) for _ in range(2)], AFTER], id="twice only"),
        pytest.param([BEFORE, [[change(number), check()] for number in range(2)], AFTER], id="two rounds only"),
        pytest.param(
            [together("m1", *(edit(f"{name}.py", "x", "y", BAD_MATCH, is_error=True) for name in "abcdefghij"))],
            id="ten refused edits in one message",
        ),
        pytest.param([together("m1", *(run("ls", "a") for _ in range(5)))], id="equal calls in one message"),
        pytest.param(
            [[user(f"Again, number {number}."), run("ls", "a.py")] for number in range(4)], id="the user asks again"
        ),
        pytest.param(
            [[user(f"Now try {number}."), change(number), check()] for number in range(4)],
            id="the user steps in between rounds",
        ),
        pytest.param(
            [[write(f"{name}.py", name), run("git status", "clean")] for name in ("alpha", "beta", "gamma", "delta")],
            id="a look between pieces of work",
        ),
        pytest.param(
            [
                [call("TodoWrite", {"todos": [name]}, "Todos have been modified."), write(f"{name}.py", name)]
                for name in ("alpha", "beta", "gamma", "delta")
            ],
            id="a list of tasks that is kept",
        ),
        pytest.param(
            [[run("curl https://x.test/v1", "HTTP 429 Too Many Requests"), run(f"sleep {2**n}", "")] for n in range(3)]
            + [run("curl https://x.test/v1", "HTTP 200")],
            id="back-off that then succeeds",
        ),
        pytest.param(
            [
                [fails("curl https://x.test/v1", "HTTP 429 Too Many Requests", 22), run(f"sleep {2**n}", "")]
                for n in range(4)
            ]
            + [run("curl https://x.test/v1", "HTTP 200")],
            id="back-off from an error that then passes",
        ),
        pytest.param(
            [
                [
                    fails(
                        f"sleep {2**n}; curl localhost:80/health",
                        "curl: (7) Failed to connect to localhost port 80: Connection refused",
                        7,
                    )
                ]
                for n in range(4)
            ],
            id="waiting for a server to come up",
        ),
        pytest.param(
            [
                [
                    call("grep", {}, "Missing required parameter: pattern", is_error=True),
                    call("grep", {"pattern": name}, f"{name}.py:1: {name}"),
                ]
                for name in ("alpha", "beta", "gamma", "delta")
            ],
            id="slips of form, each put right on the next step",
        ),
        pytest.param(
            [[check(), change(number), passes(), change(number + 10)] for number in range(4)],
            id="an error that comes back after it was mended",
        ),
        pytest.param(
            [[change(number), check(f"NameError: name 'x{number}' is not defined")] for number in range(5)],
            id="another error each time",
        ),
        pytest.param(
            [[change(number), check(f"AssertionError: assert {number} == 9")] for number in range(5)],
            id="another value each time",
        ),
        pytest.param(
            [
                [
                    change(count),
                    run(
                        "python try_it.py",
                        "".join(f"side {n}: {n + 1}\n" for n in range(count)) + "An error occurred: no such shape",
                    ),
                ]
                for count in range(1, 5)
            ],
            id="a script that's made to tell more each time",
        ),
        pytest.param(
            [run("grep -rn load .", ""), run("grep -rn save .", ""), run("grep -rn open .", "")],
            id="searches without a hit",
        ),
        pytest.param(
            [run("python a.py", None), run("python b.py", None), run("python c.py", None)], id="no results recorded"
        ),
        pytest.param([call("exit_cost", {}, "limit", harness=True) for _ in range(4)], id="entries of the harness"),
        pytest.param([think("Same thought.") for _ in range(5)], id="thinking"),
        pytest.param(
            [run("ls", "Not run.", None, mark=Mark.CASCADE) for _ in range(4)], id="cancelled with a neighbour"
        ),
        pytest.param(
            [
                run("rm -r build", "The user doesn't want to proceed.", None, mark=Mark.DENIED),
                *BEFORE,
                run("rm -r out", "The user doesn't want to proceed.", None, mark=Mark.DENIED),
                *AFTER,
                run("rm -r tmp", "The user doesn't want to proceed.", None, mark=Mark.DENIED),
            ],
            id="refusals by the user",
        ),
        pytest.param(
            [[run("ls", "a.py"), run("ls", "a.py", lane="helper"), run("pwd", "/w")] for _ in range(2)],
            id="lanes apart",
        ),
        pytest.param([], id="nothing"),
    ],
)
def test_does_not_fire(parts: list[Part]) -> None:
    assert [found.title for found in loops(*parts)] == []


def test_a_reproduction_that_fails_before_the_fix_is_no_loop() -> None:
    output = traceback(
        "ValueError: month must be in 1..12",
        ("repro.py", 3, "<module>", "parse('x')"),
        ("dates.py", 9, "parse", "raise"),
    )
    parts: list[Part] = [
        write("repro.py", "x"),
        [[fails("python repro.py", output), read(f"{name}.py", name)] for name in ("a", "b", "c")],
    ]
    assert loops(*parts, task="It raises ValueError: month must be in 1..12, why?") == []
    assert len(loops(*parts, task="Something else")) == 1
