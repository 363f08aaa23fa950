"""A comment at the head of a file which says that what follows isn't as it was recorded."""

from __future__ import annotations

import re
from collections.abc import Mapping

from analyzer.formats.container.document import MISSING, Document
from analyzer.model.session import ReadWarning
from analyzer.text.clip import around
from analyzer.text.late import late

_KEYS = frozenset({"_comment", "_comments", "_note", "_notes", "_notice", "_about", "_readme"})
"""Keys of no format, under which people write what a file is."""
_CHANGED = late(
    r"\b(?:sanit[iz]\w*|synthetic\w*|anonymi[sz]ed|redacted|scrubbed|obfuscated|placeholders?|made[ -]up)\b",
    re.IGNORECASE,
)
_QUOTED = 160


def notice_in(document: Document) -> ReadWarning | None:
    """The warning that quotes such a comment; None where there's none."""
    records = [("the file's comment", document.value)]
    if document.value is MISSING:
        records = [(record.place, record.value) for record in document.head[:2]]
    for place, value in records:
        for key in _KEYS.intersection(value) if isinstance(value, Mapping) else ():
            text = value[key]
            found = _CHANGED.search(text) if isinstance(text, str) else None
            if found is not None:
                said = around(text, *found.span(), _QUOTED)
                return ReadWarning(place, f'the file says that its content was changed or made up: "{said}"')
    return None
