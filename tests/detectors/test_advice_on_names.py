"""What a loop over a name that isn't there advises: what the run itself showed of the right one, and nothing wrong."""

from __future__ import annotations

import pytest

from analyzer.guard import Guard
from tests.build import Part, call, findings, read, run


def opened(path: str, said: str = "") -> Part:
    return call("open", {"path": path}, f"File {path} not found", is_error=True, said=said)


def listed(path: str, said: str = "") -> Part:
    return run(f"cat {path}", f"cat: {path}: No such file or directory", 1, said=said)


def entered(folder: str, said: str = "") -> Part:
    return run(f"cd {folder}", f"bash: line 1: cd: {folder}: No such file or directory", 1, said=said)


def looked(query: str, result: str) -> Part:
    return run(f"find . -name '{query}'", result, 0)


def advice(*parts: Part) -> list[str]:
    (found,) = [finding for finding in findings(*parts, detector="loops") if finding.category == "loop"]
    return found.advice


SENT, THERE = "harbour/src/QuayWall.java", "/srv/port/harbour/src/main/QuayWall.java"


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        pytest.param(
            [looked("QuayWall.java", f"Found 1 match:\n{THERE}"), *[opened(SENT)] * 4],
            f"Use `{THERE}`: step 1 printed it, and `{SENT}` isn't there.",
            id="found before, another folder",
        ),
        pytest.param(
            [opened(SENT), opened(SENT), looked("QuayWall.java", f"{THERE}\n"), opened(SENT), opened(SENT)],
            f"Use `{THERE}`: step 3 printed it, and `{SENT}` isn't there.",
            id="found in between, and not used",
        ),
        pytest.param(
            [
                run("grep -rn 'class Quay' .", "./lib/walls/quay_wall.rb:3:class Quay"),
                *[listed("lib/quay_wall.rb")] * 3,
            ],
            "Use `./lib/walls/quay_wall.rb`: step 1 printed it, and `lib/quay_wall.rb` isn't there.",
            id="printed by a search for something else",
        ),
        pytest.param(
            [
                run("ls -F", "fastboats/\nREADME.md\n"),
                *[entered("fastbridge/", f"Try {n}: the folder is called `fastboats/`.") for n in range(3)],
            ],
            (
                "Send the name that the agent's own words give: before steps 2, 3 and 4 they have `fastboats/`, and "
                "the calls have `fastbridge/`; step 1 had shown the former."
            ),
            id="the words have the right name",
        ),
        pytest.param(
            [
                looked("*.toml", "./conf/harbour.toml\n./conf/mole.toml"),
                *[opened("conf/harbor.toml", "I will open conf/harbour.toml now.")] * 3,
            ],
            (
                "Send the name that the agent's own words give: before steps 2, 3 and 4 they have "
                "`conf/harbour.toml`, and the calls have `conf/harbor.toml`; step 1 had shown the former."
            ),
            id="the words have the right path",
        ),
        pytest.param(
            [run("ls tests", "test_moorings.py\ntest_cranes.py"), *[listed("tests/test_mooring.py")] * 3],
            "Check whether `test_moorings.py` is meant: step 1 showed it, and `tests/test_mooring.py` isn't there.",
            id="a name much like it",
        ),
        pytest.param(
            [read("a.py"), *[opened(SENT)] * 4],
            "Search for `QuayWall.java` by its name before calling again: no result so far shows it.",
            id="nobody looked for it",
        ),
    ],
)
def test_says_what_the_run_showed(parts: list[Part], expected: str) -> None:
    assert advice(*parts) == [expected]


def test_a_folder_that_nothing_shows_may_have_to_be_made() -> None:
    assert not any("Search for" in text for text in advice(*[entered("build/") for _ in range(4)]))


