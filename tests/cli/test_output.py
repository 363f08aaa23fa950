"""What is written, in which format, and where."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

import analyzer.report.markdown
from tests.cli.conftest import Program, process
from tests.tables import table


def is_markdown(text: str) -> bool:
    return text.startswith("# ") and text.endswith("\n")


def is_json(text: str) -> bool:
    return json.loads(text)["schema_version"] == "1.0" and text.endswith("}\n")


def test_markdown_where_standard_output_is_no_terminal(program: Program, stuck: Path) -> None:
    ran = program(stuck)
    assert is_markdown(ran.out)
    assert ran.err == ""


def test_json_on_demand(program: Program, stuck: Path) -> None:
    assert is_json(program(stuck, "-f", "json").out)


def test_the_command_may_be_named(program: Program, stuck: Path) -> None:
    assert program("post-mortem", stuck) == program(stuck)


def test_options_may_stand_before_the_log(program: Program, stuck: Path) -> None:
    assert program("--format", "json", stuck) == program(stuck, "--format=json")


@pytest.mark.slow
def test_standard_input(stuck: Path) -> None:
    ran = process("-", "-f", "json", stdin=stuck.read_bytes())
    assert ran.code == 0
    assert json.loads(ran.out)["source"]["path"] == "<stdin>"


@pytest.mark.slow
def test_the_same_input_gives_the_same_bytes(program: Program, stuck: Path) -> None:
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    other = process(stuck, "-f", "json", env={**os.environ, "PYTHONHASHSEED": seed})
    assert program(stuck, "-f", "json") == other


@pytest.mark.parametrize(
    ("name", "options", "expected"),
    [
        pytest.param("report.md", [], is_markdown, id=".md"),
        pytest.param("report.MD", [], is_markdown, id=".MD"),
        pytest.param("report.json", [], is_json, id=".json"),
        pytest.param("report.txt", [], is_markdown, id="a suffix that tells nothing"),
        pytest.param("report", [], is_markdown, id="no suffix"),
        pytest.param("report.md", ["-f", "json"], is_json, id="the option before the suffix"),
    ],
)
def test_the_suffix_tells_the_format(
    program: Program, elsewhere: Path, stuck: Path, name: str, options: list[str], expected: object
) -> None:
    ran = program(stuck, "-o", name, *options)
    assert (ran.code, ran.out, ran.err) == (0, "", f"wrote {name}\n")
    assert callable(expected)
    assert expected((elsewhere / name).read_text())


def test_the_suffix_counts_more_than_the_configuration(program: Program, elsewhere: Path, stuck: Path) -> None:
    (elsewhere / "pyproject.toml").write_text('[tool.analyze-session]\nformat = "markdown"\n')
    program(stuck, "-o", "report.json")
    assert is_json((elsewhere / "report.json").read_text())


def test_quiet_says_nothing(program: Program, stuck: Path) -> None:
    assert program(stuck, "-q", "-o", "report.md").err == ""


def test_a_dash_is_standard_output(program: Program, elsewhere: Path, stuck: Path) -> None:
    ran = program(stuck, "-o", "-")
    assert is_markdown(ran.out)
    assert ran.err == ""
    assert list(elsewhere.iterdir()) == []


@table("a_place_that_cannot_be_written")
def test_a_place_that_cannot_be_written(program: Program, elsewhere: Path, stuck: Path, target: str, says: str) -> None:
    (elsewhere / "pyproject.toml").touch()
    ran = program(stuck, "-o", target)
    assert (ran.code, ran.out) == (2, "")
    assert says in ran.err


def test_the_log_is_not_overwritten(program: Program, elsewhere: Path, stuck: Path) -> None:
    (elsewhere / "run.json").write_bytes(stuck.read_bytes())
    (elsewhere / "link.json").symlink_to("run.json")
    for target in ("run.json", "link.json"):
        ran = program("run.json", "-o", target)
        assert ran.code == 2
        assert "would be overwritten" in ran.err
    assert (elsewhere / "run.json").read_bytes() == stuck.read_bytes()


def test_no_file_when_rendering_fails(
    program: Program, elsewhere: Path, stuck: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_report: object) -> str:
        raise ZeroDivisionError

    monkeypatch.setattr(analyzer.report.markdown, "render", fail)
    (elsewhere / "old.md").write_text("yesterday's\n")
    for name in ("old.md", "new.md"):
        assert program(stuck, "-o", name).code == 2
    assert [file.name for file in elsewhere.iterdir()] == ["old.md"]
    assert (elsewhere / "old.md").read_text() == "yesterday's\n"


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="needs limits of the operating system")
def test_no_file_when_the_disk_fills_up(elsewhere: Path, stuck: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    import resource

    (elsewhere / "old.md").write_text("yesterday's\n")
    # Python cuts the compiled modules that it keeps at the limit, too, and every later process would stumble over them.
    cache = str(tmp_path_factory.mktemp("cache"))
    unkept = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "XDG_CACHE_HOME": cache}
    for name in ("old.md", "new.md"):
        ran = process(
            stuck, "-o", name, env=unkept, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (256, 256))
        )
        assert ran.code == 2
        assert "can't be written: File too large" in ran.err
    assert [file.name for file in elsewhere.iterdir()] == ["old.md"]
    assert (elsewhere / "old.md").read_text() == "yesterday's\n"


@pytest.mark.skipif(os.name == "nt", reason="needs permissions of POSIX")
def test_permissions_are_those_of_a_new_or_of_the_old_file(program: Program, elsewhere: Path, stuck: Path) -> None:
    old = os.umask(0o027)
    try:
        program(stuck, "-o", "report.md")
        assert stat.S_IMODE((elsewhere / "report.md").stat().st_mode) == 0o640
        (elsewhere / "report.md").chmod(0o604)
        program(stuck, "-o", "report.md")
        assert stat.S_IMODE((elsewhere / "report.md").stat().st_mode) == 0o604
    finally:
        os.umask(old)


@pytest.mark.skipif(os.name == "nt", reason="needs /dev/null")
def test_a_device_is_written_to_rather_than_replaced(program: Program, stuck: Path) -> None:
    ran = program(stuck, "-o", "/dev/null", "-f", "json")
    assert ran.code == 0
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


def test_a_link_stays_a_link(program: Program, elsewhere: Path, stuck: Path) -> None:
    (elsewhere / "deep").mkdir()
    (elsewhere / "report.md").symlink_to("deep/report.md")
    program(stuck, "-o", "report.md")
    assert (elsewhere / "report.md").is_symlink()
    assert is_markdown((elsewhere / "deep/report.md").read_text())


def test_one_session_of_several(program: Program, two_sessions: Path) -> None:
    sessions = json.loads(program(two_sessions, "-f", "json", "--session", "second").out)["sessions"]
    assert [entry["session"]["id"] for entry in sessions] == ["second"]


def test_what_could_not_be_read_is_counted(program: Program, two_sessions: Path) -> None:
    ran = program(two_sessions)
    assert ran.code == 0
    assert ran.err == "1 warning while reading; --verbose lists it\n"
    assert "colour" not in ran.out
    one = program(two_sessions, "--session", "second")
    assert one.err == "1 warning while reading; see the end of the report\n"
    assert "colour" in one.out[-300:]
    assert program(two_sessions, "--quiet").err == ""


def test_what_could_not_be_read_is_listed_on_demand(program: Program, two_sessions: Path) -> None:
    ran = program(two_sessions, "-v")
    assert "colour" in ran.err.splitlines()[0]


def test_select_and_ignore_choose_detectors(program: Program, stuck: Path) -> None:
    def found(*options: str) -> set[str]:
        sessions = json.loads(program(stuck, "-f", "json", *options).out)["sessions"]
        return {
            said["detector"]
            for session in sessions
            for finding in session["findings"]
            for said in (finding, *finding["aspects"])
        }

    everything = found()
    assert "loops" in everything
    assert len(everything) > 1
    assert found("--select", "loops") == {"loops"}
    assert found("--select", "loops, wrong-file", "--ignore", "loops") == everything & {"wrong-file"}
    assert found("--ignore", "loops") == everything - {"loops"}
