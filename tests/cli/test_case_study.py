"""`case-study`, its commands, and `templates`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analyzer.cli.console.command import ExitCode
from tests.cli.conftest import Program

SCENARIO = """title: Say hello
prompt: Write hello into hello.txt.
plan:
  - tool: write
    arguments: {path: hello.txt}
success:
  files: [{path: hello.txt, contains: [hello]}]
"""


def log(place: Path, name: str, content: str, started: str = "2025-01-01T00:00:00Z") -> Path:
    action = {
        "tool": "write",
        "arguments": {"path": "hello.txt", "content": content},
        "result": "Written.",
        "is_error": False,
    }
    file = place / name
    file.parent.mkdir(parents=True, exist_ok=True)
    header = {"id": Path(name).stem, "task": "Write hello into hello.txt.", "started_at": started}
    file.write_text(
        json.dumps({"format": "analyze-session/1", "session": header, "actions": [action]}), encoding="utf-8"
    )
    return file


@pytest.fixture
def scenario(elsewhere: Path) -> Path:
    file = elsewhere / "scenario.yaml"
    file.write_text(SCENARIO + "fixes: [{after_run: 1, text: It can spell now.}]\n", encoding="utf-8")
    log(elsewhere, "run1.json", "helo", "2025-01-02T00:00:00Z")
    log(elsewhere, "run2.json", "hello", "2025-01-03T00:00:00Z")
    return file


def test_the_document_goes_to_standard_output_or_a_file(program: Program, scenario: Path) -> None:
    shown = program("case-study", scenario, "run1.json", "run2.json")
    assert (shown.code, shown.err) == (0, "")
    assert shown.out.startswith("# Say hello\n")
    assert "It can spell now." in shown.out
    written = program("case-study", scenario, "run1.json", "run2.json", "-o", "case_study.md")
    assert (written.code, written.out, written.err) == (0, "", "wrote case_study.md\n")
    assert Path("case_study.md").read_text(encoding="utf-8") == shown.out


def test_runs_are_files_folders_and_patterns_or_those_that_the_scenario_lists(
    program: Program, scenario: Path, elsewhere: Path
) -> None:
    def names(*runs: str) -> list[str]:
        return [run["name"] for run in json.loads(program("case-study", scenario, *runs, "-f", "json").out)["runs"]]

    log(elsewhere, "runs/run10.json", "helo")
    log(elsewhere, "runs/run9.json", "hello")
    assert names("run2.json", "run1.json") == ["run2", "run1"]
    assert names("run2.json", "run1.json", "--by-time") == ["run1", "run2"]
    assert names("runs") == ["run9", "run10"]
    assert names("run?.json") == ["run1", "run2"]
    scenario.write_text(scenario.read_text(encoding="utf-8") + "runs: ['runs/*.json']\n", encoding="utf-8")
    assert names() == ["run9", "run10"]
    assert names("run2.json") == ["run2"]


def test_formats(program: Program, scenario: Path) -> None:
    assert (
        json.loads(program("case-study", scenario, "run1.json", "-o", "-", "-f", "json").out)["schema_version"] == "1.0"
    )
    assert program("case-study", scenario, "run1.json", "-o", "x.json").code == 0
    assert json.loads(Path("x.json").read_text(encoding="utf-8"))["scenario"]["title"] == "Say hello"
    assert "Say hello" in program("case-study", scenario, "run1.json", "-f", "terminal").out


def test_notes_fill_the_document_and_survive(program: Program, scenario: Path) -> None:
    made = program("case-study", "notes", scenario, "run1.json", "run2.json", "-o", "notes.yaml")
    assert made.code == 0
    again = program("case-study", "notes", scenario, "run1.json", "run2.json", "-o", "notes.yaml")
    assert (again.code, "is there already" in again.err) == (ExitCode.USAGE, True)
    notes = Path("notes.yaml")
    notes.write_text(
        notes.read_text(encoding="utf-8").replace("\noverview:", "\noverview: A first test of everybody."),
        encoding="utf-8",
    )
    assert (
        "A first test of everybody."
        in program("case-study", scenario, "run1.json", "run2.json", "--notes", "notes.yaml").out
    )
    kept = program(
        "case-study", "notes", scenario, "run1.json", "run2.json", "--notes", "notes.yaml", "-o", "notes.yaml"
    )
    assert kept.code == 0
    assert "overview: A first test of everybody." in notes.read_text(encoding="utf-8")


def test_notes_about_a_failure_that_isnt_there_are_mentioned(program: Program, scenario: Path) -> None:
    Path("notes.yaml").write_text("failure-9: {solution: x}\n", encoding="utf-8")
    ran = program("case-study", scenario, "run1.json", "run2.json", "--notes", "notes.yaml")
    assert ran.code == 0
    assert (
        ran.err == "notes.yaml: failure-9: the document has no failure for such a number, so this note isn't shown.\n"
    )


def test_init_writes_a_scenario_that_works_at_once(program: Program, elsewhere: Path) -> None:
    assert program("case-study", "init").code == 0
    assert program("case-study", "init").code == ExitCode.USAGE
    assert program("case-study", "init", "--force").code == 0
    log(elsewhere, "run1.json", "x")
    assert program("case-study", "scenario.yaml", "run1.json").code == 0
    assert program("case-study", "init", "-").out == Path("scenario.yaml").read_text(encoding="utf-8")


def test_a_folder_of_scenarios_gets_documents_and_an_index(program: Program, elsewhere: Path) -> None:
    for name in ("one", "two"):
        log(elsewhere, f"all/{name}/run1.json", "hello" if name == "one" else "helo")
        (elsewhere / "all" / name / "scenario.yaml").write_text(
            SCENARIO.replace("Say hello", f"Case {name}"), encoding="utf-8"
        )
    (elsewhere / "all" / "two" / "scenario.notes.yaml").write_text("overview: Written beside it.\n", encoding="utf-8")
    (elsewhere / "all" / "broken.yaml").write_text("scenario: '1.0'\ntitle: x\n", encoding="utf-8")
    (elsewhere / "all" / "other.yaml").write_text("nothing: of ours\n", encoding="utf-8")
    ran = program("case-study", "all", "-o", "pages")
    assert ran.code == 0
    assert sorted(file.name for file in Path("pages").iterdir()) == ["index.md", "one.md", "two.md"]
    index = Path("pages/index.md").read_text(encoding="utf-8")
    assert "| [Case one](one.md) | 1 | 0 | 1 of 1 | succeeded |  |" in index
    assert "[Case two](two.md) | 1 | 1 |" in index
    assert "broken.yaml" in index
    assert "Written beside it." in Path("pages/two.md").read_text(encoding="utf-8")


def test_a_folder_needs_a_folder_for_its_documents(program: Program, elsewhere: Path) -> None:
    (elsewhere / "all").mkdir()
    assert "name a folder" in program("case-study", "all").err
    assert "holds no scenario" in program("case-study", "all", "-o", "pages").err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none.yaml", "run1.json"], "none.yaml: can't be read"),
        (["scenario.yaml"], "there is no recorded run"),
        (["scenario.yaml", "none.json"], "none.json: no such file"),
        (["scenario.yaml", "scenario.yaml"], "scenario.yaml"),
        (["scenario.yaml", "run1.json", "-o", "run1.json"], "is the log itself"),
        (["scenario.yaml", "run1.json", "-o", "scenario.yaml", "-f", "markdown"], "scenario.yaml"),
        (["scenario.yaml", "run1.json", "--templates", "none"], "there is no such folder of templates"),
        (["scenario.yaml", "run1.json", "--session", "x"], "no recorded run whose id fits 'x'"),
        (["scenario.yaml", "run1.json", "-o", "x.pdf"], "no report format for '.pdf'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_what_is_wrong_is_said(program: Program, scenario: Path, arguments: list[str], message: str) -> None:
    ran = program("case-study", *arguments)
    assert ran.code == ExitCode.USAGE
    assert message in ran.err
    assert "Traceback" not in ran.err
    assert Path("run1.json").read_text(encoding="utf-8").startswith("{")


def test_templates_are_copied_out_and_used(program: Program, scenario: Path) -> None:
    listed = program("templates").out
    assert "markdown/case_study/document.md.j2\n  The whole document." in listed
    assert program("templates", "--eject", "mine").code == 0
    assert program("templates", "--eject", "mine").code == 0
    lessons = Path("mine/markdown/case_study/lessons.md.j2")
    lessons.write_text("## Our lessons\n", encoding="utf-8")
    assert program("case-study", scenario, "run1.json", "--templates", "mine").out.count("## Our lessons") == 1
    refused = program("templates", "--eject", "mine")
    assert (refused.code, "isn't ours" in refused.err) == (ExitCode.USAGE, True)
    assert lessons.read_text(encoding="utf-8") == "## Our lessons\n"
    assert program("templates", "--eject", "mine", "--force").code == 0
    assert lessons.read_text(encoding="utf-8") != "## Our lessons\n"


def test_a_terminal_never_gets_what_a_transcript_would_have_it_do(
    program: Program, elsewhere: Path, scenario: Path
) -> None:
    log(elsewhere, "bad.json", "\x1b]0;title\x07helo \x1b[2J\u202e")
    out = program("case-study", scenario, "bad.json", "-f", "terminal").out
    assert not any(character in out for character in ("\x1b]", "\x1b[2J", "\x07", "\u202e"))


def test_a_page(program: Program, scenario: Path) -> None:
    ran = program("case-study", "scenario.yaml", "run1.json", "-o", "page.html")
    assert ran.code == 0, ran.err
    page = Path("page.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert 'id="at-a-glance"' in page
    assert program("case-study", "scenario.yaml", "run1.json", "-f", "html").out == page


def test_pages_of_a_folder(program: Program, scenario: Path) -> None:
    Path("scenarios").mkdir()
    for name in ("scenario.yaml", "run1.json"):
        Path("scenarios", name).write_bytes(Path(name).read_bytes())
    ran = program("case-study", "scenarios", "-o", "pages", "-f", "html")
    assert ran.code == 0, ran.err
    assert sorted(path.name for path in Path("pages").iterdir()) == ["index.html", "scenario.html"]
    assert 'href="scenario.html"' in Path("pages/index.html").read_text(encoding="utf-8")
