"""What's printed for transcripts, folders and scenarios that hold, and are named with, texts that would do something
where they weren't taken for text."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from analyzer.cli.console import terminal
from tests import hostile_files
from tests.cli.conftest import Program, Ran
from tests.hostile_files import ACTIVE, TEXTS
from tests.report.html.pages import Parsed
from tests.report.rendered import unharmed

pytestmark = pytest.mark.slow

CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""What steers a terminal, or the direction in which is read, newlines and tabs apart."""
_OURS = re.compile(r"\x1b\[[0-9;]*m")
FOREIGN = re.compile(r"^(?:[a-z][a-z0-9+.-]*:|//|\\)", re.IGNORECASE)
FOR_MANY = (
    "words: script",
    "words: image link",
    "words: autolink",
    "words: bars",
    "words: backslash and backtick",
    "words: heading",
    "fences",
    "hyperlink",
)
"""What takes a while is tried with these. All texts are in one audit, and in a post-mortem each; how a terminal's text
is made harmless is the same for all commands (`analyzer.report.safe`)."""

every_text = pytest.mark.parametrize("text", ACTIVE.values(), ids=ACTIVE.keys())
for_many = pytest.mark.parametrize("text", [TEXTS[name] for name in FOR_MANY], ids=FOR_MANY)


def not_driven(ran: Ran) -> None:
    """What is printed steers no terminal, the program's own colours apart."""
    assert not CONTROLS.search(_OURS.sub("", ran.out))
    assert not CONTROLS.search(ran.err)


def harmless(ran: Ran) -> Parsed:
    assert ran.code == 0, ran.err
    assert not CONTROLS.search(ran.out)
    page = unharmed(ran.out, links=True)
    assert not [link for link in page.links() if FOREIGN.match(link)]
    return page


@every_text
def test_a_post_mortem(text: str, program: Program, elsewhere: Path) -> None:
    ran = program(hostile_files.log(elsewhere, text), "-q")
    assert harmless(ran).links() == []
    shown = terminal.render(ran.out, color=True, unfold=True)
    assert "\x1b[" in shown
    assert not CONTROLS.search(_OURS.sub("", shown))


def test_a_table_of_sessions(program: Program, elsewhere: Path) -> None:
    log = elsewhere / "runs.jsonl"
    rows = (json.dumps(hostile_files.session(text)) for text in ACTIVE.values())
    log.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    assert harmless(program(log, "-q")).links() == []
    not_driven(program(log, "-f", "terminal", "-v", "--color", "always"))


@every_text
def test_the_name_of_a_broken_file_drives_no_terminal(text: str, program: Program, elsewhere: Path) -> None:
    broken = elsewhere / hostile_files.file_name(text, " broken.json")
    broken.write_bytes(b"{")
    not_driven(program(broken))


@for_many
def test_a_terminal_is_not_driven_by_any_command(text: str, program: Program, elsewhere: Path) -> None:
    log = hostile_files.log(elsewhere, text)
    harmless(program("timeline", log, "-f", "markdown", "-q"))
    for arguments in (
        (log, "-f", "terminal", "-v", "--color", "always"),
        ("timeline", log),
        ("timeline", log, "--full"),
        ("timeline", log, "--full", "--color", "always"),
        ("check", log),
        ("timeline", log.with_name("none")),
        (log, "--session", text),
    ):
        not_driven(program(*arguments))


def test_an_audit_and_a_comparison(program: Program, elsewhere: Path) -> None:
    for number, text in enumerate(map(TEXTS.__getitem__, FOR_MANY)):
        hostile_files.runs(elsewhere / "before" / str(number), text)
        hostile_files.log(elsewhere / "after" / str(number), text, hostile_files.calm(text))
    audited(program, elsewhere / "before", elsewhere / "one")
    audited(program, elsewhere / "after", elsewhere / "two")
    harmless(program("compare", elsewhere / "one", elsewhere / "two", "-q"))


def test_an_audit_of_them_all(program: Program, shared_folder: Path) -> None:
    def run(*arguments: str | Path) -> tuple[int, str, str]:
        ran = program(*arguments)
        return ran.code, ran.out, ran.err

    folder = hostile_files.audit_of_all(shared_folder, run)
    code, said = (folder / "said.txt").read_text(encoding="utf-8").split("\n", 1)
    assert code == "0"
    assert said.strip()
    reports_are_harmless(folder, said)


def audited(program: Program, runs: Path, folder: Path) -> None:
    """Audit a folder; neither what's said meanwhile nor the report may do anything."""
    made = program("audit", runs, "-o", folder, "-j", "1", "--export", "csv")
    reports_are_harmless(folder, made.out + made.err)


def reports_are_harmless(folder: Path, said: str) -> None:
    assert not CONTROLS.search(said)
    harmless(Ran(0, (folder / "report.md").read_text(encoding="utf-8"), ""))
    for page in folder.glob("sessions/*.md"):
        harmless(Ran(0, page.read_text(encoding="utf-8"), ""))


@for_many
def test_a_case_study(text: str, program: Program, elsewhere: Path) -> None:
    harmless(program("case-study", hostile_files.scenario(elsewhere, text, prose="as planned"), "-q"))
