"""Logs that agents' own programs write, without a format: records that name a tool or an action, with what it was given
and what came back, wherever they stand.

Lists of steps, events with a call within, calls beside what was said: which key holds what is known by the usual words.
Of several lists beside each other the first that names actions counts; what is left out is named.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from analyzer.formats.container.document import MISSING, Document
from analyzer.formats.loading.interface import FileLog, SessionsFormat, described, expressions_of, words_of
from analyzer.formats.loading.mapping.words import LISTS
from analyzer.formats.record.chat_messages import ROLES, Conversation, is_message
from analyzer.formats.record.fields import (
    arguments_of,
    bool_or_none,
    dict_of,
    first_count,
    first_int,
    first_of,
    first_text,
    float_or_none,
    json_or_none,
    list_of,
    name_or_none,
    str_or_none,
    text_of,
)
from analyzer.formats.record.usage import asked_by
from analyzer.model.session import Message, Session, Tokens, ToolCall
from analyzer.model.struct import Struct
from analyzer.text.english import plural

_WORDS, _EXPRESSIONS = words_of(__file__), expressions_of(__file__)
_KEYS: dict[str, list[str]] = _WORDS["keys"]
_BESIDES = frozenset(_WORDS["besides"])
"""What else is in a record of a bare action."""
_KNOWN = _BESIDES.union(*_KEYS.values())
_OF_OTHER_FORMATS = frozenset(_WORDS["of_other_formats"])
"""Keys of objects and records that some other format has."""
_DESCRIBED = frozenset(_WORDS["described"])
_SAMPLE, _MOST_OTHERS, _FEWEST, _DEEPEST = 40, 10, 2, 8


class _Entry(Struct):
    """An action as a record tells it: `result` is None where nothing came back, `reply` where that is all it tells."""

    name: str
    arguments: Mapping[str, Any] | str
    result: object
    record: Mapping[str, Any]
    failed: bool | None = None
    reply: bool = False


class ActionList(SessionsFormat):
    """Records of actions, written by programs that have no format of their own."""

    def sniff(self, document: Document) -> bool:
        """Whether records name actions, in words that leave no doubt, and are most of what lists hold."""
        value = document.value if document.value is not MISSING else [record.value for record in document.head]
        first = value[:_SAMPLE] if isinstance(value, list) else [value]
        if any(not _OF_OTHER_FORMATS.isdisjoint(dict_of(item)) for item in first):
            return False
        sample = _cut(value)
        walkers = [_Walker(Session("")) for _ in _runs(sample)]
        kept = sum(walker.run(run) for walker, run in zip(walkers, _runs(sample), strict=True))
        return kept >= _FEWEST and sum(walker.missed for walker in walkers) <= _MOST_OTHERS * kept

    def sessions(self, document: Document, log: FileLog) -> Iterator[Session]:
        """The runs in file order."""
        lines = [record.value for record in document.records(log.damage)] if document.value is MISSING else None
        for run in _runs(document.value if lines is None else lines):
            session = Session(name_or_none(first_of(run, *_KEYS["runs"])) or document.stem)
            if _Walker(session).run(run):
                yield session


def _cut(value: Any, depth: int = 0) -> Any:
    """A value with the beginning of each list."""
    if depth > _DEEPEST:
        return None
    if isinstance(value, dict):
        return {key: _cut(inner, depth + 1) for key, inner in value.items()}
    return [_cut(inner, depth + 1) for inner in value[:_SAMPLE]] if isinstance(value, list) else value


def _runs(value: Any) -> list[dict[str, Any]]:
    """The runs that a value holds, each an object around its records."""
    if isinstance(value, dict):
        return [value]
    items = [item for item in list_of(value) if isinstance(item, dict)]
    return items if items and all(map(_is_run, items)) else [{"": value}]


def _is_run(item: dict[str, Any]) -> bool:
    """Whether an object is about a run of its own: it says what for, or how it came out, around a list of actions."""
    about = (*_KEYS["tasks"], *LISTS["solved"], *_KEYS["ends"], *_KEYS["runs"])
    listed = [inner for inner in item.values() if isinstance(inner, list) and inner]
    return any(key in item for key in about) and _entry(item, "") is None and any(_holds_actions(one) for one in listed)


def _holds_actions(values: list[Any]) -> bool:
    return _Walker(Session("")).run({"": _cut(values)}) > 0


def _entry(item: Any, sort: str) -> _Entry | None:
    """The action that a record names; `sort` is what the records around it say of their sort."""
    if isinstance(item, list) and len(item) == 2 and isinstance(item[0], dict) and _entry(item[1], sort) is None:
        inner = _entry(item[0], sort)
        return _Entry(inner.name, inner.arguments, item[1], item[0]) if inner is not None else None
    if not isinstance(item, dict) or "description" in dict_of(item.get("function")) or "description" in item:
        return None  # a tool that there is, rather than a call of it
    own = " ".join(filter(None, (str_or_none(item.get(key)) for key in _KEYS["sorts"]))) or sort
    named = next((key for key in _KEYS["names"] if _name_of(item.get(key)) is not None), None)
    given = next((key for key in _KEYS["arguments"] if key in item), None)
    result = next((key for key in (*_KEYS["results"], *_KEYS["errors"]) if item.get(key) not in (None, "")), None)
    if named is None:
        if (event := _EXPRESSIONS["named"].search(sort)) is not None and (item.keys() - set(_KEYS["sorts"])):
            replies = _EXPRESSIONS["reply"].search(sort, event.end("name")) is not None
            return _Entry(event["name"], {} if replies else item, item if replies else None, item, reply=replies)
        return _nameless(item, own, given, result)
    name = _name_of(item[named]) or ""
    arguments: dict[str, Any] | str = {}
    if given is None and result is None and not item.keys() <= _KNOWN:
        return None
    if isinstance(item[named], dict):
        inner = item[named]
        within = next((key for key in _KEYS["arguments"] if key in inner), None)
        naming = next(key for key in _WORDS["inner_names"] if str_or_none(inner.get(key)))
        arguments = arguments_of(inner[within]) if within else {key: inner[key] for key in inner if key != naming}
    if given is not None:
        arguments = arguments_of(item[given])
    elif not arguments and result is not None and (said := _EXPRESSIONS["verb"].fullmatch(name)) is not None:
        rest = first_of(said.groupdict(), "listed", "given", "rest")
        name, arguments = said["name"], {"input": rest} if rest else {}
    elif not isinstance(item[named], dict):
        arguments = {key: item[key] for key in item if key in _BESIDES - {"id", "step", "index", "number", "type"}}
    replies = given is None and result is not None and _EXPRESSIONS["reply"].search(own) is not None
    return _Entry(name, arguments, item.get(result) if result else None, item, _failed(item, result), replies)


def _nameless(item: dict[str, Any], sort: str, given: str | None, result: str | None) -> _Entry | None:
    """A record that is named like anything else: one with arguments and a result, or of a sort that is about tools."""
    name, about = str_or_none(item.get("name")), _EXPRESSIONS["tools"].search(sort) is not None
    if result is not None and about and given is None and _EXPRESSIONS["reply"].search(sort) is not None:
        return _Entry(name or "", {}, item[result], item, _failed(item, result), reply=True)
    if name is None or given is None or not (about if "type" in item or result is None else True):
        return None  # a step of the program around the agent, or a call of the model
    return _Entry(name, arguments_of(item[given]), item[result] if result else None, item, _failed(item, result))


def _name_of(value: object) -> str | None:
    if isinstance(value, dict):
        return first_text(value, *_WORDS["inner_names"])
    return str_or_none(value) if isinstance(value, str) and "\n" not in value else None


def _failed(item: Mapping[str, Any], result: str | None) -> bool | None:
    for key, fails in (("success", False), ("ok", False), ("is_error", True)):
        if isinstance(flag := item.get(key), bool):
            return flag == fails
    if result in _KEYS["errors"] and item.get(result):
        return True
    returned = item.get(result) if result else None
    if isinstance(returned, list) and len(returned) == 2 and isinstance(returned[0], bool):
        return not returned[0]
    return bool_or_none(_WORDS["failed"].get(str(item.get("status")).lower()))


def _tokens(value: object) -> Tokens:
    """The tokens that an object counts."""
    about = dict_of(value)
    own = Tokens(first_count(about, *LISTS["sent"]), first_count(about, *LISTS["received"]))
    used = dict_of(first_of(about, *_KEYS["usage"]))
    return own if own != Tokens() else Tokens(first_count(used, "in", "input"), first_count(used, "out", "output"))


class _Walker(Conversation):
    """Goes through what a run holds, and fills its session. `missed` counts the records of which nothing was read."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.missed = 0
        self._missed: list[str] = []
        self._asked = False
        """Whether the run says itself what was asked, so that the words of a user are those of another agent."""
        self._waiting: list[ToolCall] = []

    def run(self, run: dict[str, Any]) -> int:
        """Read a run; how many actions it has."""
        session = self.session
        session.task, session.model = first_text(run, *_KEYS["tasks"]), first_text(run, *_KEYS["models"])
        session.agent, self._asked = str_or_none(run.get("agent")), session.task is not None
        for key, value in run.items():
            if not isinstance(value, list | dict) or not value or key in _DESCRIBED:
                continue
            before = len(session.events)
            if isinstance(value, list) and self.made and _holds_actions(value) and not self._waiting:
                self.log.add(key, f"{plural(len(value), 'entry', 'entries')}; not read")
                continue
            self._missed.clear()
            if not self._ran(run, key):
                self._walk(value, key, "", 0)
            if isinstance(value, list) and len(session.events) == before:
                self.log.add(key or "the list", f"{plural(len(value), 'entry', 'entries')}; not read")
                continue
            self.missed += len(self._missed)
            for place in self._missed:
                self.log.add(place, "a record that names no action; skipped")
        self._answer(first_text(run, *_KEYS["answers"], "output"))
        self._verdict(run)
        if session.task is not None and not self.users:
            session.events.insert(0, Message("user", session.task))
            self.users = 1
        spent = self.meter.tokens()
        self.close()
        session.tokens = next((tokens for one in run.values() if (tokens := _tokens(one)) != Tokens()), spent)
        session.assistant_messages = self.answers or None
        return self.made

    def _walk(self, value: Any, place: str, sort: str, depth: int) -> None:
        if depth > _DEEPEST:
            return
        value = json_or_none(value) if isinstance(value, str) and value[:1] in ("{", "[") else value
        entry = _entry(value, sort)
        if entry is not None:
            self._act(entry)
        elif isinstance(value, list):
            for number, inner in enumerate(value, 1):
                before = len(self.session.events), self.session.task, self.meter.used
                self._walk(inner, f"{place or 'record'} {number}", sort, depth + 1)
                if not depth and before == (len(self.session.events), self.session.task, self.meter.used):
                    self._missed.append(f"{place or 'record'} {number}")
        elif isinstance(value, dict) and is_message(value):
            self.take(place, value)
        elif isinstance(value, dict):
            self._object(value, place, sort, depth)

    def _object(self, value: dict[str, Any], place: str, sort: str, depth: int) -> None:
        """What an object around others says itself, then these, and at last what the agent answered."""
        own = " ".join(filter(None, (str_or_none(value.get(key)) for key in _KEYS["sorts"]))) or sort
        self._beside(value)
        calls = any(isinstance(inner, dict | list) and "call" in key for key, inner in value.items())
        role = next((ROLES[word] for key in _KEYS["speakers"] if (word := str(value.get(key)).lower()) in ROLES), None)
        time = self.clock(*map(value.get, _KEYS["times"]))
        if (told := first_text(value, *_KEYS["users"])) is not None and self._asked:
            self.note(told, time)
        elif told is not None or role == "user":
            self.heard(told or first_text(value, *_KEYS["texts"]) or "", time)
        of_model = _EXPRESSIONS["models"].search(own) is not None and _EXPRESSIONS["tools"].search(own) is None
        if role == "assistant" or (role is None and (calls or of_model)):
            self.answers += role is not None or of_model
            self.say(first_text(value, *_KEYS["texts"]) or "", time)
        if sort and _EXPRESSIONS["over"].search(sort) is not None:
            self._verdict(value)
        for key, inner in value.items():
            if key in _DESCRIBED or self._ran(value, key):
                continue
            self._walk(inner, f"{place}, {key}", own, depth + 1)
        for said in (value.get(key) for key in (*_KEYS["agents"], *_KEYS["answers"])):
            self._answer(said if isinstance(said, str) else None)

    def _answer(self, said: str | None) -> None:
        """What the agent answers, unless it has just said so."""
        last = next((one for one in reversed(self.session.events) if isinstance(one, Message)), None)
        if said is not None and (last is None or said.strip() not in last.text):
            self.answers += 1
            self.say(said)

    def _ran(self, around: Mapping[str, Any], key: str) -> bool:
        """Read what came back from code that stands under a key of the same name; whether it's that."""
        inner, end = dict_of(around[key]), next((end for end in _WORDS["ran"] if end in key), None)
        if end is None or first_int(inner, *_KEYS["codes"]) is None:
            return False
        code, name = str_or_none(around.get(key.replace(end, ""))), key.partition(end)[0]
        told = "\n".join(text for text in (text_of(inner.get(said)) for said in _KEYS["printed"]) if text)
        self._act(_Entry("run_code", {"what": name, "code": code} if code else {"what": name}, told, inner))
        return True

    def _beside(self, value: Mapping[str, Any]) -> None:
        """The time, the thoughts, the model, the task and the counts that an object has beside a call."""
        self.session.model = self.session.model or first_text(value, *_KEYS["models"])
        if self.session.task is None and not self.made:
            self.session.task = first_text(value, *_KEYS["tasks"])
        if (tokens := _tokens(value)) != Tokens():
            self.meter.spent(tokens)
        if self.session.agent is None and not self.made:
            self.session.agent = str_or_none(value.get("agent"))
        time = self.clock(*map(value.get, _KEYS["times"]))
        for key in _KEYS["thoughts"]:
            self.say(str_or_none(value.get(key)) or "", time, thought=True)

    def _act(self, entry: _Entry) -> None:
        record, first = entry.record, len(self.session.events)
        ident = name_or_none(first_of(record, *_KEYS["ids"]))
        asked = [call for call in self._waiting if ident is not None and call.batch == ident]
        asked = asked or [call for call in self._waiting if entry.name in (call.name, "")]
        if (entry.reply or (entry.result is not None and not entry.arguments)) and asked:
            self._waiting.remove(asked[0])
            self._result_of(asked[0], entry)
            return
        if entry.reply and not entry.name:
            self._result_of(None, entry)
            return
        self._beside(record)
        time = self.clock(*map(record.get, _KEYS["times"]))
        call = self.call("", self.numbered("action-"), entry.name, None, time)
        call.arguments, call.batch = entry.arguments, None
        asked_by(self.session.events, first, first_text(record, *_KEYS["models"]))
        if entry.result is not None or entry.failed is not None or first_int(record, *_KEYS["codes"]) is not None:
            self._result_of(call, entry)
        else:
            call.batch = ident
            self._waiting.append(call)

    def _result_of(self, call: ToolCall | None, entry: _Entry) -> None:
        result = self.result(call.id if call else None, text_of(entry.result), entry.failed)
        result.exit_code = first_int(entry.record, *_KEYS["codes"])
        spans = (float_or_none(entry.record.get(key)) for key in _KEYS["durations"])
        result.duration = next((span for span in spans if span is not None), None)

    def _verdict(self, run: Mapping[str, Any]) -> None:
        """How the run came out, as the log says."""
        solved = next((run[key] for key in LISTS["solved"] if isinstance(run.get(key), bool)), None)
        word = first_text(run, *_KEYS["ends"])
        score = next((key for key in LISTS["scores"] if float_or_none(run.get(key)) is not None), None)
        if solved is None and word is None and score is None:
            return
        self.verdict(word if solved is None else solved, run[score] if score else None, score or "")
        self.session.recorded_status = word or self.session.recorded_status
        self.session.ending_detail = first_text(run, "reason") or self.session.ending_detail


FORMAT = described(__file__, ActionList)
