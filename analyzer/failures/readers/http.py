"""HTTP status lines, error pages, bot protection, and filters of content: what a request got instead of an
answer."""

from __future__ import annotations

import re
from collections.abc import Iterator

from analyzer.failures.evidence import TEXT_FILES, Evidence, Exposure, Reading, Strength
from analyzer.model.failure import Failure
from analyzer.model.words import FailureKind
from analyzer.text.late import late

_REASON = (
    r"(?:Bad Request|Unauthorized|Payment Required|Forbidden|Not Found|Method Not Allowed|Not Acceptable|Request "
    r"Timeout|Conflict|Gone|Unprocessable \w+|Too Many Requests|Internal Server Error|Not Implemented|Bad Gateway"
    r"|Service (?:Temporarily )?Unavailable|Gateway Time-?out)"
)
_HEAD = late(
    r"\W{0,3}(?:(?:[\w.]{1,60}(?:Error|Exception)|error|failed|failure)\b[:,]? ?[^\n:]{0,60}?:? "
    r"?)??(?:(?:HTTP(?:/\d(?:\.\d)?)?(?: error| status| response)?(?: code)?[: ]{1,3}|(?:response )?status(?: "
    r"code)?[: =]{1,3}|(?:request|fetch|api call|page load) failed with (?:HTTP )?(?:status(?: code)?:? "
    r")?)(?P<code>[45]\d\d)\b"
    rf"|(?P<client>[45]\d\d) (?:Client|Server) Error\b|(?P<plain>[45]\d\d)[ :-]{{1,3}}{_REASON}\b)[^\n]{{0,300}}",
    re.IGNORECASE,
)
_TITLE = late(
    rf"<(?:title|h1)[^>\n]{{0,80}}>\s{{0,9}}(?P<said>(?:Error:? ?)?(?P<code>[45]\d\d)\b[^<\n]{{0,120}}|{_REASON}"
    r"[^<\n]{0,60})</",
    re.IGNORECASE,
)
_WALL = late(
    r"(?:Just a moment\.\.\.|Checking (?:if the site connection is secure|your browser before accessing)|Attention "
    r"Required! \| \w+|Verify(?:ing)? (?:that )?you are (?:a )?human|Enable JavaScript and cookies to continue"
    r"|Pardon Our Interruption|unusual traffic from your (?:computer )?network|Are you a robot\?|confirm (?:that "
    r")?you(?:'|’| a)re (?:not a (?:ro)?bot|(?:a )?human)|complete the (?:captcha|security check)|blocked by "
    r"(?:network security|our security)|automated (?:access|requests) (?:to|from) [^\n]{0,60}(?:blocked|denied))",
    re.IGNORECASE,
)
_FILTER = late(
    r"(?:(?:content|output|response|prompt|request)[^\n]{0,60} (?:was |were |has been )?(?:blocked|filtered|flagged"
    r"|rejected) (?:by|due to|because|as)[^\n]{0,80}(?:content|safety|policy|policies|filter|moderation)"
    r"|ResponsibleAIPolicyViolation|content management policy|content_filter\b|content_policy_violation)",
    re.IGNORECASE,
)
STATUS_KINDS = {
    400: FailureKind.INVALID_CALL,
    401: FailureKind.PERMISSION,
    403: FailureKind.PERMISSION,
    404: FailureKind.NOT_FOUND,
    408: FailureKind.TIMEOUT,
    410: FailureKind.NOT_FOUND,
    422: FailureKind.INVALID_CALL,
    504: FailureKind.TIMEOUT,
}
_SHORT_PAGE = 4_000
"""Characters of a page up to which it can be a wall and nothing else."""
_HEAD_LENGTH = 1_500
_ASKS_FOR_STATUS = ("%{http_code}", "%{response_code}", "%{http_connect}")
"""What a request is asked to print where its status is what somebody wants to know."""


def read(reading: Reading, text: str) -> Iterator[Evidence]:
    """What stands at the head of a result. A file that is shown may begin with anything."""
    path = reading.operation.path
    shown = reading.exposure is Exposure.SHOWN and path is not None and "://" not in path
    if shown and ((path or "").endswith(TEXT_FILES) or text.strip().count("\n") > 1):
        return
    ran = reading.exposure is Exposure.RAN
    strength = Strength.SURE if not ran and len(text) < _SHORT_PAGE else Strength.PLAIN
    if ran and any(word in (reading.operation.command or "") for word in _ASKS_FOR_STATUS):
        strength = Strength.HINT  # the status is the answer that was asked for
    head = text.lstrip()[:_HEAD_LENGTH]
    moved = len(text) - len(text.lstrip())
    if (found := _HEAD.match(head)) is not None:
        code = int(found["code"] or found["client"] or found["plain"])
        if strength is Strength.PLAIN and head.startswith("HTTP/"):
            strength = Strength.SURE  # the program that asked ends well whatever the server answers
        yield _evidence(found, moved, STATUS_KINDS.get(code, FailureKind.NETWORK), "HttpError", strength)
    elif len(text) < 5 * _SHORT_PAGE and "<" in head and (found := _TITLE.search(head)) is not None:
        code = int(found["code"] or 0)
        yield _evidence(found, moved, STATUS_KINDS.get(code, FailureKind.NETWORK), "HttpError", strength)
    elif len(text) < _SHORT_PAGE and (found := _WALL.search(head)) is not None:
        yield _evidence(found, moved, FailureKind.PERMISSION, "BotWall", strength)
    elif len(text) < _SHORT_PAGE and (found := _FILTER.search(head)) is not None:
        yield _evidence(found, moved, FailureKind.OTHER, "ContentFiltered", strength)


def _evidence(found: re.Match[str], moved: int, kind: FailureKind, name: str, strength: Strength) -> Evidence:
    said = found["said"] if "said" in found.re.groupindex else found.group()
    failure = Failure(kind, name, " ".join(said.split())[:300])
    return Evidence("http", (moved + found.start(), moved + found.end()), strength, failure, own=True)
