"""What makes two actions equal, track by track.

The call key is the canonical call: white space and quoting folded in shell lines and a leading `cd` into the session's
usual directory (the first one that a command goes to by its absolute path) left out, as are the options by which
version control colours or pages its answer; reads as file + lines; edits as file + before + after and the numbers that
say where; a request to a browser as the action that the browser reports; everything else as JSON with sorted keys. The
outcome key is a digest of the result, and a key of its own where no result is recorded, or only its beginning; its
masked form is made when somebody asks for it, since most results are never compared.

What a browser says that it did, and which page it shows then.

Browsers that an orchestrator speaks to in words are asked otherwise each time, and answer with a picture that is read
by a machine, a little differently each time. The first sentences of the answer name the action and the page, so two
such calls are compared by the action, and two such results by the page.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from analyzer.commands.git import asked_line
from analyzer.commands.statements import entered
from analyzer.model.action import Action, Answer, Call, Keys
from analyzer.model.struct import Struct
from analyzer.model.words import Kind
from analyzer.text.late import late
from analyzer.text.masks import MaskTable
from analyzer.text.names import digest
from analyzer.text.plain import is_blanked, is_hollow, plain
from analyzer.text.similarity import same_words

_MARKER = "Here is a screenshot of ["
_SENTENCE = late(
    r"\s{0,9}I (?P<action>[^\s](?:(?!Here is a screenshot)[\s\S]){2,400}?)\.?\s{0,4}\n\s{0,4}"
    r"Here is a screenshot of \[[^\n]{0,400}?\]\((?P<address>\S{1,4000}?)\)\."
    r" The viewport shows (?P<part>\d{1,3})% of the webpage, and is positioned (?P<position>[^.\n]{1,60})\."
)
_MARKER_WITHIN = 1_000
_HEAD = 6_000
_LONGEST = 3_000
"""Characters of what a page shows that are compared."""
_QUOTED = late(r"(?<![^\s=])'(?P<word>[\w./:@%+,-]+)'(?!\S)")
"""A quoted word that needs no quotes."""
_LONGEST_CALL = 2_000
"""Characters of a call up to which what varies in it is masked: longer ones are texts, which are compared to the
letter."""
_MADE_UP = late(
    r"tmp[._-]?(?=\w*\d|\w*[A-Z]|\w{8})\w{4,}|(?=[\w-]*\d)(?=[\w-]*[a-f])[0-9a-f-]{7,}|\d{4,}"
    r"|\.(?=\w*(?:\d|[A-Z]))\w{6,}(?:/|$)"
)
"""A part of a path that no person would have chosen."""
_PICTURED = late(r"\As\d+(e\d+)\Z")
_SAME_PAGE = 0.9
"""Share of the words that are read from both of two pictures of one page."""
_MOST_MASKED = 20_000
"""Characters of a result that are masked for comparison, from both ends together."""


class Visit(Struct, frozen=True):
    """What was done, the page that it led to with the part of it that is seen, and the text that was read from its
    picture."""

    browser_action: str
    browser_page: str
    shown: str


def visit_of(result: str | None) -> Visit | None:
    """The visit that a result describes, or None for any other result."""
    if result is None or _MARKER not in result[:_MARKER_WITHIN]:
        return None
    found = _SENTENCE.match(result[:_HEAD])
    if found is None:
        return None
    return Visit(
        " ".join(found["action"].split()),
        f"{found['address']} {found['part']}% {found['position']}",
        result[found.end() : found.end() + _LONGEST],
    )


class KeyMaker:
    """The keys of the actions of one lane, in order."""

    def __init__(self, masks: MaskTable) -> None:
        self._masks = masks
        self._usual: str | None = None

    def keys(self, call: Call, answer: Answer) -> Keys:
        """The keys of the next call, which was answered so."""
        line = call.operation.command
        if self._usual is None and line and (place := entered(line)[0]).startswith("/"):
            self._usual = place
        visit = visit_of(answer.text) if line is None else None
        key = _call(call, self._usual) if visit is None else f"{call.tool} {visit.browser_action}"
        given = (call.arguments,) if isinstance(call.arguments, str) else call.arguments.values()
        blanked = call.arguments == "" or any(isinstance(value, str) and is_blanked(value) for value in given)
        if blanked or (answer.blanked and line is None and not call.arguments):
            key = f"{key} at step {call.step}"  # which may have been another call
        known = answer.text is not None and not answer.blanked
        return Keys(
            call=key,
            call_masked=self._masked(key) if len(key) < _LONGEST_CALL else digest(key),
            outcome=digest(answer.text or "") if known else f"none at step {call.step}",
            browser_action=visit.browser_action if visit is not None else "",
            browser_page=visit.browser_page if visit is not None else "",
        )

    def _masked(self, call: str) -> str:
        """A call without what varies by itself. A temporary file whose name somebody chose is a file like others."""
        masked = self._masks.mask(call)
        if "<tmp>" not in masked:
            return masked
        paths = [value for label, value in self._masks.values(call) if label == "temporary path"]
        return " ".join((masked, *(path for path in paths if not _MADE_UP.search(path))))


def same_outcome(one: Action, other: Action, masks: MaskTable) -> bool:
    """Whether two results say the same: the same failure, the same page, or equal once masked. Results that weren't
    recorded say nothing, and so nothing that's the same; nor do those of calls that were recorded as mere names."""
    if not tells(one) or not tells(other) or (unrecorded(one) and unrecorded(other)):
        return False
    first = one.failure.group if one.failure is not None else None
    second = other.failure.group if other.failure is not None else None
    if first is not None or second is not None:
        return first == second
    if one.keys.browser_page and other.keys.browser_page:
        if one.keys.browser_page != other.keys.browser_page:
            return False
        seen, now = visit_of(one.result), visit_of(other.result)  # a page may change while its address stays
        return seen is not None and now is not None and same_words(seen.shown, now.shown, _SAME_PAGE)
    return one.keys.outcome == other.keys.outcome or masked_outcome(one, masks) == masked_outcome(other, masks)


