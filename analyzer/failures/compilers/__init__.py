"""Compilers, type checkers, linters and formatters as rows (`rows.toml`), and how a row is read.

An expression has named groups: `file`, `line`, `level`, `code`, `message`, `detail` (what belongs to the message on the
next line) and `shown` (the source line). `heading` and `heading_line` say where the diagnostics below them are;
`shown_line` stands for `line` where the source may be shown below the diagnostic under that number.

The place that a message names is where a tool stopped, which need not be where the mistake is. A parser names the file
that it can't read, and a place at or below the mistake. Where it has understood the text, types or names don't agree,
and the message names one of the places that don't: which is wrong isn't known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from analyzer.failures.traces import RawFrame, StackTrace
from analyzer.model.failure import Failure
from analyzer.model.struct import Struct, field
from analyzer.model.words import FailureKind
from analyzer.text.late import Hints, late, made_of, table_beside
from analyzer.text.plain import next_lines

COMPILED = "CompileError"
"""The type of what a compiler or type checker refuses."""
LINTED = "LintError"
"""The type of what a linter or a formatter complains of."""


class Diagnostic(Struct, frozen=True):
    """One diagnostic: where (lines and columns from 1, as printed), how bad (`error` or `warning`), the tool's own code
    for it, what it says, the source line where the output shows it, and the character offset at which it ends."""

    file: str | None
    line: int | None
    level: str
    message: str
    code: str | None = None
    shown: str | None = None
    end: int = 0


class Diagnostics(Struct):
    """What one tool said: its first error as a trace of one frame (others often follow from the first), and how many
    `errors` and `warnings` there are, by its own closing line where it has one."""

    tool: str
    trace: StackTrace
    counts: dict[str, int] = field(default_factory=dict)


def diagnostics(
    tool: str, kind: str, found: Iterable[Diagnostic], counts: dict[str, int] | None = None
) -> Diagnostics | None:
    """What `found` comes to, or None where nothing was found. A tool that repeats itself is counted once."""
    unique = {(each.file, each.line, each.level, each.message): each for each in reversed(list(found))}
    listed = sorted(unique.values(), key=lambda each: each.end)
    if not listed:
        return None
    first = next((each for each in listed if each.level == "error"), listed[0])
    text = first.message if not first.code or first.code in first.message else f"{first.code}: {first.message}"
    frames = [RawFrame(first.file.removeprefix("./"), first.line, None, first.shown)] if first.file else []
    own = {f"{level}s": sum(1 for each in listed if each.level == level) for level in ("error", "warning")}
    counted = counts or {name: number for name, number in own.items() if number}
    return Diagnostics(tool, StackTrace(frames, kind, " ".join(text.split())[:500], first.end), counted)


def summed(text: str, pattern: re.Pattern[str]) -> dict[str, int] | None:
    """The counts of the last closing line that `pattern` finds, from its groups `errors` and `warnings`; None without
    one."""
    closing = list(pattern.finditer(text))
    if not closing:
        return None
    return {name: int(value) for name, value in closing[-1].groupdict().items() if value is not None}


_ERRORS = frozenset({"error", "e", "f", "x", "×", "✖"})
"""How tools spell the level of an error; everything else that they spell out is a warning."""
_MOST_BELOW = 8
"""Lines below a message of which one may say what it's about."""
_NUMBERED = late(r"^ {0,8}(?P<line>\d{1,9}) (?:\|(?: [ /|])? ?)?(?P<code>[^\n]+)$")


class Tool(Struct, frozen=True):
    """A row of the table. `kind` is the type of its diagnostics, `closing` finds its own counts. The source line that
    is shown stands above carets within `carets` lines below, or under its number within `numbered` lines. `about` is a
    message's beginning and the expression of the line below that says what it's about. Where all messages match
    `lints`, they're a linter's. `plainly` is the message of a diagnostic that has none."""

    name: str
    language: str
    kind: str
    hints: Hints
    diagnostics: tuple[re.Pattern[str], ...]
    closing: tuple[re.Pattern[str], ...] = ()
    carets: int = 0
    numbered: int = 0
    about: tuple[str, re.Pattern[str]] | None = None
    lints: re.Pattern[str] | None = None
    plainly: str = ""

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
        for above, carets in pairwise(next_lines(text, end + 1, self.carets)) if self.carets else ():
            if carets.strip() and not carets.strip(" \t^~-"):
                return above.strip()
        return None


