"""What the server's tools answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from analyzer.audit.run import run
from analyzer.audit.settings import Settings
from analyzer.model.errors import AnalyzerError
from analyzer.serving.mcp_server import LONGEST, QUOTED, Answers
from tests.audit.test_search import inline

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def action(result: str, exit_code: int = 1, command: str = "make harbour") -> dict[str, Any]:
    return {"tool": "shell", "arguments": {"command": command}, "result": result, "exit_code": exit_code}


def write(file: Path, *actions: dict[str, Any], name: str = "ebb") -> Path:
    body = {"format": "analyze-session/1", "session": {"id": name, "task": "Drain the lagoon."}, "actions": actions}
    file.write_text(json.dumps(body), encoding="utf-8")
    return file


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    place = tmp_path / "logs"
    place.mkdir()
    write(place / "stuck.json", *[action(f"make: no rule for harbour, token {SECRET}") for _ in range(6)])
    write(place / "calm.json", action("built", 0), name="calm")
    return place


def test_a_post_mortem_is_marked_as_quoted_and_holds_no_secret(logs: Path) -> None:
    text = Answers([logs]).post_mortem("stuck.json")
    assert text.startswith(QUOTED + "# Post-mortem: session `ebb`")
    assert SECRET not in text
    assert "<details>" not in text
    assert "Full timeline" in Answers([logs]).post_mortem("stuck.json", whole=True)


def test_one_session_of_several(logs: Path) -> None:
    (logs / "two.jsonl").write_text(
        "\n".join(
            json.dumps(record)
            for name in ("first", "second")
            for record in ({"session": {"id": name, "task": f"Say {name}."}}, {"action": action("ok", 0)})
        ),
        encoding="utf-8",
    )
    text = Answers([logs]).post_mortem("two.jsonl", session="second")
    assert "session `second`" in text
    assert "first" not in text
    with pytest.raises(AnalyzerError, match="holds no session 'third'"):
        Answers([logs]).post_mortem("two.jsonl", session="third")


@pytest.mark.slow
def test_a_long_answer_is_cut(logs: Path) -> None:
    write(logs / "long.json", *[action("ok", 0, f"make {number} " + "word " * 40) for number in range(800)])
    text = Answers([logs]).post_mortem("long.json", whole=True)
    assert len(text) < LONGEST + 300
    assert text.endswith("(Cut here: ask for one session, or for less.)")


def test_the_guard_says_what_is_wrong_now(logs: Path) -> None:
    answers = Answers([logs])
    text = answers.guard_check("stuck.json")
    assert text.startswith(QUOTED + "step 3, ")
    assert "6 actions seen" in text
    assert SECRET not in text
    assert answers.guard_check("stuck.json", last=1).startswith("No alarm in the last 1 action (6 actions seen, ")
    assert answers.guard_check("calm.json") == "No alarm in the last 10 actions (1 action seen, 0 alarms in all)."
    with pytest.raises(AnalyzerError, match="is no severity"):
        answers.guard_check("calm.json", least="worst")


def test_finding_in_an_audit(logs: Path, tmp_path: Path) -> None:
    run([str(logs)], tmp_path / "audit", Settings(redact=False), inline)
    answers = Answers([tmp_path / "audit"])
    text = answers.find("no rule", ".", status="error", limit=2)
    assert text.startswith(QUOTED + "6 hits in 1 session of 2; the first 2, see --limit")
    assert SECRET not in text
    assert answers.find("dinghy") == "Nothing found in 2 sessions."
    with pytest.raises(AnalyzerError, match="no session has a tool 'shel'"):
        answers.find("no rule", tool="shel")
    with pytest.raises(AnalyzerError, match="is no file or folder"):
        answers.find("no rule", str(logs))


def test_half_of_a_secret_is_not_shown_beside_a_hit(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    texts = (f"{SECRET}{' at' * gap} anchor{' at' * gap} {SECRET}" for gap in range(1, 40))
    write(tmp_path / "logs" / "a.json", *map(action, texts))
    run([str(tmp_path / "logs")], tmp_path / "audit", Settings(redact=False), inline)
    text = Answers([tmp_path / "audit"]).find("anchor", limit=40)
    assert not any(SECRET[at : at + 6] in text for at in range(len(SECRET) - 5))


def test_a_finding_is_explained(logs: Path) -> None:
    answers = Answers([logs])
    assert "What it flags" in answers.explain("loops/identical-error")
    with pytest.raises(AnalyzerError, match="unknown detector 'lops'"):
        answers.explain("lops")
