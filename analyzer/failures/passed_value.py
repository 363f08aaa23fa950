"""What a test passes: whether a refusal names that value, and where it's made.

A message that says `berth code 'A12' has no dash` beside a test that passes `"A-12"` speaks of what the implementation
made of the value, not of what it was given. Spaces, signs and letter case that any reader of codes takes away are no
such difference, unless the message complains of just that.

A value may stand behind a name: in a helper, a constant or a data file of the test code.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence

from analyzer.failures.roles import same_file
from analyzer.model.failure import CodeLine
from analyzer.text.late import late
from analyzer.text.similarity import alike

_WORD = late(r"['\"`‘“]([^'\"`’”\n]{1,60})['\"`’”]|(?<![\w@+.:/-])([\w@+.:/-]*\d[\w@+.:/-]*)(?![\w])")
_STRING = late(r"'([^'\n]{1,80})'|\"([^\"\n]{1,80})\"|`([^`\n]{1,80})`")
_NUMBER = late(r"(?<![\w.])-?\d+(?:\.\d+)?(?![\w.])")
_KEY = late(r"(?<=[\w)\]])\[[^\]\n]{0,80}\]|\.(?:get|at|fetch)\([^()\n]{0,80}\)")
_SEPARATOR = late(r"[,;|\s]|\\n|\\t")
_NAMED = {
    sign: late(words, re.IGNORECASE)
    for sign, words in {
        "-": r"\b(?:dash|hyphen|minus)",
        ".": r"\b(?:dot|period|decimal point|domain|extension)\b",
        ",": r"\bcomma",
        ":": r"\bcolon",
        ";": r"\bsemicolon",
        "/": r"\bslash",
        "_": r"\bunderscore",
        "@": r"\bat[- ]sign|\bdomain\b|e-?mail",
        "#": r"\bhash\b",
        "+": r"\bplus\b",
        " ": r"\b(?:space|blank|word)s?\b",
    }.items()
}
"""Signs and the words by which a message speaks of them."""
_CASE = late(r"\b(?:upper|lower|capital|case|unknown|unsupported|no such|not (?:in|one of|found|known))", re.IGNORECASE)
"""What a message says where the case of letters decides."""
_LACKS = late(r"\b(?:no|without|missing|lacks?|needs?|expected)(?: an?| the)? $", re.IGNORECASE)
_LAST_WORD = late(r": ([\w@+][\w.@+/-]{1,60}[\w/])$")
"""The value with which a message ends: `unknown unit: kms`."""
_LEAST = 3


def changed_on_the_way(message: str, call: str, lines: Iterable[str]) -> bool:
    """Whether a test's line that makes the call, or another line of the test, shows a value much like the one that the
    message refuses, but none shows that one, so that the implementation must have changed it."""
    shown = [call, *lines]
    refused = list(dict.fromkeys(found[1] or found[2] for found in _WORD.finditer(message)))
    if any(holds(line, value) for value in refused for line in shown if len(value) > 1):
        return False
    passed = list(_literals(call, parts=False))
    if any(_alike(value, given, message) for given in passed for value in refused):
        return True
    return any(_made_of(value, given, message) for line in shown for given in _literals(line) for value in refused)


def contradicts_itself(message: str) -> bool:
    """Whether a message misses a sign in a value in which it stands: `no colon in 'web:80'`. Then it's the check that
    is wrong."""
    refused = [found[1] for found in _WORD.finditer(message) if found[1]]
    return any(
        sign in value and (lacking := named.search(message)) is not None and _LACKS.search(message[: lacking.start()])
        for sign, named in _NAMED.items()
        for value in refused
    )


def speaks_of(message: str, lines: Iterable[CodeLine]) -> Iterator[CodeLine]:
    """The lines that hold a value that a message names, or one that differs from it only in its signs and letter
    case."""
    refused = {_bare(value) for value in named_values(message)}
    for line in lines if refused else ():
        if any(_bare(given) in refused for given in _literals(line.text)):
            yield line


def named_values(message: str) -> list[str]:
    """The values of a message that hold a digit or are in quotation marks, and are long enough to tell."""
    found = [match[1] or match[2] for match in _WORD.finditer(message)]
    if (last := _LAST_WORD.search(message)) is not None:
        found.append(last[1])
    return [value for value in dict.fromkeys(found) if len(value) >= _LEAST and len(_bare(value)) >= _LEAST]


def has_literal(line: str) -> bool:
    """Whether a line of code holds a string or a number, keys by which it takes something out of a container aside."""
    return any(True for _ in _literals(_KEY.sub("", line)))


def holds(line: str, value: str) -> bool:
    """Whether a value is in a line by itself, or as one of several in a string."""
    return re.search(rf"(?<![\w.-]){re.escape(value)}(?!\w)", line) is not None or value in _literals(line)


def _literals(line: str, *, parts: bool = True) -> Iterator[str]:
    for found in _STRING.finditer(line):
        text = next(filter(None, found.groups()), "")
        yield text
        if parts:
            yield from (part for part in _SEPARATOR.split(text) if part != text)
    yield from (f"#{found[0]}" for found in _NUMBER.finditer(_STRING.sub("", line)))


def _made_of(refused: str, given: str, message: str) -> bool:
    """Whether what is refused was made of what was given, in a way that can be the reason of the refusal."""
    if given == refused or min(len(given), len(refused)) < _LEAST or _bare(given) != _bare(refused):
        return False
    gone = set(given) - set(refused)
    lost = any(
        sign in gone and (sign in message.replace(" ", "") or named.search(message)) for sign, named in _NAMED.items()
    )
    same_signs = "".join(given.split()).casefold() == "".join(refused.split()).casefold()
    return lost or (same_signs and given.strip() != refused and _CASE.search(message) is not None)


def _alike(refused: str, given: str, message: str) -> bool:
    """Whether a value that the call itself passes is another one than the refused, but only just."""
    if given.startswith("#"):
        return refused == f"-{given[1:]}" or given[1:] == f"-{refused}"
    if given == refused or min(len(given), len(refused)) <= _LEAST or _bare(given) == _bare(refused):
        return False
    return given not in message and abs(len(given) - len(refused)) < _LEAST and alike(given, refused, 75.0)


def _bare(value: str) -> str:
    return "".join(character for character in value.casefold() if character.isalnum())


_NAME = late(r"(?<![\w.'\"$@:])[A-Za-z_$][\w$]*")
_QUOTED = late(r"'[^'\n]*'|\"[^\"\n]*\"")
_COMPARED = late(r"\s(?:===?|!==?|is)\s|\)\.(?:to|not|should)\b|\)\.to(?:Be|Equal|Have|Match|Throw|Contain|Strict)")
"""Where the call that a test judges ends and what it's held against begins."""
_ASSERTED = late(r"^\s*(?:self\.|\$this->|Assert\w*\.)?(?:assert|expect)\w*!?(?:\.\w+)?(?P<open>[ (]*)", re.IGNORECASE)
DATA_FILE = late(r"""['"`](?P<file>[\w./-]{0,200}\w\.(?:json|jsonl|ya?ml|toml|csv|tsv|txt|xml|ini|geojson|sql))['"`]""")
"""A file of data that a line names."""
_ASSIGNS = r"(?:^|[\s;(])[$@]?{name}\s*(?::[^=\n]{{1,60}})?:?=(?!=)"
_DEFINES = r"\b(?:def|fn|func|fun|function)\s+(?:self\.)?{name}\b"
_FUNCTION = late(r"\b(?:def|fn|func|fun|function)\s+\w+")
_MOST_NAMES = 12
_MOST_LINES = 4_000


