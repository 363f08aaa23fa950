"""Values in the place of a secret that are none: examples, placeholders, code, paths."""

from __future__ import annotations

import re
from itertools import pairwise

from analyzer.text.late import late
from analyzer.text.names import name_set

_WORDS = name_set(
    "admin api auth change config credentials db dev env from get hash hashed id in key local my name new option "
    "optional password postgres process production secret self service session settings staging state string test this "
    "token undefined use user"
)
"""Words of which the examples in recorded sessions consist. A password of such words alone hides nothing that a page
needs to hide; one that isn't listed is replaced, which does no harm."""
_TELLING = late(
    r"example|placeholder|change[-_]?me|change[-_]?this|dummy|fake|redacted|your[-_]|insert[-_]|replace[-_]|x{4}"
    r"|\*{3}|\.{3}|-here\b|_here\b|todo|deadbeef|1234567890|0{8}",
    re.IGNORECASE,
)
_OPENERS = ("<", "[", "{", "$", "%", "*", "#", "@", "(", "/", "~", "./", "../", "\\", "=", "!", "&", "+", ">")
_WORD = late(r"[A-Z]?[a-z]+|[A-Z]+|\d+")
_CODE = late(r"[A-Za-z_$][\w$]*(?:(?:\.|::|->|\?\.)[A-Za-z_$][\w$]*)+")
_URL = late(r"[A-Za-z][A-Za-z0-9+.-]{1,20}://|[A-Za-z]:\\")
_FILE = late(
    r"[\w./-]{1,200}\.(?:py|js|ts|json|ya?ml|toml|txt|md|env|pem|key|crt|sh|go|rs|java|rb|php|html?|css|ini|cfg"
    r"|conf|log)"
)
_DIGIT_INSIDE = late(r"[A-Za-z][0-9]{1,3}[A-Za-z]")
_SHORTEST_WORDS = 4
"""Letters that the words of a name in camel case have on average at least."""
_REPEATED = late(r"(.)\1{5}")


def is_example(value: str) -> bool:
    """Whether a value that has the form of a provider's key is plainly made up for a document: `AKIA...EXAMPLE`,
    `ghp_xxxxxxxx`."""
    return _TELLING.search(value) is not None or _REPEATED.search(value) is not None


def is_placeholder(value: str) -> bool:
    """Whether a value only marks the place of a secret, or consists of words that examples are made of."""
    if value.startswith(_OPENERS) or _TELLING.search(value) or len(set(value)) < 4:
        return True
    words = _WORD.findall(value)
    return all(word.lower() in _WORDS or (word.isdigit() and len(word) < 5) for word in words)


def is_code(value: str) -> bool:
    """Whether a value that isn't quoted is an expression, a path or an address rather than a text."""
    return _CODE.fullmatch(value) is not None or _URL.match(value) is not None or _FILE.fullmatch(value) is not None


def is_password(value: str, *, quoted: bool, setting: bool) -> bool:
    """Whether a value under the name of a password is one. `quoted` says that it is quoted, `setting` that
    it's given as in an environment or on a command line, where a bare word is a value and no variable."""
    if len(value) < 6 or is_placeholder(value) or is_code(value) or value.isdigit():
        return False
    if quoted or setting:
        return not value.isalpha() or len(value) >= 6
    return any(letter.isdigit() for letter in value) and not value.endswith((":", "."))


def is_token(value: str, *, quoted: bool, setting: bool) -> bool:
    """Whether a value under the name of a token, key or secret looks drawn at random."""
    if len(value) < 8 or is_placeholder(value) or is_code(value):
        return False
    mixed = len(value) >= 16 and any(map(str.isupper, value)) and any(map(str.islower, value))
    # At its capitals and digits it falls into pieces that are too short for words.
    pieces = [piece for piece in _WORD.findall(value) if piece.isalpha()]
    short = sum(map(len, pieces)) < _SHORTEST_WORDS * len(pieces)
    inside = mixed and short and _DIGIT_INSIDE.search(value) is not None
    needed = 2 if inside else 3 if quoted or setting or (mixed and short) else 5
    return turns(value) >= needed and len(set(value)) >= 6


def turns(value: str) -> int:
    """How often a value goes from letters to digits, or from small letters to capitals, or back: seldom in words, often
    in what was drawn at random.

    The capital at the beginning of a word, as in `camelCase`, counts half.
    """
    count = 0.0
    for before, after in pairwise(value):
        if before.isdigit() != after.isdigit() and before.isalnum() and after.isalnum():
            count += 1
        elif (before.isupper() and after.islower()) or (before.islower() and after.isupper()):
            count += 0.25
    return int(count)
