"""Commands of which only a part arrived."""

from __future__ import annotations

import pytest

from analyzer.detectors import detect
from analyzer.model.finding import Finding
from tests.build import Part, findings, run, timeline

CUT = run('bind -P | grep -v "can be found"', "be: line 1: bind: warning: line editing not enabled\nabort is bound")


def cut(*parts: Part) -> list[Finding]:
    return findings(*parts, detector="cut-commands")


@pytest.mark.parametrize(
    ("parts", "steps"),
    [
        pytest.param([run("ls", "pier"), CUT], [2], id="under the name of a word in quotes"),
        pytest.param([run("grep 'old pier deck' a.md", "pier: line 1: grep: no input", 2)], [1], id="single quotes"),
        pytest.param([run('echo "low tide"', "low"), run("echo 'high tide'", "high")], [1, 2], id="two echoes"),
        pytest.param([run('echo "low tide"', "low"), CUT], [2], id="one echo besides"),
        pytest.param(
            [
                run("bind -P | grep -v 'is not'", "beep is not bound"),
                run('bind -P | grep -v "is not"', "beep is not bound"),
            ],
            [1, 2],
            id="filters that let through what they take out",
        ),
    ],
)
def test_fires(parts: list[Part], steps: list[int]) -> None:
    (found,) = cut(*parts)
    assert (found.steps, found.severity) == (steps, "medium")


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param(
            [run('bind -P | grep -v "can be found"', "bash: line 1: bind: warning")], id="the shell's own name"
        ),
        pytest.param(
            [run("./deploy 'the old pier'", "deploy: line 3: oars: command not found", 1)], id="a script's name"
        ),
        pytest.param(
            [run('bash -c "deploy now"', "deploy: line 3: oars: command not found", 1)], id="the command in quotes"
        ),
        pytest.param([run('sh -c "cd x; deploy"', "deploy: line 3: no", 1)], id="a later command in quotes"),
        pytest.param([run('echo "low tide"', "low tide"), run("echo 'high tide'", "high tide")], id="whole echoes"),
        pytest.param([run('echo "low tide"', "low")], id="one echo"),
        pytest.param([run('echo "low tide" | cut -d" " -f1', "low")] * 2, id="cut on purpose"),
        pytest.param([run("bind -P | grep -v 'is not'", "beep is not bound")], id="one filter"),
        pytest.param([run("bind -P | grep -v 'is not'", "beep is bound")] * 3, id="filters that work"),
        pytest.param([run("grep -v 'is not' a.md | sort", "a is not b")] * 3, id="a filter that isn't the last"),
        pytest.param([run("cat notes", "be: line 1: a quote from a log")], id="nothing in quotes"),
    ],
)
def test_does_not_fire(parts: list[Part]) -> None:
    assert cut(*parts) == []


TALK = [
    run('echo "The gauge is mended, so the tide is shown again."', "The"),
    run("echo 'Is there anything else that you need?'", "Is"),
]


@pytest.mark.parametrize(
    ("parts", "severity"),
    [
        pytest.param(TALK, "info", id="sentences to a reader"),
        pytest.param([*TALK, CUT], "medium", id="sentences and a command of the task"),
        pytest.param([run("echo 'low tide'", "low"), TALK[0]], "medium", id="words that the task may ask for"),
        pytest.param(
            [run("bind -P | grep -v 'is not'", "beep is not bound")] * 2, "medium", id="filters that print something"
        ),
    ],
)
def test_it_weighs_by_what_hangs_on_the_commands(parts: list[Part], severity: str) -> None:
    (found,) = cut(*parts)
    assert found.severity == severity


LINES = "abort is bound to C-g\naccept-line can be found on C-j\nbeep is bound to C-x"
FILTERS = ("-v 'is not'", "-v 'not bound'", "-v 'or so'", "-v 'nothing at'", "-v 'nowhere'")


def test_different_commands_with_one_answer_are_a_part_of_it() -> None:
    asked = [run(f"bind -P | grep {words}", LINES) for words in FILTERS]
    (alone,) = detect(timeline(*asked, task="Print all bindings."), select=["loops", "cut-commands"])
    assert (alone.detector, alone.severity) == ("loops", "high")
    (found,) = detect(timeline(CUT, *asked, task="Print all bindings."), select=["loops", "cut-commands"])
    assert (found.detector, [aspect.detector for aspect in found.aspects]) == ("cut-commands", ["loops"])
