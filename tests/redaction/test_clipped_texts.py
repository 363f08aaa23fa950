"""A long text is redacted before it's clipped: no half of a secret is left at either side of the gap."""

from __future__ import annotations

import pytest

from analyzer.diagnosis.step_texts import recording_of
from analyzer.model.step_texts import Text
from analyzer.redaction import redact_session
from analyzer.timeline import build_timeline
from tests.build import run, session
from tests.redaction.made_up import letters

KEY = "gh" + "p_" + letters(36)
LIMIT = 3_000


@pytest.mark.parametrize(
    "secret",
    [KEY, f"DB_PASSWORD={letters(24)}", f"password: {letters(24)}"],
    ids=["a key", "a setting", "a setting in two words"],
)
@pytest.mark.parametrize("at", [2_000, 9_000], ids=["where the beginning ends", "where the end begins"])
@pytest.mark.parametrize("between", ["\n", " "], ids=["lines", "words"])
def test_no_part_of_a_secret_is_left_beside_the_gap(secret: str, at: int, between: str) -> None:
    for shift in range(len(secret) + 2):
        before = (f"tide{between}" * 2_000)[: at - shift]
        text = (
            f"{before}{between}{secret}{between}" + (f"ebb{between}" * 3_000)[: 10_000 - at - len(secret) + shift - 2]
        )
        log = session(run("cat notes", text))
        redact_session(log)
        (step,) = recording_of(build_timeline(log), LIMIT).steps
        assert step.result is not None
        shown = f"{step.result.head}\n{step.result.tail}"
        assert not any(piece in shown for piece in (secret[-6:], secret[-14:-8])), shift


def test_a_clipped_text_says_how_much_is_missing() -> None:
    text = "word " * 4_000
    clipped = Text.of(text, LIMIT)
    assert len(clipped.head) + clipped.omitted + len(clipped.tail) == len(text)
    assert len(clipped) <= LIMIT
    assert text.startswith(clipped.head)
    assert text.endswith(clipped.tail)


def test_one_huge_word_is_clipped_all_the_same() -> None:
    clipped = Text.of("x" * 10_000, LIMIT)
    assert (len(clipped), clipped.omitted) == (LIMIT, 10_000 - LIMIT)
