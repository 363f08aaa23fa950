"""What the texts in Cline's files mean: tool results as the model was sent them, and tool calls that the model wrote as
XML."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from analyzer.formats.loading.interface import expressions_of, words_of
from analyzer.formats.record.fields import arguments_of
from analyzer.formats.record.prompts import mark_of
from analyzer.model.session import ToolResult
from analyzer.model.struct import Struct
from analyzer.text.late import late

_WORDS = words_of(__file__)
TOOLS = tuple(_WORDS["tools"])
"""The tools that a model may call in its text."""
EDITS = frozenset(_WORDS["edits"])
FINISH = "attempt_completion"

_SAYS = expressions_of(__file__)
_CALL = late(
    rf"<(?P<tool>{'|'.join(TOOLS)})>(?P<body>.*?)(?:</(?P=tool)>|\n\n\[Response interrupted by [^\]\n]*\]\s*\Z)",
    re.DOTALL,
)
"""A call, to its end or to the note of the program that it had read enough of the answer."""
_LONG_PARAMETERS = ("content", "diff")
"""Parameters whose text may hold tags of their own; they end at their last closing tag."""
_ENVIRONMENT = "<environment_details>"


class Asked(Struct, frozen=True):
    """A call that the model wrote into its text, and where."""

    start: int
    end: int
    tool: str
    name: str
    arguments: dict[str, Any] | str


def calls_in(text: str) -> Iterator[Asked]:
    """The calls in a model's reply."""
    for found in _CALL.finditer(text):
        body = found["body"]
        if not found[0].endswith(">"):
            names = (part.partition(">")[0] for part in body.split("<")[1:])
            body += next((f"</{name}>" for name in names if name.isidentifier() and f"</{name}>" not in body), "")
        arguments: dict[str, Any] = {}
        for name in _LONG_PARAMETERS:
            opening, closing = body.find(f"<{name}>"), body.rfind(f"</{name}>")
            if 0 <= opening < closing:
                arguments[name] = body[opening + len(name) + 2 : closing].removeprefix("\n").removesuffix("\n")
                body = body[:opening] + body[closing + len(name) + 3 :]
        for parameter in _SAYS["parameter"].finditer(body):
            arguments.setdefault(parameter["name"], parameter["value"].strip())
        yield Asked(*found.span(), found["tool"], *named(found["tool"], arguments))


def named(tool: str, arguments: dict[str, Any]) -> tuple[str, dict[str, Any] | str]:
    """The name and arguments of a call as other agents would have them: MCP tools under their own names, edits as
    texts, files of a list by their parameters."""
    if tool == "use_mcp_tool" and isinstance(arguments.get("tool_name"), str):
        server = arguments.get("server_name")
        return f"mcp__{server}__{arguments['tool_name']}", arguments_of(arguments.get("arguments"))
    if tool in EDITS and isinstance(arguments.get("diff"), str):
        return tool, {key: value for key, value in arguments.items() if key != "diff"} | edits_of(arguments["diff"])
    if isinstance(listed := arguments.get("args"), str):
        held = [one["value"] for one in _SAYS["parameter"].finditer(listed) if one["name"] == "file"]
        files = [{one["name"]: one["value"].strip() for one in _SAYS["parameter"].finditer(file)} for file in held]
        return tool, (files[0] if len(files) == 1 else {"files": files}) if files else arguments
    return tool, arguments


def edits_of(diff: str) -> dict[str, Any]:
    """The arguments that a diff of search and replace blocks stands for; the diff itself where it has no such block."""
    blocks = [{"old_str": found["old"], "new_str": found["new"]} for found in _SAYS["block"].finditer(diff)]
    if not blocks:
        return {"diff": diff}
    return dict(blocks[0]) if len(blocks) == 1 else {"edits": blocks}


def without_context(text: str) -> tuple[str, str]:
    """A text that was sent to the model without, and then only, what Cline appended to it."""
    end = text.rfind(_ENVIRONMENT)
    end = len(text) if end < 0 else end
    reminders = _SAYS["reminder"].finditer(text, 0, end)
    end = next((one.start() for one in reminders if not _SAYS["result"].search(text, one.end(), end)), end)
    return text[:end].rstrip(), text[end:].strip()


def answers_in(text: str, tools: Sequence[str]) -> tuple[str, list[tuple[str, str] | None]]:
    """The tools and results for the tools that were called, in their order (None where there is none), and the text
    before them. A result may quote the head of another one, so no more heads are looked for than calls were made."""
    heads: list[re.Match[str] | None] = []
    start = 0
    for tool in tools:
        found = _SAYS["result"].search(text, start)
        while found and found["tool"] != tool and not {found["tool"], tool} <= EDITS:
            found = _SAYS["result"].search(text, found.end())
        heads.append(found)
        start = found.end() if found else start
    starts = [head.start() for head in heads if head] + [len(text)]
    ends = dict(pairwise(starts))
    answers = [(head["tool"], text[head.end() : ends[head.start()]].strip()) if head else None for head in heads]
    return text[: starts[0]].strip(), answers


def result_of(call_id: str | None, text: str, time: float | None = None) -> ToolResult:
    """A result with what its text says about the call."""
    wrapped, code = _SAYS["wrapped"].fullmatch(text), _SAYS["exit"].match(text)
    result = ToolResult(call_id, wrapped[1] or wrapped[2] or "" if wrapped else text, time=time, mark=mark_of(text))
    result.exit_code = int(code[1] or code[2]) if code else None
    result.is_error = True if wrapped else None
    return result
