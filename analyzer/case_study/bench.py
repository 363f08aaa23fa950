"""Run an agent on a scenario several times, and keep each run's transcript."""

from __future__ import annotations

import glob
import itertools
import json
import os
import shlex
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from analyzer.atomic import write_text
from analyzer.audit.sources.discover import discover
from analyzer.case_study.bench_run import BenchFolder, Ended, Recorded, filled, run_command
from analyzer.case_study.runs import LoadedRun, load_runs
from analyzer.model.errors import AnalyzerError, UnreadableInput
from analyzer.model.scenario import Scenario
from analyzer.model.struct import Struct, field

_TAIL = 8_000
"""Characters of the command's last output that are kept in place of a transcript."""


class Command(Struct, frozen=True):
    """What is run: the arguments with their placeholders, the folder that is copied for each run (None: an empty one),
    environment variables besides those of this process, the time limit of a run in seconds, and where the transcript is
    where it isn't in `{out}`."""

    arguments: tuple[str, ...]
    folder: Path | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    timeout: float | None = None
    transcript: str | None = None
    input_format: str | None = None


def bench(
    scenario: Scenario,
    command: Command,
    runs: int,
    place: Path,
    *,
    resume: bool = False,
    tell: Callable[[str], None] = lambda _: None,
) -> list[Recorded]:
    """Run the command until the folder `place` holds so many runs, and return them by number. `tell` receives a
    sentence for each event.

    A run that ended stays, whatever becomes of the next one; with `resume` those that are there count. An interrupt
    stops the run that is under way and propagates to the caller. Raises `AnalyzerError` for a command that can't be
    started or that says nowhere where its transcript is to be, and for a folder that holds something else.
    """
    if not command.arguments:
        hint = "Write it after --, such as: -- my-agent --task {prompt} --log {out}/run.json"
        raise AnalyzerError("there is no command to run.", hint=hint)
    if command.transcript is None and not any("{out}" in argument for argument in command.arguments):
        hint = (
            "Use the placeholder {out} in it, a folder of its own for each run, or say with --transcript PATTERN "
            "where the agent leaves it."
        )
        raise AnalyzerError("the command isn't given a place for its transcript.", hint=hint)
    folder = BenchFolder(place)
    if command.folder is not None:
        folder.check_source(command.folder)
    folder.open({"prompt": scenario.prompt, "command": list(command.arguments)}, resume=resume)
    done = {run.number: run for run in folder.recorded()}
    if done:
        tell(f"{len(done)} of {runs} runs already exist")
    for number in range(1, runs + 1):
        if number in done:
            continue
        tell(f"run {number} of {runs} ...")
        run = done[number] = _run(scenario, command, number, folder)
        folder.keep(run)
        how = "stopped at the time limit" if run.timed_out else f"exit status {run.exit_status}"
        more = f" and {run.others} more" if run.others else ""
        left = "no transcript" if run.by_command else f"transcript {run.transcript}{more}"
        tell(f"run {number} of {runs}: {how} after {run.seconds:.1f} s, {left}")
    return [run for number, run in sorted(done.items()) if number <= runs]


def load_bench(
    place: Path, runs: Sequence[Recorded], input_format: str | None = None, *, redact: bool = False
) -> list[LoadedRun]:
    """The recorded runs, read and judged, under the names `run 1`, `run 2` ...; with `redact` without secrets."""
    loaded = []
    for run in runs:
        own_format = None if run.by_command else input_format
        sessions = load_runs([str(place / run.transcript)], input_format=own_format, redact=redact)
        # Of several sessions, such as those of sub-agents, the one that did most is the run.
        main = max(sessions, key=lambda session: len(session.timeline.actions))
        loaded.append(LoadedRun(f"run {run.number}", run.transcript, main.timeline, main.post_mortem, run.exit_status))
    return loaded


def _run(scenario: Scenario, command: Command, number: int, folder: BenchFolder) -> Recorded:
    work, out = folder.begin(number, command.folder)
    values = {"prompt": scenario.prompt, "out": str(out), "run": str(number)}
    here = folder.run(number)
    (here / "stdout.txt").touch()
    # The present time as the file system counts it: what is older wasn't left by this run.
    began = (here / "stdout.txt").stat().st_mtime_ns
    arguments = [filled(argument, values) for argument in command.arguments]
    environment = {**os.environ, **{name: filled(value, values) for name, value in command.environment.items()}}
    ended = run_command(arguments, folder=work, environment=environment, printed=here, timeout=command.timeout)
    found = _transcripts(command, values, work, out, began)
    best, by_command = (found[0], False) if found else (_of_command(scenario, command, number, ended, here), True)
    left = best.relative_to(folder.place).as_posix()
    return Recorded(number, ended.status, ended.timed_out, ended.seconds, left, by_command, max(0, len(found) - 1))


def _transcripts(command: Command, values: Mapping[str, str], work: Path, out: Path, began: int) -> list[Path]:
    """The transcripts that a run left, those with most actions first. What lies elsewhere is copied into `out`."""
    if command.transcript is not None:
        pattern = str(Path(work, Path(filled(command.transcript, values)).expanduser()))
        there = map(Path, sorted(glob.glob(pattern, recursive=True)))  # noqa: PTH207
        named = [path for path in there if path.stat().st_mtime_ns >= began]
    else:
        named = [out]
    sized = []
    for source in (source for place in named for source in discover([str(place)])):
        try:
            runs = load_runs([source.path], input_format=command.input_format)
        except (UnreadableInput, AnalyzerError):
            continue
        sized.append((-max(len(run.timeline.actions) for run in runs), str(Path(source.path))))
    return [_inside(Path(path), out) for _, path in sorted(sized)]


def _inside(path: Path, out: Path) -> Path:
    """The path of a transcript in the run's folder, where it stays whatever becomes of the place at which the agent
    left it."""
    if path.is_relative_to(out.parent):
        return path
    free = (out / (path.name if count == 1 else f"{path.stem}-{count}{path.suffix}") for count in itertools.count(1))
    kept = next(place for place in free if not place.exists())
    if path.is_file():
        shutil.copy2(path, kept)
        path, beside = path.with_suffix(""), kept.with_suffix("")
    else:
        beside = kept
    if path.is_dir():
        shutil.copytree(path, beside, symlinks=True)
    return kept


def _of_command(scenario: Scenario, command: Command, number: int, ended: Ended, here: Path) -> Path:
    """A transcript that says no more than how the command ended and what it printed last, for a run that left none."""
    said = _tail(here / "stderr.txt") or _tail(here / "stdout.txt") or "nothing was printed"
    action = {
        "tool": "agent command",
        "arguments": {"command": shlex.join(command.arguments)},
        "result": said,
        "exit_code": ended.status,
        "duration_seconds": ended.seconds,
    }
    if ended.timed_out:
        action["mark"] = "timeout"
    how = "was stopped at the time limit" if ended.timed_out else f"ended with exit status {ended.status}"
    header = {
        "id": f"run-{number}",
        "task": scenario.prompt,
        "status": "timeout" if ended.timed_out else f"exit {ended.status}",
        "ending": "limit" if ended.timed_out else "crashed",
        "ending_detail": f"The agent's command {how} and left no transcript.",
    }
    target = here / "out" / "agent-command.json"
    document = {"format": "analyze-session/1", "session": header, "actions": [action]}
    write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", target)
    return target


def _tail(path: Path) -> str:
    with path.open("rb") as stream:
        stream.seek(0, os.SEEK_END)
        stream.seek(max(0, stream.tell() - 4 * _TAIL))
        return stream.read().decode("utf-8", errors="replace").strip()[-_TAIL:]
