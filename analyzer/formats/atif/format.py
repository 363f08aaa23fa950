"""ATIF, the Agent Trajectory Interchange Format (v1.x): one JSON object per trajectory, one step per turn.

A step holds what was said and thought, its tool calls and what came back. Long runs go on in a second file, which
repeats the context it starts from; sub-agents have a trajectory of their own, inside the parent's or in a file beside
it. A trial's directory or archive is read as a whole, a single file says what it refers to.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import Any

from analyzer.formats.atif.steps import Steps, is_step, ours, source_of, take_header, usage_in
from analyzer.formats.container.document import MISSING, Document
from analyzer.formats.loading.interface import FileLog, SessionsFormat, described
from analyzer.formats.loading.mapping.values import string_at, value_at
from analyzer.formats.record.fields import dict_of, float_or_none, list_of, parse_time, text_of, unused_name
from analyzer.formats.record.prompts import issue_of
from analyzer.formats.record.reader import RecordReader
from analyzer.formats.record.records import sample_of
from analyzer.formats.record.usage import together
from analyzer.model.session import Session, Tokens, ToolCall, Usage
from analyzer.model.words import MAIN_LANE, Ending

_FILES = ("trajectory.json", "agent/trajectory.json")
"""Where a trial's directory keeps the trajectory."""
_VERDICT = "result.json"
_FULL_REWARD = 1 - 1e-6
_DEEPEST = 8


class Atif(SessionsFormat):
    """Reads trajectories as one session each, sub-agents in lanes of their own."""

    def sniff(self, document: Document) -> bool:
        """Whether the document is a trajectory, or a list, lines or a trial's files of such."""
        if document.bundle is not None:
            return any(_is_trajectory(document.member_value(name, [])) for name in _FILES if name in document.names)
        found = sample_of(document, 5)
        return bool(found) and all(map(_is_trajectory, found))

    def sessions(self, document: Document, log: FileLog) -> Iterator[Session]:
        """One session per trajectory; continuations and sub-agents are part of the one that refers to them."""
        folder = ""
        if document.bundle is not None:
            name = next((name for name in _FILES if name in document.names), "")
            folder = posixpath.dirname(name)
            found = [(name, document.member_value(name, log.damage))]
        elif document.value is MISSING:
            found = [(record.place, record.value) for record in document.records(log.damage)]
        elif isinstance(document.value, list):
            found = [(f"trajectory {number}", value) for number, value in enumerate(document.value, start=1)]
        else:
            found = [("", document.value)]
        trajectories = [(place, value) for place, value in found if _is_trajectory(value)]
        for number, (place, value) in enumerate(trajectories, 1):
            stem = document.stem if len(trajectories) == 1 else f"{document.stem}-{number}"
            yield _Reader(document, folder).read(place, value, stem)


FORMAT = described(__file__, Atif)


def _is_trajectory(value: object) -> bool:
    found = dict_of(value)
    version, steps = found.get("schema_version"), found.get("steps")
    if not isinstance(version, str) or not isinstance(steps, list):
        return False
    alike = isinstance(found.get("agent"), dict) and any(is_step(one) and source_of(one) for one in steps[:5])
    return version.startswith("ATIF") or alike


