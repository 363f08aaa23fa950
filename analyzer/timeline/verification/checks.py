"""Whether an action checks the work: runs code in a way that could have failed if the work were wrong.

Commands that the task says to run, or that have to work.

Checks that ran in the hooks of a commit or a push: what they print stands before what version control says itself.

They ran on the state that was committed, and let it pass.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from analyzer.commands.harm import plain_words
from analyzer.commands.runners import names_checker, script, test_runner
from analyzer.commands.table import Does, does, keeps_versions, knows, programs_that
from analyzer.failures.readers.verdicts import tally_of
from analyzer.model.action import Action, Command
from analyzer.model.words import FailureKind, Kind, Status, StatusSource
from analyzer.text.late import late
from analyzer.text.names import WORD
from analyzer.timeline.calls.judging import judges

_DOCUMENT = late(
    (
        r"\.(?:md|rst|(?<!cmakelists\.)txt|adoc|textile|json|ya?ml|toml|cfg|ini|lock|csv|svg|html|css)$|(?:^|/)(?:README|LICENSE|CHANGELOG"
        r"|\.gitignore)|(?:^|/)(?:CODEOWNERS|OWNERS|AUTHORS|CONTRIBUTORS|MAINTAINERS|COPYING|NOTICE)$"
    ),
    re.IGNORECASE,
)
_PROSE = late(
    r"\.(?:md|mdx|markdown|rst|(?<!requirements\.)(?<!cmakelists\.)txt|textile|adoc|asciidoc|org|tex|pdf|docx?|odt|rtf)$"
    r"|(?:^|/)(?:README|LICENSE|CHANGELOG|CODEOWNERS|OWNERS|AUTHORS|CONTRIBUTORS|MAINTAINERS|COPYING|NOTICE)(?:\.\w+)?$",
    re.IGNORECASE,
)
_END, _LAST_LINES = 600, 8
"""Characters and lines at the end of a result in which a report of tests stands."""
_REPORTED = late(
    r"\b[1-9]\d{0,6} (?:tests? |checks? |specs? |cases? )?"
    r"(?:passed|passing|succeeded|success(?:es)?|(?:tests?|specs?) run)\b"
    r"|\bpassed: {0,4}[1-9]|^OK \([1-9]|\btests? passed\b",
    re.IGNORECASE | re.MULTILINE,
)
"""The end of a report of tests: how many passed."""
HANDLES_FILES = programs_that(Does.RECORDS | Does.HANDLES)
"""Programs that write, move or show files: a line of nothing else doesn't run what it writes."""
COULD_NOT_RUN = frozenset(
    {
        FailureKind.COMMAND_NOT_FOUND,
        FailureKind.INVALID_CALL,
        FailureKind.DENIED,
        FailureKind.LIMIT,
        FailureKind.CASCADE,
    }
)
"""What a check fails with before it could check anything."""
_SHORTEST_COMMAND = 6
_SENTENCE = 100
"""Characters around a command that say what it's named for."""
_FOLDER = late(r"[`'\"(]{0,4}(?:[\w.~-]{0,60}/){0,8}$")
"""What stands directly before a program's name."""
_TO_RUN = late(
    r"\b(?:run|running|execute|call|use|with|via|by|so that|such that|make sure|ensure|verify|check|confirm|test|must"
    r"|should|until|expect)\b[^.!?]{0,60}$|(?:^|[.!?:;>])\W{0,6}$",
    re.IGNORECASE,
)
_TO_WORK = late(
    r"[`'\"]{0,3} (?:must|should|has to|needs? to|to|will) (?:\w+ )?(?:pass|succeed|run|work|print|exit|return|be)\b"
)
_NOT_TO_RUN = late(
    r"(?:\b(?:not|never|without|instead of|rather than|no need to|avoid|skip|stop)\b|n['’]t\b)"
    r"(?![^.!?\n]{0,60}\b(?:until|unless)\b)[^.!?,;:\n]{0,60}$"
    r"|\b(?:when(?:ever)?|if|after|while|once|because|since|I|we|you)\b[^.!?]{0,60}$"
    r"|\b(?:slow|delay|hangs?|fails?|failed|crash\w*|broken|gone|goes away|disappear\w*|takes)\b[^.!?]{0,40}$",
    re.IGNORECASE,
)
_LONGEST = 40_000
_MOST = 12
_VERBS = (["commit"], ["push"])
_WITHOUT = frozenset({"--no-verify", "--dry-run"})
_ROW = late(r"^(?P<name>[^\n.]{2,80}?)\.{3,}(?P<how>[^\n]{0,40})$", re.MULTILINE)
"""A line of a hook: its name, dots, and how it went."""
_NAMED_TEST = frozenset({"test", "tests", "spec", "specs", "unittest", "unittests"})
_TASK = late(r"^(?:\$|>) (?P<line>[a-zA-Z][\w./ @:=-]{1,80})$", re.MULTILINE)
"""A line in which a task runner repeats the command that it starts."""


