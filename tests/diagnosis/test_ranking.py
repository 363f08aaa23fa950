"""One finding is taken for the root cause, and the page says why it rather than another."""

from __future__ import annotations

from analyzer.model.postmortem import PostMortem
from analyzer.report.markdown import render
from tests.build import Part, call, diagnosed, edit, pytest_report, read, report, run, session, submit, traceback

NEEDS_FOUR = pytest_report(
    "ValueError: Need at least 4 corners for a quad",
    test_code="shape = Quad(corners=[0, 1, 2])",
    raised=("shapes.py", 49, "raise ValueError(f'Need at least {n} corners for a quad')"),
)
AFTER = [run(f"python {name}.py", name) for name in ("alpha", "beta", "gamma", "delta")]


def rounds(report: str, count: int = 4) -> list[Part]:
    return [[edit("shapes.py", f"{n}", f"{n}{n}"), run("pytest", report, 1)] for n in range(count)]


def about(made: PostMortem) -> tuple[str | None, str | None]:
    """The detectors of the finding that the page is about, and of its cause."""
    diagnosis, findings = made.diagnosis, made.findings
    main = findings[diagnosis.about].detector if diagnosis.about is not None else None
    return main, findings[diagnosis.cause].detector if diagnosis.cause is not None else None


def test_what_explains_the_loop_is_its_cause() -> None:
    made = diagnosed(rounds(NEEDS_FOUR))
    assert about(made) == ("loops", "wrong-file")


def test_a_tool_that_is_not_there_explains_the_calls_that_fail() -> None:
    made = diagnosed(
        [[call("fly", {"to": name}, "Unknown tool: fly", is_error=True), read(f"{name}.md", name)] for name in "abcdef"]
    )
    assert about(made) == ("loops", "unknown-tool")
    assert made.diagnosis.root_cause is not None
    assert "Unknown tool: fly" in made.diagnosis.root_cause


def test_a_loop_without_an_explanation_is_its_own_cause() -> None:
    made = diagnosed(
        rounds(pytest_report("IndexError: list index out of range", raised=("shapes.py", 49, "return sides[4]")))
    )
    assert about(made) == ("loops", "loops")


def test_findings_are_not_held_against_each_other() -> None:
    late = [run("python b.py", traceback("KeyError: 'x'", ("b.py", 3, "load", "d['x']")), 1) for _ in range(5)]
    made = diagnosed(late, AFTER, rounds(NEEDS_FOUR, 6))
    assert about(made) == ("loops", "wrong-file")
    assert made.diagnosis.contributing, "the other loop is told besides"
    assert all("step" in sentence for sentence in made.diagnosis.contributing)


def test_a_finding_that_nothing_explains_has_no_reason() -> None:
    late = [run("python b.py", traceback("KeyError: 'x'", ("b.py", 3, "load", "d['x']")), 1) for _ in range(5)]
    error = pytest_report("IndexError: list index out of range", raised=("shapes.py", 49, "return sides[4]"))
    made = diagnosed(late, AFTER, rounds(error, 6))
    assert about(made) == ("loops", "loops")
    page = render(report(session(late, AFTER, rounds(error, 6))))
    assert "outrank" not in page
    assert "`loops`" not in page


def test_nothing_is_about_nothing() -> None:
    made = diagnosed(AFTER)
    assert about(made) == (None, None)


def test_what_only_counts_the_same_failure_again_is_not_reported_twice() -> None:
    made = diagnosed(rounds(NEEDS_FOUR), submit("Done."))
    assert {finding.detector for finding in made.findings} >= {"loops", "wrong-file"}
    assert [aspect.detector for finding in made.findings for aspect in finding.aspects] == ["identical-error"]
    assert not any("same error" in sentence for sentence in made.diagnosis.contributing)


def test_what_was_new_in_each_attempt_is_said() -> None:
    report = run(
        "pytest", pytest_report("IndexError: list index out of range", raised=("shapes.py", 49, "return sides[4]")), 1
    )
    made = diagnosed(
        edit("shapes.py", "a = 1", "a = 2"),
        report,
        edit("shapes.py", "a = 1", "a = 3"),
        report,
        edit("shapes.py", "a = 1", "a = 3"),
        report,
        edit("sides.py", "b", "c"),
        report,
        read("sides.py", "text"),
        edit("sides.py", "d", "e"),
        report,
        report,
    )
    assert [attempt.new for attempt in made.diagnosis.attempts] == [
        "",
        "other text at the same place",
        "the same edit again",
        "another file: `sides.py`",
        "another place of the same file, looked at `sides.py`",
        "nothing",
    ]
