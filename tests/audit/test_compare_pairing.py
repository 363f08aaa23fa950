"""Which sessions are paired, and which must not be."""

from __future__ import annotations

import pytest

from analyzer.audit.compare.pairing import Pairs, pair, without_trial
from analyzer.audit.compare.side import Run
from tests.audit.compared import TASKS, run
from tests.tables import table


def names(pairs: Pairs) -> list[tuple[list[str], list[str]]]:
    return [([entry.session for entry in task.before], [entry.session for entry in task.after]) for task in pairs.tasks]


def one_each(pairs: Pairs) -> bool:
    return all(len(task.before) == len(task.after) == 1 for task in pairs.tasks)


@table("what_changes_from_run_to_run_is_no_part_of_a_name")
def test_what_changes_from_run_to_run_is_no_part_of_a_name(name: str, bare: str) -> None:
    assert without_trial(name) == bare


def test_equal_ids_are_paired_whatever_their_order() -> None:
    before = [run(f"case-{number}", task=task) for number, task in enumerate(TASKS)]
    pairs = pair(before, before[::-1])
    assert (pairs.by, len(pairs.tasks), one_each(pairs)) == ("id", 12, True)
    assert all(task.before[0].session == task.after[0].session for task in pairs.tasks)


def test_a_rewritten_prompt_around_the_same_task_is_still_the_same_task() -> None:
    before = [run(f"case-{number}", task=task) for number, task in enumerate(TASKS)]
    after = [
        run(f"case-{number}", task=f"You are a careful assistant. {task}. Think before you act.")
        for number, task in enumerate(TASKS)
    ]
    assert pair(before, after).by == "id"


def test_ids_that_are_positions_in_a_file_pair_nothing() -> None:
    before = [run(f"item-{number}", task=task) for number, task in enumerate(TASKS[:6])]
    after = [run(f"item-{number}", task=task) for number, task in enumerate(TASKS[6:])]
    pairs = pair(before, after)
    assert (pairs.by, pairs.tasks) == ("none", ())
    assert pairs.attempts[0].usable is False


def test_ids_that_are_positions_of_templated_tasks_pair_nothing() -> None:
    """The template's words are shared by all tasks, so that any two look alike."""
    template = "Write a function in Python that solves the following exercise and passes its tests: {}"
    before = [run(f"item-{number}", task=template.format(f"exercise{number}")) for number in range(8)]
    after = [run(f"item-{number}", task=template.format(f"exercise{number + 50}")) for number in range(8)]
    assert pair(before, after).tasks == ()


def test_shifted_positions_are_paired_by_the_words_of_the_task() -> None:
    before = [run(f"item-{number}", task=task) for number, task in enumerate(TASKS)]
    after = [run(f"item-{number}", task=task) for number, task in enumerate(TASKS[1:])]
    pairs = pair(before, after)
    assert (pairs.by, len(pairs.tasks)) == ("task", 11)
    assert all(task.before[0].task == task.after[0].task for task in pairs.tasks)
    assert [entry.task for entry in pairs.alone_before] == [TASKS[0]]


def test_trials_of_a_task_are_one_task() -> None:
    before = [run(f"{number}/trial-{trial}", task=task) for number, task in enumerate(TASKS[:4]) for trial in range(3)]
    after = [run(f"{number}/trial-{trial}", task=task) for number, task in enumerate(TASKS[:4]) for trial in range(2)]
    pairs = pair(before, after)
    assert [(len(task.before), len(task.after)) for task in pairs.tasks] == [(3, 2)] * 4


def test_trials_under_names_that_do_not_say_so_are_found_by_their_words() -> None:
    before = [run(f"{number}-{letter}", task=task) for number, task in enumerate(TASKS) for letter in "ab"]
    pairs = pair(before, before)
    assert [(len(task.before), len(task.after)) for task in pairs.tasks] == [(2, 2)] * 12


