"""Running an agent's command several times: what it's given, what is kept, and what becomes of runs that hang, crash or
are interrupted."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

import pytest

from analyzer.case_study.bench import Command, bench, load_bench
from analyzer.case_study.bench_run import Recorded
from analyzer.model.errors import AnalyzerError
from tests.case_study.agents import SCENARIO, agent
from tests.tables import table

GOOD = "leave(sys.argv[1])"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "bench"


def ran(
    tmp_path: Path, code: str, *arguments: str, runs: int = 1, resume: bool = False, **more: object
) -> list[Recorded]:
    command = Command((*agent(tmp_path / "agent", code), *(arguments or ("{out}",))), **more)  # type: ignore[arg-type]
    return bench(SCENARIO, command, runs, tmp_path / "bench", resume=resume)


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[-1].split()[0]
    except OSError:
        return False
    return state not in ("Z", "X")


def gone_soon(pid: int) -> bool:
    for _ in range(100):
        if not is_running(pid):
            return True
        time.sleep(0.05)
    return False


def test_each_run_is_kept_with_its_transcript(tmp_path: Path, place: Path) -> None:
    runs = ran(tmp_path, "leave(sys.argv[1]); print('under way'); print('oh', file=sys.stderr)", runs=3)
    assert [(run.number, run.exit_status, run.timed_out, run.transcript, run.by_command) for run in runs] == [
        (number, 0, False, f"run-{number}/out/log.json", False) for number in (1, 2, 3)
    ]
    assert (place / "run-2" / "stdout.txt").read_text().split() == ["under", "way"]
    assert (place / "run-2" / "stderr.txt").read_text().split() == ["oh"]
    loaded = load_bench(place, runs)
    assert [(run.name, run.exit_status, len(run.timeline.actions)) for run in loaded] == [
        ("run 1", 0, 1),
        ("run 2", 0, 1),
        ("run 3", 0, 1),
    ]


def test_placeholders_are_replaced_once_and_nothing_else_is(tmp_path: Path, place: Path) -> None:
    code = (
        "leave(sys.argv[1]); pathlib.Path(sys.argv[1], 'seen.txt').write_text(json.dumps([sys.argv[2:], "
        "os.environ['SEED']]))"
    )
    ran(
        tmp_path,
        code,
        "{out}",
        "--task={prompt}",
        "{run}-{run}",
        "{other} {{run}} $HOME `id` *",
        environment={"SEED": "s{run}"},
    )
    out = place / "run-1" / "out"
    arguments, seed = json.loads((out / "seen.txt").read_text())
    assert arguments == [f"--task={SCENARIO.prompt}", "1-1", "{other} {1} $HOME `id` *"]
    assert seed == "s1"


def test_each_run_works_in_a_fresh_copy(tmp_path: Path, place: Path) -> None:
    folder = tmp_path / "repository"
    (folder / "sub").mkdir(parents=True)
    (folder / "sub" / "notes.txt").write_text("none")
    code = (
        "notes = pathlib.Path('sub/notes.txt'); seen = notes.read_text(); notes.write_text('mine'); "
        "leave(sys.argv[1], seen)"
    )
    runs = ran(tmp_path, code, runs=2, folder=folder)
    assert [run.timeline.actions[0].operation.edits[0].after for run in load_bench(place, runs)] == ["none", "none"]
    assert (folder / "sub" / "notes.txt").read_text() == "none"
    assert (place / "run-2" / "work" / "sub" / "notes.txt").read_text() == "mine"


def test_a_benchmark_inside_of_the_folder_that_it_copies_is_not_copied(tmp_path: Path) -> None:
    (tmp_path / "hull.txt").write_text("wood")
    runs = ran(tmp_path, "leave(sys.argv[1], ' '.join(sorted(os.listdir('.'))))", runs=2, folder=tmp_path)
    assert [run.timeline.actions[0].operation.edits[0].after for run in load_bench(tmp_path / "bench", runs)] == [
        "agent hull.txt"
    ] * 2


def test_without_a_folder_each_run_begins_in_an_empty_one(tmp_path: Path, place: Path) -> None:
    runs = ran(tmp_path, "leave(sys.argv[1], repr(os.listdir('.')))")
    assert load_bench(place, runs)[0].timeline.actions[0].operation.edits[0].after == "[]"


def test_a_run_without_a_transcript_says_how_its_command_ended(tmp_path: Path, place: Path) -> None:
    (run,) = ran(tmp_path, "print('starting'); raise ValueError('no wind')")
    assert (run.exit_status, run.by_command, run.transcript) == (1, True, "run-1/out/agent-command.json")
    (loaded,) = load_bench(place, [run])
    assert loaded.post_mortem.outcome.status == "crashed"
    (failure,) = loaded.post_mortem.failures
    assert (failure.type, failure.message) == ("ValueError", "no wind")


@pytest.mark.slow
def test_a_run_that_hangs_is_stopped_with_all_that_it_started(tmp_path: Path, place: Path) -> None:
    code = (
        "import subprocess; child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "pathlib.Path(sys.argv[1], 'pids.txt').write_text(f'{os.getpid()} {child.pid}'); time.sleep(600)"
    )
    (run,) = ran(tmp_path, code, timeout=1.5)
    assert (run.timed_out, run.by_command) == (True, True)
    pids = [int(pid) for pid in (place / "run-1" / "out" / "pids.txt").read_text().split()]
    assert all(gone_soon(pid) for pid in pids)
    assert load_bench(place, [run])[0].post_mortem.outcome.status == "limit_reached"


@pytest.mark.slow
def test_what_was_written_before_the_time_limit_counts(tmp_path: Path, place: Path) -> None:
    (run,) = ran(tmp_path, "leave(sys.argv[1]); time.sleep(600)", timeout=1.5)
    assert (run.timed_out, run.transcript) == (True, "run-1/out/log.json")


@pytest.mark.slow
def test_a_command_that_ignores_the_request_to_end_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("analyzer.case_study.bench_run.GRACE", 0.3)
    (run,) = ran(tmp_path, "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)", timeout=1.5)
    assert (run.timed_out, run.exit_status) == (True, -9)


def test_processes_that_outlive_the_command_are_stopped(tmp_path: Path, place: Path) -> None:
    code = (
        "import subprocess; child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "pathlib.Path(sys.argv[1], 'pid.txt').write_text(str(child.pid)); leave(sys.argv[1])"
    )
    (run,) = ran(tmp_path, code)
    assert (run.exit_status, run.timed_out) == (0, False)
    assert gone_soon(int((place / "run-1" / "out" / "pid.txt").read_text()))


def test_a_transcript_that_is_left_in_the_working_folder(tmp_path: Path) -> None:
    (run,) = ran(tmp_path, "os.makedirs('logs/7'); leave('logs/7', name='run.json')", "go", transcript="logs/**/*.json")
    assert run.transcript is not None
    assert Path(run.transcript).parts == ("run-1", "work", "logs", "7", "run.json")


def test_a_transcript_that_is_left_elsewhere_is_copied_and_only_a_new_one_counts(tmp_path: Path, place: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    old = home / "old.json"
    code = f"leave({str(home)!r}, name='mine.json')"
    ran(tmp_path / "before", f"leave({str(home)!r}, name='old.json', actions=9)", "go", transcript=str(home / "*.json"))
    os.utime(old, (1_000_000_000, 1_000_000_000))
    (run,) = ran(tmp_path, code, "go", transcript=str(home / "*.json"))
    assert (run.transcript, run.others) == ("run-1/out/mine.json", 0)
    (home / "mine.json").unlink()
    assert len(load_bench(place, [run])[0].timeline.actions) == 1


def test_of_several_transcripts_the_one_with_most_actions_is_the_run(tmp_path: Path) -> None:
    code = (
        "leave(sys.argv[1], name='helper.json'); leave(sys.argv[1], name='main.json', actions=4); "
        "pathlib.Path(sys.argv[1], 'notes.txt').write_text('hi')"
    )
    (run,) = ran(tmp_path, code)
    assert (run.transcript, run.others) == ("run-1/out/main.json", 1)


def test_resume_makes_only_the_runs_that_are_missing(tmp_path: Path, place: Path) -> None:
    count = tmp_path / "count.txt"
    code = f"leave(sys.argv[1]); open({str(count)!r}, 'a').write('x')"
    ran(tmp_path, code, runs=2)
    (place / "run-2" / "run.json").unlink()
    (place / "run-2" / "out" / "left.txt").write_text("by a run that was interrupted")
    runs = ran(tmp_path, code, runs=3, resume=True)
    assert [run.number for run in runs] == [1, 2, 3]
    assert count.read_text() == "xxxx"
    assert not (place / "run-2" / "out" / "left.txt").exists()


def test_an_interrupt_keeps_the_runs_that_ended(tmp_path: Path, place: Path) -> None:
    def interrupt(text: str) -> None:
        if text.startswith("run 2 of 3: "):
            raise KeyboardInterrupt

    command = Command((*agent(tmp_path / "agent", GOOD), "{out}"))
    with pytest.raises(KeyboardInterrupt):
        bench(SCENARIO, command, 3, place, tell=interrupt)
    assert sorted(path.parent.name for path in place.glob("run-*/run.json")) == ["run-1", "run-2"]


@table("a_command_that_cannot_be_run")
def test_a_command_that_cannot_be_run(place: Path, command: tuple[str, ...], said: str) -> None:
    with pytest.raises(AnalyzerError, match=said):
        bench(SCENARIO, Command(command), 2, place)


def test_a_folder_with_another_benchmark_is_left_alone(tmp_path: Path) -> None:
    ran(tmp_path, GOOD)
    with pytest.raises(AnalyzerError, match="holds the runs of a benchmark"):
        ran(tmp_path, GOOD)
    with pytest.raises(AnalyzerError, match="holds runs with another command"):
        ran(tmp_path, GOOD, "{out}", "--fast", resume=True)


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path, place: Path) -> None:
    place.mkdir()
    (place / "thesis.md").write_text("mine")
    with pytest.raises(AnalyzerError, match="isn't empty and doesn't hold a benchmark"):
        ran(tmp_path, GOOD)
    assert [path.name for path in place.iterdir()] == ["thesis.md"]


def test_a_folder_to_copy_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(AnalyzerError, match="is not a folder"):
        ran(tmp_path, GOOD, folder=tmp_path / "nowhere")


def test_the_program_gets_no_input(tmp_path: Path) -> None:
    (run,) = ran(tmp_path, "leave(sys.argv[1], repr(sys.stdin.read()))", timeout=20)
    assert (run.exit_status, run.timed_out) == (0, False)


pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="process groups are those of POSIX")
