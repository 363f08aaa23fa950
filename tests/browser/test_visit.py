"""The tests of pages notice what they are there to notice."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser import checks
from tests.browser.visit import Visit

pytestmark = pytest.mark.browser

POLICY = "<meta http-equiv='Content-Security-Policy' content=\"default-src 'none'; script-src 'unsafe-inline'\">"


def written(folder: Path, body: str, head: str = "") -> Path:
    file = folder / "page.html"
    file.write_text(
        f"<!doctype html><html lang=en><head><title>A page</title>{head}</head><body>{body}</body></html>",
        encoding="utf-8",
    )
    return file


@pytest.mark.parametrize(
    ("body", "noise"),
    [
        ("<script>console.error('oh')</script>", "console error: oh"),
        ("<script>console.warn('hm')</script>", "console warning: hm"),
        ("<script>throw new Error('broken')</script>", "error: broken"),
        ("<script>alert('boo')</script>", "dialog: boo"),
        ("<script>window.open('about:blank')</script>", "window: "),
        ("<img alt='' src='other.png'>", "request: file:"),
        ("<img alt='' src='https://evil.test/x.png'>", "request: https://evil.test"),
        ("<iframe src='page.html#again'></iframe>", "request: file:"),
        ("<img alt='' src=x onerror='window.__hit = 1'>", "request: file:"),
    ],
)
def test_noise_is_noticed(body: str, noise: str, tmp_path: Path, visited: Visit) -> None:
    with pytest.raises(AssertionError, match=noise), visited(written(tmp_path, body)):
        pass


def test_text_that_runs_is_noticed(tmp_path: Path, visited: Visit) -> None:
    with (
        pytest.raises(AssertionError, match="text of a session was run"),
        visited(written(tmp_path, "<script>window.__hit = 1</script>")),
    ):
        pass


@pytest.mark.parametrize(
    "body",
    ["<img alt='' src='data:image/png;base64,AAAA'>", "<p style='color: red'>text", "<p onclick='alert(1)'>text"],
)
def test_what_the_policy_forbids_is_noticed(body: str, tmp_path: Path, visited: Visit) -> None:
    policy = POLICY.replace("'unsafe-inline'", "'none'")
    with pytest.raises(AssertionError, match="violation: "), visited(written(tmp_path, body, policy)):
        pass


def test_a_quiet_page_passes(tmp_path: Path, visited: Visit) -> None:
    with visited(written(tmp_path, "<h1>A page</h1><script>console.log('ready')</script>", POLICY)) as page:
        assert page.title() == "A page"


def test_a_window_that_is_used_again_keeps_nothing(tmp_path: Path, visited: Visit) -> None:
    file = written(tmp_path, "<h1>A page</h1><input aria-label=text>")
    with visited(file, width=400, scheme="dark") as first:
        first.emulate_media(media="print")
        first.locator("input").fill("text")
    with visited(file) as again:
        assert again is first
        assert again.evaluate("[innerWidth, document.querySelector('input').value]") == [1280, ""]
        assert not again.evaluate("matchMedia('print').matches || matchMedia('(prefers-color-scheme: dark)').matches")


def test_a_window_that_made_noise_is_not_used_again(tmp_path: Path, visited: Visit) -> None:
    with pytest.raises(AssertionError, match="console error"), visited(written(tmp_path, "<h1>A page</h1>")) as noisy:
        noisy.evaluate("console.error('oh')")
    with visited(written(tmp_path, "<h1>Another page</h1>")) as quiet:
        assert quiet is not noisy


@pytest.mark.parametrize("row", [3, 35])
def test_pale_text_is_noticed_in_rows_that_are_as_those_before_them(row: int, tmp_path: Path, visited: Visit) -> None:
    pale = " style='color: #ccc'"
    rows = "".join(f"<tr><td{pale if number == row else ''}>tide {number}</td></tr>" for number in range(1, 41))
    with visited(written(tmp_path, f"<main><h1>A page</h1><table><tbody>{rows}</tbody></table></main>")) as page:
        (found,) = checks.hindrances(page)
        assert found.startswith("color-contrast (serious)")
        assert f"tide {row}<" in found
        assert checks.hindrances(page, contrast=False) == []


def test_what_hinders_only_while_something_is_closed_is_noticed(tmp_path: Path, visited: Visit) -> None:
    style = "<style>details[open] + button { display: none; }</style>"
    body = "<main><h1>A page</h1><details><summary>more</summary>text</details><button></button></main>"
    with visited(written(tmp_path, body, style)) as page:
        (found,) = checks.hindrances_while_closed(page)
        assert found.startswith("button-name")
        checks.open_everything(page)
        assert checks.hindrances(page) == []


def test_text_that_is_pale_in_one_light_is_noticed_whatever_was_looked_at_before(
    tmp_path: Path, visited: Visit
) -> None:
    style = "<style>@media (prefers-color-scheme: dark) { p { color: #ccc; } }</style>"
    with visited(written(tmp_path, "<main><h1>A page</h1><p>text</p></main>", style)) as page:
        assert checks.hindrances(page) == []
        assert checks.pale(page) == []
        page.emulate_media(color_scheme="dark")
        (found,) = checks.pale(page)
        assert found.endswith(">text</p>")


def test_hindrances_width_and_links_are_noticed(tmp_path: Path, visited: Visit) -> None:
    body = (
        "<main><h1 id=a>A page</h1><p id=a>text</p><p style='color: #ccc'>pale</p><button></button><div "
        "style='width: 2000px'>wide</div>"
        "<a href='#nowhere'>link</a><a href='none.html'>link</a><a "
        "href='#a'>link</a><details><summary>more</summary>text</details></main>"
    )
    with visited(written(tmp_path, body)) as page:
        assert {line.split()[0] for line in checks.hindrances(page)} == {"button-name", "color-contrast"}
        (wide,) = checks.too_wide(page)
        assert "wide" in wide
        assert checks.duplicate_ids(page) == ["a"]
        assert [Path(link).name for link in checks.dead_links(page)] == ["#nowhere", "none.html"]
        assert checks.open_everything(page) == 1
        assert page.get_by_text("text").last.is_visible()