def passed(line: str) -> str:
    """The part of a test's line that makes the call, without what its result is held against."""
    asserted = _ASSERTED.match(line)
    if asserted is not None:
        line = line[asserted.end() :]
    found = _COMPARED.search(line)
    if found is not None:
        line = line[: found.start()]
    if asserted is None or "(" not in asserted["open"]:
        return line
    return next((part for part in _arguments(line) if "(" in part), line)


def _arguments(text: str) -> list[str]:
    """The arguments of a call whose parenthesis is open."""
    depth, found = 0, [""]
    for sign in _QUOTED.sub(lambda quoted: "_" * len(quoted[0]), text):
        depth += (sign in "([{") - (sign in ")]}")
        if depth < 0:
            break
        if sign == "," and depth == 0:
            found.append("")
        else:
            found[-1] += sign
    starts = [sum(len(part) + 1 for part in found[:number]) for number in range(len(found))]
    return [text[start : start + len(part)] for start, part in zip(starts, found, strict=True)]


def made_by(line: str, file: str, known: Sequence[CodeLine]) -> CodeLine | None:
    """The line of known test code, in another file, that makes what `line` of `file` passes: of a name on it, the
    definition that holds a literal or the helper, or the data file that is loaded into it. None where the line itself
    passes a literal, or nothing shown defines its names."""
    call = passed(line)
    if has_literal(call) or not known:
        return None
    helper: CodeLine | None = None
    for name in list(dict.fromkeys(_NAME.findall(_QUOTED.sub("", call))))[:_MOST_NAMES]:
        assigns, defines = (form.format(name=re.escape(name)) for form in (_ASSIGNS, _DEFINES))
        for entry in known[:_MOST_LINES]:
            if name not in entry.text or entry.text == line:
                continue
            if re.search(assigns, entry.text) is not None:
                data = DATA_FILE.search(entry.text)
                if data is not None:
                    path = data["file"]
                    if path.startswith("."):
                        path = posixpath.normpath(posixpath.join(posixpath.dirname(entry.file), path))
                    return CodeLine(path, None, "", entry.shown_at)
                elsewhere = not same_file(entry.file, file)
                if elsewhere and (any(sign in entry.text for sign in "{[") or has_literal(entry.text)):
                    return entry
            elif helper is None and not same_file(entry.file, file) and re.search(defines, entry.text) is not None:
                helper = entry
    return helper


def passes_on(line: str, file: str, number: int | None, known: Sequence[CodeLine]) -> bool:
    """Whether a line passes nothing but parameters, without a default, of the function around it, as far as its
    definition was shown."""
    call = passed(line)
    arguments = _NAME.findall(call.partition("(")[2])
    if not arguments or number is None or has_literal(call):
        return False
    above = [entry for entry in known if entry.line is not None and entry.line < number and same_file(entry.file, file)]
    around = next((entry.text for entry in reversed(above) if _FUNCTION.search(entry.text) is not None), "")
    parameters = around.partition("(")[2]
    return all(re.search(rf"\b{re.escape(name)}\b(?![^,()]*=)", parameters) is not None for name in arguments)
