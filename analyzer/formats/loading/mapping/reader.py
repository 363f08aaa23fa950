"""Records read by declared rules: of the rules for a kind of object the first that applies says what the object is, and
by which rules the objects within it are read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from typing import Any

from analyzer.formats.loading.mapping import values
from analyzer.formats.loading.mapping.rows import Row
from analyzer.formats.loading.mapping.values import fulfils, holds, string_at, text_at, value_at, word_at
from analyzer.formats.record.chat_messages import ROLES as _ROLES
from analyzer.formats.record.fields import int_or_none, json_or_none
from analyzer.formats.record.reader import RecordReader
from analyzer.formats.record.usage import asked_by, cost_or_none
from analyzer.formats.record.warnings import Form, forms
from analyzer.model.mapping import LogMapping
from analyzer.model.rules import CallRule, Condition, EndRule, KindRule, MessageRule, Paths, ResultRule, Rule, UsageRule
from analyzer.model.session import Compaction, Message, Role, Session, Tokens, ToolCall, ToolResult
from analyzer.model.struct import Struct
from analyzer.model.words import MAIN_LANE

ROLES: dict[str, Role] = {**_ROLES, "customer": "user", "agent": "assistant", "bot": "assistant"}
"""The usual words for who said a message."""


_MOST_KINDS = 1_000
Forms = tuple[tuple[str | None, Form], ...]


class _Plan(Struct, frozen=True):
    """A rule for objects of a kind: what else they must fulfil, and the forms that they must have."""

    rule: Rule
    when: Condition
    forms: Forms


class Rules:
    """The rules of a mapping by what they read and by the kinds that they're for."""

    def __init__(self, mapping: LogMapping) -> None:
        self.mapping = mapping
        self.kinds = {"record": KindRule(), **mapping.kind}
        self._forms: dict[int, Forms] = {
            id(rule): tuple((form.at, forms({"": form.model_dump()})[""]) for form in rule.form)
            for rules in mapping.rules.values()
            for rule in rules
        }
        self._of_kind: dict[tuple[str, str | None], tuple[_Plan, ...]] = {}

    def of(self, name: str, kind: str | None) -> tuple[_Plan, ...]:
        """The rules of a name that may apply to an object of a kind."""
        found = self._of_kind.get((name, kind))
        if found is None:
            about = self.kinds.get(name)
            key = about.key if about is not None and kind is not None else ""
            found = tuple(
                _Plan(rule, {way: rule.when[way] for way in rule.when if way != key}, self._forms[id(rule)])
                for rule in self.mapping.rules.get(name, ())
                if key not in rule.when or fulfils(kind, rule.when[key])
            )
            if len(self._of_kind) < _MOST_KINDS:
                self._of_kind[name, kind] = found
        return found


