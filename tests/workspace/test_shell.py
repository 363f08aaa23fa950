"""Shell lines taken apart for a replay."""

from __future__ import annotations

from analyzer.commands.statements import statements


def test_a_line_with_the_sign_of_a_here_document_is_read() -> None:
    assert [entry.text for entry in statements("echo \x010\x01 x")] == ["echo x"]
    assert [entry.stdin for entry in statements("cat <<A\n1\nA\necho \x017\x01")] == ["1\n", None]
