"""Repetition in other trades than coding, and its harmless twins: web pages, phones, games, databases, mail, orders and
jobs that run elsewhere."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import pairwise

from tests.build import Part, call, run, says, think, user
from tests.dress.draw import Draw, Story


def _answer(**fields: object) -> str:
    return json.dumps(fields)


def _http_poll(draw: Draw) -> Iterable[Part]:
    job = draw.word()
    return [
        call(
            "http_request",
            {"method": "GET", "url": f"https://api.example/jobs/{job}"},
            f"HTTP/1.1 200 OK\nDate: Sun, 01 Mar 2026 09:{minute:02}:11 GMT\n\n" + _answer(job=job, state="queued"),
        )
        for minute in range(draw.rounds(8))
    ]


def _http_poll_moves(draw: Draw) -> Iterable[Part]:
    job = draw.word()
    return [
        call(
            "http_request",
            {"method": "GET", "url": f"https://api.example/jobs/{job}"},
            f"HTTP/1.1 200 OK\nDate: Sun, 01 Mar 2026 09:{minute:02}:11 GMT\n\n" + _answer(job=job, before=20 - minute),
        )
        for minute in range(draw.rounds(8))
    ]


def _pods(draw: Draw, *, moving: bool) -> Iterable[Part]:
    pod = draw.word()
    return [
        run(
            "kubectl get pods",
            f"NAME      READY   STATUS    AGE\n{pod}   {age if moving else 0}/20    Pending   {age}m",
        )
        for age in range(1, draw.rounds(6))
    ]


def _ageing_table(draw: Draw) -> Iterable[Part]:
    return _pods(draw, moving=False)


def _filling_table(draw: Draw) -> Iterable[Part]:
    return _pods(draw, moving=True)


def _sleeping_look(draw: Draw) -> Iterable[Part]:
    name = draw.word()
    return [run(f"sleep 60; cat {name}.state", "step 3 of 9") for _ in range(draw.rounds(12))]


def _sleeping_look_moves(draw: Draw) -> Iterable[Part]:
    name = draw.word()
    return [run(f"sleep 60; cat {name}.state", f"step {step} of 30") for step in range(draw.rounds(12))]


def _order_again(draw: Draw) -> Iterable[Part]:
    name = draw.word()
    return [
        call("create_ticket", {"title": f"The {name} is broken"}, _answer(created=True, key=f"OPS-{number}"))
        for number in range(400, 400 + draw.rounds())
    ]


def _order_each(draw: Draw) -> Iterable[Part]:
    return [
        call("create_ticket", {"title": f"The {name} is broken"}, _answer(created=True, key=f"OPS-{number}"))
        for number, name in enumerate(draw.words(draw.rounds()), 400)
    ]


def _same_column(draw: Draw) -> Iterable[Part]:
    one, other = draw.words(2)
    refused = f'ERROR: column "{one}" does not exist\nLINE 1: SELECT'
    forms = [one, f"sum({one})", f"{one} AS x", f"t.{one}", f"max({one})"]
    return [call("run_sql", {"query": f"SELECT {form} FROM {other} t"}, refused) for form in forms]


def _same_count(draw: Draw) -> Iterable[Part]:
    return [
        call("run_sql", {"query": f"SELECT count(*) FROM {name} WHERE deleted"}, " count \n-------\n    0\n(1 row)")
        for name in draw.words(draw.rounds())
    ]


def _same_hits(draw: Draw) -> Iterable[Part]:
    one, two, three = draw.words(3)
    asked = [(one, two), (one, two, three), (two, one), (three, one, two), (two, three, one), (two, one, three)]
    hits = f"1. The {one} of {two} - https://{two}.example\n2. All about {two} - https://pages.example/{two}"
    return [call("web_search", {"query": f"{' '.join(words)} hours"}, hits) for words in asked]


def _none_of_many(draw: Draw) -> Iterable[Part]:
    names = draw.words(draw.rounds(6))
    return [
        user(f"Which of these has a museum: {', '.join(names)}?"),
        *(call("web_search", {"query": f"{name} harbour museum hours"}, "No results found.") for name in names),
    ]


def _nothing_happens(draw: Draw) -> Iterable[Part]:
    name = draw.word()
    forms = ["take {}", "pick up {}", "grab the {}", "get {} now", "lift the {}", "take the {} up", "seize {}"]
    return [call("act", {"action": form.format(name)}, "Nothing happens.") for form in forms]


def _searched_drawers(draw: Draw) -> Iterable[Part]:
    return [
        call("act", {"action": f"open drawer {number}"}, f"You open the drawer {number}. In it, you see nothing.")
        for number in range(1, draw.rounds(7))
    ]


def _round_and_round(draw: Draw) -> Iterable[Part]:
    rooms = draw.words(4)
    return [
        call("move", {"direction": direction}, f"You are in the {room}.")
        for _ in range(4)
        for direction, room in zip(("north", "east", "south", "west"), rooms, strict=True)
    ]


def _along_a_path(draw: Draw) -> Iterable[Part]:
    return [
        call("move", {"direction": "north"}, f"You are in the {room}. There are exits north and south.")
        for room in draw.words(draw.rounds(8))
    ]


def _dead_button(draw: Draw) -> Iterable[Part]:
    name = draw.word()
    return [
        call(
            "browser_click",
            {"element": name, "ref": f"s{number}e12"},
            f'Page URL: https://shop.example/\n- button "{name}" [ref=s{number + 1}e12]\n- text: Fill in the town',
        )
        for number in range(draw.rounds(6))
    ]


def _next_page(draw: Draw) -> Iterable[Part]:
    return [
        call(
            "browser_click", {"element": "Next", "ref": "e12"}, f"Page URL: https://shop.example/{name}\n- text: {name}"
        )
        for name in draw.words(draw.rounds(6))
    ]


def _same_dialog(draw: Draw) -> Iterable[Part]:
    name = draw.word()
    return [
        part
        for _ in range(draw.rounds())
        for part in (
            call("computer", {"action": "left_click", "coordinate": [312, 204]}, "clicked"),
            call("computer", {"action": "screenshot"}, f"Screen: dialog Save {name}? with the buttons Yes and No"),
        )
    ]


def _form(draw: Draw) -> Iterable[Part]:
    return [
        part
        for row, name in enumerate(draw.words(draw.rounds()))
        for part in (
            call("computer", {"action": "left_click", "coordinate": [312, 204 + 40 * row]}, "clicked"),
            call("computer", {"action": "type", "text": name}, "typed"),
        )
    ]


def _stuck_selection(draw: Draw) -> Iterable[Part]:
    name = draw.word()
    return [call("press_key", {"key": "Down"}, f"The selection is on {name} now.") for _ in range(draw.rounds(6))]


def _blind_keys(draw: Draw) -> Iterable[Part]:
    return [*(call("press_key", {"key": "Tab"}, "ok") for _ in range(draw.chance.randint(3, 6))), *_form(draw)]


def _guessed_pages(draw: Draw) -> Iterable[Part]:
    return [
        call("fetch", {"url": f"https://docs.example/{name}"}, "404 Not Found") for name in draw.words(draw.rounds(7))
    ]


def _listed_pages(draw: Draw) -> Iterable[Part]:
    names = draw.words(draw.rounds(7))
    listed = call("fetch", {"url": "https://docs.example/"}, "Pages: " + " ".join(f"/{name}" for name in names))
    return [listed, *(call("fetch", {"url": f"https://docs.example/{name}"}, "404 Not Found") for name in names)]


def _named_row(draw: Draw) -> Iterable[Part]:
    return [
        user("Which hosts from 10.0.7.1 to 10.0.7.9 answer?"),
        *(call("ping", {"host": f"10.0.7.{number}"}, "Request timed out.") for number in range(1, draw.rounds(6))),
    ]


def _same_thought(draw: Draw) -> Iterable[Part]:
    words = f"I should look at the {draw.word()} to see what is wrong."
    return [think(words) for _ in range(draw.rounds(7))]


def _thoughts(draw: Draw) -> Iterable[Part]:
    return [think(f"The {name} may be what leaks; next the {other}.") for name, other in _pairs(draw)]


def _counted_sentence(draw: Draw) -> Iterable[Part]:
    name = draw.word()
    return [says(" ".join(f"Attempt {number}: I will look at the {name} again now." for number in range(40)))]


def _prose(draw: Draw) -> Iterable[Part]:
    return [
        says(" ".join(f"The {name} lies {count} miles off the {other}." for count, (name, other) in _counted(draw)))
    ]


def _numbered_questions(draw: Draw) -> Iterable[Part]:
    return [
        said
        for number in range(3, 3 + draw.rounds())
        for said in (user(f"And berth {number}?"), says(f"Berth {number} is free, and its crane is in order."))
    ]


def _asked_times(draw: Draw) -> Iterable[Part]:
    return [user("Read the gauge five times and average it."), *(call("get_level", {}, "21.0 cm") for _ in range(5))]


def _pairs(draw: Draw) -> list[tuple[str, str]]:
    names = draw.words(draw.rounds(7) + 1)
    return list(pairwise(names))


def _counted(draw: Draw) -> Iterable[tuple[int, tuple[str, str]]]:
    return enumerate(_pairs(draw), 3)


PLANTED: dict[str, Story] = {
    "a request whose answer differs in its date": _http_poll,
    "a table in which only ages move": _ageing_table,
    "a frozen look after each sleep": _sleeping_look,
    "one ticket opened again and again": _order_again,
    "a column that doesn't exist in other queries": _same_column,
    "the same hits for other words": _same_hits,
    "a command in other words that does nothing": _nothing_happens,
    "four rooms in a circle": _round_and_round,
    "a button that does nothing": _dead_button,
    "a dialog that stays": _same_dialog,
    "a selection that doesn't move": _stuck_selection,
    "guessed pages": _guessed_pages,
    "one thought taken down again and again": _same_thought,
    "one sentence with a running number": _counted_sentence,
}
"""What has to be found."""
HARMLESS: dict[str, Story] = {
    "a request whose answer moves": _http_poll_moves,
    "a table that fills": _filling_table,
    "a look after each sleep that moves": _sleeping_look_moves,
    "one ticket for each": _order_each,
    "the same count of many tables": _same_count,
    "a search for each of many": _none_of_many,
    "one drawer after another": _searched_drawers,
    "a path of rooms": _along_a_path,
    "one page after another": _next_page,
    "one field after another": _form,
    "keys whose effect isn't shown": _blind_keys,
    "listed pages that aren't there": _listed_pages,
    "a row of hosts that the user names": _named_row,
    "one thought after another": _thoughts,
    "many sentences of one form": _prose,
    "numbered questions": _numbered_questions,
    "what the task asks for so many times": _asked_times,
}
"""What mustn't be."""
