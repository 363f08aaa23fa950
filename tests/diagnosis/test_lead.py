"""The lead says what was asked, delivered and shown, what went wrong, what it cost and what to do next."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from analyzer import analyze
from analyzer.model.postmortem import PostMortem
from analyzer.report.lead import lead_rows
from tests.build import Part, call, diagnosed, edit, pytest_report, read, run, says, submit, user
from tests.sessions import Written, parts_of
from tests.tables import table

PASSES = "==== 3 passed in 0.1s ===="
FIXED: list[Part] = [
    user("Repair the tide table in tide.py."),
    read("tide.py", "def tide(): return 1"),
    edit("tide.py", "return 1", "return 2"),
    run("pytest tests/test_tide.py", PASSES),
    says("The tide table is right now."),
]
LOOP: list[Part] = [
    user("Repair the tide table."),
    [
        [
            edit("tide.py", f"a{n}", f"b{n}"),
            run(
                "pytest", pytest_report("KeyError: 'low_tide'", raised=("tide.py", 49, "return levels['low_tide']")), 1
            ),
        ]
        for n in range(4)
    ],
]


def part(made: PostMortem, name: str) -> str:
    return "\n".join(statement.text for statement in made.diagnosis.lead if statement.part == name)


def words(made: PostMortem) -> int:
    """How many words the first screen has; a span of code is one."""
    rows = [f"{row.label} {' '.join(one.text for one in row.statements)}" for row in lead_rows(made, titled=False)]
    return len(re.findall(r"`[^`\n]+`\S*|\S+", " ".join((made.outcome.words, made.diagnosis.headline, *rows))))


def test_a_calm_session_says_what_was_achieved_and_what_proves_it() -> None:
    made = diagnosed(*FIXED)
    assert part(made, "asked") == '"Repair the tide table in tide.py."'
    assert part(made, "delivered") == "Changed `tide.py` (step 2)."
    assert part(made, "said") == 'The agent\'s closing words: "The tide table is right now."'
    assert (made.outcome.words, part(made, "known")) == ("done and checked", "")
    assert (part(made, "wrong"), part(made, "next")) == ("", "")
    assert made.diagnosis.headline.startswith("Changed `tide.py`. ")
    assert "step 3" in made.diagnosis.headline


def test_what_was_held_back_is_no_work_and_a_request_for_leave_no_answer() -> None:
    made = diagnosed(
        user("Mach den Test grün."),
        read("tide.py", "def tide(): return 1"),
        read("test_tide.py", "assert tide() == 2"),
        edit("tide.py", "return 1", "return 2", "This edit requires approval", is_error=True),
        run("pytest", "This command requires approval", is_error=True),
        says("Bitte gib die Änderung frei."),
    )
    assert part(made, "cost") == "4 actions (2 reads and 2 that never ran)."
    assert part(made, "delivered") == (
        'No file was changed: the only edit of `tide.py` (step 3) was refused: "This edit requires approval".'
    )
    assert part(made, "said") == 'The agent\'s closing words: "Bitte gib die Änderung frei."'
    assert "permission to make a call (step 4" in made.outcome.reason


def test_what_was_stopped_ran_until_then() -> None:
    made = diagnosed(
        user("Go on."), read("tide.py", "text"), run("make", "[Request interrupted by user]", is_error=True)
    )
    assert part(made, "cost") == "2 actions (1 read and 1 run)."


def test_functions_are_counted_by_what_they_do() -> None:
    tools = ("get_tide", "get_wind", "book_berth", "browser_click", "Task", "todo")
    made = diagnosed(user("Book a berth."), *(call(tool, {"port": tool}, "done") for tool in tools), says("Booked."))
    counts = "2 lookups, 1 browser action, 1 call, 1 request to another agent and 1 other"
    assert part(made, "cost") == f"6 actions ({counts})."


def test_trouble_is_said_with_its_cost_and_what_to_do() -> None:
    made = diagnosed(*LOOP)
    assert "tide.py:49" in part(made, "wrong")
    assert "8 actions (4 edits and 4 checks)." in part(made, "cost")
    assert "Print the values at `tide.py:49`" in part(made, "next")


@pytest.mark.parametrize("parts", [FIXED, LOOP], ids=["fixed", "loop"])
def test_every_statement_has_its_steps(parts: list[Part]) -> None:
    lead = diagnosed(*parts).diagnosis.lead
    assert all(statement.steps for statement in lead)


def test_long_texts_leave_out_what_weighs_least() -> None:
    long = [user(f"Also look at the harbour of bay {n}. {'It is deep. ' * 60}") for n in range(9)]
    later: list[Part] = [part for n, turn in enumerate(long) for part in (turn, read(f"bay{n}.md", "x"))]
    made = diagnosed(LOOP, *later, submit("Done. " * 200))
    assert {statement.part for statement in made.diagnosis.lead} >= {"asked", "delivered", "known", "wrong", "cost"}
    assert 60 <= words(made) <= 120


def test_the_first_screen_of_a_sample_has_at_most_120_words(samples: Path) -> None:
    made = (session for path in samples.glob("*.json") for session in analyze(path).sessions)
    assert [words(session) <= 120 for session in made] == [True] * 4


@table("a_part_of_the_first_screen")
def test_a_part_of_the_first_screen(parts: Written, header: dict[str, Any], part: str, said: list[str]) -> None:
    lead = diagnosed(*parts_of(parts), **header).diagnosis.lead
    assert [entry.text for entry in lead if entry.first and entry.part == part] == said


@table("how_a_headline_begins_and_goes_on")
def test_how_a_headline_begins_and_goes_on(parts: Written, status: str, begins: str, on_the_way: str) -> None:
    made = diagnosed(*parts_of(parts))
    first, _, after = made.diagnosis.headline.partition(" On the way: ")
    assert made.outcome.status == status
    assert (first.startswith(begins), after.startswith(on_the_way), bool(after)) == (True, True, bool(on_the_way))


def test_what_went_wrong_in_another_lane_is_at_steps_of_that_lane() -> None:
    fails = pytest_report("KeyError: 'low_tide'", raised=("tide.py", 49, "return levels['low_tide']"))
    theirs = [
        [edit("tide.py", f"a{n}", f"b{n}", lane="agent-1"), run("pytest", fails, 1, lane="agent-1")] for n in range(4)
    ]
    lead = diagnosed(*FIXED[:2], theirs, run("ls"), says("I stop here.")).diagnosis.lead
    lanes = {name: [statement.lane for statement in lead if statement.part == name] for name in ("wrong", "next")}
    assert lanes == {"wrong": ["agent-1", "main", "agent-1"], "next": ["agent-1"]}
    assert {entry.lane for entry in lead if entry.part in ("asked", "delivered", "said", "known")} == {"main"}


def test_nothing_is_said_of_the_steps_where_no_result_is_recorded() -> None:
    made = diagnosed(user("Where is the tide table?"), says("I look."), run("ls", None, None))
    assert "steps" not in {statement.part for statement in made.diagnosis.lead}


def test_what_a_shell_answers_to_a_sentence_is_quoted_as_it_stands() -> None:
    answers = ("I: command not found", "syntax error near unexpected token `,'", "I: command not found")
    words = "I have looked at it, and it's fine."
    made = diagnosed(user("Tidy up."), *(run(words, f"bash: line 1: {answer}", 2) for answer in answers))
    assert (made.diagnosis.root_cause or "").endswith("At step 1 the answer was `bash: line 1: I: command not found`.")


@pytest.mark.parametrize(
    "put_in",
    [
        "<external_links>\n### Tides\nThe tide comes twice a day.\n</external_links>\n\n",
        '<attached_files>\n<code_selection path="tide.py">\nL1: a = 1\n</code_selection>\n</attached_files>\n\n',
    ],
)
def test_what_an_editor_puts_into_a_message_is_not_what_was_asked(put_in: str) -> None:
    first: list[Part] = [user(put_in + "Why twice?"), says("The moon pulls."), run("ls", "tide.py")]
    then: list[Part] = [user(put_in + "Show where the table is."), run("ls", "tide.py"), says("There.")]
    asked = [part(diagnosed(*first, *later), "asked") for later in ([], then)]
    assert asked == ['"Why twice?"', 'The last request of 2 turns: "Show where the table is."']


def test_a_message_that_is_all_put_in_stays() -> None:
    said = "<external_links>\nThe tide comes twice a day.\n</external_links>"
    assert "twice a day" in part(diagnosed(user(said)), "asked")
