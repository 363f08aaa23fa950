"""`analyze-session diff`: what became of the files."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from analyzer.model.difference import DifferenceReport
from tests.cli.conftest import Program
from tests.cli.test_terminal import on_a_terminal
from tests.conftest import ROOT, Document


def log(place: Path, *calls: tuple[str, dict[str, str], str], name: str = "log.json") -> Path:
    """A recorded session of these calls: tool, arguments, result."""
    messages: list[dict[str, object]] = [{"role": "user", "content": "Mend it."}]
    for number, (tool, arguments, result) in enumerate(calls):
        function = {"name": tool, "arguments": json.dumps(arguments)}
        made = [{"id": f"c{number}", "type": "function", "function": function}]
        messages.append({"role": "assistant", "content": "", "tool_calls": made})
        messages.append({"role": "tool", "tool_call_id": f"c{number}", "content": result})
    path = place / name
    path.write_text(json.dumps({"messages": messages}), encoding="utf-8")
    return path


READ = ("read_file", {"path": "a.py"}, "one\ntwo\n")
EDIT = ("edit", {"path": "a.py", "old_string": "one", "new_string": "six"}, "Edited.")
AGAIN = ("edit", {"path": "a.py", "old_string": "two", "new_string": "ten"}, "Edited.")


def test_the_document_shows_what_the_program_prints(healthy: Path, program: Program, document: Document) -> None:
    document(ROOT / "docs/diff.md", "diff", f"```diff\n{program('diff', healthy).out}```")


def test_the_files_at_the_end_and_after_a_step(elsewhere: Path, program: Program) -> None:
    path = log(elsewhere, READ, EDIT, AGAIN)
    assert program("diff", path).out.splitlines()[2:] == [
        "--- a/a.py", "+++ b/a.py", "@@ -1,2 +1,2 @@", "-one", "-two", "+six", "+ten"
    ]  # fmt: skip
    assert program("diff", path, "--step", "2").out.splitlines()[4:] == ["@@ -1,2 +1,2 @@", "-one", "+six", " two"]
    assert "no file changed" in program("diff", path, "--step", "0").out
    assert program("diff", path, "--stat").out.splitlines()[1] == " a.py |    4 ++--"


def test_as_json(elsewhere: Path, program: Program) -> None:
    ran = program("diff", log(elsewhere, READ, EDIT), "-f", "json")
    report = DifferenceReport.model_validate_json(ran.out)
    assert [(change.file, change.added, change.removed) for change in report.sessions[0].files] == [("a.py", 1, 1)]
    assert program("diff", log(elsewhere, READ, EDIT), "-o", "diff.json").code == 0
    assert Path("diff.json").read_text(encoding="utf-8") == ran.out


def test_a_step_and_a_session_that_there_are_not(elsewhere: Path, program: Program) -> None:
    path = log(elsewhere, READ)
    ran = program("diff", path, "--step", "9")
    assert (ran.code, ran.out) == (2, "")
    assert "has no step 9" in ran.err
    assert "no session 'nobody'" in program("diff", path, "--session", "nobody").err
    assert program("diff", path, "--stat", "-f", "json").code == 2


def test_secrets_are_replaced_unless_asked_for(elsewhere: Path, program: Program) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6" * 3
    path = log(elsewhere, ("write_file", {"path": "config.py", "content": f"TOKEN = '{secret}'\n"}, "Written."))
    assert secret not in program("diff", path).out
    assert secret in program("diff", path, "--no-redact").out


def test_text_of_the_session_does_nothing_to_the_terminal(elsewhere: Path, program: Program) -> None:
    content = "x = '\x1b[2J\x1b]0;title\x07'\rhidden\u202e\n"
    path = log(elsewhere, ("write_file", {"path": "a\x1b[31m.py", "content": content}, "Written."))
    out = program("diff", path).out
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202e]", out)
    assert program("diff", path, "--stat").out.count("\x1b") == 0


def test_colours_are_for_terminals(elsewhere: Path, program: Program) -> None:
    path = log(elsewhere, READ, EDIT)
    assert "\x1b" not in program("diff", path).out
    assert "\x1b[32m+six\x1b[0m" in program("diff", path, "--color", "always").out


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="needs pseudo terminals")
def test_on_a_terminal(elsewhere: Path) -> None:
    path = log(elsewhere, READ, EDIT)
    assert "\x1b[32m+six\x1b[0m" in on_a_terminal("diff", path)
    assert "\x1b" not in on_a_terminal("diff", path, NO_COLOR="1")
