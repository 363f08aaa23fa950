"""ToolBench's answers: one object per query, with the tree of what was tried, or the chain of each try.

A node is a thought, the name of a tool, or what it was given with what came back. The path to the answer, or to the
last node where there is none, is the session; the other branches are lanes of their own, in the order in which they
were tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.formats.container.document import Document
from analyzer.formats.loading.interface import ObjectFormat, described, end_of, words_of
from analyzer.formats.record.definitions import agreed, definitions_in
from analyzer.formats.record.fields import arguments_of, dict_of, first_of, int_or_none, list_of, str_or_none, text_of
from analyzer.formats.record.reader import RecordReader
from analyzer.model.session import Session
from analyzer.model.words import BRANCH, MAIN_LANE

_ENDINGS = words_of(__file__)["endings"]
_GIVEN, _NAMED, _THOUGHT = "Action Input", "Action", "Thought"
_OK, _ANSWERED, _GAVE_UP = 0, 3, 4
"""What the code of a result says, which is any other number for an error."""
_FINISH, _DEEPEST = "Finish", 200
_Node = dict[str, Any]


class ToolBench(ObjectFormat):
    """Reads the answer to one query."""

    def session(self, document: Document, value: Any) -> Session:
        """The path to the answer, with the branches that were given up."""
        about = dict_of(first_of(value, "answer_generation", "answerGeneration"))
        session = Session(document.stem)
        reader = _Reader(session)
        reader.heard(text_of(about.get("query")))
        tries = [list_of(dict_of(one).get("chain")) for one in list_of(value.get("trys"))]
        if tries:
            for number, chain in enumerate(tries[:-1], 1):
                reader.nodes(map(dict_of, chain), f"{BRANCH}{number}")
            reader.nodes(map(dict_of, tries[-1]), MAIN_LANE)
        else:
            root = dict_of(dict_of(value.get("tree")).get("tree"))
            reader.tried(root, {id(node) for node in _path(root)}, MAIN_LANE)
        reader.close()
        status, won = str_or_none(first_of(about, "finish_type", "finishType")), value.get("win")
        session.ending, session.ending_detail = end_of(_ENDINGS, status)
        if isinstance(won, bool):
            # The benchmark's word for whether an answer was given, right or wrong.
            session.recorded_status = f"{status or 'no answer'}, win {str(won).lower()}"
        session.definitions = agreed(definitions_in({"functions": about.get("function")}, "answer_generation"))
        return session


FORMAT = described(__file__, ToolBench)


def _path(root: _Node) -> list[_Node]:
    """The nodes from the root to the last one that gives the answer, or that was reached."""
    found: list[_Node] = []
    waiting = [(root, [root])]
    answered = False
    while waiting:
        node, way = waiting.pop()
        children = [child for child in map(dict_of, list_of(node.get("children"))) if child]
        gives = _code(node) == _ANSWERED and node.get("pruned") is not True
        if gives or (not answered and not children):
            found, answered = way, answered or gives
        if len(way) < _DEEPEST:
            waiting += [(child, [*way, child]) for child in reversed(children)]
    return found


def _code(node: _Node) -> int | None:
    return int_or_none(first_of(node, "observation_code", "observationCode"))


class _Reader(RecordReader):
    """Reads nodes one after another."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._named: dict[str, str] = {}
        self._branches = 0

    def tried(self, node: _Node, path: set[int], lane: str) -> None:
        """Read a node and what was tried behind it, first what was tried first."""
        self.nodes(iter([node]), lane)
        for child in map(dict_of, list_of(node.get("children"))):
            if id(child) in path or (lane != MAIN_LANE and child is node["children"][0]):
                self.tried(child, path, lane)
                continue
            self._branches += 1
            own = f"{BRANCH}{self._branches}"
            self._named[own] = self._named.get(lane, "")
            self.tried(child, path, own)

    def nodes(self, nodes: Iterator[_Node], lane: str) -> None:
        """Read the nodes of a lane."""
        for node in nodes:
            kind, said = first_of(node, "node_type", "nodeType"), text_of(node.get("description"))
            if kind not in (_THOUGHT, _NAMED, _GIVEN):
                self.log.add("tree", f"unknown type of node {str(kind)[:60]!r}; read as a thought")
            if "description" not in node:
                self.log.add("tree", "a node without 'description'")
            if kind == _NAMED:
                self._named[lane] = said
            elif kind != _GIVEN:
                self.answers += lane == MAIN_LANE
                self.say(said, lane=lane)
            elif name := self._named.get(lane):
                call = self.call("tree", self.numbered("call-"), name, None, lane=lane)
                call.arguments, call.task_done = arguments_of(said), name == _FINISH
                code = _code(node)
                failed = True if code not in (None, _OK, _ANSWERED, _GAVE_UP) else None
                if code is not None or node.get("observation"):
                    self.result(call.id, text_of(node.get("observation")), failed, lane=lane)
