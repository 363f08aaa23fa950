"""Users' own templates in place of ours."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.model.case_study import CASE_STUDY_VERSION, CaseStudy
from analyzer.model.errors import AnalyzerError
from analyzer.report.case_study import DOCUMENT, own_templates, render
from analyzer.report.case_study_context import context_of
from tests.case_study.loaded import study
from tests.case_study.story import PLAN, good_run, run_2
from tests.tables import table


@pytest.fixture(scope="module")
def story() -> CaseStudy:
    return study(PLAN + "fixes: [{after_run: 1, text: Mended.}]\n", run_2(), good_run())


def put(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def test_a_folder_replaces_what_it_has_and_nothing_else(tmp_path: Path, story: CaseStudy) -> None:
    put(tmp_path, "markdown/case_study/lessons.md.j2", "## Takeaways\n\n{{ study.lessons | length }} of them.\n")
    page = render(story, tmp_path)
    assert "## Takeaways" in page
    assert "## What was learned" not in page
    assert page.split("## Takeaways")[0] == render(story).split("## What was learned")[0]


def test_a_template_for_the_whole_document(tmp_path: Path, story: CaseStudy) -> None:
    put(tmp_path, "footer.md.j2", "The end of {{ study.scenario.title | prose }}.")
    file = put(
        tmp_path, "short.md.j2", '# {{ version }}\n\n{{ picture | fence("text") }}\n\n{% include "footer.md.j2" %}\n'
    )
    assert render(story, template=file) == (
        f"# {CASE_STUDY_VERSION}\n\n```text\nrun 1  # # # x .  3 of 5  Signature mismatch at step 4\nrun 2  # # "
        "# # #  5 of 5  succeeded\n```\n\nThe end of Plugins as a table.\n"
    )


def test_a_template_extends_ours_by_its_name_or_what_it_replaces(tmp_path: Path, story: CaseStudy) -> None:
    file = put(
        tmp_path / "a",
        "mine.md.j2",
        '{% extends "markdown/case_study/document.md.j2" %}{% block runs %}No runs here.{% endblock %}',
    )
    put(
        tmp_path / "b",
        DOCUMENT,
        '{% extends "ours/markdown/case_study/document.md.j2" %}{% block runs %}No runs here.{% endblock %}',
    )
    pages = render(story, template=file), render(story, tmp_path / "b")
    assert pages[0] == pages[1]
    assert pages[0].endswith("No runs here.\n")
    assert pages[0].startswith("# Plugins as a table")


def test_what_templates_get_is_what_json_prints(story: CaseStudy) -> None:
    context = context_of(story)
    assert context["study"] == story.model_dump()
    assert set(context) == {"version", "study", "plan", "progress", "picture", "byline", "criteria", "checks"}


def test_our_templates_copied_out_make_the_same_page(tmp_path: Path, story: CaseStudy) -> None:
    for name, text in own_templates().items():
        put(tmp_path, name, text)
    assert render(story, tmp_path) == render(story)


@table("what_is_wrong_with_a_template_is_said_with_its_line")
def test_what_is_wrong_with_a_template_is_said_with_its_line(
    tmp_path: Path, story: CaseStudy, text: str, message: str
) -> None:
    file = put(tmp_path, "mine.md.j2", text)
    with pytest.raises(AnalyzerError) as raised:
        render(story, template=file)
    assert message.casefold() in str(raised.value).casefold()


def test_a_template_that_is_no_text_is_an_error(tmp_path: Path, story: CaseStudy) -> None:
    file = tmp_path / "mine.md.j2"
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(AnalyzerError, match="no UTF-8"):
        render(story, template=file)


@pytest.mark.parametrize("option", ["templates", "template"])
def test_templates_that_arent_there_are_an_error(tmp_path: Path, story: CaseStudy, option: str) -> None:
    with pytest.raises(AnalyzerError, match="there is no such"):
        render(story, **{option: tmp_path / "none"})
