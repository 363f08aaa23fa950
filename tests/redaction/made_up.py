"""Keys that nobody was ever given, put together from pieces so that no scanner takes this file for a leak."""

from __future__ import annotations

from itertools import cycle, islice

_LETTERS = "k9Zq8Wn2Lm4Xv7Bt1Rc5Yd3Hf6Jg0PsUaEiTo"
_HEX = "3f9a0c7e51b8d264"


def letters(count: int) -> str:
    """So many letters and digits that look drawn at random."""
    return "".join(islice(cycle(_LETTERS), count))


def digits(count: int) -> str:
    """So many hexadecimal digits."""
    return "".join(islice(cycle(_HEX), count))


def private_key(kind: str = "RSA ", end: str = "\n", seed: str = "") -> str:
    """A block of armour with lines that hold nothing."""
    body = [f"{seed}MII{letters(58)}", *(f"{number}{seed}{letters(61)}" for number in range(1, 6)), f"{letters(20)}=="]
    return end.join((f"-----BEGIN {kind}PRIV" + "ATE KEY-----", *body, f"-----END {kind}PRIV" + "ATE KEY-----"))
