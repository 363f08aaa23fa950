"""What a log holds besides calls and results: times, sessions, messages, the task, the model, tokens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice, pairwise
from typing import Any

from analyzer.formats.loading.mapping import words
from analyzer.formats.loading.mapping.format import is_call
from analyzer.formats.loading.mapping.guesses import Records
from analyzer.formats.loading.mapping.reader import ROLES
from analyzer.formats.loading.mapping.rows import KEY_OF_OBJECT, Row
from analyzer.formats.loading.mapping.survey import Key, pick, survey
from analyzer.formats.loading.mapping.values import holds, value_at, word_at
from analyzer.formats.record.fields import parse_time
from analyzer.model.mapping import LogMapping
from analyzer.model.rules import MessageRule, Paths, UsageRule
from analyzer.text.names import names

_MOST_SORTS, _FEWEST_RECORDS = 30, 2
_DEEPEST, _LOOKED_AT, _LONGEST = 8, 5, 120
_OF_OBJECT = names("name id model model_name model_id identifier")


def with_the_rest(mapping: LogMapping, found: list[Row]) -> LogMapping:
    """The mapping with all that its records hold besides calls and results."""
    records: Records = [row.value for row in found]
    around: Records = [value for row in found for value in row.around]
    keys, outer = survey(records), survey(around)
    calls: Records = [record for record in records if is_call(record, mapping.call)]
    taken = _taken(mapping)
    time = pick(survey(calls), "times", lambda key: key.mostly(key.times), taken)
    time = time or pick(outer, "times", lambda key: key.mostly(key.times))
    several = not isinstance(mapping.log.records, str)
    moments = [moment for record in calls if (moment := parse_time(value_at(record, time))) is not None]
    unordered = any(later < earlier for earlier, later in pairwise(moments))
    log = mapping.log.model_copy(
        update={
            "time": time,
            "order": "time" if time is not None and (several or unordered) else "file",
            "session": _session(keys, found, mapping),
            "solved": pick(outer, "solved", lambda key: key.mostly(key.truths) or _identifies(key)),
            "score": pick(outer, "scores", lambda key: key.mostly(key.numbers)),
            "model": pick(keys, "models", _identifies, taken)
            or pick(outer, "models", _identifies)
            or _model_of([*around, *(record for record in records if not is_call(record, mapping.call))]),
        }
    )
    answer = mapping.result.when if mapping.result is not None else {}
    rest: Records = [
        record for record in records if not is_call(record, mapping.call) and not (answer and holds(record, answer))
    ]
    messages = tuple(_messages(rest, calls, taken, mapping))
    if not any(rule.role == "user" or rule.role_key for rule in messages):
        beside, loose = survey(around), survey(rest)
        task = pick(beside, "tasks", _is_said) or pick(loose, "tasks", _is_said)
        log = log.model_copy(update={"task": task})
    return mapping.model_copy(update={"log": log, "message": messages, "usage": _usage(keys)})


def _identifies(key: Key) -> bool:
    return key.mostly(key.texts) and len(key.words) <= max(2, key.count // 2)


def _is_said(key: Key) -> bool:
    return key.mostly(key.texts) and not key.mostly(key.times) and key.length >= 8 * key.count


def _taken(mapping: LogMapping) -> set[Paths | None]:
    call, result = mapping.call, mapping.result
    given = {call.arguments} if isinstance(call.arguments, str) else set(call.arguments or ())
    taken: set[Paths | None] = {call.name, call.command, call.id, *given, *call.when}
    if result is not None:
        taken |= {result.text, result.error, result.status, result.id, result.end, *result.when}
    return taken


def _session(keys: dict[str, Key], found: list[Row], mapping: LogMapping) -> str | None:
    """The key that separates sessions: it has few values, each in several records."""

    def separates(key: Key) -> bool:
        return key.count >= 0.8 * len(found) and 1 <= len(key.words) <= max(1, len(found) // _FEWEST_RECORDS - 1)

    result = mapping.result
    ids = {mapping.call.id, result.id if result is not None else None, mapping.call.name}
    own = pick(keys, "sessions", separates, ids)
    if own is None and any(KEY_OF_OBJECT in value for row in found for value in row.around):
        return KEY_OF_OBJECT
    return own or _of_the_objects_around(found, keys)


def _of_the_objects_around(found: list[Row], nearer: dict[str, Key]) -> str | None:
    """The key that names the objects around the records, of the outermost of which there are several."""
    depth = min((len(row.around) for row in found), default=0)
    for level in range(1, depth + 1):
        values = {id(row.around[-level]): row.around[-level] for row in found}
        inner = survey(value for row in found for value in row.around[:-level])
        taken = {path for path in (*words.LISTS["ids_of_sessions"], "name") if path in nearer or path in inner}
        outer = {
            path: key for path, key in survey(values.values()).items() if key.count == len(key.words) == len(values)
        }
        named = pick(outer, "ids_of_sessions", lambda key: key.count > 0, taken)
        if named is not None:
            return named
    return None


def _model_of(values: Iterable[Mapping[str, Any]]) -> str | None:
    """The path of the model's name in a configuration, the one nearest to the top; None where there is none, or where
    objects equally near to the top name several models, as where each agent of a team has its own."""
    level: dict[tuple[str, int], Any] = {("", id(value)): value for value in values}
    for _ in range(_DEEPEST):
        found: set[tuple[str, str]] = set()
        deeper: dict[tuple[str, int], Any] = {}
        for (prefix, _id), value in level.items():
            entries = enumerate(value[:_LOOKED_AT]) if isinstance(value, list) else value.items()
            for key, inner in entries:
                if "." in str(key):
                    continue
                path, about = f"{prefix}{key}", inner if isinstance(inner, dict) else {}
                named = {path: inner, **{f"{path}.{name}": about.get(name) for name in _OF_OBJECT}}
                if words.spelled(path) in words.LISTS["models"]:
                    texts = ((way, text) for way, text in named.items() if isinstance(text, str))
                    names = (one for one in texts if 0 < len(one[1]) <= _LONGEST and " " not in one[1].strip())
                    found |= set(islice(names, 1))
                if isinstance(inner, dict | list):
                    deeper[f"{path}.", id(inner)] = inner
        if found:
            return min(path for path, _ in found) if len({name for _, name in found}) == 1 else None
        level = deeper
    return None


def _messages(rest: Records, calls: Records, taken: set[Paths | None], mapping: LogMapping) -> Iterator[MessageRule]:
    for path, key in survey(calls).items():
        if words.SAYS["thoughts"].search(key.word) and _is_said(key) and path not in taken:
            yield MessageRule(text=path, role="assistant", thought=True)
            break
    keys = survey(rest)
    role = pick(keys, "roles", lambda key: any(word.casefold() in ROLES for word in key.words))
    text = pick(keys, "texts", lambda key: key.texts > 0, {role})
    if role is not None and text is not None:
        yield MessageRule(
            when={role: [word for word in keys[role].words if word.casefold() in ROLES]}, text=text, role_key=role
        )
        return
    sort = next(iter(mapping.call.when), None) or pick(keys, "sorts", lambda key: len(key.words) <= _MOST_SORTS)
    for word in keys[sort].words if sort is not None and sort in keys else ():
        said = survey(record for record in rest if sort is not None and word_at(record, sort) == word)
        text = pick(said, "texts", lambda key: key.mostly(key.texts), {sort})
        if sort is None or text is None:
            continue
        if words.SAYS["thoughts"].search(word):
            yield MessageRule(when={sort: word}, text=text, role="assistant", thought=True)
        elif words.SAYS["users"].search(word):
            yield MessageRule(when={sort: word}, text=text, role="user")
        elif words.SAYS["agents"].search(word) and not word.casefold().endswith(("start", "request", "begin")):
            yield MessageRule(when={sort: word}, text=text, role="assistant")


def _usage(keys: dict[str, Key]) -> UsageRule | None:
    of = ("sent", "received", "costs")
    sent, got, cost = (pick(keys, listed, lambda key: key.mostly(key.numbers)) for listed in of)
    return UsageRule(input=sent, output=got, cost=cost) if sent or got or cost else None
