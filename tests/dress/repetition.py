"""Sessions with one repetition planted in them, of every kind, and the harmless twin of each: what looks like it and
isn't. Words and numbers come from a seed."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from itertools import pairwise

from analyzer.model.session import Session
from tests.build import Part, call, edit, pytest_report, read, run, says, session, together, user
from tests.dress.draw import Draw, Story

_PASSED = "============================== 4 passed in 0.10s ==============================="


def _frozen_poll(draw: Draw) -> Iterable[Part]:
    job = draw.word()
    return [
        call("get_job_status", {"job": job}, f'{{"job": "{job}", "done": 3, "of": 9}}') for _ in range(draw.rounds())
    ]


def _moving_poll(draw: Draw) -> Iterable[Part]:
    job = draw.word()
    return [
        call("get_job_status", {"job": job}, f'{{"job": "{job}", "done": {number}, "of": 9}}')
        for number in range(draw.rounds())
    ]


def _sends(draw: Draw) -> Iterable[Part]:
    text = draw.word()
    return [
        call("send_message", {"to": "crew", "text": f"Is {text} ready?"}, f'{{"ok": true, "messageId": "m{number}7"}}')
        for number in range(draw.rounds())
    ]


def _different_sends(draw: Draw) -> Iterable[Part]:
    return [
        call("send_message", {"to": name, "text": f"Is {name} ready?"}, f'{{"ok": true, "messageId": "m{number}7"}}')
        for number, name in enumerate(draw.words(draw.rounds()))
    ]


def _running_number(draw: Draw) -> Iterable[Part]:
    tool = draw.word()
    return [
        run(f"./{tool} --sync", f"Error: could not reach the {tool} daemon (attempt {number})", 1)
        for number in range(draw.rounds())
    ]


def _other_errors(draw: Draw) -> Iterable[Part]:
    names = draw.words(draw.rounds())
    parts: list[Part] = []
    for name, other in pairwise(names):
        parts.append(run("python load.py", f"KeyError: '{name}'", 1))
        parts.append(edit("load.py", f"row['{name}']", f"row['{other}']"))
    return parts


def _same_listing(draw: Draw) -> Iterable[Part]:
    rows = "\n".join(f"{name}.txt" for name in draw.words(3))
    between = [run(f"cat {name}.txt", f"the {name} is moored") for name in draw.words(draw.rounds())]
    return [part for look in between for part in (run("ls -la", rows), look)]


def _changing_listing(draw: Draw) -> Iterable[Part]:
    made: list[str] = []
    parts: list[Part] = []
    for name in draw.words(draw.rounds()):
        made.append(f"{name}.txt")
        parts += [run(f"touch {name}.txt"), run("ls", "\n".join(made))]
    return parts


def _alternation(draw: Draw) -> Iterable[Part]:
    one, other = draw.words(2)
    return [
        part
        for _ in range(draw.rounds(4))
        for part in (
            run(f"grep -rn {one} src", f"src/a.py:3:{one} = {other}"),
            call("open_panel", {"name": other}, f"The panel {other} is empty."),
        )
    ]


def _work_and_check(draw: Draw) -> Iterable[Part]:
    return [
        part
        for name in draw.words(draw.rounds(4))
        for part in (edit(f"{name}.py", f"a_{name} = 1", f"a_{name} = 2"), run("python -m pytest tests", _PASSED))
    ]


def _fruitless(draw: Draw) -> Iterable[Part]:
    one, two, three = draw.words(3)
    orders = [(one, two, three), (two, one, three), (three, two, one), (one, three, two), (two, three, one)]
    return [call("search_web", {"query": f"opening hours {' '.join(order)}"}, "No results found.") for order in orders]


def _searches(draw: Draw) -> Iterable[Part]:
    return [
        call("search_web", {"query": f"opening hours of the {name}"}, f"The {name} opens at {number}.")
        for number, name in enumerate(draw.words(draw.rounds()), 6)
    ]


def _guesses(draw: Draw) -> Iterable[Part]:
    return [
        call(
            "get_booking", {"reference": f"{name.upper()}{number}"}, f"Error: booking {name.upper()}{number} not found"
        )
        for number, name in enumerate(draw.words(draw.rounds(7)), 11)
    ]


def _known_values(draw: Draw) -> Iterable[Part]:
    names = draw.words(draw.rounds(7))
    listed = call("list_bookings", {}, "\n".join(names))
    return [listed, *(call("get_invoice", {"booking": name}, f"Error: no invoice for {name} found") for name in names)]


def _uneven_cycle(draw: Draw) -> Iterable[Part]:
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


def _tour(draw: Draw) -> Iterable[Part]:
    return [
        part
        for name in draw.words(draw.rounds(4))
        for part in (
            call("open_panel", {"name": name}, f"{name}: two rows"),
            call("read_panel", {"name": name}, f"{name}: row one, row two"),
            call("close_panel", {}, "Closed."),
        )
    ]


def _edit_test(draw: Draw) -> Iterable[Part]:
    return [
        part
        for number in range(draw.rounds(4))
        for part in (
            edit("pier.py", f"posts = {number}", f"posts = {number + 1}"),
            run("python -m pytest tests", pytest_report("ValueError: a pier needs three posts"), 1),
        )
    ]


def _red_green(draw: Draw) -> Iterable[Part]:
    return [
        part
        for number, name in enumerate(draw.words(draw.rounds(4)))
        for part in (
            edit("pier.py", f"{name} = {number}", f"{name} = {number + 1}"),
            run("python -m pytest tests", pytest_report(f"AttributeError: no {name}", function=f"test_{name}"), 1),
        )
    ]


def _chant(draw: Draw) -> Iterable[Part]:
    return [says(f"I will look at the {draw.word()} once more. " * draw.rounds(26))]


def _list_of_items(draw: Draw) -> Iterable[Part]:
    return [says("These are left:\n\n" + "\n".join(f"- Look at the {name} once more." for name in draw.words(30)))]


def _talk(draw: Draw) -> Iterable[Part]:
    words = f"I need to look at the {draw.word()} before I go on."
    return [said for _ in range(draw.rounds()) for said in (says(words), user("Please continue."))]


def _answers(draw: Draw) -> Iterable[Part]:
    return [
        said
        for name in draw.words(draw.rounds())
        for said in (user(f"And the {name}?"), says(f"The {name} was painted by {draw.word()} in spring."))
    ]


def _reread(draw: Draw) -> Iterable[Part]:
    name = draw.word()
    text = "\n".join(f"{word} = {number}" for number, word in enumerate(draw.words(12)))
    return [read(f"{name}.py", text) for _ in range(draw.rounds())]


def _paging(draw: Draw) -> Iterable[Part]:
    name = draw.word()
    return [
        call("read", {"path": f"{name}.log", "offset": 1 + 50 * page, "limit": 50}, "\n".join(draw.words(12)))
        for page in range(draw.rounds())
    ]


def _refused_edits(draw: Draw) -> Iterable[Part]:
    name = draw.word()
    refusal = f"String to replace not found in file.\nString: {name} = 3"
    return [edit("tide.py", f"{name} = 3", f"{name} = 4", refusal, is_error=True) for _ in range(draw.rounds())]


def _one_batch(draw: Draw) -> Iterable[Part]:
    job = draw.word()
    return [together(draw.word(), *(call("get_job_status", {"job": job}, "running") for _ in range(5)))]


def _back_and_forth(draw: Draw) -> Iterable[Part]:
    one, other = draw.words(2)
    texts = [(one, other), (other, one)] * 3
    return [edit("mast.py", f"rope = '{before}'", f"rope = '{after}'") for before, after in texts]


def _forward(draw: Draw) -> Iterable[Part]:
    names = draw.words(draw.rounds() + 1)
    return [edit("mast.py", f"rope = '{before}'", f"rope = '{after}'") for before, after in pairwise(names)]


def _clock_polls(draw: Draw) -> Iterable[Part]:
    return [
        part
        for number, name in enumerate(draw.words(draw.rounds()))
        for part in (
            run("date", f"Sun Mar  1 09:3{number}:00 UTC 2026"),
            run("tail -n 1 build.log", f"compiling {name} ({number} of 40)"),
        )
    ]


def _wait(draw: Draw) -> Iterable[Part]:
    name = draw.word()
    return [
        *(run(f"sleep 30 && cat {name}.state", "pending") for _ in range(3)),
        run(f"sleep 30 && cat {name}.state", "ready"),
    ]


def _asked_for(draw: Draw) -> Iterable[Part]:
    name = draw.word()
    return [
        part
        for number in range(4)
        for part in (
            user(f"Is the {name} in already? I ask for the {number + 1}. time."),
            call("get_arrival", {"ship": name}, json.dumps({"ship": name, "arrived": False})),
            says(f"No, the {name} hasn't arrived."),
        )
    ]


def _places(draw: Draw) -> Iterable[Part]:
    rows = draw.words(4)
    return [part for name in rows for part in (run("cd .."), run("ls", f"{name}\n{name}.txt"))]


def _uploads(draw: Draw) -> Iterable[Part]:
    name = draw.word()
    return [
        part
        for number in range(draw.rounds(6))
        for part in (
            call("upload_file", {"path": f"{name}.png"}, f"Uploaded {name}.png to the board, receipt r-{number}81."),
            call("check_board", {"board": name}, f"The board {name} shows no picture."),
        )
    ]


def _uploads_of_all(draw: Draw) -> Iterable[Part]:
    return [
        call("upload_file", {"path": f"{name}.png"}, f"Uploaded to the board, receipt r-{number}81.")
        for number, name in enumerate(draw.words(draw.rounds()))
    ]


def _same_list_kept(draw: Draw) -> Iterable[Part]:
    tasks = [{"title": name, "status": "pending"} for name in draw.words(3)]
    return [call("todo_write", {"todos": tasks}, "The list was updated.") for _ in range(draw.rounds(6))]


def _list_kept_up(draw: Draw) -> Iterable[Part]:
    names = draw.words(6)
    return [
        part
        for done in range(6)
        for part in (
            call(
                "todo_write",
                {"todos": [{"title": n, "status": "done" if k < done else "pending"} for k, n in enumerate(names)]},
                "The list was updated.",
            ),
            edit(f"{names[done]}.py", "a = 1", f"a = {done + 2}"),
        )
    ]


def _guessed_files(draw: Draw) -> Iterable[Part]:
    return [
        run(f"cat conf/{name}.toml", f"cat: conf/{name}.toml: No such file or directory", 1)
        for name in draw.words(draw.rounds(7))
    ]


def _frozen_poll_with_clock(draw: Draw) -> Iterable[Part]:
    name = draw.word()
    return [
        part
        for number in range(draw.rounds())
        for part in (
            run("date", f"Sun Mar  1 09:3{number}:00 UTC 2026"),
            run(f"tail -n 1 {name}.log", f"waiting for the {name}"),
        )
    ]


def _inserted_again(draw: Draw) -> Iterable[Part]:
    name = draw.word()
    return [edit("notes.md", "## Notes\n", f"## Notes\n- look at the {name} again\n") for _ in range(draw.rounds())]


def _written_to_many(draw: Draw) -> Iterable[Part]:
    return [call("write", {"path": f"/tmp/{name}.md", "content": "# To do\n"}, "Written.") for name in draw.words(8)]


def _retry_that_works(draw: Draw) -> Iterable[Part]:
    name = draw.word()
    return [
        *(run(f"curl -s https://{name}.example/api", "curl: (7) Connection refused", 7) for _ in range(2)),
        run(f"curl -s https://{name}.example/api", '{"up": true}'),
    ]


def _one_linter(draw: Draw) -> Iterable[Part]:
    return [run(f"ruff check {name}.py", "All checks passed!") for name in draw.words(draw.rounds())]


def _next_entry(draw: Draw) -> Iterable[Part]:
    return [
        call("next_entry", {}, json.dumps({"id": number, "title": name}))
        for number, name in enumerate(draw.words(draw.rounds()), 40)
    ]


def _chanted_token(draw: Draw) -> Iterable[Part]:
    return [says(draw.word().upper() * 60)]


def _code_in_message(draw: Draw) -> Iterable[Part]:
    rows = "\n".join("    pier.add(plank)" for _ in range(30))
    return [says(f"I put this into {draw.word()}.py:\n\n```python\n{rows}\n```\n\nIt holds.")]


def _long_cycle(draw: Draw) -> Iterable[Part]:
    names = draw.words(5)
    return [
        call("open_panel", {"name": name}, f"{name}: {len(name)} rows, none of them new")
        for _ in range(4)
        for name in names
    ]


def _lookups_between(draw: Draw) -> Iterable[Part]:
    name = draw.word()
    return [
        part
        for other in draw.words(draw.rounds(6))
        for part in (
            call("get_route", {"to": name}, f"The route to {name} leads through the north channel."),
            call("set_sail", {"name": other}, f"The sail {other} is set."),
        )
    ][:6]


PLANTED: dict[str, Story] = {
    "a poll whose answer stays frozen": _frozen_poll,
    "one message sent again and again": _sends,
    "a failing command with a running number": _running_number,
    "a listing of an unchanged folder": _same_listing,
    "two calls in turn": _alternation,
    "a fruitless search in other words": _fruitless,
    "guessed values": _guesses,
    "a cycle of uneven rounds": _uneven_cycle,
    "edits while the error stays": _edit_test,
    "one sentence within a message": _chant,
    "the same words turn after turn": _talk,
    "a file read again": _reread,
    "an edit refused again": _refused_edits,
    "content back and forth": _back_and_forth,
    "uploads with a receipt each": _uploads,
    "a list of tasks that stays the same": _same_list_kept,
    "guessed files": _guessed_files,
    "a frozen poll beside a clock": _frozen_poll_with_clock,
    "the same text put in again": _inserted_again,
    "one token for ever": _chanted_token,
    "a cycle of five": _long_cycle,
}
"""What has to be found."""
HARMLESS: dict[str, Story] = {
    "a poll whose answer moves": _moving_poll,
    "messages to different people": _different_sends,
    "one error after another": _other_errors,
    "a listing of a growing folder": _changing_listing,
    "a check after each piece of work": _work_and_check,
    "searches for different things": _searches,
    "listed values looked up one by one": _known_values,
    "one panel after another": _tour,
    "edits with another error each time": _red_green,
    "a long list": _list_of_items,
    "one question after another": _answers,
    "paging through a file": _paging,
    "calls of one message": _one_batch,
    "one change after another": _forward,
    "the time between polls": _clock_polls,
    "a wait that ends": _wait,
    "what the user asks for again": _asked_for,
    "one folder after another": _places,
    "one upload after another": _uploads_of_all,
    "a list of tasks that is kept up": _list_kept_up,
    "the same text in many files": _written_to_many,
    "a retry that works": _retry_that_works,
    "one check for each file": _one_linter,
    "one entry after another": _next_entry,
    "lines of code in a message": _code_in_message,
    "the same look-up between steps": _lookups_between,
}
"""What mustn't be."""


def planted(story: Story, seed: int) -> Session:
    """A short calm session with a story in the middle of it."""
    draw = Draw(random.Random(seed))
    before = [read(f"{name}.md", f"about the {name}, and more of it") for name in draw.words(draw.chance.randint(0, 3))]
    after = [run(f"python {name}.py", f"{name} is done") for name in draw.words(draw.chance.randint(0, 3))]
    return session(
        user("Put the harbour's papers in order."), *before, *story(draw), *after, id="planted", agent="reference-agent"
    )
