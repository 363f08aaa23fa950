"""Terminal-Bench trials, whole and in parts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from analyzer.audit.sources.discover import LocalTree
from analyzer.formats.container.document import Document
from analyzer.formats.loading.folders import units
from analyzer.formats.loading.load import load
from analyzer.formats.terminal_bench.format import FORMAT
from analyzer.formats.terminal_bench.screen import commands_of, plain
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import Session
from analyzer.model.words import Ending
from tests.formats.corpus_files import SAMPLES, entries, load_sample
from tests.formats.events import answered, calls, results, words
from tests.formats.mutations import read_or_refuse
from tests.growth import assert_in_proportion
from tests.tables import table

Json = dict[str, Any]
ON, OFF = "\x1b[?2004h", "\x1b[?2004l\r"
PROMPT = "dev@0a1b:/app# "
TRIAL: Json = json.loads((SAMPLES / "terminal_bench.json").read_text(encoding="utf-8"))


def typed(command: str, output: str = "") -> str:
    lines = command.split("\n")
    shown = f"{ON}{PROMPT}{lines[0]}\r\n{OFF}" + "".join(f"{ON}> {line}\r\n{OFF}" for line in lines[1:])
    return shown + output.replace("\n", "\r\n")


STEPS = (
    "\x1b[1mThis is \x1b[1;32mmini-swe-agent\x1b[0m version \x1b[1;32m1.9\x1b[0m.\x1b[1;32m0\x1b[0m.\n"
    "\x1b[1;31mmini-swe-agent\x1b[0m (step 1, $0.01):\n\u2807 Waiting for the LM to respond...\r\x1b[2KTHOUGHT: "
    "I look.\n\n"
    "```bash\nls\n```\n\nUser:\n<returncode>2</returncode>\n<output>\nno such thing\n</output>\n" + "\u2500" * 40 + "\n"
    "mini-swe-agent (step 2, $0.02):\nTwo at once.\n\nUser:\nPlease always provide EXACTLY ONE action\n"
    "mini-swe-agent (step 3, $0.03):\nDone.\n\n```bash\necho COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT\n```\n\nUser:\n\n"
)
BEGIN = typed("asciinema rec --stdin /logs/agent.cast", "recording\n") + typed("clear")
INSTALL = typed("source /installed-agent/install-agent.sh; tmux wait -S done", "0% [Working]\r      \rGet:1 x\nOK\n")


def folder(root: Path, **files: str) -> Path:
    (root / "sessions").mkdir()
    names = {
        "results": "results.json",
        "commands": "commands.txt",
        "log": "sessions/agent.log",
        "cast": "sessions/agent.cast",
        "tests": "sessions/tests.log",
    }
    for name, text in files.items():
        (root / names[name]).write_bytes(text.encode())
    return root


def session_of(path: Path) -> Session:
    transcript = load(path)
    assert transcript.format == FORMAT.name
    (session,) = transcript.sessions
    return session


def test_the_sample_is_a_verdict_without_steps() -> None:
    session = load_sample("terminal_bench.json", "terminal-bench")

    assert (session.id, session.task) == ("parcel-rates.1-of-1.run", "Make the tests of parcel-rates pass.")
    assert (session.started_at, session.ended_at) == (1740823260.0, 1740823680.0)
    assert (session.ending, session.recorded_status) == (Ending.UNSOLVED, "agent_timeout")
    assert session.ending_detail == "time limit of the agent; failed tests: test_far"
    assert (session.tokens.input, session.environment) == (None, {"task": "parcel-rates"})
    assert (calls(session), [warning.where for warning in session.warnings]) == ([], ["results.json"])


def test_a_trial_with_nothing_but_a_recording_is_its_folder(tmp_path: Path) -> None:
    shown = typed("clear") + typed("ls", "a  b\n")
    events = [[0.5, "o", shown[:20]], [0.6, "i", "ls"], [0.7, "o", shown[20:]], "torn"]
    cast = "\n".join(map(json.dumps, [{"version": 2, "width": 160}, *events])) + "\n[1.0,"
    root = folder(tmp_path, results=json.dumps(TRIAL), cast=cast)
    session = session_of(root)
    assert (answered(session), session.warnings) == ([("bash", "a  b")], [])
    (unit,) = units(LocalTree(str(root)))
    assert len(unit.members) == 2


def test_a_trial_whose_recording_shows_no_command_says_so(tmp_path: Path) -> None:
    session = session_of(folder(tmp_path, results=json.dumps(TRIAL), cast='{"version": 2}\n'))
    assert (session.ending, calls(session)) == (Ending.UNSOLVED, [])
    assert [warning.what for warning in session.warnings] == ["no command of the agent was recorded"]


def test_a_trial_is_its_folder(tmp_path: Path) -> None:
    log = BEGIN + INSTALL + typed("mini -m some/model -t 'Make it\npass.' -y; tmux wait -S done", STEPS) + typed("")
    commands = "['asciinema rec --stdin /logs/agent.cast', 'Enter']\n['never', 'Enter']\n"
    session = session_of(folder(tmp_path, results=json.dumps(TRIAL), log=log, commands=commands))

    assert (session.agent, session.agent_version, session.model, session.cost_usd) == (
        "mini-swe-agent",
        "1.9.0",
        "some/model",
        0.03,
    )
    assert [(name, call.harness) for (name, _), call in zip(calls(session), session.calls(), strict=True)] == [
        ("bash", True),
        ("bash", True),
        ("bash", False),
        ("bash", False),
    ]
    assert calls(session)[1:] == [
        ("bash", {"command": "mini -m some/model -t 'Make it\npass.' -y"}),
        ("bash", {"command": "ls"}),
        ("bash", {"command": "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"}),
    ]
    assert results(session) == [("Get:1 x\nOK", None, None, None), ("no such thing", None, 2, None)]
    assert words(session)[1:] == [
        ("assistant", "THOUGHT: I look."),
        ("assistant", "Two at once."),
        ("harness", "Please always provide EXACTLY ONE action"),
        ("assistant", "Done."),
    ]
    assert [call.task_done for call in session.calls()][-1]
    assert (session.task, session.ending, session.warnings) == (TRIAL["instruction"], Ending.UNSOLVED, [])


def test_what_the_agent_was_told_stands_before_its_first_step(tmp_path: Path) -> None:
    told = (
        "System:\nYou help.\n\nUser:\nPlease solve this issue: Mend the crane.\n\nYou can execute bash commands "
        "and edit files.\n"
    )
    log = BEGIN + typed("mini -m example-4 -t 'Mend the crane.' -y", told + STEPS)
    (tmp_path / "agent.log").write_bytes(log.encode())
    alone = session_of(tmp_path / "agent.log")
    assert (alone.task, alone.user_messages) == ("Mend the crane.", 1)
    assert [role for role, _ in words(alone)][:1] == ["user"]
    with_verdict = session_of(folder(tmp_path, log=log, results=json.dumps(TRIAL)))
    assert [text for role, text in words(with_verdict) if role == "user"] == ["Make the tests of parcel-rates pass."]


def test_an_agent_that_could_not_be_started_is_a_call(tmp_path: Path) -> None:
    log = BEGIN + INSTALL + typed("mini -t 'x'; tmux wait -S done", "bash: mini: command not found\n")
    session = session_of(folder(tmp_path, results=json.dumps(TRIAL), log=log))

    assert answered(session)[1] == ("bash", "bash: mini: command not found")
    assert [call.harness for call in session.calls()] == [True, False]


def test_without_a_recording_the_typed_commands_have_to_do(tmp_path: Path) -> None:
    keys = (
        "['asciinema rec --stdin /logs/agent.cast', 'Enter']\n['clear', 'Enter']\n['pytest -q', "
        "'Enter']\n['C-d']\noops\n"
    )
    session = session_of(folder(tmp_path, results=json.dumps(TRIAL), commands=keys))
    assert calls(session) == [("bash", {"command": "pytest -q"})]
    assert [warning.where for warning in session.warnings] == ["line 5"]

    (alone,) = FORMAT.read(Document("commands.txt", keys))
    assert calls(alone) == [("bash", {"command": "pytest -q"})]


def test_a_damaged_verdict_costs_only_itself(tmp_path: Path) -> None:
    session = session_of(folder(tmp_path, results='{"is_resolved": ', log=BEGIN + typed("ls", "a\n")))
    assert (calls(session), session.ending) == ([("bash", {"command": "ls"})], None)
    assert [warning.where for warning in session.warnings] == ["results.json"]


@table("what_the_tests_printed_is_kept_where_no_verdict_is_recorded")
def test_what_the_tests_printed_is_kept_where_no_verdict_is_recorded(tmp_path: Path, more: Json, kept: bool) -> None:
    printed = typed("bash /tests/run-tests.sh", "\x1b[32m=== 4 passed in 0.04s ===\x1b[0m\n")
    session = session_of(
        folder(tmp_path, results=json.dumps({**TRIAL, **more}), log=BEGIN + typed("ls", "a\n"), tests=printed)
    )
    shown = session.evaluation
    assert (shown is not None) is kept
    if shown is not None:
        assert shown.file == "sessions/tests.log"
        assert shown.text.endswith("=== 4 passed in 0.04s ===")


@pytest.mark.parametrize(
    ("printed", "said"),
    [
        pytest.param("=== 4 passed in 0.04s ===\n", ' It ends with "4 passed in 0.04s".', id="counts"),
        pytest.param("E: no such package\n", ' It ends with "E: no such package".', id="an-error"),
        pytest.param("", "", id="nothing"),
    ],
)
def test_the_refusal_of_the_tests_recording_says_what_it_ends_with(printed: str, said: str) -> None:
    text = f"{PROMPT}asciinema rec --stdin /logs/tests.cast\n{PROMPT}clear\n{printed}{PROMPT}"
    with pytest.raises(UnreadableInput) as refused:
        list(FORMAT.read(Document("tests.log", text)))
    assert refused.value.what == f"records the tests of a Terminal-Bench trial, not the agent.{said}"


def test_the_recording_of_the_tests_is_refused() -> None:
    document = Document(
        "tests.log", typed("asciinema rec --stdin /logs/tests.cast") + typed("bash /tests/run-tests.sh")
    )
    assert FORMAT.sniff(document)
    with pytest.raises(UnreadableInput, match="records the tests"):
        list(FORMAT.read(document))


@table("how_it_ended")
def test_how_it_ended(more: Json, ending: Ending | None, status: str, detail: str | None) -> None:
    (session,) = FORMAT.read(Document("results.json", json.dumps({**TRIAL, "parser_results": None, **more})))
    assert (session.ending, session.recorded_status, session.ending_detail) == (ending, status, detail)


def test_the_results_of_a_run_are_one_session_per_trial() -> None:
    value = {"id": "run", "results": [TRIAL, {**TRIAL, "trial_name": "parcel-rates.2-of-2.run"}, 5]}
    document = Document("results.json", json.dumps(value))
    assert FORMAT.sniff(document)
    assert [session.id for session in FORMAT.read(document)] == ["parcel-rates.1-of-1.run", "parcel-rates.2-of-2.run"]


@table("the_screen_as_a_reader_sees_it")
def test_the_screen_as_a_reader_sees_it(raw: str, shown: str) -> None:
    assert plain(raw) == shown


def test_prompts_tell_commands_where_the_shell_marks_nothing() -> None:
    screen = f"{PROMPT}ls\na\nb\n{PROMPT}cat x\ncat: x: No such file\n{PROMPT}"
    assert list(commands_of(screen)) == [
        ("ls", "a\nb"),
        ("cat x", "cat: x: No such file"),
        ("", ""),
    ]


def test_a_recording_cut_anywhere_is_read_up_to_there() -> None:
    whole = BEGIN + INSTALL + typed("mini -m some/model -t 'x'", STEPS)
    for size in range(len(whole)):
        for session in read_or_refuse(whole[:size].encode(), FORMAT.name):
            assert len(results(session)) <= len(calls(session))


@pytest.mark.parametrize(
    ("shown", "cost"),
    [
        pytest.param(".", None, id="no digits"),
        pytest.param("0.1.2", None, id="a version"),
        pytest.param("9" * 400, None, id="beyond every number"),
        pytest.param("0.25", 0.25, id="an amount"),
    ],
)
def test_what_the_terminal_shows_as_cost(shown: str, cost: float | None) -> None:
    screen = BEGIN + INSTALL + typed("mini -m some/model -t 'x'", STEPS.replace("$0.03", f"${shown}"))
    (session,) = read_or_refuse(screen.encode(), FORMAT.name)
    assert session.cost_usd == cost
    assert len(calls(session)) > 2


def test_a_line_of_keys_that_python_cannot_hold_is_a_warning() -> None:
    (session,) = read_or_refuse(
        b"['asciinema rec /logs/agent.cast', 'Enter']\n[{[]: 1}]\n['ls', 'Enter']\n", FORMAT.name
    )
    assert [warning.where for warning in session.warnings if "no list of keys" in warning.what] == ["line 2"]


def test_the_rule_below_an_answer_is_left_out_in_proportion() -> None:
    def make(size: int) -> bytes:
        steps = STEPS.replace("no such thing", "\u2500" * size + "x")
        return (BEGIN + INSTALL + typed("mini -m some/model -t 'x'", steps)).encode()

    assert_in_proportion(lambda data: read_or_refuse(data, FORMAT.name), make, 5_000, 20_000, "a ruled line")


def test_real_trials_have_one_call_per_step_that_the_agent_shows(corpus: Path) -> None:
    for path in entries(corpus, FORMAT.name):
        if path.name == "tests.log":
            with pytest.raises(UnreadableInput):
                load(path)
            continue
        assert load(path).format == FORMAT.name
        if path.name != "results.json":
            continue
        session = session_of(path.parent)
        log = plain((path.parent / "sessions" / "agent.log").read_bytes().decode())
        shown = log.count("mini-swe-agent (step ")
        assert sum(not call.harness for call in session.calls()) == (shown or 1)
