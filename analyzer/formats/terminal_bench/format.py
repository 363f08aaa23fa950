"""Terminal-Bench trials: the verdict (`results.json`), what was typed into the terminal, and the recording of the
terminal.

A trial is a folder with all three; each file alone is read for what it holds. What the benchmark typed to set itself
and the agent up is marked as the harness's; where the agent in the terminal is mini-swe-agent, its own steps are the
calls.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.formats.container.document import MISSING, Document
from analyzer.formats.loading.interface import FileLog, SessionsFormat, described, end_of, expressions_of, words_of
from analyzer.formats.loading.mapping.values import string_at
from analyzer.formats.record.fields import dict_of, int_or_none, json_or_none, list_of, parse_time, str_or_none
from analyzer.formats.record.prompts import issue_of
from analyzer.formats.record.usage import Meter, dollars
from analyzer.formats.terminal_bench.screen import commands_of, last_line, plain
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import EvaluationLog, Message, ReadWarning, Session, Tokens, ToolCall, ToolResult
from analyzer.model.words import Ending
from analyzer.text.clip import clip
from analyzer.text.python_values import python_values

_RESULTS, _COMMANDS = "results.json", "commands.txt"
_LOG, _CAST = "sessions/agent.log", "sessions/agent.cast"
_TESTS = "sessions/tests.log"
_TESTS_END = 20_000
"""Characters of what the tests printed that are kept: a runner's counts stand at the end."""
_HEAD = 4_000
_SAYS = expressions_of(__file__)
_KEYS = frozenset({"Enter", "C-d", "C-c", "C-m", "KPEnter"})
_RULE, _SHORTEST_RULE = "\u2500", 20
_DONE = "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"

_MODES = words_of(__file__)["modes"]


class TerminalBench(SessionsFormat):
    """Reads a trial as one session, and the results of a whole run as one session per trial."""

    def sniff(self, document: Document) -> bool:
        """Whether the document is a trial's folder or one of its files."""
        if document.bundle is not None:
            return _RESULTS in document.names and not {_COMMANDS, _LOG, _CAST}.isdisjoint(document.names)
        if document.value is not MISSING:
            return bool(_trials(dict_of(document.value)))
        return _SAYS["recording"].search(document.opening(_HEAD)) is not None

    def sessions(self, document: Document, log: FileLog) -> Iterator[Session]:
        """The trials."""
        if document.bundle is not None:
            yield _folder(document, log)
            return
        trials = _trials(dict_of(document.value))
        for number, trial in enumerate(trials, start=1):
            session = _results(trial, document.stem if len(trials) == 1 else f"{document.stem}/trial-{number}")
            what = "only the verdict is in this file; read the trial's folder for the steps"
            session.warnings.append(ReadWarning(_RESULTS, what))
            yield session
        if isinstance(document.value, dict):
            return
        session = Session(id=document.stem)
        found = _SAYS["recording"].search(document.opening(_HEAD))
        if found is None:
            raise UnreadableInput("is no recording of a Terminal-Bench trial.", where=document.name)
        if found["what"] == "tests" and not _SAYS["typed_list"].match(document.text):
            shown = f' It ends with "{clip(last, 120)}".' if (last := last_line(document.text)) else ""
            what = f"records the tests of a Terminal-Bench trial, not the agent.{shown}"
            hint = "Name the trial's folder, or its sessions/agent.log."
            raise UnreadableInput(what, where=document.name, hint=hint, foreign=True)
        add = _add_typed if _SAYS["typed_list"].match(document.text) else _add_recording
        add(document.text, session)
        yield session


def _trials(value: dict[str, Any]) -> list[dict[str, Any]]:
    found = [value] if _is_trial(value) else map(dict_of, list_of(value.get("results")))
    return list(filter(_is_trial, found))


def _is_trial(value: dict[str, Any]) -> bool:
    return "is_resolved" in value and "task_id" in value and ("failure_mode" in value or "parser_results" in value)


def _folder(document: Document, log: FileLog) -> Session:
    trials = _trials(dict_of(document.member_value(_RESULTS, log.damage)))
    session = _results(trials[0], document.stem) if trials else Session(id=document.stem)
    for name, add in ((_LOG, _add_recording), (_CAST, _add_cast), (_COMMANDS, _add_typed)):
        if not any(True for _ in session.calls()):
            add(_text(document, name, log), session)
    if session.ending is None and (printed := plain(_text(document, _TESTS, log)).rstrip()):
        # No verdict on the tests is recorded.
        session.evaluation = EvaluationLog(_TESTS, printed[-_TESTS_END:])
    if not any(True for _ in session.calls()):
        log.add("sessions", "no command of the agent was recorded")
    return session


def _text(document: Document, name: str, log: FileLog) -> str:
    member = document.member_or_none(name, log.damage) if name in document.names else None
    return member.text if member is not None else ""


