"""Which task a session worked on, and to which family of tasks that belongs, by the log and its place on the disk."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import PurePath

from analyzer.failures import STANDARD
from analyzer.model.postmortem import PostMortem
from analyzer.model.words import SIMULATED_USER
from analyzer.redaction.rules import without_numbers
from analyzer.text.names import name_set

_LONGEST_NAME = 200
_LONGEST_TASK = 20_000
_LEVELS = 5
"""How many folders above a file are asked for a name."""

_TRIAL = re.compile(
    r"(?:[-_./ #:]+(?:epoch|trial|chat|attempt|run|rollout|seed|retry|repeat|iteration)s?[-_ ]?\d{1,6}"
    r"|\.\d+-of-\d+(?:\..*)?)$",
    re.IGNORECASE,
)
_SURE_TRIAL = re.compile(
    r"[-_./ #:]+(?:epoch|trial|attempt|rollout|seed|repeat)s?[-_ ]?\d{1,6}$|\.\d+-of-\d+(?:\..*)?$", re.IGNORECASE
)
"""What is said of several attempts at one task only; `run-3` may as well be the third task."""
_TRIAL_BEFORE = re.compile(r"^(?:epoch|trial|attempt|run|seed)[-_ ]?\d{1,6}[/.]", re.IGNORECASE)
_INSTANCE = re.compile(
    r"(?:instance_)?(?P<repository>[A-Za-z0-9]+(?:[-_.][A-Za-z0-9]+)*__[A-Za-z][A-Za-z0-9]*(?:[-_.][A-Za-z0-9]+)*?)"
    r"(?:-\d+|\.[0-9a-f]{8}\..+|-[0-9a-f]{6,40}(?:-v\w+)?)"
)
"""An instance id of SWE-bench and its descendants: `owner__repository-number`, or a commit or pull request instead."""
_ISSUE = re.compile(r"(?P<repository>[\w.-]+/[\w.-]+)#\d+")
_UUID = re.compile(r"[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4,12}", re.IGNORECASE)
_STAMP = re.compile(
    r"(?<!\d)20\d\d(?:[-_.]?\d\d){2}(?:[T_ -]*\d\d(?:[-_:.]?\d\d){1,2}(?:[-+.]\d\d[-:]?\d\d|Z)?)?(?!\d)"
)
_CLOSING = re.compile(
    r"[-_:#./ ]*(?<![A-Za-z])(?:\d{1,9}|(?=[0-9a-f]*\d)[0-9a-f]{6,64}|(?=\w*\d\w*\d)[A-Za-z0-9]{16,})$", re.IGNORECASE
)
"""A number, a hash or a random word at the end."""
_WORD = re.compile(r"[^\W\d_]{2,}")
_TAU_DOMAIN = re.compile(r"(?<![a-z])(?:airline|retail|telecom)(?![a-z])")
_SAYS_NOTHING = name_set(
    "action actions agent agents app archive archives attempt attempts case cases chat chatcmpl chats command "
    "commands conversation conversations data default docs epoch epochs env eval evals event events example examples "
    "export exports file files fixture fixtures full history home id index individual input instance instances item "
    "items json jsonl large log logs main message messages mock my new none normalized of old out output outputs "
    "prediction predictions problem problems project projects question questions raw record recording recordings "
    "records repo result results rollout root run runs sample samples ses sess session sessions small snapshot "
    "snapshots src step steps task tasks temp test testbed testdata tests the tmp traces trace traj trajectories "
    "trajectory trajs transcript transcripts trial trials ui untitled user users work workspace workspaces xml"
)
"""Words in the names of logs and folders that don't tell one task from another."""
_TEMPORARY = ("/tmp/", "/private/", "/var/folders/")


def family_of(report: PostMortem, path: str, form: str = "") -> str:
    """The family of a session's task.

    The repository of a SWE-bench instance (`django__django` of `django__django-11019`), else the task's name without
    its closing number and without the number of the trial (`ic_bash` of `ic_bash-7`), else, where neither title nor id
    is a name, the name of the working directory or of the nearest folder that has one.
    """
    facts = report.session
    name = _bare(facts.id)
    for text in (name, facts.title or "", *_parts(path)[:2]):
        found = _instance(text)
        if found is not None:
            return found["repository"]
    if form.startswith("tau"):
        domain = next(filter(None, map(_TAU_DOMAIN.search, _parts(path))), None)
        if domain is not None:
            return domain.group()
    title = _bare(facts.title or "")
    if _is_name(title) and _is_telling(title):
        return _without_closing(title)
    shorter = _without_closing(name)
    if _is_name(name) and (shorter != name or name != facts.id) and _is_telling(shorter):
        return shorter
    folder = facts.environment.get("working directory", "")
    if folder and not _is_telling(name) and not folder.startswith(_TEMPORARY):
        text = _without_closing(_last(folder))
        if _is_telling(text):
            return text
    return _folder(path)


