"""Redact a public model: what a comparison, a case study or a benchmark says beyond the sessions it was made from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from analyzer.model.struct import Public
from analyzer.redaction.redactor import Redactor
from analyzer.redaction.session import Take, changes_of
from analyzer.text.names import name_set

Model = TypeVar("Model", bound=Public)

_KEPT = name_set(
    "id ids session sha256 fingerprint fingerprints group failure_group lane lanes step link links key task_key "
    "commits label schema_version format formats match detector kind category policy tool runner language mast trail "
    "started_at ended_at model agent_version path paths folder author date version versions redacted"
)
"""Fields whose texts are names by which things are found again, words of ours, or the paths of the files that were
read."""

_PLAIN = frozenset({int, float, bool, type(None)})


def redact_model(model: Model, redactor: Redactor | None = None) -> Model:
    """A model of `analyzer.model` without secrets. Ids, names, digests, and the paths of the files that were read stay
    as they are."""
    take = changes_of(lambda note: _walked(model, "", note), redactor or Redactor())
    if take is None:
        return model
    found: Model = _walked(model, "", take)
    return found


def _walked(value: Any, name: str, take: Take) -> Any:
    """The value with every text taken that isn't kept; the same object where nothing changed."""
    if type(value) is str:
        # Under the key of a mapping a value may be known for a secret, under a field of a model not.
        return value if name in _KEPT else take(name[1:] if name.startswith("=") else "", value)
    if type(value) in _PLAIN:
        return value
    if isinstance(value, Public):
        update = {}
        for field in value.__struct_fields__:
            content = getattr(value, field)
            kind = type(content)
            if kind in _PLAIN or (field in _KEPT and kind is str):
                continue
            after = take("", content) if kind is str else _walked(content, field, take)
            if after is not content:
                update[field] = after
        return value.model_copy(update=update) if update else value
    if isinstance(value, list | tuple):
        if not value or type(value[0]) in _PLAIN:
            return value
        items = [_walked(item, name, take) for item in value]
        same = all(before is after for before, after in zip(value, items, strict=True))
        return value if same else type(value)(items)
    if isinstance(value, Mapping) and name not in _KEPT:
        entries = {key: _walked(item, f"={key}", take) for key, item in value.items()}
        return value if all(entries[key] is item for key, item in value.items()) else entries
    return value
