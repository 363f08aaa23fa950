"""How a row of the table of compilers and linters is read.

An expression has named groups: `file`, `line`, `level`, `code`, `message`, `detail` (what belongs to the message on the
next line) and `shown` (the source line). `heading` and `heading_line` say where the diagnostics below them are;
`shown_line` stands for `line` where the source may be shown below the diagnostic under that number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from analyzer.failures.compilers.diagnostic import LINTED, Diagnostic, Diagnostics, above_carets, diagnostics, summed
from analyzer.text.late import late
from analyzer.text.plain import holds_any, next_lines

_ERRORS = frozenset({"error", "e", "f", "x", "×", "✖"})
"""How tools spell the level of an error; everything else that they spell out is a warning."""
_MOST_BELOW = 8
"""Lines below a message of which one may say what it's about."""
_NUMBERED = late(r"^ {0,8}(?P<line>\d{1,9}) (?:\|(?: [ /|])? ?)?(?P<code>[^\n]+)$")


def expression(source: str) -> re.Pattern[str]:
    """An expression in which `^` and `$` mean line ends, compiled when it's first used."""
    return late(source, re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Tool:
    """A row of the table. `kind` is the type of its diagnostics, `closing` finds its own counts. The source line that
    is shown stands above carets within `carets` lines below, or under its number within `numbered` lines. `about` is a
    message's beginning and the expression of the line below that says what it's about. Where all messages match
    `lints`, they're a linter's. `plainly` is the message of a diagnostic that has none."""

    name: str
    language: str
    kind: str
    hints: tuple[str, ...]
    diagnostics: tuple[re.Pattern[str], ...]
    closing: tuple[re.Pattern[str], ...] = ()
    carets: int = 0
    numbered: int = 0
    about: tuple[str, re.Pattern[str]] | None = None
    lints: re.Pattern[str] | None = None
    plainly: str = ""

    def may_read(self, text: str) -> bool:
        """Whether one of the hints is in `text`."""
        return holds_any(text, self.hints)

    def read(self, text: str) -> Diagnostics | None:
        """The first error and how many there are, or None where the text holds none of the tool's diagnostics."""
        found = [each for pattern in self.diagnostics for each in self._found(pattern, text)]
        linted = self.lints is not None and all(self.lints.search(each.message) for each in found)
        counts = next((counts for pattern in self.closing if (counts := summed(text, pattern))), None)
        return diagnostics(self.name, LINTED if linted else self.kind, found, counts)

    def _found(self, pattern: re.Pattern[str], text: str) -> Iterator[Diagnostic]:
        heading: str | None = None
        heading_line: str | None = None
        for place in pattern.finditer(text):
            groups = place.groupdict()
            if groups.get("heading"):
                heading, heading_line = groups["heading"], groups.get("heading_line")
                continue
            file = groups.get("file") or heading
            if file is None and "heading" in groups:
                continue
            line = groups.get("line") or groups.get("shown_line") or heading_line
            level = groups.get("level")
            yield Diagnostic(
                file,
                int(line) if line else None,
                "error" if level is None or level.lower() in _ERRORS else "warning",
                self._message(groups, text, place.end()),
                groups.get("code"),
                self._shown(groups, text, place.end()),
                place.end(),
            )

    def _message(self, groups: dict[str, str | None], text: str, end: int) -> str:
        message = (groups.get("message") or self.plainly.format(**groups)).strip()
        if detail := groups.get("detail"):
            return f"{message} {detail.strip()}"
        if self.about is not None and message.startswith(self.about[0]):
            below = next_lines(text, end + 1, _MOST_BELOW)
            said = next((row["detail"] for line in below if (row := self.about[1].match(line))), None)
            if said is not None and said.strip() not in message:
                return f"{message}: {' '.join(said.split())}"
        return message

    def _shown(self, groups: dict[str, str | None], text: str, end: int) -> str | None:
        if groups.get("shown"):
            return (groups["shown"] or "").strip() or None
        if self.numbered and (line := groups.get("shown_line")):
            for below in next_lines(text, end + 1, self.numbered):
                if (row := _NUMBERED.match(below)) and row["line"] == line:
                    return row["code"].strip()
        return above_carets(next_lines(text, end + 1, self.carets)) if self.carets else None
