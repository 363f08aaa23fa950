"""Which keys of some records hold the parts of a call and of a result, by their words and by what stands there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from statistics import median
from typing import Any

from analyzer.formats.loading.mapping import words
from analyzer.formats.loading.mapping.reader import ROLES
from analyzer.formats.loading.mapping.survey import Key, pick, survey
from analyzer.formats.loading.mapping.values import value_at, word_at
from analyzer.formats.record.fields import float_or_none
from analyzer.model.rules import CallRule, Paths, ResultRule
from analyzer.text.late import late

Records = list[Mapping[str, Any]]
_PREFIX = late(r"\A([A-Za-z_ ]{2,24}(?:[:/.]|\s))(?=\S)")
_FEW, _FEW_MILLISECONDS = 12, 50
_OTHERS = ("arguments", "results", "texts", "sessions", "lanes", "models", "roles", "statuses")


def call_rule(records: Records, without: Iterable[Paths | None] = (), *, by_shape: bool = False) -> CallRule | None:
    """How the records are calls; None where nothing in them names a tool or a command."""
    keys = survey(records)
    taken = {*without}
    times = {path for path, key in keys.items() if key.mostly(key.times)}
    name = _name(keys, taken | times, len(records))
    command = pick(keys, "commands", lambda key: key.mostly(key.texts) or key.objects == 0, {*taken, name})
    if name is None and by_shape and command is None:
        name = _name_by_shape(keys, taken | times, len(records))
    if name is None and command is None:
        return None
    if command is not None and name is not None and keys[command].count < 0.5 * keys[name].count:
        command = None
    arguments = None
    if command is None or name is not None:
        others = {*taken, name, command, *times}
        arguments = pick(keys, "arguments", lambda key: key.objects >= 0.5 * key.count, others)
        arguments = arguments or pick(
            keys, "arguments", lambda key: not (key.mostly(key.numbers) or key.mostly(key.truths)), others
        )
    if arguments is None and by_shape:
        found = [path for path, key in keys.items() if key.mostly(key.objects) and path not in taken]
        arguments = min(found, key=lambda path: path.count("."), default=None)
    if arguments is not None and command is not None and name is not None:
        command = None
    ident = pick(keys, "ids", lambda key: len(key.words) >= 0.9 * len(records), {*taken, name, arguments})
    return CallRule(
        name=name,
        prefix=_prefix(keys[name]) if name is not None else "",
        tool="shell" if name is None else None,
        arguments=arguments,
        command=command,
        id=ident,
    )


def _name(keys: Mapping[str, Key], taken: set[Paths | None], count: int) -> str | None:
    def fits(key: Key) -> bool:
        if speakers_or_messages(key) or not key.mostly(key.identifiers):
            return False
        described = keys.get(f"{key.path[: -len(key.path.rpartition('.')[2])]}description")
        if described is not None and described.count >= 0.8 * key.count:
            return False  # tools that there are, rather than calls of them
        return key.count >= 0.5 * count and len(key.words) <= max(_FEW, 0.7 * count)

    several = pick(keys, "names", lambda key: fits(key) and len(key.words) > 1, taken)
    return several or pick(keys, "names", lambda key: fits(key) and key.word in words.OF_NAMES, taken)


def speakers_or_messages(key: Key) -> bool:
    """Whether the values say who speaks, or of what sort a message is, rather than which tool is called."""
    said = [word.casefold() for word in key.words]
    speaking = sum(word in ROLES or word.endswith(("message", "messages")) for word in said)
    return speaking >= 0.5 * len(said) if said else False


def _name_by_shape(keys: Mapping[str, Key], taken: set[Paths | None], count: int) -> str | None:
    if any(speakers_or_messages(key) or key.word == "description" for key in keys.values()):
        return None  # a conversation, or a list of what there is
    found = [
        (path.count("."), len(key.words), path)
        for path, key in keys.items()
        if path not in taken
        and key.mostly(key.identifiers)
        and key.count >= 0.8 * count
        and 2 <= len(key.words) <= max(4, 0.7 * count)
        and not ({word.casefold() for word in key.words} <= words.FAILED | words.SUCCEEDED)
        and not any(key.word in words.LISTS[other] for other in _OTHERS)
    ]
    return min(found)[2] if found else None


def _prefix(key: Key) -> str:
    found = {match[1] if (match := _PREFIX.match(word)) else "" for word in key.words}
    return found.pop() if len(found) == 1 and len(key.words) > 1 else ""


def result_rule(
    records: Records, call: CallRule, without: Iterable[Paths | None] = (), *, own: bool, by_shape: bool = False
) -> ResultRule | None:
    """How the records are results, the calls' own ones or those that answer them; None where nothing says so."""
    keys = survey(records)
    given = {call.arguments} if isinstance(call.arguments, str) else set()
    taken: set[Paths | None] = {*without, call.id, call.name, call.command, *given}
    taken |= {path for path, key in keys.items() if key.mostly(key.times)}
    if isinstance(call.arguments, str) and own:
        taken |= {
            path for path in keys if path.startswith(f"{call.arguments}.") or call.arguments.startswith(f"{path}.")
        }
    found: dict[str, str | None] = {}
    for name, (listed, fits) in _PARTS_OF_RESULT.items():
        found[name] = pick(keys, listed, fits, {*taken, *found.values()})
    if found["text"] is None and by_shape:
        long = [path for path, key in keys.items() if key.mostly(key.texts) and path not in {*taken, *found.values()}]
        long = [path for path in long if keys[path].length > 6 * keys[path].count]
        found["text"] = max(long, key=lambda path: keys[path].length / keys[path].count, default=None)
        if found["status"] is None:
            found["status"] = next((path for path, key in keys.items() if path not in taken and _ends(key)), None)
    status = found["status"]
    if all(path is None for name, path in found.items() if name != "status") and (own or status is None):
        return None
    said = {word.casefold(): word for word in (keys[status].words if status is not None else ())}
    milliseconds, seconds = _spans(keys, {*taken, *found.values()}, records)
    end = pick(keys, "ends", lambda key: key.mostly(key.times), without) if own else None
    rule = ResultRule(
        id=None if own else _answering(keys, call, records),
        name=call.name if not own and call.name in keys else None,
        failed=tuple(said[word] for word in sorted(said.keys() & words.FAILED)),
        succeeded=tuple(said[word] for word in sorted(said.keys() & words.SUCCEEDED)),
        seconds=seconds,
        milliseconds=milliseconds,
        end=end if seconds is None and milliseconds is None else None,
    )
    return rule.model_copy(update=found)


