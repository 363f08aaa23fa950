"""`analyze-session timeline`: the table of actions."""

from __future__ import annotations

import csv
import io
import json
import os
import re
from pathlib import Path

import pytest

from analyzer import analyze
from analyzer.model.postmortem import TimelineRow
from tests.cli.conftest import Program, json_lines
from tests.cli.test_terminal import on_a_terminal
from tests.conftest import ROOT, Document
from tests.tables import table

pytestmark = pytest.mark.slow


def steps(out: str) -> list[int]:
    """The steps in the column of that name."""
    lines = out.splitlines()
    head = next(number for number, line in enumerate(lines) if line.lstrip().startswith("STEP"))
    end = lines[head].index("STEP") + 4
    return [int(line[end - 4 : end]) for line in lines[head + 1 :] if line[end - 4 : end].strip().isdecimal()]


@pytest.mark.golden
@pytest.mark.parametrize("part", ["picture", "table"])
def test_the_document_shows_what_the_program_prints(
    part: str, stuck: Path, program: Program, document: Document
) -> None:
    if part == "picture":
        page = program(stuck, "-f", "markdown").out
        made = page[page.index("```text\n") : page.index("\n- **Asked**")].rstrip()
    else:
        table = program("timeline", stuck, "--steps", "11-", "-q").out
        made = (
            "```text\n"
            + "".join(f"{line[:111]}…\n" if len(line) > 112 else f"{line}\n" for line in table.splitlines())
            + "```"
        )
    document(ROOT / "docs/timeline.md", part, made)


def test_each_action_is_one_plain_line(program: Program, stuck: Path) -> None:
    ran = program("timeline", stuck)
    assert (ran.code, ran.err) == (0, "")
    assert steps(ran.out) == list(range(1, 27))
    row = next(line for line in ran.out.splitlines() if " 16 " in line)
    assert row.split()[:7] == ["│", "16", "2:44", "0.2s", "test", "FAILED", "F1"]
    assert row.endswith("[1 of 4 tests failed]")


def test_loops_stand_at_the_side_with_their_rounds_numbered(program: Program, stuck: Path) -> None:
    lines = program("timeline", stuck).out.splitlines()
    loop = lines.index("    -- edit-test loop, 6 rounds --")
    assert [line[:3].rstrip() for line in lines[loop + 1 :]] == [
        "┌1",
        "│",
        "├2",
        "│",
        "├3",
        "│",
        "├4",
        "│",
        "├5",
        "│",
        "├6",
        "└",
    ]
    assert all(line.startswith("    ") for line in lines[1:loop])


def test_the_user_and_compactions_stand_between_the_rows(program: Program, elsewhere: Path) -> None:
    log = elsewhere / "log.jsonl"
    log.write_bytes(
        json_lines(
            {"session": {"id": "one", "task": "Mend it."}},
            {"action": {"tool": "shell", "arguments": {"command": "ls"}, "result": "a.py"}},
            {"message": {"role": "user", "text": "Use the other\nfile."}},
            {"action": {"tool": "shell", "arguments": {"command": "cat b.py"}, "result": "b = 1"}},
            {"compaction": {}},
            {"action": {"tool": "shell", "arguments": {"command": "cat c.py"}, "result": "c = 1"}},
        )
    )
    assert [line.strip() for line in program("timeline", log).out.splitlines()] == [
        "one: unknown, 3 actions",
        "STEP  KIND    STATUS  ACTION",
        "1  search  ok      shell ls -> SUCCESS",
        "-- the user: Use the other file.",
        "2  read    ok      shell cat b.py -> SUCCESS",
        "-- the context was compacted --",
        "3  read    ok      shell cat c.py -> SUCCESS",
    ]
    assert "*the user: Use the other file.*" in program("timeline", log, "-f", "markdown").out


@table("choices")
def test_choices(program: Program, stuck: Path, options: list[str], expected: list[int]) -> None:
    out = program("timeline", stuck, *options).out
    assert steps(out) == expected
    assert f"stuck, {len(expected)} of 26 actions" in out


