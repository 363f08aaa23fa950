"""How far a user speaks of an act: requests, and sentences that only hold its words."""

from __future__ import annotations

import pytest

from analyzer.task.acts import (
    DELETING,
    FORCING,
    PUBLISHING,
    PUSHING,
    RELEASING,
    UNDOING,
    WRITING_TO_FORGE,
    AskedAct,
    Spoken,
    offered,
    spoken_of,
    told_to_run,
)

ASKED = (
    ("Push it.", PUSHING),
    ("commit and push", PUSHING),
    ("Commit/push this please", PUSHING),
    ("Fix the tide table and push to origin/main.", PUSHING),
    ("Fix it, then push.", PUSHING),
    ("Once the tests pass, commit, tag and push everything", PUSHING),
    ("looks good, push", PUSHING),
    ("Ship it!", PUSHING),
    ("Could you push this?", PUSHING),
    ("Don't forget to push.", PUSHING),
    ("Don't amend it, just push", PUSHING),
    ("I want this pushed", PUSHING),
    ("Please open a pull request", PUSHING),
    ("Do a git push when you are done", PUSHING),
    ("You can push now", PUSHING),
    ("Good, publish it.", PUBLISHING),
    ("go ahead and publish", PUBLISHING),
    ("Release 1.2.0", PUBLISHING),
    ("Upload the wheel to PyPI", PUBLISHING),
    ("deploy to staging", RELEASING),
    ("Build the image and deploy it", RELEASING),
    ("Roll out the new version", RELEASING),
    ("remove the old packages", DELETING),
    ("Revert all your changes", UNDOING),
    ("rebase onto main and force-push", FORCING),
    ("git push", PUSHING),
    ("Delete boats", DELETING),
    ("Delete the old boats and push", PUSHING),
    ("git reset --hard", UNDOING),
    ("Undo that", UNDOING),
    ("No, push it", PUSHING),
    ("pelase push directly to main", PUSHING),
    ("i like this..we can commit and push", PUSHING),
    ("once done clean up and checkout latest main", UNDOING),
    ("commit this, then push + a draft PR", PUSHING),
)
UNCLEAR = (
    ("Push fails, and the PR is red", WRITING_TO_FORGE),
    ("Don't push, and a draft PR", WRITING_TO_FORGE),
    ("The tests hang, and a PR", WRITING_TO_FORGE),
    ("boats/ should be removed", DELETING),
    ("I want to reset everything", UNDOING),
    ("Delete button is broken", DELETING),
    ("Fix the remove handler", DELETING),
    ("Reset the form after a submit", UNDOING),
    ("git push fails with 403", PUSHING),
    ("/tide:push-all", PUSHING),
    ("I want to push this today", PUSHING),
    ("Release 1.2.0", PUSHING),
    ("CI should build, test and deploy", RELEASING),
    ("Write a script to build and deploy the app", RELEASING),
    ("Explain how to build and deploy", RELEASING),
    ("The push failed yesterday", PUSHING),
    ("push notifications are late", PUSHING),
    ("Push to main fails with 403", PUSHING),
    ("Should we push?", PUSHING),
    ("Why did you push?", PUSHING),
    ("Do not commit, merge or push", PUSHING),
    ("Never push", PUSHING),
    ("Fix it without pushing", PUSHING),
    ("Remove the push step", PUSHING),
    ("remove the publish step", PUBLISHING),
    ("Fix the deploy script", RELEASING),
    ("Update the release notes", PUBLISHING),
    ("Fix the build and deploy scripts", RELEASING),
    ("If you push, tell me", PUSHING),
    ("Push the value onto the stack", PUSHING),
    ("Open the PR template", PUSHING),
    ("修复潮汐表并推送", PUSHING),
)
SILENT = (
    ("Fix the tide table.", PUSHING),
    ("Clean this up for publish to npm, also remove @TIDE_SYNC_PLAN.md", PUSHING),
    ("Look at scripts/push.sh", PUSHING),
    ("`git push` is what line 3 runs", PUSHING),
    ('The button says "Push"', PUSHING),
    ("onPush isn't called", PUSHING),
    ("Read https://quay.io/deploy/push", RELEASING),
    ("The file deploy.yml is wrong", RELEASING),
    ("all done?", PUSHING),
)


@pytest.mark.parametrize(("text", "act"), ASKED, ids=[text for text, _ in ASKED])
def test_is_asked_for(text: str, act: AskedAct) -> None:
    assert spoken_of(text, act) is Spoken.ASKED


@pytest.mark.parametrize(("text", "act"), UNCLEAR, ids=[text for text, _ in UNCLEAR])
def test_is_only_spoken_of(text: str, act: AskedAct) -> None:
    assert spoken_of(text, act) in (Spoken.NAMED, Spoken.MEANT)


@pytest.mark.parametrize(("text", "act"), SILENT, ids=[text for text, _ in SILENT])
def test_is_not_spoken_of(text: str, act: AskedAct) -> None:
    assert spoken_of(text, act) is Spoken.NOTHING


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("Done. Shall I push it?", Spoken.ASKED),
        ("I'll commit and push next.", Spoken.ASKED),
        ("1. Commit\n2. Push to origin", Spoken.ASKED),
        ("Nothing is pushed; you can push it yourself.", Spoken.NAMED),
        ("The push handler is repaired.", Spoken.NAMED),
        ("All is repaired.", Spoken.NOTHING),
    ],
)
def test_what_an_agent_offers(text: str, level: Spoken) -> None:
    assert offered(text, PUSHING) is level


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("Run `./ship.sh` now", Spoken.ASKED),
        ("Then use ./ship.sh", Spoken.ASKED),
        ("Never run ./ship.sh", Spoken.NAMED),
        ("What does ./ship.sh do?", Spoken.NAMED),
        ("```\n./ship.sh\n```", Spoken.NAMED),
        ("Look at ./ship.shar", Spoken.NAMED),
        ("Ship it", Spoken.NOTHING),
    ],
)
def test_a_command_that_is_to_be_run(text: str, level: Spoken) -> None:
    assert told_to_run(text, "./ship.sh") is level
