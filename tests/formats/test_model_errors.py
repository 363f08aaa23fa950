"""Messages that stand where a call of the model failed, and those that only speak of such errors."""

from __future__ import annotations

import pytest

from analyzer.formats.loading.corrections import mark_failed_calls
from analyzer.model.session import Message, Role, Session
from tests.tables import table


def marked(role: Role, text: str) -> tuple[str, bool]:
    message = Message(role, text)
    mark_failed_calls(Session("s", events=[message]))
    return message.role, message.failed


@pytest.mark.parametrize("role", ["assistant", "harness"])
@pytest.mark.parametrize(
    "text",
    [
        'API Error: 529 {"type":"error","error":{"type":"overloaded_error"}}',
        "APIConnectionError: connection reset",
        "some.RateLimitError: slow down",
        "[assistant turn failed before producing content]",
        "Prompt is too long",
    ],
)
def test_an_error_of_the_service_is_nobodys_answer(role: Role, text: str) -> None:
    assert marked(role, text) == ("harness", True)


@pytest.mark.parametrize(
    "text",
    ["403 key limit exceeded", "401 team not allowed to access model", "Context overflow: too much", "Overloaded"],
)
def test_a_harness_tells_it_in_its_own_words(text: str) -> None:
    assert marked("harness", text) == ("harness", True)


@table("what_speaks_of_one_stays")
def test_what_speaks_of_one_stays(role: Role, text: str) -> None:
    assert marked(role, text) == (role, False)
