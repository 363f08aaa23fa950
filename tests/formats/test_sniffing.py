"""Who recognises what: every sample by its own format, and no damage makes a sniffer raise."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.formats.container.document import Document
from analyzer.formats.loading.registry import formats
from tests.drawn import examples
from tests.together import check_each

SAMPLES = Path(__file__).resolve().parents[1] / "data" / "formats"
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)


def _keys() -> list[str]:
    """The keys that sniffers ask for, from all samples: damage among them is worth more than damage anywhere."""
    found: set[str] = set()
    for path in SAMPLES.iterdir():
        if path.is_file() and path.suffix != ".eval":
            for line in path.read_text(encoding="utf-8", errors="replace").splitlines()[:40]:
                try:
                    value = json.loads(line)
                except ValueError:
                    continue
                found |= value.keys() if isinstance(value, dict) else set()
    return sorted(
        found
        | {"type", "role", "kind", "history", "trajectory", "messages", "info", "events", "steps", "source", "payload"}
    )


RECORDS = st.dictionaries(st.sampled_from(_keys()), JSON, min_size=1, max_size=6)


@pytest.mark.parametrize("odd", [[], {}, [[]], {"a": []}], ids=str)
def test_no_sniffer_stumbles_over_another_type(odd: object) -> None:
    def check(key: str) -> None:
        for value in ({key: odd}, {"type": "message", "message": {key: odd}}, [{key: odd}], [{"type": odd, key: odd}]):
            for lines in (1, 2):
                document = Document("x.json", "\n".join([json.dumps(value)] * lines))
                for entry in formats():
                    assert entry.sniff(document) in (True, False), entry.name

    check_each(_keys(), check)


@pytest.mark.slow
@examples(300)
@given(st.one_of(RECORDS, st.lists(RECORDS, max_size=3), st.lists(JSON, max_size=3)), st.booleans())
def test_no_sniffer_raises(value: Any, as_lines: bool) -> None:
    rows = value if isinstance(value, list) else [value]
    text = "\n".join(json.dumps(row) for row in rows) if as_lines else json.dumps(value)
    document = Document("x.json", text)
    for entry in formats():
        assert entry.sniff(document) in (True, False)