@table("what_cannot_be_answered")
def test_what_cannot_be_answered(program: Program, stuck: Path, options: list[str], words: str) -> None:
    ran = program("timeline", stuck, *options)
    assert (ran.code, ran.out) == (2, "")
    assert words in " ".join(ran.err.split())


def test_nothing_that_was_asked_for(program: Program, stuck: Path) -> None:
    ran = program("timeline", stuck, "--kind", "wait")
    assert (ran.code, ran.out) == (0, "b50375f7-c696-451e-a8bc-78c1a90d0bbf: stuck, 0 of 26 actions\n")
    assert "none of 26 actions is what was asked for" in ran.err
    assert program("timeline", stuck, "--kind", "wait", "-q").err == ""


def test_of_several_sessions_all_are_shown_and_one_can_be_named(program: Program, two_sessions: Path) -> None:
    ran = program("timeline", two_sessions)
    assert [line for line in ran.out.splitlines() if ": " in line and "action" in line] == [
        "first: unknown, 1 action",
        "second: unknown, 1 action",
    ]
    assert "2 sessions; --session shows one: first, second" in ran.err
    alone = program("timeline", two_sessions, "--session", "second")
    assert alone.out.startswith("second: ")
    assert "first" not in alone.out + alone.err
    assert [row["session"] for row in json.loads(program("timeline", two_sessions, "-f", "json").out)] == [
        "first",
        "second",
    ]


def test_rows_of_sub_agents_say_whose_they_are(program: Program, elsewhere: Path) -> None:
    log = elsewhere / "log.jsonl"
    log.write_bytes(
        json_lines(
            {"session": {"id": "one", "task": "Look."}},
            {"action": {"tool": "shell", "arguments": {"command": "ls"}, "result": "a"}},
            {"action": {"tool": "shell", "arguments": {"command": "ls b"}, "result": "b", "lane": "helper"}},
        )
    )
    rows = [line.split()[:2] for line in program("timeline", log).out.splitlines()[1:]]
    assert rows == [["STEP", "LANE"], ["1", "main"], ["1", "helper"]]
    assert [line.split()[:2] for line in program("timeline", log, "--lane", "helper").out.splitlines()[2:]] == [
        ["1", "helper"]
    ]
    assert "| helper | 1 |" in program("timeline", log, "-f", "markdown").out


def test_json_has_the_rows_of_the_post_mortem(program: Program, stuck: Path) -> None:
    (session,) = analyze(stuck).sessions
    rows = json.loads(program("timeline", stuck, "-f", "json").out)
    assert {row.pop("session") for row in rows} == {session.session.id}
    assert [TimelineRow.model_validate(row) for row in rows] == session.timeline
    lines = program("timeline", stuck, "-f", "jsonl").out.splitlines()
    assert [json.loads(line)["step"] for line in lines] == list(range(1, 27))


def test_csv_holds_no_formulas(program: Program, elsewhere: Path) -> None:
    log = elsewhere / "log.jsonl"
    targets = ["=1+1", "+1", "-1", "@SUM(A1)", " =2", "plain"]
    log.write_bytes(
        json_lines(
            {"session": {"id": "one"}},
            *({"action": {"tool": text, "arguments": {}, "result": text}} for text in targets),
        )
    )
    out = program("timeline", log, "-f", "csv", "--full").out
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["tool"] for row in rows] == ["'=1+1", "'+1", "'-1", "'@SUM(A1)", "' =2", "plain"]
    assert [row["result"][:1] for row in rows[:4]] == ["'"] * 4
    assert not any(value.lstrip().startswith(("=", "+", "-", "@")) for row in rows for value in row.values())


@table("the_suffix_tells_the_format")
def test_the_suffix_tells_the_format(program: Program, stuck: Path, elsewhere: Path, name: str, begin: str) -> None:
    ran = program("timeline", stuck, "-o", name)
    assert (ran.code, ran.out, ran.err) == (0, "", f"wrote {name}\n")
    assert (elsewhere / name).read_text(encoding="utf-8").startswith(begin)


