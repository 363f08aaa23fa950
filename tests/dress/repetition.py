"""Sessions with one repetition planted in them, of every kind, and the harmless twin of each: what looks like it and
isn't. Words and numbers come from a seed."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from itertools import pairwise

from analyzer.model.session import Session
from tests.build import Part, call, edit, read, run, says, session, together, user
from tests.dress import repeated_calls
from tests.dress.draw import Draw, Story


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
    "a poll whose answer stays frozen": repeated_calls.frozen_poll,
    "one message sent again and again": repeated_calls.sends,
    "a failing command with a running number": repeated_calls.running_number,
    "a listing of an unchanged folder": repeated_calls.same_listing,
    "two calls in turn": repeated_calls.alternation,
    "a fruitless search in other words": repeated_calls.fruitless,
    "guessed values": repeated_calls.guesses,
    "a cycle of uneven rounds": repeated_calls.uneven_cycle,
    "edits while the error stays": repeated_calls.edit_test,
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
    "a poll whose answer moves": repeated_calls.moving_poll,
    "messages to different people": repeated_calls.different_sends,
    "one error after another": repeated_calls.other_errors,
    "a listing of a growing folder": repeated_calls.changing_listing,
    "a check after each piece of work": repeated_calls.work_and_check,
    "searches for different things": repeated_calls.searches,
    "listed values looked up one by one": repeated_calls.known_values,
    "one panel after another": repeated_calls.tour,
    "edits with another error each time": repeated_calls.red_green,
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
