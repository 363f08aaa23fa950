"""Answers that are data: `{"error": ...}`, `isError`, `success: false`, a status that says error, what failed of a
batch, a fault in XML."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from analyzer.commands.table import ASKING
from analyzer.failures.envelope import code_in, output_in
from analyzer.failures.evidence import Evidence, Exposure, Indicates, Reading, Strength
from analyzer.failures.messages.search import at_start, sharpest_line
from analyzer.failures.readers.http import STATUS_KINDS
from analyzer.model.failure import Failure
from analyzer.model.words import FailureKind
from analyzer.text.late import late
from analyzer.text.names import name_set
from analyzer.text.plain import holds_any
from analyzer.text.python_values import python_values

_KEYS = ("rror", "ejected", "success", "stat", "ok", "detail", "ode", "ail")
_LONGEST = 200_000
_LONGEST_LITERAL = 20_000
_MOST_MEMBERS = 30
_NAME = late(r'[\s,]{0,200}(?P<name>"[^"\\\n]{1,80}")\s{0,9}:\s{0,9}')
_HEADING = late(r"[A-Za-z][\w ]{0,40}: ?(?=\{)")
"""What stands before an answer: `Tool result: {...}`."""
_DECODER = json.JSONDecoder()
_FEW = 6
"""Keys of an answer up to which its `error` is what it's about, and no column of a record."""
_SAYING = ("message", "msg", "detail", "details", "reason", "title", "description")
_ENDS = ("message", "reason")
_NAMING = ("type", "name", "errortype", "code", "exception", "errorcode")
"""What names an error, in whatever case."""
_TIMED = tuple(name_set("_at At date Date time Time timestamp Timestamp duration updated created finished"))
_FAULT = late(
    r"(?s)(?:<\?xml[^>]{0,200}>\s*)?"
    r"(?:<(?:\w{1,40}:)?(?:Envelope\b.{0,4000}?<(?:\w{1,40}:)?Body|\w{0,60}Response)\b[^>]{0,1000}>\s*)?"
    r"<(?:\w{1,40}:)?(?:Fault|Error)\b[^>]{0,300}>.{0,4000}?"
    r"<(?:\w{1,40}:)?(?:faultstring|[Mm]essage|Text)\b[^>]{0,200}>\s*(?P<said>[^<\s][^<]{0,2000})<"
)
_BAD_WORDS = frozenset({"error", "failed", "failure", "fail", "exception"})
_REFUSED = frozenset({"rejected", "refused", "declined", "bounced"})
"""What became of an act that somebody else rejected."""
_WRAPPERS = ("result", "data", "response", "output", "content", "structuredContent", "body", "tool_result", "Payload")
_ABOUT = frozenset({"error", "err", "errors", "cause", *_SAYING, *_NAMING})
"""Members that tell of the error itself."""
_PLAIN = bool | int | float | None
_LABEL = 60
"""Characters that a value has at most which only says which answer it is."""
_DEEPEST = 3
"""Levels of an answer at which it may say that a part of what was asked of it failed."""
_ASKED_FOR = ("error", "valid", "fail")
"""Parts of the names of tools that are asked what's wrong."""
_NOTHING = (None, "", False, 0, "null", "none", "None", "false", "no error", "ok", "OK")
_STATED = late(
    r"(?:HTTP(?:/\d(?:\.\d)?)?(?: error| status)?[: ]{1,2}"
    r"|[\w ]{0,40}(?:failed|error|status) ?\((?:HTTP )?(?:status )?)([45]\d\d)\b",
    re.IGNORECASE,
)
"""How a message begins that states an HTTP status."""


