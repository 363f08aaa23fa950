"""The names that the known text of a file defines."""

from __future__ import annotations

import re

from analyzer.text.late import late
from analyzer.workspace.document import Document, known_texts

_DEFINES = late(
    r"^[ \t]*(?:(?:export|default|public|private|protected|internal|static|final|abstract|async|pub(?:\(\w+\))?"
    r"|unsafe|override|inline|open|data|sealed|declare)[ \t]+)*"
    r"(?:def|class|function\*?|func(?:[ \t]*\([^()\n]{0,80}\))?|fn|fun|struct|enum|interface|trait|type|module|mod"
    r"|const|let|var|val|record|protocol)[ \t]+(?:self\.)?(?P<name>[A-Za-z_$][\w$]{2,80})",
    re.MULTILINE,
)
_CONSTANT = late(r"^(?P<name>[A-Z][A-Z0-9_]{3,80})[ \t]*(?::[^=\n]{1,60})?=", re.MULTILINE)


def defined(document: Document) -> frozenset[str]:
    """The names that the known text of a file defines."""
    if not document.exists:
        return frozenset()
    texts = (*known_texts(document), *(entry.after for entry in document.fragments))
    return frozenset(
        found["name"] for text in texts for pattern in (_DEFINES, _CONSTANT) for found in pattern.finditer(text)
    )
