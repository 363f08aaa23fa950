"""The agent calls tools that it doesn't have.

What it flags
    A call of a tool that the harness doesn't know, twice or more under the same name, or once each under three names;
    and a shell command that isn't installed and is typed three times (`missing-program`), or that is only the label
    of the Markdown fence in which commands are sent (`fenced-command`) or the first word of a sentence
    (`prose-command`).

Why it matters
    The agent is wrong about its tools: a prompt names other tools, a model was trained on another
    harness, or a tool is switched off. Each such call is wasted, and the next ones will be too. Severity is higher
    where the agent meant to edit something with such a call, and edited and ran nothing with another.

What it does not flag
    A single slip after which the agent uses the right tool; a program that it checks for on purpose (`which`,
    `command -v`) or installs; a known tool that rejected its arguments.

Options
    calls: how often one name must be called (2).
    names: how many different unknown names make a finding together (3).
    commands: how often a missing shell command must be typed (3).

Example:
    `search_web` is called at steps 4, 9 and 15; each time the answer is `Unknown tool: search_web`.

"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from pydantic import Field

from analyzer.detectors.engine.facts import Facts, Need
from analyzer.detectors.engine.interface import LiveDetector, Options
from analyzer.detectors.engine.rule_state import LaneContext, RuleState, StepCounter, spread
from analyzer.detectors.signals.argument_errors import inner_tool
from analyzer.model.action import Action
from analyzer.model.finding import Evidence, Finding, Taxonomy
from analyzer.model.words import Category, FailureKind, Kind, Mark, Severity, Status
from analyzer.text.clip import clip
from analyzer.text.english import nearest
from analyzer.text.late import late
from analyzer.text.markdown import code
from analyzer.text.names import name_set

_UNKNOWN = late(
    r"\b(?:unknown|no such|unrecogni[sz]ed|invalid|nonexistent|unsupported|unavailable) (?:tool|function|skill)\b"
    r"|\b(?:tool|function) [`'\"]?[\w.:-]{1,80}[`'\"]? (?:(?:was |is )?not (?:found|available|recogni[sz]ed"
    r"|registered|supported|enabled|a valid tool)|does not exist|doesn't exist|isn't available)"
    r"|\bmodel tried to call unavailable tool\b|\bdoes not have (?:access to )?(?:a |the )?tool\b",
    re.IGNORECASE,
)


_CHANGES = frozenset({Kind.EDIT, Kind.RUN, Kind.TEST})
_BARRED = ", and nothing was edited by other means"


class UnknownToolOptions(Options):
    """Options of this detector."""

    calls: int = Field(default=2, ge=1)
    """How often one name must be called."""
    names: int = Field(default=3, ge=2)
    """How many different unknown names make a finding together."""
    commands: int = Field(default=3, ge=2)
    """How often a missing shell command must be typed."""


_GUIDANCE = {
    "": """Ask: Which of the existing tools does what step {first} was meant to do?
    Try: Use what exists: List the tools once and pick the closest match to what step {first} called.
    Try: Use the shell: A shell command can do most of what a missing tool would do; try that for the goal of step
      {first}.
    Try: Install it or say so: If nothing else works, install the program, or report that the task needs it.
    Change: Answer an unknown name with the known names: Have the harness answer a call of an unknown tool with the list
      of tools and the nearest name, and keep other harnesses' tool names out of the prompt.
    Learn: A missing tool doesn't appear by calling it again: look at the list.""",
    "missing-program": """Ask: What was the program of step {first} needed for, and which installed program does the
      same?
    Try: Use what exists: Do the work of step {first} with what is installed; a program that wasn't found once won't be
      found the next time.
    Try: Check by other means: Check what can be checked without it, and write the check for someone who can run it.
    Try: Say what is missing: Report in one sentence which program is missing and what could not be done for that.
    Change: Put what the task needs into the image, and document it: List the programs that the task needs and check for
      them before the run; add missing ones to the image, or name them in the first message as unavailable.
    Learn: A program that isn't installed won't appear: use another, or have it installed before the run.""",
    "fenced-command": """Ask: What does the shell read as the first word of the command of step {first}?
    Try: Read the message: Compare the name that the shell doesn't find ({quote}) with what was sent: it's the fence's
      label, not a program.
    Try: Ask for the format: If a fence is expected, ask once which label the harness removes.
    Change: Remove the fence in the harness: Have the harness extract the code from a Markdown fence, whatever its label
      and case, before it goes to the shell, and answer a message that it can't parse with the format that it expects.
    Learn: The shell gets the text exactly as it was sent: check that before blaming the environment.
    Misread: yes""",
    "prose-command": """Ask: Who was step {first} meant for: the user or the shell?
    Ask: Is the work done? If so, which call or word ends the session?
    Try: End it: If nothing is left to do, end the session with the call meant for that, instead of saying goodbye in a
      shell.
    Try: Run something: If something is left to do, send the command for it and nothing else.
    Try: Ask in the right place: If something is missing, ask the user in a message, where the harness supports that.
    Change: Distinguish prose from commands: Say in the prompt how to end the session, and have the harness answer a
      sentence sent as a command with that reminder instead of running it.
    Learn: An agent that doesn't know how to end the session keeps talking to the shell.
    Misread: yes""",
}


