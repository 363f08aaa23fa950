"""Moatless: trajectories that are trees of nodes, each with an action and what came of it.

The session is the path from the root to the node at which the search ended; other branches are tries that were given
up.
"""

from __future__ import annotations

from typing import Any

from analyzer.formats.container.document import Document
from analyzer.formats.loading.interface import ObjectFormat
from analyzer.formats.record.fields import dict_of, int_or_none, list_of, str_or_none, text_of
from analyzer.formats.record.prompts import issue_of
from analyzer.formats.record.reader import RecordReader
from analyzer.formats.record.token_counts import added
from analyzer.formats.record.usage import cost_or_none
from analyzer.formats.record.warnings import NAMELESS_CALL
from analyzer.model.session import Message, Session, Tokens, ToolCall, ToolResult
from analyzer.model.words import Ending

_THOUGHTS = ("scratch_pad", "thoughts", "thought")
_SUFFIXES = ("Arguments", "Args")
_HANDS_IN = frozenset({"Finish", "VerifiedFinish", "Reject"})
_DEEPEST = 2_000


class Moatless(ObjectFormat):
    """Reads the one session of a trajectory."""

    name = "moatless"
    title = "Moatless"
    versions = "trajectories with nodes, of November 2024; nested nodes as published"
    not_recorded = ("times", "exit codes", "whether the task was solved")
    nothing = "node of a Moatless trajectory"

    def is_own(self, value: object) -> bool:
        """Whether an object has nodes."""
        return any(map(_is_node, _nodes(value)))

    def session(self, document: Document, value: dict[str, Any]) -> Session:
        """The session that a trajectory is."""
        nodes = [node for node in _nodes(value) if _is_node(node)]
        path = _path(nodes)
        about = dict_of(value.get("metadata"))
        reader = _Reader(Session(str_or_none(about.get("instance_id")) or document.stem, agent="Moatless"))
        for node in path:
            reader.node(node)
        reader.finish(len(nodes) - len(path))
        return reader.session


def _is_node(value: object) -> bool:
    node = dict_of(value)
    return "node_id" in node and ("action" in node or "message" in node or "file_context" in node)


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


class _Reader(RecordReader):
    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._count = 0

    def node(self, node: dict[str, Any]) -> None:
        """Read one node."""
        session, place = self.session, f"node {str(node['node_id'])[:20]}"
        said = str_or_none(node.get("message")) or str_or_none(node.get("user_message"))
        if said is not None:
            session.say(Message("user", said))
            self.users += 1
            session.task = session.task or issue_of(said.removeprefix("<task>").removesuffix("</task>"))
        steps = [dict_of(step) for step in list_of(node.get("action_steps"))]
        for completion in dict_of(node.get("completions")).values():
            self._spent(dict_of(completion))
        for step in steps or [node]:
            self._spent(dict_of(step.get("completion")))
            if isinstance(step.get("action"), dict):
                self._action(place, step["action"], step.get("observation"))

    def finish(self, abandoned: int) -> None:
        """Give the calls what was used for them, and say what was left out."""
        if abandoned:
            self.log.add("nodes", f"{abandoned} of branches that were given up; left out")
        self.answers = self._count
        self.close()

    def _spent(self, completion: dict[str, Any]) -> None:
        usage = dict_of(completion.get("usage"))
        self.session.model = self.session.model or str_or_none(completion.get("model"))
        keys = ("prompt_tokens", "completion_tokens", "cached_tokens")
        sent, got, cached = (int_or_none(usage.get(key)) for key in keys)
        if usage:
            # What a cache served is counted apart from the prompt.
            tokens = added(Tokens(sent, got, cached), Tokens(cached if sent is not None else None))
            self.meter.spent(tokens, cost_or_none(usage.get("completion_cost")))

    def _action(self, place: str, action: dict[str, Any], observation: object) -> None:
        session, given = self.session, dict(action)
        kind = str_or_none(given.pop("action_args_class", None)) or str_or_none(given.pop("action_name", None)) or ""
        name = kind.rpartition(".")[2]
        for suffix in _SUFFIXES:
            name = name.removesuffix(suffix)
        if not name:
            self.log.add(place, NAMELESS_CALL)
        for key in _THOUGHTS:
            session.say(Message("assistant", text_of(given.pop(key, None)), thought=True))
        arguments = {key: value for key, value in given.items() if value is not None}
        done = name in _HANDS_IN
        self._count += 1
        call = ToolCall(f"action-{self._count}", name or "unknown", arguments, task_done=done)
        session.events.append(call)
        told = dict_of(observation)
        if done:
            session.recorded_status, session.ending = name, Ending.SUBMITTED if name != "Reject" else None
        if not told:
            return
        reason = str_or_none(dict_of(told.get("properties")).get("fail_reason"))
        failed = True if reason is not None or told.get("expect_correction") is True else None
        session.events.append(ToolResult(call.id, text_of(told.get("message")), failed, error_type=reason))


FORMAT = Moatless()
"""The object that the registry lists."""
