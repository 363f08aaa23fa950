"""What a format warns of while it reads: what could not be read as it stands, and records that hold something else
than their kind does."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from analyzer.formats.record.fields import IMAGE_BLOCKS, SAYS, SILENT_BLOCKS, first_of, first_text
from analyzer.model.session import ReadWarning
from analyzer.model.struct import Struct, field
from analyzer.text.names import name_set

NAMELESS_CALL = "tool call without a name, kept as 'unknown'"
_BLOCKS = IMAGE_BLOCKS | SILENT_BLOCKS
_BLOCKS |= name_set(
    """
    text input_text output_text summary_text reasoning_text text-plain refusal thinking reasoning redacted-reasoning
    thought think encrypted_content thoughtSignature connector_text compaction media audio input_audio output_audio
    audio_url video video_url videoMetadata imageUrl computer_screenshot document document_url file input_file resource
    resource_link container_upload inlineData inline_data fileData file_data search_result tool_reference reference
    source citation citations citationsContent cachePoint guardContent functionResponse
    """
)
"""The types of content blocks, and the first keys of those without a type, that are read, or that are no words."""


def unknown_kind(block: object) -> str | None:
    """The type of a content block that no format is known to write; of one without a type and words, its first key."""
    if not isinstance(block, dict) or (kind := first_text(block, "type")) in _BLOCKS:
        return None
    kind = kind or next((None if any(key in block for key in SAYS) else key for key in block), None)
    known = kind is None or kind in _BLOCKS or kind.endswith(("tool_use", "tool_result")) or kind.startswith("data-")
    return None if known else kind


class WarningLog:
    """What could not be read as it stands, each kind once, with the first place and the number of places."""

    def __init__(self) -> None:
        self._found: dict[str, tuple[int, str, bool]] = {}

    def add(self, place: str, what: str, *, hides_actions: bool = False) -> None:
        """Note that `what` holds at a place."""
        count, first, _ = self._found.get(what, (0, place, False))
        self._found[what] = (count + 1, first, hides_actions)

    def wrong_type(self, place: str, value: object, expected: str, so: str = "skipped") -> None:
        """Note a value of the wrong JSON type; `so` says what was done with it."""
        self.add(place, f"a JSON {type(value).__name__} where {expected} was expected; {so}")

    def unknown_keys(self, place: str, value: Mapping[str, Any], known: Collection[str]) -> None:
        """Note every key that isn't known; where none is, the type of the object alone, if it names one."""
        keys = [key for key in value if key not in known]
        kind = first_text(value, "type") if len(keys) == len(value) else None
        for what in [f"type {kind[:60]!r}"] if kind is not None else [f"key {key[:60]!r}" for key in keys]:
            self.add(place, f"unknown {what}; ignored")

    def blocks(self, place: str, content: object, *, returned: bool = False) -> None:
        """Note the blocks of unknown types in a content, and those that look like calls. In what a tool returned there
        are such only beside others: else it's the tool's own data."""
        blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
        unknown = [(kind, block) for block in blocks if (kind := unknown_kind(block)) is not None]
        for kind, block in unknown if not returned or len(unknown) < len(blocks) else ():
            held = block[kind] if isinstance(block.get(kind), dict) else block
            named = first_text(held, "name", "tool", "toolName", "tool_name")
            called = bool(named) and first_of(held, "input", "args", "arguments", "parameters") is not None
            what = f"unknown content block {kind[:60]!r}{' that looks like a call' if called else ''}; kept as text"
            self.add(place, what, hides_actions=called)

    def objects(self, values: object, place: str, what: str, start: int = 1) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield the objects of a list, each with its place, in which a number stands for `{}`; note anything else."""
        for number, value in enumerate(values if isinstance(values, list) else [], start):
            where = place.replace("{}", str(number))
            if isinstance(value, dict):
                yield where, value
            else:
                self.wrong_type(where, value, what)

    def warnings(self) -> list[ReadWarning]:
        """Return them as warnings, in the order in which they were first met."""
        return [
            ReadWarning(place, what if count == 1 else f"{what} ({count} times, first here)", hides)
            for what, (count, place, hides) in self._found.items()
        ]


Types = tuple[type, ...]

TYPES: dict[str, Types] = {
    "text": (str,),
    "list": (list,),
    "object": (dict,),
    "number": (int, float),
    "flag": (bool,),
    "words": (str, list),
    "given": (dict, str),
    "parts": (list, dict),
    "any": (str, list, dict),
    "value": (str, list, dict, int, float, bool),
}
"""The words for JSON types: `words` are a text or its parts, `given` are arguments by name or as a JSON text."""
_NAMES = {str: "a text", list: "a list", dict: "an object", int: "a number", float: "a number", bool: "true or false"}
_LEAST, _DEEPEST = 12, 6


class Form(Struct, frozen=True):
    """The keys of a record, `what` it's called in warnings: those that are always there (null counts as there), those
    that may be there, and where the form is closed, the `others` that say nothing of what was said or done. `inner` has
    the forms of the objects under its keys, `each` those of the objects in the lists there, and `blocks` those of the
    parts of what was said, by their types."""

    what: str
    needs: Mapping[str, Types] = field(default_factory=dict)
    may: Mapping[str, Types] = field(default_factory=dict)
    others: frozenset[str] | None = None
    inner: Mapping[str, Form] = field(default_factory=dict)
    each: Mapping[str, Form] = field(default_factory=dict)
    blocks: Mapping[str, Form] = field(default_factory=dict)

    def check(self, place: str, record: Mapping[str, Any], log: WarningLog) -> None:
        """Note what the record lacks, what is of another type, and an unknown key under which something is said."""
        for key, types in (*self.needs.items(), *self.may.items()):
            value = record.get(key)
            if value is None:
                if key in self.needs and key not in record:
                    log.add(place, f"{self.what} without {key!r}")
            elif not isinstance(value, types):
                names = " or ".join(dict.fromkeys(_NAMES[one] for one in types))
                log.add(place, f"{key!r} of {self.what} is a JSON {type(value).__name__}; {names} was expected")
            elif isinstance(value, list) and types in (TYPES["words"], TYPES["any"]):
                log.blocks(place, value, returned=types == TYPES["any"])
                for block in value if self.blocks else ():
                    if isinstance(block, dict) and (form := self.blocks.get(str(block.get("type")))) is not None:
                        form.check(place, block, log)
        if self.others is not None:
            for key, value in record.items():
                if key not in self.needs and key not in self.may and key not in self.others and _says(value, 0):
                    log.add(place, f"unknown key {str(key)[:60]!r} of {self.what}; ignored")
        for key, form in self.inner.items():
            if isinstance(value := record.get(key), dict):
                form.check(place, value, log)
        for key, form in self.each.items():
            for _, entry in log.objects(record.get(key), place, form.what):
                form.check(place, entry, log)


def forms(tables: Mapping[str, Mapping[str, Any]]) -> dict[str, Form]:
    """The forms that tables describe, by their names. `needs` and `may` have words for types, or lists of them, and
    `inner`, `each` and `blocks` name forms that stand before."""
    made: dict[str, Form] = {}
    for name, about in tables.items():
        others = frozenset(about["others"]) if about.get("others") is not None else None
        needs, may = ({key: _types(it) for key, it in about.get(part, {}).items()} for part in ("needs", "may"))
        parts = ("inner", "each", "blocks")
        inner, each, blocks = ({key: made[it] for key, it in about.get(part, {}).items()} for part in parts)
        made[name] = Form(about["what"], needs, may, others, inner, each, blocks)
    return made


def _types(words: str | list[str]) -> Types:
    return tuple(one for word in ([words] if isinstance(words, str) else words) for one in TYPES[word])


def _says(value: object, depth: int) -> bool:
    """Whether something is said in a value: a text with a blank in it."""
    if isinstance(value, str):
        return len(value) >= _LEAST and " " in value.strip()
    if depth > _DEEPEST:
        return False
    if isinstance(value, dict):
        return any(_says(inner, depth + 1) for inner in value.values())
    return isinstance(value, list) and any(_says(inner, depth + 1) for inner in value)
