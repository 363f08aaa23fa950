"""Where the trouble comes from, in one paragraph, as far as the transcript shows it."""

from __future__ import annotations

from analyzer.detectors.engine.interface import Trait
from analyzer.detectors.engine.registry import first_with, has
from analyzer.detectors.episodes.episode import FAILING
from analyzer.detectors.signals.quoted import quoted as quoted_of
from analyzer.diagnosis.case import Case, asks, one_call
from analyzer.diagnosis.clues import Shape, lines_text, one_range, raised_at, raised_there, shape_of, unmet
from analyzer.diagnosis.labels import at, bare_title, call_text, quoted, steps_text
from analyzer.failures.refusal import refuses
from analyzer.failures.roles import same_file
from analyzer.model.diagnosis import ProvenanceKind
from analyzer.model.failure import Failure
from analyzer.model.finding import Finding, Place, UnprovenClaim
from analyzer.model.struct import Struct, replace
from analyzer.model.words import FailureKind, OriginRole
from analyzer.text.clip import clip, middle
from analyzer.text.english import capital, times
from analyzer.text.markdown import code


class RootCause(Struct, frozen=True):
    """The paragraph, the place that it names, and what the message demands compared with what was given; `more` is the
    second half of a long paragraph."""

    text: str | None
    fault: Place | None = None
    requirement: str | None = None
    more: str = ""

    @property
    def whole(self) -> str | None:
        """All of the paragraph; None where nothing shows a cause."""
        return " ".join(filter(None, (self.text, self.more))) or None


def root_cause_of(case: Case) -> RootCause:
    """The root cause of the main finding; empty where nothing shows one. The step of its place shows the line."""
    found = _root_cause_of(case)
    fault = found.fault
    if fault is None or fault.step is None or fault.code is None or _shows(case, fault.step, fault.code):
        return found
    return replace(found, fault=fault.model_copy(update={"step": None}))


def _shows(case: Case, step: int, line: str) -> bool:
    """Whether a step prints a line, or writes it."""
    if not 0 < step <= len(case.lane):
        return False
    action, wanted = case.action(step), "".join(line.split())
    edited = (text for edit in action.operation.edits for text in (edit.before, edit.after))
    texts = (action.result, action.operation.command, *edited)
    return any(wanted in "".join((text or "").split()) for text in texts)


def _root_cause_of(case: Case) -> RootCause:
    main, cause = case.main, case.cause
    if main is None:
        return RootCause(None)
    same_group = (entry for entry in case.findings if entry.group == main.group)
    unloaded = first_with(same_group, Trait.EDITS_NOT_LOADED)
    if unloaded is not None and unloaded.fault is not None:
        # The failing run loads another copy than the files that were edited.
        tree = "the copy in another working tree, " if unloaded.kind == "another-tree" else ""
        text = f"The failing run loads {tree}{at(unloaded.fault)}, but the edits went to "
        shown = f"(Steps {steps_text(unloaded.steps)} show it; confidence {unloaded.confidence:.0%}.)"
        return RootCause(f"{text}{_files(unloaded.edited_instead)}. {shown}", unloaded.fault)
    found = _of_shape(case, main)
    if cause is None or cause is main or cause is case.wrong_file:
        return found
    explained, shown = explained_by(cause)
    if cause is case.misread or has(main, Trait.ENDS_WITHOUT_RESULT):
        return RootCause(explained, more=shown)
    more = " ".join(filter(None, (shown, found.whole)))
    return RootCause(explained, found.fault or cause.fault, found.requirement, more)


def _of_shape(case: Case, main: Finding) -> RootCause:
    """The cause as the sort of trouble shows it."""
    shape, failure = shape_of(case), case.failure
    if shape is Shape.WRONG_FILE:
        return _elsewhere(case)
    if shape is Shape.IDLE_CALL:
        return RootCause(_what_came_again(case, main))
    if shape is Shape.UNVERIFIED:
        return RootCause(_what_is_unproven(case, main))
    if shape is Shape.OTHER or failure is None:
        explained, shown = explained_by(main)
        return RootCause(explained, main.fault, more=shown)
    if shape is Shape.REFUSED_EDIT:
        return _refused_edit(case, main, failure)
    return (_failing_call if shape is Shape.FAILING_CALL else _same_error)(case, main, failure)


