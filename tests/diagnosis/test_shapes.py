"""Every sort of trouble gets its root cause; what is asked and tried names something of it."""

from __future__ import annotations

import pytest

from analyzer.detectors import detect
from analyzer.diagnosis.case import Case
from analyzer.diagnosis.clues import Shape, shape_of
from analyzer.diagnosis.labels import steps_text
from analyzer.diagnosis.proposals import is_specific
from tests.build import Part, call, diagnosed, edit, pytest_report, read, run, says, submit, timeline, traceback

NEEDS_FOUR = pytest_report(
    "ValueError: Need at least 4 corners for a quad",
    test_code="shape = Quad(corners=[0, 1, 2])",
    raised=("shapes.py", 49, "raise ValueError(f'Need at least {n} corners for a quad')"),
)
FROM_CODE = pytest_report("IndexError: list index out of range", raised=("shapes.py", 49, "return sides[4]"))
NO_MATCH = "String to replace not found in file."


def rounds(report: str) -> list[Part]:
    return [[edit("shapes.py", f"{n}", f"{n}{n}"), run("pytest", report, 1)] for n in range(4)]


TROUBLES: list[tuple[str, list[Part], Shape]] = [
    ("wrong file", rounds(NEEDS_FOUR), Shape.WRONG_FILE),
    ("same error", rounds(FROM_CODE), Shape.SAME_ERROR),
    (
        "the same text put in again",
        [
            call(
                "edit",
                {"path": "a.py", "start": 1, "end": 1, "text": "import math\nprint(math.tau)\nprint(math.pi)"},
                f"Edited: the file has {3 + 2 * n} lines.",
                said="The lines are there twice." if n else "",
            )
            for n in range(5)
        ],
        Shape.IDLE_CALL,
    ),
    ("edit without a match", [edit("a.py", f"x{n}", "y", NO_MATCH, is_error=True) for n in "abcd"], Shape.REFUSED_EDIT),
    (
        "edit with a syntax error",
        [
            call(
                "edit",
                {"path": "a.py", "start": 3, "end": 5, "text": f"x = {n}"},
                (
                    "Your proposed edit has introduced new syntax error(s).\n\nERRORS:\n- E999 IndentationError: "
                    "unexpected indent"
                ),
            )
            for n in range(3)
        ],
        Shape.REFUSED_EDIT,
    ),
    (
        "missing path",
        [run("ls", "./src/shapes/area.py"), [run("cat area.py", "cat: area.py: No such file or directory", 1)] * 3],
        Shape.FAILING_CALL,
    ),
    ("missing program", [[run("cargo test", "bash: cargo: command not found", 127)] * 3], Shape.FAILING_CALL),
    (
        "timeout",
        [[run("make watch", "Command timed out after 120 seconds", None, is_error=True)] * 3],
        Shape.FAILING_CALL,
    ),
    ("other failing call", [[run("git push", "fatal: repository 'x' not found", 128)] * 3], Shape.FAILING_CALL),
    ("call without effect", [[call("settle", {"amount": 1}, "Accepted.")] * 4], Shape.IDLE_CALL),
    (
        "cycle with one failing call",
        [
            [
                run("python a.py", traceback("KeyError: 'x'", ("a.py", 3, "load", "d['x']")), 1),
                read("a.py", "one"),
                run("ls", "a"),
            ]
            * 4
        ],
        Shape.FAILING_CALL,
    ),
    (
        "to and fro",
        [[edit("tide.py", "depth = 3", "depth = 5"), edit("tide.py", "depth = 5", "depth = 3")] * 3],
        Shape.OTHER,
    ),
    ("only words", [[says("I will now open the atlas and look for the harbour.")] * 4], Shape.OTHER),
    (
        "a tool that isn't there",
        [
            [call("fly", {"to": name}, "Unknown tool: fly", is_error=True), read(f"{name}.md", name)]
            for name in "abcdefgh"
        ],
        Shape.FAILING_CALL,
    ),
    ("claim without a check", [edit("a.py", "x", "y"), submit("All done.")], Shape.UNVERIFIED),
    (
        "claim against a check",
        [edit("a.py", "x", "y"), run("pytest", FROM_CODE, 1), submit("All done.")],
        Shape.UNVERIFIED,
    ),
]


