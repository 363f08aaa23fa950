"""What a log's own word for the end of a session means, where its format doesn't say so itself."""

from __future__ import annotations

import re

from analyzer.model.session import Session
from analyzer.model.words import Ending
from analyzer.text.expressions import compiled
from analyzer.text.late import late

_APART = compiled(r"[\s_-]+")
_WORDS: tuple[tuple[re.Pattern[str], Ending, str], ...] = (
    (
        late(r"(?:content[ _-]?filter\w*|safety|prohibited[ _-]content|blocked(?: by \w+)?|recitation)", re.IGNORECASE),
        Ending.LIMIT,
        "a content filter stopped it",
    ),
    (
        late(
            r"(?:error )?(?:max(?:imum)?|limit of) (?:number of )?(?:turns?|steps?|iterations?|rounds?)"
            r"(?: (?:reached|exceeded))?|(?P<unit>turn|step|iteration) limit(?: (?:reached|exceeded))?",
            re.IGNORECASE,
        ),
        Ending.LIMIT,
        "limit of steps",
    ),
    (
        late(r"(?:max(?:imum)? )?(?:cost|budget|spend)(?: usd)? ?(?:limit )?(?:reached|exceeded|limit)", re.IGNORECASE),
        Ending.LIMIT,
        "cost limit",
    ),
    (
        late(
            r"(?:context|input)(?: window| length)?(?: limit)? (?:exceeded|reached|limit|full)|prompt (?:is )?too long",
            re.IGNORECASE,
        ),
        Ending.LIMIT,
        "context window limit",
    ),
    (
        late(
            r"length|max(?:imum)?(?: output)? tokens(?: (?:reached|exceeded))?|token limit(?: (?:reached|exceeded))?",
            re.IGNORECASE,
        ),
        Ending.LIMIT,
        "limit of the answer's length",
    ),
    (
        late(
            r"(?:agent |run |session )?(?:time ?out|timed out|time limit(?: (?:reached|exceeded))?|deadline exceeded)",
            re.IGNORECASE,
        ),
        Ending.LIMIT,
        "time limit",
    ),
    (
        late(
            r"(?:user )?(?:cancel+ed|aborted|interrupted)(?: by (?:the )?user)?|user (?:left|disconnected|quit|closed)"
            r"|(?:client |user )?disconnected",
            re.IGNORECASE,
        ),
        Ending.CANCELLED,
        "the user ended it",
    ),
)
"""The words of the model services and of the programs that run agents, with blanks between them."""
_WAITING = late(
    r"(?:a)?waiting(?: for)?(?: the)?(?: \w+)? (?:user(?: input| answer| reply| response)?|input|approval|confirmation"
    r"|permission)|(?:input|approval|confirmation|action) (?:required|needed|pending)|(?:requires|needs) (?:action"
    r"|approval|input|confirmation)|pending (?:approval|confirmation|user(?: input)?)",
    re.IGNORECASE,
)


_OF_MESSAGE = late(
    r"tool (?:use|calls?)|tooluse|toolcalls?|function call|stop(?: sequence)?|stopsequence", re.IGNORECASE
)
"""Why a model ended one message: to call a tool, or because it had said what it wanted. The end of a turn is more."""


def is_of_message(session: Session) -> bool:
    """Whether the log's own word is why the model ended a message, which says nothing of the session's end."""
    return _OF_MESSAGE.fullmatch(_APART.sub(" ", session.recorded_status or "").strip()) is not None


def ending_of(session: Session) -> tuple[Ending | None, str | None]:
    """How the log says that the session ended, and a few words about it: by its format, else by its own word."""
    if session.ending is not None or not session.recorded_status:
        return session.ending, session.ending_detail
    ending, words = told_by_status(session)
    return ending, session.ending_detail or words


def told_by_status(session: Session) -> tuple[Ending | None, str | None]:
    """What the log's own word for the end says, whatever its format makes of it."""
    said = _APART.sub(" ", session.recorded_status or "").strip()
    return next(((ending, words) for pattern, ending, words in _WORDS if pattern.fullmatch(said)), (None, None))


def waits(session: Session) -> bool:
    """Whether the log's own word for the end is that it waits for the user."""
    return _WAITING.fullmatch(_APART.sub(" ", session.recorded_status or "").strip()) is not None
