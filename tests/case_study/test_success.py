from __future__ import annotations

from analyzer.case_study.success import all_passed, check_success, goal_reached
from analyzer.model.case_study import Check
from analyzer.model.words import Ending
from tests.build import Part, diagnosed, run, says, timeline, write
from tests.case_study.story import scenario
from tests.sessions import Written, parts_of
from tests.tables import table

HEAD = "title: t\nprompt: p\nsuccess:\n"


def checks(success: str, *parts: Part, **header: object) -> list[Check]:
    return check_success(scenario(f"{HEAD}  {success}\n"), diagnosed(*parts, **header), timeline(*parts, **header))


def outcome(success: str, *parts: Part, **header: object) -> list[bool | None]:
    return [check.passed for check in checks(success, *parts, **header)]


def test_a_scenario_that_asks_for_nothing_has_no_checks() -> None:
    assert check_success(scenario("title: t\nprompt: p\n"), diagnosed(run("ls")), timeline(run("ls"))) == []
    assert all_passed([]) is None


FILE = "files: [{path: a.md, contains: [alpha, beta]}]"


@table("files_are_what_the_calls_wrote")
def test_files_are_what_the_calls_wrote(parts: Written, expected: list[bool | None]) -> None:
    assert outcome(FILE, *parts_of(parts)) == expected


def test_a_file_may_be_named_by_a_pattern() -> None:
    assert outcome("files: [{path: 'out/*.md', contains: x}]", write("/srv/app/out/b.md", "x")) == [True, True]


def test_a_check_quotes_what_shows_it() -> None:
    there, content = checks("files: [{path: a.md, contains: alpha}]", run("ls"), write("a.md", "alpha"))
    assert (there.what, content.what) == ("a.md was written", 'a.md contains "alpha"')
    assert content.evidence is not None
    assert (content.evidence.step, content.evidence.quote) == (2, "alpha")


def test_what_is_found_far_behind_is_quoted_there() -> None:
    (check,) = checks("final_answer: {contains: plugins.md}", run("ls"), says("word " * 500 + "it's in plugins.md now"))
    assert check.evidence is not None
    assert check.evidence.quote.startswith("…")
    assert "it's in plugins.md now" in check.evidence.quote


@table("the_final_answer_is_what_is_said_last")
def test_the_final_answer_is_what_is_said_last(parts: Written, expected: list[bool | None]) -> None:
    assert outcome("final_answer: {contains: plugins.md}", *parts_of(parts)) == expected


@table("the_recorded_ending_is_asked")
def test_the_recorded_ending_is_asked(wanted: str, ending: Ending | None, expected: bool | None) -> None:
    assert outcome(f"recorded: {wanted}", run("ls"), ending=ending) == [expected]


def test_findings_above_a_level_fail_the_run() -> None:
    rounds = [part for _ in range(6) for part in (run("pytest", "1 failed", exit_code=1),)]
    assert outcome("no_finding_above: low", *rounds) == [False]
    assert outcome("no_finding_above: high", *rounds) == [True]
    assert outcome("no_finding_above: info", run("ls", "a.py")) == [True]


def test_whether_it_succeeded_needs_all_checks() -> None:
    yes, no, unknown = (Check(subject="file", what="x", passed=passed) for passed in (True, False, None))
    assert [all_passed(entries) for entries in ([yes], [yes, no], [yes, unknown], [no, unknown])] == [
        True,
        False,
        None,
        False,
    ]


def test_what_the_timeline_does_not_show_does_not_count_for_the_goal() -> None:
    wanted = scenario(f"{HEAD}  no_finding_above: low\n  files: [{{path: a.md}}]\n")
    assert goal_reached(wanted, timeline(write("a.md", "x"))) is True
    assert goal_reached(wanted, timeline(run("ls"))) is False


def test_what_another_lane_wrote_is_shown_at_no_step_of_the_main_lane() -> None:
    (_, alpha, _) = checks(FILE, run("ls"), write("a.md", "alpha", lane="agent-1"))
    assert alpha.passed
    assert alpha.evidence is not None
    assert alpha.evidence.step == 0