def read(reading: Reading, text: str) -> Iterator[Evidence]:
    """What a result that is one JSON object, or a Python dictionary, says of itself. In a file that is shown it says
    nothing; among many other keys an error may belong to what the answer is about."""
    answer = parsed(text)
    if answer is None:
        return
    exposure = reading.exposure
    if exposure is Exposure.SHOWN and reading.may_be_content:
        return
    found = _failure(answer)
    if found is None and not holds_any(reading.tool.casefold(), _ASKED_FOR) and (part := _part(answer)) is not None:
        found = _made(part.get("error") or part, part), True
    word = answer.get("status")
    acts = exposure is not Exposure.SHOWN and ASKING.isdisjoint(re.findall("[a-z]+", reading.tool.casefold()))
    if found is None and acts and isinstance(word, str) and word.lower() in _REFUSED:
        found = (_made(said, answer), True) if (said := _said(answer)) is not None else None
    if found is None:
        if answer.get("success") is True or answer.get("ok") is True or answer.get("isError") is False:
            yield Evidence("error-json", (0, len(text)), Strength.PLAIN, own=True, says=Indicates.PASSED)
        return
    failure, flagged = found
    if _is_record(answer, reading.operation.target):
        return
    whole = flagged or len(answer) <= 2 or _only_labels(answer)
    small = len(answer) <= _FEW or (flagged and not any(key.endswith(_TIMED) for key in answer))
    few = small and (exposure is not Exposure.SHOWN or len(text) < 2_000 or flagged)
    strength = Strength.SURE if whole and few else Strength.PLAIN if few else Strength.HINT
    if exposure is Exposure.RAN and reading.operation.command is not None:
        strength = min(strength, Strength.PLAIN)
    yield Evidence("error-json", (0, len(text)), strength, failure, own=True)


def parsed(text: str) -> dict[str, Any] | None:
    """The object that a text is, out of the envelopes around it, or None. Of an object whose end is missing it's the
    members that are there."""
    text = text.strip()
    if text.startswith("<"):
        return {"error": fault["said"]} if (fault := _FAULT.match(text)) is not None else None
    if (heading := _HEADING.match(text)) is not None:
        text = text[heading.end() :]
    if not text.startswith(("{", "[")) or len(text) > _LONGEST or not holds_any(text, _KEYS):
        return None
    if not text.endswith(("}", "]")):
        return _beginning(text)
    return _opened(_loaded(text)) or _beginning(text)


def _beginning(text: str) -> dict[str, Any] | None:
    """The members of an object that was cut, the last of them up to the cut."""
    members: dict[str, Any] = {}
    at = 1
    while len(members) < _MOST_MEMBERS and (name := _NAME.match(text, at)) is not None:
        try:
            members[json.loads(name["name"])], at = _DECODER.raw_decode(text, name.end())
        except (ValueError, RecursionError):
            if text[name.end() : name.end() + 1] == '"' and name["name"] != '"success"':
                said = text[name.end() + 1 :]
                members[json.loads(name["name"])] = said.replace("\\n", "\n").replace('\\"', '"').rstrip("\\")
            break
    complete = text[at:].lstrip().startswith("}")
    return None if complete else members or None


