"""The case study as an HTML page: what the document says, headed by what can be seen at a glance."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from analyzer.model.case_study import CaseStudy, CaseStudyIndex, IndexEntry
from analyzer.report.html.case_study import render, render_index
from analyzer.report.picture.plan import plan_picture
from tests.build import call, says
from tests.case_study.loaded import study
from tests.case_study.story import PLAN, good_run, run_2, run_4
from tests.report.hostile import PAYLOADS
from tests.report.html.pages import Parsed, parsed


@pytest.fixture(scope="module")
def story() -> CaseStudy:
    return study(PLAN + "fixes: [{after_run: 1, text: Mended.}]\n", run_2(), run_4(), good_run())


@pytest.fixture(scope="module")
def shown(story: CaseStudy) -> Parsed:
    return parsed(render(story))


def test_it_has_the_sections_of_the_document_and_a_glance_before_them(shown: Parsed) -> None:
    assert shown.headings()[:3] == ["At a glance", "Overview", "The scenario"]
    links = [
        one.attributes["href"].removeprefix("#") for one in shown.all("a") if one.attributes["href"].startswith("#")
    ]
    assert set(links) <= {one.id for one in shown.elements if one.id}
    assert "the-scenario" in links


def test_the_picture_tells_what_became_of_each_step_of_each_run(shown: Parsed) -> None:
    picture, narrow = [one for one in shown.all("svg", "plan") if "role" in one.attributes]
    signs = [
        one.attributes["class"]
        for one in shown.elements
        if picture in one.parents and one.attributes.get("class") in ("done", "otherwise", "failed", "none")
    ]
    titles = [one.text for one in shown.all("title") if picture in one.parents][1:]
    words = [text for text in titles if text[:1].isdecimal()]
    assert len(signs) == len(words) == 3 * 5
    assert signs == [
        one.attributes["class"]
        for one in shown.elements
        if narrow in one.parents and one.attributes.get("class") in ("done", "otherwise", "failed", "none")
    ]
    assert signs[-5:] == ["done"] * 5
    assert words[3] == "4: tried and failed"
    assert [
        one.attributes["class"]
        for one in shown.elements
        if picture in one.parents and one.attributes.get("class") in ("tick", "lost")
    ] == ["lost", "lost", "tick"]


def test_the_picture_names_failure_and_fix_of_each_run(shown: Parsed) -> None:
    picture = shown.all("svg", "plan")[0]
    titles = [one.text for one in shown.all("title") if picture in one.parents][1:]
    failures = [failing.title for failing in study(PLAN, run_2(), run_4(), good_run()).cascade]
    assert [text for text in titles if not text[:1].isdecimal()][: len(failures)] == failures
    assert "Mended." in titles
    cells = [one.text.strip() for one in shown.all("td")]
    assert "Mended." in cells
    assert cells.count("Mended.") == 1


def test_a_picture_of_many_runs_leaves_texts_to_the_table() -> None:
    cells = [{"name": "1", "state": "done"}]
    runs = [{"run": n, "cells": cells, "done": 1, "of": 1, "failure": "It broke.", "fix": "Mended."} for n in range(30)]
    assert "It broke." in str(plan_picture(["1"], runs[:4]))
    assert "It broke." not in str(plan_picture(["1"], runs))
    assert "It broke." not in str(plan_picture(["1"], runs[:4], wide=False))


def test_texts_below_the_picture_break_between_words() -> None:
    long = "The service was started with the port of another one, which nobody had noticed, " * 9
    runs = [{"run": 1, "cells": [], "done": 0, "of": 0, "failure": long, "fix": ""}] * 5
    lines = re.findall(r'<text [^>]*class="label">([^<]*)</text>', str(plan_picture([], runs)))
    lines = [line for line in lines if not line.startswith("run ")]
    assert len(lines) == 5 * 5
    assert all(len(line) <= 27 for line in lines)
    assert lines[0] == "The service was started"
    assert lines[4].endswith("…")


def test_each_run_has_a_line_with_its_thumbnail(shown: Parsed) -> None:
    assert len(shown.all("svg", "thumbnail")) == 3
    assert [one.text.strip() for one in shown.all("span", "badge")] == ["✕ failed", "✕ failed", "✓ succeeded"]


def test_without_a_plan_there_is_no_picture_of_one() -> None:
    page = parsed(
        render(
            study(
                "title: A refund\nprompt: Refund it.\nsuccess: {final_answer: {contains: refunded}}\n",
                [call("get_order", {"id": "7"}, "paid"), says("No.")],
            )
        )
    )
    assert not page.all("svg", "plan")
    assert len(page.all("svg", "thumbnail")) == 1


def test_the_users_own_template_shapes_the_page_as_well(tmp_path: Path, story: CaseStudy) -> None:
    own = tmp_path / "own.md.j2"
    own.write_text("# Mine\n\nBy us.\n\n## Only this\n\n<b>{{ study.scenario.title }}</b>\n", encoding="utf-8")
    page = parsed(render(story, template=own))
    assert page.headings() == ["At a glance", "Only this"]
    assert [one.text for one in page.all("h1")] == ["Mine"]
    assert not page.all("b")


def test_what_the_author_wrote_may_have_links_and_no_pictures() -> None:
    paragraph = (
        "overview: 'See [the plan](https://plans.test/7), ![a picture](https://plans.test/7.png) and "
        "[this](javascript:alert(1)).'\n"
    )
    page = parsed(render(study(paragraph + PLAN, good_run())))
    links = [one for one in page.all("a") if not one.attributes["href"].startswith("#")]
    assert [(one.attributes["href"], one.attributes["rel"]) for one in links] == [
        ("https://plans.test/7", "noreferrer noopener"),
        ("https://plans.test/7.png", "noreferrer noopener"),
    ]
    assert not page.all("img")


def test_the_same_runs_give_the_same_bytes(story: CaseStudy) -> None:
    assert render(story) == render(story)


def test_the_index_leads_to_the_documents() -> None:
    index = CaseStudyIndex(
        entries=[
            IndexEntry(
                title="A <b>",
                link="a.html",
                runs=2,
                failures=1,
                reached="5 of 5",
                succeeded=True,
                pass_rate="1 of 2",
                last=None,
            )
        ],
        problems=[],
    )
    page = parsed(render_index(index))
    assert "a.html" in [one.attributes["href"] for one in page.all("a")]
    assert not page.all("b")


@pytest.mark.slow
@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in PAYLOADS.items()])
def test_texts_of_a_transcript_stay_text(text: str) -> None:
    plain = parsed(render(study(PLAN, [call("get_order", {"id": "x"}, "y"), says("z")])))
    page = parsed(render(study(PLAN, [call("get_order", {"id": text}, text), says(text)])))
    assert {one.tag for one in page.elements} <= {one.tag for one in plain.elements} | {
        "p",
        "code",
        "pre",
        "blockquote",
        "em",
        "strong",
        "ul",
        "ol",
        "li",
        "hr",
    }
    assert not [
        key for one in page.elements for key in one.attributes if key.startswith("on") or key in ("src", "style")
    ]
    assert not [
        one
        for one in page.all("a")
        if re.match(r"(?i)\s*(?:javascript|data|vbscript):", one.attributes.get("href", ""))
    ]
