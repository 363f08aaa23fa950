"""Lines for the file of instructions that an agent reads, from what a user had to say again."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.task.corrections import Correction, CorrectionKind
from analyzer.task.referents import referents_of
from analyzer.text.late import late
from analyzer.text.markdown import code

_RULE = 240
"""Characters of a line that is the user's own sentence; a longer one isn't made."""
_AGAIN = late(
    r"(?:(?:but|no|once|like|as)\b[\s,]*)?(?:again\s*[:,]|i (?:(?:just|already|clearly|explicitly) ){0,2}"
    r"(?:said|told you(?: to| that)?|asked (?:you )?(?:for|to)))\s+(?!before\b|earlier\b|so\b|it\b|that\b|this\b)",
    2,
)


def use_line(correction: Correction) -> str:
    """The line for the instructions file that says which of two things to take."""
    return f"Use {code(correction.wanted or '')}, not {code(correction.unwanted or '')}."


def rule_line(wish: str, corrections: Sequence[Correction]) -> str:
    """The line for the instructions file that would have prevented some corrections of one thing, or kept the wish that
    they repeat; empty where it would name nothing, or a sentence would have to be cut."""
    named = next((entry for entry in corrections if entry.unwanted is not None), None)
    wanted = next((entry.wanted for entry in corrections if entry.wanted is not None), None)
    if named is not None:
        return use_line(named)
    if wish:
        return " ".join(wish.split()) if len(wish) <= _RULE else ""
    if wanted is not None:
        return f"Use {code(wanted)}."
    names = [name for correction in corrections for name in referents_of(correction.quote).written]
    match corrections[0].kind:
        case CorrectionKind.STILL_WRONG if names:
            return (
                f"Before reporting a repair of {code(names[0])}, reproduce what was reported and show that it's gone."
            )
        case CorrectionKind.WRONG if names:
            return (
                f"Before a change of {code(names[0])}, say what exactly is meant; after it, compare with the request."
            )
        case CorrectionKind.SAID_BEFORE:
            return next((said for entry in corrections if (said := _said_again(entry.quote))), "")
        case _:
            return ""


def _said_again(quote: str) -> str:
    """What a sentence says again, without the words that say that it does; empty where these don't lead it, or too
    little is left to stand alone."""
    found = _AGAIN.match(quote)
    said = quote[found.end() :].strip(" .!") if found is not None else ""
    return f"{said[:1].upper()}{said[1:]}." if " " in said and len(said) <= _RULE else ""