def _loaded(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    if len(text) > _LONGEST_LITERAL:
        return None
    try:
        return python_values(text)
    except ValueError:
        return None


def _opened(value: object) -> dict[str, Any] | None:
    """The object inside lists of one and wrappers that hold nothing else."""
    for _ in range(4):
        if isinstance(value, list) and len(value) == 1:
            value = value[0]
        if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
            return None
        inner = next((value[key] for key in _WRAPPERS if key in value), None) if len(value) == 1 else None
        if value.get("type") == "text" and isinstance(value.get("text"), str) and len(value) <= 3:
            inner = _loaded(value["text"].strip()) if value["text"].strip().startswith(("{", "[")) else None
        if isinstance(inner, str) and inner.strip().startswith("{"):
            inner = _loaded(inner.strip())
        if not isinstance(inner, dict | list):
            return value
        value = inner
    return None


def _failure(answer: Mapping[str, Any]) -> tuple[Failure, bool] | None:
    """The failure of an answer, and whether it says by a flag of its own that it's one."""
    error = next((answer[key] for key in ("error", "Error", "err", "exception") if key in answer), None)
    flagged = any(answer.get(key) is True for key in ("isError", "is_error", "failed")) or any(
        answer.get(key) in (False, "false") for key in ("success", "ok", "succeeded", "isSuccess", "is_success")
    )
    word = next(
        (answer[key] for key in ("status", "state", "response_status", "type", "result") if key in answer), None
    )
    named = isinstance(word, str) and word.lower() in _BAD_WORDS
    if error if isinstance(error, list | dict) else error not in _NOTHING:
        return _made(error, answer), flagged or named
    if (turned_down := answer.get("rejected")) and isinstance(turned_down, list) and answer.get("accepted") == []:
        return _made(_said(answer) or answer.get("response") or turned_down[0], answer), True
    errors = answer.get("errors")
    data = answer.get("data")
    empty = not (any(value is not None for value in data.values()) if isinstance(data, dict) else data)
    if isinstance(errors, list | dict) and errors and empty:
        return _made(errors[0] if isinstance(errors, list) else errors, answer), flagged or "data" in answer
    if "errorType" in answer and "errorMessage" in answer:
        return _made(answer["errorMessage"], answer), True
    if flagged:
        return _made(_said(answer) or answer.get("content") or "", answer), True
    detail = answer.get("detail")
    if isinstance(detail, list) and detail and isinstance(detail[0], Mapping) and "msg" in detail[0]:
        return _made({"message": detail[0]["msg"], "type": detail[0].get("type")}, answer, 422), False
    status, said = _http_status(answer), _said(answer)
    if said is None and status is not None and isinstance(body := answer.get("body"), str | dict):
        inner = _loaded(body) if isinstance(body, str) else body
        said = _said(inner) if isinstance(inner, dict) else None
    if isinstance(code := answer.get("code"), int) and code >= 1_000 and said is not None and empty:
        return _made(said, answer), True
    if status is not None and (said is not None or "body" in answer):
        return _made(said or f"status {status}", answer, status), "body" in answer
    if named and (said is not None or len(answer) == 1):
        return _made(said or word, answer), str(word).lower() == "error"
    if len(answer) == 1 and isinstance(detail, str | list) and detail:
        return _made(detail[0] if isinstance(detail, list) else detail, answer), False
    return _wrapped(answer)


def _part(answer: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The part that failed of what was asked for, as an answer has it in a list of errors beside nothing that came of
    it, in a list of runs by its exit code, or about a field that was sent, and below a count of what failed or a flag
    that there are errors."""
    level: list[Mapping[str, Any]] = [answer]
    for _ in range(_DEEPEST):
        for node in level:
            for key, value in node.items():
                found: Mapping[str, Any] | None = None
                small, some = str(key).casefold(), isinstance(value, int) and value > 0
                if isinstance(value, list) and small.endswith("errors"):
                    alone = not any(other for name, other in node.items() if name != key)
                    told = (each if isinstance(each, dict) else {"message": each} for each in value)
                    found = next((each for each in told if _said(each) and (alone or "field" in each)), None)
                elif isinstance(value, list) and (ran := [each for each in value if isinstance(each, dict)]):
                    failed = next((each for each in ran if code_in(each)), None)
                    found = {"message": sharpest_line(output_in(failed))} if failed is not None else None
                elif some and (small.endswith(("errors", "failed")) or ("fail" in small and small.endswith("count"))):
                    found = next(_entries(node), None)
                if found is not None:
                    return found
        level = [inner for node in level for inner in node.values() if isinstance(inner, dict)]
    return None


def _entries(value: object, depth: int = _DEEPEST) -> Iterator[Mapping[str, Any]]:
    """The objects within an answer that hold an error of their own, and aren't records of what is in some state."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for each in islice(inner, _MOST_MEMBERS):
        told = (said for key, said in each.items() if "error" in str(key).casefold()) if isinstance(each, dict) else ()
        if any(isinstance(said, str | dict) and said for said in told):
            if not any(isinstance(each.get(key), str) for key in ("status", "state", "result")):
                yield each
        elif depth:
            yield from _entries(each, depth - 1)


def _wrapped(answer: Mapping[str, Any]) -> tuple[Failure, bool] | None:
    """The failure of an answer that stands, as an object or its text, within this one, beside what only wraps it."""
    inner = [answer[key] for key in _WRAPPERS if isinstance(answer.get(key), str | dict)]
    if len(inner) != 1 or len(answer) > _FEW or answer.get("success") is True or answer.get("ok") is True:
        return None
    value = _loaded(inner[0].strip()) if isinstance(inner[0], str) and inner[0].strip().startswith("{") else inner[0]
    if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
        return None
    found = _failure(value)
    return found if found is None or found[1] else (found[0], _http_status(value) is not None)


def _is_record(answer: Mapping[str, Any], target: str) -> bool:
    """Whether an answer is the record of something that failed some time ago: what it's called, its state, and a
    time, or the name that was asked for."""
    if not {"state", "status", "result"} & answer.keys():
        return False
    names = [answer[key] for key in ("id", "name", "number", "key") if key in answer]
    timed = bool(names) and any(key.endswith(_TIMED) for key in answer)
    if "error" not in answer:
        names.extend(name for key, name in answer.items() if str(key).casefold().endswith("id"))
    return timed or any(isinstance(name, str) and len(name) > 1 and name in target for name in names)


def _only_labels(answer: Mapping[str, Any]) -> bool:
    """Whether an answer that tells of an error holds nothing else than short values, which say which answer it is."""
    small = ((str(key).casefold().replace("_", ""), value) for key, value in answer.items())
    others = (value for key, value in small if key not in _ABOUT and not key.endswith(_ENDS))
    return all(len(value) <= _LABEL if isinstance(value, str) else isinstance(value, _PLAIN) for value in others)


def _made(error: object, answer: Mapping[str, Any], status: int | None = None) -> Failure:
    name, message = None, error
    if isinstance(error, Mapping):
        name, message = _named(error), _said(error) or json.dumps(error, default=str)
        status = status or next((value for key in ("code", "status") if isinstance(value := error.get(key), int)), None)
    elif error is True or isinstance(error, int):
        message = _said(answer) or "failed"
    name = name or _named({key: value for key, value in answer.items() if key not in ("type", "code", "name")})
    text = message if isinstance(message, str) else json.dumps(message, default=str)
    more = _cause(error if isinstance(error, Mapping) else answer)
    if isinstance(message, str) and more is not None and more not in text and (not text or text not in more):
        text = f"{text.rstrip('.:')}: {more}" if text else more
    if status is None:
        stated = _STATED.match(text)
        status = _http_status(answer) or (int(stated[1]) if stated is not None else None)
    kind = STATUS_KINDS.get(status or 0, FailureKind.NETWORK if status and status >= 409 else FailureKind.OTHER)
    said = " ".join(text.split())[:500]
    if kind is FailureKind.OTHER and name is None and status is None and (known := at_start(text, anywhere=False)):
        return Failure(known.kind, known.type, said)
    return Failure(kind, name or (f"HTTP {status}" if status else "Error"), said)


def _http_status(answer: Mapping[str, Any]) -> int | None:
    """The HTTP status of an error that an answer holds."""
    status = next((answer[key] for key in ("status", "statusCode", "status_code", "code") if key in answer), None)
    return status if isinstance(status, int) and 400 <= status <= 599 else None


def _said(value: Mapping[str, Any]) -> str | None:
    """What an answer tells of an error; a `message` or a `reason` also behind other words (`failureReason`)."""
    found = next((said for key in _SAYING if isinstance(said := value.get(key), str) and said.strip()), None)
    longer = (said for key, said in value.items() if str(key).casefold().endswith(_ENDS))
    return found or next((said for said in longer if isinstance(said, str) and said.strip()), None)


def _cause(value: Mapping[str, Any]) -> str | None:
    """What an answer says below what it calls the error."""
    for key in ("cause", *_SAYING):
        below = value.get(key)
        below = below[0] if isinstance(below, list) and below else below
        said = _said(below) if isinstance(below, Mapping) else below
        if isinstance(said, str) and said.strip():
            return said
    return None


def _named(value: Mapping[str, Any]) -> str | None:
    small = {str(key).casefold().replace("_", ""): name for key, name in value.items()}
    for key in _NAMING:
        name = small.get(key)
        if isinstance(name, str) and 2 < len(name) < 60 and " " not in name and name.lower() not in _BAD_WORDS:
            return name
    return None
