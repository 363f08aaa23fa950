"""The page about a session: its sections, their order, several sessions, and its weight."""

from __future__ import annotations

import pytest

from tests.build import Part, edit, pytest_report, read, run, session, user
from tests.report.html.pages import page, parsed, written

FAILS = pytest_report(
    "ValueError: Need at least 4 corners",
    test_code="Quad(corners=[0, 1, 2])",
    raised=("shapes.py", 49, "raise ValueError('corners')"),
)
LOOP: list[Part] = [[edit("shapes.py", f"a{n}", f"b{n}", said=f"Try {n}."), run("pytest", FAILS, 1)] for n in range(4)]
CALM: list[Part] = [user("Say what is there."), read("a.py", "x = 1"), run("ls", "a.py")]


def test_sections_are_in_order_and_all_are_in_the_table_of_contents() -> None:
    shown = page(user("Mend it."), *LOOP)
    assert shown.headings() == [
        *("What was done and said", "What happened", "Root cause", "Why the agent failed", "Suggested improvements"),
        "Timeline",
    ]
    links = [one for one in shown.all("a") if one.inside("toc")]
    assert [one.text.split(" (")[0] for one in links] == [
        *("What was done and said", "What happened", "Root cause", "Why the agent failed", "What was tried"),
        *(
            "Questions to the agent",
            "Suggested improvements",
            "Cost and waste",
            "Findings",
            "Timeline",
            "Failures that came back",
        ),
        "Guard rules replayed",
    ]
    places = [one.id for one in shown.elements if one.tag in ("h2", "details") and one.id and "step" not in one.classes]
    named = [one.attributes["href"] for one in links]
    assert [f"#{name}" for name in places if f"#{name}" in named] == named


def test_a_calm_session_has_a_short_page() -> None:
    shown = page(*CALM)
    assert shown.headings() == ["Timeline"]
    assert not shown.all("article")
    (headline,) = shown.all("p", "headline")
    assert headline.text == ("The recording ends with the result of step 2, and no answer of the agent follows.")


def test_a_session_without_actions_says_so() -> None:
    shown = page(user("Hello?"))
    assert "The recording holds no action." in shown.by_id("content").text


def test_the_header_has_title_outcome_and_facts() -> None:
    shown = page(
        *CALM,
        id="run-7",
        title="Say what is there",
        task="Say what is there, in all folders.\nAnd why.",
        agent="helper",
        model="m-1",
        cost_usd=0.004,
    )
    (title,) = shown.all("h1")
    assert title.text == "Say what is there"
    facts = {
        one.text: next(other.text for other in shown.all("dd") if other.parents[-1] is one.parents[-1])
        for one in shown.all("dt")
    }
    assert facts["Agent"] == "helper"
    assert facts["Model"] == "m-1"
    assert facts["Cost"] == "2 actions (1 read and 1 search), less than $0.01."
    (task,) = shown.all("details", "task")
    assert "in all folders.\nAnd why." in task.text


def test_several_sessions_have_a_table_and_their_own_names() -> None:
    shown = parsed(written(session(*CALM, id="calm"), session(*LOOP, id="worst"), session(*LOOP[:3], id="bad")))
    rows = [one for one in shown.all("th") if one.attributes.get("data-label") == "Session"]
    assert [row.text for row in rows] == ["worst", "bad", "calm"]
    assert [one.attributes["href"] for one in shown.all("a") if any(outer in rows for outer in one.parents)] == [
        "#session",
        "#s2-session",
        "#s3-session",
    ]
    assert shown.by_id("step-8").tag == shown.by_id("s2-step-6").tag == "details"
    ids = {one.id for one in shown.elements if one.id}
    assert {link.removeprefix("#") for link in shown.links()} <= ids
    second = [one.attributes["href"] for one in shown.all("a") if one.inside("s2-finding-1")]
    assert second
    assert all(link.startswith("#s2-") for link in second)
    assert [one.tag for one in shown.elements if one.id in ("session", "s2-session")] == ["h2", "h2"]


def test_sessions_without_findings_follow_as_well_unless_nothing_happened_in_them() -> None:
    shown = parsed(written(session(*CALM, id="one"), session(user("Hello?"), id="empty"), session(*CALM, id="two")))
    assert "No session has a finding. The post-mortems of 2 follow." in shown.by_id("content").text
    assert shown.by_id("s2-step-2").tag == "details"
    assert [row.text for row in shown.all("th") if row.attributes.get("data-label") == "Session"] == [
        "one",
        "empty",
        "two",
    ]
    assert len(shown.all("svg", "thumbnail")) == 3


def test_a_link_home_is_there_where_one_is_asked_for() -> None:
    from analyzer.diagnosis.step_texts import recording_of
    from analyzer.report.html.session import render
    from tests.build import report, timeline

    made = render(report(session(*CALM)), [recording_of(timeline(*CALM))], home="../index.html")
    assert parsed(made).links()[1] == "../index.html"
    assert "../index.html" not in written(session(*CALM))


@pytest.mark.slow
@pytest.mark.parametrize("fails", [False, True], ids=["reads", "failures"])
def test_a_hundred_actions_weigh_less_than_170_kilobytes(fails: bool) -> None:
    code = "\n".join(f'    if depth["{number}"] < level & mask: return "<p>{number}</p>"' for number in range(400))
    parts = [
        read(f"part{n}.py", code) if n % 2 or not fails else run("pytest", f"{code}\n{FAILS}", 1) for n in range(100)
    ]
    html = written(session(*parts))
    assert len(html.encode()) < 170_000


@pytest.mark.slow
def test_steps_that_matter_show_more_of_their_texts() -> None:
    code = "\n".join(f"{number} = depth" for number in range(1_000))
    parts: list[Part] = [read(f"part{n}.py", code) for n in range(100)]
    parts[50] = run("pytest", f"{code}\n{FAILS}", 1)
    shown = page(*parts)
    sizes = {
        name: sum(len(one.text) for one in shown.all("pre") if one.inside(name)) for name in ("step-50", "step-51")
    }
    assert sizes["step-51"] > 1.8 * sizes["step-50"]