def project_of(environment: Mapping[str, str]) -> str | None:
    """The name of the working directory, None where the log doesn't have it or it's a temporary one."""
    folder = environment.get("working directory", "").rstrip("/\\")
    return _last(folder) or None if folder and not folder.startswith(_TEMPORARY) else None


def task_key_of(report: PostMortem, path: str) -> str:
    """A digest that is equal for sessions of the same task, whoever worked on it and for the how-manieth time.

    It's made of the instance id where there's one; of the task's name where the id holds that and the number of a
    trial; else of the words of the task, with what differs from run to run (times, ids, temporary paths) masked; else
    of the id.
    """
    facts = report.session
    name, title = _bare(facts.id), facts.title or ""
    for text in (name, title, *_parts(path)[:2]):
        if _instance(text):
            return _digest("instance", text)
    if name != facts.id and _is_name(title) and _is_telling(title):
        return _digest("sample", title, name)
    if _is_telling(name) and _SURE_TRIAL.search(facts.id[-_LONGEST_NAME:]):
        return _digest("name", name)
    # A simulated user puts the same wish into other words each time.
    wish = facts.environment.get(SIMULATED_USER) or facts.task or ""
    if wish.strip():
        return _digest("task", STANDARD.mask(without_numbers(wish[:_LONGEST_TASK])))
    if title:
        return _digest("title", title)
    if _is_telling(name) or _UUID.search(name):
        return _digest("name", name)
    return _digest("name", _folder(path))


def _instance(name: str) -> re.Match[str] | None:
    return (_INSTANCE.fullmatch(name) or _ISSUE.fullmatch(name)) if len(name) <= _LONGEST_NAME else None


def _digest(*parts: str) -> str:
    text = "\0".join(" ".join(part.casefold().split()) for part in parts)
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]


def _bare(name: str) -> str:
    """The name without the number of the trial."""
    if len(name) > _LONGEST_NAME:
        return name
    while True:
        shorter = _TRIAL_BEFORE.sub("", _TRIAL.sub("", name))
        if shorter == name or not shorter:
            return name
        name = shorter


def _without_closing(name: str) -> str:
    """The name without dates, ids and the number at its end; the name itself where that leaves no word."""
    if len(name) > _LONGEST_NAME:
        return name
    shorter = _STAMP.sub("", _UUID.sub("", name)).strip("-_:#./ ")
    while True:
        cut = _CLOSING.sub("", shorter).strip("-_:#./ ")
        if cut == shorter or not _WORD.search(cut):
            return shorter if _WORD.search(shorter) else name
        shorter = cut


def _is_name(text: str) -> bool:
    return 0 < len(text) <= _LONGEST_NAME and not any(letter.isspace() for letter in text)


def _is_telling(name: str) -> bool:
    """Whether there's a word in the name that isn't said of every log, and that no chance made."""
    if len(name) > _LONGEST_NAME:
        return False
    left = _CLOSING.sub("", _STAMP.sub(" ", _UUID.sub(" ", name)))
    return any(word.casefold() not in _SAYS_NOTHING and len(word) > 2 for word in _WORD.findall(left))


def _folder(path: str) -> str:
    """The nearest folder that has a name of its own; the file's own name where none has."""
    folders = [name for name in reversed(_split(path)[:-1]) if name]
    for name in folders[:_LEVELS]:
        text = _without_closing(_bare(name))
        if _is_telling(text):
            return text
    stem = _parts(path)[0]
    return _without_closing(stem) if _is_telling(stem) else (folders[0] if folders else path)


def _parts(path: str) -> list[str]:
    """The file's name without suffixes, then the folders from the nearest on."""
    names = _split(path)
    stem = re.sub(r"(?:\.(?:traj|jsonl?|eval|md|txt|log))+$", "", names[-1])
    return [stem, *list(reversed(names[:-1]))[:_LEVELS]]


def _split(path: str) -> list[str]:
    return re.split(r"[\\/]", path) or [path]


def _last(folder: str) -> str:
    return PurePath(folder.replace("\\", "/")).name