@pytest.mark.parametrize(("parts", "shape"), [pytest.param(parts, shape, id=name) for name, parts, shape in TROUBLES])
def test_the_sort_of_trouble(parts: list[Part], shape: Shape) -> None:
    made = timeline(*parts)
    assert shape_of(Case(made, detect(made))) is shape


@pytest.mark.parametrize("parts", [pytest.param(parts, id=name) for name, parts, _ in TROUBLES])
def test_every_trouble_gets_its_guidance(parts: list[Part]) -> None:
    made = diagnosed(*parts)
    diagnosis = made.diagnosis
    assert diagnosis.root_cause
    assert diagnosis.headline.endswith((".", "…"))
    assert all(is_specific(approach.text) for approach in diagnosis.approaches)
    assert len({approach.title for approach in diagnosis.approaches}) == len(diagnosis.approaches)
    assert len({approach.text for approach in diagnosis.approaches}) == len(diagnosis.approaches)
    assert all(question.endswith((".", "?", ")")) for question in diagnosis.step_back)
    assert all(is_specific(text) for text in diagnosis.step_back)
    assert diagnosis.reasons or diagnosis.approaches or diagnosis.improvements
    assert [item.priority for item in diagnosis.improvements] == list(range(1, len(diagnosis.improvements) + 1))
    assert diagnosis.improvements
    assert diagnosis.story
    last = len(made.timeline)
    assert all(1 <= step <= last for reason in diagnosis.reasons for step in reason.steps)
    assert all(1 <= step <= last for attempt in diagnosis.attempts for step in attempt.steps)


def test_a_loop_that_was_left_needs_no_way_out() -> None:
    diagnosis = diagnosed([run("ls", "a")] * 3, read("a"), read("b"), says("Here is what I found.")).diagnosis
    assert diagnosis.root_cause
    assert diagnosis.approaches == []


@pytest.mark.parametrize("parts", [pytest.param(parts, id=name) for name, parts, _ in TROUBLES])
def test_texts_are_whole(parts: list[Part]) -> None:
    diagnosis = diagnosed(*parts).diagnosis
    texts = [
        *(diagnosis.headline, diagnosis.root_cause or "", *diagnosis.story, *diagnosis.step_back, *diagnosis.lessons),
        *(text for reason in diagnosis.reasons for text in (reason.title, reason.text)),
        *(text for entry in diagnosis.approaches for text in (entry.title, entry.text)),
        *(text for item in diagnosis.improvements for text in (item.title, item.why, item.change, item.impact)),
    ]
    for text in texts:
        assert text.strip() == text
        assert text
        assert not any(word in text for word in ("None", "  ", "``", "{", "Shape.", "<Kind")), text


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param(
            [edit("a.py", "x", "y"), run("pytest", "4 passed in 0.1s", 0), says("Now it is fixed.")],
            id="done and checked",
        ),
        pytest.param([read("a.py"), says("It reads the file.")], id="only read"),
        pytest.param(
            [run("pytest", FROM_CODE, 1), edit("a.py", "x", "y"), run("pytest", "4 passed in 0.1s", 0)],
            id="one failure, mended",
        ),
        pytest.param([], id="nothing happened"),
    ],
)
def test_a_session_without_trouble_gets_none_of_it(parts: list[Part]) -> None:
    diagnosis = diagnosed(*parts).diagnosis
    assert diagnosis.root_cause is None
    assert diagnosis.fault is None
    assert diagnosis.headline.rstrip('"').endswith(".")
    for entries in (diagnosis.reasons, diagnosis.improvements, diagnosis.lessons, diagnosis.attempts, diagnosis.story):
        assert list(entries) == []
    assert diagnosis.approaches == []
    assert diagnosis.step_back == []
    assert diagnosis.contributing == []


def test_the_wrong_file_is_named_with_what_it_demands() -> None:
    diagnosis = diagnosed(*rounds(NEEDS_FOUR)).diagnosis
    assert diagnosis.fault is not None
    assert (diagnosis.fault.file, diagnosis.fault.line) == ("tests/test_shapes.py", 12)
    assert diagnosis.edited_instead == ["shapes.py"]
    assert diagnosis.requirement == "the message asks for at least 4 corners, and `corners=[0, 1, 2]` has 3"


