"""What a check that passed proves."""

from __future__ import annotations

import pytest

from analyzer.timeline.verification.proof import Proof, proof_of, written_by
from tests.build import Part, call, edit, run, timeline, write
from tests.tables import table

SCRIPT = write("try_pier.py", "from pier import Pier\nprint(Pier(2))\n")
ASSERTS = write("try_pier.py", "from pier import Pier\nassert Pier(2).posts == 2\n")
COMPARES = write("try_pier.py", "print('✓ right' if Pier(2).posts == 2 else '✗ FAILED')\n")
OWN = write("tests/test_new.py", "def test_pier():\n    assert 1\n")
NO_TESTS = ("# tests 0\n# pass 0", "No tests executed!", "> Task :test NO-SOURCE", "4 skipped in 0.02s")


@pytest.mark.parametrize(
    ("parts", "task", "proof"),
    [
        pytest.param([run("pytest", "4 passed in 0.10s")], "", Proof.TESTED, id="tests passed"),
        pytest.param([run("pytest | tail -3", "4 passed in 0.10s")], "", Proof.TESTED, id="counted behind a filter"),
        pytest.param([run("./run_all", "4 passed in 0.10s")], "", Proof.TESTED, id="by what it printed"),
        pytest.param(
            [run("pnpm exec hoist", "\x1b[2m Tests \x1b[22m \x1b[32m4 passed\x1b[39m")],
            "",
            Proof.TESTED,
            id="in colours",
        ),
        pytest.param([call("run_tests", {}, "4 passed in 0.10s")], "", Proof.TESTED, id="a tool of its own"),
        pytest.param([run("pytest || true", "")], "", Proof.NOTHING, id="a masked exit"),
        pytest.param([run("go test ./... | tail -3", "")], "", Proof.NOTHING, id="the exit of a filter"),
        pytest.param([run("go test ./...", "? pier [no test files]")], "", Proof.NOTHING, id="no test files"),
        pytest.param([run("pytest -k pier", "no tests ran in 0.01s", None)], "", Proof.NOTHING, id="no tests"),
        *(pytest.param([run("make test", text)], "", Proof.NOTHING, id=text) for text in NO_TESTS),
        pytest.param([run("make test", "no test failed")], "", Proof.TESTED, id="no test failed"),
        pytest.param([run("pytest", "1 failed, 3 passed in 0.10s", 1)], "", Proof.NOTHING, id="it failed"),
        pytest.param([run("pytest", None)], "", Proof.NOTHING, id="no result"),
        pytest.param([run("pytest -q", "")], "", Proof.RAN, id="nothing printed"),
        pytest.param([run("mooring && tmux capture-pane -p", "4 passed in 0.1s")], "", Proof.NOTHING, id="a screen"),
        pytest.param([run("./moor_test", "0 runs, 0 assertions, 0 failures")], "", Proof.NOTHING, id="0 runs"),
        pytest.param([run("npx tsc --noEmit", "")], "", Proof.BUILT, id="a type check"),
        pytest.param(
            [run("npx tsc --noEmit", "")], "Fix the type errors.", Proof.TESTED, id="the type check asked for"
        ),
        pytest.param([run("npx eslint src", "")], "Fix the lint errors.", Proof.TESTED, id="the linter asked for"),
        pytest.param([run("cargo clippy", "")], "Fix the linting problems.", Proof.TESTED, id="another linter"),
        pytest.param([run("npm run build", "built")], "The build fails.", Proof.TESTED, id="the build asked for"),
        pytest.param([run("npm run build", "built")], "Fix the lint errors.", Proof.BUILT, id="a build is no linter"),
        pytest.param([run("cargo build", "Finished")], "Fix the linter.", Proof.BUILT, id="a compiler is no linter"),
        pytest.param([run("npx eslint src", "")], "Fix the build.", Proof.BUILT, id="a linter is no build"),
        pytest.param([run("ruff check .", "")], "Fix the type errors.", Proof.BUILT, id="a linter is no type check"),
        pytest.param(
            [run("npm run build", "built")], "Fix the lint and build errors.", Proof.TESTED, id="both asked for"
        ),
        pytest.param([run("python demo.py", "ok")], "Then run python demo.py.", Proof.TESTED, id="named by the user"),
        pytest.param([SCRIPT, run("python try_pier.py", "2")], "", Proof.RAN, id="a script that prints"),
        pytest.param([ASSERTS, run("python try_pier.py", "")], "", Proof.OWN, id="a script that asserts"),
        pytest.param([OWN, run("pytest tests/test_new.py", "1 passed in 0.1s")], "", Proof.OWN, id="its own tests"),
        pytest.param(
            [OWN, run("pytest tests/test_new.py", "1 passed in 0.1s")],
            "Add tests for the pier.",
            Proof.TESTED,
            id="the tests asked for",
        ),
        pytest.param(
            [OWN, run("pytest tests/test_new.py", "1 passed in 0.1s")],
            "Put the checks into tests/test_new.py.",
            Proof.TESTED,
            id="the test file that the task names",
        ),
        pytest.param(
            [COMPARES, run("python try_pier.py", "✓ right", None)],
            "",
            Proof.OWN,
            id="a script that compares and says so",
        ),
        pytest.param(
            [COMPARES, run("python try_pier.py", "posts: 2", None)], "", Proof.RAN, id="a comparison that said nothing"
        ),
        pytest.param(
            [run("pnpm build | tail -3", "✓ Compiled successfully in 3s")], "", Proof.BUILT, id="a build that says so"
        ),
        pytest.param([run("pnpm build | tail -3", "...")], "", Proof.NOTHING, id="a build whose exit is hidden"),
        pytest.param([OWN, run("pytest tests", "9 passed in 0.1s")], "", Proof.TESTED, id="its own among others"),
        pytest.param([run("cat log.txt", "4 passed in 0.10s")], "", Proof.NOTHING, id="a log that is shown"),
        pytest.param([edit("pier.py", "a", "b")], "", Proof.NOTHING, id="an edit"),
        pytest.param([run("hoist check", "0 issues.")], "", Proof.BUILT, id="a tool that counts what it found"),
        pytest.param([run("hoist check | tail -1", "0 issues.")], "", Proof.BUILT, id="a count behind a filter"),
        pytest.param(
            [run("hoist check", "0 issues.")], "hoist check throws issues.", Proof.TESTED, id="a count asked for"
        ),
        pytest.param([run("hoist dock", "docked")], "", Proof.NOTHING, id="a tool that counts nothing"),
        pytest.param([run("npm install", "found 0 vulnerabilities")], "", Proof.NOTHING, id="an installation"),
        pytest.param(
            [run("pnpm build", 'None of the selected packages has a "build" script')],
            "",
            Proof.NOTHING,
            id="nothing to build",
        ),
    ],
)
def test_proof(parts: list[Part], task: str, proof: Proof) -> None:
    actions = timeline(*parts).actions
    assert proof_of(actions[-1], written_by(actions), task) is proof


@table("a_test_that_may_fail_counts")
def test_a_test_that_may_fail_counts(content: str, printed: str) -> None:
    made = timeline(write("test_pier.py", content), run("python test_pier.py", printed)).actions
    assert proof_of(made[-1], written_by(made)) is Proof.OWN
