"""What a tool printed and a recorder wrote down a second time as if the user had said it."""

from __future__ import annotations

from collections.abc import Iterable

from analyzer.text.late import late

_LONG = 40
"""Characters of an output that nobody writes by chance."""
_TAG = late(r"(?:\[[^\]\n]{1,60}\]|<[^<>\n]{1,60}>):?\s*")
_LABEL = late(r"(?:[^\n]{0,80}[\]>:]\s*)?(?:`{3,}\w*\s*)?")
_CLOSE = late(r"(?:`{3,})?\s*(?:</[^<>\n]{1,60}>)?")


def own_words(text: str, printed: Iterable[str]) -> str:
    """Return a text without the outputs that it repeats and without the label before them, empty where nothing else is
    said in it. A short output counts only as the whole of a text, at most with a tag before it."""
    for output in printed:
        text = _without(text, output.strip())
    return text


def _without(text: str, output: str) -> str:
    said = text.strip()
    tag = _TAG.match(said)
    if len(output) < _LONG:
        bare = said if tag is None else said[tag.end() :].strip()
        return "" if bare == output else text
    start = said.find(output)
    if start < 0:
        return "" if _begins(output, said) else text
    # Blanks go first, so that no expression has to try where they begin and end.
    before, after = said[:start].strip(), said[start + len(output) :].strip()
    before = "" if _LABEL.fullmatch(before) is not None else before
    after = "" if _CLOSE.fullmatch(after) is not None else after
    return "\n".join(filter(None, (before, after)))


def _begins(output: str, said: str) -> bool:
    """Whether a text is an output's beginning, with a tag before it and a cut at its end."""
    tag = _TAG.match(said)
    said = said if tag is None else said[tag.end() :]
    said = said.rstrip().removesuffix("...").removesuffix("…").rstrip()
    return tag is not None and len(said) >= _LONG and output.startswith(said)
