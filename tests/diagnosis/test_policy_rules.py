"""Guard policies one by one: at which action they fire, and that they see nothing that comes later."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.diagnosis.policies.policy import Policy
from analyzer.diagnosis.policies.registry import POLICIES, policy
from analyzer.model.action import Action
from analyzer.model.errors import BadConfiguration
from analyzer.model.words import Mark
from tests.build import Part, call, edit, pytest_report, read, run, timeline, together, user
from tests.drawn import examples

LS = run("ls", "a.py")
PWD = run("pwd", "/w")
DATE = run("date", "Monday")
FAILS = run("pytest", pytest_report(), 1)


def polls(count: int) -> list[Part]:
    return [run("cat log", f"{n} done") for n in range(count)]


def reads(count: int) -> list[Part]:
    return [read(f"{n}.py", f"text {n}") for n in range(count)]


def edits(count: int) -> list[Part]:
    return [[edit("shapes.py", f"{n}", f"{n}{n}"), FAILS] for n in range(count)]


def moving(count: int) -> list[Part]:
    return [run("pytest", pytest_report(f"ValueError: bad token at line {n}"), 1) for n in range(count)]


def refused(count: int, **more: object) -> list[Part]:
    return [call("fly", {"to": "moon"}, f"No such tool ({n})", is_error=True, mark=Mark.REJECTED) for n in range(count)]


def fires(made: Policy, actions: list[Action]) -> int | None:
    return next((action.step for action in actions if made.observe(action)), None)


@pytest.mark.parametrize(
    ("name", "values", "parts", "step"),
    [
        pytest.param("same-tool", {"times": 4}, [LS, reads(3), LS], None, id="tool: not four"),
        pytest.param("same-tool", {"times": 3}, [LS, PWD, DATE], 3, id="tool: an agent with one tool only"),
        pytest.param("identical-call", {"times": 2}, [PWD, LS, LS], 3, id="call: twice"),
        pytest.param("identical-call", {"times": 2}, [LS, PWD, LS, PWD], None, id="call: never twice in a row"),
        pytest.param("identical-call-and-result", {"times": 3}, polls(9), None, id="result: it moves"),
        pytest.param("identical-error", {"times": 2}, edits(2), 4, id="error: twice"),
        pytest.param("identical-error", {"times": 2}, moving(4), None, id="error: its numbers move"),
        pytest.param("masked-error", {"times": 4}, [FAILS, reads(3), LS] * 3, None, id="masked error: three times"),
        pytest.param("alternating-calls", {"rounds": 2}, [LS, PWD] * 2, 4, id="turns: two rounds"),
        pytest.param("alternating-calls", {"rounds": 2}, [LS] * 9, None, id="turns: one call only"),
        pytest.param("alternating-error", {"rounds": 2}, edits(2), 4, id="turns with an error: two rounds"),
        pytest.param("alternating-error", {"rounds": 4}, edits(3), None, id="turns with an error: not four"),
        pytest.param(
            "exact-cycle", {"period": 2, "rounds": 3}, [LS, PWD, DATE] * 5, None, id="cycle: longer than it looks for"
        ),
        pytest.param(
            "exact-cycle", {"period": 8, "rounds": 3}, [LS, PWD, DATE, reads(2)] * 3, 15, id="cycle: five calls"
        ),
        pytest.param("step-limit", {"actions": 3}, reads(9), 3, id="limit"),
        pytest.param("step-limit", {"actions": 3}, reads(2), None, id="limit: not reached"),
        pytest.param(
            "openhands",
            {},
            [run("make", f"line {n}", 0) for n in range(4)],
            4,
            id="openhands: a command's output is not looked at",
        ),
        pytest.param("openhands", {}, [run("make", "x", n) for n in range(9)], None, id="openhands: but its exit code"),
        pytest.param(
            "openhands",
            {},
            [run("make", "x", said=f"try {n}") for n in range(9)],
            None,
            id="openhands: another thought is another command",
        ),
        pytest.param(
            "openhands",
            {},
            [read("a.py", "x", said=f"try {n}") for n in range(4)],
            4,
            id="openhands: of other tools the thought is left out",
        ),
        pytest.param("openhands", {}, refused(3), 3, id="openhands: three calls that it refuses"),
        pytest.param("openhands", {}, [LS, PWD] * 3, 6, id="openhands: taking turns"),
        pytest.param("openhands", {}, edits(9), None, id="openhands: edits that differ"),
        pytest.param("openhands-sdk", {}, [LS] * 4, 4, id="sdk: four times"),
        pytest.param(
            "openhands-sdk", {}, [run("make", f"line {n}", 0) for n in range(9)], None, id="sdk: other output"
        ),
        pytest.param("openhands-sdk", {}, refused(4), 4, id="sdk: four calls that it refuses"),
        pytest.param("openhands-sdk", {}, refused(3), None, id="sdk: three are too few"),
        pytest.param(
            "openhands-sdk", {}, [[LS] * 3, user("Go on."), [LS] * 3], None, id="sdk: the user says something"
        ),
        pytest.param("gemini-cli", {}, polls(5), 5, id="gemini: five calls, whatever comes"),
        pytest.param("gemini-cli", {}, [LS, PWD] * 5, 10, id="gemini: five rounds"),
        pytest.param(
            "gemini-cli", {}, [[LS] * 4, user("Again."), [LS] * 4], None, id="gemini: the user says something"
        ),
        pytest.param(
            "gemini-cli",
            {},
            [call("grep", dict(entry), "x") for entry in ([("a", 1), ("b", 2)], [("b", 2), ("a", 1)]) * 2] * 2,
            None,
            id="gemini: keys in another order",
        ),
        pytest.param("qwen-code", {}, [[LS, reads(2), PWD, DATE] for _ in range(6)], 26, id="qwen: six times anywhere"),
        pytest.param("qwen-code", {}, [LS, PWD] * 3, 6, id="qwen: taking turns"),
        pytest.param("qwen-code", {}, reads(8), 8, id="qwen: eight calls of one tool"),
        pytest.param("qwen-code", {}, [LS, reads(7)], None, id="qwen: seven are too few"),
        pytest.param("roo-code", {}, [LS] * 4, 4, id="roo: the fourth"),
        pytest.param("roo-code", {}, [LS, LS, LS, PWD, LS], None, id="roo: any other call starts anew"),
        pytest.param(
            "cline",
            {},
            [call("do", {"a": 1, "task_progress": str(n)}, "x") for n in range(5)],
            5,
            id="cline: the fifth, its progress left out",
        ),
        pytest.param("cline", {"times": 3}, [LS] * 3, 3, id="cline: where it warns"),
        pytest.param(
            "opencode",
            {},
            [together("m1", *(run("ls", "a.py") for _ in range(3)))],
            3,
            id="opencode: within one message",
        ),
        pytest.param("opencode", {}, [LS] * 9, None, id="opencode: across messages it's blind"),
        pytest.param("crush", {}, [reads(4), [LS] * 6], 10, id="crush: six of ten"),
        pytest.param("crush", {}, [LS] * 9, None, id="crush: before the tenth it says nothing"),
        pytest.param("crush", {}, [LS, PWD] * 9, None, id="crush: five of ten are too few"),
        pytest.param("browser-use", {}, [[LS, read(f"{n}.py")] for n in range(5)], 9, id="browser-use: not in a row"),
        pytest.param(
            "browser-use",
            {"times": 8},
            [[LS, read(f"{n}.py")] for n in range(5)],
            None,
            id="browser-use: the second nudge",
        ),
        pytest.param(
            "openclaw",
            {"times": 10},
            [[LS, read(f"{n}.py")] for n in range(10)],
            19,
            id="openclaw: others in between don't count",
        ),
        pytest.param("openclaw", {"times": 10}, polls(29), None, id="openclaw: other results"),
        pytest.param("openclaw", {"times": 10}, [LS, PWD] * 5, 10, id="openclaw: taking turns"),
        pytest.param("openclaw", {}, [LS] * 19, None, id="openclaw: twenty"),
        pytest.param("hermes-agent", {}, [LS] * 5, 5, id="hermes: five equal results"),
        pytest.param("hermes-agent", {"times": 3}, [LS, PWD, DATE] * 3, 9, id="hermes: three laps"),
        pytest.param(
            "hermes-agent",
            {},
            [[run("make", f"error {n}", 2), reads(2)] for n in range(5)],
            13,
            id="hermes: five failures of one call",
        ),
        pytest.param("hermes-agent", {}, edits(9), None, id="hermes: an edit in between starts anew"),
        pytest.param("hermes-agent", {}, polls(9), None, id="hermes: other results"),
    ],
)
def test_fires(name: str, values: dict[str, int], parts: list[Part], step: int | None) -> None:
    assert fires(policy(name)(**values), timeline(*parts).actions) == step


@pytest.mark.parametrize("name", POLICIES)
def test_every_policy_says_what_it_is_and_has_usable_grids(name: str) -> None:
    kind = POLICIES[name]
    assert kind.title.endswith(".")
    assert "\n" not in kind.title
    for key, parameter in kind.parameters.items():
        assert parameter.about
        for value in (*parameter.grid, parameter.usual, parameter.least):
            assert kind(**{key: value}).values[key] == value
    assert fires(kind(), []) is None


@pytest.mark.parametrize(
    ("make", "expectation"),
    [
        pytest.param(lambda: policy("identical-cal"), "Did you mean 'identical-call'?", id="name"),
        pytest.param(lambda: policy("xyzzy"), "Known are: same-tool", id="name like no other"),
        pytest.param(lambda: policy("same-tool")(time=3), "Did you mean 'times'?", id="parameter"),
        pytest.param(lambda: policy("openhands")(times=3), "There are none.", id="no parameter"),
        pytest.param(lambda: policy("same-tool")(times=1), "must be 2 or more", id="value"),
    ],
)
def test_what_cannot_be_used_is_refused(make: Callable[[], object], expectation: str) -> None:
    with pytest.raises(BadConfiguration, match=expectation.replace("?", r"\?")):
        make()


STEPS: list[Part] = [
    LS,
    PWD,
    DATE,
    FAILS,
    *moving(2),
    *reads(2),
    edit("a.py", "x", "y"),
    *refused(2),
    run("make", "", 1),
    user("And now?"),
]


@pytest.mark.slow
@examples(150)
@given(st.lists(st.integers(0, len(STEPS) - 1), max_size=40), st.integers(0, 40))
def test_what_comes_later_changes_nothing(order: list[int], cut: int) -> None:
    whole = timeline(*(STEPS[number] for number in order)).actions
    part = timeline(*(STEPS[number] for number in order[:cut])).actions
    for name, kind in POLICIES.items():
        at = fires(kind(), whole)
        assert fires(kind(), part) == (at if at is not None and at <= len(part) else None), name


@pytest.mark.slow
@examples(100)
@given(st.lists(st.integers(0, len(STEPS) - 1), max_size=40))
def test_a_larger_value_never_fires_sooner(order: list[int]) -> None:
    actions = timeline(*(STEPS[number] for number in order)).actions
    for kind in POLICIES.values():
        for key in set(kind.parameters) - {"period"}:
            steps = [fires(kind(**{key: value}), actions) or 10_000 for value in sorted(kind.parameters[key].grid)]
            assert steps == sorted(steps), (kind.name, key)
