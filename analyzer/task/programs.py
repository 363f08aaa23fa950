"""Whether the user asks for a program to be written, and how it is spoken of."""

from __future__ import annotations

import re
from functools import lru_cache

from analyzer.text.expressions import compiled
from analyzer.text.late import late

_ASKS = late(
    r"\b(?:writ|creat|mak|build|implement|develop|generat|cod)(?:e|es|ing)?\b"
    r"(?P<what>(?:\s+(?!(?:to|of|in|for|on|from|with|that|which|so|by|into|at|as|sure)\b)[\w'\"`/+#-]{1,30}){0,7}?"
    r"\s+(?:scripts?|programs?|apps?|applications?|tools?|games?|utilit(?:y|ies)|cli|servers?|bots?"
    r"|crawlers?|scrapers?|parsers?|solvers?|calculators?|agents?|files?|modules?|tests?|specs?|demos?)\b[^.\n]{0,80})",
    re.IGNORECASE,
)
_FOR_A_TRIAL = late(
    r"\b(?:reproduc\w*|repro|verif\w*|confirm\w*|debug\w*|check\w*|validat\w*)\b|\btests? (?:script|file)s?\b"
    r"[^.\n]{0,30}\b(?:the (?:issue|fix|bug|error))",
    re.IGNORECASE,
)
"""What a script is for that is to show a fault or its repair, and isn't wanted for itself."""
_ABOUT = compiled(
    r"\b(?:why|how|does|did|doesn['’]t|didn['’]t|don['’]t|not|never|that|which|when|who|it|they)\b[^.!?\n]*$",
    re.IGNORECASE,
)
"""What makes the verb speak of what something else does, or isn't to do."""
_NEAR = 40
"""Characters before the verb in which that is looked for."""
_WORD = compiled(r"[A-Za-z]{3,}")


@lru_cache(maxsize=16)
def asked_for(task: str) -> str:
    """The part of a task that asks for a program, a script or a file; empty where none does. A script that is to show a
    fault, or that it's gone, isn't what the user wants to have."""
    found = (
        match
        for match in _ASKS.finditer(task)
        if _FOR_A_TRIAL.search(match["what"]) is None
        and _ABOUT.search(task[max(0, match.start() - _NEAR) : match.start()]) is None
    )
    return "\n".join(match[0] for match in found)


def spoken_of(asked: str, path: str) -> bool:
    """Whether what was asked for has all words of a file's name."""
    words = _WORD.findall(path.rpartition("/")[2].rpartition(".")[0])
    said = {word.casefold() for word in _WORD.findall(asked)}
    return bool(words) and all(word.casefold() in said for word in words)
