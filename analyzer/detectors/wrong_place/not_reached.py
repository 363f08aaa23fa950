"""Edits that the failing run never reaches: it asks a process that began before them, writes the edited file again,
reads other settings, still shows what was replaced, runs in another environment than the one that is filled, or refuses
what a file holds to which no edit went.

Each is a row: what it looks for in one more occurrence of the same failure, given the edits since the first one.
"""

from __future__ import annotations

from collections.abc import Iterable

from analyzer.commands.harm import installs_packages
from analyzer.commands.table import Does, knows
from analyzer.detectors.engine.rule_state import LaneContext
from analyzer.detectors.signals.recurrence import Recurrence
from analyzer.detectors.wrong_place.copies import Barrier, Occurrence, Unreached, paths_of
from analyzer.detectors.wrong_place.stale import defined_names, missed_names, still_old
from analyzer.failures.envelope import printed
from analyzer.failures.requirement import missing_module
from analyzer.failures.roles import is_test_path, last_part, role_of, same_file
from analyzer.model.action import Action
from analyzer.model.finding import Finding, Place
from analyzer.model.words import FailureKind, FrameRole, Kind
from analyzer.task.names import names_of
from analyzer.text.late import late
from analyzer.text.names import names
from analyzer.text.plain import holds_any
from analyzer.timeline.calls.judging import OWN_HOST
from analyzer.workspace.paths import normal

_SETTINGS = names("toml yaml yml ini cfg conf env json xml properties neon dist local tfvars")
"""Endings of files that a program looks up by their name, in one folder or another."""
_DATA = (*_SETTINGS, *names("txt csv tsv jsonl sql dat golden snap"))
"""Endings of files that hold what code is given."""
_ROWS = (*_SETTINGS, *names("csv tsv jsonl dat"))
"""Those of which an error names a line of data, not of code."""
_RELOADS = ("reload", "watch", "nodemon", "hmr", "debug", " dev", "--dev")
"""What says that a process takes up changes by itself."""
_TAKEN = ("eaddrinuse", "already in use", "port is in use")
"""What says that another process has the place of the one that is started."""
_MAKES = names("generat wrote writ creat emit render updat regenerat extract > -> => -o --out")
"""How a word begins in front of what a command makes."""
_RUNS = (Kind.RUN, Kind.TEST, Kind.OTHER)
_ABSENT = ("no such", "not found", "cannot find", "can't find", "cannot open", "can't open", "exist")
_LONGEST, _MOST, _NEAR = 20_000, 500, 8
_LINE_OF = late(r"(?P<file>[\w./@+-]{1,200}\.\w{2,10})(?::\d|['\"]?,? line \d|\(\d)")
"""A file with the line of it that is meant."""
_LINK = late(r"(?<!\S)(\S{1,300}) -> (\S{1,300})")


