"""tau2-bench results: tasks and their simulations, each a talk between a simulated user and an agent.

They are one file, or a folder with the tasks in `results.json` and a file for each simulation.
Both may have tools of their own. A call names who asked for it; the user's calls are kept in a lane of their own.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import reduce
from typing import Any

from analyzer.formats.container.document import MISSING, Document
from analyzer.formats.loading.interface import FileLog, SessionsFormat, described, end_of, words_of
from analyzer.formats.record.fields import dict_of, first_of, float_or_none, list_of, name_or_none, str_or_none, text_of
from analyzer.formats.record.reader import RecordReader
from analyzer.formats.record.records import sample_of
from analyzer.formats.record.token_counts import added, of_api
from analyzer.formats.record.usage import cost_or_none
from analyzer.formats.tau.bench_format import is_full, is_signal, run_name, take_task
from analyzer.model.session import Beside, Message, ReadWarning, Session, Tokens, Usage
from analyzer.model.struct import replace
from analyzer.model.words import MAIN_LANE, USER_LANE, Ending

_RESULTS = "results.json"
_ENDINGS = words_of(__file__)["endings"]


class Tau2Bench(SessionsFormat):
    """Reads results as one session per simulation."""

    def sniff(self, document: Document) -> bool:
        """Whether the document holds simulations, with their tasks or with messages of their own."""
        if document.bundle is not None:
            return _RESULTS in document.bundle.names and any(map(_is_simulation, _members(document, [], 5).values()))
        value = dict_of(document.value)
        if isinstance(value.get("simulations"), list) and isinstance(value.get("tasks"), list):
            return True
        return any(map(_is_simulation, sample_of(document, 5, "simulations")))

    def sessions(self, document: Document, log: FileLog) -> Iterator[Session]:
        """The simulations in file order."""
        value, simulations = _parts(document, log)
        tasks = {name_or_none(task.get("id")): task for task in map(dict_of, list_of(value.get("tasks")))}
        for place, simulation in simulations:
            if _is_simulation(simulation):
                yield _Reader(place, simulation).read(dict_of(value.get("info")), tasks)
            else:
                log.add(place, "not a simulation with its task; skipped")


FORMAT = described(__file__, Tau2Bench)


def _members(document: Document, warnings: list[ReadWarning], most: int | None = None) -> dict[str, Any]:
    """The simulations that are kept in files of their own, by their places."""
    names = document.bundle.names if document.bundle is not None else ()
    files = [name for name in names if name.startswith("simulations/") and name.endswith(".json")][:most]
    return {name: value for name in files if (value := document.member_value(name, warnings)) is not MISSING}


def _parts(document: Document, log: FileLog) -> tuple[dict[str, Any], list[tuple[str, Any]]]:
    """What is said about all simulations, and each of these with its place."""
    if document.bundle is not None:
        return dict_of(document.member_value(_RESULTS, log.damage)), list(_members(document, log.damage).items())
    value = document.value
    listed = value.get("simulations") if isinstance(value, dict) and not _is_simulation(value) else value
    simulations = listed if isinstance(listed, list) else [listed] if isinstance(listed, dict) else []
    return dict_of(value), [(f"simulation {number}", one) for number, one in enumerate(simulations, start=1)]


def _is_simulation(value: object) -> bool:
    return isinstance(value, dict) and "task_id" in value and not {"messages", "termination_reason"}.isdisjoint(value)


_ASSERTIONS = ("env", "nl")
"""What an evaluation may assert beside the calls: of the environment, and in words of the talk."""


def _unmet(verdict: dict[str, Any]) -> str:
    """What a verdict counts and found otherwise than was asserted: the names of checks, and sentences."""
    basis = list_of(verdict.get("reward_basis"))
    found = [
        str_or_none(first_of(dict_of(one.get(f"{kind}_assertion")) or one, "func_name", f"{kind}_assertion"))
        for kind in _ASSERTIONS
        if f"{kind}_ASSERTION".upper() in basis
        for one in map(dict_of, list_of(verdict.get(f"{kind}_assertions")))
        if one.get("met") is False
    ]
    return ", ".join(filter(None, found))


class _Reader(RecordReader):
    def __init__(self, place: str, simulation: dict[str, Any]) -> None:
        self._place = place
        self._simulation = simulation
        super().__init__(Session(run_name(simulation.get("task_id"), simulation.get("trial"), place)))

    def read(self, info: dict[str, Any], tasks: dict[str | None, dict[str, Any]]) -> Session:
        """Return the simulation as a session; `info` describes all of the file's simulations."""
        session, simulation = self.session, self._simulation
        agent, environment = dict_of(info.get("agent_info")), dict_of(info.get("environment_info"))
        session.agent, session.model = str_or_none(agent.get("implementation")), str_or_none(agent.get("llm"))
        if domain := str_or_none(environment.get("domain_name")):
            session.environment["domain"] = domain
        for key in ("start_time", "end_time"):
            self.clock(simulation.get(key))
        session.cost_usd = float_or_none(simulation.get("agent_cost"))
        for place, message in self.log.objects(simulation.get("messages"), f"{self._place}, message {{}}", "a message"):
            self._message(place, message)
        if ticks := list_of(simulation.get("ticks")):
            self.log.add(self._place, f"{len(ticks)} ticks of speech, which aren't read")
        session.beside = self._simulated_user(dict_of(info.get("user_info")))
        task = tasks.get(name_or_none(simulation.get("task_id")), {})
        criteria = dict_of(task.get("evaluation_criteria"))
        verdict = dict_of(simulation.get("reward_info"))
        checks, heard = verdict.get("action_checks"), verdict.get("communicate_checks")
        checked = [dict_of(dict_of(one).get("action")) for one in checks] if isinstance(checks, list) else None
        named = list(map(dict_of, list_of(criteria.get("actions"))))
        pairs = [[(one.get("name"), one.get("arguments")) for one in calls] for calls in (checked or [], named)]
        if checked and pairs[0] != pairs[1]:
            # The file's tasks aren't those of its simulations: only what was checked says what was expected.
            task, criteria = {}, {}
        # What the simulated user wants: the reason for the call, else all of the instructions.
        wanted = dict_of(task.get("user_scenario")).get("instructions")
        if isinstance(wanted, dict):
            wanted = str_or_none(wanted.get("reason_for_call")) or json.dumps(wanted, ensure_ascii=False)
        instruction = str_or_none(wanted)
        ticket = None if instruction else str_or_none(task.get("ticket"))
        expected = checked or (criteria.get("actions") if checked is None else None)
        basis = criteria.get("reward_basis")
        counted = (name for name in _ASSERTIONS if criteria.get(f"{name}_assertions"))
        asserts = any(basis is None or f"{name}_ASSERTION".upper() in list_of(basis) for name in counted)
        # What the verdict looked for in the agent's words; where it doesn't say, what the task names.
        words = [dict_of(check).get("info") for check in heard] if isinstance(heard, list) else None
        take_task(session, instruction, expected, criteria.get("communicate_info") if words is None else words, ticket)
        if session.expected is not None and session.expected.calls == () and (asserts or expected):
            # Something is expected to hold, or of the user; which calls of the agent bring it about isn't said.
            session.expected = replace(session.expected, calls=None)
        self._end()
        return self.closed()

    def _simulated_user(self, about: dict[str, Any]) -> tuple[Beside, ...]:
        """What the model used that plays the user."""
        cost = cost_or_none(self._simulation.get("user_cost"))
        said = [dict_of(entry) for entry in list_of(self._simulation.get("messages"))]
        used = [of_api(dict_of(entry.get("usage"))) for entry in said if entry.get("role") == "user"]
        tokens = reduce(added, used, Tokens())
        if cost is None and tokens == Tokens():
            return ()
        return (Beside("user simulator", str_or_none(about.get("llm")), Usage(tokens, cost)),)

    def _message(self, place: str, message: dict[str, Any]) -> None:
        time = self.clock(message.get("timestamp"))
        match message.get("role"):
            case "system":
                self.note(text_of(message.get("content")), time, role="system")
            case "user":
                text = text_of(message.get("content"))
                signal = is_signal(text)
                self.users += not signal
                self.session.say(Message("harness" if signal else "user", text, time))
                self._calls(place, message, time, USER_LANE)
            case "assistant":
                self.answers += 1
                self.meter.spent(of_api(dict_of(message.get("usage"))), cost_or_none(message.get("cost")) or None)
                thought = dict_of(dict_of(message.get("raw_data")).get("message")).get("reasoning_content")
                self.say(text_of(thought), time, thought=True)
                self.say(text_of(message.get("content")), time)
                self._calls(place, message, time, MAIN_LANE)
            case "tool":
                several = message.get("tool_messages")
                for told in map(dict_of, several if isinstance(several, list) else [message]):
                    lane = USER_LANE if told.get("requestor") == "user" else MAIN_LANE
                    self.result(told.get("id"), text_of(told.get("content")), told.get("error"), time, lane)
            case role:
                self.unknown(place, "role", role)

    def _calls(self, place: str, message: dict[str, Any], time: float | None, lane: str) -> None:
        for _, call in self.log.objects(message.get("tool_calls"), place, "a tool call"):
            self.call(place, call.get("id"), call.get("name"), call.get("arguments"), time, lane, place)

    def _end(self) -> None:
        session = self.session
        about = dict_of(self._simulation.get("reward_info"))
        reward = float_or_none(about.get("reward"))
        reason = session.recorded_status = str_or_none(self._simulation.get("termination_reason"))
        judged = None if reward is None else f"reward {reward:g}"
        if reward is not None and is_full(reward):
            session.ending, session.ending_detail = Ending.SOLVED, judged
        elif reason in _ENDINGS:
            session.ending, session.ending_detail = end_of(_ENDINGS, reason)
        elif reward is not None:
            checks = map(dict_of, list_of(about.get("action_checks")))
            missed = [dict_of(check.get("action")) for check in checks if check.get("action_match") is False]
            made = {call.name for call in session.calls()}
            groups: dict[str, list[str]] = {}
            for call in missed:
                name, by = str(call.get("name")), " of the user" if call.get("requestor") == "user" else ""
                what = "with other values" if name in made else "and not called"
                groups.setdefault(f"expected{by} {what}", []).append(name)
            ordered = sorted(groups.items(), key=lambda group: group[0].endswith("called"))
            told = [*((what, ", ".join(names)) for what, names in ordered), ("not as asserted", _unmet(about))]
            parts = (judged, *(f"{what}: {which}" for what, which in told if which))
            session.ending, session.ending_detail = Ending.UNSOLVED, "; ".join(filter(None, parts))