class RuleReader(RecordReader):
    """Fills a session with what the rules say of each record. A format whose records need more than rules inherits from
    it; a rule names the method that it calls with `hook`, in which `last_call` and `last_result` are those that rules
    made last."""

    last_call: ToolCall
    last_result: ToolResult

    def __init__(self, session: Session, rules: Rules) -> None:
        super().__init__(session)
        self.rules = rules
        self.time: float | None = None
        self.lane = MAIN_LANE
        self.batch: str | None = None
        self.calls: dict[str | None, ToolCall] = {}
        """The calls by their ids."""
        self._answered: set[str | None] = set()
        self._copied_at: float | None = None
        self._heard_ids: set[str | None] = set()
        self._unnamed = rules.mapping.format is None
        """Whether ids are only used to join results, since they may be used again."""
        self._open: list[tuple[str, str, str | None]] = []

    def take(self, place: str, record: dict[str, Any]) -> None:
        """Take in one record."""
        row = Row(place, record)
        self.batch, self.time, self.lane = None, self.time_of(row), self.lane_of(row)
        self.apply("record", row)
        if self.session.copied_from is not None and self.time is not None:
            # A copy keeps its own time, which is before that of the record that names where it's from.
            self._copied_at = self.time if self._copied_at is None else self._copied_at
            self.copied = len(self.session.events) if self.time < self._copied_at else self.copied

    def about(self, facts: dict[str, Any]) -> None:
        """Take in what a file holds beside the records."""
        if facts:
            self.apply("beside", Row("beside", facts))

    def time_of(self, row: Row) -> float | None:
        """When a record was made."""
        return self.clock(*self._values(row, self.rules.mapping.log.time or ()))

    def _values(self, row: Row, paths: Paths) -> Iterator[Any]:
        return (value_at(row, path) for path in ((paths,) if isinstance(paths, str) else paths))

    def lane_of(self, row: Row) -> str:
        """The lane of a record."""
        return self.branch or word_at(row, self.rules.mapping.log.lane) or MAIN_LANE

    def apply(self, name: str, row: Row) -> None:
        """Read an object by the first of some rules that applies; one to which none does is remarked on."""
        about = self.rules.kinds.get(name)
        kind = value_at(row, about.key) if about is not None else None
        for plan in self.rules.of(name, kind if isinstance(kind, str) else None):
            rule = plan.rule
            if holds(row, plan.when) and not (rule.unless is not None and holds(row, rule.unless)):
                self._act(rule, plan.forms, row)
                if not rule.also:
                    return
        if about is None:
            self.log.add(row.place, f"{_a(name)} that no rule is for; skipped")
        elif not any(fnmatchcase(str(kind), word) for word in about.silent):
            self.unknown(row.place, about.name, kind)

    def _act(self, rule: Rule, forms: Forms, row: Row) -> None:
        session, first = self.session, len(self.session.events)
        for at, form in forms:
            if isinstance(held := value_at(row, at) if at else row.value, dict):
                form.check(row.place, held, self.log)
        if rule.warn is not None:
            self.log.add(row.place, _filled(rule.warn, row))
        if rule.time is not None:
            self.time = self.clock(*self._values(row, rule.time))
        for field, path in rule.session.items():
            known = getattr(session, field)
            setattr(session, field, known if known and rule.keep else string_at(row, path) or known)
        for label, path in rule.about.items():
            if text := string_at(row, path):
                session.environment.setdefault(label, text)
        model, main = string_at(row, rule.model), self.lane == MAIN_LANE
        if rule.answer:
            self.answers += main
            self.batch = string_at(row, rule.batch) or row.place
        if rule.goes_on and main:
            self.ended()
        session.model = model if model is not None and main else session.model
        if rule.usage is not None:
            self.spent(rule.usage, row)
        if rule.compaction is not None:
            before, after = (int_or_none(value_at(row, rule.compaction.get(key))) for key in ("before", "after"))
            session.events.append(Compaction(self.time, self.lane, tokens_before=before, tokens_after=after))
        for message in rule.message:
            self.message(message, row)
        call = self.called(rule.call, row) if rule.call is not None else None
        if rule.result is not None and holds(row, rule.result.when):
            self.returned(rule.result, row, call)
        if rule.end is not None and not self.branch:
            self._end(rule.end, row)
        if rule.hook is not None:
            hook: Callable[[Row], None] = getattr(self, rule.hook)
            hook(row)
        for path, name in rule.each.items():
            self.read_parts(path, name, row)
        asked_by(session.events, first, model)

    def read_parts(self, path: str, name: str, row: Row) -> None:
        """Read the objects at a path; a text in place of one is one of the type `text`, where types tell them apart."""
        inner, about, kind = value_at(row, path), self.rules.mapping.format, self.rules.kinds.get(name)
        typed = kind is not None and kind.key == "type"
        numbered = about is not None and about.whole and not row.around
        for number, part in enumerate(inner if isinstance(inner, list) else [] if inner is None else [inner], 1):
            place = f"{name} {number}" if numbered else row.place
            value = {"type": "text", "text": part} if typed and isinstance(part, str) else part
            if isinstance(value, dict):
                self.apply(name, Row(place, value, (row.value, *row.around)))
            else:
                self.log.wrong_type(place, part, _a(name))

    def spent(self, rule: UsageRule, row: Row) -> bool:
        """What a call of the model used; whether anything is counted."""
        tokens = values.tokens_of(row, rule)
        if rule.whole:
            self.session.tokens = tokens
            return True
        # A cost of zero stands for a model whose price isn't known.
        cost = cost_or_none(value_at(row, rule.cost)) or None
        if counted := tokens != Tokens() or cost is not None:
            self.meter.spent(tokens, cost, lane=self.lane, name=word_at(row, rule.once))
        return counted

    def message(self, rule: MessageRule, row: Row) -> bool:
        """What somebody says; whether anything is said, by somebody known."""
        text = text_at(row, rule.text)
        role = rule.role or ROLES.get((word_at(row, rule.role_key) or "assistant").casefold())
        ident = word_at(row, rule.once)
        if role is None or not text.strip():
            return False
        if ident is not None and ident in self._heard_ids:
            return True
        self._heard_ids.add(ident)
        prefix, aside = rule.harness_prefix, self.lane != MAIN_LANE and not self.branch
        if role == "user" and (aside or (prefix and text.lstrip().startswith(prefix))):
            role = "harness"
        if role == "user" and not self.branch:
            self.heard(text, self.time)
        else:
            thought = rule.thought or value_at(row, rule.thought_key) is True
            self.session.say(Message(role, text, self.time, self.lane, thought, failed=rule.failed))
        return True

    def called(self, rule: CallRule, row: Row) -> ToolCall | None:
        """A call; one that is recorded again is the same."""
        ident = string_at(row, rule.id)
        look = word_at if self._unnamed else string_at
        tool = look(row, rule.name) if rule.name is not None else rule.tool or "shell"
        name = tool.removeprefix(rule.prefix).strip() if tool is not None else None
        if rule.once and (known := self.recorded(ident, name)) is not None:
            return known
        recorded = word_at(row, rule.id)
        if self._unnamed or rule.id is None:
            ident = self.numbered("call-")
            self._open.append((ident, tool or "unknown", recorded))
        call = self.call(row.place, ident, name, values.arguments(row, rule), self.time, self.lane, self.batch)
        self.last_call, call.task_done = call, call.name in rule.ends
        if ident is not None:
            self.calls[ident] = call
        return call

    def recorded(self, ident: str | None, name: str | None) -> ToolCall | None:
        """The call of an id that was recorded before, unless it's one of another tool."""
        known = self.calls.get(ident)
        return known if known is not None and name in (None, known.name) else None

    def waiting(self, rule: ResultRule, row: Row) -> str | None:
        """The open call to which a result belongs: by its id, by the tool's name, or the one that waits longest."""
        recorded, name = word_at(row, rule.id), word_at(row, rule.name)
        for position, (ident, tool, given) in enumerate(self._open):
            by_id = recorded is not None and given is not None
            if recorded == given if by_id else name is None or tool == name:
                del self._open[position]
                return ident
        self.log.add("results", "a result without a call that it belongs to")
        return None

    def returned(self, rule: ResultRule, row: Row, call: ToolCall | None = None) -> ToolResult | None:
        """What came back for a call. When it came back isn't known where the record is the call's own."""
        if call is not None:
            ident = call.id
            self._open = [entry for entry in self._open if entry[0] != ident]
        else:
            ident = self.waiting(rule, row) if self._unnamed or rule.id is None else string_at(row, rule.id)
        if rule.once and ident is not None and ident in self._answered:
            return None
        self._answered.add(ident)
        self.last_result = result = self.result(ident, "", values.failed(row, rule), self.time, self.lane)
        result.text, result.mark = values.result_text(row, rule), rule.mark
        result.exit_code = int_or_none(value_at(row, rule.exit_code))
        result.error_type, result.duration = string_at(row, rule.error_type), values.duration(row, rule, self.time)
        if call is not None:
            start = call.time
            result.time = start + result.duration if start is not None and result.duration is not None else None
            self.clock(result.time)
        if rule.exit_text is not None and result.exit_code is None and result.is_error is True:
            found = rule.exit_text.search(result.text)
            code = found[min(1, found.re.groups)] if found is not None else None
            result.exit_code = int_or_none(json_or_none(code or ""))
        if rule.code_outranks and result.exit_code is not None and result.is_error is False:
            result.is_error = None  # The flag speaks of the tool, the code of the command.
        return result

    def _end(self, rule: EndRule, row: Row) -> None:
        status = string_at(row, rule.status)
        ending = rule.ending or rule.endings.get(status or "")
        detail = string_at(row, rule.detail) or rule.details.get(status or "", rule.otherwise)
        self.ended(status, ending, detail)


def _filled(text: str, row: Row) -> str:
    """A text with what the row holds in the place of keys in braces."""
    head, *parts = text.split("{")
    keys = (part.partition("}") for part in parts)
    return head + "".join(f"{str(value_at(row, key))[:60]}{after}" for key, _, after in keys)


def _a(name: str) -> str:
    return f"{'an' if name.startswith(tuple('aeiou')) else 'a'} {name}"
