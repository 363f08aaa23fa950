"""Calls that an agent writes into what it says, in the notations that prompts ask for, and the replies to them.

<tool_call>{"name": "shell", "arguments": {"command": "make"}}</tool_call>, <function_call>..</function_call>
[TOOL_CALLS] [{"name": "shell", "arguments": {"command": "make"}}]
<shell>make</shell>, <shell><command>make</command></shell>, where an output answers it
<function=shell><parameter=command>make</parameter></function>
<invoke name="shell"><parameter name="command">make</parameter></invoke>
<|python_tag|>{"name": "shell", "parameters": {"command": "make"}}<|eom_id|>
<use_mcp_tool><server_name>..</server_name><tool_name>shell</tool_name><arguments>{..}</arguments></use_mcp_tool>
Action: shell / Action Input: make, Action: Click [12], Action: {"name": "shell", "arguments": {"command": "make"}};
Action: Scroll down, or a fenced block of JSON or of shell lines, where an output answers it
{"tool_name": "shell", "arguments": {"command": "make"}}, alone or behind a sentence
{"analysis": "...", "plan": "...", "commands": [{"keystrokes": "make"}], "task_complete": false}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from analyzer.formats.loading.interface import expressions_of, words_of
from analyzer.formats.record.fields import arguments_of, dict_of, first_text, json_or_none, list_of, object_in, text_of
from analyzer.model.session import Event, Message, Session, ToolCall, ToolResult
from analyzer.model.struct import Struct, replace
from analyzer.text.plain import holds_any

_LONGEST = 200_000
"""Characters of a message in which calls are looked for."""
_MARKS = ("</", "<function=", "<invoke name=", "[TOOL_CALLS]", "Action", "```")
_SAYS = expressions_of(__file__)
CALL = _SAYS["call"]
"""`calling tool search with {"query": ..}`, `tool_call: search {..}`: the tool's name, and what stands behind it."""
_WORDS = words_of(__file__)
_OF_DATA = ("{", "[", "<")
"""How the output of a call begins that is data."""


class SpokenCall(Struct):
    """A call as it is in a message. One that is `fenced` may as well be shown to a reader; one that is `done` ends the
    task; `said` is what a reply of keystrokes says of them."""

    name: str
    arguments: Mapping[str, Any] | str
    fenced: bool = False
    done: bool = False
    said: str = ""


def spoken_calls(text: str) -> Iterator[SpokenCall]:
    """The calls that are in what an agent says, in order."""
    if '"keystrokes"' in text or '"task_complete"' in text:
        reply = keystrokes_in(cut_at(text[:_LONGEST], "think")[0])
        if reply is not None:
            yield reply
            return
    said = text.rstrip()
    said = said[: said.rfind("<|")] if said.endswith("|>") else said  # a mark of the model's for the end of its turn
    said = said[:_LONGEST].strip() if said.endswith("}") else ""
    if (start := _opens(said)) >= 0 and (bare := call_of(json_or_none(said[start:]))) is not None:
        yield bare  # the message itself, its last lines, or what stands behind a mark of the model's
        return
    if not holds_any(text, _MARKS):
        return
    for found in _SAYS["notations"].finditer(text[:_LONGEST]):
        call: SpokenCall | None = None
        if (written := found["json"] or found["listed"]) is not None:
            value = json_or_none(written)
            listed = value if isinstance(value, list) else [value]
            yield from (one for one in map(call_of, listed) if one is not None)
        elif (name := found["function"] or found["invoke"]) is not None:
            given = _SAYS["parameter"].finditer(found["given"] or found["named"] or "")
            call = SpokenCall(name, {each["name"]: each["value"].strip("\n") for each in given})
        elif found["tool"] is not None:
            call = SpokenCall(found["tool"], arguments_of(found["passed"].strip()))
        elif found["action"] is not None:
            call = SpokenCall(found["action"].strip(), arguments_of(found["input"].strip()))
        elif found["verb"] is not None:
            within = found["on"][1:-1].strip()
            call = SpokenCall(found["verb"], found["on"] if set(within) & set("[]()") else within)
        elif found["loose"] is not None:
            call = SpokenCall(found["loose"], found["rest"].strip(), fenced=True)
        elif found["element"] is not None and found["element"] not in _WORDS["saying"]:
            inner = {each["name"]: each["value"].strip("\n") for each in _SAYS["child"].finditer(found["held"])}
            call = SpokenCall(found["element"], inner or found["held"].strip("\n"), fenced=True)
        elif found["language"] == "json" or found["language"] in _WORDS["calling"]:
            held = json_or_none(found["fenced"])
            call = call_of(held, fenced=found["language"] == "json") or _of_code(found["fenced"].strip())
        elif found["language"] in _WORDS["shells"]:
            call = SpokenCall(found["language"], {"command": found["fenced"].strip()}, fenced=True)
        if call is not None:
            yield call


def said_beside(text: str, *, fenced: bool) -> str:
    """What is said beside the calls of a text; without `fenced` fenced blocks are no calls."""
    return _SAYS["notations"].sub(lambda found: "" if fenced or found["fenced"] is None else found[0], text).strip()


def _beside(text: str, calls: list[SpokenCall]) -> str:
    """What is said beside the calls of a text."""
    if any(call.said or call.done for call in calls):
        return calls[0].said
    left = said_beside(text, fenced=calls[0].fenced)
    bare = _opens(left.rstrip()) if left.rstrip().endswith("}") else -1
    return left[:bare].strip() if bare >= 0 else left


