"""What breaks a prohibition: a command, an act by its words or tool, a text that is written, a file shown, a sum."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from itertools import chain

from analyzer.commands.harm import installs_packages, plain_words
from analyzer.commands.runners import kind_of
from analyzer.commands.table import Does, does, knows, row_of
from analyzer.detectors.signals.effects import QUIET, WRITES_ROWS, effects_of, tool_verb
from analyzer.detectors.signals.outward.shown import is_trial
from analyzer.failures.roles import same_file
from analyzer.model.action import Action, Command
from analyzer.model.words import Kind
from analyzer.speech.acts import words_for
from analyzer.task.forbidden_things import Rule
from analyzer.text.clip import clip
from analyzer.text.late import late
from analyzer.text.markdown import code
from analyzer.text.names import name_set
from analyzer.text.plain import holds_any
from analyzer.timeline.calls.arguments import tool_words
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
    if "*" in pattern and "/" in pattern:
        return fnmatchcase(f"/{slashed}", f"*/{pattern.lstrip('/')}")
    return fnmatchcase(slashed, f"*{pattern.lstrip('*')}") if "*" in pattern else same_file(pattern, slashed)


def breaking_call(rule: Rule, action: Action) -> str | None:
    """What an action runs, writes or shows against a rule; None where it's nothing, or the call failed, for which only
    programs and tests aren't to be run."""
    line, commands, tool = action.operation.command, action.operation.commands, action.tool
    match rule.what:
        case "program" if tool.lower() in rule.names:
            return tool
        case "program":
            wraps = [name for name in rule.names if (row := row_of(name)) is not None and row.wraps is not None]
            ran = (one.text for one in commands if one.program.lower() in rule.names)
            wrapped = (line or "" for name in wraps if f" {name} " in f" {line or ''} ")
            return next((clip(text, 100) for text in chain(ran, wrapped)), None)
        case "tests-run":
            return clip(action.operation.target, 100) if action.kind is Kind.TEST and action.operation.runner else None
        case _ if action.failure is not None:
            return None
        case "thing" if _touches(rule, action):
            return tool if line is None else clip(line, 100)
        case "limit":
            if line is None and holds_any(tool.lower(), ("approv", "permission")):
                rule.names = ("inf",)  # what was asked for decides from then on
            return _pays_more(float(rule.names[0]), action)
        case "act" if action.kind not in QUIET:
            return _does_act(rule, action)
        case "text":
            return _writes_text(rule, action)
        case "read":
            return _shows_file(rule, action)
        case "install" | "git commit" | "git push":
            return next((clip(one.text, 100) for one in commands if _is_run(rule, one, action)), None)
    return None


def _touches(rule: Rule, action: Action) -> bool:
    """Whether a call with a lasting effect names all that says what is to be left alone."""
    line, commands = action.operation.command, action.operation.commands
    if action.kind in QUIET or action.operation.edits:
        return False
    if line is None:
        text = f"{action.tool} {action.arguments}".lower()
        return all(word in text for word in rule.about) and any(True for _ in effects_of(action))
    for look in (one.text for one in commands if kind_of(one) in QUIET):
        line = line.replace(look, "")
    asks = [one for one in commands if knows(one.program, Does.QUERIES)]
    writes = not asks or any(WRITES_ROWS.search(one.text) for one in asks)
    local = holds_any(line, ("NODE_ENV=", "--mode", "--production"))  # a build for production reaches nothing there
    return action.kind is Kind.RUN and writes and not local and words_in(" ".join(rule.about)) <= words_in(line)


def words_in(text: str) -> set[str]:
    """The words of a path or a command line, as words of names are compared."""
    return {stem(word) for word in _WORDS.findall(text.lower())}


def stem(word: str) -> str:
    """A word without the sign of the plural; the short name of a place stands for the long one."""
    return "production" if word == "prod" else word.removesuffix("s")


def _writes_text(rule: Rule, action: Action) -> str | None:
    """What a call writes into code that isn't to be written, and where."""
    for edit in action.accepted_edits if action.operation.edits else ():
        for name in rule.names if not is_prose(edit.path) else ():
            word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
            if word.search(edit.after or "") and not word.search(edit.before or ""):
                return f"{code(name)} in {edit.path}"
    return None


def _shows_file(rule: Rule, action: Action) -> str | None:
    """The call that shows what is in a file that isn't to be read."""
    shown = [one for one in action.operation.commands if does(one.program, one.args) & Does.SHOWS]
    for command in shown if action.kind in QUIET else ():
        if any(is_named(name, word) for name in rule.names for word in command.args):
            return clip(command.text, 100)
    path = action.operation.path if action.kind is Kind.READ and action.operation.command is None else None
    return f"{action.tool} {path}" if path and any(is_named(name, path) for name in rule.names) else None


def _does_act(rule: Rule, action: Action) -> str | None:
    """The call that does what a rule about an act forbids, by the words of its command or its tool."""
    line, commands = action.operation.command, action.operation.commands
    if is_trial(line or "", commands) or (line is None and tool_verb(action.tool) in words_for("clauses", "looks")):
        return None
    said = [(f"{' '.join(tool_words(action.tool))} {action.arguments if rule.about else ''}", action.tool)]
    if line is not None:
        acts = (one for one in commands if not knows(one.program, Does.SPEAKS | Does.PRINTS))
        said = [(f"{one.program} {' '.join(one.args)}", one.text) for one in acts]
    renews = bool(rule.about) and "upgrade" in rule.names and any(map(installs_packages, commands))
    for words, text in ((words.lower(), text) for words, text in said):
        about = not rule.about or any(stem(word) in words for word in rule.about)
        if about and (renews or not set(_WORDS.findall(words)).isdisjoint(rule.names)):
            return clip(text, 100)
    return None


def _pays_more(most: float, action: Action) -> str | None:
    """The call of a tool with a lasting effect that gives or answers with a sum above the most that may be paid."""
    lasts = action.operation.command is None and any(True for _ in effects_of(action))
    if not lasts or not _NOT_YET.isdisjoint(tool_words(action.tool)):
        return None
    sums = (float(found["sum"]) for found in _SUM.finditer(f"{action.arguments} {(action.result or '')[:LONGEST]}"))
    return next((f"{action.tool} of {value:g}" for value in sums if value > most), None)


def _is_run(rule: Rule, command: Command, action: Action) -> bool:
    """Whether a command installs, commits or pushes as a rule forbids it, on the branches of which it speaks."""
    if rule.what == "install":
        return installs_packages(command) and not {"-r", "--requirement"} & set(command.args)
    if not knows(command.program, Does.RECORDS) or "--dry-run" in command.args:
        return False
    result = f"{action.result or ''}\n"
    onto = {part for word in command.args for part in word.split(":")}
    told = (f"[{name} " in result or f"-> {name}\n" in result or name in onto for name in rule.about)
    return plain_words(command)[:1] == [rule.what.removeprefix("git ")] and all(told)
