"""What trajectories of Moatless need beyond `moatless.toml`: the path through their nodes, and actions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.formats.container.document import Document
from analyzer.formats.loading.interface import FileLog
from analyzer.formats.loading.mapping.declared import Declared, declared
from analyzer.formats.loading.mapping.reader import RuleReader
from analyzer.formats.loading.mapping.rows import Row
from analyzer.formats.loading.mapping.values import string_at
from analyzer.formats.record.fields import dict_of, list_of, str_or_none, text_of
from analyzer.formats.record.prompts import issue_of
from analyzer.formats.record.warnings import NAMELESS_CALL
from analyzer.model.session import Message, Session, ToolCall, ToolResult
from analyzer.model.words import Ending

_THOUGHTS = ("scratch_pad", "thoughts", "thought")
_HANDS_IN = frozenset({"Finish", "VerifiedFinish", "Reject"})
_DEEPEST = 2_000


class Moatless(Declared):
    """Reads the one session of a trajectory."""

    def sniff(self, document: Document) -> bool:
        """Whether the document is an object with nodes."""
        return any(map(self.is_own, _nodes(document.value)))

    def sessions(self, document: Document, _log: FileLog) -> Iterator[Session]:
        """The session that a trajectory is."""
        nodes = [node for node in _nodes(document.value) if self.is_own(node)]
        if not nodes:
            return
        path, about = _path(nodes), dict_of(dict_of(document.value).get("metadata"))
        reader = self.reader(Session(str_or_none(about.get("instance_id")) or document.stem, agent=self.agent))
        for node in path:
            reader.take(f"node {str(node['node_id'])[:20]}", node)
        if abandoned := len(nodes) - len(path):
            reader.log.add("nodes", f"{abandoned} of branches that were given up; left out")
        reader.close()
        yield reader.session


def _nodes(trajectory: object) -> list[Any]:
    """The nodes in file order, those within others behind these."""
    value = dict_of(trajectory)
    if isinstance(value.get("nodes"), list):
        return list(value["nodes"])
    found: list[Any] = []
    waiting = [value["root"]] if isinstance(value.get("root"), dict) else []
    while waiting and len(found) < _DEEPEST:
        node = waiting.pop(0)
        found.append(node)
        children = [child for child in list_of(node.get("children")) if isinstance(child, dict)]
        waiting += [{"parent_id": node.get("node_id"), **child} for child in children]
    return found


def _path(nodes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The nodes from the root to the one at which the search ended: the last that hands something in, else the last."""
    known = {str(node["node_id"]): node for node in nodes}
    ends = [node for node in nodes if dict_of(node.get("observation")).get("terminal") is True]
    node: dict[str, Any] | None = (ends or nodes)[-1]
    path: list[dict[str, Any]] = []
    seen: set[str] = set()
    while node is not None and str(node["node_id"]) not in seen:
        seen.add(str(node["node_id"]))
        path.append(node)
        above = node.get("parent_id")
        node = known.get(str(above)) if above is not None else None
    return path[::-1]


class _Reader(RuleReader):
    def asked(self, row: Row) -> None:
        said = string_at(row, ("message", "user_message"))
        if said is not None:
            self.session.say(Message("user", said))
            self.users += 1
            self.session.task = self.session.task or issue_of(said.removeprefix("<task>").removesuffix("</task>"))

    def act(self, row: Row) -> None:
        session, given, told = self.session, dict(row.value["action"]), dict_of(row.value.get("observation"))
        kind = str_or_none(given.pop("action_args_class", None)) or str_or_none(given.pop("action_name", None)) or ""
        name = kind.rpartition(".")[2].removesuffix("Arguments").removesuffix("Args")
        if not name:
            self.log.add(row.place, NAMELESS_CALL)
        for key in _THOUGHTS:
            session.say(Message("assistant", text_of(given.pop(key, None)), thought=True))
        arguments = {key: value for key, value in given.items() if value is not None}
        done = name in _HANDS_IN
        self.answers += 1
        call = ToolCall(f"action-{self.answers}", name or "unknown", arguments, task_done=done)
        session.events.append(call)
        if done:
            session.recorded_status, session.ending = name, Ending.SUBMITTED if name != "Reject" else None
        if not told:
            return
        reason = str_or_none(dict_of(told.get("properties")).get("fail_reason"))
        failed = True if reason is not None or told.get("expect_correction") is True else None
        session.events.append(ToolResult(call.id, text_of(told.get("message")), failed, error_type=reason))


FORMAT = declared(__file__, _Reader, Moatless)
