"""A sentence by its plain words, its clauses, and which of them can be a request by themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator

from analyzer.text.late import late

_CODE = late(r"`[^`\n]{0,300}`|\"[^\"\n]{1,200}\"|“[^”\n]{1,200}”|«[^»\n]{1,200}»|(?<!\w)'[^'\n]{1,80}'(?!\w)")
_PLACES = late(r"\b(?:GitHub|GitLab|PyPI|DockerHub|BitBucket)\b", re.IGNORECASE)
_TWO_VERBS = late(
    r"(?<![\w/.])(commit|push|merge|build|test|tag|release|publish|deploy|ship|stage|add)\s*/\s*"
    r"(?=(?:commit|push|merge|build|test|tag|release|publish|deploy|ship)\b)",
    re.IGNORECASE,
)
_NAME = late(r"[/\\_]|::|\w\.[A-Za-z]|^[@$]|^--?[A-Za-z]|^\.\w|[a-z][A-Z]|[A-Z][a-z]+[A-Z]|=|^\w+\(", re.ASCII)
_CORE = late(r"^(?P<open>[(\[{'\"*]*)(?P<core>.*?)(?P<close>[)\]}'\"*.,;:!?…]*)$", re.DOTALL)
DENIAL = late(
    r"\b(?:not|n['’]t|dont|never|no(?=\s+(?!problem|worr))|nor|nothing|without|avoid"
    r"|stop|refrain|instead of|rather than|cannot)\b|n['’]t\b",
    re.IGNORECASE,
)
"""What makes a clause a prohibition, or says that something isn't so."""
_JOINT = late(r"((?:\s*(?:[,;:()—–&+]|\.\.+|\s-\s|\b(?:and|then|or|but|so|nor)\b))+)\s*", re.IGNORECASE)
_OPENS = late(
    r"(?:(?:p(?:lease|elase|laese|lese|leas|ls|lz)|now|then|also|and|ok(?:ay)?|great|good|perfect"
    r"|nice|thanks|thank you|yes|yep|yeah|sure|no"
    r"|alright|cool|finally|lastly|next|afterwards|first|just|simply|directly|kindly|instead|only"
    r"|can you|could you|would you|will you|you(?:['’]re| are) (?:free|allowed|welcome) to|you (?:should|must|have to"
    r"|need to|can|may|could|will)|i(?:[’']d| would)? (?:want|like|need|ask|expect) you to|let[’']?s|let us|your "
    r"(?:task|job|goal) is to|go ahead and|go on and|feel free to|(?:make|be) sure (?:to|you|that you)|remember to"
    r"|(?:once|when|after|if) (?:you(?:['’]re| are)? |it['’]?s |all |that['’]?s )?(?:done|finished|ready|complete)"
    r"|(?:it[’']s |it is )?(?:ok|okay|fine|safe) to|help me(?: to)?|try to|always|we can)\b[\s,:!.]{0,3}){1,5}",
    re.IGNORECASE,
)
_FIRM = late(r"(?:please|just|only|instead|rather|go ahead)\b", re.IGNORECASE)
_SUBORDINATE = late(
    r"(?:if|when|once|after|as soon as|as|unless|until|before|while|since|because|now that|given)\b", re.IGNORECASE
)
_IMPERATIVE = late(
    r"(?:add|adjust|apply|amend|build|bump|change|check|clean|commit|compile|configure|convert|copy|correct|create|cut"
    r"|delete|do|document|drop|edit|enable|disable|ensure|execute|extract|finish|fix|format|generate|get|go|implement"
    r"|improve|install|integrate|lint|look|make|merge|migrate|move|open|optimi[sz]e|port|prepare|proceed|push|put"
    r"|rebase|rebuild|refactor|regenerate|release|remove|rename|repair|replace|reset|resolve|restart|revert|review"
    r"|rewrite|run|re-?run|save|set|simplify|solve|split|squash|stage|start|stash|stop|switch|tag|take|test|tidy|try"
    r"|update|upgrade|use|validate|verify|wait|wire|wrap|write|deploy|publish|pull|fetch|continue|complete|tweak)\b",
    re.IGNORECASE,
)
_APPROVES = late(
    r"(?:(?:yes|yep|yeah|ok(?:ay)?|sure|good|great|perfect|nice|thanks|thank you|lgtm|looks? (?:good|fine|great)"
    r"(?: to me)?|(?:that|it|all)(?:['’]s| is)? (?:good|fine|great|done)|works|well done"
    r"|(?:good|great) (?:job|work)|it|done|approved?|cool|awesome|no)\W*){1,4}",
    re.IGNORECASE,
)
_UNSURE = late(r"\b(?:how|what|why|whether|where|who|which|that|to)\s+\w", re.IGNORECASE)
"""What makes a verb that follows behind an `and` a part of something else."""


def clauses_of(text: str) -> Iterator[tuple[str, bool]]:
    """The clauses of a sentence that nothing negates, and whether each can be read as a request by itself."""
    parts = _JOINT.split(text)
    denied, sure = False, True
    for place in range(0, len(parts), 2):
        joint, clause = parts[place - 1].lower() if place else "", parts[place].strip()
        firm = any(mark in joint for mark in (";", ":", "—", "–", "..", "but", "so")) or _FIRM.match(clause) is not None
        if firm or (joint and "," in joint and "then" in joint):
            denied, sure = False, True
        elif place and not sure and _OPENS.match(clause) is not None:
            sure = True
        found = DENIAL.search(clause)
        if not denied and (found is None or found.start() > 0):
            yield clause[: found.start()] if found is not None else clause, sure
        denied = denied or found is not None
        sure = _goes_on(clause, sure=sure)


def _goes_on(clause: str, *, sure: bool) -> bool:
    """Whether a verb behind this clause is one of a request again."""
    own = unopened(clause)
    if not own or _APPROVES.fullmatch(own) is not None or _SUBORDINATE.match(own) is not None:
        return sure
    return sure and _IMPERATIVE.match(own) is not None and _UNSURE.search(own) is None


def is_request(clause: str) -> bool:
    """Whether a clause begins with a verb that asks for something."""
    return _IMPERATIVE.match(unopened(clause)) is not None


def unopened(clause: str) -> str:
    """A clause without the words by which a request opens: `please`, `can you`, `go ahead and`."""
    opened = _OPENS.match(clause)
    return clause[opened.end() :] if opened is not None else clause


def plain_words(sentence: str) -> str:
    """The sentence with `X` in place of every name, path, piece of code and quotation."""
    text = _PLACES.sub(lambda found: found[0].lower(), _CODE.sub(" X ", sentence))
    words = (_plain(word) for word in _TWO_VERBS.sub(r"\1 and ", text).split())
    return " ".join(words)


def _plain(word: str) -> str:
    found = _CORE.match(word)
    if found is None or _NAME.search(found["core"]) is None:
        return word
    return f"{found['open']}X{found['close']}"
