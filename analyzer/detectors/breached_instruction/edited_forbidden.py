"""The agent changes what the user wanted left alone, or runs what the user had forbidden.

What it flags
    A successful change (an edit, a file overwritten, moved or deleted in the shell) to a file that the user had
    forbidden the agent to change: by name, by directory, or as one of the tests. What a rules file that a step reads
    (AGENTS.md, CLAUDE.md) or the system prompt forbids counts, too. And a commit, a push, an installation, a test run
    or an act outside of the files (a restart, a payment, a message, a deployment ...) that the user forbade, for all
    things or for the one that the call names, or that needed the user's leave and came without it, as of payments above
    a sum; a call that touches what was to be left alone, or edits it; what runs against `production`; a file that
    wasn't to be opened, a text that wasn't to be in code, and any file deleted where none was to be.

Why it matters
    What was forbidden is often what the work is judged by: a hidden test run with the original files, a reviewer who
    trusts that the tests are unchanged. Good work may be rejected because of it.

What it does not flag
    Files that the agent made itself; tests that were added where the user wanted tests; changes that were refused;
    prohibitions with a condition (`unless`, `if`) or without a specific target (`don't change the behaviour`);
    sentences about what a program should not do; what the user allowed later.

Options
    additions: whether tests that are only added to a forbidden test file are reported too, at a low severity (true).

Example:
    The task says "do not modify the tests"; step 14 edits `tests/test_rates.py`, which was there before.

"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from pydantic import Field

from analyzer.commands.harm import removed_names
from analyzer.commands.table import Does, file_act, knows, row_of
from analyzer.detectors.breached_instruction.forbidden_acts import (
    LONGEST,
    does_act,
    is_named,
    pays_more,
    runs_command,
    shows_file,
    stem,
    touches,
    words_in,
    writes_text,
)
from analyzer.detectors.engine.interface import Options
from analyzer.detectors.engine.rule_state import LaneContext, RuleState, cost_of
from analyzer.detectors.engine.table import new_finding
from analyzer.detectors.signals.effects import QUIET
from analyzer.failures.roles import is_test_path
from analyzer.model.action import Action, Edit
from analyzer.model.finding import Evidence, Finding
from analyzer.model.session import Message
from analyzer.model.words import Category, Kind, Severity
from analyzer.task.forbidden_things import Rule
from analyzer.task.prohibitions import RUNS, lifted, rules_of
from analyzer.text.clip import clip
from analyzer.text.late import late
from analyzer.text.markdown import code
from analyzer.text.plain import holds_any

_MOST = 50
_GRAVE = frozenset({"file", "only", "tests", "git push"})
_RULES_FILE = late(
    r"(?:^|[/\\\s])(?:AGENTS|CLAUDE|GEMINI|CONVENTIONS|CONTRIBUTING|copilot-instructions)\.md\b|\.(?:cursor|windsurf|cline)rules\b"
)
"""The files in which a project tells agents what they may do."""
_PROMPT = "the instructions say"
_WANTS_TESTS = late(r"\b(?:add|write|create|include|provide|extend|cover)\b[^.\n]{0,40}\btests?\b", re.IGNORECASE)


class EditedForbiddenOptions(Options):
    """Options of this detector."""

    additions: bool = Field(default=True)
    """Whether tests that are only added to a forbidden test file count too, as a small matter."""


class _State(RuleState):
    def __init__(self, lane_context: LaneContext, options: EditedForbiddenOptions) -> None:
        super().__init__(lane_context)
        self._additions = options.additions
        self._rules: dict[tuple[str, ...], Rule] = {}
        self._heard = ""
        self._begun = self._asked = False
        self._wants_tests = False
        self._made: dict[str, None] = {}
        self._known: dict[str, None] = {}
        self._kept: list[Rule] = []

    def on_message(self, message: Message) -> Iterable[Finding]:
        if message.role == "assistant" and not message.thought:
            self._asked = self._asked or "?" in message.text
        if message.role == "user" and not message.thought:
            text = message.text[:LONGEST]
            self._lift(text)
            if self._asked:  # whatever the answer is, the agent had asked
                self._rules = {key: one for key, one in self._rules.items() if not (one.asking and key[0] == "program")}
                self._asked = False
            if not self._begun and len(self._heard) < 4 * LONGEST:
                self._heard += text
            self._learn(text)
        elif message.role == "system":
            self._learn(message.text[:LONGEST], _PROMPT)
        return ()

    def on_action(self, action: Action) -> Iterable[Finding]:
        if not self._begun:
            self._begun = True
            if self.lane_context.task and self.lane_context.task.strip()[:200] not in self._heard:
                self._learn(self.lane_context.task[:LONGEST])
            self._heard = ""
        if (
            action.kind in (Kind.READ, Kind.OTHER)
            and action.failure is None
            and (rules := _RULES_FILE.search(action.operation.target)) is not None
        ):
            self._learn((action.result or "")[:LONGEST], f"{rules[0].strip('/ ')} says")
        if action.mark is not None or not self._rules:
            return
        went = action.failure is None
        changes = list(_changes(action)) if went or action.kind is not Kind.EDIT else []
        seen: set[tuple[str, str]] = set()
        for rule in list(self._rules.values()):
            what = self._breaks(rule, action, changes, went=went)
            if what is None or (rule.quote, what) in seen:
                continue
            seen.add((rule.quote, what))
            rule.count += 1
            if len(rule.broken) < _MOST:
                rule.broken.append((action, what))
            if rule.count == 1:
                if not self.lane_context.live:
                    self._kept.append(rule)
                yield self._finding(rule)
        self._remember(action, changes, went=went)

    def findings(self) -> Iterable[Finding]:
        return [self._finding(rule) for rule in self._kept]

    def _learn(self, text: str, source: str = "the user said") -> None:
        self._wants_tests = self._wants_tests or _WANTS_TESTS.search(text) is not None
        for rule in rules_of(text):
            if len(self._rules) < _MOST:
                rule.source = source
                self._rules.setdefault((rule.what, *rule.names, *rule.about), rule)

    def _lift(self, text: str) -> None:
        """Take back what a later message of the user allows."""
        # What the instructions say that a customer may not have done isn't lifted by who asks for it.
        theirs = [one for one in self._rules.values() if one.source == _PROMPT]
        firm = [one for one in theirs if one.what == "limit" or (one.what == "act" and not one.asking)]
        for rule in lifted([one for one in self._rules.values() if one not in firm], text):
            del self._rules[rule.what, *rule.names, *rule.about]

    def _breaks(self, rule: Rule, action: Action, changes: list[tuple[str, Edit | None]], *, went: bool) -> str | None:
        if rule.what in RUNS:
            return runs_command(rule, action) if went or rule.what == "tests-run" else None
        if rule.what == "thing":
            path = next((path for path, _ in changes if set(map(stem, rule.about)) <= words_in(path)), None)
            called = action.tool if action.operation.command is None else clip(action.operation.command, 100)
            return path or (called if went and touches(rule, action) else None)
        if rule.what == "limit":
            if action.operation.command is None and went and holds_any(action.tool.lower(), ("approv", "permission")):
                rule.names = ("inf",)  # what was asked for decides from then on
            return pays_more(float(rule.names[0]), action) if went else None
        if rule.what == "act":
            return does_act(rule, action) if went and action.kind not in QUIET else None
        if rule.what == "text":
            return writes_text(rule, action) if went else None
        if rule.what == "read":
            return shows_file(rule, action) if went else None
        if rule.what == "program":
            ran = (command for command in action.operation.commands if command.program.lower() in rule.names)
            wrapped = [name for name in rule.names if (row := row_of(name)) is not None and row.wraps is not None]
            line = action.operation.command or ""
            named = next((clip(command.text, 100) for command in ran), None)
            if action.tool.lower() in rule.names:
                return action.tool
            return named or next((clip(line, 100) for name in wrapped if f" {name} " in f" {line}"), None)
        for path, edit in changes:
            if path in self._made or path.startswith(("/tmp/", "/dev/", "/var/tmp/")):
                continue
            there = edit is None or not edit.created or path in self._known
            if rule.what == "only":
                hit = there and not any(is_named(pattern, path) for pattern in rule.names)
            elif rule.what == "removed":
                gone = (one for one in action.operation.commands if file_act(one.program) != "move")
                hit = edit is None and any(path == _placed(word, action) for one in gone for word in removed_names(one))
            elif rule.what == "file":
                hit = any(is_named(pattern, path) for pattern in rule.names) and (
                    there or not any("*" in name or name.endswith("/") for name in rule.names)
                )
            else:
                adds = edit is not None and _only_adds(edit, action.operation.command)
                hit = (
                    (there or adds) and is_test_path(path) and not (adds and (self._wants_tests or not self._additions))
                )
                rule.only_added = rule.only_added and adds if hit else rule.only_added
            if hit:
                return path
        return None

    def _remember(self, action: Action, changes: list[tuple[str, Edit | None]], *, went: bool) -> None:
        for path, edit in changes:
            if edit is not None and edit.created and path not in self._known and len(self._made) < 2_000:
                self._made[path] = None
        if went and action.kind is Kind.READ and action.operation.path is not None and len(self._known) < 2_000:
            self._known[action.operation.path] = None
        for command in action.operation.commands:
            makes = knows(command.program, Does.MAKES) and knows(command.program, Does.MOVES)
            if makes and command.args and len(self._made) < 2_000:
                self._made[command.args[-1]] = None

    def _finding(self, rule: Rule) -> Finding:
        (first, what), (last, _) = rule.broken[0], rule.broken[-1]
        runs = rule.what in (*RUNS, "program", "act", "limit", "read") or (
            rule.what == "thing" and not first.operation.edits
        )
        added, spelled = rule.what == "tests" and rule.only_added, rule.what == "text"
        done = "written" if spelled else "changed"
        severity = Severity.LOW if added else Severity.HIGH if rule.what in _GRAVE else Severity.MEDIUM
        steps = [action.step for action, _ in rule.broken]
        paths = list(dict.fromkeys(path for _, path in rule.broken))
        others = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
        shown = Evidence(step=first.step, quote=clip(first.operation.command or "", 300))
        if not shown.quote:
            shown = Evidence(step=first.step, label="edited", quote=clip(what, 300))
        return new_finding(
            f"edited-forbidden/{'ran-forbidden' if runs else 'edited-forbidden'}",
            category=Category.PLAN if runs else Category.EDIT,
            severity=severity,
            confidence=0.85,
            title=f"{clip(what, 80)} is run although {rule.source}: {clip(rule.quote, 120)}"
            if runs
            else f"{what}{others} is {done} although {rule.source}: {clip(rule.quote, 120)}",
            lane=self.lane_context.lane,
            steps=steps,
            detectable_at=first.step,
            evidence=[Evidence(step=first.step, label=rule.source, quote=clip(rule.quote, 300)), shown],
            advice=[
                f"Don't run {code(what, 80)}; say what it would have shown and leave it to the user."
                if runs
                else "Write it in another way, or ask first."
                if spelled
                else (
                    f"Put {code(what)} back as it was (`git checkout -- {what}`), and make the change elsewhere, or "
                    "ask first."
                )
            ],
            cost=cost_of(first, last),
            edited_instead=[] if runs or spelled else paths[:10],
        )


def _changes(action: Action) -> Iterator[tuple[str, Edit | None]]:
    """The files that an action changes; without an edit where the shell deletes or moves them."""
    for edit in action.operation.edits:
        if edit.path:
            yield _placed(edit.path, action), edit
    for command in action.operation.commands:
        yield from ((_placed(word, action), None) for word in removed_names(command)[:_MOST])


def _placed(path: str, action: Action) -> str:
    """A path with the directory to which its shell line changes first. A line that changes it again may mean any."""
    place, path = action.operation.directory, path.removeprefix("./")
    moves = any(file_act(command.program) in ("enter", "leave") for command in action.operation.commands)
    if moves or not place or path.startswith(("/", "~", "$", "..")):
        return path
    return f"{place.rstrip('/')}/{path}"


def _only_adds(edit: Edit, command: str | None) -> bool:
    """Whether an edit keeps every line that it replaces, or is put at a file's end by the shell."""
    if (
        command is not None
        and edit.before is None
        and re.search(r">>\s*['\"]?" + re.escape(edit.path), command[:LONGEST]) is not None
    ):
        return True
    if edit.after is None or (edit.before is None and (edit.lines is not None or edit.created)):
        return False
    after = set((edit.after or "")[:100_000].splitlines())
    return all(line in after for line in (edit.before or "")[:100_000].splitlines() if line.strip())


OPTIONS = EditedForbiddenOptions.usual()
STATE = _State
