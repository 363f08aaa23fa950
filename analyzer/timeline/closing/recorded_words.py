"""What a log's own word for the end of a session means, where its format doesn't say so itself.

The verdict of an evaluation whose tests ran after the agent had ended, read from what they printed.

A harness may fail to read the output of its own tests. Their runner's counts are then the judgement of somebody else
than the agent, wherever the log holds them.
"""

from __future__ import annotations

import re

from analyzer.failures.runners.registry import all_passed, closing_report
from analyzer.model.session import Session
from analyzer.model.struct import replace
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


_COUNTED = ("failed", "errors", "passed", "skipped")


def with_verdict(session: Session) -> Session:
    """The session with the verdict of the evaluation's own tests as its ending, where it records none itself and the
    log of these tests ends with a runner's counts."""
    log = session.evaluation
    report = closing_report(log.text) if log is not None and session.ending is None else None
    if log is None or report is None:
        return session
    passed = all_passed(log.text, report)
    if not passed and not (report.counts.get("failed") or report.counts.get("errors")):
        return session
    counted = ((report.counts[word], word) for word in _COUNTED if report.counts.get(word))
    said = ", ".join(f"{count} {'error' if (count, word) == (1, 'errors') else word}" for count, word in counted)
    shown = f"{log.file} ends with the counts of {report.runner}: {said}"
    return replace(session, ending=Ending.SOLVED if passed else Ending.UNSOLVED, ending_detail=shown)