def _opens(text: str) -> int:
    """Where the last object begins that stands at the beginning of a line; -1 where none does."""
    return max((found.end() - 1 for found in _SAYS["opening"].finditer(text)), default=-1)


def _of_code(text: str) -> SpokenCall | None:
    """The call that a text is as programs write one: `search("moorings", page=2)`."""
    found = _SAYS["written"].fullmatch(text)
    return SpokenCall(found["name"], found["given"].strip()) if found is not None else None


def call_of(read: object, *, fenced: bool = False) -> SpokenCall | None:
    """The call that an object is: it names a tool and what it's given; None for any other value."""
    value = dict_of(read)
    value = dict_of(value["function"]) if isinstance(value.get("function"), dict) else value
    name = first_text(value, *_WORDS["names"])
    given = next((key for key in _WORDS["inputs"] if key in value), None)
    if name is None or given is None or isinstance(dict_of(value[given]).get("properties"), dict):
        return None  # the last is the schema of what a tool takes
    return SpokenCall(name, arguments_of(value[given]), fenced)


def read_spoken_calls(session: Session) -> None:
    """Read the calls that an agent wrote into its messages, with the replies as their results, where a session holds no
    others. What is only in a fenced block is a call where the reply is an output."""
    if any(isinstance(event, ToolCall) for event in session.events):
        return
    events = session.events
    found: list[Event] = []
    number, taken, answered = 0, -1, False
    for place, event in enumerate(events):
        if place == taken:
            continue
        found.append(event)
        reply = events[place + 1] if place + 1 < len(events) else None
        answers = isinstance(reply, Message) and reply.role in ("user", "harness")
        outputs = answers and isinstance(reply, Message) and _SAYS["reply"].match(reply.text[:400]) is not None
        spoken = spoken_calls(event.text) if isinstance(event, Message) and event.role == "assistant" else ()
        calls = [call for call in spoken if outputs or not call.fenced]
        if not calls or not isinstance(event, Message):
            continue
        behind = events[place + 1 : place + 1 + len(calls)]
        ids = [answer.call_id for answer in behind if isinstance(answer, ToolResult)]
        if len(ids) != len(calls):
            ids = [f"said-{number + index}" for index in range(len(calls))]
        made = [
            ToolCall(ident, call.name, call.arguments, event.time, event.lane, f"said-{number}", task_done=call.done)
            for ident, call in zip(ids, calls, strict=True)
        ]
        number += len(made)
        beside = _beside(event.text, calls)
        found[-1:] = [replace(event, text=beside)] if beside else []
        found += made
        if answers and isinstance(reply, Message):
            taken = place + 1
            answered = answered or outputs or reply.text.lstrip()[:1] in _OF_DATA
            found += _results(made, reply)
    # What a person says after a single call that nothing carried out is no result of it.
    if number > 1 or answered or (number and taken < 0):
        before, after = (
            sum(isinstance(one, Message) and one.role != "assistant" for one in held) for held in (events, found)
        )
        session.events = found
        session.user_messages = session.user_messages and session.user_messages - before + after


def cut_at(text: str, tag: str) -> tuple[str, list[str]]:
    """A text without the elements of a tag, and these elements."""
    opening, closing, start = f"<{tag}>", f"</{tag}>", 0
    left: list[str] = []
    elements: list[str] = []
    while (found := text.find(opening, start)) >= 0 and (end := text.find(closing, found)) >= 0:
        left.append(text[start:found])
        start = end + len(closing)
        elements.append(text[found:start])
    return "".join([*left, text[start:]]), elements


def _results(calls: list[ToolCall], reply: Message) -> Iterator[ToolResult]:
    """The result of each call where the reply holds one for each, else the whole reply for the last of them."""
    answers = next((found for tag in _WORDS["answers"] if (found := cut_at(reply.text, tag)[1])), [])
    if len(answers) == len(calls):
        inner = (answer.partition(">")[2].rpartition("<")[0] for answer in answers)
        told = (text.removeprefix("\n").removesuffix("\n") for text in inner)
        yield from (
            ToolResult(call.id, text, time=reply.time, lane=call.lane) for call, text in zip(calls, told, strict=True)
        )
        return
    heading = _SAYS["reply"].match(reply.text[:400])
    headed = heading is not None and heading[0].endswith(":")
    text = reply.text[heading.end() :].lstrip(" \t").removeprefix("\n") if heading and headed else reply.text
    yield ToolResult(calls[-1].id, text, time=reply.time, lane=reply.lane)


def keystrokes_in(text: str) -> SpokenCall | None:
    """What the first object of JSON in a text types into a terminal, waits for or ends; None where that is no such
    reply."""
    reply = object_in(text) if '"' in text else {}
    items = reply.get("commands")
    if "task_complete" not in reply and not (
        isinstance(items, list) and all("keystrokes" in dict_of(item) for item in items)
    ):
        return None
    said = "\n".join(part for key in ("analysis", "plan") if (part := text_of(reply.get(key)).strip()))
    typed = "".join(text_of(dict_of(item).get("keystrokes")) for item in list_of(items)).strip()
    done = reply.get("task_complete") is True
    name = "bash" if typed else "task_complete" if done else "wait"
    return SpokenCall(name, {"command": typed} if typed else {}, done=done, said=said)
