"""What could be seen of a failure: in a sentence or two, and in the transcript's words."""

from __future__ import annotations

from analyzer.case_study.first_failure import Trouble
from analyzer.case_study.runs import LoadedRun
from analyzer.case_study.story import place
from analyzer.case_study.success import final_answer
from analyzer.case_study.written import files_of
from analyzer.model.case_study import Left, Run
from analyzer.model.finding import Evidence, RejectedArguments
from analyzer.model.scenario import Scenario
from analyzer.text.clip import clip
from analyzer.text.english import capital, plural, times
from analyzer.text.markdown import code

_LEFT = 2_500


def left_by(scenario: Scenario, loaded: LoadedRun) -> Left | None:
    """What a run left behind of what the checks of success look at: the last of the files, else the final answer."""
    files = files_of(loaded.timeline) if scenario.success.files else {}
    for check in reversed(scenario.success.files):
        for file in files.values():
            if file.is_called(check.path) and not file.removed and file.text and file.text.strip():
                return Left(name=check.path, step=file.step, text=clipped(file.text))
    answer, step = final_answer(loaded.timeline)
    if scenario.success.final_answer is not None and answer.strip():
        return Left(name="the final answer", step=step or 0, text=clipped(answer))
    return None


def clipped(text: str) -> str:
    """The beginning of a text with its lines."""
    return text.strip("\n") if len(text) <= _LEFT else f"{text[:_LEFT].rstrip()}\n..."


def seen(trouble: Trouble, run: Run, loaded: LoadedRun) -> str:
    """What could be seen, in one or two sentences: what failed and where the run ended, and what the agent said of
    it."""
    closing = loaded.timeline.closing()
    said = f" The agent's closing words: {code(closing, 240)}" if closing.strip() else ""
    return f"{_what(trouble, run)}{said}"


def _what(trouble: Trouble, run: Run) -> str:
    action, finding, rows = trouble.action, trouble.finding, run.rows
    tool = f"{code(action.tool, 80)} (action {action.step})" if action is not None else ""
    if trouble.phase == "planning":
        if action is None:
            return "The run ends during planning."
        count = len(finding.steps) if finding is not None and action.step in finding.steps else 0
        again = f"{code(action.tool, 80)} fails {times(count)}, first at action {action.step},"
        fails = again if count > 1 else f"{tool} fails"
        return f"{fails} before anything is carried out: the run ends without an accepted plan."
    if trouble.phase == "result":
        wrong = [check.what for check in run.checks if check.passed is False and check.subject != "findings"]
        every = {1: "The one step", 2: "Both steps"}.get(len(rows), f"All {len(rows)} steps")
        carried_out = f"{every} of the plan {'is' if len(rows) == 1 else 'are'} carried out"
        ran = carried_out if run.conformance is not None and all(row.done for row in rows) else "The run finishes"
        checks = "; ".join(clip(what, 160) for what in wrong[:3])
        more = f", and {len(wrong) - 3} more" if len(wrong) > 3 else ""
        return f"{ran}, but the result is wrong." + (f" Checks that failed: {checks}{more}." if wrong else "")
    if trouble.row is not None and run.conformance is not None:
        row, done = trouble.row, sum(row.done for row in rows)
        never = "is never carried out" + (f", after {plural(row.attempts, 'attempt')}" if row.attempts > 1 else "")
        return (
            f"{capital(place(row.step))} ({code(row.tool, 80)}) {'fails' if row.attempts == 1 else never}; {done} of "
            f"the plan's {plural(len(rows), 'step')} {'were' if done != 1 else 'was'} carried out."
        )
    return f"{capital(tool)} fails. {run.post_mortem.outcome.reason}" if tool else run.post_mortem.outcome.reason


def quotes_of(trouble: Trouble, run: Run, loaded: LoadedRun) -> list[Evidence]:
    """What could be seen of a failure, in the transcript's words, at most three quotes."""
    found: list[Evidence] = []
    action = trouble.action
    if trouble.deprived is not None and action is not None:
        found.append(Evidence(step=action.step, quote=trouble.deprived))
    elif action is not None and action.failure is not None:
        found.append(Evidence(step=action.step, quote=ending(action.result or action.failure.headline)))
        finding = trouble.finding
        if finding is not None and isinstance(finding.details, RejectedArguments) and finding.steps:
            # The last refusal of a loop shows what the attempts in between came to.
            last = next(iter(loaded.timeline.lane(finding.lane)[finding.steps[-1] - 1 :]), None)
            found += [Evidence(step=last.step, quote=ending(last.result))] if last is not None and last.result else []
    elif trouble.finding is not None:
        found += trouble.finding.evidence[:3]
    elif action is not None and action.result and trouble.row is not None:
        found.append(Evidence(step=action.step, quote=ending(action.result)))
    if trouble.phase == "result":
        # Our own findings, the log's header and the agent's last words have a sentence of their own.
        shown = ("file", "exit-status")
        failed = [check for check in run.checks if check.passed is False and check.subject in shown]
        found += [check.evidence for check in failed if check.evidence is not None]
    distinct: dict[str, Evidence] = {}
    for entry in found:
        words = " ".join(entry.quote.split()).rstrip("… ")
        if words and not any(words in known for known in distinct):
            distinct[words] = entry
    return list(distinct.values())[:3]


def ending(text: str) -> str:
    """The last lines of a text, which is where a trace says what went wrong; all of a text that has no more."""
    kept = [line.rstrip()[:300] for line in text.strip()[-8_000:].split("\n") if line.strip()]
    return "\n".join(kept if len(kept) <= 8 else ["...", *kept[-8:]])[-800:]
