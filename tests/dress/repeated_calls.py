"""Calls that repeat each other, and for each of them what looks like it and is no repetition."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from tests.build import Part, call, edit, pytest_report, run
from tests.dress.draw import Draw

_PASSED = "============================== 4 passed in 0.10s ==============================="


def frozen_poll(draw: Draw) -> Iterable[Part]:
    job = draw.word()
    return [
        call("get_job_status", {"job": job}, f'{{"job": "{job}", "done": 3, "of": 9}}') for _ in range(draw.rounds())
    ]


def moving_poll(draw: Draw) -> Iterable[Part]:
    job = draw.word()
    return [
        call("get_job_status", {"job": job}, f'{{"job": "{job}", "done": {number}, "of": 9}}')
        for number in range(draw.rounds())
    ]


def sends(draw: Draw) -> Iterable[Part]:
    text = draw.word()
    return [
        call("send_message", {"to": "crew", "text": f"Is {text} ready?"}, f'{{"ok": true, "messageId": "m{number}7"}}')
        for number in range(draw.rounds())
    ]


def different_sends(draw: Draw) -> Iterable[Part]:
    return [
        call("send_message", {"to": name, "text": f"Is {name} ready?"}, f'{{"ok": true, "messageId": "m{number}7"}}')
        for number, name in enumerate(draw.words(draw.rounds()))
    ]


def running_number(draw: Draw) -> Iterable[Part]:
    tool = draw.word()
    return [
        run(f"./{tool} --sync", f"Error: could not reach the {tool} daemon (attempt {number})", 1)
        for number in range(draw.rounds())
    ]


def other_errors(draw: Draw) -> Iterable[Part]:
    names = draw.words(draw.rounds())
    parts: list[Part] = []
    for name, other in pairwise(names):
        parts.append(run("python load.py", f"KeyError: '{name}'", 1))
        parts.append(edit("load.py", f"row['{name}']", f"row['{other}']"))
    return parts


def same_listing(draw: Draw) -> Iterable[Part]:
    rows = "\n".join(f"{name}.txt" for name in draw.words(3))
    between = [run(f"cat {name}.txt", f"the {name} is moored") for name in draw.words(draw.rounds())]
    return [part for look in between for part in (run("ls -la", rows), look)]


def changing_listing(draw: Draw) -> Iterable[Part]:
    made: list[str] = []
    parts: list[Part] = []
    for name in draw.words(draw.rounds()):
        made.append(f"{name}.txt")
        parts += [run(f"touch {name}.txt"), run("ls", "\n".join(made))]
    return parts


def alternation(draw: Draw) -> Iterable[Part]:
    one, other = draw.words(2)
    return [
        part
        for _ in range(draw.rounds(4))
        for part in (
            run(f"grep -rn {one} src", f"src/a.py:3:{one} = {other}"),
            call("open_panel", {"name": other}, f"The panel {other} is empty."),
        )
    ]


def work_and_check(draw: Draw) -> Iterable[Part]:
    return [
        part
        for name in draw.words(draw.rounds(4))
        for part in (edit(f"{name}.py", f"a_{name} = 1", f"a_{name} = 2"), run("python -m pytest tests", _PASSED))
    ]


def fruitless(draw: Draw) -> Iterable[Part]:
    one, two, three = draw.words(3)
    orders = [(one, two, three), (two, one, three), (three, two, one), (one, three, two), (two, three, one)]
    return [call("search_web", {"query": f"opening hours {' '.join(order)}"}, "No results found.") for order in orders]


def searches(draw: Draw) -> Iterable[Part]:
    return [
        call("search_web", {"query": f"opening hours of the {name}"}, f"The {name} opens at {number}.")
        for number, name in enumerate(draw.words(draw.rounds()), 6)
    ]


def guesses(draw: Draw) -> Iterable[Part]:
    return [
        call(
            "get_booking", {"reference": f"{name.upper()}{number}"}, f"Error: booking {name.upper()}{number} not found"
        )
        for number, name in enumerate(draw.words(draw.rounds(7)), 11)
    ]


def known_values(draw: Draw) -> Iterable[Part]:
    names = draw.words(draw.rounds(7))
    listed = call("list_bookings", {}, "\n".join(names))
    return [listed, *(call("get_invoice", {"booking": name}, f"Error: no invoice for {name} found") for name in names)]


def uneven_cycle(draw: Draw) -> Iterable[Part]:
    one, two, three = draw.words(3)
    parts: list[Part] = []
    for number, name in enumerate(draw.words(5)):
        parts += [
            call("open_panel", {"name": one}, f"{one}: nothing to show"),
            call("press_key", {"key": two}, f"{two}: no effect here"),
            call("read_panel", {"name": three}, f"{three}: still locked"),
        ]
        if number % 2:
            parts.append(call("look_up", {"name": name}, f"{name} is a sort of rope"))
    return parts


def tour(draw: Draw) -> Iterable[Part]:
    return [
        part
        for name in draw.words(draw.rounds(4))
        for part in (
            call("open_panel", {"name": name}, f"{name}: two rows"),
            call("read_panel", {"name": name}, f"{name}: row one, row two"),
            call("close_panel", {}, "Closed."),
        )
    ]


def edit_test(draw: Draw) -> Iterable[Part]:
    return [
        part
        for number in range(draw.rounds(4))
        for part in (
            edit("pier.py", f"posts = {number}", f"posts = {number + 1}"),
            run("python -m pytest tests", pytest_report("ValueError: a pier needs three posts"), 1),
        )
    ]


def red_green(draw: Draw) -> Iterable[Part]:
    return [
        part
        for number, name in enumerate(draw.words(draw.rounds(4)))
        for part in (
            edit("pier.py", f"{name} = {number}", f"{name} = {number + 1}"),
            run("python -m pytest tests", pytest_report(f"AttributeError: no {name}", function=f"test_{name}"), 1),
        )
    ]
