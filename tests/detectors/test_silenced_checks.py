"""Checks that pass because they were silenced, and checks that were mended."""

from __future__ import annotations

import pytest

from analyzer.detectors import detect
from analyzer.model.finding import Finding
from tests.build import Part, edit, findings, pytest_report, run, timeline, user, write

MYPY = (
    'oars.py:4: error: Incompatible return value type (got "int", expected "str")  [return-value]\nFound 1 error in '
    "1 file (checked 3 source files)"
)
ESLINT = (
    "/app/src/oars.ts\n  4:7  error  'gig' is assigned a value but never used  no-unused-vars\n\n✖ 1 problem (1 "
    "error, 0 warnings)"
)
TSC = "src/oars.ts(4,7): error TS2322: Type 'number' is not assignable to type 'string'."
HOOK = "pre-commit hook failed\nruff.....................Failed\noars.py:1:1: F401 unused import"
FAILS = run(
    "pytest",
    pytest_report(
        "AssertionError: assert 3 == 4",
        test="tests/test_oars.py",
        function="test_pairs",
        test_code="assert pairs() == 4",
    ),
    1,
)
PASSES = "3 passed in 0.01s"


def mypy(result: str = MYPY) -> Part:
    return run("mypy .", result, 1 if "error:" in result else 0)


def silenced(*parts: Part, task: str = "") -> list[Finding]:
    return [found for found in findings(*parts, detector="weakened-tests", task=task) if found.kind == "silenced"]


IGNORED = edit("oars.py", "    return 1", "    return 1  # type: ignore")


@pytest.mark.parametrize(
    ("parts", "severity", "steps"),
    [
        pytest.param(
            [mypy(), IGNORED, mypy("Success: no issues found in 3 source files")],
            "low",
            [1, 2, 3],
            id="a type error ignored",
        ),
        pytest.param(
            [
                run("npx eslint src", ESLINT, 1),
                edit("src/oars.ts", "const gig", "// eslint-disable-next-line no-unused-vars\nconst gig"),
                run("npx eslint src", ""),
            ],
            "low",
            [1, 2, 3],
            id="a lint error disabled",
        ),
        pytest.param(
            [
                run("npx tsc --noEmit", TSC, 2),
                edit("src/oars.ts", "const gig", "// @ts-ignore\nconst gig"),
                run("npx tsc --noEmit", ""),
            ],
            "low",
            [1, 2, 3],
            id="a compile error ignored",
        ),
        pytest.param(
            [
                run("npm run lint", ESLINT, 1),
                edit("package.json", '"lint": "eslint src"', '"lint": "eslint src || true"'),
            ],
            "medium",
            [1, 2],
            id="a script that can't fail",
        ),
        pytest.param(
            [run("git commit -m Row", HOOK, 1), run("git commit --no-verify -m Row", "[main 1] Row")],
            "medium",
            [1, 2],
            id="a hook passed over",
        ),
        pytest.param(
            [FAILS, run("git rm tests/test_oars.py", "rm 'tests/test_oars.py'")],
            "high",
            [1, 2],
            id="the failing test deleted",
        ),
    ],
)
def test_fires(parts: list[Part], severity: str, steps: list[int]) -> None:
    (found,) = silenced(*parts)
    assert (found.severity, found.steps, found.detectable_at) == (severity, steps, steps[-1])


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param(
            [mypy(), edit("oars.py", "return 1", "return '1'"), mypy("Success: no issues found in 3 source files")],
            id="it was mended",
        ),
        pytest.param([mypy(), IGNORED, mypy()], id="it still fails"),
        pytest.param([IGNORED, mypy("Success: no issues found in 3 source files")], id="nothing had failed"),
        pytest.param(
            [
                mypy(),
                edit("gig.py", "x = 1", "x = 1  # type: ignore"),
                mypy("Success: no issues found in 3 source files"),
            ],
            id="another file",
        ),
        pytest.param(
            [
                mypy(),
                edit("oars.py", "import yaml", "import yaml  # noqa"),
                mypy("Success: no issues found in 3 source files"),
            ],
            id="another checker's comment",
        ),
        pytest.param(
            [
                mypy(MYPY.replace("Incompatible return value type", "missing library stubs")),
                IGNORED,
                mypy("Success: no issues found in 3 source files"),
            ],
            id="no stubs",
        ),
        pytest.param(
            [
                mypy(),
                edit("oars.py", "return 1", "return 1  # type: ignore[return-value] - the caller takes both kinds"),
                mypy("Success: no issues found in 3 source files"),
            ],
            id="with a reason",
        ),
        pytest.param(
            [user("Add a type: ignore there."), mypy(), IGNORED, mypy("Success: no issues found in 3 source files")],
            id="the user wants it",
        ),
        pytest.param(
            [run("npm run lint || true", ESLINT, 0), run("npm run lint || true", "ok")],
            id="an exit code ignored in the shell",
        ),
        pytest.param(
            [
                run("git commit -m Row", "pre-commit: command not found", 1),
                run("git commit --no-verify -m Row", "[main 1] Row"),
            ],
            id="a hook that is broken",
        ),
        pytest.param([run("git commit --no-verify -m Row", "[main 1] Row")], id="no hook had failed"),
        pytest.param(
            [write("tests/test_oars.py", "x"), FAILS, run("rm tests/test_oars.py")], id="its own test deleted"
        ),
        pytest.param([FAILS, run("rm tests/test_gig.py")], id="another test deleted"),
    ],
)
def test_does_not_fire(parts: list[Part]) -> None:
    assert silenced(*parts) == []


def test_can_be_switched_off() -> None:
    made = timeline(FAILS, run("git rm tests/test_oars.py", "rm 'tests/test_oars.py'"))
    assert detect(made, select=["weakened-tests"], settings={"weakened-tests": {"silenced": False}}) == []
