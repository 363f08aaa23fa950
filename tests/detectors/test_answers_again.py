"""Loops whose answers differ in what names them only, loops of made-up values, and repetition within a message."""

from __future__ import annotations

import pytest

from analyzer.model.session import Message
from tests.build import Part, call, edit, read, run, says, user
from tests.detectors.rounds import loops
from tests.sessions import Written, parts_of
from tests.tables import table

SENTENCE = "I will look at the tide table once more. "
GUESSES = ["alpha", "bravo", "delta", "tango", "sierra", "victor", "whiskey"]


def guess(name: str) -> Part:
    return call("get_berth", {"berth": name}, f"Error: berth {name} not found")


def trace(error: str) -> str:
    return f'Traceback (most recent call last):\n  File "<string>", line 1, in <module>\n{error}'


def key(name: str, error: str = "KeyError: '{}'") -> Part:
    return run(f"python -c \"print(load('berths.json')['{name}'])\"", trace(error.format(name)), 1)


@table("goes_round")
def test_goes_round(parts: Written, title: str) -> None:
    (found,) = loops(*parts_of(parts))
    assert found.title.startswith(title)


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param(
            [call("get_state", {}, f'{{"id": "job1", "done": {number}}}') for number in range(6)], id="a moving count"
        ),
        pytest.param([run("./sync", f"attempt {number} of 6") for number in range(6)], id="an attempt of so many"),
        pytest.param(
            [call("next_page", {}, f'{{"lastId": "{number}0", "rows": 5}}') for number in range(5)], id="a cursor"
        ),
        pytest.param([run("ls", None) for _ in range(6)], id="no results were recorded"),
        pytest.param([run("date", f"Sun Mar 1 09:3{number}:00") for number in range(6)], id="looks at the clock"),
        pytest.param(
            [run("ls", "a"), user("Again, please."), run("ls", "a"), user("And once more."), run("ls", "a")],
            id="the user asks each time",
        ),
        pytest.param(
            [call("list_berths", {}, " ".join(GUESSES)), *(guess(name) for name in GUESSES)], id="listed values"
        ),
        pytest.param([user(f"Try {', '.join(GUESSES)}."), *(guess(name) for name in GUESSES)], id="values of the user"),
        pytest.param([guess(name) for name in GUESSES[:4]], id="a few guesses"),
        pytest.param([key(name) for name in GUESSES[:4]], id="a few keys"),
        pytest.param([run("cat keys.txt", "\n".join(GUESSES)), *(key(name) for name in GUESSES)], id="listed keys"),
        pytest.param(
            [key(name, f"ValueError: row {number} of {{}} is broken") for number, name in enumerate(GUESSES)],
            id="another message each time",
        ),
        pytest.param(
            [
                call("job_state", {"job": "J7"}, f'{{"state": "RUNNING", "done": {n}, "uptime_s": {n}0}}')
                for n in range(9)
            ],
            id="a job that goes on while its heart beats",
        ),
        pytest.param(
            [call("write", {"path": f"/tmp/{name}.md", "content": "text"}, "Written.") for name in GUESSES],
            id="temporary files with names of their own",
        ),
        pytest.param([says("\n".join(f"- {SENTENCE}" for _ in range(30)))], id="a list"),
        pytest.param([says("```\n" + "print('tide')\n" * 40 + "```")], id="code"),
        pytest.param([says("\n".join("| tide | high | low | tide |" for _ in range(40)))], id="a table"),
        pytest.param([says(SENTENCE * 4)], id="a few sentences"),
        pytest.param([says("-" * 600)], id="a rule"),
    ],
)
def test_goes_on(parts: list[Part]) -> None:
    assert not loops(*parts)


def test_rounds_may_differ_by_a_step() -> None:
    parts: list[Part] = []
    for number in range(5):
        parts += [
            call("open_panel", {"name": "keel"}, "keel: nothing to show"),
            call("press_key", {"key": "enter"}, "enter: no effect here"),
            call("read_panel", {"name": "keel"}, "keel: still locked"),
        ]
        if number in (1, 3):
            parts.append(call("look_up", {"name": GUESSES[number]}, f"{GUESSES[number]} is a rope"))
    (found,) = loops(*parts)
    assert (found.kind, found.period, found.first_step, found.last_step) == ("cycle", None, 1, 17)


def test_a_look_among_others_comes_back_far_apart() -> None:
    parts = [part for name in GUESSES for part in (run("ls -la", "a\nb"), *(read(f"{name}{n}") for n in range(9)))]
    (found,) = loops(*parts)
    assert (found.kind, found.rounds) == ("repeated-call", 7)


def test_a_look_between_edits_is_another_one_each_time() -> None:
    assert not loops(*(part for name in GUESSES for part in (run("ls -la", "a\nb"), edit("a", name, f"{name}s"))))


def test_a_summary_before_each_answer_is_no_loop() -> None:
    places = ("pier", "harbour", "sluice", "mast", "keel", "hull", "winch")
    assert not loops(
        *(
            part
            for place in places
            for part in (
                user(f"And where is the {place}?"),
                Message("system", "Summary of the conversation so far: the user asks where things are."),
                says(f"The {place} lies behind the {place[::-1]}, as everybody here knows."),
            )
        )
    )
