"""What brought a cause in: cases that must be said, each with the look-alike of which nothing, or less, is known."""

from __future__ import annotations

import pytest

from analyzer.diagnosis.provenance import Provenances
from analyzer.model.diagnosis import Provenance, ProvenanceKind
from tests.build import Part, call, edit, read, run, timeline, traceback, write

SOURCE = "def depth(at):\n    return LOW[at]\n"


def of_last(*parts: Part, task: str = "Fix it.") -> Provenance | None:
    made = timeline(*parts, task=task)
    return Provenances(made).of(made.groups[-1])


def reason(*parts: Part, task: str = "Fix it.") -> str:
    found = of_last(*parts, task=task)
    return "" if found is None else f"{found.kind}: {found.reason}"


def test_what_a_type_checker_rejects_parses() -> None:
    said = reason(
        edit("/w/src/tide.ts", "a", "const low = tide.low as number;"),
        run("npx tsc", "src/tide.ts(4,13): error TS18048: 'tide' is possibly 'undefined'.\n", 2),
        edit("/w/src/tide.ts", "const low = tide.low as number;", "b"),
    )
    assert "doesn't parse" not in said


BUILD, CALL = "npx tsc", "const low = tide.low(3);"
FITS_NOT = run(BUILD, "src/tide.ts(4,13): error TS2554: Expected 2 arguments, but got 1.\n", 2)
USES = edit("/w/src/tide.ts", "const low = 0;", CALL)
CHANGES = edit("/w/src/moon.ts", "low(at)", "low(at, unit)")
SHOWN = read("/w/src/tide.ts", "a\nb\nc\nconst low = 0;\n")
COMPILED = [
    pytest.param([USES, FITS_NOT], "step 2", id="the-line-is-new"),
    pytest.param([USES, run(BUILD, ""), CHANGES, FITS_NOT], "Step 4 changed `moon.ts`", id="what-it-uses-was-changed"),
    pytest.param([USES, CHANGES, FITS_NOT], "step 2", id="never-compiled-in-between"),
]


@pytest.mark.parametrize(("parts", "said"), COMPILED)
def test_what_a_compiler_rejects_may_be_wrong_elsewhere(parts: list[Part], said: str) -> None:
    assert said in reason(SHOWN, *parts)


def test_a_name_of_the_other_module_system_is_not_a_missing_import() -> None:
    trace = (
        "file:///w/test-tide.js:2\nconst { low } = require('./low');\n                ^\n\n"
        "ReferenceError: require is not defined in ES module scope, you can use import instead\n"
        "    at file:///w/test-tide.js:2:17\n    at ModuleJob.run (node:internal/modules/esm/module_job:195:25)\n"
    )
    assert "neither defines nor imports" not in reason(run("node test-tide.js", trace, 1))


def missing(name: str) -> str:
    return traceback(f"ModuleNotFoundError: No module named '{name}'", ("/w/conf.py", 1, "<module>", f"import {name}"))


def test_a_missing_part_of_a_module_does_not_say_that_all_of_it_is_missing() -> None:
    assert "`tides.backends`" in reason(run("python conf.py", missing("tides.backends"), 1))


def test_an_installation_that_did_not_help_is_told_as_what_it_is() -> None:
    said = reason(
        run("pip install tides", "Successfully installed tides-1"), run("python conf.py", missing("tides"), 1)
    )
    assert said == (
        "environment: The module `tides` isn't there: step 1, which installs it, shows no failure, but the run doesn't "
        "find it"
    )


def test_a_module_of_the_runtime_is_not_called_uninstalled() -> None:
    trace = (
        "Error: Cannot find module 'node:path'\nRequire stack:\n- /w/a.js\n    at Function._load (node:internal:1:1)\n"
    )
    assert reason(run("node a.js", trace, 1)) == ""


PARAMETERS = [
    pytest.param({"path": "a.py", "view_range": [1, 9]}, "Invalid `view_range` parameter: [1, 9].", "", id="a-name"),
    pytest.param(
        {"path": "a.py", "mode": "whole"},
        "Invalid `mode` parameter: 'whole'. It should be raw or text.",
        "whole",
        id="a-value",
    ),
]


@pytest.mark.parametrize(("arguments", "answer", "invented"), PARAMETERS)
def test_the_name_of_a_parameter_is_not_made_up(arguments: dict[str, object], answer: str, invented: str) -> None:
    found = of_last(call("open_file", arguments, f"ERROR: {answer}", is_error=True))
    quote = found.quote if found is not None and found.kind is ProvenanceKind.INVENTED else ""
    assert quote == invented


def fails(script: str) -> str:
    return traceback(
        "KeyError: 'low'", (script, 3, "<module>", "depth('low')"), ("/w/tide.py", 2, "depth", "return LOW[at]")
    )


BASELINES = [
    pytest.param([run("python main.py", fails("/w/main.py"), 1)], True, id="the-project-alone"),
    pytest.param(
        [write("/w/scratch.py", "depth('low')\n"), run("python scratch.py", fails("/w/scratch.py"), 1)],
        False,
        id="a-script-that-the-agent-wrote",
    ),
]


@pytest.mark.parametrize(("parts", "baseline"), BASELINES)
def test_a_script_of_the_agents_own_was_not_there_before(parts: list[Part], baseline: bool) -> None:
    found = of_last(read("/w/tide.py", SOURCE), *parts, edit("/w/tide.py", "LOW[at]", "LOW.get(at)"))
    assert (found is not None and found.kind is ProvenanceKind.BASELINE) == baseline
