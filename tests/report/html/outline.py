"""A page as text that people can read in a diff: one line for each piece of text, indented as deep as its section,
links with where they lead. The picture is left out, and of longer texts of the session all but the beginning."""

from __future__ import annotations

from html.parser import HTMLParser

from analyzer.text.names import name_set
from tests.report.html.pages import RAW, VOID

_DEEPER = name_set("header main section article nav figure details form table footer dl ul ol")
_LINES = _DEEPER | name_set("h1 h2 h3 h4 p li tr summary pre blockquote figcaption div label output option button")
_MOST_LINES = 4


class _Outline(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self._line = ""
        self._depth = 0
        self._quiet = 0
        self._pre = False
        self._texts = 0

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Nothing that closes itself says anything."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if self._quiet or tag in RAW or (tag, given.get("class")) == ("figure", "swimlanes"):
            if tag not in VOID:
                self._quiet += 1
            return
        if tag in _LINES:
            self._end()
            shown = [tag, *(f"#{given['id']}" for _ in "1" if given.get("id")), *(["open"] if "open" in given else [])]
            if tag in _DEEPER or tag.startswith("h") or given.get("id"):
                self.lines.append("  " * self._depth + f"[{' '.join(shown)}]")
        if tag in _DEEPER:
            self._depth += 1
        if tag == "pre":
            self._pre, self._texts = True, 0
        if tag == "span":
            self._line += " "
        if tag == "a":
            self._line += f"({given.get('href')})"
        if tag in ("dd", "td", "th", "dt"):
            self._line += " | "

    def handle_endtag(self, tag: str) -> None:
        if self._quiet:
            self._quiet -= 1
            return
        if tag in _LINES:
            self._end()
        if tag in _DEEPER:
            self._depth -= 1
        if tag == "pre":
            self._pre = False
            if self._texts > _MOST_LINES:
                self.lines.append("  " * self._depth + f"> ({self._texts - _MOST_LINES} more lines)")

    def handle_data(self, data: str) -> None:
        if self._quiet:
            return
        if self._pre:
            *whole, rest = (self._line + data).split("\n")
            for line in whole:
                self._line = line
                self._end()
            self._line = rest
        else:
            self._line += data

    def _end(self) -> None:
        text = self._line.rstrip() if self._pre else " ".join(self._line.split())
        self._texts += 1
        if text and (not self._pre or self._texts <= _MOST_LINES):
            self.lines.append("  " * self._depth + ("> " if self._pre else "") + text)
        self._line = ""


def outline(html: str) -> str:
    """The outline of a page."""
    made = _Outline()
    made.feed(html[html.index("<body>") :])
    made.close()
    return "\n".join(made.lines) + "\n"
