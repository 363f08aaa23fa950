"""Test files that were changed and that nothing executed, and those that something may have."""

from __future__ import annotations

import pytest

from tests.build import Part, call, edit, findings, run, says, user, write

CODE = edit("/w/src/tide.ts", "a = 1", "a = 2")
TESTS = edit("/w/tests/tide.test.ts", "});", "it('ebbs', ...);\n});")
NEW = write("/w/tests/ebb.test.ts", "it('ebbs', () => {});\n")
LINT = run("npx eslint tests/tide.test.ts", "")
TYPES = run("npx tsc --noEmit", "")
OTHERS = run("npx vitest run tests/knot.test.ts", "Tests  4 passed (4)")
DONE = says("I've added a test that covers the ebb. All done.")


def unrun(*parts: Part, task: str = "Mend the tide.") -> list[tuple[str, str]]:
    found = findings(user(task), *parts, detector="unrun-tests", environment={"working directory": "/w"})
    return [(str(one.severity), one.title) for one in found]


def title(step: int, path: str, check: str) -> str:
    return (
        f"The tests that step {step} changed were never run (`{path}`); the last check since, {check}, doesn't run them"
    )


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        pytest.param(
            [TESTS, LINT, DONE], title(1, "tests/tide.test.ts", "`eslint tests/tide.test.ts` (step 2)"), id="a linter"
        ),
        pytest.param([TESTS, TYPES, DONE], title(1, "tests/tide.test.ts", "`tsc` (step 2)"), id="a type check"),
        pytest.param(
            [write("/w/web/ebb.cy.ts", "it('ebbs', () => {});\n"), TYPES, DONE],
            title(1, "web/ebb.cy.ts", "`tsc` (step 2)"),
            id="in a browser",
        ),
        pytest.param(
            [NEW, OTHERS, DONE],
            title(1, "tests/ebb.test.ts", "`vitest run tests/knot.test.ts` (step 2)"),
            id="tests of others",
        ),
        pytest.param(
            [write("/w/tests/deep/ebb.test.ts", "x"), run("npx vitest run tests/unit", "4 passed"), DONE],
            title(1, "tests/deep/ebb.test.ts", "`vitest run tests/unit` (step 2)"),
            id="another folder",
        ),
        pytest.param(
            [CODE, TESTS, run("ls tests", "tide.test.ts"), run("git add -A", ""), LINT, DONE],
            title(2, "tests/tide.test.ts", "`eslint tests/tide.test.ts` (step 5)"),
            id="looks and records",
        ),
        pytest.param(
            [write("/w/tests/test_ebb.py", "def test_ebb():\n    assert ebb()\n"), run("mypy src", "Success"), DONE],
            title(1, "tests/test_ebb.py", "`mypy src` (step 2)"),
            id="another language",
        ),
        pytest.param(
            [write("/w/quay/ebb_test.go", "func TestEbb(t *testing.T) {}\n"), run("go vet ./...", ""), DONE],
            title(1, "quay/ebb_test.go", "`go vet ./...` (step 2)"),
            id="a compiler's own check",
        ),
        pytest.param(
            [TESTS, LINT, says("I added the test."), user("Thanks. Fix the linter."), CODE, LINT, says("Clean.")],
            title(1, "tests/tide.test.ts", "`eslint tests/tide.test.ts` (step 4)"),
            id="reported in a turn before",
        ),
    ],
)
def test_fires(parts: list[Part], words: str) -> None:
    assert unrun(*parts) == [("medium", words)]


def test_less_where_nothing_is_claimed() -> None:
    assert [severity for severity, _ in unrun(TESTS, LINT, says("The linter is content."))] == ["low"]


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([TESTS, LINT, run("npx vitest run tests/tide.test.ts", "4 passed"), DONE], id="it ran"),
        pytest.param([TESTS, LINT, run("npx vitest run tide", "4 passed"), DONE], id="by a part of its name"),
        pytest.param([write("/w/locales/ebb.cy.ts", "export default {};\n"), TYPES, DONE], id="Welsh"),
        pytest.param(
            [write("/w/web/ebb.cy.ts", "it('ebbs', () => {});\n"), TYPES, run("npx cypress run", "1 passing"), DONE],
            id="all that run in a browser",
        ),
        pytest.param([TESTS, LINT, run("npx vitest run tests/", "4 passed"), DONE], id="its folder"),
        pytest.param([TESTS, LINT, run("npm test", "4 passing"), DONE], id="all of them"),
        pytest.param([TESTS, LINT, run("pnpm --filter quay/web test", "4 passing"), DONE], id="of a package"),
        pytest.param(
            [write("/w/web/tests/ebb.test.ts", "x"), LINT, run("cd web && npx vitest run tests/", "4 passed"), DONE],
            id="its folder from another one",
        ),
        pytest.param([TESTS, LINT, run("npx vitest run tests/tide.test.ts", "1 failed", 1), DONE], id="it failed"),
        pytest.param([TESTS, LINT, run("make check", "ok"), DONE], id="a task"),
        pytest.param([TESTS, LINT, run("./ci.sh", "ok"), DONE], id="a script"),
        pytest.param([TESTS, LINT, call("run_checks", {}, "ok"), DONE], id="another tool"),
        pytest.param([TESTS, LINT, call("Task", {"prompt": "check it"}, "all pass"), DONE], id="another agent"),
        pytest.param(
            [TESTS, LINT, run("git commit -am x", "$ npm test\n4 passing\n[main 4f1c2aa] x\n 1 file changed"), DONE],
            id="a hook",
        ),
        pytest.param([TESTS, run("npx vitest run tide", "4 passed"), TESTS, LINT, DONE], id="before its last change"),
        pytest.param([TESTS, DONE], id="nothing ran at all"),
        pytest.param([CODE, LINT, DONE], id="no test was changed"),
        pytest.param([write("/w/tests/helpers.ts", "x"), LINT, DONE], id="a helper"),
        pytest.param([write("/w/tests/data/tide.json", "{}"), LINT, DONE], id="data"),
        pytest.param([NEW, run("rm tests/ebb.test.ts"), LINT, DONE], id="removed again"),
        pytest.param([TESTS, LINT, says("Done. I couldn't run the test here.")], id="it says so"),
        pytest.param([TESTS, LINT, says("Done. You can run it with `npx vitest`.")], id="left to the user"),
        pytest.param([TESTS, LINT, DONE, user("I ran it, the tests pass.")], id="the user ran it"),
        pytest.param([TESTS, LINT], id="no report"),
    ],
)
def test_stays_calm(parts: list[Part]) -> None:
    assert unrun(*parts) == []


def test_the_user_wants_none_run() -> None:
    assert unrun(TESTS, LINT, DONE, task="Add a test for the ebb, but don't run the tests.") == []


def test_where_nothing_ran_the_claim_says_so() -> None:
    (found,) = findings(
        user("Mend the tide."), CODE, NEW, DONE, detector="unverified-success", environment={"working directory": "/w"}
    )
    assert found.severity == "medium"
    assert found.title.endswith(
        "no check ran after the last change of code (step 2), and the tests that step 2 changed never ran"
    )
