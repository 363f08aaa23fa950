"""Which files a download writes: those that an option names, else the last part of each address."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import unquote

from analyzer.commands.table import file_act
from analyzer.text.expressions import compiled

_ADDRESS = compiled(r"(?:https?|ftps?|file)://", re.IGNORECASE)
_CURL_VALUES = frozenset("AbcCdDeEFhHKmoPQrTtuUwxXyYz")
"""Short options of curl that have a value behind them."""
_WGET_VALUES = frozenset("aeiIlnoOPQtTUwX")
_OF_A_VALUE = frozenset({"--output", "--output-document", "--output-dir", "--directory-prefix"})
_ONLY_LOOKS = frozenset({"--spider", "--version", "--help", "--head"})


def downloaded(program: str, words: Sequence[str]) -> list[str]:
    """The files that a download writes, as they are seen from its directory; none where it prints."""
    curl = file_act(program) == "download-on-demand"
    valued, naming, into = (_CURL_VALUES, "o", "--output-dir") if curl else (_WGET_VALUES, "O", "P")
    named: list[str] = []
    addresses: list[str] = []
    folder, by_address = "", not curl
    rest = iter(words)
    for word in rest:
        if word in _ONLY_LOOKS:
            return []
        if word.startswith("--"):
            option, _, value = word.partition("=")
            by_address = by_address or option.startswith("--remote-name")
        elif word.startswith("-"):
            option, value = _with_value(word, valued)
            by_address = by_address or (curl and "O" in word.removesuffix(value))
        elif _ADDRESS.match(word) or (not curl and "." in word):
            addresses.append(word)
            continue
        else:
            continue
        if option in _OF_A_VALUE or option in valued:
            value = value or next(rest, "")
        if option in ("--output", "--output-document", naming):
            named.append(value)
        elif option in (into, "--directory-prefix"):
            folder = f"{value.rstrip('/')}/"
    if not named and by_address:
        named = [name for address in addresses if (name := _last_part(address, index_page=not curl))]
    return [name if name.startswith("/") else folder + name for name in named if name and name != "-"]


def _with_value(word: str, valued: frozenset[str]) -> tuple[str, str]:
    """The first letter of a bundle of short options that takes a value, and the value as far as it's attached."""
    at = next((place for place, letter in enumerate(word) if place and letter in valued), None)
    return (word[at], word[at + 1 :]) if at is not None else ("", "")


def _last_part(address: str, *, index_page: bool) -> str:
    path = re.split(r"[?#]", _ADDRESS.sub("", address, count=1), maxsplit=1)[0]
    host, _, rest = path.partition("/")
    name = unquote(rest.rsplit("/", 1)[-1])
    return name.replace("/", "_") or ("index.html" if index_page and host else "")