_TABLE = table_beside(__file__)
COMPILERS = made_of(Tool, _TABLE["compiler"], _TABLE["parts"])
"""Asked first: what doesn't compile is the sharper message."""
LINTERS = made_of(Tool, _TABLE["linter"], _TABLE["parts"])
"""Asked only where it's known that one of them ran: their lines look like much else. `ruff` reads every tool that
prints `file:line:column: CODE message` (flake8, pycodestyle, pydocstyle), `formatter` what Prettier, black, isort,
rustfmt and gofmt say of files that they would change."""
_HINTS = Hints(*dict.fromkeys(hint for tool in (*COMPILERS, *LINTERS) for hint in tool.hints.words))
GO = next(tool for tool in COMPILERS if tool.name == "go")
"""`go build`, `go vet`, staticcheck and golangci-lint: the latter two name the check at the end of the line."""


def diagnostics_in(text: str, *, linters: bool) -> tuple[Diagnostics, str] | None:
    """The diagnostics of the first tool that said something in `text`, with their language; `linters` says whether
    these are asked, and whether the errors that a compiler counts on the last line are enough."""
    if not _HINTS.any_within(text):
        return None
    for tool in (*COMPILERS, *LINTERS) if linters else COMPILERS:
        if tool.hints.any_within(text) and (found := tool.read(text)) is not None:
            return found, tool.language
    last = text.rstrip().rpartition("\n")[2]
    for tool in COMPILERS if linters and "error" in last else ():
        counts = next((counts for pattern in tool.closing if (counts := summed(last, pattern))), {})
        if counts.get("errors") and tool.hints.any_within(text):
            closing = diagnostics(tool.name, tool.kind, [Diagnostic(None, None, "error", last)], counts)
            return (closing, tool.language) if closing is not None else None
    return None


SYNTAX_ERRORS = frozenset({"SyntaxError", "IndentationError", "TabError", "ParseError"})
"""What languages raise of a source; one that a library raises (`xml.etree.ElementTree.ParseError`) is about data."""
_UNPARSED = late(
    r"\bexpected\b[^\n]{0,60}(?:['\"`‘][^\w\s]|token|semicolon|bracket|expression|end of)|['\"`‘;)}\]][’'\"`]? expected"
    r"|\bunexpected (?:token|end|eof|character|indent|keyword|closing)|\bunterminated\b|\bunclosed\b|\bunmatched\b"
    r"|end of (?:file|input) while parsing|\bsyntax error\b|\bparse error\b|mismatched (?:closing|input)",
    re.IGNORECASE,
)
"""How compilers speak of text that isn't a program, rather than of types and names."""
_OF_DATA = late(r"\b(?:in|valid|as|of) JSON\b|\bJSON\.parse\b")
_DATA_TYPE = late(r"(?:^|[.:])(?:json|ya?ml|xml|toml|csv|psych|etree|expat)\b|^\w*(?:JSON|YAML|XML|TOML)\w*$")
"""A type of a library that reads data."""
_FILE = late(r"[(\"'`]?(?P<file>[\w./\\~@+-]{1,300}\.(?:json\w?|ya?ml|xml|toml|csv|tsv|ini|svg|html?))\b")
_EMPTY = "(char 0)"


def unread_data(failure: Failure) -> str | None:
    """The file that a parser of data can't read, or an empty text where it isn't named; None where no such parser
    stopped, or where it was given nothing at all."""
    name = failure.type or ""
    of_data = is_of_data(failure.message) or (_DATA_TYPE.search(name) and name.endswith(("Error", "Exception")))
    if not of_data or _EMPTY in failure.message:
        return None
    found = _FILE.search(failure.message)
    return found["file"] if found is not None else ""


def is_of_data(message: str) -> bool:
    """Whether a parser's message is about data that a program was given, which isn't its source."""
    return _OF_DATA.search(message) is not None


def unparsed(failure: Failure) -> bool:
    """Whether a parser stopped, so that the place which it names may be behind the damage."""
    if failure.type in SYNTAX_ERRORS:
        return not is_of_data(failure.message)
    return failure.kind is FailureKind.COMPILE and _UNPARSED.search(failure.message) is not None


def disagrees(failure: Failure) -> bool:
    """Whether a compiler found that types or names don't agree, so that any of their places may be wrong."""
    return failure.kind is FailureKind.COMPILE and not unparsed(failure)
