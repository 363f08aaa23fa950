"""Which formats there are and which one a document is.

Formats of this project are listed in the order in which they're asked. Others register theirs under the entry point
group `analyze_session.formats`; an entry point names an object with the interface of
`analyzer.formats.loading.interface.Format`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from typing import cast

from analyzer.formats.container.document import Document
from analyzer.formats.loading.interface import Format, Layout
from analyzer.model.plugins import registered

ENTRY_POINT_GROUP = "analyze_session.formats"

MAPPING = "mapping:"
"""With a mapping as JSON behind it, the name of the format that reads by this mapping. It's asked before all others,
and leaves what it doesn't fit to them."""

_OWN: dict[str, tuple[bytes, ...]] = {
    "inspect_ai.format": (b'"eval"', b'"sample_init"', b'"span_begin"', b'"plan"'),
    "otlp.format": (b"resourceSpans", b"gen_ai.", b"openinference"),
    "atif.format": (b"ATIF", b'"step_id"'),
    "tau.bench_format": (b'"traj"',),
    "tau.bench2_format": (b'"simulations"', b'"termination_reason"'),
    "mini_swe_agent": (b"trajectory_format",),
    "swe_agent": (b'"trajectory"', b'"history"'),
    "openhands.folder_format": (),
    "openhands.sdk_format": (b'Event"', b"baseState"),
    "openhands.format": (b'"observation"', b'"instance_id"', b'"tool_call_metadata"'),
    "openhands.llm_log_format": (),
    "openhands.parsed_text_format": (),
    "qwen_code": (b'"parts":[', b'"parts": [', b'"systemPayload"'),
    "claude_code.folder_format": (),
    "claude_code.format": (b'"sessionId"', b'"uuid"', b'"leafUuid"', b'"loglines"'),
    "claude_code.stream_format": (b'"session_id"',),
    "vscode_chat.format": (b'"requests"', b'"responderUsername"'),
    "kiro.format": (b'"AssistantMessage"', b'"Prompt"'),
    "cursor.format": (b'"message":{"content":[', b"cursorDiskKV", b"ItemTable"),
    "crush": (b"summary_message_id", b"parent_session_id"),
    "kimi.format": (b'"_checkpoint"', b'"_system_prompt"', b'"protocol_version"', b'"TurnBegin"'),
    "goose": (b"content_json", b'"toolRequest"', b'"working_dir"'),
    "droid.format": (b'"session_start"',),
    "antigravity": (b'"step_index"',),
    "pi": (b'"parentId"', b'"toolCall"', b'"stopReason"'),
    "claude_managed_agents": (b'"session.', b'"agent.', b'"span.'),
    "codex.format": (b'"session_meta"', b'"response_item"', b'"event_msg"', b'"turn_context"'),
    "codex.legacy_format": (b'"record_type"', b'"function_call"'),
    "codex.exec_json_format": (b'"thread.started"', b'"item.', b'"turn.'),
    "copilot_cli": (b'"session.start"', b'"assistant.message"'),
    "opencode.format": (b'"parts"', b'["event"', b"TABLE part ("),
    "gemini_cli": (b'"projectHash"',),
    "cline.format": (b'"say"', b'"ask"', b"<environment_details>", b'"session.messages"'),
    "aider.format": (b"aider chat started", b'"edit_outcome"', b'"lint_outcome"'),
    "terminal_bench.format": (b'"failure_mode"', b"agent@", b"asciinema"),
    "intercode": (b'"turn_history"',),
    "agent_teams.who_and_when_format": (b'"mistake_step"', b'"mistake_agent"'),
    "agent_teams.magentic_one_format": (b"Orchestrator",),
    "openclaw_telemetry": (b'"sessionKey"',),
    "reflexion_logs": (b"Thought 1", b"Action 1", b"Environment #"),
    "actions": (b'"actions"', b"analyze-session/", b'{"session"', b'{"action"'),
    "chat": (),
    "action_list": (),
    "application_log": (),
}
"""Our formats, the most particular first, each with texts of which one usually stands near the beginning of such a
file. Those whose text is there are asked first, so that most files need no more than one or two of these modules to be
imported."""
_LAYOUTS = (
    "terminal_bench.layout",
    "openhands.layout",
    "inspect_ai.layout",
    "cline.layout",
    "atif.layout",
    "tau.layout",
    "claude_code.layout",
    "droid.layout",
    "kimi.layout",
    "kiro.layout",
    "vscode_chat.layout",
)
"""Where those of our formats that read several files together say which, in the order in which they're asked."""
_LAST = ("chat", "action_list", "application_log")
"""Formats that accept nearly anything; asked when no other recognises the document."""
_HEAD = 1 << 13


@cache
def _format(module: str) -> Format:
    found: Format = import_module(f"analyzer.formats.{module}").FORMAT
    return found


@cache
def formats() -> Sequence[Format]:
    """All known formats: those that others registered, by name, then ours. Asking theirs first lets them read a dialect
    of one of ours."""
    return (*registered(ENTRY_POINT_GROUP), *(_format(module) for module in _OWN))


@cache
def layouts() -> Sequence[Layout]:
    """How sessions of several files lie in folders: what others' formats say of theirs, then ours."""
    others = (entry for entry in registered(ENTRY_POINT_GROUP) if isinstance(entry, Layout))
    return (*others, *(cast("Layout", import_module(f"analyzer.formats.{module}")) for module in _LAYOUTS))


def by_name(name: str) -> Format | None:
    """The format called `name`, or the one of a mapping (see `MAPPING`); None where there is none."""
    if name.startswith(MAPPING):
        return _mapped(name)
    return next((entry for entry in formats() if entry.name == name), None)


@cache
def _mapped(name: str) -> Format:
    from analyzer.model.mapping import LogMapping

    mapping = LogMapping.model_validate_json(name.removeprefix(MAPPING))
    found: Format = import_module("analyzer.formats.loading.mapping.format").Mapped(mapping)
    return found


def sniff(document: Document) -> Format | None:
    """The first format that recognises the document, or None."""
    return next((entry for entry in _candidates(document) if entry.sniff(document)), None)


def _candidates(document: Document) -> Iterator[Format]:
    """Others' formats, then ours: those whose text is near the beginning, the rest, and those that accept nearly
    anything."""
    yield from registered(ENTRY_POINT_GROUP)
    head = document.beginning(_HEAD)
    likely = [module for module, texts in _OWN.items() if module not in _LAST and any(text in head for text in texts)]
    if document.bundle is None:
        yield from (_format(module) for module in likely)
    yield from (
        _format(module)
        for module in _OWN
        if module not in _LAST and (module not in likely or document.bundle is not None)
    )
    yield from (_format(module) for module in _LAST)
