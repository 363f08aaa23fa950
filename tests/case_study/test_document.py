"""The page: whole, against golden files, and whatever the transcripts hold.

`pytest --update-golden tests/case_study/test_document.py` writes what the program prints now; read the difference
before committing it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from analyzer.case_study.runs import load_runs
from analyzer.case_study.scenario import load_scenario
from analyzer.case_study.study import case_study
from analyzer.model.case_study import CaseStudy, CaseStudyIndex, IndexEntry
from analyzer.model.scenario import AnyOrder, Fix, OneOf, PlanStep, Scenario, Success, SystemInfo, TextCheck
from analyzer.report import json
from analyzer.report.case_study import render, render_index
from tests.build import call, says, submit
from tests.case_study.loaded import loaded, study
from tests.case_study.story import PLAN, good_run, run_1, run_2, run_3, run_4
from tests.conftest import ROOT, Golden
from tests.report.hostile import LONG, PAYLOADS
from tests.report.rendered import unharmed
from tests.report.test_markdown_safety import CONTROLS

GOLDEN = Path(__file__).parent / "golden"
SAMPLE = Path("sample_sessions/plugin_table")
FIXED = PLAN + "fixes:\n" + "".join(f"  - {{after_run: {number}, text: Change {number}.}}\n" for number in (1, 2, 3, 4))


def sample() -> CaseStudy:
    return case_study(
        load_scenario(SAMPLE / "scenario.yaml"),
        load_runs(str(SAMPLE / f"run{number}.json") for number in range(1, 6)),
        base=SAMPLE,
    )


PAGES: dict[str, Callable[[], CaseStudy]] = {
    "plugin_table": sample,
    "cascade": lambda: study(FIXED, run_1(), run_2(), run_3(), run_4(), good_run()),
    "trials": lambda: study(PLAN, run_2(), good_run(), run_2(), run_4()),
    "single": lambda: study(PLAN, run_2()),
    "no_plan": lambda: study(
        "title: A refund\nprompt: Refund it.\nsuccess: {final_answer: {contains: refunded}}\n",
        [call("get_order", {"id": "7"}, "paid"), says("I can't do that.")],
    ),
}


@pytest.mark.golden
@pytest.mark.parametrize("name", PAGES)
def test_page(name: str, golden: Golden, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    golden(GOLDEN / f"{name}.md", render(PAGES[name]()))


@pytest.mark.golden
def test_every_golden_page_has_its_runs(request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--update-golden"):
        pytest.skip("they are being written")
    assert {path.stem for path in GOLDEN.glob("*.md")} == set(PAGES)


@pytest.mark.parametrize("name", PAGES)
def test_pages_are_well_formed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    text = render(PAGES[name]())
    unharmed(text)
    assert "\n\n\n" not in text
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert "None" not in re.sub(r"`[^`\n]+`", "", re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE))


def test_the_sample_has_everything_of_a_document_written_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    page = render(sample())
    headings = re.findall(r"^##+ (.*)$", page, re.MULTILINE)
    assert [heading for heading in headings if not heading.startswith("Failure")] == [
        "Overview",
        "The scenario",
        "The expected plan",
        "When a run counts as a success",
        "The cascade of failures",
        "Progress",
        "The final result",
        "What was learned",
        "The runs",
    ]
    assert [heading.partition(":")[0] for heading in headings if heading.startswith("Failure")] == [
        f"Failure {number}" for number in (1, 2, 3, 4)
    ]
    for part in ("Symptom", "Root cause", "Solution", "Fixed"):
        assert page.count(f"**{part}.**") == 4
    for tool in (
        "cognitive_code_reader.list_plugins",
        "tool_file_system.write_file",
        "tool_file_system.read_file",
        "tool_llm.execute",
    ):
        assert f"| `{tool}` |" in page
    for text in (
        "`content` = `$result.step_1`",
        "validation accepts only `user_input` or `input`",
        "TypeError: LLMTool.execute() got an unexpected keyword argument 'prompt'",
        "it was probably bound to `shared_context`",
        "Lost context at step 4: every step runs, the result is wrong",
        "**Run 5 succeeded.**",
        "run 2  # # # x .  3 of 5",
    ):
        assert text in page
    assert "To be written by a person:** what this benchmark is" not in page


def test_json_is_what_templates_get_and_reads_back(monkeypatch: pytest.MonkeyPatch) -> None:
    found = study(FIXED, run_1(), good_run(), good_run(), good_run(), good_run())
    assert CaseStudy.model_validate_json(json.render(found)) == found


def test_steps_in_groups_and_ways_are_shown() -> None:
    scenario = Scenario(
        title="t",
        prompt="p",
        plan=[
            AnyOrder(any_order=[PlanStep(tool="a"), PlanStep(tool=["b", "c"], optional=True)]),
            OneOf(
                one_of=[
                    [PlanStep(tool="d")],
                    [
                        PlanStep(
                            tool="e",
                            id="last",
                            arguments={"n": 3, "o": {"k": [1]}, "p": None, "q": TextCheck(contains=["x"], lines=2)},
                        )
                    ],
                ]
            ),
        ],
    )
    rows = [
        line
        for line in render(case_study(scenario, [loaded("run", call("e", {}, "x"), submit())])).split("\n")
        if line.startswith("| ") and "`" in line
    ][:4]
    assert rows == [
        "| 1 | `a` |  | in any order with its neighbours |",
        "| 2 | `b or c` |  | optional, in any order with its neighbours |",
        "| 3 | `d` |  | way 1 of 2 |",
        (
            '| last | `e` | `n` = `3`, `o` = `{"k": [1]}`, `p` = `null`, `q` contains `x` and has 2 lines or more | '
            "way 2 of 2 |"
        ),
    ]


def test_the_commits_of_a_fix_are_listed() -> None:
    found = study(FIXED, run_2(), good_run(), good_run(), good_run(), good_run())
    mended = found.cascade[0].model_copy(
        update={"solution": None, "commits": ["1234abc Take `prompt` <b>"], "files": ["src/tool.py"]}
    )
    page = render(found.model_copy(update={"cascade": [mended]}))
    assert (
        "**Solution.** What was committed before the next run:\n\n- `1234abc` Take `prompt` &lt;b>\n\nFiles: "
        "`src/tool.py`."
    ) in page


def test_an_index_links_its_documents() -> None:
    entry = IndexEntry(
        title="A | b",
        link="a b.md",
        runs=3,
        failures=2,
        reached="5 of 5",
        succeeded=True,
        pass_rate=None,
        last="It broke",
    )
    page = render_index(CaseStudyIndex(entries=[entry], problems=["c.yaml: is empty."]))
    assert "| [A \\| b](a%20b.md) | 3 | 2 | 5 of 5 | succeeded | It broke |" in page
    assert "- c.yaml: is empty." in page


def hostile(text: str) -> CaseStudy:
    """A case study with `text` in every part of the scenario and of the runs."""
    scenario = Scenario(
        title=f"Title {text}",
        prompt=f"Do {text}",
        system=SystemInfo(name=f"system {text}", version=f"1 {text}"),
        author=f"author {text}",
        date=f"2026 {text}",
        plan=[
            PlanStep(tool=f"read {text}", arguments={f"path {text}": f"a {text}"}, note=f"note {text}"),
            PlanStep(
                tool="ask", arguments={"prompt": TextCheck(contains=[f"x {text}"], matches=None)}, id=f"id {text}"
            ),
        ],
        success=Success(final_answer=TextCheck(contains=[f"done {text}"], lacks=[f"no {text}"], equals=None)),
        fixes=[Fix(after_run=1, text="Mended.")],
    )
    error = f"TypeError: Tool{text}.run() got an unexpected keyword argument 'prompt' {text}"
    runs = [
        loaded(
            f"one {text}",
            call(f"read {text}", {f"path {text}": f"a {text}"}, text),
            call("ask", {"prompt": f"x {text}"}, error, is_error=True),
            says(f"I can't {text}"),
            agent=f"agent {text}",
            model=f"model {text}",
        ),
        loaded(
            f"two {text}",
            call(f"read {text}", {f"path {text}": text}, text),
            call("ask", {"prompt": text}, f"I don't have {text}"),
            says(f"Sorry {text}"),
        ),
        loaded(
            f"three {text}",
            call(f"read {text}", {f"path {text}": f"a {text}"}, text),
            call("ask", {"prompt": f"x {text}"}, text),
            says(f"done {text}"),
        ),
    ]
    return case_study(scenario, runs)


@pytest.mark.slow
@pytest.mark.parametrize("text", PAYLOADS.values(), ids=PAYLOADS.keys())
def test_no_text_breaks_out_of_its_place(text: str) -> None:
    markdown = render(hostile(text))
    page = unharmed(markdown)
    assert not CONTROLS.search(markdown)
    assert page.headings() == [
        "Overview",
        "The scenario",
        "The cascade of failures",
        "Progress",
        "The final result",
        "What was learned",
        "The runs",
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["backticks", "lines"])
def test_a_long_text_makes_no_long_page(name: str) -> None:
    markdown = render(hostile(LONG[name][:100_000]))
    assert len(markdown) < 120_000
    unharmed(markdown)
