"""What every page is held to."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

if TYPE_CHECKING:
    from playwright.sync_api import Page

_TOO_WIDE = """() => {
  if (document.scrollingElement.scrollWidth <= window.innerWidth) return [];
  const room = window.innerWidth;
  const scrolls = (element) => { for (let at = element.parentElement; at; at = at.parentElement)
    if (/auto|scroll|hidden|clip/.test(getComputedStyle(at).overflowX) && at !== document.body
        && at !== document.documentElement) return true; return false; };
  const wide = [...document.body.querySelectorAll("*")].filter(
    (one) => one.getBoundingClientRect().right > room + 1 && !scrolls(one));
  return wide.length ? wide.slice(0, 5).map((one) => one.outerHTML.slice(0, 160)) : ["something"];
}"""


def open_everything(page: Page) -> int:
    """Open every `details`; returns how many there are."""
    opened: int = page.evaluate(
        "() => { const all = document.querySelectorAll('details'); all.forEach((one) => { one.open = true; }); "
        "return all.length; }"
    )
    return opened


def too_wide(page: Page) -> list[str]:
    """The elements because of which the page scrolls sideways."""
    wide: list[str] = page.evaluate(_TOO_WIDE)
    return wide


_CONTRAST = "color-contrast"
_SAME_AGAIN = "tbody tr:nth-child(n+31)"
"""Rows that are built as thirty before them are; axe-core takes long for each."""
_LOOKED_AT = "[data-looked-at], [data-looked-at] *"
"""The text whose colours are looked at, once it's marked."""
_WITHOUT_TEXT_LOOKED_AT = """(rows) => {
  for (const row of document.querySelectorAll("[data-same-again]")) row.removeAttribute("data-same-again");
  for (const row of document.querySelectorAll(rows))
    if (!row.closest("[data-looked-at]") && !row.querySelector("[data-looked-at]"))
      row.setAttribute("data-same-again", "");
}"""
"""Marks those of the rows that hold none of it."""
_LIKE_NO_OTHER = """(most) => {
  const plain = "rgba(0, 0, 0, 0)|none|1|none|static", layers = new Map(), seen = new Map();
  const behind = (one) => {
    if (!one) return "";
    if (!layers.has(one)) {
      const style = getComputedStyle(one);
      const own = [style.backgroundColor, style.backgroundImage, style.opacity, style.filter, style.position].join("|");
      layers.set(one, behind(one.parentElement) + (own === plain ? "" : own + "/"));
    }
    return layers.get(one);
  };
  for (const marked of document.querySelectorAll("[data-looked-at]")) marked.removeAttribute("data-looked-at");
  for (const one of document.body.querySelectorAll("*")) {
    const writes = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!writes && !one.matches("input, select, textarea")) continue;
    const style = getComputedStyle(one);
    if (!one.checkVisibility({ visibilityProperty: true })) continue;
    const look = [behind(one), style.color, style.fontSize, style.fontWeight, style.textShadow].join("|");
    seen.set(look, (seen.get(look) || 0) + 1);
    if (seen.get(look) <= most) one.setAttribute("data-looked-at", "");
  }
}"""
"""Marks text by its colours, its size and what lies behind it: as many of each look as are wanted."""
_OF_EACH_LOOK = 2
_TO_LOOK_AT = f"([most, rows]) => {{ ({_LIKE_NO_OTHER})(most); ({_WITHOUT_TEXT_LOOKED_AT})(rows); }}"


def hindrances(page: Page, *, contrast: bool = True) -> list[str]:
    """What axe-core finds that hinders people seriously; without `contrast`, apart from pale text. What takes long, to
    find out which element lies over which, it does once for all rules of a run."""
    if not contrast:
        return _found(page, {"exclude": _SAME_AGAIN}, {"rules": {_CONTRAST: {"enabled": False}}})
    page.evaluate(_TO_LOOK_AT, [_OF_EACH_LOOK, _SAME_AGAIN])
    return _found(page, {"exclude": "[data-same-again]"}, {})


