"""Take a shell line apart into its simple commands, in order, each with what it reads from and writes to.

Unlike a reading that asks only what a line is for, a replay needs to know how commands hang together: which redirection
belongs to which command, whether it appends, what the here-document holds, and whether a command runs only if the one
before it did (`&&`) or didn't (`||`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from analyzer.commands.table import file_act
from analyzer.model.struct import Struct, field, replace
from analyzer.text.late import late

_HEREDOC = late(r"(?<!<)<<(?P<dash>-?)(?!<)[ \t]*(?P<quote>['\"\\]?)(?P<tag>[A-Za-z_][\w.-]*)['\"]?")
_LINE_GIVEN = late(r"""(?:\s-[A-Za-z]*c|\beval|\s-command|\s--run)[ \t]+(?P<quote>['"])""", re.IGNORECASE)
"""Where a line in quotes begins that another program runs."""
_TO_END = {"'": late(r"""(?:[^']|'(?:\\''|"'"'))*'"""), '"': late(r'(?:[^"\\]|\\.)*"', re.DOTALL)}
_TOKEN = late(
    r"""(?P<space>[ \t\r]+|\\\n)
      | (?P<comment>\#[^\n]*)
      | (?P<mark>\x01\d+\x01)
      | (?P<redirect>(?:\d|&)?>>|(?:\d|&)?>\||\d?>&|&>|\d?>|<<<|\d?<&|<)
      | (?P<separator>&&|\|\||;;|\|&|[;|\n&()])
      | (?P<word>(?:'[^']*'|"(?:\\.|[^"\\])*"|\$'(?:\\.|[^'\\])*'|\$\((?:[^()]|\([^()]*\))*\)|`[^`\n]*`|\\.
                  |@\{(?:'[^']*'|"[^"]*"|[^{}'"]|\{[^{}]*\})*\}
                  |(?<=\))\.[A-Za-z]\w*\((?:'[^']*'|"[^"]*"|[^()'"])*\)
                  |[^\s;|&()<>'"\\`\x01]|['"`])+)
      | (?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)
_PART = late(
    r"""'(?P<single>[^']*)'|\$'(?P<ansi>(?:\\.|[^'\\])*)'|"(?P<double>(?:\\.|[^"\\])*)"|\\(?P<escaped>.)|(?P<plain>[^'"\\]+)|(?P<rest>.)""",
    re.DOTALL,
)
_QUOTED = {sign: sign for sign in '$`"\\'} | {"\n": ""}
_ANSI = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "e": "\x1b", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
_EXPANDS = late(r"\$[\w{(@*#?!]|`")
_LONGEST = 60_000
_MOST_COMMANDS = 400
_MOST_HEREDOCS = 60

LEFT_RUNNING = late(
    r"(?<![&>|])&(?![&>])\s*(?:disown\s*(?:;?\s*echo\s[^&|;\n]*)?|;?\s*echo\s[^&|;\n]*\$![^&|;\n]*)?$"
    r"|(?:2>&1|\))\s*&\s*echo\s[^&|;\n]*$"
)
"""The end of a line whose last command is left running."""
HIDES_STATUS = late(
    r"\|\|\s*(?:true|:|echo|exit 0|printf)(?=\W|$)"
    r"|[;\n]\s*(?:true|:|exit 0|(?:echo|printf)\b(?![^;&|\n]*\$\?)[^;&|\n]*)\s*$|(?<![|&])\|(?![|&])|\bset \+e\b"
)
"""What keeps a line from telling by its exit code how a command in it ended."""
LIMITED = late(r"(?:^|[\s;&|(])g?timeout (?:-\S{1,20} (?:\S{1,10} )?)?[\d.]{1,8}[smh]?\s")
"""A run that the line itself ends after a time."""
PREPARES = late(r"^(?:cd \S+ ?(?:&&|;) ?|export \S+ ?(?:&&|;) ?|source \S+ ?(?:&&|;) ?)+")
"""What only prepares the rest of a line."""
AS_MODULE = late(r"(?<![\w./-])python3? -m (?=pytest|unittest|mypy|ruff)")
_ENTERED = late(r"""\s*cd\s+(?P<dir>'[^']*'|"[^"]*"|[^\s;&|]+)\s*(?:&&|;)\s*""")


def entered(line: str) -> tuple[str, str]:
    """The directory to which a line changes before anything else, or an empty text, and the rest of the line."""
    found = _ENTERED.match(line)
    return ("", line) if found is None else (found["dir"].strip("\"'"), line[found.end() :])


class Word(Struct, frozen=True):
    """One word as the command gets it. `expands` is True where the shell would put something in that isn't known here:
    a variable, the output of a command; `glob` where it would look for names."""

    text: str
    expands: bool = False
    glob: bool = False


class Redirect(Struct, frozen=True):
    """Output that goes into a file."""

    target: Word
    append: bool = False
    errors_only: bool = False


class Statement(Struct):
    """One simple command. `joined` is what stands before it (`&&`, `||`, `|`, `;` or nothing at the beginning), `stdin`
    the here-document or here-string that it reads, `source` the file that it reads from."""

    words: list[Word] = field(default_factory=list)
    writes: list[Redirect] = field(default_factory=list)
    stdin: str | None = None
    stdin_expands: bool = False
    source: Word | None = None
    joined: str = ""
    piped: bool = False
    depth: int = 0

    @property
    def text(self) -> str:
        """The command in one line."""
        return " ".join(word.text for word in self.words)


