"""Pages of transcripts that hold, and are named with, texts that would do something where they weren't taken for text.
They're opened by a browser that disregards the pages' policy, so that nothing but the escaping holds them.

A text that gets through harms the whole page, so several share one: which of them did it is seen in the message."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from analyzer.cli.main import main
from analyzer.report.safe import visible
from tests import hostile_files
from tests.browser import checks
from tests.browser.visit import Visit
from tests.hostile_files import ACTIVE

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

GROUPS = [list(ACTIVE)[start::5] for start in range(5)]
every_text = pytest.mark.parametrize("names", GROUPS, ids=lambda names: f"{names[0]} and others")
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
    )
]
"""The names of the texts that audits, comparisons and case studies, which take longer to make, are made of."""
SHOWN_OTHERWISE = {
    "clipboard",
    "hyperlink",
    "title",
    "screen",
    "marks of direction",
    "NULs and others",
    "half a character",
}
"""The names of the texts that no search finds as they are, since the page shows signs for what isn't seen in them."""
_EXAMINE = """() => {
  const found = [];
  const ours = new Set(["SCRIPT", "STYLE", "META", "TITLE"]);
  const foreign = new Set(["IFRAME", "OBJECT", "EMBED", "BASE", "LINK", "IMG", "IMAGE", "VIDEO", "AUDIO", "TEMPLATE",
    "NOSCRIPT", "TEXTAREA", "PLAINTEXT", "FOREIGNOBJECT", "ANIMATE", "FRAME", "APPLET", "MARQUEE"]);
  for (const one of document.querySelectorAll("*")) {
    const name = one.tagName;
    if (foreign.has(name.toUpperCase())) found.push(name);
    if (ours.has(name) && one.closest("body main")) found.push(`${name} in the page`);
    if (name === "FORM" && one.hasAttribute("action")) found.push("FORM");
    if (name === "META" && /refresh/i.test(one.httpEquiv)) found.push("META");
    for (const { name: key, value } of one.attributes) {
      const active = /^on|^(src|srcdoc|style|formaction|autofocus|background|ping|xlink:href)$/i.test(key);
      const leaves = key === "href"
        && !/^(#|sessions\\/|\\.\\.\\/index\\.html|report\\.(md|json)|audit\\.db)/.test(value);
      if (active || leaves) found.push(`${name} ${key}=${value}`);
    }
  }
  const controls = /[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]/;
  const count = (part) => document.querySelectorAll(part).length;
  const ids = [...document.querySelectorAll("[id]")].map((one) => one.id);
  return {
    foreign: found.slice(0, 10),
    parts: ["script:not([type])", "style", "head > title", "main", "h1"].map(count),
    metas: count("meta") - count("head > meta"),
    ids: ids.filter((one, place) => ids.indexOf(one) < place),
    controls: controls.test(document.documentElement.textContent),
  };
}"""
UNHARMED = {"foreign": [], "parts": [1, 1, 1, 1, 1], "metas": 0, "ids": [], "controls": False}
"""What is seen of a page that consists of what it should consist of."""
_DISTURB = """() => {
  for (const one of document.querySelectorAll("details")) one.open = true;
  for (const one of document.querySelectorAll("main *")) {
    for (const kind of ["pointerover", "mouseover"]) one.dispatchEvent(new MouseEvent(kind, { bubbles: true }));
    if (one.tabIndex >= 0) one.focus();
  }
}"""
_CHOOSE_EACH = """() => [...document.querySelectorAll("select[data-filter]")].flatMap((select) =>
[...select.options].map((option) => {
  select.value = option.value;
  select.dispatchEvent(new Event("change", { bubbles: true }));
  const place = select.closest("section.session");
  const left = place.querySelectorAll("details.step").length
    - place.querySelectorAll(".step[hidden], [hidden] .step").length;
  select.value = "";
  select.dispatchEvent(new Event("change", { bubbles: true }));
  return left;
}))"""


def made(*arguments: str | Path) -> None:
    """Run the program."""
    assert main([str(argument) for argument in arguments]) == 0


def unharmed(page: Page) -> None:
    """The page consists of what it should consist of."""
    assert page.evaluate(_EXAMINE) == UNHARMED


def disturbed(page: Page) -> None:
    """Everything is opened, pointed at and given the focus."""
    page.evaluate(_DISTURB)


def squeezed(text: str) -> str:
    return "".join(visible(text).split())


def unharmed_in_turn(files: Iterable[Path], visited: Visit) -> None:
    """Pages that one window goes to, one after the other."""
    first, *others = files
    with visited(first, policy=False) as page:
        for following in (*others, None):
            assert page.evaluate(f"() => {{ const seen = ({_EXAMINE})(); ({_DISTURB})(); return seen; }}") == UNHARMED
            # What is told of later, such as that something was opened, is told of in between.
            assert page.evaluate(f"() => [({_EXAMINE})(), window.__hit ?? null]") == [UNHARMED, None], page.url
            if following:
                page.goto(following.as_uri())


