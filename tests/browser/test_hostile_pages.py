"""Pages of transcripts that hold, and are named with, texts that would do something where they weren't taken for text.
They're opened by a browser that disregards the pages' policy, so that nothing but the escaping holds them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from analyzer.cli.main import main
from analyzer.report.safe import visible
from tests import hostile_files
from tests.browser import checks
from tests.browser.visit import Visit
from tests.hostile_files import ACTIVE, TEXTS

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

every_text = pytest.mark.parametrize("text", ACTIVE.values(), ids=ACTIVE.keys())
SOME = [
    *(
        "script in a tag that ends",
        "end of an island",
        "image in a quoted value",
        "handler",
        "javascript link",
        "names of objects",
        "selector",
        "NULs and others",
    ),
]
"""The names of the texts that audits, which take longer to make, are each made of."""
some_texts = pytest.mark.parametrize("text", [ACTIVE[name] for name in SOME], ids=SOME)
_FOREIGN = """() => {
  const found = [];
  const ours = new Set(["SCRIPT", "STYLE", "META", "TITLE"]);
  for (const one of document.querySelectorAll("*")) {
    const name = one.tagName;
    if (/^(IFRAME|OBJECT|EMBED|BASE|LINK|IMG|IMAGE|VIDEO|AUDIO|TEMPLATE|NOSCRIPT|TEXTAREA|PLAINTEXT|FOREIGNOBJECT|ANIMATE|FRAME|APPLET|MARQUEE)$/i.test(name)) found.push(name);
    if (ours.has(name) && one.closest("body main")) found.push(`${name} in the page`);
    if (name === "FORM" && one.hasAttribute("action")) found.push("FORM");
    if (name === "META" && /refresh/i.test(one.httpEquiv)) found.push("META");
    for (const { name: key, value } of one.attributes) {
      if (/^on|^(src|srcdoc|style|formaction|autofocus|background|ping|xlink:href)$/i.test(key)) found.push(`${name} ${key}=${value}`);
      if (key === "href" && !/^(#|sessions\\/|\\.\\.\\/index\\.html|report\\.(md|json)|audit\\.db)/.test(value)) found.push(`${name} ${key}=${value}`);
    }
  }
  return found.slice(0, 10);
}"""  # noqa: E501
_PARTS = """() => ["script:not([type])", "style", "meta", "head > title", "main", "h1"].map((part) => document.querySelectorAll(part).length)"""  # noqa: E501
_DISTURB = """() => {
  for (const one of document.querySelectorAll("main *")) {
    for (const kind of ["pointerover", "mouseover"]) one.dispatchEvent(new MouseEvent(kind, { bubbles: true }));
    if (one.tabIndex >= 0) one.focus();
  }
}"""
_CHOOSE_EACH = """() => [...document.querySelectorAll("select[data-filter]")].flatMap((select) => [...select.options].map((option) => {
  select.value = option.value;
  select.dispatchEvent(new Event("change", { bubbles: true }));
  const left = document.querySelectorAll("details.step").length - document.querySelectorAll(".step[hidden], [hidden] .step").length;
  select.value = "";
  select.dispatchEvent(new Event("change", { bubbles: true }));
  return left;
}))"""  # noqa: E501
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def made(*arguments: str | Path) -> None:
    """Run the program."""
    assert main([str(argument) for argument in arguments]) == 0


def unharmed(page: Page) -> None:
    """The page consists of what it should consist of."""
    assert page.evaluate(_FOREIGN) == []
    assert page.evaluate(_PARTS) == [1, 1, page.locator("head > meta").count(), 1, 1, 1]
    assert checks.duplicate_ids(page) == []
    assert not _CONTROLS.search(str(page.evaluate("document.documentElement.textContent")))


def disturbed(page: Page) -> None:
    """Everything is opened, pointed at and given the focus."""
    checks.open_everything(page)
    page.evaluate(_DISTURB)


def squeezed(text: str) -> str:
    return "".join(visible(text).split())


@every_text
def test_the_page_of_a_transcript(text: str, tmp_path: Path, visited: Visit) -> None:
    log = hostile_files.log(tmp_path, text)
    made(log, "-f", "html", "-o", tmp_path / "page.html", "-q", "--no-redact")
    with visited(tmp_path / "page.html", policy=False) as page:
        unharmed(page)
        steps = page.locator("details.step")
        assert steps.count() == 18
        disturbed(page)
        words = squeezed(text)
        shown = enumerate(map(squeezed, steps.all_text_contents()), start=1)
        assert [number for number, step in shown if words not in step] == []
        assert squeezed(f"Task {text}")[:60] in squeezed(page.locator("main").text_content() or "")
        assert min(page.evaluate(_CHOOSE_EACH)) > 0
        page.get_by_role("searchbox").fill(re.sub(r"[\r\n]", " ", text))
        page.wait_for_function("() => !document.querySelector('.controls output').textContent.startsWith('0')")
        unharmed(page)


@pytest.mark.parametrize(
    "fragment",
    [
        "#step-1%22%5D",
        "#<script>window.__hit=1</script>",
        "#%E0%A4%A",
        "#__proto__",
        "#step-4711",
        "#q=<img src=x onerror=window.__hit=1>&sort=__proto__-up",
    ],
)
def test_an_address_that_is_none(fragment: str, tmp_path: Path, visited: Visit) -> None:
    log = hostile_files.log(tmp_path, "as ever")
    made(log, "-f", "html", "-o", tmp_path / "page.html", "-q")
    made("audit", tmp_path, "-o", tmp_path / "out", "-j", "1", "-q")
    for file in (tmp_path / "page.html", tmp_path / "out" / "index.html"):
        with visited(file, at=fragment, policy=False) as page:
            unharmed(page)
            assert page.locator("h1").is_visible()


@some_texts
def test_the_pages_of_an_audit(text: str, tmp_path: Path, visited: Visit) -> None:
    made("audit", hostile_files.runs(tmp_path / "in", text), "-o", tmp_path / "out", "-j", "1", "-q", "--no-redact")
    with visited(tmp_path / "out" / "index.html", policy=False) as page:
        unharmed(page)
        disturbed(page)
        assert page.locator("#table tbody tr").count() == 3
        assert squeezed(text)[:20] in squeezed(page.locator("#table").text_content() or "")
        for select in page.locator("#filters select").filter(visible=True).all():
            for value in select.locator("option").evaluate_all("(all) => all.map((one) => one.value)"):
                select.select_option(value)
            select.select_option("")
        page.get_by_role("searchbox").fill(re.sub(r"[\r\n]", " ", text))
        page.wait_for_function(
            "() => location.hash.includes('q=') || !document.querySelector('#filters input').value.trim()"
        )
        unharmed(page)
    for file in sorted((tmp_path / "out" / "sessions").glob("*.html")):
        with visited(file, policy=False) as page:
            unharmed(page)


def test_the_front_page_of_an_audit_of_them_all(tmp_path: Path, visited: Visit) -> None:
    for number, text in enumerate(TEXTS.values()):
        hostile_files.runs(tmp_path / "in" / str(number), text)
    made("audit", tmp_path / "in", "-o", tmp_path / "out", "-j", "2", "-q", "--no-redact")
    for width in (1280, 400):
        with visited(tmp_path / "out" / "index.html", width=width) as page:
            unharmed(page)
            checks.open_everything(page)
            assert checks.too_wide(page) == []
            assert checks.dead_links(page) == []


@some_texts
def test_the_page_of_a_comparison(text: str, tmp_path: Path, visited: Visit) -> None:
    before = hostile_files.runs(tmp_path / "before", text)
    after = hostile_files.log(tmp_path / "after", text, hostile_files.calm(text)).parent
    made("compare", before, after, "-f", "html", "-o", tmp_path / "page.html", "-q")
    with visited(tmp_path / "page.html", policy=False) as page:
        unharmed(page)
        disturbed(page)
        unharmed(page)


@some_texts
def test_the_page_of_a_backtest(text: str, tmp_path: Path, visited: Visit) -> None:
    made("audit", hostile_files.runs(tmp_path / "in", text), "-o", tmp_path / "out", "-j", "1", "-q")
    made("backtest", tmp_path / "out", "--policy", "guard", "-f", "html", "-o", tmp_path / "page.html", "-q")
    with visited(tmp_path / "page.html", policy=False) as page:
        unharmed(page)
        disturbed(page)
        unharmed(page)


@every_text
def test_the_page_of_a_case_study(text: str, tmp_path: Path, visited: Visit) -> None:
    # What the scenario's author wrote may have links; those of a transcript stay text.
    prose = "In a few words." if text == ACTIVE["links"] else None
    made(
        "case-study",
        hostile_files.scenario(tmp_path, text, prose=prose),
        "-f",
        "html",
        "-o",
        tmp_path / "page.html",
        "-q",
    )
    with visited(tmp_path / "page.html", policy=False) as page:
        unharmed(page)
        disturbed(page)
        unharmed(page)
