"""What of a message is the user's own: not the conversation that a harness shows as an example."""

from __future__ import annotations

from analyzer.task.prose import prose

EXAMPLE = "--- START OF EXAMPLE ---\nUSER: No, that is wrong!\n--- END OF EXAMPLE ---"


def test_an_example_is_nobodys_words() -> None:
    assert prose(f"Mend the lamp.\n{EXAMPLE}\nBe brief.").split("\n") == ["Mend the lamp.", "", "", "Be brief."]


def test_words_about_an_example_are_the_users() -> None:
    for text in (
        "Drop the START OF EXAMPLE line.",
        "--- START OF EXAMPLE ---\nNo end of it.",
        "The END OF EXAMPLE mark",
    ):
        assert prose(text) == text