def printed_words(program: str, arguments: Sequence[Word]) -> str | None:
    """What a program prints that prints its own words, where that's known to the letter."""
    act = file_act(program)
    if act not in ("echo", "format") or any(word.expands for word in arguments):
        return None
    texts = [word.text for word in arguments]
    if act == "echo":
        newline = "\n"
        while texts and len(texts[0]) > 1 and texts[0].rstrip("neE") == "-":
            newline = "" if "n" in texts[0] else newline
            texts.pop(0)
        return " ".join(texts) + newline
    if len(texts) == 2 and texts[0] in ("%s\\n", "%s"):
        return texts[1] + ("\n" if texts[0].endswith("n") else "")
    if not texts or "%" in texts[0]:
        return None
    return unescaped(texts[0], {"n": "\n", "t": "\t", "\\": "\\"}, others="\\")


def unescaped(text: str, meant: Mapping[str, str], others: str = "") -> str:
    """The text with what is meant by each sign behind a backslash; any other sign stays, behind `others`."""
    return re.sub(r"\\(.)", lambda found: meant.get(found[1], others + found[1]), text, flags=re.DOTALL)


def statements(line: str) -> list[Statement]:
    """The simple commands of a shell line, which the caller may change. A line is parsed once for all who ask."""
    return [replace(made, words=list(made.words), writes=list(made.writes)) for made in _parsed(line)]


@lru_cache(maxsize=4_096)
def _parsed(line: str) -> tuple[Statement, ...]:
    text, bodies = _set_aside(line)
    made: list[Statement] = []
    current = Statement()
    redirect: str | None = None
    depth = 0
    at_start = True
    for found in _TOKEN.finditer(text[:_LONGEST]):
        kind = found.lastgroup
        if kind == "space":
            at_start = True
            continue
        if kind == "comment" and at_start:
            continue
        at_start = kind in ("separator", "redirect")
        if kind == "mark":
            # The line itself may hold what looks like a mark.
            if (number := int(found[0].strip("\x01"))) < len(bodies):
                current.stdin, current.stdin_expands = bodies[number]
            continue
        if kind == "redirect":
            redirect = found[0]
            continue
        if kind == "separator":
            redirect = None
            joined = found[0]
            if joined in ("(", ")"):
                depth += 1 if joined == "(" else -1
                joined = ";"
            if current.words or current.writes:
                current.piped = joined in ("|", "|&")
                made.append(current)
                if len(made) >= _MOST_COMMANDS:
                    break
                current = Statement(joined=joined, depth=depth)
            else:
                current.depth = depth
            continue
        word = _word(found[0])
        if redirect is not None:
            _redirect(current, redirect, word)
            redirect = None
        else:
            current.words.append(word)
    if current.words or current.writes:
        made.append(current)
    return tuple(made)


def _redirect(statement: Statement, sign: str, word: Word) -> None:
    if sign == "<<<":
        statement.stdin, statement.stdin_expands = word.text + "\n", word.expands
    elif sign == "<":
        statement.source = word
    elif sign.endswith("&") and (word.text.isdigit() or word.text == "-"):
        return
    elif ">" in sign and not word.text.startswith(("/dev/", "&")):
        statement.writes.append(Redirect(word, ">>" in sign, sign.startswith("2")))


_HERE = (".", "..")
"""The folders at which a path of Windows may begin, before a backslash."""


def _word(raw: str) -> Word:
    if raw.isalnum():
        return Word(raw)
    expands = glob = False
    parts: list[str] = []
    for found in _PART.finditer(raw):
        kind = found.lastgroup or "rest"
        part = found[kind]
        if kind == "ansi":
            part = unescaped(part, _ANSI)
        elif kind == "double":
            expands = expands or _EXPANDS.search(part) is not None
            part = unescaped(part, _QUOTED, others="\\")
        elif kind == "plain":
            expands = expands or _EXPANDS.search(part) is not None
            glob = glob or any(sign in part for sign in "*?[")
        elif (kind == "escaped" and part == "\n") or (kind == "rest" and part in "'\"" and not parts):
            # A line that goes on, or a quote that never closes.
            part = ""
        elif kind == "escaped" and parts and (part.isalnum() or (part == "." and parts[-1] in _HERE)):
            part = f"\\{part}"  # a path of Windows: no shell of another kind escapes letters within a word
        parts.append(part)
    return Word("".join(parts), expands, glob)


def _set_aside(line: str) -> tuple[str, list[tuple[str, bool]]]:
    """The line with a mark in the place of each here-document, and their bodies with whether the shell expands them."""
    bodies: list[tuple[str, bool]] = []
    start = 0
    while len(bodies) < _MOST_HEREDOCS and (found := _HEREDOC.search(line, start)) is not None:
        if (within := _end_of_line_given(line, start, found.start())) is not None:
            start = within
            continue
        newline = line.find("\n", found.end())
        indent = "[ \t]*" if found["dash"] else ""
        ends = re.compile(rf"^{indent}{re.escape(found['tag'])}[ \t]*$", re.MULTILINE)
        end = ends.search(line, newline + 1) if newline >= 0 else None
        if end is None and (newline < 0 or not found["tag"].isupper()):
            # A shift in a program's text looks the same.
            start = found.end()
            continue
        stop, rest = (end.start(), line[end.end() :]) if end is not None else (len(line), "")
        body = line[newline + 1 : stop]
        if found["dash"]:
            body = "\n".join(row.lstrip("\t") for row in body.split("\n"))
        bodies.append((body, not found["quote"] and _EXPANDS.search(body) is not None))
        line = f"{line[: found.start()]} \x01{len(bodies) - 1}\x01 {line[found.end() : newline]}{rest}"
        start = found.start()
    return line, bodies


def _end_of_line_given(line: str, start: int, place: int) -> int | None:
    """Where a line in quotes ends that another program runs and that holds a place; None where none does."""
    for found in _LINE_GIVEN.finditer(line, start, place):
        end = _TO_END[found["quote"]].match(line, found.end())
        if end is not None and end.end() > place:
            return end.end()
    return None