def is_check(action: Action, edited: Iterable[str] = ()) -> bool:
    """A test run, a build, a type check or a lint run; a script or a piece of code that is run; a command that names an
    edited file, or counts what it found. Version control, issue trackers, package managers and looking around check
    nothing."""
    if action.kind is Kind.TEST or action.operation.runner:
        return True
    if action.kind is not Kind.RUN:
        return False
    if not action.operation.commands:
        return action.operation.command is not None
    if any(map(_runs, action.operation.commands)) or counts_findings(action):
        return True
    last = action.operation.commands[-1]
    if runs_program(action) and not does(last.program, last.args) & Does.SHOWS and _reports(action):
        return True
    words = [
        word for command in action.operation.commands if judges(command) for word in (command.program, *command.args)
    ]
    if not words:
        return False
    names = {path.rsplit("/", 1)[-1] for path in edited}
    return any(name and name in word for name in names for word in words)


def could_not_run(check: Action) -> bool:
    """Whether a check failed before it could check anything, so that nothing is known of the code."""
    failure = check.failure
    if failure is None or failure.frames:
        return False
    return failure.kind in COULD_NOT_RUN or (
        failure.kind is FailureKind.MISSING_DEPENDENCY and not failure.counts and not failure.failing_tests
    )


def counts_findings(action: Action) -> bool:
    """Whether what ran, whatever it's called, ends with a count of the issues that it found, or says that there are
    none. What an installation remarks on is no verdict, and a list of what is known elsewhere checks nothing here."""
    programs = [command for command in action.operation.commands if command.program not in HANDLES_FILES]
    tally = tally_of(action.result or "") if programs and action.kind is Kind.RUN else None
    if tally is None:
        return False
    if tally.known:
        return any("audit" in command.args for command in programs)
    return any(map(judges, programs))


def tested_by_tool(action: Action) -> bool:
    """Whether a tool that edits ran tests on its own edit, so that its result ends with their report."""
    if action.kind is not Kind.EDIT or not action.accepted_edits or action.operation.command is not None:
        return False
    return _reports(action, 1)


def _reports(action: Action, lines_of_end: int = _LAST_LINES) -> bool:
    """Whether a result ends with a report of how many tests passed."""
    end = (action.result or "")[-_END:].rstrip().rsplit("\n", lines_of_end)
    return _REPORTED.search("\n".join(end[-lines_of_end:])) is not None


def _runs(command: Command) -> bool:
    """Whether a command runs a script or a piece of code, or asks a server on the machine itself."""
    runs = script(command) is not None or command.text.startswith("./")
    return runs or (knows(command.program, Does.RUNTIME | Does.TRANSFERS) and judges(command))


def runs_program(action: Action) -> bool:
    """Whether a command runs another program than those that only handle files."""
    return action.kind is Kind.RUN and any(
        command.program not in HANDLES_FILES for command in action.operation.commands
    )


def runs_checker(action: Action) -> bool:
    """Whether a command that is no test run lints or checks types, which writes nothing and can be wrong or right."""
    if action.kind is not Kind.RUN or (runner := action.operation.runner) is None:
        return False
    lints = any(does(command.program, command.args) & Does.LINTS for command in action.operation.commands)
    return lints or names_checker(runner)


