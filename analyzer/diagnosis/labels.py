"""What one action is called in a list, and how calls, steps, quotations and findings are named in sentences."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence

from analyzer.commands.statements import AS_MODULE, PREPARES
from analyzer.detectors.signals.effects import tool_verb
from analyzer.model.action import Action
from analyzer.model.failure import Failure, Frame
from analyzer.model.finding import Evidence, Finding, Place
from analyzer.model.words import FailureKind, Kind, Mark, ShownKind, Status
from analyzer.speech.acts import words_for
from analyzer.text.clip import clip, middle
from analyzer.text.english import listed, one_or_many, plural
from analyzer.text.excerpts import informative_parts
from analyzer.text.markdown import code
from analyzer.timeline import Timeline
from analyzer.timeline.calls.arguments import ASKS_NAME, Arguments, Family, family_of, plain_name, tool_words
from analyzer.timeline.closing.user_answers import ANSWERED_WRONG, not_ended

Said = tuple[str, list[int]]
"""Something that is said, and the steps that show it."""
_LONGEST = 80
_CASCADE = "another call of the same message failed"
_AGAIN = "the same error again"
_EXPECTED = "expected before the fix"
_AS_KIND = {kind: ShownKind(kind.value) for kind in Kind}
_RUNS, _OPENS = (Family.SHELL, Family.NOTEBOOK), frozenset({"open", "go"})


def shown_kind(action: Action) -> ShownKind:
    """What an action is called where it's shown: its kind, and of a call without one what the verb of its name and the
    form of its arguments say."""
    if action.kind is not Kind.OTHER or action.harness:
        return _AS_KIND[action.kind]
    if action.operation.command is not None or family_of(plain_name(action.tool)) in _RUNS:
        return ShownKind.RUN
    arguments = Arguments({} if isinstance(action.arguments, str) else action.arguments)
    names = (*arguments.deeds, action.tool)
    begins = {word for name in names for word in tool_words(name)[:1]}
    words = {word for name in names for word in tool_words(name)}
    if action.asks_agent:
        return ShownKind.DELEGATE
    if action.keys.browser_action or "browser" in words or ("url" in arguments.folded and begins & _OPENS):
        return ShownKind.BROWSE
    if words & {*words_for("clauses", "delegates")}:
        return ShownKind.DELEGATE
    if begins & {*words_for("clauses", "lasting")} and arguments.folded.keys() & {*tool_words(action.tool)[-1:]}:
        return ShownKind.CALL  # it sets the status that it's given
    verb = next(filter(None, map(tool_verb, names)), None)
    if verb is None or verb in words_for("clauses", "looks"):
        if "search" in words and any(map(ASKS_NAME.search, arguments.named)):
            return ShownKind.SEARCH
        if verb is not None:
            return ShownKind.LOOKUP
        if words & {*words_for("clauses", "browses")} or begins & {*words_for("clauses", "types")}:
            return ShownKind.BROWSE
    return ShownKind.CALL if words else ShownKind.OTHER


def of_them_expected(failed: Sequence[Action]) -> str:
    """How many of some failed steps were to fail before the fix, as words behind their number; empty for none."""
    count = sum(action.failure is not None and action.failure.expected for action in failed)
    return f", {count} of them {_EXPECTED}" if 0 < count < len(failed) else f", {_EXPECTED}" if count else ""


def called(action: Action, root: str) -> str:
    """What was called on what."""
    head = f"{action.tool} {label(action, root)}".rstrip()
    return f"{head} (written by the harness)" if action.harness else head


def came_back(action: Action, *, again: bool) -> list[str]:
    """What came back, in pieces, where the status alone doesn't say it: the error, how much of it there is, whether it
    is back, and whether it's the one that was to be fixed."""
    failure = action.failure
    if action.harness:
        return []
    if action.mark is Mark.CASCADE:
        return [f"cancelled: {_CASCADE}"]
    if failure is None:
        return [action.decided_by] if _answered_wrong(action) and action.decided_by else []
    if (why := not_ended(action)) is not None:
        return [f"{why}: {middle(failure.headline, 100)}"]
    pieces = (_error(failure), _tally(failure), _AGAIN if again else "", _EXPECTED if failure.expected else "")
    return [piece for piece in pieces if piece]


def summary(action: Action, root: str, *, again: bool) -> str:
    """One line: what was called on what, and what came back."""
    head = called(action, root)
    if action.harness:
        return head
    if action.mark is Mark.CASCADE:
        return f"{head} -> CANCELLED ({_CASCADE})"
    if action.failure is not None and (why := not_ended(action)) is not None:
        return f"{head} -> {why.upper()} ({middle(action.failure.headline, 100)})"
    if action.failure is not None:
        tally = _tally(action.failure)
        count = f" [{tally}]" if tally else ""
        expected = f" ({_EXPECTED})" if action.failure.expected else ""
        return f"{head} -> ERROR ({_error(action.failure)}){count}{' same error' if again else ''}{expected}"
    if action.result is None:
        return f"{head} -> {'SUCCESS' if action.status is Status.OK else 'no recorded result'}"
    if _answered_wrong(action):
        return f"{head} -> {action.decided_by}"
    if action.asks_agent and action.failure is None and action.result.strip():
        return f"{head} -> answered"
    if action.status is Status.OK:
        return f"{head} -> SUCCESS"
    if action.blanked:
        return f"{head} -> result blanked out"
    return f"{head} -> {'no output' if not action.result.strip() else f'not known ({action.decided_by})'}"


def _answered_wrong(action: Action) -> bool:
    return action.status is Status.UNKNOWN and (action.decided_by or "").startswith(ANSWERED_WRONG)


