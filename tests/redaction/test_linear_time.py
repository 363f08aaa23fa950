"""Looking for secrets takes time in proportion to a text's length, whatever is in it."""

from __future__ import annotations

import random

import pytest

from analyzer.redaction import RULES, Redactor
from tests.drawn import THOROUGH
from tests.failures.test_linear_time import assert_linear
from tests.growth import assert_in_proportion
from tests.redaction.made_up import letters, private_key
from tests.together import check_each

ENDS = ("a", "a1", "=", ": ", "/", "\n", "aB3dE6gH9jK2mN5pQ8sT1vW4") if THOROUGH else ("a1=",)
PREFIXES = ("", "password=", "-----BEGIN PRIV" + "ATE KEY-----\n", "eyJhbGci")
UNITS = sorted(
    {hint for rule in RULES for hint in rule.hints}
    | {f"{hint}{end}" for rule in RULES for hint in rule.hints for end in ENDS}
    | {
        "a",
        "A1",
        "a.",
        "a@",
        "@a.",
        "a@a.",
        "a@b.co ",
        "-",
        "--",
        "--a",
        ".",
        "/",
        "://a:",
        "://a:b@",
        "\\",
        "\\n",
        '"',
        "password=",
        'password="',
        "password=a1b2c3;",
        "eyJ",
        "eyJa.",
        "a1B2",
    }
    | {
        "-----BEGIN PRIV" + "ATE KEY-----\n",
        "-----BEGIN PRIV" + "ATE KEY-----\nabcdefghijklmnopqrst\n",
        "abcdefghijklmnop\n",
        " \n",
        "C:\\Users\\",
        "C:\\Users\\a ",
        "curl ",
        "curl -u a",
        "<password>",
        "cookie: a=bbbbbbbb; ",
        "…",
    }
)


def _redact(text: str) -> object:
    redactor = Redactor()
    redactor.learn([private_key()])
    redactor.redact(f"password={letters(20)}")
    return redactor.redact(text)


@pytest.mark.slow
@pytest.mark.sampled
@pytest.mark.parametrize("length", range(4))
def test_any_text(length: int) -> None:
    def check(unit: str) -> None:
        for prefix in PREFIXES if THOROUGH else PREFIXES[length::4]:
            assert_linear(_redact, prefix, unit)

    check_each((unit for unit in UNITS if len(unit) % 4 == length), check)


def test_a_document_with_many_secrets() -> None:
    def lines(count: int) -> list[str]:
        drawn = random.Random(7)
        values = ["".join(drawn.choices("abcdefghijkmnpqrstuvwxyz23456789", k=14)) for _ in range(count)]
        return [f"export DB{number}_PASSWORD={value}" for number, value in enumerate(values)]

    def redact(texts: list[str]) -> None:
        redactor = Redactor()
        for text in texts:
            redactor.redact(text)

    assert_in_proportion(redact, lines, 150, 600, "secrets", leeway=2)
