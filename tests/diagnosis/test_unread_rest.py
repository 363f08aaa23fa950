"""An answer about something of which a step returned only a part."""

from __future__ import annotations

import pytest

from analyzer.model.words import OutcomeStatus
from tests.build import Part, call, diagnosed, read, run, says, user

DIFF = "diff --git a/src/tide.py b/src/tide.py\n--- a/src/tide.py\n+++ b/src/tide.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n"
CUT = f"{DIFF}\n...900 bytes truncated...\n\nFull output saved to: /tmp/outputs/output_17\n"
REVIEW = user("Please review the changes of src/tide.py and src/dock.py.")
LOOKS = [read("src/tide.py", "depth = 3"), read("src/dock.py", "posts = 4")]
JUDGED = says(
    "**Findings**\n- `tide.py:1` takes the depth for granted, and a depth of zero passes unseen.\n"
    "- `dock.py:1` is fine as it is; the posts are counted where they're used.\n"
    "- Nothing else depends on either of the two.\n"
)
ASKED = user("What does tide.md say about the depth at noon?")
TEXT = "Tides\nThe depth at noon is 3 m.\n" * 9
SAYS = says("It says that the depth at noon is three metres, and that it's measured from the end of the pier. " * 3)
PART = read("docs/tide.md", f"{TEXT}\n[... 400 more lines]")
DIFF_SAID = 'the diff under review came back cut at step 1 ("...900 bytes truncated...")'
FILE_SAID = (
    'The file that it is about came back cut at step 1 ("[... 400 more lines]"), and no other step shows the rest.'
)


@pytest.mark.parametrize(
    "diff",
    [
        pytest.param(run("git diff", CUT), id="a command"),
        pytest.param(call("show_changes", {}, CUT), id="a tool"),
        pytest.param(run("git diff", f"{DIFF}\n...900 bytes truncated...\n{DIFF}"), id="cut in the middle"),
    ],
)
def test_a_review_of_a_part_is_no_success(diff: Part) -> None:
    outcome = diagnosed(REVIEW, diff, *LOOKS, JUDGED).outcome
    assert (outcome.status, outcome.evidence_steps) == (OutcomeStatus.UNKNOWN, [1, 3])
    assert (
        outcome.reason
        == f"The review that was asked for was delivered, but {DIFF_SAID}, and no other step shows the rest."
    )


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([run("git diff", DIFF), *LOOKS], id="all of it"),
        pytest.param([run("git diff", CUT), run("cat /tmp/outputs/output_17", "+y = 3"), *LOOKS], id="the kept output"),
        pytest.param([run("git diff", CUT), run("git diff src/dock.py", DIFF), *LOOKS], id="the other part"),
        pytest.param([run("git diff src/dock.py", DIFF), run("git diff", CUT), *LOOKS], id="a part of it before"),
        pytest.param(
            [run("git diff", f"{DIFF}+# ...900 bytes truncated...\n"), *LOOKS], id="a line of the diff speaks of it"
        ),
        pytest.param(
            [run("git diff", DIFF), read("src/log.py", "a\n...900 bytes truncated..."), *LOOKS], id="another result"
        ),
    ],
)
def test_a_review_of_all_of_it_is_one(parts: list[Part]) -> None:
    assert diagnosed(REVIEW, *parts, JUDGED).outcome.status is OutcomeStatus.SUCCEEDED


def test_an_answer_about_a_part_of_a_file_says_so() -> None:
    assert diagnosed(ASKED, PART, SAYS).outcome.reason.endswith(FILE_SAID)


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([read("docs/tide.md", TEXT)], id="all of it"),
        pytest.param([PART, call("read", {"path": "docs/tide.md", "offset": 20}, TEXT)], id="the rest of it"),
        pytest.param([PART, run("tail -400 docs/tide.md", TEXT)], id="its end"),
        pytest.param([read("docs/other.md", f"{TEXT}\n[... 400 more lines]")], id="another file"),
        pytest.param([read("docs/tide.md", f"{TEXT}400 lines were cut then.\n{TEXT}")], id="its own words"),
        pytest.param([read("docs/tide.md", f"1\tTides\n2\t[... 400 more lines]\n3\t{TEXT}")], id="numbered words"),
    ],
)
def test_an_answer_about_all_of_it_says_nothing(parts: list[Part]) -> None:
    assert "came back cut" not in diagnosed(ASKED, *parts, SAYS).outcome.reason