def explained_by(finding: Finding) -> tuple[str, str]:
    """What a finding says, and what the step shows that shows it first, where that's not in it."""
    title = finding.title.rstrip(".")
    shown = finding.evidence[0] if finding.evidence else None
    if shown is None:
        which = "step" if len(finding.steps) == 1 else "steps"
        return f"{title} ({which} {steps_text(finding.steps)})." if finding.steps else f"{title}.", ""
    named = [part for part in title.split("`")[1::2] if part in shown.quote and 2 * len(part) > len(shown.quote)]
    if clip(shown.quote, 60).rstrip("…") in title or named:
        return f"{title} (step {shown.step})." if shown.step else f"{title}.", ""
    words = quoted(shown, 200)
    return f"{title}.", f"Step {shown.step} shows it: {words}." if shown.step else f"{capital(words)}."


def brought_in(case: Case) -> str:
    """What brought the cause of the main failure in, as a sentence behind others; empty where nothing shows it."""
    found = case.provenance
    return f" {found.reason} (confidence {found.confidence:.0%})." if found is not None else ""


def _refused_edit(case: Case, main: Finding, failure: Failure) -> RootCause:
    path = case.edited_paths[0] if case.edited_paths else failure.subject
    span = one_range(case)
    where = f" of {lines_text(span)}" if span else ""
    different = len({case.action(step).keys.call for step in main.steps})
    tries = "the same edit" if different == 1 else f"{different} variants of one edit"
    answers = {shown.group for step in main.steps if (shown := case.action(step).failure) is not None}
    how = "each time" if len(answers) == 1 else "at first"
    text = (
        f"The editing tool rejected {tries}{where}{f' of {code(path)}' if path else ''} "
        f"{times(main.rounds or len(main.steps))}, {how} with {code(failure.message, 160)}.{brought_in(case)}"
    )
    reads = case.read_within(path) if path else []
    again = (
        f"The file was read again at {'step' if len(reads) == 1 else 'steps'} {steps_text(reads, 4)}."
        if reads
        else _NOT_READ
    )
    return RootCause(
        f"{text} {again}", Place(file=path, line=span[0] if span else None, step=main.steps[0]) if path else None
    )


_NOT_READ = "The agent didn't read the file again in between."


def _failing_call(case: Case, main: Finding, failure: Failure) -> RootCause:
    failing, headline = [case.action(step) for step in main.steps], code(middle(failure.headline, 200), 200)
    calls = {action.operation.target for action in failing}
    if len(calls) > 1 and failure.kind not in _CANNOT_WORK:
        said = {action.failure.headline for action in failing if action.failure is not None}
        how = "all get the answer" if len(said) == 1 else "get answers such as"
        return RootCause(
            f"The {len(calls)} different calls at steps {steps_text(main.steps, 6)} {how} {headline}.{brought_in(case)}"
        )
    text = _CANNOT_WORK.get(failure.kind, "{call} fails for a reason that repeating it doesn't change.")
    answers = {quoted_of(action, 200) for action in failing if action.failure is not None}
    answered = f" At step {failing[0].step} the answer was {code(middle(quoted_of(failing[0], 200), 200), 200)}."
    if not any((action.result or "").strip() for action in failing):
        answered = " No output is recorded of any of them."
    elif len(answers) == 1:
        answered = f" Each time the answer was {code(middle(next(iter(answers)), 200), 200)}."
    return RootCause(f"{text.format(call=code(call_text(failing[-1], 120)))}{answered}{brought_in(case)}")


_CANNOT_WORK = {
    FailureKind.COMMAND_NOT_FOUND: "A program that {call} needs isn't installed in this environment.",
    FailureKind.NOT_FOUND: "{call} asks for something that isn't there.",
    FailureKind.TIMEOUT: (
        "{call} doesn't finish within the harness's time limit; nothing that was tried in between changed that."
    ),
    FailureKind.MISSING_DEPENDENCY: "A module or package that {call} needs isn't installed.",
    FailureKind.PERMISSION: "The environment doesn't permit {call}.",
    FailureKind.INVALID_CALL: "The call {call} is malformed, and fails for that each time.",
}


def _same_error(case: Case, main: Finding, failure: Failure) -> RootCause:
    raised = raised_at(failure)
    in_a_row = main.last_step - main.first_step + 1 == len(main.steps)
    how = " in a row, with nothing done in between" if in_a_row else ", and nothing done in between affected its cause"
    text = f"{code(middle(failure.headline, 200), 200)} occurred {times(len(main.steps))}{how}."
    place, first = None, main.steps[0]
    if raised is not None:
        place = Place(file=raised.file, line=raised.line, function=raised.function, code=raised.code, step=first)
        inside = f" in {code(raised.function)}" if raised.function and not raised.function.startswith("<") else ""
        text += f" The deepest frame of the project is {at(raised)}{inside} (step {first})."
    found, origin = case.provenance, failure.origin
    more = brought_in(case)
    known = found is not None and (
        found.kind is not ProvenanceKind.BASELINE or (found.introduced_at is not None and found.line is not None)
    )
    if not known and origin is not None and origin.role is not OriginRole.UNKNOWN:
        more += f" Origin: {origin.role} ({origin.reason}; confidence {origin.confidence:.0%})."
    demand = unmet(failure)
    return RootCause(text, place, demand.text if demand is not None else None, more.strip())


