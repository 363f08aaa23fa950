"""Rules that hold for every timeline, whatever the transcript: what a row says of itself doesn't contradict its status.

They're written without the analyzer's own readers, so that these can't agree with themselves.
"""

from __future__ import annotations

import json
import re

from analyzer.detectors import detect
from analyzer.diagnosis import post_mortem
from analyzer.model.action import Action
from analyzer.model.words import Kind, Status
from analyzer.timeline import Timeline

_SHOWS = frozenset({Kind.READ, Kind.SEARCH, Kind.EDIT, Kind.THINK, Kind.PLAN, Kind.FINISH, Kind.WAIT})
_VIEWERS = frozenset({"cat", "head", "tail", "sed", "awk", "git", "grep", "rg", "less", "curl", "gh"})
_SUMMARIES = re.compile(
    r"^(?:=+ )?(?P<pytest>(?:\d+ \w+, )*\d+ \w+) in \d+\.\d+s\b[^\n]*$"
    r"|^Tests: +(?P<jest>\d[^\n]+ total)$"
    r"|^test result: (?P<cargo>ok|FAILED)\. \d+ passed"
    r"|^Ran \d+ tests? in [^\n]+\n\n(?P<unittest>OK|FAILED \([^\n]+)"
    r"|^(?P<rspec>\d+ examples?, \d+ failures?)"
    r"|^ *(?P<mocha>\d+ (?:passing|failing))(?: \([^\n]*\))?$"
    r"|^(?P<go>FAIL|ok)[ \t]+\S+[ \t]+\d+\.\d+s$"
    r"|^# (?P<tap>fail \d+)$"
    r"|^(?P<minitest>\d+ runs, \d+ assertions, \d+ failures, \d+ errors)",
    re.MULTILINE,
)
_FAILED = re.compile(r"FAIL|fail [1-9]|\b[1-9]\d* (?:failed|failing|failures?|errors?)\b")
_EXCEPTION = re.compile(r"[A-Za-z_][\w.]*(?:Error|Exception)(?:: .*)?")


def says_that_tests_failed(text: str) -> bool:
    """Whether the last summary of a test runner in the text counts failures."""
    summaries = [found.group(found.lastgroup or 0) for found in _SUMMARIES.finditer(text)]
    return bool(summaries) and _FAILED.search(summaries[-1]) is not None


def is_nothing_but_an_error(text: str) -> bool:
    """Whether the text is a traceback from its first line to its last, or an object that holds an error alone."""
    text = text.strip()
    if text.startswith("Traceback (most recent call last):"):
        return _EXCEPTION.fullmatch(text.rsplit("\n", 1)[-1]) is not None
    if not text.startswith('{"error"') or len(text) > 10_000:
        return False
    try:
        value = json.loads(text)
    except ValueError:
        return False
    return isinstance(value, dict) and len(value) == 1 and bool(value["error"])


def contradictions(timeline: Timeline) -> list[str]:
    """The rules that the timeline breaks, each with the step: `step 4: tests failed, but ok`."""
    found = []
    for action in timeline.actions:
        if action.status is not Status.OK or action.kind in _SHOWS or not action.result or _shows(action):
            continue
        if says_that_tests_failed(action.result):
            found.append(f"step {action.step}: tests failed, but ok")
        elif is_nothing_but_an_error(action.result):
            found.append(f"step {action.step}: an error and nothing else, but ok")
    if timeline.actions and all(action.status is Status.UNKNOWN for action in timeline.actions):
        found += _claims(timeline)
    return found


def _shows(action: Action) -> bool:
    """Whether the line prints a file, a log or a diff, whose content says nothing about the line."""
    programs = [command.program for command in action.operation.commands if command.program not in ("cd", "echo")]
    return bool(programs) and programs[0] in _VIEWERS


def _claims(timeline: Timeline) -> list[str]:
    """What is said of a session of which no status is known."""
    found = post_mortem(timeline, detect(timeline))
    lead = " ".join(entry.text for entry in found.diagnosis.lead if entry.part == "known")
    said = f"{found.diagnosis.headline} {lead} {found.diagnosis.root_cause or ''} {found.outcome.reason}".lower()
    claims = ["no action failed", "none failed", "nothing failed", "nothing here needs"]
    return [f"no status is known, but: {claim}" for claim in claims if claim in said]
