"""The test expects another value than the one that the task gives for the same call."""

from __future__ import annotations

import re

from analyzer.diagnosis.provenance.answer import answer
from analyzer.diagnosis.provenance.context import FailureContext, place_text
from analyzer.model.provenance import Provenance, ProvenanceKind
from analyzer.model.words import FrameRole
from analyzer.text.expressions import compiled
from analyzer.text.markdown import code

_VALUE = r"(?P<value>'[^'\n]{0,80}'|\"[^\"\n]{0,80}\"|\[[^\]\n]{0,120}\]|\([^)\n]{0,120}\)|\{[^}\n]{0,120}\}|[-\w.]+)"
_CALL = compiled(
    r"(?P<call>[A-Za-z_][\w.]{0,60}\([^()\n]{0,80}\))\s*(?:,|==|\)?\.to(?:Be|Equal|StrictEqual)\()\s*" + _VALUE
)
_GIVES = (
    r"[`*]{0,2}\s*(?:==|===|->|=>|→|=|#\s*(?:->|=>|→)?|(?:should|must|shall|will|ought to)? ?"
    r"(?:return|give|be|yield|evaluate to|equal|produce)s?|is)\s*[`*]{0,2}\s*"
)


def find(scene: FailureContext) -> Provenance | None:
    """A failing assertion whose call the task gives another value for."""
    frame = scene.frames[0] if scene.frames else None
    if frame is None or frame.role is not FrameRole.TEST or not frame.code or not scene.task:
        return None
    found = _CALL.search(frame.code)
    if found is None:
        return None
    wanted = re.search(re.escape(found["call"]) + _GIVES + _VALUE, scene.task)
    if wanted is None or _same(wanted["value"], found["value"]):
        return None
    asked = wanted["value"].rstrip(".,;:")
    author = scene.author(frame.file, frame.code)
    wrote = f", as step {author.step} wrote it" if author is not None else ""
    return answer(
        ProvenanceKind.EXPECTATION,
        0.85,
        (
            f"{code(place_text(frame.file, frame.line))} expects {code(found['value'])} of {code(found['call'])}"
            f"{wrote}, but the task says {code(asked)}"
        ),
        quote=frame.code,
        step=author.step if author is not None else None,
        file=frame.file,
        line=frame.line,
    )


def _same(one: str, other: str) -> bool:
    """Whether two spellings mean the same value."""
    return _bare(one) == _bare(other)


def _bare(value: str) -> str:
    text = re.sub(r"\s", "", value.rstrip(".,;)")).replace('"', "'")
    try:
        return repr(float(text))
    except ValueError:
        return text.lower() if text.lower() in ("true", "false", "none", "null", "nil") else text
