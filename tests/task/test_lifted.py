"""What a later message of the user allows again, of several things that were forbidden."""

from __future__ import annotations

from analyzer.task.prohibitions import lifted, rules_of
from tests.tables import table

RULES = list(rules_of("Do not modify the tests. Don't change boats.md. Don't touch tides.json."))


@table("what_a_message_allows")
def test_what_a_message_allows(text: str, what: list[tuple[str, tuple[str, ...]]]) -> None:
    assert sorted((rule.what, rule.names) for rule in lifted(RULES, text)) == sorted(what)
    assert lifted([], text) == []