_SEEN_WHILE_CLOSED = """() => {
  const seen = (one) => one.checkVisibility({ visibilityProperty: true });
  const before = [...document.body.querySelectorAll("*")].filter(seen);
  const closed = document.querySelectorAll("details:not([open])");
  for (const one of closed) one.open = true;
  const gone = before.filter((one) => !seen(one));
  for (const one of closed) one.open = false;
  return gone.length;
}"""
"""How many elements are seen only as long as something is closed."""


def hindrances_while_closed(page: Page) -> list[str]:
    """The hindrances, apart from pale text, of a page on which nothing was opened. What is seen there is seen of the
    opened page as well, which is looked at anyway, and axe-core is only asked where something is not."""
    return hindrances(page, contrast=False) if page.evaluate(_SEEN_WHILE_CLOSED) else []


def pale(page: Page) -> list[str]:
    """The text that axe-core finds too pale: what changes with the scheme of colours. It takes as long for each text
    as for all other rules, and texts of the same look are equally pale."""
    page.evaluate(_LIKE_NO_OTHER, _OF_EACH_LOOK)
    return _found(page, {"include": "[data-looked-at]"}, {"runOnly": [_CONTRAST]})


_SERIOUS = ("serious", "critical")
_PREPARE = """([rule, serious]) => {
  const asked = (one) => !one.impact || serious.includes(one.impact);
  const others = axe._audit.rules.filter((one) => !asked(one)).map(({ id }) => ({ id, enabled: false }));
  axe.configure({ noHtml: true, rules: [rule, ...others] });
  const { Color } = axe.commons.color, parse = Color.prototype.parseString, known = new Map();
  Color.prototype.parseString = function (text) {
    const seen = known.get(text);
    if (seen) return Object.assign(this, seen);
    const { r, g, b, alpha } = parse.call(this, text);
    known.set(text, { r, g, b, alpha });
    return this;
  };
}"""
"""What makes axe-core quick without a change to what is said of what it finds: it writes out no element that is as it
should be, reads each colour once, and leaves out the rules that find nothing serious, since all that a rule finds
counts for as much as the rule does."""
_RUN = """async ([context, options]) => {
  const found = (await axe.run(context, { ...options, elementRef: true, selectors: false })).violations;
  return found.map(({ id, impact, help, nodes }) => ({ id, impact, help,
    elements: nodes.slice(0, 3).map(({ element }) => (element?.outerHTML ?? "the page").slice(0, 200)) }));
}"""


def _found(page: Page, context: dict[str, str], options: dict[str, Any]) -> list[str]:
    from axe_playwright_python.sync_playwright import Axe

    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
        page.evaluate(_PREPARE, [{"id": _CONTRAST, "selector": _LOOKED_AT}, _SERIOUS])
    found: list[dict[str, Any]] = page.evaluate(
        _RUN, [context, {"resultTypes": ["violations"], "preload": False, **options}]
    )
    return [
        f"{violation['id']} ({violation['impact']}): {violation['help']}: {element}"
        for violation in found
        if violation["impact"] in _SERIOUS
        for element in violation["elements"]
    ]


_DUPLICATE_IDS = """() => {
  const ids = [...document.querySelectorAll("[id]")].map((one) => one.id);
  return ids.length === new Set(ids).size ? [] : [...new Set(ids.filter((one, at) => ids.indexOf(one) < at))];
}"""


def duplicate_ids(page: Page) -> list[str]:
    """The ids that several elements have."""
    ids: list[str] = page.evaluate(_DUPLICATE_IDS)
    return sorted(ids)


_LINKS = """() => {
  const all = (selector, value) => [...document.querySelectorAll(selector)].map(value);
  return [
    all("a[href^='#']", (one) => one.getAttribute("href").slice(1)),
    all("a[href]:not([href^='#'])", (one) => one.href),
    all("[id]", (one) => one.id),
  ];
}"""
"""Where links lead within the page and elsewhere, and the places that there are."""


def dead_links(page: Page) -> list[str]:
    """The links that lead to no place of this page, nor to a file that is there; links to elsewhere among them. What
    names a view (`#sort=...`) is no place."""
    inner, outer, names = page.evaluate(_LINKS)
    ids = set(names)
    dead = [f"#{name}" for name in inner if unquote(name) not in ids and "=" not in name]
    return dead + [
        url for url in outer if urlsplit(url).scheme != "file" or not Path(url2pathname(urlsplit(url).path)).exists()
    ]
