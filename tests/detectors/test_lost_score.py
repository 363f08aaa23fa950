"""A state that the log rates better than the one in which the session ended."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.model.session import ToolResult
from tests.build import Part, call, findings, run


def rated(name: str, score: float | None, **more: Any) -> Part:
    made = run(f"mv {name} quay/", "", **more)
    for event in made:
        if isinstance(event, ToolResult):
            event.score = score
    return made


def scores(*values: float | None) -> list[Part]:
    return [rated(f"file{number}", value) for number, value in enumerate(values)]


@pytest.mark.parametrize(
    ("parts", "title", "severity"),
    [
        pytest.param(
            scores(0.67, 0.72, 0.72, 0.39, 0.39),
            "The recorded score was 0.72 at step 2 and is 0.39 at the end; it fell at step 4",
            "medium",
            id="a better state lost",
        ),
        pytest.param(
            scores(8, 7),
            "The recorded score was 8 at step 1 and is 7 at the end; it fell at step 2",
            "low",
            id="an eighth lost, in another measure",
        ),
        pytest.param(
            [*scores(0.8, 0.2), *scores(None, 0.2)],
            "The recorded score was 0.8 at step 1 and is 0.2 at the end; it fell at step 2",
            "medium",
            id="steps without a score",
        ),
        pytest.param(
            scores(0.8, 0.2, 0.8, 0.3),
            "The recorded score was 0.8 at step 1 and is 0.3 at the end; it fell at step 4",
            "medium",
            id="lost, reached and lost again",
        ),
    ],
)
def test_a_score_that_was_lost(parts: list[Part], title: str, severity: str) -> None:
    (found,) = findings(*parts, detector="lost-score")
    assert (found.title, str(found.severity)) == (title, severity)
    assert found.steps[-1] == found.detectable_at


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param(scores(0.2, 0.5, 0.8), id="it rises"),
        pytest.param(scores(0.8, 0.8), id="it stays"),
        pytest.param(scores(0.8, 0.2, 0.8), id="it comes back"),
        pytest.param(scores(0.7, 0.69), id="a hundredth"),
        pytest.param(scores(0.8), id="one score"),
        pytest.param(scores(None, None), id="no score"),
        pytest.param(scores(0.0, -1.0), id="nothing to lose"),
        pytest.param([*scores(0.8, None), call("note", {}, "")], id="steps that aren't rated"),
        pytest.param([rated("a", 0.8), rated("b", 0.8), rated("c", 0.1, lane="helper")], id="another lane"),
    ],
)
def test_a_score_that_was_not_lost(parts: list[Part]) -> None:
    assert findings(*parts, detector="lost-score") == []


def shell(command: str, score: float) -> Part:
    made = run(command, "quay.txt")
    for event in made:
        if isinstance(event, ToolResult):
            event.score = score
    return made


@pytest.mark.parametrize(
    ("better", "worse", "advice"),
    [
        pytest.param(
            "find . -name '*.txt' -exec mv {} quay/ ;",
            "find . -name '*.txt' -exec mv {} quay/ ; && echo 'All done'",
            ["Leave out what step 2 adds to the call of step 1, which was rated 0.9: `&& echo 'All done'`."],
            id="an echo behind the same call",
        ),
        pytest.param(
            "wc -l quay.txt",
            "echo 'You are welcome'",
            ["End with what step 1 printed, which was rated 0.9: step 2 only prints something."],
            id="words sent to the shell",
        ),
        pytest.param(
            "wc -l quay.txt",
            "cat quay.txt",
            ["End with what step 1 printed, which was rated 0.9: step 2 only prints something."],
            id="another look",
        ),
        pytest.param(
            "wc -l quay.txt > count.txt",
            "echo 7 > count.txt",
            ["Undo what step 2 changed: what step 1 left was rated 0.9."],
            id="a file that is written over",
        ),
        pytest.param("./build --fast", "./build --slow", [], id="programs of which nothing is known"),
    ],
)
def test_says_what_lost_it_as_far_as_the_calls_show(better: str, worse: str, advice: list[str]) -> None:
    (found,) = findings(shell(better, 0.9), shell(worse, 0.2), detector="lost-score")
    assert found.advice == advice


def test_quotes_both_calls_around_what_differs() -> None:
    long = " ".join(f"--except quay{number}.txt" for number in range(20))
    (found,) = findings(
        shell(f"tidy {long}", 0.9), shell(f"tidy {long} && echo 'All done'", 0.2), detector="lost-score"
    )
    assert [entry.quote.endswith("echo 'All done'") for entry in found.evidence] == [True, False]