def _what_is_unproven(case: Case, main: Finding) -> str:
    """The root cause: what the claim rests on, as far as the log shows it."""
    shown = case.action(main.evidence[0].step if main.evidence else main.first_step)
    if main.kind in ("failed-check", "failed-as-before") and shown.failure is not None:
        return (
            f"The last check of the change was {code(call_text(shown), 100)} at step {shown.step}. It failed with "
            f"{code(middle(shown.failure.headline, 160), 160)}, and the agent finished anyway."
        )
    said = main.details.doubt if isinstance(main.details, UnprovenClaim) else main.title
    return f"{said[:1].upper()}{said[1:]}."


def _what_came_again(case: Case, main: Finding) -> str:
    """The root cause: which calls they were, and what they brought."""
    action = case.action(main.steps[-1])
    answer = (action.result or "").strip()
    often = times(main.rounds or 0)
    if case.edits:
        return f"{bare_title(main)}: steps {steps_text(main.steps)}."
    if answer and not one_call(case):
        first = code(call_text(case.action(main.steps[0])), 100)
        return (
            f"{bare_title(main)}: steps {steps_text(main.steps)}. The calls differ: the first was {first}, the last "
            f"{code(call_text(action, 100), 100)} (step {action.step}), which returned {code(answer, 160)}."
        )
    if main.pattern == FAILING:
        return (
            f"{code(call_text(action, 140), 140)} was sent {often} and failed each time, with different messages. "
            f"At step {action.step} it returned {code(answer or 'nothing', 160)}."
        )
    if asks(case):
        return f"{code(call_text(action, 140))} was called {often} and returned the same result each time."
    if answer:
        call = code(call_text(action, 140), 140)
        return f"{call} was sent {often} and returned the same result each time: {code(answer, 160)}."
    call = code(f"{action.tool} {action.operation.target}", 140)
    return f"{call} was called {often}; it was accepted and returned nothing each time."


def _elsewhere(case: Case) -> RootCause:
    """The cause where the failure comes from a test or its data while edits went elsewhere; else empty."""
    finding, failure = case.wrong_file, case.failure
    if finding is None or finding.fault is None or failure is None:
        return RootCause(None)
    fault = finding.fault
    if raised_there(failure, fault):
        return RootCause(None)
    demand, raised = unmet(failure), raised_at(failure)
    requirement = demand.text if demand is not None else None
    author = _written_at(case, fault.file, fault.code)
    passes = f"passes what the check rejects: {requirement}" if requirement else ""
    line = passes or (f"is {code(fault.code, 160)}" if fault.code else "")
    text = f"{at(fault)} {line}." if line else f"The error comes from {at(fault)}, not from the code that raises it."
    if author is not None:
        text += f" The agent itself wrote that line at step {author}."
    parts = [f"The error comes from {at(fault)}, not from the code that raises it."] if line else []
    if raised is not None and raised.file != fault.file and (raised.guard or refuses(failure)):
        guard = f" ({code(raised.guard, 120)})" if raised.guard else ""
        parts.append(f"{at(raised)} only checks its input{guard} and is right to reject it.")
    parts.append(
        f"The agent edited {_files(finding.edited_instead)} instead, but that can't change what the test passes in."
    )
    sure = failure.origin.confidence if failure.origin else 0.5
    how = "The trace at step {0} shows both places" if requirement else "The same rejection came back at steps {1}"
    parts.append(f"({how.format(finding.steps[0], steps_text(finding.steps))}; confidence {sure:.0%}.)")
    return RootCause(text, fault, requirement, " ".join(parts))


def _files(paths: list[str]) -> str:
    shown = [f"{code(path)}" for path in paths[:4]]
    return ", ".join(shown) + (f" and {len(paths) - 4} more" if len(paths) > 4 else "")


def _written_at(case: Case, path: str, line: str | None) -> int | None:
    """The step at which the agent itself wrote a line into a file, if it did."""
    if not line:
        return None
    wanted = "".join(line.split())[:80]
    edits = ((action.step, edit) for action in case.lane for edit in action.operation.edits if edit.after)
    wrote = (
        step for step, edit in edits if same_file(edit.path, path) and wanted in "".join((edit.after or "").split())
    )
    return next(wrote, None)