def test_the_error_is_counted_by_the_steps_that_show_it() -> None:
    parts = next(parts for name, parts, _ in TROUBLES if name == "cycle with one failing call")
    (reason,) = [reason for reason in diagnosed(*parts).diagnosis.reasons if reason.title.startswith("No learning")]
    assert "occurred 4 times" in reason.text
    assert reason.steps == [1, 4, 7, 10]


@pytest.mark.parametrize(
    ("steps", "text"),
    [
        ([], ""),
        ([3], "3"),
        ([3, 5], "3 and 5"),
        ([1, 2, 3], "1, 2 and 3"),
        (list(range(1, 20)), "1, 2, 3, 4, 5, 6, ..., 19"),
    ],
)
def test_step_numbers_for_people(steps: list[int], text: str) -> None:
    assert steps_text(steps) == text


def test_the_guard_is_configured_for_what_it_would_have_raised() -> None:
    made = diagnosed([edit("a.py", f"{n}", f"{n}{n}"), run("pytest", pytest_report(), 1)] for n in range(5))
    (guard,) = [entry for entry in made.diagnosis.improvements if entry.where == "guard"]
    about = made.findings[made.diagnosis.about or 0]
    assert (guard.sketch or "").startswith(f'Guard(task, select=["{about.detector}"')
    assert f"# step {about.detectable_at}: " in (guard.sketch or "")
    assert guard.saves is not None
    assert guard.saves.actions == about.last_step - about.detectable_at


def test_an_edit_that_a_check_confirms_is_not_among_what_the_guard_saves() -> None:
    def one(number: int) -> list[Part]:
        confirmed = run(f"pytest tests/test_part{number}.py", "===== 4 passed in 0.10s =====")
        return [edit(f"part{number}.py", "x", "y"), confirmed, run("pytest tests/test_whole.py", pytest_report(), 1)]

    made = diagnosed(*(one(number) for number in range(6)))
    about = made.findings[made.diagnosis.about or 0]
    (guard,) = [entry for entry in made.diagnosis.improvements if entry.where == "guard"]
    assert guard.saves is not None
    # Of each round's three steps the edit was confirmed, and the check that did it was a success; one failed.
    assert guard.saves.actions == (about.last_step - about.detectable_at) // 3
    assert "those that failed, were repeats or left a failure unchanged" in guard.impact


def test_improvements_come_in_the_order_of_what_they_save() -> None:
    for _, parts, _ in TROUBLES:
        improvements = diagnosed(*parts).diagnosis.improvements
        saved = [entry.saves.actions if entry.saves is not None else 0 for entry in improvements]
        assert saved == sorted(saved, reverse=True)


def test_improvements_come_in_the_order_of_their_phases() -> None:
    for _, parts, _ in TROUBLES:
        phases = [entry.phase for entry in diagnosed(*parts).diagnosis.improvements]
        assert phases == sorted(phases, key=["now", "next", "later"].index)


def test_calls_of_which_no_output_is_recorded_have_no_answer() -> None:
    cause = diagnosed(
        *[run("df /q | grep -q quay && echo yes || echo no", "", 1) for _ in range(6)]
    ).diagnosis.root_cause
    assert (cause or "").endswith("No output is recorded of any of them.")


def test_answers_that_differ_are_not_called_the_same() -> None:
    same, other = (
        diagnosed(*[run("cd quay", f"sh: line {line}: cd: quay: No such file or directory", 1) for line in lines])
        for lines in ([3] * 5, range(3, 8))
    )
    assert "Each time the answer was" in (same.diagnosis.root_cause or "")
    assert "At step 1 the answer was" in (other.diagnosis.root_cause or "")


def test_calls_that_fail_in_other_words_have_no_same_answer() -> None:
    words = ("disk is full", "Permission denied", "Connection refused", "killed", "Is a directory", "no such host")
    made = diagnosed(*[call("sync_all", {}, f"Error: {text}", is_error=True) for text in words]).diagnosis
    said = " ".join([made.headline, made.root_cause or "", *(entry.text for entry in made.approaches)])
    assert "same answer" not in said
    assert "answered the same" not in said
