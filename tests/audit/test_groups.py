"""The same failure in several sessions."""

from __future__ import annotations

from analyzer.audit.figures.breakdown import Weeks
from analyzer.audit.figures.families import failure_themes
from analyzer.audit.figures.groups import across, known, merged
from analyzer.audit.figures.parts import Links
from analyzer.model.audit_report import AcrossGroup, FailureTheme
from tests.audit.tables import Values, sessions, tables
from tests.tables import table

LONG = "the {0} could not be opened because somebody else holds it open at the moment"


def found(failures: list[Values], rows: list[Values] | None = None, most: int = 10) -> list[AcrossGroup]:
    made = tables(sessions=rows or sessions(*[{} for _ in range(9)]), failures=failures)
    return across(made, Links(made, None), most, Weeks(made), {})[0]


def families(failures: list[Values], findings: list[Values] = []) -> list[FailureTheme]:  # noqa: B006 - never changed
    made = tables(sessions=sessions(*[{} for _ in range(9)]), failures=failures, findings=findings)
    return failure_themes(made, Links(made, None), 100)[0]


def test_a_failure_of_one_session_is_no_group() -> None:
    assert found([{"session": "s1", "step": step} for step in (1, 2, 3)]) == []


def test_a_group_says_whom_it_hit_and_when() -> None:
    rows = sessions(
        {"agent": "x", "model": "m", "family": "garden", "started_at": "2025-03-02T10:00:00Z", "outcome": "succeeded"},
        {
            "agent": "x",
            "model": None,
            "family": "garden",
            "started_at": "2025-03-01T10:00:00Z",
            "outcome": "failed",
            "findings": 1,
        },
        {"agent": "y", "model": "m", "family": "kitchen", "outcome": "unknown"},
        {"agent": "z", "started_at": "2024-01-01T00:00:00Z"},
    )
    (group,) = found(
        [
            {"session": "s1", "step": 5, "origin": "tool"},
            {"session": "s2", "step": 9, "origin": "tool"},
            {"session": "s2", "step": 7, "origin": "tool"},
            {"session": "s3", "step": 2, "origin": "test"},
            {"session": "s4", "step": 1, "fingerprint": "f3-other", "template": "Error: other"},
        ],
        rows,
    )
    assert (group.sessions, group.steps, group.origin, group.template) == (3, 4, "tool", "Error: broken")
    assert (group.first_seen, group.last_seen) == ("2025-03-01T10:00:00Z", "2025-03-02T10:00:00Z")
    assert [(entry.value, entry.sessions) for entry in group.agents] == [("x", 2), ("y", 1)]
    assert [(entry.value, entry.sessions) for entry in group.models] == [("m", 2)]
    assert [(entry.value, entry.sessions) for entry in group.families] == [("garden", 2), ("kitchen", 1)]
    assert (group.success.count, group.success.of) == (1, 2)
    assert (group.example.id, group.example.step, group.example.link) == ("run-2", 7, "sessions/s2.md")


def test_groups_come_by_sessions_then_by_steps_and_are_cut_but_counted() -> None:
    rows = [
        *({"session": name, "fingerprint": "f3-b", "template": "Error: bulb"} for name in ("s1", "s2")),
        *({"session": name, "fingerprint": "f3-a", "template": "Error: axe"} for name in ("s1", "s2", "s3")),
        *({"session": name, "fingerprint": "f3-c", "template": "Error: cup"} for name in ("s1", "s2", "s2")),
    ]
    assert [group.fingerprint for group in found(rows)] == ["f3-a", "f3-c", "f3-b"]
    made = tables(sessions=sessions({}, {}, {}), failures=rows)
    shown, count = across(made, Links(made, None), 1, Weeks(made), {})
    assert ([group.fingerprint for group in shown], count) == (["f3-a"], 3)


@table("messages_that_say_the_same_are_put_together")
def test_messages_that_say_the_same_are_put_together(one: Values, other: Values, together: bool) -> None:
    made = tables(
        failures=[{"session": "s1", "fingerprint": "f3-1", **one}, {"session": "s2", "fingerprint": "f3-2", **other}]
    )
    assert (len(set(merged(known(made)).values())) == 1) is together


def test_the_most_frequent_wording_stands_for_the_group() -> None:
    rows = [
        {"session": "s1", "fingerprint": "f3-a", "template": LONG.format("big door")},
        *({"session": name, "fingerprint": "f3-b", "template": LONG.format("door")} for name in ("s2", "s3")),
    ]
    (group,) = found(rows)
    assert (group.fingerprint, group.template, group.fingerprints, group.sessions) == (
        "f3-b",
        LONG.format("door"),
        2,
        3,
    )


def test_the_order_of_rows_changes_nothing() -> None:
    rows = [
        {"session": f"s{n % 7 + 1}", "step": n, "fingerprint": f"f3-{n % 5}", "template": LONG.format("x" * (n % 3))}
        for n in range(40)
    ]
    assert found(rows) == found(sorted(rows, key=lambda row: -row["step"]))


def test_what_is_missing_is_named_with_its_sessions() -> None:
    (theme,) = families(
        [
            *(
                {
                    "session": name,
                    "kind": "missing-dependency",
                    "type": "ModuleNotFoundError",
                    "message": "No module named 'numpy'",
                }
                for name in ("s1", "s2", "s2")
            ),
            {
                "session": "s3",
                "kind": "missing-dependency",
                "type": "ModuleNotFoundError",
                "message": "No module named 'pandas.core'; 'pandas' is not a package",
            },
        ]
    )
    assert [(entry.value, entry.sessions) for entry in theme.names] == [("numpy", 2), ("pandas.core", 1)]
    assert (theme.sessions, theme.steps, theme.messages) == (3, 4, [])
    assert (theme.advice or "").startswith("Install these in the environment")


@table("missing_programs")
def test_missing_programs(message: str, name: str | None) -> None:
    (theme,) = families([{"session": key, "kind": "command-not-found", "message": message} for key in ("s1", "s2")])
    assert [entry.value for entry in theme.names] == ([name] if name else [])


def test_other_families_show_their_messages_and_the_advice_of_their_findings() -> None:
    rows = [
        {
            "session": name,
            "failure_group": "F1",
            "kind": "exception",
            "type": "KeyError",
            "template": f"KeyError: {word}",
        }
        for name, word in (("s1", "a"), ("s2", "a"), ("s3", "b"))
    ]
    advice = [
        {"session": name, "failure_group": group, "advice": f'["{text}"]'}
        for name, group, text in (
            ("s1", "F1", "Look at `a`."),
            ("s2", "F1", "Look at `b`."),
            ("s3", "F2", "No."),
            ("s3", "F3", "No."),
            ("s4", "F1", "No."),
        )
    ]
    (theme,) = families(rows, advice)
    assert [(entry.value, entry.sessions) for entry in theme.messages] == [("KeyError: a", 2), ("KeyError: b", 1)]
    assert theme.advice == "Look at `a`."


def test_a_family_of_one_session_is_none() -> None:
    assert families([{"session": "s1", "kind": "timeout"}, {"session": "s1", "kind": "timeout"}]) == []


def test_messages_of_a_family_that_differ_in_values_are_one() -> None:
    (family,) = families(
        [
            {"session": f"s{number}", "fingerprint": f"f{number}", "kind": "other", "type": "Refused", "template": text}
            for number, text in enumerate(("order 17 is closed", "order 812 is closed", "the till is shut"), 1)
        ]
    )
    assert [(entry.value, entry.sessions) for entry in family.messages] == [
        ("order <*> is closed", 2),
        ("the till is shut", 1),
    ]
