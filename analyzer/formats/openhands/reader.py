"""What the readers of OpenHands' events share: how answers are counted, what its metrics say that the models
used (totals so far, and the usage of single answers by the answer's id), and what an evaluation says about the end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.formats.container.document import Document, Record
from analyzer.formats.loading.interface import FileLog
from analyzer.formats.loading.mapping.values import value_at
from analyzer.formats.record.fields import dict_of, float_or_none, int_or_none, list_of, str_or_none, text_of
from analyzer.formats.record.reader import RecordReader
from analyzer.formats.record.records import records_of
from analyzer.formats.record.token_counts import RunningTotal, of_api
from analyzer.formats.record.usage import cost_or_none
from analyzer.model.session import Session, Tokens, ToolResult, Usage
from analyzer.model.words import Ending, Mark

AGENT = "OpenHands"
_DIGITS = 10
_UNENDED = -1
"""The exit code of a command that hasn't ended."""


class OpenHandsReader(RecordReader):
    """Goes through one session's events once. `replies` are the ids of the model's answers, `shares` what each used."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.replies: set[str] = set()
        self.rising: RunningTotal | None = None
        """The totals that are repeated with the events, where any were met."""
        self._cost = 0.0
        self.shares: dict[str, Usage] = {}

    def answered(self, reply: str | None) -> None:
        """Count an answer of the model, once however many calls it asks for."""
        if reply is None:
            self.answers += 1
        else:
            self.replies.add(reply)

    def came(self, call: str | None, text: str, seen: dict[str, Any], time: float | None, *, late: bool) -> ToolResult:
        """What came back for a call, with what is said of its command, which was `late` where it ran out of time."""
        metadata = dict_of(seen.get("metadata"))
        code = int_or_none(value_at(seen, ("metadata.exit_code", "exit_code")))
        suffix = text_of(metadata.get("suffix")).strip()
        if code == _UNENDED and not late and suffix not in text:
            text = f"{text}\n{suffix}".lstrip("\n")  # it says that the command runs on
        result = self.result(call, text, time=time)
        result.exit_code = None if code == _UNENDED else code
        result.mark = Mark.TIMEOUT if late else None
        self.place(metadata, working_dir="working directory")
        return result

    def rose(self, total: Usage, *, since: int | None = None, answers: int = 1) -> None:
        """Take in the totals so far: what they rose by was used for the calls since the last rise, or from the event
        `since` on. `answers` is how many answers of the model the rise is made of: of several nobody knows which used
        what, so that no call is given any of it."""
        if not total.tokens.input and not total.tokens.output and not total.cost_usd:
            return
        self.rising = self.rising or RunningTotal()
        cost, before = total.cost_usd, self._cost
        self._cost = before if cost is None else cost
        cost = cost - before if cost is not None and cost >= before else cost
        tokens = self.rising.take(total.tokens)
        if answers <= 1:
            self.meter.spent(tokens, round(cost, _DIGITS) if cost else None, since=since)

    def give(self, answers: dict[str, Usage]) -> None:
        """Give the first call of each answer what the answer used, where the answers are known by their ids, else what
        the totals rose by."""
        left = dict(answers)
        for call in self.session.calls():
            if call.batch in left:
                call.usage = left.pop(call.batch)
        if not answers:
            self.meter.settle()

    def close(self) -> None:
        """Store the counts that are known at the end."""
        self.session.user_messages = self.users
        self.session.assistant_messages = self.answers + len(self.replies)
        self.session.warnings += self.log.warnings()


def instances(document: Document, log: FileLog, *keys: str) -> Iterator[Record]:
    """The lines of an evaluation's output, which have these keys."""
    for record in records_of(document, log.damage):
        if record.value.keys() >= set(keys):
            yield record
        else:
            log.add(record.place, "no evaluated instance; skipped")


def take_verdict(session: Session, record: dict[str, Any], reason: str | None = None) -> None:
    """Take in the error that ended the run (`reason`, where the record names none), and whether it solved its task,
    which outweighs the error."""
    told = str_or_none(record.get("error"))
    session.recorded_status = told or session.recorded_status
    tests = dict_of(record.get("test_result"))
    report = dict_of(record.get("report")) or dict_of(tests.get("report"))
    total, reached = (float_or_none(value_at(tests, f"final_score.{key}")) for key in ("total", "result"))
    solved = report.get("resolved")
    if (error := told or reason) and solved is not True:
        session.ending, session.ending_detail = ending_of(error), error
    if solved is None and total and reached is not None:
        solved = reached >= total
        session.ending_detail = session.ending_detail or f"{reached:g} of {total:g} checks passed"
    if solved is None and not report and isinstance(record.get("success"), bool):
        solved = record["success"] if session.ending in {None, Ending.SUBMITTED} else None
        explained = text_of(record.get("result_explanation")).strip().strip('[]"')
        if solved is not None:
            session.ending_detail = f"the resolver's own judge says so{f': {explained[:300]}' if explained else ''}"
    if solved is True:
        session.ending = Ending.SOLVED
    elif solved is False and session.ending in {None, Ending.SUBMITTED}:
        session.ending = Ending.UNSOLVED


def ending_of(error: str) -> Ending:
    """How a run ended that was broken off with this error."""
    lowered = error.lower()
    limited = any(word in lowered for word in ("maximum iteration", "maxiteration", "budget"))
    return Ending.LIMIT if limited else Ending.STUCK if "stuck" in lowered else Ending.CRASHED


def total_of(metrics: dict[str, Any]) -> Usage:
    """Return the totals so far. A cost of zero stands for a model whose price the harness doesn't know."""
    cost = cost_or_none(metrics.get("accumulated_cost")) or None
    return Usage(_tokens(dict_of(metrics.get("accumulated_token_usage"))), cost)


def answers_of(metrics: dict[str, Any]) -> dict[str, Usage]:
    """Return the usage of single answers by their id. Costs name no answer: they are used where there's one for
    each."""
    listed = list(map(dict_of, list_of(metrics.get("token_usages"))))
    costs = [cost_or_none(dict_of(cost).get("cost")) for cost in list_of(metrics.get("costs"))]
    prices = costs if len(costs) == len(listed) else [None] * len(listed)
    pairs = ((str_or_none(usage.get("response_id")), usage, price) for usage, price in zip(listed, prices, strict=True))
    return {answer: Usage(_tokens(usage), price or None) for answer, usage, price in pairs if answer}


def answer_of(response: dict[str, Any]) -> Usage | None:
    """Return what a recorded answer of a model's API says that it used, None where it says nothing."""
    tokens = of_api(dict_of(response.get("usage")))
    return Usage(tokens) if tokens.input is not None or tokens.output is not None else None


def wanted_of(arguments: dict[str, Any], others: frozenset[str]) -> dict[str, Any]:
    """Return the arguments of a call without those that the harness adds or leaves unset."""
    given = {key: value for key, value in arguments.items() if key not in others}
    return {key: value for key, value in given.items() if value is not None and value is not False}


def _tokens(usage: dict[str, Any]) -> Tokens:
    return Tokens(*(int_or_none(usage.get(f"{kind}_tokens")) for kind in ("prompt", "completion", "cache_read")))
