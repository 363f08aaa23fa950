"""What brought a cause in: cases that must be said, each with the look-alike of which nothing, or less, is known."""

from __future__ import annotations

import pytest

from analyzer.diagnosis.provenance import provenance_of
from analyzer.model.provenance import Provenance, ProvenanceKind
from tests.build import Part, call, edit, read, run, timeline, traceback, write

SOURCE = "def depth(at):\n    return LOW[at]\n"


def of_last(*parts: Part, task: str = "Fix it.") -> Provenance | None:
    made = timeline(*parts, task=task)
    return provenance_of(made, made.groups[-1])


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


STOPS = run("python tide.py", '  File "/w/tide.py", line 9\n    high = 4\n    ^\nSyntaxError: invalid syntax\n', 1)
OPENS = edit("/w/tide.py", "low = at(3)", "low = at(3,")
OTHERWISE = edit("/w/tide.py", "sea = 1", "sea = 2")
DAMAGED = [
    pytest.param([OPENS], "Since step 1 changed `/w/tide.py`, it doesn't parse; the parser stops at line 9", id="one"),
    pytest.param([OPENS, OTHERWISE], "Since step 1 changed", id="one-of-two-leaves-a-bracket-open"),
    pytest.param([OTHERWISE, run("python tide.py", "2"), OPENS], "Since step 3 changed", id="worked-in-between"),
    pytest.param([OTHERWISE, edit("/w/tide.py", "moon = 1", "moon = 2")], "", id="any-of-two"),
    pytest.param([run("ls", "")], "", id="none"),
]


@pytest.mark.parametrize(("parts", "said"), DAMAGED)
def test_since_when_a_file_does_not_parse(parts: list[Part], said: str) -> None:
    found = reason(*parts, STOPS)
    assert said in found
    assert bool(said) == ("doesn't parse" in found)


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


@pytest.mark.parametrize(
    ("before", "said"),
    [
        pytest.param(
            [run("source /srv/install-gauge.sh && echo done", "error: externally managed\ndone")],
            "The program `gauge` isn't there: step 1 ran `/srv/install-gauge.sh`, whose output says `error: externally "
            "managed`",
            id="a script that shows an error",
        ),
        pytest.param(
            [run("bash setup.sh", "all set")], "nothing before this step shows its installation", id="a silent script"
        ),
        pytest.param(
            [run("cat setup.cfg", "error: none")], "nothing before this step shows its installation", id="a file"
        ),
    ],
)
def test_a_program_that_a_script_was_to_install(before: list[Part], said: str) -> None:
    found = reason(*before, run("gauge --low", "bash: gauge: command not found", 127))
    assert said in found


CONFIGURED = [
    pytest.param('build-backend = "tides.backends"', [], True, id="named-by-the-agent-first"),
    pytest.param(
        'build-backend = "tides.backends"', [run("cat old.toml", '"tides.backends"')], False, id="shown-before"
    ),
    pytest.param('build-backend = "tides"', [], False, id="not-named"),
]


@pytest.mark.parametrize(("line", "before", "invented"), CONFIGURED)
def test_a_part_of_a_module_that_the_agent_made_up(line: str, before: list[Part], invented: bool) -> None:
    said = reason(*before, write("/w/pyproject.toml", line), run("python conf.py", missing("tides.backends"), 1))
    assert said.startswith("invented: ") == invented


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


REMOVED = [
    pytest.param([run("rm /w/low.csv", "")], "own-edit: Step 2 removed or moved `/w/low.csv`", id="removed"),
    pytest.param([run("mv /w/low.csv /w/high.csv", "")], "own-edit: Step 2 removed or moved `/w/low.csv`", id="moved"),
    pytest.param([run("rm /w/other.csv", "")], "", id="another-one-removed"),
    pytest.param([run("rm /w/low.csv", ""), write("/w/low.csv", "2\n")], "", id="removed-and-written-again"),
    pytest.param([], "", id="nothing-removed"),
]


@pytest.mark.parametrize(("parts", "said"), REMOVED)
def test_a_file_that_the_agent_took_away(parts: list[Part], said: str) -> None:
    first = read("/w/low.csv", "1\n2\n")
    assert reason(first, *parts, run("cat /w/low.csv", "cat: /w/low.csv: No such file or directory", 1)) == said


def call_without(*names: str) -> Part:
    arguments = {"path": "/w/a.py", "old": "a", "new": "b"}
    return call(
        "replace",
        {name: value for name, value in arguments.items() if name not in names},
        "Parameter `old` is required." if names else "Done.",
        is_error=bool(names),
    )


LACKING = [
    pytest.param([call_without(), call_without("old")], "lacks `old`", id="worked-before"),
    pytest.param([call_without("old"), call_without()], "lacks `old`", id="worked-after"),
    pytest.param([call_without("old")], "", id="never-worked"),
    pytest.param(
        [
            call("view", {"path": "/w/a.py"}, "1\tx = 1"),
            call(
                "view", {"path": "/w/a.py", "range": [1, 9]}, "InvalidCall: invalid `range` parameter: 9", is_error=True
            ),
        ],
        "",
        id="a-wrong-value-of-an-argument-that-may-be-left-out",
    ),
    pytest.param([call_without(), call_without("new")], "", id="lacks-what-the-message-does-not-name"),
]


@pytest.mark.parametrize(("parts", "said"), LACKING)
def test_an_argument_that_a_call_that_worked_has(parts: list[Part], said: str) -> None:
    found = reason(*parts)
    assert said in found if said else "unlike the one at" not in found


ELSEWHERE = [
    pytest.param("cd /w/web && cat src/low.py", "cat: src/low.py", True, id="relative-to-another-folder"),
    pytest.param("cd /w && cat src/other.py", "cat: src/other.py", False, id="never-seen"),
    pytest.param("cat /x/src/low.py", "cat: /x/src/low.py", False, id="absolute"),
]


@pytest.mark.parametrize(("line", "says", "elsewhere"), ELSEWHERE)
def test_a_path_that_is_there_from_another_folder(line: str, says: str, elsewhere: bool) -> None:
    said = reason(read("/w/src/low.py", SOURCE), run(line, f"{says}: No such file or directory", 1))
    assert ("runs in `/w/web`, and `src/low.py` is in `/w`" in said) == elsewhere
