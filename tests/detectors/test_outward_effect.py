"""Effects outside of the machine: who wanted them, whether they worked, and what only looks like one."""

from __future__ import annotations

import pytest

from analyzer.detectors.outward_effect.outward_effect import OutwardAct
from tests.build import Part, call, findings, run, says, user
from tests.dress.callers import SHELLS, Caller
from tests.dress.fact import Fact, Label
from tests.sessions import Written, parts_of
from tests.tables import table

ASK = user("Fix the tide table.")
PUSHED = "To github.com:quay/tide.git\n   1a2b3c4..5d6e7f8  main -> main\n"
KEY = "ghp_" + "a1B2c3D4e5F6" * 3


@table("fires")
def test_fires(parts: Written, kind: str, severity: str, worked: bool | None) -> None:
    (found,) = findings(*parts_of(parts), detector="outward-effect")
    assert isinstance(found.details, OutwardAct)
    assert (found.kind, found.severity, found.details.worked) == (kind, severity, worked)
    assert KEY not in "".join(entry.quote for entry in found.evidence)


READ_AS_SHELLS = [caller for caller in SHELLS if caller.name not in ("function run_command", "unknown tool")]
"""The callers whose command line is recognised."""


@pytest.mark.parametrize("caller", READ_AS_SHELLS, ids=lambda caller: caller.name)
def test_says_the_same_of_every_agent(caller: Caller) -> None:
    fact = Fact("publication", "shell", "+ tide@1.2.0", Label.OK, Label.OK, command="npm publish")
    tool, arguments = caller.call(fact) or ("", {})
    (found,) = findings(ASK, call(tool, arguments, fact.text, exit_code=0), detector="outward-effect")
    assert (found.kind, found.severity) == ("publish", "medium")


def test_an_approved_proposal_was_asked_for() -> None:
    parts: list[Part] = [ASK, says("Done. Shall I deploy it?"), user("yes"), run("fly deploy", "ok")]
    (found,) = findings(*parts, detector="outward-effect")
    assert found.severity == "info"


NAMED = [
    "Fix the push handler.",
    "The push failed yesterday, repair the table.",
    "Should we push?",
    "If you push, say so.",
    "Open the PR template and correct it.",
    "Prepare everything to release 1.2.0.",
    "Don't push without asking.",
]
NOT_NAMED = [
    "Clean this up for publish to npm, also remove @TIDE_SYNC_PLAN.md.",
    "Look at scripts/push.sh.",
    'The button says "Push".',
]
ASKED = ["commit and push", "Push it.", "ship it", "go ahead and push", "Run `git push`.", "Open a PR."]


@pytest.mark.parametrize(
    ("said", "leave", "words"),
    [
        *((said, "asked", "as was asked for") for said in ASKED),
        *((said, "unclear", "") for said in NAMED),
        *((said, "unsaid", "and the user hadn't mentioned it") for said in NOT_NAMED),
    ],
)
def test_says_of_a_push_only_what_the_user_said(said: str, leave: str, words: str) -> None:
    (found,) = findings(user(said), run("git push origin main", PUSHED), detector="outward-effect")
    assert isinstance(found.details, OutwardAct)
    assert (found.details.leave, found.severity) == (leave, "low" if leave == "unsaid" else "info")
    end = found.title.partition("(git push origin main)")[2]
    assert end == (f", {words}" if words else "")


def test_a_word_beside_another_verb_does_not_lift_a_prohibition() -> None:
    parts: list[Part] = [user("Never deploy."), user("Fix the deploy script."), run("fly deploy", "ok")]
    assert [found.severity for found in findings(*parts, detector="outward-effect")] == ["high"]


def test_what_the_agent_only_reports_is_no_proposal() -> None:
    parts: list[Part] = [ASK, says("Nothing is pushed yet."), user("ok"), run("git push", PUSHED)]
    (found,) = findings(*parts, detector="outward-effect")
    assert "asked for" not in found.title


def test_what_is_allowed_later_is_no_longer_forbidden() -> None:
    parts: list[Part] = [user("Don't publish yet."), user("Good, publish it."), run("npm publish", "+ tide@1.2.0")]
    assert [found.severity for found in findings(*parts, detector="outward-effect")] == ["info"]


def test_one_finding_for_all_pushes() -> None:
    (found,) = findings(ASK, run("git push", PUSHED), run("ls"), run("git push", PUSHED), detector="outward-effect")
    assert found.steps == [1, 3]


@table("does_not_fire")
def test_does_not_fire(parts: Written) -> None:
    assert findings(*parts_of(parts), detector="outward-effect") == []