class _Reader(RecordReader):
    def __init__(self, document: Document, folder: str) -> None:
        super().__init__(Session(""))
        self._document = document
        self._folder = folder
        self._lanes: set[str] = {MAIN_LANE}
        self._read: set[str] = set()
        self._spent = Usage(Tokens())

    def read(self, place: str, value: dict[str, Any], stem: str) -> Session:
        session = self.session
        agent = dict_of(value.get("agent"))
        session.id = string_at(value, ("session_id", "trajectory_id")) or stem
        session.agent, session.agent_version = _known(agent, "name"), _known(agent, "version")
        session.model = string_at(agent, "model_name")
        self._read.add(posixpath.join(self._folder, posixpath.basename(place)))
        main = self._trajectory(value, MAIN_LANE, place, 0)
        session.task = issue_of(main.task) if main.task else None
        session.user_messages, session.assistant_messages = main.users, main.answers
        # A cost or a count of zero stands for one that was never taken or is withheld.
        total = self._spent.tokens
        session.tokens = total if total.input or total.output else Tokens()
        session.cost_usd = self._spent.cost_usd or None
        self.meter.settle()
        self._end()
        if facts := ours(value):
            take_header(session, facts)
            # Its totals count what was used beside the calls as well, and in all lanes.
            stated = usage_in(dict_of(value.get("final_metrics")), "total_")
            session.tokens, session.cost_usd = stated.tokens, stated.cost_usd
        session.warnings = self.log.warnings()
        return session

    def _trajectory(self, value: dict[str, Any], lane: str, place: str, depth: int) -> Steps:
        """Read a trajectory and its continuations into a lane."""
        steps = Steps(self, lane)
        while True:
            listed = map(dict_of, list_of(value.get("subagent_trajectories")))
            subs = [sub for sub in listed if isinstance(sub.get("steps"), list)]
            inner = {key: sub for sub in subs for key in _keys(sub)}
            numbered = f"{place}, step {{}}" if place else "step {}"
            for where, step in self.log.objects(value["steps"], numbered, "a step"):
                for reference in steps.step(where, step):
                    self._sub_agent(reference, inner, where, depth)
            for sub in subs:
                if f"inside {id(sub)}" not in self._read:
                    self._read.add(f"inside {id(sub)}")
                    self._lane(sub, next(iter(_keys(sub)), "unnamed"), place or "subagent_trajectories", depth)
            # A total that the file states may count earlier files too.
            counted = steps.spent.tokens.input or steps.spent.tokens.output
            stated = usage_in(dict_of(value.get("final_metrics")), "total_")
            self._spent = together(self._spent, steps.spent if counted else stated)
            steps.spent = Usage(Tokens())
            following = string_at(value, "continued_trajectory_ref")
            after = self._beside(following) if following is not None else None
            if following is not None and after is None:
                what = f"it goes on in {following[:120]!r}, which is not part of this input"
                self.log.add(place or "continued_trajectory_ref", what)
            if following is None or after is None:
                return steps
            value, place = after, following

    def _sub_agent(self, reference: dict[str, Any], inner: dict[str, dict[str, Any]], where: str, depth: int) -> None:
        path, names = string_at(reference, "trajectory_path"), _keys(reference)
        own = next((inner[name] for name in names if name in inner), None)
        value = own if own is not None else self._beside(path) if path else None
        if value is None or (own is not None and f"inside {id(own)}" in self._read):
            self.log.add(where, "the steps of a sub-agent are recorded elsewhere, which is not part of this input")
            return
        if own is not None:
            self._read.add(f"inside {id(own)}")
        self._lane(value, next(iter(names), path or "unnamed"), where, depth)

    def _lane(self, value: dict[str, Any], name: str, where: str, depth: int) -> None:
        if depth >= _DEEPEST:
            self.log.add(where, "sub-agents of sub-agents, more deeply than is read; skipped")
            return
        short = name if len(name) <= 24 else name[-24:].lstrip("-_ ")
        lane = string_at(ours(value), "lane") or f"agent-{short}"
        self._trajectory(value, unused_name(lane, self._lanes), name, depth + 1)

    def _beside(self, path: str) -> dict[str, Any] | None:
        """Return the trajectory in another file of the same directory or archive, once."""
        places = (posixpath.join(self._folder, beside) for beside in (path, posixpath.basename(path)))
        unread = set(self._document.names) - self._read
        name = next((name for name in map(posixpath.normpath, places) if name in unread), None)
        if name is None:
            return None
        self._read.add(name)
        value = self._document.member_value(name, [])
        return value if _is_trajectory(value) else None

    def _end(self) -> None:
        session = self.session
        main = (event for event in reversed(session.events) if event.lane == MAIN_LANE)
        last = next((one for one in main if isinstance(one, ToolCall) or getattr(one, "role", None) == "user"), None)
        session.ending = Ending.SUBMITTED if isinstance(last, ToolCall) and last.task_done else None
        if _VERDICT in self._document.names:
            self._verdict(dict_of(self._document.member_value(_VERDICT, session.warnings)))

    def _verdict(self, result: dict[str, Any]) -> None:
        """Take in what the harness that ran the trial wrote beside it."""
        session = self.session
        session.title = string_at(result, "trial_name")
        session.started_at = parse_time(result.get("started_at")) or session.started_at
        session.ended_at = parse_time(result.get("finished_at")) or session.ended_at
        kind = string_at(result, "exception_info.exception_type")
        rewards = map(float_or_none, dict_of(value_at(result, "verifier_result.rewards")).values())
        reward = min((reward for reward in rewards if reward is not None), default=None)
        stated = f"reward {reward:g}" if reward is not None else None
        if reward is not None and reward >= _FULL_REWARD:
            self.ended(stated, Ending.SOLVED, "the verifier gave the full reward")
        elif kind is not None and "Timeout" in kind:
            self.ended(kind, Ending.LIMIT, "time limit")
        elif kind is not None:
            said = text_of(value_at(result, "exception_info.exception_message"))
            self.ended(kind, Ending.CRASHED, f"{kind}: {said}")
        elif reward is not None:
            self.ended(stated, Ending.UNSOLVED, stated)


def _known(agent: dict[str, Any], key: str) -> str | None:
    """Return a name or version; the format demands both, so that some write `unknown`."""
    text = string_at(agent, key)
    return None if text is None or text.lower() == "unknown" else text


def _keys(value: dict[str, Any]) -> list[str]:
    """Return the ids that tell a trajectory apart; redacted ones don't."""
    texts = (string_at(value, key) for key in ("trajectory_id", "session_id"))
    return [text for text in texts if text is not None and "redacted" not in text.lower()]
