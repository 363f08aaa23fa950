"""What a tool printed and a recorder wrote down a second time as if the user had said it."""

from __future__ import annotations

from collections.abc import Iterable

from analyzer.text.late import late

_LONG = 40
"""Characters of an output that nobody writes by chance."""
_LONGER_THAN_ANSWERS = 400
_TAG = late(r"(?:\[[^\]\n]{1,60}\]|<[^<>\n]{1,60}>):?\s*")
_LABEL = late(r"(?:[^\n]{0,80}[\]>:]\s*)?(?:`{3,}\w*\s*)?")
_CLOSE = late(r"(?:`{3,})?\s*(?:</[^<>\n]{1,60}>)?")


def own_words(text: str, printed: Iterable[str], *, same_row: bool) -> str:
    """Return a text without the outputs that it repeats and without the label before them, empty where nothing else is
    said in it.

    A short output counts only as the whole of a text, at most with a tag before it. A text that isn't recorded in the
    same row as the outputs, and that is one of them to the letter without a label, counts only where it's long: it may
    be the user's answer, which a tool that asks gives back.
    """
    least = 0 if same_row else _LONGER_THAN_ANSWERS
    for output in printed:
        text = _without(text, output.strip(), least)
    return text


def _without(text: str, output: str, least: int) -> str:
    said = text.strip()
    if not output:
        return "" if not least and _TAG.fullmatch(said) is not None else text
    if len(output) < _LONG:
        tag = _TAG.match(said)
        bare = said if tag is None else said[tag.end() :].strip()
        return "" if bare == output and (tag is not None or len(output) >= least) else text
    start = said.find(output)
    if start < 0:
        return "" if _begins(output, said) else text
    before, after = said[:start], said[start + len(output) :]
    if not before and not after and len(output) < least:
        return text
    before, after = before.strip(), after.strip()  # so that no expression has to try where blanks begin and end
    before = "" if _LABEL.fullmatch(before) is not None else before
    after = "" if _CLOSE.fullmatch(after) is not None else after
    return "\n".join(filter(None, (before, after)))


def _begins(output: str, said: str) -> bool:
    """Whether a text is an output's beginning, with a tag before it and a cut at its end."""
    tag = _TAG.match(said)
    said = said if tag is None else said[tag.end() :]
    said = said.rstrip().removesuffix("...").removesuffix("…").rstrip()
    return tag is not None and len(said) >= _LONG and output.startswith(said)
