"""`analyze-session compare` as its users call it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.audit.compared import TASKS
from tests.cli.conftest import Program

pytestmark = pytest.mark.slow


def logs(place: Path, endings: str, *, task: str = "{}") -> Path:
    """A folder with a log per task; `+` was solved, `-` wasn't."""
    place.mkdir(parents=True)
    for number, ending in enumerate(endings):
        session = {
            "id": f"task-{number}",
            "task": task.format(TASKS[number]),
            "ending": "solved" if ending == "+" else "unsolved",
        }
        action = {"tool": "bash", "arguments": {"command": f"make {number}"}, "result": "done", "exit_code": 0}
        (place / f"log-{number}.json").write_text(
            json.dumps({"format": "analyze-session/1", "session": session, "actions": [action]})
        )
    return place


@pytest.fixture
def before(elsewhere: Path) -> Path:
    return logs(elsewhere / "before", "++++++++++-+")


@pytest.fixture
def worse(elsewhere: Path) -> Path:
    return logs(elsewhere / "worse", "------------")


def test_transcripts_are_audited_and_compared(program: Program, before: Path, worse: Path) -> None:
    ran = program("compare", before, worse, "-q", "-j", "1")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("# A `")
    assert "B succeeds less often: A 92%, B 0% (12 tasks), -92 points" in ran.out


def test_audits_are_compared_without_reading_the_transcripts_again(
    program: Program, before: Path, worse: Path, elsewhere: Path
) -> None:
    made = program("compare", before, worse, "--keep", "kept", "-q", "-j", "1", "-f", "json")
    assert (elsewhere / "kept" / "before" / "audit.db").is_file()
    for log in (*before.iterdir(), *worse.iterdir()):
        log.unlink()
    again = program("compare", "kept/before", "kept/after/audit.db", "-f", "json")
    assert again.code == 0
    first, second = json.loads(made.out), json.loads(again.out)
    assert first["schema_version"] == "1.0"
    assert {key: value for key, value in first.items() if key not in ("before", "after")} == {
        key: value for key, value in second.items() if key not in ("before", "after")
    }
    assert (
        program("compare", "kept/before", "kept/after", "-f", "json").out
        == program("compare", "kept/before", "kept/after", "-f", "json").out
    )


def test_the_gate_is_hit_by_a_regression_only(program: Program, before: Path, worse: Path) -> None:
    bad = program("compare", before, worse, "--fail-on-regression", "-j", "1", "-o", "page.md", "--keep", "kept")
    assert bad.code == 1
    assert "gate: Success rate: 92% -> 0%" in bad.err
    assert "**Worse beyond chance:**" in Path("page.md").read_text()
    assert program("compare", "kept/after", "kept/before", "--fail-on-regression").code == 0
    assert program("compare", "kept/before", "kept/before", "--fail-on-regression").code == 0


def test_a_side_without_sessions_is_nothing_to_compare(program: Program, before: Path, elsewhere: Path) -> None:
    (elsewhere / "empty").mkdir()
    ran = program("compare", before, "empty", "-j", "1")
    assert (ran.code, ran.out) == (3, "")
    assert ran.err == "Nothing to compare: B (empty) has no sessions.\n"


def test_a_key_under_which_nothing_pairs_is_nothing_to_compare(program: Program, before: Path, worse: Path) -> None:
    ran = program("compare", before, worse, "--pair-by", "title", "-q", "-j", "1")
    assert (ran.code, ran.out) == (3, "")
    assert "no session of A has the same title as one of B" in ran.err


def test_a_path_at_which_there_is_nothing_is_an_error(program: Program, before: Path) -> None:
    ran = program("compare", before, "nowhere", "-q", "-j", "1")
    assert (ran.code, ran.out) == (2, "")
    assert "nowhere: no such file or folder" in ran.err


def test_a_folder_for_output_is_refused_before_any_work(program: Program, elsewhere: Path) -> None:
    ran = program("compare", "nowhere", "nowhere", "-o", elsewhere)
    assert (ran.code, ran.out) == (2, "")
    assert "is a directory" in ran.err


def test_the_page_is_set_for_a_terminal(program: Program, before: Path, worse: Path) -> None:
    ran = program("compare", before, worse, "-f", "terminal", "-q", "-j", "1", "--color", "never")
    assert ran.code == 0
    assert "**" not in ran.out
    assert max(map(len, ran.out.splitlines())) <= 100
    assert "How this was computed: shown with -v" in ran.out


def test_settings_that_are_meant_for_the_post_mortem_do_no_harm(
    program: Program, before: Path, worse: Path, elsewhere: Path
) -> None:
    (elsewhere / "pyproject.toml").write_text(
        '[tool.analyze-session]\nformat = "sarif"\nfail_on = "high"\nignore = ["loops"]\n'
    )
    ran = program("compare", before, worse, "-q", "-j", "1")
    assert (ran.code, ran.out[:4]) == (0, "# A ")
    (elsewhere / "pyproject.toml").write_text('[tool.analyze-session]\nformat = "json"\n')
    assert json.loads(program("compare", before, worse, "-q", "-j", "1").out)["pairing"]["tasks"] == 12


def test_a_page_is_written_where_the_suffix_says_so(program: Program, before: Path, worse: Path) -> None:
    ran = program("compare", before, worse, "-q", "-j", "1", "-o", "page.html")
    assert (ran.code, ran.out) == (0, "")
    page = Path("page.html").read_text()
    assert page.startswith("<!doctype html>")
    assert "B succeeds less often: A 92%, B 0% (12 tasks), -92 points" in page
    assert program("compare", before, worse, "-q", "-j", "1", "-f", "html").out == page