def _ends(key: Key) -> bool:
    said = {word.casefold() for word in key.words}
    return bool(said & (words.FAILED | words.SUCCEEDED)) and not key.mostly(key.truths) and len(said) < 12


_PARTS_OF_RESULT: dict[str, tuple[str, Callable[[Key], bool]]] = {
    "error": ("errors", lambda key: not key.mostly(key.numbers)),
    "success": ("successes", lambda key: key.mostly(key.truths)),
    "exit_code": ("exit_codes", lambda key: key.mostly(key.numbers)),
    "status": ("statuses", _ends),
    "text": ("results", lambda key: not key.mostly(key.truths)),
}
"""The parts of a result in the order in which they're looked for, their words, and which keys fit."""


def _answering(keys: Mapping[str, Key], call: CallRule, records: Records) -> Paths | None:
    if call.id is None or call.id in keys:
        return call.id
    return pick(keys, "ids", lambda key: len(key.words) >= 0.9 * len(records))


def _spans(keys: Mapping[str, Key], taken: set[Paths | None], records: Records) -> tuple[str | None, str | None]:
    """The keys of durations in milliseconds and in seconds."""
    milliseconds = pick(keys, "milliseconds", lambda key: key.mostly(key.numbers), taken)
    seconds = pick(keys, "seconds", lambda key: key.mostly(key.numbers), taken) if milliseconds is None else None
    if seconds is None:
        return milliseconds, None
    found = [number for record in records if (number := float_or_none(value_at(record, seconds))) is not None]
    whole = all(number.is_integer() for number in found)
    return (seconds, None) if whole and median(found) >= _FEW_MILLISECONDS else (None, seconds)


def shares_ids(calls: Records, replies: Records, call: CallRule, reply_id: Paths) -> bool:
    """Whether the ids of the replies are mostly those of calls."""
    if call.id is None:
        return False
    known = {word_at(record, call.id) for record in calls} - {None}
    given = [word_at(record, reply_id) for record in replies]
    return bool(given) and sum(word in known for word in given) >= 0.5 * len(given)
