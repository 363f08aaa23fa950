"""Pages about what isn't a repetition speak of this session, once, and don't advise what doesn't fit."""

from __future__ import annotations

import re

import pytest

from analyzer.model.postmortem import PostMortem
from analyzer.report.markdown import render
from tests.build import Part, diagnosed, edit, read, report, run, says, session, submit, user
from tests.sessions import Written, parts_of
from tests.tables import table

GAVE_UP: list[Part] = [
    user("Repair the tide table in tide.py."),
    read("tide.py", "def tide(): return 1"),
    says("I am unable to complete the task."),
]


def advice(made: PostMortem) -> str:
    diagnosis = made.diagnosis
    parts = [
        *diagnosis.step_back,
        *(f"{approach.title}: {approach.text}" for approach in diagnosis.approaches),
        *diagnosis.lessons,
    ]
    return "\n".join(
        [*parts, *(f"{item.title}: {item.impact} {item.why} {item.change}" for item in diagnosis.improvements)]
    )


def test_a_missing_program_is_no_missing_tool() -> None:
    made = diagnosed(
        [
            [run(f"tidecalc {place}", "bash: tidecalc: command not found", 127), read(f"{place}.md", place)]
            for place in ("fox", "heron", "seal", "tern", "crab")
        ]
    )
    text = advice(made)
    assert "other harnesses' tool names" not in text
    assert "tidecalc" in text


def test_giving_up_is_an_end() -> None:
    made = diagnosed(*GAVE_UP)
    assert made.outcome.status == "abandoned"
    assert "before anything is built on it" not in advice(made)
    assert "without asking" not in advice(made)


def test_what_the_agent_gave_up_over_is_the_cause() -> None:
    refused = [edit("tide.py", f"x{n}", "y", "String to replace not found in file.", is_error=True) for n in range(6)]
    made = diagnosed(*GAVE_UP[:2], *refused, read("tide.py", "def tide(): return 1"), GAVE_UP[2])
    diagnosis = made.diagnosis
    assert diagnosis.about is not None
    assert diagnosis.cause is not None
    main, cause = made.findings[diagnosis.about], made.findings[diagnosis.cause]
    if main.detector == "gave-up":
        assert cause.detector == "loops"


def test_the_evidence_is_quoted_once() -> None:
    page = render(report(session(*GAVE_UP, task="Repair the tide table in tide.py.")))
    assert page.split("<details>", 1)[0].count("unable to complete the task") <= 5


def test_a_command_that_is_only_slow_is_not_advised_to_answer_questions() -> None:
    made = diagnosed(
        [
            run(f"find / -name {place}", "Command timed out after 120 seconds", None, is_error=True)
            for place in ("fox", "seal", "tern")
        ]
    )
    assert "closed standard input" not in advice(made)


def test_text_that_is_not_in_the_file_is_not_a_matter_of_a_larger_block() -> None:
    made = diagnosed(
        [edit("tide.py", f"x{n}", "y", "String to replace not found in file.", is_error=True) for n in range(5)]
    )
    text = advice(made)
    assert "don't fit together" not in text
    assert "from a fresh read of `tide.py`" in text


@pytest.mark.parametrize("count", [1, 2])
def test_one_step_is_a_step(count: int) -> None:
    parts: list[Part] = [
        user("Repair the tide table. Do not touch tests/."),
        edit("tide.py", "x", "y"),
        *[edit("tests/test_tide.py", f"{n}", f"{n}{n}") for n in range(count)],
        run("pytest", "3 passed in 0.1s"),
        submit("Done."),
    ]
    page = render(report(session(*parts, task="Repair the tide table. Do not touch tests/.")))
    assert re.search(r"\bsteps \d+(?![\d,-]| and)", page) is None


def test_a_program_that_is_not_installed_is_counted_once() -> None:
    made = diagnosed(
        [run("tidecalc", "bash: tidecalc: command not found", 127), read(f"{place}.md", place)]
        for place in ("fox", "heron", "seal", "tern", "crab")
    )
    assert not any("same error" in sentence for sentence in made.diagnosis.contributing)


def test_a_document_that_was_changed_last_does_not_hide_the_code() -> None:
    made = diagnosed(
        edit("tide.py", "x", "y"),
        run("pytest", "==== 3 passed in 0.1s ===="),
        edit("NOTES.md", "x", "y"),
        says("I have updated the notes."),
    )
    assert "no code" not in made.outcome.reason
    assert "`pytest`" in made.outcome.reason


def test_a_line_that_writes_and_runs_is_a_check() -> None:
    line = "cat <<'EOF' > try/tide.txt\nlow\nEOF\ntidebuild try\ncat try/out.txt"
    checked = diagnosed(
        edit("tide.py", "x", "y"), run(line, "build succeeded"), run("rm -rf try"), submit("It is fixed.")
    )
    assert not [finding for finding in checked.findings if finding.kind == "no-check"]
    only = diagnosed(
        edit("tide.py", "x", "y"),
        run("cat <<'EOF' > tides.py\nlow = 1\nEOF\ncat tides.py", "low = 1"),
        submit("It is fixed."),
    )
    assert [finding for finding in only.findings if finding.kind == "no-check"]


def test_what_a_compiler_says_is_not_measured_at_run_time() -> None:
    report = "src/tide.ts(12,5): error TS2304: Cannot find name 'Harbour'."
    made = diagnosed([edit("src/tide.ts", f"{n}", f"{n}{n}"), run("npx tsc --noEmit", report, 2)] for n in range(4))
    text = advice(made)
    assert "Print the inputs" not in text
    assert "Measure the failing values" not in text
    assert "Error-location analysis" not in text


@table("what_a_report_of_success_rests_on")
def test_what_a_report_of_success_rests_on(parts: Written, status: str, said: str) -> None:
    made = diagnosed(*parts_of(parts))
    assert made.outcome.status == status
    assert said in made.outcome.reason


def test_the_mask_of_a_command_is_no_word_of_its_failure() -> None:
    masked = diagnosed(run("[redacted:command:7]", "[redacted:content:8]", None, is_error=True), says("Done."))
    named = diagnosed(run("tidy --all", "", None, is_error=True), says("Done."))

    assert [failure.message for failure in masked.failures] == ["bash: failed"]
    assert [failure.message for failure in named.failures] == ["tidy: failed"]
