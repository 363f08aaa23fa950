"""Which family a session's task belongs to, and which sessions are of the same task."""

from __future__ import annotations

import pytest

from analyzer.audit.figures.tasks import family_of, task_key_of
from analyzer.model.postmortem import PostMortem
from analyzer.model.words import SIMULATED_USER
from tests.build import diagnosed, run
from tests.growth import assert_in_proportion
from tests.tables import table

UUID = "c64cc478-3430-40fe-8e9c-4ee9986e9754"


def session(name: str, title: str | None = None, task: str = "", folder: str | None = None) -> PostMortem:
    return diagnosed(
        run("ls"), id=name, title=title, task=task, environment={"working directory": folder} if folder else {}
    )


@table("family_by_id_and_place")
def test_family_by_id_and_place(name: str, path: str, family: str) -> None:
    assert family_of(session(name), path) == family


def test_a_huge_name_is_no_family() -> None:
    assert family_of(session("x" * 5_000), "C:\\runs\\garden\\a.json") == "garden"


@table("family_by_title")
def test_family_by_title(title: str, family: str) -> None:
    assert family_of(session("4_epoch_1", title), "/runs/flowers/a.eval") == family


@table("family_by_working_directory")
def test_family_by_working_directory(folder: str, family: str) -> None:
    assert family_of(session(UUID, folder=folder), "/runs/flowers/a.jsonl") == family


def test_family_by_the_domain_of_tau_bench() -> None:
    assert family_of(session("12/trial-0"), "/runs/react_retail_trials5/out.json", "tau-bench") == "retail"
    assert family_of(session("12/trial-0"), "/runs/flowers/airline_10tasks.json", "tau2-bench") == "airline"
    assert family_of(session("12/trial-0"), "/runs/flowers/a_retailer.json", "tau-bench") == "flowers"


OTHER = [
    pytest.param(("octo__pump-7", None, "Fix it."), ("octo__pump-8", None, "Fix it."), id="instances"),
    pytest.param(("3_epoch_1", "wash_up", "Wash."), ("4_epoch_1", "wash_up", "Wash."), id="samples"),
    pytest.param(("3_epoch_1", "wash_up", "Wash."), ("3_epoch_1", "dry", "Wash."), id="tasks of samples"),
    pytest.param(("12/trial-0", None, "Book a flight."), ("13/trial-0", None, "Cancel a flight."), id="words"),
    pytest.param(
        ("garden-run-1", None, "Sow."), ("garden-run-2", None, "Reap."), id="runs of one name with other words"
    ),
    pytest.param((UUID, None, ""), (UUID.replace("9754", "9755"), None, ""), id="no words"),
    pytest.param(("a", None, "Use 3 eggs"), ("b", None, "Use 4 eggs"), id="numbers"),
]


@table("same")
def test_the_same_task(one: tuple[str, str | None, str], other: tuple[str, str | None, str]) -> None:
    assert task_key_of(session(*one), "/runs/a.json") == task_key_of(session(*other), "/logs/b.json")


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_other_tasks(one: tuple[str, str | None, str], other: tuple[str, str | None, str]) -> None:
    assert task_key_of(session(*one), "/runs/a.json") != task_key_of(session(*other), "/runs/a.json")


def test_logs_that_have_no_name_and_no_task_are_known_by_their_folder() -> None:
    one, other = "/before/garden/transcript.json", "/before/kitchen/transcript.json"
    assert task_key_of(session("transcript"), one) == task_key_of(
        session("transcript"), "/after/garden/transcript.json"
    )
    assert task_key_of(session("transcript"), one) != task_key_of(session("transcript"), other)


@pytest.mark.parametrize("unit", ["a", "_", "a_", "a__", "-1", "/", "2025-01-01", "a.1-of-1", " "])
def test_names_of_any_length_take_time_in_proportion(unit: str) -> None:
    def keys(text: str) -> None:
        made = session(text, text, text, text)
        assert family_of(made, f"/runs/{text}")
        assert len(task_key_of(made, f"/runs/{text}")) == 16

    assert_in_proportion(keys, lambda size: unit * (size // len(unit)), 20_000, 200_000, unit)


def test_trials_in_which_a_simulated_user_says_the_same_in_other_words_are_one_task() -> None:
    def key(said: str, told: str) -> str:
        made = session("4/trial-1", task=said)
        made.session.environment[SIMULATED_USER] = told
        return task_key_of(made, "/runs/a.json")

    wish = "You want the tide table of the Bay of Foxes corrected."
    assert key("Hello, my tide table is wrong.", wish) == key("The bay's table needs a fix.", wish)
    assert key("Hello, my tide table is wrong.", wish) != key("Hello, my tide table is wrong.", "You want a refund.")
