"""What trajectories of Moatless need beyond `moatless.toml`: the path through their nodes, and actions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.formats.container.document import Document
from analyzer.formats.loading.interface import FileLog
from analyzer.formats.loading.mapping.declared import Declared, declared
from analyzer.formats.loading.mapping.reader import RuleReader
from analyzer.formats.loading.mapping.rows import Row
from analyzer.formats.loading.mapping.values import string_at, value_at
from analyzer.formats.record.fields import dict_of, list_of, name_or_none, str_or_none, text_of
from analyzer.formats.record.prompts import issue_of
from analyzer.formats.record.records import branch_lanes, path_to
from analyzer.model.session import Message, Session
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
        # The search ended at the last node that hands something in, else at the last.
        ends = [node for node in nodes if value_at(node, "observation.terminal") is True]
        path = path_to((ends or nodes)[-1], nodes, "node_id", "parent_id")
        names = {name_or_none(node["node_id"]) for node in path}
        name = string_at(document.value, "metadata.instance_id")
        reader = self.reader(Session(name or document.stem, agent=self.agent))
        for node, reader.branch in zip(nodes, branch_lanes(nodes, names, "node_id", "parent_id"), strict=True):
            reader.take(f"node {str(node['node_id'])[:20]}", node)
        yield reader.closed()


def _nodes(trajectory: object) -> list[Any]:
    """The nodes in file order, those within others behind these."""
    value = dict_of(trajectory)
    if isinstance(value.get("nodes"), list):
        return list(value["nodes"])
    found: list[Any] = [value["root"]] if isinstance(value.get("root"), dict) else []
    for node in found:
        children = [child for child in list_of(node.get("children")) if isinstance(child, dict)]
        found += [{"parent_id": node.get("node_id"), **child} for child in children if len(found) < _DEEPEST]
    return found


class _Reader(RuleReader):
    def asked(self, row: Row) -> None:
        said = string_at(row, ("message", "user_message"))
        if said is not None:
            self.session.say(Message("user", said))
            self.users += 1
            self.session.task = self.session.task or issue_of(said.removeprefix("<task>").removesuffix("</task>"))

    def act(self, row: Row) -> None:
        given, told = dict(row.value["action"]), dict_of(row.value.get("observation"))
        kind = str_or_none(given.pop("action_args_class", None)) or str_or_none(given.pop("action_name", None)) or ""
        name = kind.rpartition(".")[2].removesuffix("Arguments").removesuffix("Args")
        for key in _THOUGHTS:
            self.say(text_of(given.pop(key, None)), lane=self.lane, thought=True)
        self.answers += 1
        arguments = {key: value for key, value in given.items() if value is not None}
        call = self.call(row.place, f"action-{self.answers}", name, arguments, lane=self.lane)
        call.task_done = name in _HANDS_IN
        if call.task_done and not self.branch:
            self.ended(name, Ending.SUBMITTED if name != "Reject" else None)
        if told:
            reason = string_at(told, "properties.fail_reason")
            failed = reason is not None or told.get("expect_correction") is True
            self.result(call.id, text_of(told.get("message")), failed or None, lane=self.lane).error_type = reason


FORMAT = declared(__file__, _Reader, Moatless)
