"""Whatever is put in the place of a value of a sample gives sessions or the one proper refusal, for every format."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings

from tests.formats.mutations import mutated, read_or_refuse
from tests.formats.samples import ALL_SAMPLES, Sample

OF_JSON = [sample for sample in ALL_SAMPLES if sample.file.endswith((".json", ".jsonl", ".traj"))]


def parsed(sample: Sample) -> Any:
    """The JSON value of a sample, or the list of those of its lines."""
    text = sample.path.read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()] if sample.file.endswith(".jsonl") else json.loads(text)


@pytest.mark.slow
@pytest.mark.parametrize("sample", OF_JSON, ids=lambda sample: sample.file)
def test_any_damage_gives_sessions_or_a_refusal(sample: Sample) -> None:
    @settings(deadline=None)
    @given(mutated(parsed(sample)))
    def survives(value: Any) -> None:
        rows = value if sample.file.endswith(".jsonl") and isinstance(value, list) else [value]
        data = "\n".join(map(json.dumps, rows)).encode()
        for session in read_or_refuse(data) + read_or_refuse(data, sample.format):
            assert session.id
            json.dumps([str(event) for event in session.events])

    survives()