def _results(trial: dict[str, Any], stem: str) -> Session:
    session = Session(id=string_at(trial, ("trial_name", "task_id")) or stem)
    session.task = str_or_none(trial.get("instruction"))
    if name := str_or_none(trial.get("task_id")):
        session.environment["task"] = name
    session.started_at = parse_time(string_at(trial, ("agent_started_at", "trial_started_at")))
    session.ended_at = parse_time(string_at(trial, ("agent_ended_at", "trial_ended_at")))
    # Agents that don't report their usage are recorded with zeros.
    session.tokens.input = int_or_none(trial.get("total_input_tokens")) or None
    session.tokens.output = int_or_none(trial.get("total_output_tokens")) or None
    session.user_messages = int(session.task is not None)
    session.say(Message("user", session.task or ""))
    mode, resolved = str_or_none(trial.get("failure_mode")), trial.get("is_resolved")
    mode = None if mode in {"unset", "none"} else mode
    session.ending, detail = end_of(_MODES, mode, mode)
    if isinstance(resolved, bool):
        session.ending = Ending.SOLVED if resolved else Ending.UNSOLVED
    failed = [str(name) for name, verdict in dict_of(trial.get("parser_results")).items() if verdict == "failed"]
    tests = f"failed tests: {', '.join(failed)}" if failed else None
    session.ending_detail = "; ".join(filter(None, (detail, tests))) or None
    session.recorded_status = mode or (None if resolved is None else "resolved" if resolved is True else "not resolved")
    return session


def _add_typed(text: str, session: Session) -> None:
    """Add what was typed, a list of keys per line, as calls without results."""
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            keys = list_of(python_values(line.strip()) if line.strip() else None)
        except ValueError:
            session.warnings.append(ReadWarning(f"line {number}", "no list of keys; skipped"))
            continue
        command = "".join(key for key in keys if isinstance(key, str) and key not in _KEYS).strip()
        if command and not _SAYS["bookkeeping"].match(command):
            session.events.append(_call(command))


def _add_recording(text: str, session: Session) -> None:
    for number, (typed, printed) in enumerate(commands_of(text), start=1):
        command = _SAYS["waiting"].sub("", typed).strip()
        if not command or _SAYS["bookkeeping"].match(command):
            continue
        call, output = _call(command, f"command-{number}"), printed.strip()
        session.events.append(call)
        if _SAYS["step"].search(output):
            call.harness = True
            _add_steps(command, output, session)
        else:
            session.events.append(ToolResult(call.id, output))


def _add_cast(text: str, session: Session) -> None:
    """Add the commands that an asciinema recording shows: a header, then lines of a time, a direction and a text."""
    entries = (json_or_none(line) for line in text.splitlines())
    shown = (entry[2] for entry in entries if isinstance(entry, list) and len(entry) == 3 and entry[1] == "o")
    _add_recording("".join(part for part in shown if isinstance(part, str)), session)


def _call(command: str, ident: str | None = None) -> ToolCall:
    return ToolCall(ident, "bash", {"command": command}, harness=_SAYS["setup"].match(command) is not None)


def _add_steps(command: str, output: str, session: Session) -> None:
    """Add the steps that mini-swe-agent shows on the terminal."""
    if agent := _SAYS["agent"].search(output):
        session.agent, session.agent_version = agent[1], agent[2]
    if model := _SAYS["model"].search(command):
        session.model = model[1]
    # What is shown with a step is the cost so far, in cents; it was spent by the time that the step's words came.
    meter, before = Meter(session.events), 0.0
    start, *parts = _SAYS["step"].split(output)
    _, told, prompt = _halves(start)
    if told and prompt and session.task is None:
        # The verdict with the task isn't there.
        session.task, session.user_messages = issue_of(prompt), 1
        session.events.append(Message("user", prompt))
    session.assistant_messages = len(parts) // 2
    for number, (cost, step) in enumerate(zip(parts[::2], parts[1::2], strict=True), start=1):
        said, reply, answer = _halves(step)
        so_far = session.cost_usd = dollars(cost)
        if so_far is not None:
            meter.spent(Tokens(), round(max(0.0, so_far - before), 2) or None)
            before = so_far
        actions = _SAYS["action"].findall(said)
        session.say(Message("assistant", _SAYS["action"].sub("", said).strip()))
        if len(actions) != 1:
            session.say(Message("harness", answer))
            continue
        call = ToolCall(f"step-{number}", "bash", {"command": actions[0]}, task_done=_DONE in actions[0])
        session.events.append(call)
        if returned := _SAYS["returned"].match(answer):
            printed = answer[returned.end() :].strip().removesuffix("</output>").strip("\n")
            session.events.append(ToolResult(call.id, printed, exit_code=int(returned[1])))
        elif reply and not call.task_done:
            session.events.append(ToolResult(call.id, answer))
    meter.settle()


def _halves(step: str) -> tuple[str, bool, str]:
    """The agent's words and what came back for them."""
    parts = _SAYS["reply"].split(step, maxsplit=1)
    answer = parts[1].strip() if len(parts) > 1 else ""
    above = answer.rstrip(_RULE)
    if len(answer) - len(above) >= _SHORTEST_RULE:
        answer = above.strip()
    return parts[0], len(parts) > 1, answer


FORMAT = described(__file__, TerminalBench)
