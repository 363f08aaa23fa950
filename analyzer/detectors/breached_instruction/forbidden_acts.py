"""What breaks a prohibition: a command, an act by its words or tool, a text that is written, a file shown, a sum."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase

from analyzer.commands.harm import installs_packages, plain_words
from analyzer.commands.kinds import kind_of
from analyzer.commands.table import Does, does, knows
from analyzer.detectors.signals.effects import QUIET, WRITES_ROWS, effects_of, tool_verb
from analyzer.detectors.signals.outward.shown import is_trial, tool_words
from analyzer.failures.roles import same_file
from analyzer.model.action import Action
from analyzer.model.words import Kind
from analyzer.speech.acts import words_for
from analyzer.task.forbidden_things import Rule
from analyzer.text.clip import clip
from analyzer.text.late import late
from analyzer.text.markdown import code
from analyzer.text.names import name_set
from analyzer.text.plain import holds_any
from analyzer.timeline.verification.checks import is_prose

LONGEST = 30_000

_WORDS = late(r"[a-z]+")

_NOT_YET = name_set("cart basket quote draft offer estimate")  # what costs nothing yet
_SUM = late(
    r"(?i)['\"]\w*(?:total|amount|price|cost|sum|fare|charged?|paid)\w*['\"]: ?['\"]?(?P<sum>\d{1,12}(?:\.\d{1,4})?)\b"
)


def is_named(pattern: str, path: str) -> bool:
    """Whether a path is one that the user named: a file, a directory, or a pattern with stars."""
    slashed = path.replace("\\", "/")
    if pattern.endswith("/"):
        return f"/{pattern.strip('/')}/" in f"/{slashed}"
    if "*" in pattern:
        return (
            fnmatchcase(slashed, f"*{pattern.lstrip('*')}")
            if "/" not in pattern
            else fnmatchcase(f"/{slashed}", f"*/{pattern.lstrip('/')}")
        )
    return same_file(pattern, slashed)


def touches(rule: Rule, action: Action) -> bool:
    """Whether a call with a lasting effect names all that says what is to be left alone."""
    line = action.operation.command
    if action.kind in QUIET or action.operation.edits:
        return False
    if line is not None:
        for look in (one.text for one in action.operation.commands if kind_of(one) in QUIET):
            line = line.replace(look, "")
        asks = [one for one in action.operation.commands if knows(one.program, Does.QUERIES)]
        local = holds_any(line, ("NODE_ENV=", "--mode", "--production"))  # a build for production reaches nothing there
        return (
            action.kind is Kind.RUN
            and words_in(" ".join(rule.about)) <= words_in(line)
            and not local
            and (not asks or any(WRITES_ROWS.search(one.text) for one in asks))
        )
    text = f"{action.tool} {action.arguments}".lower()
    return all(word in text for word in rule.about) and any(True for _ in effects_of(action))


def words_in(text: str) -> set[str]:
    """The words of a path or a command line, as words of names are compared."""
    return {stem(word) for word in _WORDS.findall(text.lower())}


def stem(word: str) -> str:
    """A word without the sign of the plural; the short name of a place stands for the long one."""
    return "production" if word == "prod" else word.removesuffix("s")


def writes_text(rule: Rule, action: Action) -> str | None:
    """What a call writes into code that isn't to be written, and where."""
    for edit in action.accepted_edits if action.operation.edits else ():
        for name in rule.names if not is_prose(edit.path) else ():
            word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
            if word.search(edit.after or "") and not word.search(edit.before or ""):
                return f"{code(name)} in {edit.path}"
    return None


def shows_file(rule: Rule, action: Action) -> str | None:
    """The call that shows what is in a file that isn't to be read."""
    shown = [one for one in action.operation.commands if does(one.program, one.args) & Does.SHOWS]
    for command in shown if action.kind in QUIET else ():
        if any(is_named(name, word) for name in rule.names for word in command.args):
            return clip(command.text, 100)
    path = action.operation.path if action.kind is Kind.READ and action.operation.command is None else None
    return f"{action.tool} {path}" if path and any(is_named(name, path) for name in rule.names) else None


def does_act(rule: Rule, action: Action) -> str | None:
    """The call that does what a rule about an act forbids, by the words of its command or its tool."""
    if action.operation.command is not None:
        said = [
            (f"{one.program} {' '.join(one.args)}", one.text)
            for one in action.operation.commands
            if not knows(one.program, Does.SPEAKS | Does.PRINTS)
        ]
    elif tool_verb(action.tool) in words_for("clauses", "looks"):
        return None
    else:
        said = [(f"{' '.join(tool_words(action.tool))} {action.arguments if rule.about else ''}", action.tool)]
    for words, text in said if not is_trial(action.operation.command or "", action.operation.commands) else ():
        found = set(_WORDS.findall(words.lower()))
        renews = rule.about and "upgrade" in rule.names and any(map(installs_packages, action.operation.commands))
        if (renews or not found.isdisjoint(rule.names)) and (
            not rule.about or any(stem(word) in words.lower() for word in rule.about)
        ):
            return clip(text, 100)
    return None


def pays_more(most: float, action: Action) -> str | None:
    """The call of a tool with a lasting effect that gives or answers with a sum above the most that may be paid."""
    if action.operation.command is not None or not any(True for _ in effects_of(action)):
        return None
    if not _NOT_YET.isdisjoint(tool_words(action.tool)):
        return None
    sums = (float(found["sum"]) for found in _SUM.finditer(f"{action.arguments} {(action.result or '')[:LONGEST]}"))
    return next((f"{action.tool} of {value:g}" for value in sums if value > most), None)


def runs_command(rule: Rule, action: Action) -> str | None:
    """The command that breaks a rule about commands, or None."""
    if rule.what == "tests-run":
        return clip(action.operation.target, 100) if action.kind is Kind.TEST and action.operation.runner else None
    result = f"{action.result or ''}\n"
    for command in action.operation.commands:
        if rule.what == "install":
            if installs_packages(command) and not {"-r", "--requirement"} & set(command.args):
                return clip(command.text, 100)
        elif (
            knows(command.program, Does.RECORDS)
            and plain_words(command)[:1] == [rule.what.removeprefix("git ")]
            and "--dry-run" not in command.args
        ):
            onto = {part for word in command.args for part in word.split(":")}
            told = [f"[{name} " in result or f"-> {name}\n" in result or name in onto for name in rule.about]
            if all(told):
                return clip(command.text, 100)
    return None