def test_full_shows_what_was_sent_and_received(program: Program, stuck: Path) -> None:
    out = program("timeline", stuck, "--steps", "16", "--full").out
    assert "    command: python3 -m pytest ../out/test_clamp_splines.py\n" in out
    assert "      E           ValueError: Need at least 8 knots for degree 3\n" in out
    page = program("timeline", stuck, "--steps", "16", "--full", "-f", "markdown").out
    assert "### Step 16" in page
    assert "E           ValueError: Need at least 8 knots for degree 3\n" in page
    (row,) = json.loads(program("timeline", stuck, "--steps", "16", "--full", "-f", "json").out)
    assert row["call"] == {"command": "python3 -m pytest ../out/test_clamp_splines.py"}


def test_long_texts_are_clipped(program: Program, elsewhere: Path) -> None:
    log = elsewhere / "log.jsonl"
    log.write_bytes(
        json_lines(
            {"session": {"id": "one"}}, {"action": {"tool": "shell", "arguments": "cat big", "result": "a" * 9_000}}
        )
    )
    out = program("timeline", log, "--full").out
    assert "... 5000 characters left out ..." in out
    assert len(out) < 6_000


HOSTILE = "\x1b[2J\x1b]0;owned\x07\u202e| <script> ``` x"


@pytest.mark.parametrize("form", ["terminal", "markdown", "csv", "json", "jsonl"])
def test_no_words_of_the_session_drive_the_terminal(program: Program, elsewhere: Path, form: str) -> None:
    log = elsewhere / "log.jsonl"
    log.write_bytes(
        json_lines(
            {"session": {"id": f"one{HOSTILE}", "task": HOSTILE}},
            {
                "action": {
                    "tool": f"shell{HOSTILE}",
                    "arguments": {HOSTILE: HOSTILE},
                    "result": f"{HOSTILE}\n{HOSTILE}",
                    "exit_code": 1,
                }
            },
            {"message": {"role": "user", "text": HOSTILE}},
            {"action": {"tool": "shell", "arguments": {"command": HOSTILE}, "result": HOSTILE, "exit_code": 1}},
        )
    )
    ran = program("timeline", log, "-f", form, "--full", "--color", "always")
    assert ran.code == 0
    if form in ("terminal", "markdown"):
        assert not set(re.sub(r"\x1b\[[\d;]*m", "", ran.out)) & {"\x1b", "\x07", "\u202e"}
        assert "\x1b[2J" not in ran.out
    if os.name != "nt" and form != "csv":
        assert "\x1b[2J" not in on_a_terminal("timeline", log, "-f", form, "--full")


@pytest.mark.skipif(os.name == "nt", reason="needs pseudo terminals")
@pytest.mark.parametrize("columns", [40, 80, 120])
def test_on_a_terminal_a_row_ends_where_the_line_ends(stuck: Path, columns: int) -> None:
    out = on_a_terminal("timeline", stuck, COLUMNS=str(columns), NO_COLOR="1")
    assert max(map(len, out.splitlines())) <= columns
    assert steps(out) == list(range(1, 27))
    assert "…" in out
    colors = on_a_terminal("timeline", stuck, COLUMNS=str(columns))
    assert "\x1b[1;37;41mF1\x1b[0m" in colors
    assert re.sub(r" +$", "", re.sub(r"\x1b\[[\d;]*m", "", colors), flags=re.MULTILINE) == out


@pytest.mark.skipif(os.name == "nt", reason="needs pseudo terminals")
def test_a_terminal_that_knows_ascii_only_gets_rows_it_can_show(stuck: Path) -> None:
    out = on_a_terminal("timeline", stuck, COLUMNS="80", NO_COLOR="1", PYTHONIOENCODING="ascii")
    assert [line[:3].rstrip() for line in out.splitlines()[-4:]] == ["+5", "|", "+6", "]"]


def test_what_could_not_be_read_is_mentioned_wherever_notes_go(program: Program, elsewhere: Path) -> None:
    log = elsewhere / "odd.json"
    log.write_text(
        '{"format": "analyze-session/1", "session": {"id": "odd"}, "actions": [{"tool": "look", "result": "a"}, 5]}',
        encoding="utf-8",
    )
    ran = program("timeline", log)
    assert ran.code == 0
    assert ran.err == "1 warning while reading; the post-mortem lists them\n"
    assert program("timeline", log, "-q").err == ""
