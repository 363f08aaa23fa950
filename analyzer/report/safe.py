"""Make text from a transcript safe and readable in Markdown.

Session text is untrusted: it may hold markup, fences, links and terminal escapes. Prose of ours may hold code spans;
whatever is outside of them is escaped.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from analyzer.text.late import late
from analyzer.text.plain import holds_any

_CONTROLS = late(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\n]*(?:\x07|\x1b\\)?|.)?"
    r"|[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)
SPAN = late(r"(?<!`)(?P<ticks>`+)(?!`)(?P<body>[^\n]*?[^`\n])(?P=ticks)(?!`)")
_ADDRESS = late(r"(?:[a-z][a-z0-9+.-]{1,20}://|www\.)[^\s<>`]*[^\s<>`.,;:!?)\]'\"]", re.IGNORECASE)
_LONGEST_ADDRESS = 4_000
_LONGEST_PARAGRAPH = 4_000
_ENOUGH = 256
"""Characters of a text that are looked at first, beside twice as many as are wanted."""
_MARKUP = late(r"<|&(?=#?\w+;)|[\[\]`]|\\(?=[!-/:-@\[-`{-~]|$)|__")
_SIGNS = ("`", "<", "&", "[", "]", "\\", "__", "://", "www.")
"""What any markup and address holds."""
_ESCAPED = {"<": "&lt;", "&": "&amp;", "[": "\\[", "]": "\\]", "\\": "\\\\", "`": "\\`", "__": "\\_\\_"}


def visible(text: str) -> str:
    """`text` without terminal escapes, control characters and marks that change the direction of writing. Lone
    surrogates, which no file can hold, become the replacement character."""
    if text.isprintable():
        return text
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text.replace("\n", "").replace("\t", "").isprintable():
        return text
    cleaned = _CONTROLS.sub("", text)
    return cleaned.encode("utf-8", "replace").decode("utf-8") if not cleaned.isascii() else cleaned


def clip(text: str, limit: int) -> str:
    """`text` on one line, cut at `limit` characters."""
    line = _line(text, limit)
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def _line(text: str, limit: int) -> str:
    """`text` on one line, or so much of it as shows that the line is longer than `limit`. Cleaning a megabyte takes
    time, of which a cut line shows nothing."""
    size = _ENOUGH + 2 * limit
    while size < len(text):
        escape = text.rfind("\x1b", 0, size)
        # Whether an escape ends before the cut isn't known without what follows.
        line = " ".join(visible(text[: escape if escape >= 0 else size]).split())
        if len(line) > limit:
            return line
        size *= 8
    return " ".join(visible(text).split())


def code(text: object, limit: int = 300) -> str:
    """A code span that nothing in the text can end."""
    line = clip(str(text), limit)
    if not line:
        return ""
    longest = max((len(run) for run in re.findall(r"`+", line)), default=0)
    ticks = "`" * (longest + 1)
    return f"{ticks} {line} {ticks}" if longest else f"`{line}`"


def prose(text: object) -> str:
    """One paragraph: markup outside of code spans is escaped, so that it shows as it is."""
    line = clip(str(text), _LONGEST_PARAGRAPH)
    if not holds_any(line.lower(), _SIGNS):
        return line
    parts: list[str] = []
    position = 0
    for span in SPAN.finditer(line):
        parts.extend((*_escaped(line[position : span.start()]), span.group()))
        position = span.end()
    parts.extend(_escaped(line[position:]))
    return _joined(parts)


def _escaped(text: str) -> list[str]:
    """Text outside of code spans. An address becomes a span: many renderers make a live link of it, which swallows the
    backtick of the span that follows it."""
    parts: list[str] = []
    position = 0
    for address in _ADDRESS.finditer(text):
        parts.extend((_escape(text[position : address.start()]), f"`{address.group()}`"))
        position = address.end()
    parts.append(_escape(text[position:]))
    return parts


def _joined(parts: list[str]) -> str:
    """The parts as one text; two spans side by side would be one, and an address takes what touches it."""
    text = ""
    for part in parts:
        text += f" {part}" if part.startswith("`") and _takes_what_follows(text[-_LONGEST_ADDRESS:]) else part
    return text


def _takes_what_follows(end: str) -> bool:
    """Whether a text that ends so ends in a code span or within an address."""
    if end.endswith("`"):
        return True
    word = "" if end[-1:].isspace() else "".join(end.rsplit(None, 1)[-1:]).lower()
    return "://" in word or "www." in word


def _escape(text: str) -> str:
    return _MARKUP.sub(lambda found: _ESCAPED[found.group()], text)


def excerpt(text: object, limit: int = 400) -> str:
    """The beginning of a longer text as prose, without HTML comments."""
    return cell(re.sub(r"<!--.*?-->", " ", str(text)[: limit * 10], flags=re.DOTALL), limit)


def cell(text: object, limit: int = 200) -> str:
    """A table cell: prose in which a bar doesn't end the cell. A cut never leaves half a code span behind."""
    line = clip(str(text), limit)
    if line.endswith("…") and len(re.findall(r"`+", line)) % 2:
        line = re.sub(r"(?: ->)? ?`+[^`]*$", " …", line)
    return prose(line).replace("|", "\\|")


def fence(text: object, language: str = "", limit: int = 4_000) -> str:
    """A fenced block that nothing in the text can end."""
    body = visible(str(text)).strip("\n")
    if len(body) > limit:
        body = f"{body[:limit].rstrip()}\n... {len(body) - limit} more characters"
    longest = max((len(run) for run in re.findall(r"`{3,}", body)), default=2)
    ticks = "`" * (longest + 1)
    return f"{ticks}{language}\n{body}\n{ticks}"


def tidy(text: str) -> str:
    """Never two blank lines in a row outside of fenced blocks, and one newline at the end."""
    lines: list[str] = []
    fence: str | None = None
    for line in text.split("\n"):
        marker = line[: len(line) - len(line.lstrip("`"))]
        if len(marker) >= 3 and "`" not in line[len(marker) :]:
            fence = None if fence is not None and line == fence else fence or marker
        if fence is None and not line.strip() and (not lines or not lines[-1].strip()):
            continue
        lines.append(line.rstrip() if fence is None else line)
    return "\n".join(lines).strip("\n") + "\n"


def clock(start: str | None, end: str | None) -> str:
    """From when to when, with the date once: `2025-11-14 23:22:04 to 23:26:49 UTC`."""
    if start is None and end is None:
        return ""
    zone = " UTC" if (start or end or "").endswith("Z") else " (no time zone recorded)"
    first, last = (re.sub(r"(?:\.\d+)?Z?$", "", value).replace("T", " ") if value else "" for value in (start, end))
    if first and last and first != last:
        return f"{first} to {last[11:] if last[:10] == first[:10] else last}{zone}"
    return f"{first or last}{zone}"


def steps(values: Sequence[int], limit: int = 12) -> str:
    """Step numbers: `3`, `16, 18, 20`, long lists with the middle left out; more than two in a row as a range."""
    parts: list[str] = []
    # In a row numbers and their positions rise alike.
    for _, group in groupby(range(len(values)), lambda position: values[position] - position):
        row = [values[position] for position in group]
        parts.extend(map(str, row) if len(row) < 3 else [f"{row[0]}-{row[-1]}"])
    return ", ".join(parts if len(parts) <= limit else [*parts[: limit - 2], "...", parts[-1]])