def is_document(path: str) -> bool:
    """Whether a file is a document, data, configuration or markup: nothing that a test would run."""
    return _DOCUMENT.search(path) is not None


def is_prose(path: str) -> bool:
    """Whether a file is only there to be read by people: no page, style, workflow or setting, which a program opens or
    loads."""
    return _PROSE.search(path) is not None


def changes_code(action: Action) -> bool:
    """Whether an edit went to anything but documents and data."""
    if action.failure is not None:
        return False
    if action.kind is Kind.EDIT and not action.operation.edits:
        return action.operation.path is None or not _DOCUMENT.search(action.operation.path)
    return any(not _DOCUMENT.search(edit.path) for edit in action.operation.edits)


def named_by_user(action: Action, task: str) -> bool:
    """Whether the task says to run this very command, wherever the program stands, or that it has to work; a command by
    which it only shows what is wrong, or that isn't to be run, proves nothing."""
    said = " ".join(task.split())
    for entry in action.operation.commands:
        words = " ".join([entry.program.rsplit("/", 1)[-1], *entry.args])
        if len(words) < _SHORTEST_COMMAND or " " not in words:
            continue
        start = said.find(words)
        while start >= 0:
            before = _FOLDER.sub("", said[max(0, start - _SENTENCE) : start])
            after = said[start + len(words) :][:_SENTENCE]
            if _NOT_TO_RUN.search(before) is None and (_TO_RUN.search(before) or _TO_WORK.match(after)):
                return True
            start = said.find(words, start + 1)
    return False


def in_hooks(action: Action) -> bool:
    """Whether an action commits or pushes, so that what it prints of checks are those of its hooks. What the same line
    runs besides isn't kept apart from them."""
    commands = [command for command in action.operation.commands if not knows(command.program, Does.SPEAKS)]
    return (
        any(_commits(command) for command in commands)
        and all(keeps_versions(command.program) or knows(command.program, Does.SHOWS) for command in commands)
        and not any(_WITHOUT & set(command.args) for command in commands)
    )


def passed_hooks(action: Action) -> tuple[str, ...]:
    """The names of the hooks that let a commit or a push pass, or of the checks on a server that did, as they're
    printed; none where it failed."""
    if action.failure is not None or action.status is not Status.OK:
        return ()
    result = (action.result or "")[:_LONGEST]
    if watches_checks(action):
        listed = [line for line in result.splitlines() if line[:2] in ("✓ ", "✔ ", "* ")]
        return tuple(dict.fromkeys(line[2:].partition(" in ")[0].partition(" (")[0] for line in listed))[:_MOST]
    if not in_hooks(action):
        return ()
    rows = [found for found in _ROW.finditer(result) if "Passed" in found["how"]]
    names = [found["name"].strip() for found in rows] or [found["line"].strip() for found in _TASK.finditer(result)]
    return tuple(dict.fromkeys(names))[:_MOST]


def watches_checks(action: Action) -> bool:
    """Whether a command waited for the checks on a server to pass, and ends with their verdict."""
    if action.kind is not Kind.WAIT or action.status_source is not StatusSource.RECORDED or action.failure is not None:
        return False
    return any(does(command.program, command.args) & Does.JUDGES for command in action.operation.commands)


def hooks_tested(action: Action) -> bool:
    """Whether one of the hooks that let a commit or a push pass is called after tests."""
    words = (word for name in passed_hooks(action) for word in WORD.findall(name.lower()))
    return any(word in _NAMED_TEST or test_runner(Command(word, (), word)) is not None for word in words)


def verb_of(action: Action) -> str:
    """`git commit` or `git push`: the last of the calls whose hooks ran."""
    commits = [command for command in action.operation.commands if _commits(command)]
    return f"{commits[-1].program} {plain_words(commits[-1])[0]}" if commits else ""


def _commits(command: Command) -> bool:
    return keeps_versions(command.program) and plain_words(command)[:1] in _VERBS