@pytest.fixture(scope="module")
def audit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an audit of some of the texts."""
    folder = tmp_path_factory.mktemp("audit")
    for number, name in enumerate(SOME):
        hostile_files.runs(folder / "in" / str(number), ACTIVE[name])
    made("audit", folder / "in", "-o", folder / "out", "-j", "1", "-q", "--no-redact")
    return folder / "out"


@every_text
def test_the_page_of_transcripts(names: list[str], tmp_path: Path, visited: Visit) -> None:
    log = hostile_files.log(tmp_path, ACTIVE[names[0]], *(hostile_files.session(ACTIVE[name]) for name in names))
    made(log, "-f", "html", "-o", tmp_path / "page.html", "-q", "--no-redact")
    with visited(tmp_path / "page.html", policy=False) as page:
        unharmed(page)
        assert page.locator("section.session").count() == len(names)
        disturbed(page)
        assert min(page.evaluate(_CHOOSE_EACH)) > 0
        for place, name in enumerate(names):
            session, text = page.locator("section.session").nth(place), ACTIVE[name]
            steps = [squeezed(step) for step in session.locator("details.step").all_text_contents()]
            assert len(steps) == 18
            again = squeezed("The same as at")
            assert not [step for step in steps if squeezed(text) not in step and again not in step], name
            assert squeezed(f"Title {text}")[:60] in squeezed(session.text_content() or ""), name
            session.get_by_role("searchbox").fill(re.sub(r"[\r\n]", " ", text))
        page.wait_for_timeout(1_000)  # what is typed takes effect a moment later
        found = page.locator("section.session .controls output").all_inner_texts()
        missed = {name for name, said in zip(names, found, strict=True) if said.startswith("0")}
        assert missed == SHOWN_OTHERWISE & set(names)
        unharmed(page)


@pytest.fixture(scope="module")
def calm_pages(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The page of a transcript, and the front page of an audit of it."""
    folder = tmp_path_factory.mktemp("calm")
    made(hostile_files.log(folder, "as ever"), "-f", "html", "-o", folder / "page.html", "-q")
    made("audit", folder, "-o", folder / "out", "-j", "1", "-q")
    return [folder / "page.html", folder / "out" / "index.html"]


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
def test_an_address_that_is_none(fragment: str, calm_pages: list[Path], visited: Visit) -> None:
    for file in calm_pages:
        with visited(file, at=fragment, policy=False) as page:
            unharmed(page)
            assert page.locator("h1").is_visible()


def test_the_pages_of_an_audit(audit: Path, visited: Visit) -> None:
    with visited(audit / "index.html", policy=False) as page:
        unharmed(page)
        disturbed(page)
        assert page.locator("#table tbody tr").count() == 3 * len(SOME)
        table = squeezed(page.locator("#table").text_content() or "")
        for select in page.locator("#filters select").filter(visible=True).all():
            for value in select.locator("option").evaluate_all("(all) => all.map((one) => one.value)"):
                select.select_option(value)
            select.select_option("")
        for text in map(ACTIVE.__getitem__, SOME):
            assert squeezed(text)[:20] in table
            typed = re.sub(r"[\r\n]", " ", text)
            page.get_by_role("searchbox").fill(typed)
            page.wait_for_function(
                "(typed) => new URLSearchParams(location.hash.slice(1)).get('q') === typed"
                " || document.querySelector('#filters input').value !== typed",
                arg=typed,
            )
            unharmed(page)
    unharmed_in_turn(sorted((audit / "sessions").glob("*.html")), visited)


def test_the_front_page_of_an_audit_of_them_all(
    shared_folder: Path, visited: Visit, capfd: pytest.CaptureFixture[str]
) -> None:
    def run(*arguments: str | Path) -> tuple[int, str, str]:
        return main([str(argument) for argument in arguments]), *capfd.readouterr()

    front = hostile_files.audit_of_all(shared_folder, run) / "index.html"
    with visited(front) as page:
        unharmed(page)
        checks.open_everything(page)
        for width in (1280, 400):
            page.set_viewport_size({"width": width, "height": 900})
            assert checks.too_wide(page) == []
        assert checks.dead_links(page) == []


def test_the_pages_of_comparisons(tmp_path: Path, visited: Visit) -> None:
    pages = []
    for name in SOME:
        before = hostile_files.runs(tmp_path / name / "before", ACTIVE[name])
        after = hostile_files.log(tmp_path / name / "after", ACTIVE[name], hostile_files.calm(ACTIVE[name])).parent
        pages.append(tmp_path / name / "page.html")
        made("compare", before, after, "-f", "html", "-o", pages[-1], "-q")
    unharmed_in_turn(pages, visited)


def test_the_page_of_a_backtest(audit: Path, tmp_path: Path, visited: Visit) -> None:
    made("backtest", audit, "--policy", "guard", "-f", "html", "-o", tmp_path / "page.html", "-q")
    unharmed_in_turn([tmp_path / "page.html"], visited)


def test_the_pages_of_case_studies(tmp_path: Path, visited: Visit) -> None:
    pages = []
    for name in (*SOME, "links"):
        # What the scenario's author wrote may have links; those of a transcript stay text.
        prose = "In a few words." if name == "links" else None
        (tmp_path / name).mkdir()
        scenario = hostile_files.scenario(tmp_path / name, ACTIVE[name], prose=prose)
        pages.append(tmp_path / name / "page.html")
        made("case-study", scenario, "-f", "html", "-o", pages[-1], "-q")
    unharmed_in_turn(pages, visited)
