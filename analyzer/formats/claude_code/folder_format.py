"""A folder of Claude Code sessions: session files with the files of their sub-agents.

Sub-agents' files are called `agent-<id>.jsonl` and lie beside the session's file or in `<session>/subagents/`. The
records of a session and its sub-agents are read together, in the order of their times.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from pathlib import PurePath
from typing import Any

from analyzer.formats.claude_code.layout import AGENT_FILE, SESSION_FILE, claim
from analyzer.formats.claude_code.reader import Reader
from analyzer.formats.claude_code.text import is_record, is_said
from analyzer.formats.container.bundle import DirectoryBundle
from analyzer.formats.container.document import Document
from analyzer.formats.container.tree import BundleTree, Claim, Folder
from analyzer.formats.loading.interface import FileLog, SessionsFormat, described
from analyzer.formats.record.fields import parse_time
from analyzer.formats.record.records import records_of
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import ReadWarning, Session

Placed = tuple[str, dict[str, Any]]
"""A record with its place."""


class ClaudeCodeFolder(SessionsFormat):
    """Reads every session of a folder, each with its sub-agents."""

    def sniff(self, document: Document) -> bool:
        """Whether the folder holds files called like sessions or sub-agents, and the first of them is one."""
        if document.bundle is None:
            return False
        named = [name for name in document.bundle.names if SESSION_FILE.fullmatch(name) or AGENT_FILE.fullmatch(name)]
        return bool(named) and _is_log(document, named[0])

    def sessions(self, document: Document, log: FileLog) -> Iterator[Session]:
        """The sessions by name, then sub-agents whose session isn't there."""
        if document.bundle is None:
            raise UnreadableInput("is no folder of Claude Code sessions.", where=document.name)
        tree = BundleTree(document.bundle)
        files, folders = map(tuple, tree.entries(""))
        found = claim(Folder(tree, "", files, folders)) or Claim((), frozenset())
        units = {unit.path: unit.members for unit in found.units}
        units |= {name: (name,) for name in files if name.endswith(".jsonl") and name not in found.files}
        for name in sorted(units, key=lambda name: (AGENT_FILE.fullmatch(name) is not None, name)):
            session = Session(PurePath(name).stem)
            main, *others = (_records(document, member, session.warnings) for member in units[name])
            if any(is_record(record) or is_said(record) for _, record in main):
                session.sub_agents_read = sum(map(bool, others))
                timed = (_timed(records, number) for number, records in enumerate((main, *others)))
                yield Reader(session).all_of(placed for *_, placed in heapq.merge(*timed))
            elif AGENT_FILE.fullmatch(name) is None:
                log.add(name, "holds no Claude Code record; skipped")


FORMAT = described(__file__, ClaudeCodeFolder)


def _is_log(document: Document, name: str) -> bool:
    try:
        return any(is_record(record.value) for record in document.member(name).head)
    except UnreadableInput:
        return False


def _records(document: Document, name: str, warnings: list[ReadWarning]) -> list[Placed]:
    """The records of a member. Those of a sub-agent's file are marked as such, whether or not they say so
    themselves."""
    agent = AGENT_FILE.fullmatch(name)
    if agent is not None and isinstance(document.bundle, DirectoryBundle) and document.bundle.leaves(name):
        warnings.append(ReadWarning(name, "is a link out of the folder; not followed."))
        return []
    if (member := document.member_or_none(name, warnings)) is None:
        return []
    bad: list[ReadWarning] = []
    records: list[Placed] = []
    for record in records_of(member, bad, "loglines"):
        more = {"agentId": agent["agent"], **record.value, "isSidechain": True} if agent is not None else record.value
        records.append((f"{name}, {record.place}", more))
    warnings += [ReadWarning(f"{name}, {warning.where}", warning.what) for warning in (*member.warnings, *bad)]
    return records


def _timed(records: Iterable[Placed], file: int) -> Iterator[tuple[tuple[float, int, int], int, Placed]]:
    """The records with what they're ordered by: a record without a time goes with the one before it in its file."""
    time = 0.0
    for number, record in enumerate(records):
        own = parse_time(record[1].get("timestamp"))
        time = max(time, own) if own is not None else time
        yield (time, file, number), file, record
