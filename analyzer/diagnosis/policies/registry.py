"""The table of policies: the plain ones, then those of other programs."""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping
from typing import Any

from analyzer.diagnosis.policies.policy import Anywhere, Cycle, InARow, Messages, Parameter, PolicyKind, Turns, Window
from analyzer.model.action import Action
from analyzer.model.errors import BadConfiguration
from analyzer.model.words import Kind, Mark, Status
from analyzer.text.english import did_you_mean
from analyzer.text.names import digest

_LONGEST = 500
"""Characters of arguments that are kept as they are; of longer ones a digest is."""


def tool(action: Action) -> str:
    """The tool's name."""
    return action.tool


def _call_and_result(action: Action) -> Hashable:
    return action.keys.call, action.keys.outcome


def _error(action: Action) -> Hashable:
    """The error to the letter, unless it was to be expected."""
    return action.failure.headline if action.failure is not None and not action.failure.expected else None


def _masked_error(action: Action) -> Hashable:
    """The session's group of the error, unless it was to be expected."""
    return action.failure.group if action.failure is not None and not action.failure.expected else None


def _as_written(action: Action) -> Hashable:
    """The tool's name and its arguments as JSON in the order in which they were written."""
    return f"{action.tool}:{_json(action.arguments, in_order=False)}"


def _sorted(action: Action, without: str | None = None) -> str:
    """The tool's name and its arguments as JSON with sorted keys; the argument `without` is left out."""
    arguments = action.arguments
    if without is not None and not isinstance(arguments, str):
        arguments = {name: value for name, value in arguments.items() if name != without}
    return f"{action.tool}:{_json(arguments, in_order=True)}"


def _json(arguments: Mapping[str, Any] | str, *, in_order: bool) -> str:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, sort_keys=in_order, default=str)
    return text if len(text) <= _LONGEST else digest(text)


def _sorted_and_result(action: Action) -> Hashable:
    return _sorted(action), action.keys.outcome


def _one_fails(one: Hashable, other: Hashable) -> bool:
    """Whether of two tools with their errors the second one fails, and only it."""
    assert isinstance(one, tuple)
    assert isinstance(other, tuple)
    return one[0] != other[0] and one[1] is None and other[1] is not None


def _thought_of_command(action: Action) -> Hashable:
    """Name and arguments; of a command the thought before it as well."""
    return _sorted(action), action.said if action.operation.command is not None else ""


def _thought(action: Action) -> Hashable:
    """The thought, the name and the arguments."""
    return action.said, _sorted(action)


def _exit_code(action: Action) -> Hashable:
    """Of a command the exit code (where none was recorded, whether it failed), else the text."""
    if action.operation.command is None or action.result is None:
        return action.keys.outcome
    return action.exit_code if action.exit_code is not None else str(action.status)


def _refused(action: Action) -> bool:
    """Whether the harness, and no command, says that it went wrong."""
    return action.mark is Mark.REJECTED or (action.operation.command is None and action.status is Status.ERROR)


