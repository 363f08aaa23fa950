"""The small code and prompt sketches that go with improvements. They show where a change goes, not a finished one."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.text.english import times

LOOP_GUARD = """\
seen: Counter[str] = Counter()

def after_tool_call(call, result):
    error = error_signature(result)      # type + masked message + failing tests; None if it succeeded
    if error is None:
        return result                    # a successful edit doesn't reset the count of errors
    seen[error] += 1
    if seen[error] >= 3:                 # whatever was called in between
        return step_back_message(error, seen[error], files_edited_since_first(error))
    return result"""

RESULT_GUARD = """\
recent: deque[tuple[str, str]] = deque(maxlen=8)

def before_tool_call(call):
    same = [result for known, result in recent if known == canonical(call)]
    if len(same) >= 3 and len(set(same)) == 1:
        return "You already have this answer, three times. Say what it means, then do something else."

def after_tool_call(call, result):
    recent.append((canonical(call), mask(result)))"""

TURN_GUARD = """\
said: deque[str] = deque(maxlen=3)

def on_message(text, calls):
    if calls:
        said.clear()
        return text
    said.append(text)
    if len(said) == 3 and all(nearly_equal(said[0], other) for other in said):
        return step_back_message(text)
    return text"""

ERROR_SIMILARITY = r"""
# Never every digit: "3 failed" -> "1 failed" is progress.
MASKS = [(r"\bline \d+", "line N"), (r":\d+:", ":N:"), (r"/tmp/\S+", "<tmp>"), (r"0x[0-9a-f]+", "<addr>"),
         (r"\b[0-9a-f]{8}-[0-9a-f-]{27}\b", "<uuid>"), (r"\b\d+(\.\d+)?\s?(ms|s)\b", "<time>")]

def error_signature(text):
    for pattern, name in MASKS:
        text = re.sub(pattern, name, text)
    return text""".strip()

ERROR_LOCATION = """\
def explain_failure(trace, edited):
    raised = trace.frames[-1]
    supplied = next((f for f in reversed(trace.frames) if is_test(f.file)), None)
    if supplied and raised.code.startswith("raise") and supplied.file not in edited:
        return (f"{raised.file}:{raised.line} refuses a value that {supplied.file}:{supplied.line} passes: "
                f"{supplied.code}. Check that value before editing {raised.file}.")"""

READ_BEFORE_RETRY = """\
def edit(path, start, end, text):
    problem = lint_after(path, start, end, text)
    if problem:
        if (path, start, end, text) in refused:
            return f"Refused before for the same reason ({problem}). Choose another range."
        refused.add((path, start, end, text))
        return f"{problem}\\nThe lines as they are:\\n{numbered(path, start - 5, end + 5)}"
    ..."""

VERIFY_BEFORE_DONE = """\
def on_finish(history):
    last_edit = max((s.number for s in history if s.edits_code), default=0)
    if last_edit and not any(s.number > last_edit and s.is_check and s.passed for s in history):
        return "Nothing that ran after your last edit passed. Run the check that would fail if the edit were wrong.\""""

VALIDATE_FIRST = """\
The error was raised on purpose by a check of its input. Before you edit the code that raises it:
1. Quote the requirement that the message states.
2. Quote the value that was passed, and the line that passes it.
3. Does the value meet the requirement? If not, the caller is wrong, even if the caller is a test."""


def step_back_prompt(said: str, count: int, edited: Sequence[str]) -> str:
    """The message that a guard puts into the agent's context, for this session."""
    files = f"\nIn between you edited only: {', '.join(edited[:4])}." if edited else ""
    return (
        f"Stop. You have had this result {times(count)}:\n    {said}{files}\n"
        "Don't edit or run anything yet. Answer first:\n"
        "1. Which assumption do all these attempts share?\n"
        "2. Which file or value in the message or the trace haven't you looked at?\n"
        "3. Name three genuinely different causes, and the cheapest check that distinguishes them.\n"
        "Then do that check."
    )


def test_data_prompt(requirement: str | None) -> str:
    """Guidance on test data, with this session's requirement where one is known."""
    example = f" (here: {requirement})" if requirement else ""
    return (
        "When you write a test, derive its data from the rules of the code under test: write the rule as a "
        "comment next to the\n"
        f"data{example}.\nWhen a new test fails in a validation, suspect its data first: it has never "
        "passed."
    )