def test_one_prompt_for_many_named_tasks_makes_them_no_trials() -> None:
    before = [run(f"repository-{name}", task="Read the file ISSUE and fix what it describes") for name in "abcdefgh"]
    pairs = pair(before, before)
    assert (pairs.by, len(pairs.tasks), one_each(pairs)) == ("id", 8, True)


@pytest.mark.parametrize("name", ["trial-{}", "{}", "run-{}", "2025-03-0{}"])
def test_names_that_only_number_the_runs_of_one_task_make_them_trials(name: str) -> None:
    before = [run(name.format(number), task=TASKS[0]) for number in range(1, 9)]
    (task,) = pair(before, before).tasks
    assert (len(task.before), len(task.after)) == (8, 8)


def test_the_same_number_in_two_benchmarks_is_no_trial() -> None:
    before = [
        run("7/trial-0", task=TASKS[0]),
        run("7/trial-1", task=TASKS[1]),
        *(run(f"{n}/trial-0", task=TASKS[n]) for n in range(2, 6)),
    ]
    assert all(len(task.before) == 1 for task in pair(before, before).tasks)


@pytest.mark.parametrize("said", ["continue", "Please continue.", "hi", "run the tests"])
def test_words_that_say_nothing_pair_nothing(said: str) -> None:
    before = [run(f"a{number}", task=said, path=f"/old/{number}/x{number}.json") for number in range(3)]
    after = [run(f"b{number}", task=said, path=f"/new/{number}/y{number}.json") for number in range(3)]
    assert pair(before, after).tasks == ()


def test_a_short_task_pairs_only_where_it_is_the_only_one() -> None:
    once = pair(
        [run("a1", task="Paint the fence"), run("a2", task=TASKS[0])],
        [run("b1", task="Paint the fence"), run("b2", task=TASKS[0])],
    )
    assert len(once.tasks) == 2
    often = pair(
        [run("a1", task="Paint the fence"), run("a2", task="Paint the fence")], [run("b1", task="Paint the fence")]
    )
    assert often.tasks == ()


def test_paths_below_the_common_folder_pair_sessions_whose_logs_tell_nothing_else() -> None:
    def tree(root: str) -> list[Run]:
        return [
            run(f"{root}{n}", path=f"/{root}/2025-01-0{n + 1}/{name}/run.json.gz")
            for n, name in enumerate(("sort", "draw", "count"))
        ]

    pairs = pair(tree("old"), tree("new"))
    assert (pairs.by, names(pairs)) == ("path", [(["old0"], ["new0"]), (["old1"], ["new1"]), (["old2"], ["new2"])])


def test_equal_file_names_of_sessions_without_a_task_are_no_trials() -> None:
    before = [run("agent", path=f"/old/{name}/agent.log") for name in ("sort", "draw", "count")]
    after = [run("agent", path=f"/new/{name}/agent.log") for name in ("sort", "draw", "count")]
    pairs = pair(before, after)
    assert (pairs.by, len(pairs.tasks), one_each(pairs)) == ("path", 3, True)


def test_a_title_that_names_a_benchmark_is_no_task() -> None:
    before = [run(f"a{number}", title="popular-benchmark", task=task) for number, task in enumerate(TASKS)]
    after = [run(f"b{number}", title="popular-benchmark", task=task) for number, task in enumerate(TASKS)]
    assert pair(before, after).by == "task"


def test_a_single_session_on_each_side_is_a_pair_unless_the_tasks_differ() -> None:
    assert pair([run("x")], [run("y")]).by == "only"
    assert pair([run("x", task=TASKS[0])], [run("y", task=TASKS[1])]).by == "none"


def test_a_key_that_was_asked_for_is_taken_at_its_word() -> None:
    before, after = [run("same", task=TASKS[0])], [run("same", task=TASKS[1])]
    assert len(pair(before, after, "id").tasks) == 1
    assert pair(before, after, "none").tasks == ()
    assert pair(before, after, "title").tasks == ()
