"""Sessions of Kiro's editor: executions, histories with executions, and what damage costs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from analyzer.audit.sources.discover import discover
from analyzer.formats.container.tree import BundleTree, Unit
from analyzer.formats.loading.folders import units
from analyzer.formats.loading.load import load, load_bytes
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import Session
from analyzer.model.words import Ending
from tests.audit.trees import looked_at, write
from tests.formats.corpus_files import load_sample
from tests.formats.events import Result, calls, order, results, words
from tests.formats.reading import session_in
from tests.tables import table

Json = dict[str, Any]
WORKSPACE = "0123456789abcdef" * 2


def action(kind: str = "runCommand", state: str = "Success", **more: object) -> Json:
    return {"actionId": "a", "actionType": kind, "actionState": state, "executionId": "run-1", **more}


def execution(*actions: object, **more: object) -> Json:
    return {"executionId": "run-1", "status": "succeed", "actions": list(actions), **more}


def read(value: object) -> Session:
    return session_in(value, "kiro-ide")


def history(*entries: tuple[str, str, str | None], **more: object) -> Json:
    listed = [
        {"message": {"role": role, "content": text, "id": "m"}, **({"executionId": run} if run else {})}
        for role, text, run in entries
    ]
    return {"history": listed, "sessionId": "session-1", "workspaceDirectory": "/srv/mill", "title": "Mill", **more}


ASKED = ("user", "Mend the sluice.", None)
DID = ("assistant", "On it.", "run-1")
SAYS: Json = {"actionType": "say", "output": {"message": "It's shut."}}


def test_the_execution_of_ours() -> None:
    session = load_sample("kiro_ide.json", "kiro-ide")
    assert (session.id, session.agent, session.model, session.task, session.recorded_status) == (
        "run-1",
        "Kiro",
        "example-4",
        "Mend the sluice.",
        "succeed",
    )
    assert (session.started_at, session.ended_at, session.environment) == (
        1777881600.0,
        1777881630.0,
        {"part of session": "session-1"},
    )
    assert calls(session) == [
        ("runCommand", {"command": "make test", "cwd": "/srv/mill"}),
        ("replace", {"file": "sluice.c", "originalContent": "shut", "modifiedContent": "open"}),
        ("water_level", {"at": "gate"}),
    ]
    assert results(session) == [
        ("1 failed", None, 2, None),
        ("", False, None, None),
        ("no such gauge", True, None, None),
    ]
    assert words(session) == [
        ("user", "Mend the sluice."),
        ("thought", "The log first."),
        ("assistant", "The sluice is open."),
    ]


@table("how_an_action_ended")
def test_how_an_action_ended(state: str, out: object, result: Result) -> None:
    done = action(state=state, input={"command": "ls"}) | ({"output": out} if out is not None else {})
    assert results(read(execution(done))) == [result]


def test_an_action_that_is_still_running_has_no_result() -> None:
    session = read(execution(action(state="Running", input={"command": "ls"})))
    assert order(session) == "c"


@pytest.mark.parametrize(
    ("status", "ending"),
    [("succeed", None), ("aborted", Ending.CANCELLED), ("user-aborted", Ending.CANCELLED), ("failed", Ending.CRASHED)],
)
def test_how_an_execution_ended(status: str, ending: Ending | None) -> None:
    session = read(execution(action(input={"command": "ls"}, output={"output": "a"}), status=status))
    assert (session.recorded_status, session.ending) == (status, ending)


def test_a_history_alone_says_that_the_work_is_elsewhere() -> None:
    session = read(history(ASKED, DID, ("assistant", "It was shut.", None)))
    assert (session.id, session.title, session.task) == ("session-1", "Mill", "Mend the sluice.")
    assert session.environment == {"working directory": "/srv/mill"}
    assert words(session) == [("user", "Mend the sluice."), ("assistant", "It was shut.")]
    assert [(warning.where, warning.what) for warning in session.warnings] == [
        ("entry 2", "what the agent did is in a file that isn't here")
    ]


def test_a_history_that_names_no_execution_yet_is_known_by_its_own_keys() -> None:
    session = read(history(ASKED, autonomyMode="supervised"))
    assert (session.agent, words(session)) == ("Kiro", [("user", "Mend the sluice.")])


def stored() -> dict[str, object]:
    """What the editor keeps: two requests of one session, and an execution of none."""
    first = execution(action("readFile", input={"path": "a"}, output={"message": "shut"}), SAYS)
    second = execution(action("open", actionId="b", input={"gate": 1})) | {"executionId": "run-2"}
    again: tuple[str, str, str | None] = ("user", "Open it.", None)
    return {
        "workspace-sessions/L3Nydg__/sessions.json": [{"sessionId": "session-1"}],
        "workspace-sessions/L3Nydg__/session-1.json": history(ASKED, DID, again, ("assistant", "On it.", "run-2")),
        f"{WORKSPACE}/index": json.dumps({"executions": [{"executionId": "run-1"}], "version": "2.0.0"}),
        f"{WORKSPACE}/ab/one": json.dumps(first),
        f"{WORKSPACE}/ab/two": json.dumps(second),
        f"{WORKSPACE}/cd/three": json.dumps(execution(action(input={"command": "ls"})) | {"executionId": "run-3"}),
    }


def test_a_session_is_read_with_its_executions(tmp_path: Path) -> None:
    sources = list(discover([str(write(tmp_path, stored()))]))
    found = {Path(source.path).name: source for source in sources}
    assert set(found) == {"session-1.json", "three"}
    assert found["session-1.json"].members == (
        "workspace-sessions/L3Nydg__/session-1.json",
        f"{WORKSPACE}/ab/one",
        f"{WORKSPACE}/ab/two",
    )
    assert [looked_at(source).format for source in sources] == ["kiro-ide"] * 2


def test_executions_follow_their_requests_and_repeat_nothing(tmp_path: Path) -> None:
    write(tmp_path, {name: value for name, value in stored().items() if "three" not in name})
    (session,) = load(tmp_path).sessions
    assert order(session) == "mcrmmc"
    assert [name for name, _ in calls(session)] == ["readFile", "open"]
    assert words(session) == [("user", "Mend the sluice."), ("assistant", "It's shut."), ("user", "Open it.")]


@pytest.mark.parametrize(
    ("value", "what"),
    [
        (execution({"input": {"command": "x"}}, action(input={"command": "ls"})), "action without a type; skipped"),
        (
            execution(action("dream", output={"message": "x"}), action(input={"command": "ls"})),
            "action 'dream' with an output and no input; skipped",
        ),
        (history(ASKED, ("gardener", "Hm.", "run-1")), "unknown role 'gardener'; skipped"),
    ],
)
def test_what_is_not_understood_is_said(value: Json, what: str) -> None:
    assert what in [warning.what for warning in read(value).warnings]


@table("files_without_a_session_are_refused")
def test_files_without_a_session_are_refused(value: object) -> None:
    with pytest.raises(UnreadableInput):
        load_bytes(json.dumps(value).encode(), "x.json")


def test_a_folder_of_other_sessions_is_nobodys() -> None:
    class Box:
        names = ("workspace-sessions/a/notes.txt",)

        def read(self, name: str) -> bytes:
            return name.encode()

    assert units(BundleTree(Box())) == [Unit("workspace-sessions/a/notes.txt")]
