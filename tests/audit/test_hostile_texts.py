"""No text breaks out of its place on the pages of an audit, whatever it stands in. Each audit is made once for all of
its pages."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

import pytest

from analyzer.audit.figures.summary import summarize
from analyzer.audit.index import index_of
from analyzer.audit.store.entries import rows_of
from analyzer.audit.store.tables import Tables
from analyzer.detectors import detect
from analyzer.diagnosis import post_mortem
from analyzer.model.audit_report import AuditReport
from analyzer.report import audit as markdown
from analyzer.report.html import audit as html
from analyzer.timeline import build_timeline
from tests.audit.index_pages import TAGS, Taken
from tests.audit.tables import row
from tests.audit.test_report import unharmed
from tests.report.hostile import PAYLOADS, Mixed, mixed

pytestmark = pytest.mark.slow
MIXED = mixed(PAYLOADS)
every_text = pytest.mark.parametrize("name", MIXED)


def hostile(mix: Mixed) -> Tables:
    """Sessions of every sort of trouble, twice, each with a text in all that a log or a file's name can hold."""
    tables: dict[str, list[tuple[Any, ...]]] = {
        "files": [row("files", {"path": f"/runs/{text}", "state": "no transcript"}) for text in mix.texts]
    }
    made = []
    for text, entry in zip(mix.texts, mix.sessions, strict=True):
        entry.id = text
        timeline = build_timeline(entry)
        made.append((text, post_mortem(timeline, detect(timeline))))
    for number in (1, 2):
        for position, (text, report) in enumerate(made, 1):
            path = str(storable(f"/runs/{number}/{text}.json"))
            summary = report.session.model_copy(
                update={"agent_version": f"{number} {text}", "agent": f"{position % 2} {text}"}
            )
            for table, rows in rows_of(
                report.model_copy(update={"session": summary}), path, position, "actions"
            ).items():
                tables.setdefault(table, []).extend(rows)
        for text in mix.texts:
            problem = {"path": f"/runs/{text}", "number": number, "place": text, "what": text}
            crash = {"path": f"/runs/{text}", "number": number + 2, "kind": "crash", "what": f"a | {text} | b"}
            tables.setdefault("problems", []).extend(row("problems", entry) for entry in (problem, crash))
    return Tables.of({table: [tuple(map(storable, entry)) for entry in rows] for table, rows in tables.items()})


def storable(value: object) -> object:
    """As the database gives it back."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


@cache
def audited(name: str) -> tuple[Tables, AuditReport]:
    """The tables of such an audit, and what is said of them."""
    made = hostile(MIXED[name])
    return made, summarize(made, "/runs/audit")


@every_text
def test_no_text_breaks_out_of_its_place_in_the_report(name: str) -> None:
    page = markdown.render(audited(name)[1])
    links = unharmed(page).links()
    page.encode()
    assert all(re.fullmatch(r"sessions/[0-9a-f]{16}\.md|\.\./[\w%./~-]+", target) for target in links)


@every_text
def test_no_text_breaks_out_of_its_place_on_the_front_page(name: str) -> None:
    made, report = audited(name)
    keys = {key: ".html" for (key,) in made.rows("SELECT session FROM sessions")}
    index = index_of(made, report, keys, dict.fromkeys(keys, "2:eT|1-2"), lambda _: ["main", "helper"])
    page = Taken(html.render(report, index))
    assert page.tags <= TAGS
    names = {name for one in page.elements for name in one.attributes}
    assert not [name for name in names if name.startswith("on") or name in ("style", "src")]
    assert all(
        re.fullmatch(
            r"sessions/[0-9a-f]{16}\.html(#(lane-\d+-)?step-\d+)?|report\.(md|json)|#[a-z-]+(=[\w%.~-]*)?", link
        )
        for link in page.links()
    )
    assert not re.search(
        r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]",
        page.text + json.dumps(page.data, ensure_ascii=False),
    )
