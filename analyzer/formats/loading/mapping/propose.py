"""Propose how to read a log that nobody but its author knows.

Every place where its records may be, and every key by which they may say of what sort they are, gives a proposal; each
is tried on the log itself, and the one that reads the most complete calls is the answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

from analyzer.formats.container.document import Document
from analyzer.formats.loading.mapping import words
from analyzer.formats.loading.mapping.besides import with_the_rest
from analyzer.formats.loading.mapping.format import Mapped
from analyzer.formats.loading.mapping.guesses import Records, call_rule, result_rule, shares_ids
from analyzer.formats.loading.mapping.places import places
from analyzer.formats.loading.mapping.rows import Row, first_rows
from analyzer.formats.loading.mapping.survey import survey
from analyzer.formats.loading.mapping.values import value_at, word_at
from analyzer.model.mapping import LogMapping
from analyzer.model.rules import CallRule, ResultRule
from analyzer.model.session import ToolCall, ToolResult

_LOOKED_AT, _MOST_SORTS, _ENOUGH = 400, 30, 60
_PLAIN, _SORTED, _SORTED_TOOLS = 0, 1, 2


_Proposal = tuple[CallRule, ResultRule | None, int]
"""How calls and results are read, and how sure their sorts make it that these are calls."""


def propose(document: Document) -> LogMapping | None:
    """Return the mapping that reads the document best; None where no record looks like a call of a tool."""
    best: tuple[float, LogMapping] | None = None
    for by_shape in (False, True):
        for rule in places(document):
            found = list(first_rows(document, rule, _LOOKED_AT))
            for call, result, rank in _proposals([row.value for row in found], by_shape=by_shape):
                mapping = LogMapping(log=rule, call=call, result=result)
                score = _score(mapping, found, rank)
                if score > 0 and (best is None or score > best[0]):
                    best = score, with_the_rest(mapping, found)
        if best is not None:
            return best[1]
    return None


def _proposals(records: Records, *, by_shape: bool) -> Iterator[_Proposal]:
    if len(records) < 2:
        return
    yield from _of_one_sort(records, by_shape=by_shape)
    if by_shape:
        return
    for path, key in survey(records).items():
        if key.word in words.LISTS["names"]:
            yield from _of_prefixes(records, path, list(key.words))
        if key.word in words.LISTS["sorts"] and 1 <= len(key.words) <= _MOST_SORTS:
            yield from _of_sorts(records, path, list(key.words))


def _of_one_sort(records: Records, *, by_shape: bool) -> Iterator[_Proposal]:
    """Every record with a tool's name is a call with its result; or those without one answer the others."""
    call = call_rule(records, by_shape=by_shape)
    if call is None:
        return
    key = call.name or call.command
    with_name = [record for record in records if key and value_at(record, key) is not None]
    without = [record for record in records if key and value_at(record, key) is None]
    own_result = result_rule(with_name, call, own=True, by_shape=by_shape)
    if own_result is not None or not by_shape:
        yield call, own_result, _PLAIN
    if key is not None and with_name and without:
        own = call_rule(with_name)
        reply = result_rule(without, own, own=False) if own is not None else None
        if own is not None and reply is not None and reply.id and shares_ids(with_name, without, own, reply.id):
            reply = reply.model_copy(update={"when": {key: False}})
            yield own.model_copy(update={"when": {key: True}}), reply, _PLAIN


def _of_sorts(records: Records, path: str, sorts: list[str]) -> Iterator[_Proposal]:
    """Records of some sorts are calls, and those of others may be results."""
    replies = [sort for sort in sorts if words.SAYS["replies"].search(sort)]
    called = [sort for sort in sorts if words.SAYS["calls"].search(sort) and sort not in replies]
    called = [sort for sort in called if not words.SAYS["of_the_model"].search(sort) or "tool" in sort.casefold()]
    if not called:
        return
    named = " ".join(called).casefold()
    rank = _SORTED_TOOLS if any(word in named for word in ("tool", "function", "action", "command")) else _SORTED
    calls, answers = ([row for row in records if word_at(row, path) in sorts] for sorts in (called, replies))
    call = call_rule(calls, {path})
    if call is None:
        return
    call = call.model_copy(update={"when": {path: _one_or_list(called)}})
    yield call, result_rule(calls, call, {path}, own=True), rank
    if answers:
        reply = result_rule(answers, call, {path}, own=False) or ResultRule(name=call.name)
        yield call, _with_sort(reply, path, replies), rank
    others = [record for record in records if word_at(record, path) not in called]
    answer = result_rule(others, call, {path}, own=False) if others else None
    if answer is not None and answer.id is not None and (answer.text or answer.error):
        unsorted = [record for record in others if value_at(record, path) is None]
        if shares_ids(calls, unsorted, call, answer.id):
            yield call, answer.model_copy(update={"when": {answer.id: True, path: False}}), rank


def _of_prefixes(records: Records, path: str, names: list[str]) -> Iterator[_Proposal]:
    """Names such as `tool:search` beside `llm:...`: those of tools say so at the beginning."""
    for prefix in sorted({name[: at + 1] for name in names for at in range(len(name)) if name[at] in ":/. "}):
        if not words.SAYS["of_tools"].match(prefix):
            continue
        calls = [record for record in records if str(value_at(record, path)).startswith(prefix)]
        found = call_rule([{**record, "tool_name": prefix.strip(":/. ")} for record in calls], {path})
        if found is not None:
            call = found.model_copy(update={"when": {path: f"{prefix}*"}, "name": path, "prefix": prefix})
            yield call, result_rule(calls, call, own=True), _SORTED_TOOLS


def _with_sort(reply: ResultRule, path: str, replies: list[str]) -> ResultRule:
    """The rule for those sorts; where nothing else says that a call failed, the sort may."""
    update: dict[str, object] = {"when": {path: _one_or_list(replies)}}
    failing = tuple(sort for sort in replies if any(word in sort.casefold() for word in ("error", "fail")))
    if failing and reply.status is None and reply.success is None:
        update |= {"status": path, "failed": failing}
    return reply.model_copy(update=update)


def _one_or_list(sorts: list[str]) -> str | list[str]:
    return sorts[0] if len(sorts) == 1 else sorts


def _score(mapping: LogMapping, found: list[Row], rank: int) -> float:
    """How complete the calls are that a mapping reads: with arguments, and with results that say anything."""
    events = [event for session in Mapped(mapping).sessions(found, "") for event in session.events]
    calls = [event for event in events if isinstance(event, ToolCall)]
    results = [event for event in events if isinstance(event, ToolResult) and event.call_id is not None]
    if len(calls) < 2:
        return 0.0
    given = sum(bool(call.arguments) and call.name != "unknown" for call in calls) / len(calls)
    said = sum(bool(result.text) or result.is_error is not None for result in results) / len(calls)
    complete = given + 2 * min(said, 1.0)
    if complete < 1:
        return 0.0
    sure = rank if complete >= 1.5 else 0
    return complete * sqrt(min(len(calls), _ENOUGH)) * (1 + 2 * sure)