class _State(RuleState):
    def __init__(self, lane_context: LaneContext, options: UnknownToolOptions) -> None:
        super().__init__(lane_context)
        self._options = options
        self._names: dict[str, tuple[StepCounter, dict[int, str]]] = {}
        self._commands: dict[str, tuple[StepCounter, dict[int, str]]] = {}
        self._sent: dict[str, str] = {}
        """For what is no program at all, the kind of text that was sent as a command."""
        self._raised: dict[str, int] = {}
        self._wanted_edit = self._edited = False

    def on_action(self, action: Action) -> Iterable[Finding]:
        failure = action.failure
        self._edited = self._edited or (action.status is Status.OK and action.kind in _CHANGES)
        if failure is None or len(self._names) + len(self._commands) > 200:
            return
        line = action.operation.command
        if failure.type == "ProseInShell":
            name, known, needed = _SENTENCE, self._commands, self._options.commands
            self._sent[name] = "prose-command"
        elif failure.kind is FailureKind.COMMAND_NOT_FOUND and line is not None:
            name, known, needed = _command(failure.message), self._commands, self._options.commands
        elif (line is None or _is_answer(action)) and (missing := _unknown(action)) is not None:
            self._wanted_edit = self._wanted_edit or action.kind is Kind.EDIT
            name, known, needed = missing, self._names, self._options.calls
        else:
            return
        if known is self._commands and name not in self._sent:
            self._sent[name] = _sent(line or "", name)
        answer = line or "" if name == _SENTENCE else failure.headline
        counter, answers = known.setdefault(name, (StepCounter(self.lane_context), {}))
        counted = counter.add(action)
        if counted and len(answers) < len(counter.steps):
            answers[action.step] = clip(answer, 200)
        if counted and name not in self._raised:
            many = known is self._names and len(self._names) == self._options.names and counter.count == 1
            if counter.count == needed or many:
                self._raised[name] = action.step
                yield self._finding(name, many=many)

    def findings(self) -> Iterable[Finding]:
        return [self._finding(name, many=self._counter(name).steps[0] == step) for name, step in self._raised.items()]

    def _counter(self, name: str) -> StepCounter:
        return (self._names.get(name) or self._commands[name])[0]

    def _finding(self, name: str, *, many: bool) -> Finding:
        counter, answers = self._names.get(name) or self._commands[name]
        is_tool = name in self._names
        steps = sorted(entry[0].steps[0] for entry in self._names.values()) if many else counter.steps
        steps = [step for step in steps if step <= self._raised[name]] if many else steps
        assert counter.first is not None
        kind = "unknown-tool" if is_tool else self._sent.get(name, "missing-program")
        title, advice = _WORDING[kind]
        named = title.format(name=name, times=counter.times)
        barred = is_tool and self._wanted_edit and not self._edited
        others = ", ".join(list(self._names)[: self._options.names])
        return UnknownTool.finding(
            kind=kind,
            severity=Severity.MEDIUM if counter.count > 3 or barred else Severity.LOW,
            confidence=0.95 if is_tool else 0.8,
            title=f"Tools that don't exist here are called: {others}{_BARRED * barred}"
            if many
            else named + _BARRED * barred,
            lane=self.lane_context.lane,
            steps=steps,
            detectable_at=self._raised[name],
            rounds=len(steps),
            evidence=[
                Evidence(step=step, label=f"{name} answered", quote=answers[step][:300])
                for step in spread(counter.steps)
            ],
            advice=[advice.format(name=code(name), first=steps[0], look=code(f"command -v {name}"))],
            taxonomy=Taxonomy(
                mast=["FM-1.2"], trail=["Tool-related Hallucinations"] if is_tool else ["Environment Setup Errors"]
            ),
            cost=counter.cost,
        )


