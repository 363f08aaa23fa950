"""How often a change of one record loses what a session holds without a word.

Usage: python benchmarks/silent_loss.py [--show FORMAT] [SAMPLE ...]

Of each small sample (or the transcripts named) every record is changed by itself in each of these ways: what says of
which kind it is (`type`, `role`, `kind` and their like) is something that nobody knows; one key has another name; one
value has another JSON type. A change is silent where a text or a call that was read before isn't read any more although
it is still there, and neither a warning nor an error says so: `check --strict` would call the file understood. One line
per format: changes, of them those that lost something, of these the silent ones.
"""

from __future__ import annotations

import argparse
import copy
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analyzer.checkup import checkup_of
from analyzer.formats.loading.load import load_bytes
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import Message, Session, ToolCall, ToolResult
from tests.formats.samples import ALL_SAMPLES

KINDS = ("type", "role", "kind", "record_type", "event", "event_type", "action", "observation", "source", "step_type")
"""Keys under which a record may say of which kind it is."""
UNHEARD = "zz_unheard_of"
_WORD = re.compile(r"[A-Za-z][\w.:/-]{0,40}")
_LEAST = 6
"""Shorter texts stand in other places, too."""


@dataclass(frozen=True)
class Change:
    """One record changed: how, where (as a path of keys), and the whole value with it."""

    how: str
    where: str
    value: Any


@dataclass(frozen=True)
class Reading:
    """What was read: the texts that its sessions hold, and whether nothing was remarked."""

    texts: set[str]
    understood: bool


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("samples", nargs="*", type=Path, metavar="SAMPLE")
    parser.add_argument("--show", metavar="FORMAT", help="name the silent changes of a format; `all` of every one")
    options = parser.parse_args()
    places = options.samples or [sample.path for sample in ALL_SAMPLES if sample.path.suffix not in (".md", ".txt")]
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for place in places:
        count(place, found, options.show)
    print(f"{'format':24s} {'changes':>8s} {'losing':>8s} {'silent':>8s}")
    total: Counter[str] = Counter()
    for name, counts in sorted(found.items()):
        total += counts
        print(f"{name:24s} {counts['changes']:8d} {counts['losing']:8d} {counts['silent']:8d}")
    print(f"{'all':24s} {total['changes']:8d} {total['losing']:8d} {total['silent']:8d}")
    return 0


def count(place: Path, found: dict[str, Counter[str]], show: str | None) -> None:
    """Count the changes of one transcript into `found`, by its format."""
    data = place.read_bytes()
    parsed = parse(data)
    if parsed is None:
        return
    value, lines = parsed
    before, form = reading(data, place.name)
    if before is None or not before.understood:
        print(f"{place.name}: left out, since it isn't understood as it is", file=sys.stderr)
        return
    for change in changes(value):
        text = rendered(change.value, lines)
        after, _ = reading(text, place.name, form)
        found[form]["changes"] += 1
        if after is None:
            continue
        whole = "\n".join(after.texts)
        lost = [word for word in before.texts if len(word) >= _LEAST and not stands(word, whole) and shown(word, text)]
        found[form]["losing"] += bool(lost)
        if lost and after.understood:
            found[form]["silent"] += 1
            if show in (form, "all"):
                print(f"{form}: {change.how} at {change.where}: {min(lost)[:60]!r}")


def parse(data: bytes) -> tuple[Any, bool] | None:
    """The JSON value, or the list of values of JSON lines; None for anything else."""
    try:
        return json.loads(data), False
    except ValueError:
        pass
    try:
        return [json.loads(line) for line in data.splitlines() if line.strip()], True
    except ValueError:
        return None


def rendered(value: Any, lines: bool) -> bytes:
    """The value as it was written."""
    return b"".join(json.dumps(entry).encode() + b"\n" for entry in value) if lines else json.dumps(value).encode()


def shown(word: str, text: bytes) -> bool:
    """Whether a text still stands in the transcript, as JSON within JSON, too."""
    whole = text.decode()
    return any(form in whole for form in forms(word))


def stands(word: str, whole: str) -> bool:
    """Whether a text was read, by itself or within another."""
    return word in whole or any(form in whole for form in forms(word))


def forms(word: str) -> tuple[str, ...]:
    """A text as JSON shows it, also within JSON, in ASCII or not."""
    found = []
    for ascii_only in (True, False):
        once = json.dumps(word, ensure_ascii=ascii_only)[1:-1]
        found += [once, json.dumps(once, ensure_ascii=ascii_only)[1:-1]]
    return tuple(dict.fromkeys(found))


def reading(data: bytes, name: str, form: str | None = None) -> tuple[Reading | None, str]:
    """What is read of a transcript, and its format; no reading where it's refused."""
    try:
        transcript = load_bytes(data, name, form)
    except UnreadableInput:
        return None, ""
    texts = {text for session in transcript.sessions for text in texts_of(session)}
    return Reading(texts, checkup_of(transcript, name, data).understood), transcript.format


def texts_of(session: Session) -> Iterator[str]:
    """Whatever a session's events say, argument by argument."""
    yield session.task or ""
    for event in session.events:
        if isinstance(event, Message | ToolResult):
            yield event.text
        elif isinstance(event, ToolCall):
            yield event.name
            yield from strings(event.arguments)


def strings(value: Any) -> Iterator[str]:
    """Every text in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from strings(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from strings(inner)


def changes(value: Any) -> Iterator[Change]:
    """The value with one record changed, in every way."""
    for path, record in records(value, ()):
        where = "/".join(map(str, path))
        for key, inner in record.items():
            if key in KINDS and isinstance(inner, str) and _WORD.fullmatch(inner):
                yield Change(f"{key} unknown", where, changed(value, path, key, key, UNHEARD))
            yield Change(f"key {key} renamed", where, changed(value, path, key, f"{key}_{UNHEARD}", inner))
            for other in retyped(inner):
                yield Change(f"{key} as {type(other).__name__}", where, changed(value, path, key, key, other))


def retyped(value: Any) -> Iterator[Any]:
    """The value as other JSON types that still hold it."""
    if isinstance(value, str):
        yield {UNHEARD: value}
        yield [[value]]
    elif isinstance(value, dict | list):
        yield json.dumps(value)
        yield {UNHEARD: value}
    elif value is not None:
        yield {UNHEARD: value}


def records(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    """Every object in a JSON value, with its path."""
    if isinstance(value, dict):
        yield path, value
        for key, inner in value.items():
            yield from records(inner, (*path, key))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from records(inner, (*path, number))


def changed(value: Any, path: tuple[Any, ...], key: str, name: str, inner: Any) -> Any:
    """A copy of the value in which the object at `path` has `inner` under `name` in the place of `key`."""
    made = copy.deepcopy(value)
    node = made
    for step in path:
        node = node[step]
    entries = [(name, inner) if old == key else (old, held) for old, held in node.items()]
    node.clear()
    node.update(entries)
    return made


if __name__ == "__main__":
    raise SystemExit(main())