_TIMES = Parameter(3, 2, (2, 3, 4, 5, 6), "times in the session")
_ROUNDS = {"rounds": Parameter(3, 2, (2, 3, 4, 5), "rounds")}
_ALL = (
    PolicyKind(
        "same-tool",
        "The same tool several times in a row, whatever it's called with.",
        lambda times: [InARow(tool, times)],
        {"times": Parameter(5, 2, (3, 4, 5, 8, 10, 15), "calls in a row")},
    ),
    PolicyKind(
        "identical-call",
        "The same call several times in a row, whatever comes of it.",
        lambda times: [InARow(lambda action: action.keys.call, times)],
        {"times": Parameter(3, 2, (2, 3, 4, 5, 6, 8), "calls in a row")},
    ),
    PolicyKind(
        "identical-call-and-result",
        "The same call with an equal result several times in a row.",
        lambda times: [InARow(_call_and_result, times)],
        {"times": Parameter(4, 2, (2, 3, 4, 5, 6), "calls in a row")},
    ),
    PolicyKind(
        "identical-error",
        "The same error to the letter several times in a session, whatever lies in between.",
        lambda times: [Anywhere(_error, times)],
        {"times": _TIMES},
    ),
    PolicyKind(
        "masked-error",
        "The same error several times in a session once line numbers, paths, times and ids are masked.",
        lambda times: [Anywhere(_masked_error, times)],
        {"times": _TIMES},
    ),
    PolicyKind(
        "alternating-calls",
        "Two calls with equal results take turns.",
        lambda rounds: [Turns(_call_and_result, rounds)],
        _ROUNDS,
    ),
    PolicyKind(
        "alternating-error",
        "Two tools take turns, and the second one gives the same error every time.",
        lambda rounds: [
            Turns(lambda action: (action.tool, action.failure.group if action.failure else None), rounds, _one_fails)
        ],
        _ROUNDS,
    ),
    PolicyKind(
        "exact-cycle",
        "An exact cycle of calls comes round several times, whatever comes of them.",
        lambda period, rounds: [Cycle(lambda action: (action.tool, action.keys.call), period, rounds)],
        {
            "period": Parameter(5, 1, (1, 2, 3, 5, 8), "calls in the longest cycle that is looked for"),
            "rounds": Parameter(5, 2, (3, 4, 5, 6), "rounds"),
        },
    ),
    # The usual value is LangGraph's `recursion_limit`, which counts super-steps, two for every call of a simple graph.
    PolicyKind(
        "step-limit",
        "A limit of actions, whatever they do.",
        lambda actions: [Anywhere(lambda _action: True, actions)],
        {"actions": Parameter(25, 1, (10, 15, 25, 50, 100, 200), "actions")},
    ),
    PolicyKind(
        "openhands",
        "OpenHands (V0): four equal calls and results, three equal calls that end in an error of its own, or six steps"
        " that take turns.",
        lambda: [
            Turns(lambda action: (_thought_of_command(action), _exit_code(action)), 3),
            InARow(lambda action: (_thought_of_command(action), _exit_code(action)), 4),
            InARow(lambda action: _thought_of_command(action) if _refused(action) else None, 3),
        ],
        source="`openhands/controller/stuck.py` at 156d0686 in headless mode, where messages of the user change "
        "nothing. Two commands are equal if the thought before them is; two results of commands if their exit "
        "codes are, whatever was printed. What isn't replayed: three equal messages of the agent, ten "
        "condensations, three kinds of syntax error in a notebook cell.",
    ),
    PolicyKind(
        "openhands-sdk",
        "OpenHands SDK: four equal calls and results, four equal calls that the program refuses, or six steps that take"
        " turns.",
        lambda: [
            Turns(lambda action: (_thought(action), action.keys.outcome), 3),
            InARow(lambda action: (_thought(action), action.keys.outcome), 4),
            InARow(lambda action: _thought(action) if _refused(action) else None, 4),
        ],
        source="`stuck_detector.py` of the software agent SDK at 611629e6. Two calls are equal if the thought before "
        "them is, two results if their texts are. What isn't replayed: three messages of the agent in a row.",
        starts_again=True,
    ),
    PolicyKind(
        "gemini-cli",
        "gemini-cli: an exact cycle of one to five calls comes round five times, whatever comes of them.",
        lambda: [Cycle(_as_written, 5, 5)],
        source="`loopDetectionService.ts` at 5411f113. What isn't replayed: repeated text, and the model that judges "
        "after thirty turns.",
        starts_again=True,
    ),
    PolicyKind(
        "qwen-code",
        "qwen-code: five equal calls in a row, six anywhere since the user spoke, two calls that take turns three "
        "times, or eight calls of one tool in a row.",
        lambda: [Turns(_sorted, 3), InARow(_sorted, 5), Anywhere(_sorted, 6), InARow(tool, 8)],
        source="`loopDetectionService.ts` at 00aa71b4, its heuristics switched on. What isn't replayed: eight reads "
        "among fifteen calls, eight overviews of the repository, the caps of 100 and 1000 calls, repeated "
        "text and thoughts.",
        starts_again=True,
    ),
    PolicyKind(
        "roo-code",
        "Roo-Code: the fourth equal call in a row, whatever comes of it.",
        lambda: [InARow(_sorted, 4)],
        source="`ToolRepetitionDetector.ts` at 37479466, where three are allowed.",
    ),
    PolicyKind(
        "cline",
        "Cline: the fifth equal call in a row, whatever comes of it; at the third it only warns.",
        lambda times: [InARow(lambda action: _sorted(action, without="task_progress"), times)],
        {"times": Parameter(5, 2, (3, 5), "calls in a row: it warns at 3 and stops at 5")},
        source="`src/core/task/loop-detection.ts` at 59229327.",
    ),
    PolicyKind(
        "opencode",
        "opencode: three equal calls in a row within one message.",
        lambda: [InARow(lambda action: (action.batch, _as_written(action)) if action.batch is not None else None, 3)],
        source="Issues #25254 and #50073 about `processor.ts`: every message resets the count, so that only calls "
        "that were sent together are compared.",
    ),
    PolicyKind(
        "crush",
        "crush: more than five of the last ten messages make equal calls with equal results.",
        lambda: [Messages(lambda action: (_as_written(action), action.keys.outcome), 10, 6)],
        source="`internal/agent/loop_detection.go` at 37f36e93.",
    ),
    PolicyKind(
        "browser-use",
        "browser-use: five equal actions among the last twenty, whatever comes of them; it nudges at 5, at 8 and at "
        "12.",
        lambda times: [Window(lambda action: _sorted(action).casefold(), 20, times)],
        {"times": Parameter(5, 2, (5, 8, 12), "equal actions among the last twenty")},
        source="`browser_use/agent/views.py` at 85ddbfed. What isn't replayed: five unchanged pages in a row.",
    ),
    PolicyKind(
        "openclaw",
        "openclaw: twenty calls with equal results among the last thirty, or two that take turns for as long; it warns "
        "at ten.",
        lambda times: [
            Turns(_sorted_and_result, (times + 1) // 2),
            Window(_sorted, max(30, times), times, lambda action: action.keys.outcome),
        ],
        {"times": Parameter(20, 2, (10, 20, 30), "calls: it warns at 10 and stops at 20")},
        source="`src/agents/tool-loop-detection.ts` at 00655306, switched on. What isn't replayed: ten calls of an "
        "unknown tool, and the ids and times that it takes out of its own tools' results.",
    ),
    PolicyKind(
        "hermes-agent",
        "hermes-agent: five equal calls with equal results in a row, five laps of a cycle of two to four, or five equal"
        " calls that fail.",
        lambda times: [
            Cycle(_sorted_and_result, 4, times, shortest=2),
            InARow(_sorted_and_result, times),
            Anywhere(
                lambda action: _sorted(action) if action.failed else None,
                times,
                forgets=lambda action: action.kind in (Kind.EDIT, Kind.RUN, Kind.TEST),
            ),
        ],
        {"times": Parameter(5, 2, (3, 5), "rounds: it warns at 3 and stops at 5")},
        source="`agent/tool_guardrails.py` at 06c25ac9 with its hard stops on; with `times=3` where it takes notice. "
        "What isn't replayed: eight failures of one tool (commands are exempt there), the pollers that it "
        "knows by name, the caps on searches and sub-agents.",
        starts_again=True,
    ),
)
POLICIES: dict[str, PolicyKind] = {kind.name: kind for kind in _ALL}
"""Every policy by its name."""


def policy(name: str) -> PolicyKind:
    """The policy of that name. Raises `BadConfiguration` where there's none."""
    found = POLICIES.get(name)
    if found is None:
        raise BadConfiguration(f"there is no policy {name!r}.", hint=did_you_mean(name, POLICIES))
    return found
