"""The pages of an audit's sessions: which are written, when they go and come again, and what is left alone."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from analyzer.cli.main import main
from tests.audit.index_pages import Taken
from tests.audit.runs import long_ago, write_runs
from tests.conftest import ROOT
from tests.redaction.made_up import letters

pytestmark = pytest.mark.slow


def files(folder: Path) -> dict[str, bytes]:
    """Every page that the audit wrote."""
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(folder.rglob("*.html"))}


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """Six runs, every other of them stuck."""
    long_ago(*write_runs(tmp_path / "runs", 6, actions=12))
    return tmp_path / "runs"


@pytest.mark.parametrize(
    ("pages", "which"),
    [("all", lambda stuck: True), ("findings", lambda stuck: stuck), ("none", lambda stuck: False)],  # noqa: ARG005
)
def test_which_sessions_get_a_page(pages: str, which: Callable[[bool], bool], tmp_path: Path, runs: Path) -> None:
    shutil.copy(ROOT / "sample_sessions" / "polling_a_build.json", runs)
    main(["audit", str(runs), "-o", str(tmp_path / "out"), "-q", "-j", "1", "--pages", pages])
    made = len(list((tmp_path / "out" / "sessions").glob("*.html")))
    assert made == 6 * which(True) + which(False)
    page = Taken((tmp_path / "out" / "index.html").read_text(encoding="utf-8"))
    linked = [link for link in page.links() if link.startswith("sessions/")]
    assert any(link.endswith(".html") for link in linked) == bool(made)
    assert all((tmp_path / "out" / link.partition("#")[0]).is_file() for link in linked)


def test_pages_that_are_no_longer_wanted_are_gone_and_come_again(tmp_path: Path, runs: Path) -> None:
    out = tmp_path / "out"
    main(["audit", str(runs), "-o", str(out), "-q", "-j", "1"])
    before = files(out)
    main(["audit", str(runs), "-o", str(out), "-q", "-j", "1", "--pages", "none"])
    assert list(files(out)) == ["index.html"]
    for run in runs.iterdir():
        long_ago(run)
    shutil.move(runs / "run-000.json", tmp_path / "gone.json")
    shutil.move(tmp_path / "gone.json", runs / "run-000.json")
    main(["audit", str(runs), "-o", str(out), "-q", "-j", "1", "--pages", "all"])
    assert files(out) == before


def test_an_audit_in_two_goes_and_one_of_merged_parts_make_the_same_pages(tmp_path: Path, runs: Path) -> None:
    whole, twice = tmp_path / "whole", tmp_path / "twice"
    main(["audit", str(runs), "-o", str(whole), "-q", "-j", "1"])
    main(["audit", str(runs / "run-000.json"), str(runs / "run-003.json"), "-o", str(twice), "-q", "-j", "2"])
    main(["audit", str(runs), "-o", str(twice), "-q", "-j", "2"])
    for part in ("1", "2"):
        main(
            ["audit", str(runs), "-o", str(tmp_path / part), "-q", "-j", "1", "--shard", f"{part}/2", "--pages", "none"]
        )
    main(["audit", "merge", str(tmp_path / "1"), str(tmp_path / "2"), "-o", str(tmp_path / "merged"), "-q"])
    assert len(files(whole)) == 7
    assert files(twice) == files(whole)
    assert files(tmp_path / "merged") == files(whole)


def test_a_page_is_made_from_what_was_kept_when_the_transcript_is_gone(tmp_path: Path, runs: Path) -> None:
    out = tmp_path / "out"
    main(["audit", str(runs), "-o", str(tmp_path / "part"), "-q", "-j", "1", "--pages", "none"])
    shutil.rmtree(runs)
    main(["audit", "merge", str(tmp_path / "part"), "-o", str(out), "-q"])
    page = next(iter((out / "sessions").glob("*.html"))).read_text(encoding="utf-8")
    assert "level = 3" in page


def test_a_page_of_ones_own_is_not_overwritten(tmp_path: Path, runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "index.html").write_text("mine")
    assert main(["audit", str(runs), "-o", str(tmp_path / "mine")]) == 2
    assert "holds a index.html" not in capsys.readouterr().err
    assert [file.name for file in (tmp_path / "mine").iterdir()] == ["index.html"]


def test_an_audit_says_what_to_open(tmp_path: Path, runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["audit", str(runs), "-o", str(tmp_path / "out")])
    assert f"open {tmp_path / 'out' / 'index.html'}" in capsys.readouterr().err.replace("\n", "")


def test_a_redacted_audit_leaves_no_page_of_one_that_was_not(tmp_path: Path, runs: Path) -> None:
    out = tmp_path / "out"
    secret = "gh" + "p_" + letters(36)
    for run in runs.iterdir():
        run.write_text(run.read_text(encoding="utf-8").replace('"task": "', f'"task": "Use {secret}. ', 1))
        long_ago(run)
    main(["audit", str(runs), "-o", str(out), "-q", "-j", "1", "--pages", "all", "--no-redact"])
    assert any(secret.encode() in page for page in files(out).values())
    main(["audit", str(runs), "-o", str(out), "-q", "-j", "1", "--pages", "all"])
    assert [name for name, page in files(out).items() if secret.encode() in page] == []


def test_the_page_of_a_session_without_one_is_made_when_asked_for(
    tmp_path: Path, runs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    every, some = tmp_path / "every", tmp_path / "some"
    shutil.copy(ROOT / "sample_sessions" / "polling_a_build.json", runs)
    main(["audit", str(runs), "-o", str(every), "-q", "-j", "1", "--pages", "all"])
    main(["audit", str(runs), "-o", str(some), "-q", "-j", "1"])
    calm = next(name for name in files(every) if name not in files(some))
    capsys.readouterr()
    assert main(["audit", "page", Path(calm).stem, str(some)]) == 0
    assert Path(capsys.readouterr().out.strip()) == some / calm
    assert files(some)[calm] == files(every)[calm]
    main(["audit", str(runs), "-o", str(some), "-q", "-j", "1"])
    assert calm not in files(some)
    for name, count in (("none-such", 0), ("", 7)):
        assert main(["audit", "page", name, str(some)]) == 2
        assert f"has {count} sessions" in capsys.readouterr().err
