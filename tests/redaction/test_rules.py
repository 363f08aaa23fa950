"""What is taken for a secret, and what isn't."""

from __future__ import annotations

import pytest

from analyzer.redaction import RULES, Redactor
from tests.conftest import ROOT
from tests.redaction.examples import IN_CONTEXT, SECRETS
from tests.redaction.look_alikes import NO_SECRETS
from tests.together import check_each


@pytest.mark.parametrize(
    ("rule", "secret"), SECRETS, ids=[f"{rule}-{number}" for number, (rule, _) in enumerate(SECRETS)]
)
def test_what_its_form_gives_away(rule: str, secret: str) -> None:
    def check(around: str) -> None:
        before, _, after = around.partition("{}")
        redactor = Redactor()
        assert redactor.redact(f"{before}{secret}{after}") == f"{before}[{rule}-1]{after}"
        assert redactor.counts == {rule: 1}

    check_each(("{}", "a {} b", "'{}'", "x={};", r"\n{}\n", "\x1b[31m{}\x1b[0m", "{}\0more"), check)


@pytest.mark.parametrize(
    ("rule", "text", "secret"), IN_CONTEXT, ids=[f"{rule}-{number}" for number, (rule, _, _) in enumerate(IN_CONTEXT)]
)
def test_what_its_context_gives_away(rule: str, text: str, secret: str) -> None:
    redactor = Redactor()
    placeholder = "user-1" if rule == "home-directory" else f"[{rule}-1]"
    before, _, after = text.partition("{}")
    assert redactor.redact(f"{before}{secret}{after}") == f"{before}{placeholder}{after}"
    assert redactor.counts == {rule: 1}


@pytest.mark.parametrize("text", NO_SECRETS)
def test_what_stays(text: str) -> None:
    assert Redactor().redact(text) == text


def test_every_rule_has_an_example_and_those_that_stay_are_more() -> None:
    assert {rule for rule, *_ in (*SECRETS, *IN_CONTEXT)} == {rule.name for rule in RULES}
    assert len(NO_SECRETS) >= len(SECRETS) + len(IN_CONTEXT)


@pytest.mark.parametrize(
    ("rule", "secret"), SECRETS, ids=[f"{rule}-{number}" for number, (rule, _) in enumerate(SECRETS)]
)
def test_what_was_redacted_stays_as_it_is(rule: str, secret: str) -> None:
    once = Redactor().redact(f"TOKEN={secret} and password: '{secret}'")
    again = Redactor()
    assert again.redact(once) == once
    assert not again.counts


def test_the_document_has_the_table() -> None:
    document = (ROOT / "docs/redaction.md").read_text(encoding="utf-8")
    rows = [f"| `{rule.name}` | {rule.what} | {rule.fact} |" for rule in RULES]
    assert document.partition("| --- | --- | --- |\n")[2].partition("\n\n")[0].splitlines() == rows