def tells(action: Action) -> bool:
    """Whether anything is recorded of what came back for a call. Two results of which nothing is are neither equal nor
    different."""
    return action.result is not None and not action.blanked


def unrecorded(action: Action) -> bool:
    """Whether nothing of a call but its name seems to have been recorded: no arguments, and an empty object for a
    result; an edit without arguments is none that could have been made. The log may say so of itself."""
    if action.arguments or action.operation.command is not None:
        return False
    if action.arguments == "":
        return True
    return action.kind is Kind.EDIT or action.blanked or is_hollow(action.result or "")


def masked_outcome(action: Action, masks: MaskTable) -> str:
    """The digest of an action's result without what varies by itself."""
    if not action.keys.outcome_masked and action.result is not None:
        text = plain(action.result)
        if len(text) > _MOST_MASKED:
            text = text[: _MOST_MASKED // 2] + text[-_MOST_MASKED // 2 :]
        action.keys.outcome_masked = digest(" ".join(masks.mask(text).split()))
    return action.keys.outcome_masked


def _call(call: Call, usual: str | None) -> str:
    operation = call.operation
    if operation.command is not None:
        place, rest = entered(operation.command) if usual else ("", "")
        line = rest if place and place == usual else operation.command
        return "$ " + _QUOTED.sub(r"\g<word>", " ".join(asked_line(line).replace('"', "'").split()))
    if operation.kind is Kind.EDIT and operation.edits and any(edit.before or edit.after for edit in operation.edits):
        places = (
            [value for _, value in sorted(call.arguments.items()) if isinstance(value, int)]
            if isinstance(call.arguments, Mapping)
            else []
        )
        return "edit " + json.dumps(
            [*([edit.path, edit.lines, edit.before, edit.after] for edit in operation.edits), *places]
        )
    if isinstance(call.arguments, str):
        return f"{call.tool} {' '.join(call.arguments.split())}"
    arguments = json.dumps(_canonical(call.arguments), sort_keys=True, default=str)
    start = operation.lines[0] if operation.kind is Kind.READ and operation.lines is not None else 0
    place = f" from line {start}" if start > 1 and str(start) not in arguments else ""
    return f"{call.tool} {operation.path or ''} {arguments}{place}"


def _canonical(value: object) -> object:
    """A value without its empty parts, numbers as text, and texts without white space at their ends; a handle of an
    element without the number of the picture of the page that it's from."""
    if isinstance(value, Mapping):
        parts = ((str(key), _canonical(part)) for key, part in value.items())
        return {key: part for key, part in parts if part not in ("", None, [], {})}
    if isinstance(value, list | tuple):
        return [_canonical(part) for part in value]
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return _PICTURED.sub(r"\1", value.strip()) if isinstance(value, str) else value
