"""Files that have another name at the end, and changes that a read only shows."""

from __future__ import annotations

import pytest

from analyzer.model.diagnosis import MoveKind
from analyzer.model.postmortem import PostMortem
from tests.build import Part, call, diagnosed, edit, read, run, says, user, write


def left(*parts: Part) -> tuple[list[str], list[str]]:
    """The files of the deliverable, and what the lead says of them."""
    report = diagnosed(user("Put it in order."), *parts, says("Done."))
    assert report.outcome.deliverable is not None
    said = [entry.text for entry in report.diagnosis.lead if entry.part == "delivered"]
    return report.outcome.deliverable.files, said[:1]


def moves(report: PostMortem) -> list[tuple[int, MoveKind]]:
    return [(row.step, move.kind) for row in report.timeline for move in row.moves]


def test_what_was_moved_is_named_as_it_is_called_now() -> None:
    files, said = left(run("mv /srv/box /srv/box_old"))
    assert files == ["/srv/box_old"]
    assert said == ["Changed `/srv/box_old` (moved from `/srv/box`, step 1)."]


def test_a_folder_that_is_moved_into_one_stays_there() -> None:
    report = diagnosed(
        run("mv /srv/box /srv/box_old"), run("mkdir -p /srv/box && mv /srv/box /srv/box_old"), says("Done.")
    )
    assert report.outcome.deliverable is not None
    assert report.outcome.deliverable.files == ["/srv/box_old"]
    assert moves(report) == []


def test_a_file_that_is_moved_on_is_not_removed() -> None:
    report = diagnosed(write("a.py", "x = 1\n"), run("mv a.py b.py"), says("Done."))
    assert report.outcome.deliverable is not None
    assert report.outcome.deliverable.files == ["b.py"]
    assert moves(report) == []


def test_what_is_removed_after_it_was_made_is_said_to_be() -> None:
    report = diagnosed(write("a.py", "x = 1\n"), run("rm a.py"), edit("b.py", "1", "2"), says("Done."))
    assert moves(report) == [(2, MoveKind.REMOVES_OWN)]


@pytest.mark.parametrize("command", ["rm a.py", "git rm a.py"])
def test_what_was_removed_is_still_named(command: str) -> None:
    files, _ = left(read("a.py", "x = 1\n"), run(command))
    assert files == ["a.py"]


def test_a_copy_leaves_the_first_file_alone() -> None:
    files, said = left(run("cp a.py b.py"))
    assert (files, said) == (["b.py"], ["Wrote `b.py` (step 1)."])


BEFORE, AFTER = '{"a": 1}', '{"a": 1, "b": 2}'


@pytest.mark.parametrize(
    "between",
    [
        run("tool config set b 2", "ok"),
        call("configure", {"file": "cfg.json", "b": 2}, "ok"),
        [run("tool sync", "ok"), run("tool --file cfg.json set b 2", "ok")],
    ],
    ids=["the-only-command", "a-tool-that-names-it", "the-command-that-names-it"],
)
def test_a_change_that_a_read_shows_is_the_call_s_that_made_it(between: Part) -> None:
    report = diagnosed(user("Set b."), read("cfg.json", BEFORE), between, read("cfg.json", AFTER), says("Done."))
    last = report.timeline[-1].step
    said = next(entry.text for entry in report.diagnosis.lead if entry.part == "delivered")
    assert said == f"Changed `cfg.json` (step {last - 1})."
    assert report.timeline[-1].repeats_step is None


def test_a_change_that_either_of_two_commands_may_have_made_has_no_step() -> None:
    files, said = left(read("cfg.json", BEFORE), run("tool one"), run("tool two"), read("cfg.json", AFTER))
    assert (files, said) == (["cfg.json"], ["Changed `cfg.json`."])


def test_a_change_that_nothing_in_the_session_made_is_not_delivered() -> None:
    files, _ = left(read("cfg.json", BEFORE), read("other.json", "{}"), read("cfg.json", AFTER))
    assert files == []


@pytest.mark.parametrize(
    ("again", "repeats"),
    [
        (BEFORE, 1),
        (BEFORE + "\n<system-reminder>Be brief.</system-reminder>", 1),
        ("File unchanged since it was last read.", 1),
        (AFTER, None),
        (BEFORE + "\n{}", None),
        ('{"a": 2}', None),
    ],
    ids=["equal", "with-a-reminder", "a-notice", "another", "grown", "one-digit"],
)
def test_a_read_that_shows_something_else_is_no_repetition(again: str, repeats: int | None) -> None:
    report = diagnosed(read("cfg.json", BEFORE), read("cfg.json", again), says("Done."))
    assert report.timeline[1].repeats_step == repeats


def test_the_third_read_repeats_the_second_where_only_the_first_differed() -> None:
    report = diagnosed(read("cfg.json", BEFORE), *[read("cfg.json", AFTER)] * 2, says("Done."))
    assert [row.repeats_step for row in report.timeline] == [None, None, 2]


@pytest.mark.parametrize(("again", "repeats"), [("a.py", 1), ("a.py\nb.py", None)])
def test_a_search_that_finds_something_else_is_none_either(again: str, repeats: int | None) -> None:
    report = diagnosed(run("ls src", "a.py"), run("ls src", again), says("Done."))
    assert report.timeline[1].repeats_step == repeats
