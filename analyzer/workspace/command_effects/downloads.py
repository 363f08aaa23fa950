"""Which files `curl` and `wget` write: those that an option names, else the last part of each address."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import unquote

from analyzer.text.expressions import compiled

_ADDRESS = compiled(r"(?:https?|ftps?|file)://", re.IGNORECASE)
_CURL_VALUES = frozenset("AbcCdDeEFhHKmoPQrTtuUwxXyYz")
"""Short options of curl that have a value behind them."""
_WGET_VALUES = frozenset("aeiIlnoOPQtTUwX")


def downloaded(program: str, words: Sequence[str]) -> list[str]:
    """The files that a download writes, as they are seen from its directory; none where it prints."""
    curl = program.startswith("curl")
    named: list[str] = []
    addresses: list[str] = []
    folder, by_address = "", not curl
    index = 0
    while index < len(words):
        word = words[index]
        index += 1
        following = words[index] if index < len(words) else ""
        name, _, value = word.partition("=")
        if name in ("--output", "--output-document"):
            named.append(value or following)
            index += not value
        elif name in ("--output-dir", "--directory-prefix"):
            folder = value or following
            index += not value
        elif word in ("--remote-name", "--remote-name-all"):
            by_address = True
        elif word in ("--spider", "--version", "--help", "--head"):
            return []
        elif word.startswith("--"):
            continue
        elif word.startswith("-") and len(word) > 1:
            letter, value = _with_value(word, _CURL_VALUES if curl else _WGET_VALUES)
            by_address = by_address or (curl and "O" in word[1 : len(word) - len(value)])
            if letter and not value:
                value = following
                index += 1
            if letter == ("o" if curl else "O"):
                named.append(value)
            elif letter == "P" and not curl:
                folder = value
        elif _ADDRESS.match(word) or (not curl and "." in word):
            addresses.append(word)
    if not named and by_address:
        named = [name for address in addresses if (name := _last_part(address, index_page=not curl))]
    return [_inside(folder, name) for name in named if name and name != "-"]


def _with_value(word: str, valued: frozenset[str]) -> tuple[str, str]:
    """The first letter of a bundle of short options that takes a value, and the value as far as it's attached."""
    at = next((place for place, letter in enumerate(word) if place and letter in valued), None)
    return (word[at], word[at + 1 :]) if at is not None else ("", "")


def _last_part(address: str, *, index_page: bool) -> str:
    path = re.split(r"[?#]", _ADDRESS.sub("", address, count=1), maxsplit=1)[0]
    host, _, rest = path.partition("/")
    name = unquote(rest.rsplit("/", 1)[-1])
    return name.replace("/", "_") or ("index.html" if index_page and host else "")


def _inside(folder: str, name: str) -> str:
    return f"{folder.rstrip('/')}/{name}" if folder and not name.startswith("/") else name
