"""Sessions are redacted before anything is judged, cut, masked or stored."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.diagnosis.step_texts import recording_of
from analyzer.model.session import Session, ToolCall
from analyzer.redaction import redact_session
from analyzer.report.figures import replaced
from analyzer.timeline import build_timeline
from tests.build import call, edit, findings, report, run, says, session, traceback, user
from tests.redaction.examples import SECRETS
from tests.redaction.made_up import letters

KEY = "gh" + "p_" + letters(36)
FORMS = st.sampled_from([secret for rule, secret in SECRETS if rule != "private-key"])


def shown(log: Session) -> str:
    """All that is made of a session: the post-mortem with its masked messages, and the clipped texts of its steps."""
    return report(log).model_dump_json() + repr(recording_of(build_timeline(log), 400))


@pytest.mark.slow
@given(FORMS, st.integers(0, 300), st.integers(0, 300))
def test_no_piece_of_a_secret_in_an_error_is_left(secret: str, before: int, after: int) -> None:
    line = f"RuntimeError: {'tide ' * (before // 5)}refused {secret} {'ebb ' * (after // 4)}"
    log = session(
        user(f"Make it work with {secret}"),
        *(
            part
            for number in range(3)
            for part in (
                edit("a.py", f"x = {number}", f"x = {number + 1}"),
                run("pytest", traceback(line, ("a.py", 7, "go", "go()")), 1),
            )
        ),
        says(f"It still refuses {secret}"),
    )
    redact_session(log)
    text = shown(log)
    assert not [secret[at : at + 10] for at in range(len(secret) - 9) if secret[at : at + 10] in text]


def test_a_value_that_its_name_gives_away_later_is_replaced_in_what_came_before() -> None:
    value = letters(24)
    log = session(run(f"./connect {value}", f"no route for {value}", 1), run("cat .env", f"DB_PASSWORD={value}"))
    redact_session(log)
    assert value not in shown(log)


def test_arguments_keep_their_form() -> None:
    log = session(
        call("login", {"user": {"password": "k9Zq8Wn2", "age": 7}, "tags": [KEY, None, True], "path": "/home/ada1/x"})
    )
    redact_session(log)
    (made,) = log.calls()
    assert made.arguments == {
        "user": {"password": "[password-1]", "age": 7},
        "tags": ["[github-token-1]", None, True],
        "path": "/home/user-1/x",
    }


def test_equal_stays_equal_and_other_stays_other() -> None:
    other = "gh" + "p_" + letters(36)[::-1]
    log = session(*(run(f"curl -H 'X: {key}' localhost", "refused", 7) for key in (KEY, other, KEY)))
    redact_session(log)
    first, second, third = (event.arguments for event in log.events if isinstance(event, ToolCall))
    assert first == third
    assert first != second


def test_ids_and_names_of_tools_stay() -> None:
    log = session(call(KEY, {}), id=KEY)
    redact_session(log)
    assert (log.id, next(iter(log.calls())).name) == (KEY, KEY)


@pytest.mark.parametrize("redacted", [False, True])
def test_a_secret_in_a_command_is_found_either_way(redacted: bool) -> None:
    log = session(user("Deploy it."), run(f"export TOKEN={KEY}"), run(f"export TOKEN={KEY}"))
    if redacted:
        redact_session(log)
    (found,) = findings(log.events, detector="outward-effect")
    assert (found.kind, found.title) == ("secret", "A secret (github-token) is in a command at step 1")
    assert KEY not in found.evidence[0].quote


def test_a_session_knows_how_much_was_replaced() -> None:
    log = session(
        user(f"Read /home/marlene/app.py and /Users/jorinde/x with {KEY}, {KEY}"), run("ls /home/marlene", "app.py")
    )
    redact_session(log)
    assert log.redacted == {"github-token": 1, "home-directory": 2}
    facts = report(log).sessions[0].session
    assert facts.redacted == log.redacted
    assert facts.redacted_at == {"github-token": 0, "home-directory": 0}
    assert replaced(facts) == (
        "github-token 1 (first before step 1), home-directory 2 (names of users in paths, shown as user-1 and so on)"
    )


def test_the_first_step_with_something_replaced_is_named() -> None:
    log = session(user("Deploy it."), run("ls", "app.py"), run("cat .env", f"TOKEN={KEY}"), run("cat .env", KEY))
    redact_session(log)
    facts = report(log).sessions[0].session
    assert (facts.redacted_at, replaced(facts)) == ({"github-token": 2}, "github-token 1 (first at step 2)")


def test_what_was_replaced_in_a_lane_of_its_own_has_no_step() -> None:
    log = session(user("Deploy it."), run("ls", "app.py"), run("cat .env", f"TOKEN={KEY}", lane="scout"))
    redact_session(log)
    assert log.redacted_at == {}


@pytest.mark.parametrize("text", ["Make it work.", "Read /home/runner/app.py", "Mail to nobody@example.com"])
def test_where_nothing_was_replaced_nothing_is_said(text: str) -> None:
    log = session(user(text), run("ls", "app.py"))
    redact_session(log)
    assert report(log).sessions[0].session.redacted == {}