class NotReached(Unreached):
    """The run works on something that the edits don't change."""

    def __init__(self, lane_context: LaneContext, threshold: int) -> None:
        super().__init__(lane_context, threshold)
        self._started: Action | None = None
        """The last call that left a process running which doesn't take up changes by itself."""
        self._first: Action | None = None
        """The first such call."""
        self._ran = 0
        """The last step that ran something other than a request: it may have begun the process again."""
        self._installed: dict[str, int] = {}
        """What was installed, by the words of the commands and their answers, with the first step that did."""
        self._defined: dict[str, tuple[int, str]] = {}
        """The names that edits defined, with the step and the file."""
        self._links: dict[str, str] = {}
        """The names that a listing shows as links, with what they lead to."""
        self._written: dict[str, None] = {}
        """The files that the agent made."""

    def on_action(self, action: Action) -> Iterable[Finding]:
        """Take the next action; the findings that became detectable with it."""
        operation = action.operation
        if action.kind in _RUNS and not _asks_itself(action):
            self._ran = action.step
            if action.unended is not None or "&" in (operation.command or "").split():
                told = f"{operation.command}\n{(action.result or '')[:2_000]}"
                self._started = None if holds_any(told.lower(), _RELOADS) else action
                self._first = self._first or (self._started if action.failure is None else None)
        if " -> " in (action.result or "") and len(self._links) < _MOST:
            shown = _LINK.findall((action.result or "")[:_LONGEST])
            self._links.update({last_part(link): target for link, target in shown})
        if operation.edits and len(self._written) < _MOST:
            self._written.update(dict.fromkeys([edit.path for edit in operation.edits if edit.created]))
            for edit in action.accepted_edits:
                for name in defined_names((edit.after or "")[:_LONGEST]):
                    self._defined.setdefault(name, (action.step, edit.path))
        brings = [one for one in operation.commands if action.failure is None and installs_packages(one, by_name=False)]
        if brings and len(self._installed) < _MOST:
            given = [word for command in brings for word in command.args]
            for word in (*given, *printed(action.result or "")[:_LONGEST].split()[:_MOST]):
                self._installed.setdefault(_package(word), action.step)
        return super().on_action(action)

    def find(self, shown: Occurrence) -> Barrier | None:
        """The first row that holds."""
        rows = (
            self._environment,
            self._process,
            self._regenerated,
            self._settings,
            still_old,
            self._missed,
            self._named,
        )
        return next((found for row in rows if (found := row(shown)) is not None), None)

    def _environment(self, shown: Occurrence) -> Barrier | None:
        """The module that is missing was installed, and is missing all the same."""
        name = missing_module(shown.failure)
        at, steps = self._installed.get(_package(name)) if name is not None else None, shown.recurrence.steps
        if name is None or at is None or not (steps[0] < at < steps[-1] or at < steps[-2:][0]):
            return None
        return Barrier("other-environment", {"module": name, "installed": at, "step": steps[-1]}, Place(file=name))

    def _process(self, shown: Occurrence) -> Barrier | None:
        """What answers was started before the edits: nothing was started since, or found its place taken."""
        started, edits = self._started, shown.edits
        taken = holds_any(f"{shown.failure.message} {shown.failure.headline}".lower(), _TAKEN)
        if taken and self._first is not None and edits and self._first.step < edits[0].step:
            started = self._first
        elif started is None or not _asks_itself(shown.action) or self._ran >= edits[0].step:
            return None
        if not shown.edited:
            return None
        slots = {"started": started.step, "command": started.operation.command, "edits": [one.step for one in edits]}
        words = "place-taken" if taken else ""
        return Barrier("old-process", slots, Place(file=shown.edited[0], step=started.step), shown.edited, words)

    def _regenerated(self, shown: Occurrence) -> Barrier | None:
        """The check itself writes the only file that is edited."""
        edited = shown.edited
        if len({last_part(path) for path in edited}) != 1 or len(shown.edits) < self._threshold - 1:
            return None
        name, lines = last_part(edited[0]), printed(shown.action.result or "")[:_LONGEST].splitlines()
        # The words that end with the file say that it's made.
        before = ((line, line[: _end_of(name, line)].lower().split()[-_NEAR:]) for line in lines if name in line)
        made = next((line for line, words in before if any(word.startswith(_MAKES) for word in words)), None)
        if made is None:
            return None
        return Barrier("regenerated", {"file": edited[0], "line": made.strip()}, Place(file=edited[0]), edited)

    def _settings(self, shown: Occurrence) -> Barrier | None:
        """The output names other files of settings than the edited ones, and not these."""
        directory = shown.action.directory
        edited = {path: normal(path, directory) for path in shown.edited if _ending(path) in _SETTINGS}
        if len(edited) < len(shown.edited):
            return None
        files = names_of(printed(shown.action.result or "")[-_LONGEST:]).files
        seen, read = {normal(name, directory) for name in files}, dict[str, str]()
        for path, own in edited.items():
            alike = [name for name in seen if _are_alike(last_part(own), last_part(name))]
            if len(alike) != 1 or same_file(alike[0], own) or role_of(alike[0]) is FrameRole.LIBRARY:
                return None
            if same_file(own, self._links.get(last_part(alike[0]), "").lstrip("./")):
                return None
            read[path] = alike[0]
        if not read:
            return None
        path, loaded = next(iter(read.items()))
        place = Place(file=loaded, step=shown.recurrence.steps[0])
        return Barrier("unloaded-file", {"loaded": loaded, "edited": path}, place, list(read), words="settings")

    def _missed(self, shown: Occurrence) -> Barrier | None:
        """What runs doesn't find a name that an edit had defined before the failure came back twice."""
        steps = shown.recurrence.steps
        for name in missed_names(shown.failure) if shown.edited else ():
            step, file = self._defined.get(name, (0, ""))
            if step and sum(other > step for other in steps) > 1:
                slots = {"name": name, "file": file, "edit": step, "step": steps[-1]}
                return Barrier("still-old", slots, Place(file=file), shown.edited, words="missed")
        return None

    def _named(self, shown: Occurrence) -> Barrier | None:
        """What refuses its input names a file of the tests or one that the agent wrote, or a line of a file of settings
        or data, and no edit went there."""
        message, edited = f"{shown.failure.message} {shown.failure.headline}", shown.edited
        if not edited or shown.failure.kind is FailureKind.NOT_FOUND or holds_any(message.lower(), _ABSENT):
            return None
        lines = dict.fromkeys(_LINE_OF.findall(printed(shown.action.result or "")[-_LONGEST:]))
        # Where a trace goes through it, its origin says whose fault it is.
        frames = [frame.file for frame in shown.failure.frames]
        command = shown.action.operation.command or ""
        located = [one for one in lines if _ending(one) in _ROWS and not any(same_file(one, file) for file in frames)]
        located = [one for one in located if last_part(one) not in command]
        named = [name for name in names_of(message).files if _ending(name) in _DATA]
        for name in (*named, *(located if len(located) == 1 else ())):
            written = next((path for path in self._written if same_file(path, name)), None)
            known = written or name in located or is_test_path(name)
            if not known or last_part(name) in map(last_part, edited):
                continue
            slots = {"file": written or name, "edited": edited[:3]}
            return Barrier("named-file", slots, Place(file=written or name), edited)
        return None

    def disproved(self, recurrence: Recurrence, finding: Finding) -> bool:
        """Whether nothing but another edit of the same files made the check pass."""
        since = paths_of(self.edits_up_to_pass(recurrence))
        fault = finding.fault.file if finding.fault is not None else ""
        elsewhere = finding.kind != "named-file" or not any(same_file(path, fault) for path in since)
        own = all(any(same_file(path, other) for other in finding.edited_instead) for path in since)
        return bool(since) and elsewhere and (own or finding.kind == "named-file")