@pytest.mark.parametrize(
    ("answer", "is_server"),
    [
        ("curl: (22) The requested URL returned error: 404 Not Found", True),
        ("Web fetch failed (404)", True),
        ("Error: booking not found", False),
    ],
)
def test_a_server_is_spoken_of_where_one_answered(answer: str, is_server: bool) -> None:
    (said, *_) = advice(*[call("get_booking", {"number": f"B{n}"}, answer, is_error=True) for n in range(6)])
    assert ("the server answers" in said) is is_server


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([call("judge", {"code": f"f({n})"}, "No.", is_error=True) for n in range(6)], id="other calls"),
        pytest.param(
            [[call("judge", {"code": "f()"}, "No.", is_error=True), read(f"{n}.md", f"{n}")] for n in range(5)],
            id="something else between",
        ),
    ],
)
def test_calls_that_are_not_all_there_is_are_not_said_to_be(parts: list[Part]) -> None:
    assert not any("sent the same one" in text for text in advice(*parts))


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param(
            [looked("QuayWall.java", f"{THERE}\n/srv/old/QuayWall.java"), *[opened(SENT)] * 4], id="two places"
        ),
        pytest.param(
            [looked("index.ts", "./src/quay/index.ts"), *[opened("src/mole/index.ts")] * 4], id="a name of many files"
        ),
        pytest.param([*[opened(SENT)] * 4, looked("QuayWall.java", THERE)], id="shown only afterwards"),
        pytest.param([looked("QuayWall.java", ""), *[opened(SENT)] * 4], id="looked for in vain"),
        pytest.param(
            [looked("QuayWall.java", THERE), opened(THERE), *[opened(SENT)] * 4], id="the other path failed as well"
        ),
        pytest.param([run("ls", "model_v2.bin"), *[listed("model_v3.bin")] * 3], id="only the number differs"),
        pytest.param(
            [run("ls", "moorings.py\nmooringss.py"), *[listed("mooringx.py")] * 3], id="two names much like it"
        ),
        pytest.param(
            [run("ls", "fastboats/"), *[entered("fastbridge/", "Now into `harbour/`.")] * 3],
            id="words on something else",
        ),
        pytest.param(
            [
                run("ls", "README.md"),
                *[entered("fastbridge/", "It's called `fastboats/`.")] * 3,
            ],
            id="words that nothing shows",
        ),
        pytest.param(
            [run("ls", "fastboats/"), *[entered("fastbridge/", "Now into `fastbridge/`, not `fastboats/`.")] * 3],
            id="words that have both",
        ),
    ],
)
def test_says_nothing_that_the_run_does_not_show(parts: list[Part]) -> None:
    assert not any(text.startswith(("Use ", "Send ", "Check whether ")) for text in advice(*parts))


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        pytest.param(
            lambda: call("judge", {"code": "f()"}, "Test case did not pass. Please try again.", is_error=True),
            ["Change the call before it's sent again: steps 1-4 sent the same one and got the same answer."],
            id="a verdict that names no place",
        ),
        pytest.param(
            lambda: call("lint", {}, "quay.py:3:1: F821 undefined name 'radius'", is_error=True),
            ["Read the place that the message names, and change what it speaks of before running the same again."],
            id="a message that names a line",
        ),
    ],
)
def test_names_a_place_only_where_the_message_does(part: object, expected: list[str]) -> None:
    assert callable(part)
    assert advice(*(part() for _ in range(4))) == expected


def asked(title: str, answer: str) -> Part:
    return call("look_up", {"query": title}, answer)


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        pytest.param(
            [asked('"Long Pier"', "Could not find [\"Long Pier\"]. Similar: ['Long Pier', 'Short Pier']")] * 4,
            'Send `Long Pier`, which the answer of step 4 offers, in place of `"Long Pier"`.',
            id="the same title without quotation marks",
        ),
        pytest.param(
            [run("quay --loud", "error: no such option --loud (did you mean --load?)", 2)] * 4,
            "Send `--load`, which the answer of step 4 offers, in place of `--loud`.",
            id="an option that is meant",
        ),
        pytest.param(
            [run("git comit -m x", "git: 'comit' is not a git command. See 'git --help'.\n\nDid you mean 'commit'?", 1)]
            * 4,
            "Send `commit`, which the answer of step 4 offers, in place of `comit`.",
            id="a command that is meant",
        ),
    ],
)
def test_says_what_the_answer_offers(parts: list[Part], expected: str) -> None:
    assert advice(*parts) == [expected]


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param(
            [asked("Long Pier", "Could not find [Long Pier]. Similar: ['Tall Pier', 'Short Pier']")] * 4, id="others"
        ),
        pytest.param([asked('"Long Pier"', 'No results for ["Long Pier"].')] * 4, id="an echo of what was sent"),
        pytest.param(
            [asked("Long Pier", "No page."), *[asked('"Long Pier"', "No page. Similar: ['Long Pier']")] * 4],
            id="tried already",
        ),
        pytest.param([run("quay --loud", "error: no such option --loud", 2)] * 4, id="nothing offered"),
    ],
)
def test_says_nothing_that_no_answer_offers(parts: list[Part]) -> None:
    assert not any("offers" in text for text in advice(*parts))


def test_a_running_agent_is_given_the_name_that_was_shown() -> None:
    guard = Guard("Open the wall.")
    guard.observe("bash", {"command": "find . -name QuayWall.java"}, THERE)
    alarms = [alarm for _ in range(4) for alarm in guard.observe("open", {"path": SENT}, f"File {SENT} not found")]
    assert any(f"Use `{THERE}`" in alarm.message or f"Use `{THERE}`" in alarm.finding.advice[0] for alarm in alarms)