def _is_answer(action: Action) -> bool:
    """Whether a result is the harness's own answer to a call that it didn't carry out, and no output of a shell."""
    failure = action.failure
    if failure is None or failure.kind is not FailureKind.INVALID_CALL or action.exit_code is not None:
        return False
    return (action.result or "").strip().startswith(failure.message)


def _unknown(action: Action) -> str | None:
    """The tool that the answer says doesn't exist: the one that was called, where the answer names it or is the
    harness's own, or one that a plan calls."""
    answer = (action.result or "")[:600]
    if _UNKNOWN.search(answer) is None:
        return None
    planned = inner_tool(action)
    if planned is not None and action.tool not in answer:
        return planned
    recorded = action.mark is Mark.REJECTED or (action.failure is not None and action.failure.recorded)
    return action.tool if recorded or action.tool in answer else None


def _defined(finding: Finding, names: Sequence[str]) -> str:
    """Which tools the record defines, the nearest to the one that was called first."""
    called = finding.evidence[0].label.removesuffix(" answered") if finding.evidence else ""
    near = nearest(called, names)
    listed = [near, *(name for name in names if name != near)] if near is not None else list(names)
    return f"defined: {', '.join(listed[:12])}"


def _sent(command: str, name: str) -> str:
    """What was sent as a command whose first word isn't found: a program's name, the label of a fence, or words for
    people."""
    if re.search(rf"```[ \t]*{re.escape(name)}\b", command[:300]):
        return "fenced-command"
    words = command[:300].split()
    plain = _PLAIN_WORDS & {word.strip(".,!?'").lower() for word in words}
    says = (
        len(words) > 4
        and len(plain) > 2
        and re.search(r"[.!?](?:\s|$)", command[:300])
        and not re.search(r"[|<>$=`]|&&|\s--?\w", command[:300])
    )
    return "prose-command" if says and words[0].startswith(name.rstrip("!,.")) else "missing-program"


_SENTENCE = "a sentence"
"""The name under which sentences that were sent to the shell are counted, whatever they begin with."""
_PLAIN_WORDS = name_set("a an and are can for i is it me my of please that the there this to we will with you your")
_WORDING = {
    "unknown-tool": (
        "The tool {name} doesn't exist here and is called {times}",
        "Look up the list of tools before the next call; {name} isn't in it.",
    ),
    "missing-program": (
        "The program {name} doesn't exist here and is called {times}",
        "Use what is installed in place of {name}: step {first} had shown that it isn't there, as {look} would.",
    ),
    "fenced-command": (
        (
            "The commands are sent with their Markdown fence, and the shell takes the fence's label {name} for a "
            "program, "
            "{times}"
        ),
        "Send the bare command, without the fence and its label {name}.",
    ),
    "prose-command": (
        "What the agent says to the user is sent to the shell as a command, {times}",
        "Send only commands as commands; address the user in a message, or end the session.",
    ),
}
"""By kind: the title and the advice."""


def _command(message: str) -> str:
    """The program that a shell's message says is missing."""
    found = re.search(r"(?P<name>[\w.+-]{1,60}): (?:command )?not found|[`'\"](?P<quoted>[\w.+-]{1,60})['`\"]", message)
    return (found["name"] or found["quoted"]) if found else clip(message, 60)


class UnknownTool(LiveDetector):
    """One finding per name, or one for many names."""

    name = "unknown-tool"
    category = Category.TOOL
    needs = Need.FAILURES
    state = _State
    options = UnknownToolOptions.usual()
    cause_rank = 6
    guidance = _GUIDANCE
    first_failure_rank = 6
    cause_name = "unknown tool called"
    cause_names_by_kind: ClassVar[Mapping[str, str]] = {
        "missing-program": "missing program",
        "fenced-command": "prose sent as a command",
    }
    case_lesson = "A plan may only name tools that exist: check the plan against the registry before the first step."

    def detect(self, facts: Facts) -> Iterable[Finding]:
        """The findings of one session, those about tools with what the record defines instead."""
        names = list(dict.fromkeys(entry.name for entry in facts.timeline.session.definitions))
        for finding in self.follow(facts):
            known = bool(names) and finding.kind == "unknown-tool"
            yield finding.model_copy(update={"differed": [_defined(finding, names)]}) if known else finding


DETECTOR = UnknownTool()
