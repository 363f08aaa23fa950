"""What the place of a compiler's or a parser's message says: where it stopped, which need not be where the mistake is.

A parser names the file that it can't read, and a place at or below the mistake. Where it has understood the text, types
or names don't agree, and the message names one of the places that don't: which is wrong isn't known.
"""

from __future__ import annotations

import re

from analyzer.model.failure import Failure
from analyzer.model.words import FailureKind
from analyzer.text.late import late

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
