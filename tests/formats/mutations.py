"""Damaging a document on purpose: what the tests of every format share."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import strategies as st

from analyzer.formats.loading.load import load_bytes
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import Session, Transcript

_SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(min_value=-(10**30), max_value=10**30),
    st.floats(),
    st.text(max_size=8),
    st.sampled_from(["2025-01-31T09:30:00", "0001-01-01T00:00:00Z", "[]", "{}", "REDACTED"]),
)
ANY_JSON = st.recursive(
    _SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["type", "text", "content", "id", "x"]), inner, max_size=3)
    ),
    max_leaves=6,
)


@st.composite
def mutated(draw: st.DrawFn, sample: Any) -> Any:
    """Return the sample with one to three values, anywhere in it, replaced by others of any type, or left out."""
    damaged = copy.deepcopy(sample)
    for _ in range(draw(st.integers(1, 3))):
        node = damaged
        while isinstance(node, dict | list) and node:
            keys = list(node) if isinstance(node, dict) else list(range(len(node)))
            key = draw(st.sampled_from(keys))
            inner = node[key]
            if isinstance(inner, dict | list) and inner and draw(st.integers(0, 3)):
                node = inner
                continue
            if draw(st.booleans()):
                node[key] = draw(ANY_JSON)
            else:
                del node[key]
            break
    return damaged


def read_or_refuse(data: bytes, input_format: str | None = None) -> list[Session]:
    """Return the sessions of a damaged document; none when it's refused, as it may be, with the one proper error."""
    read = transcript_or_none(data, input_format)
    return read.sessions if read is not None else []


def transcript_or_none(data: bytes, input_format: str | None = None) -> Transcript | None:
    """Return the transcript of a damaged document; None when it's refused."""
    try:
        return load_bytes(data, "damaged.json", input_format)
    except UnreadableInput:
        return None
