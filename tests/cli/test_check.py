"""`check` as its users run it."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from analyzer.cli.main import cli
from tests.tables import table

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "sample_sessions" / "bspline_clamping.json"
DATA = ROOT / "tests" / "data" / "formats"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments], standalone_mode=False)


def found_in(*arguments: str | Path) -> dict[str, Any]:
    (found,) = json.loads(run("check", "-f", "json", *arguments).stdout)
    assert isinstance(found, dict)
    return found


def described(*arguments: str | Path) -> list[str]:
    """What is printed of the first file, without the file's name."""
    lines = run("check", *arguments).stdout.splitlines()[1:]
    return [line.strip() for line in itertools.takewhile(lambda line: line.startswith(" "), lines)]


def written(file: Path, *lines: object) -> Path:
    file.write_text(
        "".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines), encoding="utf-8"
    )
    return file


def test_check_says_what_was_found() -> None:
    done = run("check", SAMPLE)
    assert done.return_value == 0
    assert "1 understood" in done.stderr
    assert described(SAMPLE) == [
        f"actions, {SAMPLE.stat().st_size:,} bytes, 1 session, 26 actions",
        "recorded: times, status; not recorded: tokens, cost",
    ]


def test_check_names_what_was_not_understood_and_strict_fails(tmp_path: Path) -> None:
    text = (DATA / "claude_code.jsonl").read_text(encoding="utf-8").rstrip()
    log = written(tmp_path / "run.jsonl", text, {"type": "brand-new-record", "uuid": "x", "sessionId": "y"}, "broken")
    assert run("check", log).return_value == 0
    strict = run("check", "--strict", log)
    assert strict.return_value == 1
    assert "brand-new-record" in strict.stdout
    assert "not JSON" in strict.stdout


def test_check_counts_the_records_by_type_and_those_that_are_damaged(tmp_path: Path) -> None:
    said = {"type": "user", "sessionId": "s", "message": {"role": "user", "content": "Fold the sails"}}
    log = written(
        tmp_path / "run.jsonl",
        *({**said, "uuid": f"u{number}"} for number in range(3)),
        {"type": "brand-new-record", "uuid": "n", "sessionId": "s"},
        {"uuid": "untyped", "sessionId": "s"},
        [1],
        "broken",
    )
    found = found_in(log)
    assert found["records"] == {"user": 3, "brand-new-record": 1, "": 1}
    assert found["records_damaged"] == 2
    assert described(log)[0] == (
        f"claude-code, {log.stat().st_size:,} bytes, 5 records, 2 damaged, 1 session, 0 actions, 4 warnings"
    )


@table("a_record_is_counted_by_the_word_that_says_what_it_is")
def test_a_record_is_counted_by_the_word_that_says_what_it_is(
    tmp_path: Path, record: dict[str, Any], word: str
) -> None:
    event = {"kind": "MessageEvent", "source": "user", "llm_message": {"role": "user", "content": "Dark lamp"}}
    log = written(tmp_path / "events.jsonl", event, record)
    assert found_in("--input-format", "openhands-sdk", log)["records"] == {"MessageEvent": 1, word: 1}


def test_a_large_file_that_yields_nothing_is_an_error(tmp_path: Path) -> None:
    first = {"type": "summary", "summary": "x", "leafUuid": "u", "sessionId": "s", "uuid": "1"}
    later = ({"type": "later-form", "uuid": f"u{number}", "sessionId": "s", "body": "x" * 900} for number in range(200))
    log = written(tmp_path / "drift.jsonl", first, *later)
    assert run("check", log).return_value == 2
    found = found_in(log)
    assert found["problem"] == (
        f"{found['size_bytes']} bytes of claude-code yielded no action and no message, and one warning: "
        "line 2: unknown record type 'later-form'; skipped (200 times, first here)."
    )


def test_a_large_file_that_yields_nothing_and_no_warning_may_be_of_a_later_form(tmp_path: Path) -> None:
    log = written(
        tmp_path / "run.jsonl", *({"kind": "PauseEvent", "source": "user", "body": "x" * 900} for _ in range(200))
    )
    found = found_in(log)
    assert found["problem"] == (
        f"{found['size_bytes']} bytes of openhands-sdk yielded no action and no message: the format may have changed."
    )


def test_a_large_file_with_many_remarks_and_nothing_else_shows_the_first(tmp_path: Path) -> None:
    event = {"kind": "LaterEvent", "source": "agent", "body": "x" * 900}
    found = found_in(written(tmp_path / "run.jsonl", event, "torn", [1], *(event for _ in range(200))))
    assert found["problem"] == (
        f"{found['size_bytes']} bytes of openhands-sdk yielded no action and no message, and 3 warnings, the "
        "first: line 2: not JSON; skipped."
    )


def test_a_conversation_whose_events_are_kept_elsewhere_is_reported_as_such(tmp_path: Path) -> None:
    header = {"baseState": {"id": "c", "notes": "x" * 100_000}, "eventCount": 9}
    found = found_in(written(tmp_path / "trajectory.json", header))
    assert found["problem"] == (
        f"{found['size_bytes']} bytes of openhands-sdk yielded no action and no message, and one warning: "
        "eventCount: the 9 events are recorded in a separate file; read that one for the steps."
    )


def test_a_file_that_its_reader_refused_keeps_its_format_and_size(tmp_path: Path) -> None:
    log = written(tmp_path / "run.json", {"events": []})
    assert run("check", "--input-format", "openhands-sdk", log).return_value == 2
    found = found_in("--input-format", "openhands-sdk", log)
    assert (found["format"], found["size_bytes"], found["sessions"]) == ("openhands-sdk", log.stat().st_size, 0)
    assert found["problem"] == "holds no events of the OpenHands SDK."
    assert described("--input-format", "openhands-sdk", log) == [
        f"openhands-sdk, {log.stat().st_size} bytes",
        "error: holds no events of the OpenHands SDK.",
    ]


def test_a_file_of_no_known_format_has_a_size_only(tmp_path: Path) -> None:
    log = written(tmp_path / "notes.txt", "nothing")
    found = found_in(log)
    assert (found["format"], found["size_bytes"]) == (None, 8)
    assert described(log) == ["unknown format, 8 bytes", "error: is text, but no transcript of a known format."]


def test_check_goes_through_a_directory_and_prints_json(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(SAMPLE.read_bytes())
    written(tmp_path / "notes.txt", "nothing")
    done = run("check", "-f", "json", tmp_path)
    rows = json.loads(done.stdout)
    assert [(Path(row["path"]).name, row["understood"]) for row in rows] == [("a.json", True), ("notes.txt", False)]
    assert done.return_value == 2