def _error(failure: Failure) -> str:
    return informative_parts(failure.headline, 100, middle)


def _tally(failure: Failure) -> str:
    """How many failed of how many, as the runner or the compiler counted, where that says more than the failure."""
    counts = failure.counts
    if failure.kind in (FailureKind.COMPILE, FailureKind.LINT):
        return f"first of {counts['errors']} errors" if counts.get("errors", 0) > 1 else ""
    failed, errors = counts.get("failed", 0), counts.get("errors", 0)
    total = failed + errors + counts.get("passed", 0)
    if not failed + errors or total < 2:
        return ""
    if not errors:
        return f"{failed} of {total} tests failed"
    return f"{f'{failed} failed, ' if failed else ''}{plural(errors, 'error')}, {total - failed - errors} passed"


def label(action: Action, root: str) -> str:
    """What the action works on: a command as it was written, with an ellipsis for what only prepares it and for its
    middle, since what tells it from its neighbours is often at its end; a file with the lines that are meant."""
    operation = action.operation
    if operation.kind is Kind.FINISH:
        return ""
    if operation.command is not None:
        written = [edit.path for edit in operation.edits if edit.created and edit.after is not None]
        if operation.kind is Kind.EDIT and written:
            return f"write {_tail(shortened(', '.join(written), root))}"
        command = PREPARES.sub("", operation.command)
        cut = "… " if command != operation.command else ""
        return middle(cut + shortened(AS_MODULE.sub("", command), root), _LONGEST)
    if operation.path is not None and operation.kind in (Kind.READ, Kind.EDIT):
        span = operation.lines or next((edit.lines for edit in operation.edits if edit.lines), None)
        lines = f":{span[0]}-{span[1] if span[1] is not None else ''}" if span else ""
        paths = list(dict.fromkeys(edit.path for edit in operation.edits)) or [operation.path]
        return _tail(shortened(", ".join(paths), root)) + lines
    target = "" if operation.target == action.tool else operation.target.removeprefix(f"{action.tool} ")
    return middle(shortened(target, root), _LONGEST)


def common_root(timeline: Timeline) -> str:
    """The directory of most absolute paths of a session: the recorded working directory, or what they share."""
    recorded = timeline.session.environment.get("working directory")
    if recorded and recorded.startswith("/") and len(recorded) > 1:
        return recorded.rstrip("/") + "/"
    paths = [path for action in timeline.actions if (path := action.operation.path) and path.startswith("/")]
    if len(paths) < 3:
        return ""
    tops = Counter("/".join(path.split("/")[:2]) for path in paths)
    top, count = tops.most_common(1)[0]
    if count * 3 < len(paths) * 2:
        return ""
    shared = os.path.commonpath([path for path in paths if path.startswith(top + "/")] or [top])
    return shared.rstrip("/") + "/" if shared.count("/") >= 1 and len(shared) > 1 and shared not in paths else ""


def shortened(text: str, root: str) -> str:
    """`text` on one line with paths below the root made relative."""
    line = " ".join(text.split())
    return line.replace(root, "") if root else line


def _tail(path: str) -> str:
    """A path that is too long loses its beginning, never the file's name."""
    return path if len(path) <= _LONGEST else "…" + path[-(_LONGEST - 1) :]


def bare_title(finding: Finding) -> str:
    """A finding's title without its end and the steps in brackets before that."""
    title = finding.title.rstrip(".")
    return title.rpartition(" (steps ")[0] or title


def call_text(action: Action, limit: int = 100) -> str:
    """A call as a person would name it: the command as written, else the tool and what it was called on."""
    operation = action.operation
    if operation.command is not None or not operation.target or operation.target == action.tool:
        return clip(operation.target or action.tool, limit)
    first, last = operation.lines or (None, None)
    if operation.target != operation.path:
        return clip(f"{action.tool} {operation.target}", limit)
    lines = "" if first is None else f":{first}" if last in (None, first) else f":{first}-{last}"
    room = max(20, limit - len(lines) - len(action.tool) - 1)
    path = operation.path if len(operation.path) <= room else f"…{operation.path[-(room - 1) :]}"
    return f"{action.tool} {path}{lines}"


def place_text(file: str, line: int | None) -> str:
    """A place in code as people write it."""
    return file if line is None else f"{file}:{line}"


def at(place: Frame | Place) -> str:
    """A place in code, as a code span."""
    return code(place_text(place.file, place.line))


def steps_text(steps: Sequence[int], limit: int = 8) -> str:
    """Step numbers for people: `3`, `3 and 5`, `16, 18, 20, 22, 24 and 26`, with the middle left out of long lists."""
    shown = [str(step) for step in steps]
    if len(shown) > limit:
        shown = [*shown[: limit - 2], "...", shown[-1]]
        return ", ".join(shown)
    return listed(shown)


def numbered(steps: Sequence[int], limit: int = 8) -> str:
    """The same behind the noun: `step 3`, `steps 3 and 5`."""
    return f"{one_or_many(len(steps), 'step')} {steps_text(steps, limit)}"


def some(entries: Sequence[str], most: int) -> str:
    """A list of at most so many entries, and how many more there are: `a, b and 2 more`."""
    more = [f"{len(entries) - most} more"] if len(entries) > most else []
    return listed([*entries[:most], *more])


def span_text(finding: Finding) -> str:
    """The first and the last step of a finding: `step 3`, `steps 3-5`."""
    first, last = finding.first_step, finding.last_step
    return f"steps {first}-{last}" if last > first else f"step {first}"


def quoted(entry: Evidence, limit: int) -> str:
    """What shows something, with the program's words before it where there are some."""
    return f"{entry.label} {code(entry.quote, limit)}".lstrip()