def _asks_itself(action: Action) -> bool:
    """Whether a call does nothing but ask what runs on this machine."""
    asks = False
    for command in action.operation.commands:
        if knows(command.program, Does.TRANSFERS):
            if not any(map(OWN_HOST.search, command.args)):
                return False
            asks = True
        elif not knows(command.program, Does.SHOWS | Does.WAITS):
            return False
    return asks


def _are_alike(edited: str, shown: str) -> bool:
    """Whether two names may be the same file of settings: equal ones, or such as `x.json` and `x.build.json`."""
    parts, others = edited.split("."), shown.split(".")
    return edited == shown or edited.startswith(f"{shown}.") or (parts[0], parts[-1]) == (others[0], others[-1])


def _ending(path: str) -> str:
    return last_part(path).rpartition(".")[2]


def _end_of(name: str, line: str) -> int:
    """Where the first word of a line ends that is a path to a file of this name; 0 where there's none."""
    word = next((word for word in line.split() if last_part(word.strip("'\"`,;:()")) == name), "")
    return line.index(word) + len(word) if word else 0


def _package(name: str) -> str:
    """The name of a package as it's compared: without its version, and with one sort of dash."""
    for mark in "=<>~![;":
        name = name.partition(mark)[0]
    return name.lower().replace("_", "-")
