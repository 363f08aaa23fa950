"""Which runs are stuck and which are good: by what our detectors and the log say, or by a file of labels."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from enum import StrEnum
from pathlib import Path, PurePath
from typing import Any, NamedTuple

from analyzer.audit.backtest.replay import Run, Stretch
from analyzer.model.errors import BadConfiguration
from analyzer.model.struct import Struct
from analyzer.model.words import OutcomeStatus

_NAMES = ("run", "session", "id", "path")
_KNOWN = (*_NAMES, "label", "first", "last")
_EXAMPLE = "A row is such as: run,label,first,last / runs/case-17.json,stuck,12,40 / runs/case-18.json,good,,"


class Label(Struct, frozen=True):
    """What one row says. `run` is a session's id or key, or the path of its file (`path#3`: the third session in it);
    `first` and `last` are steps of the main lane, of a stuck run only."""

    run: str
    stuck: bool
    first: int | None
    last: int | None
    line: int


class Labels:
    """The labels of one file. Raises `BadConfiguration` where it can't be read or a row says nothing of use."""

    def __init__(self, file: Path) -> None:
        self.name = file.name
        self._file = file
        self._by_run: dict[str, list[Label]] = {}
        self._used: dict[str, set[str]] = {}
        for label in _read(file):
            self._by_run.setdefault(label.run, []).append(label)
        if not self._by_run:
            raise BadConfiguration("holds no label.", where=str(file), hint=_EXAMPLE)

    def of(self, run: Run) -> list[Label]:
        """The labels of a run; several where it was stuck several times.

        Raises `BadConfiguration` where they contradict each other, or name a run by an id that another one has too.
        """
        found: list[Label] = []
        for name in _names_of(run, self._file.absolute().parent):
            labels = self._by_run.get(name)
            if labels is None:
                continue
            runs = self._used.setdefault(name, set())
            runs.add(run.key)
            if len(runs) > 1:
                raise BadConfiguration(
                    f"{name!r} is the name of several runs.",
                    where=f"{self._file}:{labels[0].line}",
                    hint="Name the file instead, and the session's number in it: path#3.",
                )
            found += labels
        if len({label.stuck for label in found}) > 1:
            raise BadConfiguration(
                f"{found[0].run!r} is called stuck and good.", where=f"{self._file}:{found[-1].line}"
            )
        return found

    def unused(self) -> list[str]:
        """The names that fitted no run that was asked about."""
        return sorted(name for name in self._by_run if name not in self._used)


def _names_of(run: Run, folder: Path) -> Iterator[str]:
    """All by which a run may be called: its id, its key, its file's path as it is, below the current folder and below
    the labels' one; of a session of several files the path of each."""
    yield from dict.fromkeys((run.id, run.key))
    paths = [run.path, *run.files]
    bases = dict.fromkeys((Path.cwd(), folder))
    pairs = [(PurePath(path), base) for path in paths for base in bases]
    paths += [path.relative_to(base).as_posix() for path, base in pairs if path.is_relative_to(base)]
    for name in dict.fromkeys(paths):
        yield f"{name}#{run.position}"
        if run.position == 1:
            yield name


def _read(file: Path) -> Iterator[Label]:
    try:
        text = file.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise _refusal(f"can't be read: {error.strerror or error}.", str(file), None) from None
    except UnicodeDecodeError:
        raise _refusal("is no text in UTF-8.", str(file), None) from None
    rows = _json_rows(file, text) if text.lstrip().startswith("{") else _csv_rows(file, text)
    return (_label(row, line, f"{file}:{line}") for line, row in rows)


def _refusal(what: str, where: str, hint: str | None = _EXAMPLE) -> BadConfiguration:
    return BadConfiguration(what, where=where, hint=hint)


def _json_rows(file: Path, text: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for number, line in enumerate(text.splitlines(), 1):
        try:
            row = json.loads(line) if line.strip() else {}
        except ValueError:
            row = None
        if not isinstance(row, dict):
            hint = 'A line is such as {"run": "case-17", "label": "stuck"}.'
            raise _refusal("is no JSON object.", f"{file}:{number}", hint)
        if line.strip():
            yield number, row


def _csv_rows(file: Path, text: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    reader = csv.DictReader(io.StringIO(text), skipinitialspace=True)
    if not reader.fieldnames or "label" not in reader.fieldnames or not set(_NAMES) & set(reader.fieldnames):
        raise _refusal("has no columns `run` and `label` in its first line.", str(file))
    return ((reader.line_num, {name: value for name, value in row.items() if name is not None}) for row in reader)


def _label(row: Mapping[str, Any], line: int, where: str) -> Label:
    unknown = next((name for name in row if name not in _KNOWN), None)
    if unknown is not None:
        raise _refusal(f"unknown column {unknown!r}.", where, f"Known: {', '.join(_KNOWN)}.")
    run = next((str(row[name]).strip() for name in _NAMES if row.get(name)), "")
    word = str(row.get("label") or "").strip().lower()
    if not run:
        raise _refusal("names no run.", where)
    if word not in ("stuck", "good"):
        raise _refusal(f"the label must be stuck or good, not {word!r}.", where)
    first, last = _step(row.get("first"), where), _step(row.get("last"), where)
    if (first is None) != (last is None) or (first or 0) > (last or 0):
        raise _refusal("needs both the first and the last step, in this order, or none.", where)
    if word == "good" and first is not None:
        raise _refusal("a good run has no steps at which it was stuck.", where, None)
    return Label(run, word == "stuck", first, last, line)


def _step(value: Any, where: str) -> int | None:
    if value is None or value == "":
        return None
    if isinstance(value, bool) or not str(value).strip().isdigit() or int(value) < 1:
        raise _refusal(f"{value!r} is no step.", where, None)
    return int(value)


class Verdict(StrEnum):
    """What is known about a run."""

    STUCK = "stuck"
    GOOD = "good"
    UNCLEAR = "unclear"


class Truth(NamedTuple):
    """The verdict, and where a stuck run was stuck."""

    verdict: Verdict
    stretches: tuple[Stretch, ...] = ()


class AlarmEffect(StrEnum):
    """What a policy's first alarm does to a run."""

    STOPPED = "stopped"
    LATE = "late"
    TOO_SOON = "too soon"
    MISSED = "missed"
    DISTURBED = "disturbed"
    LEFT_ALONE = "left alone"
    UNCLEAR = "unclear"


def truth_of(run: Run, labels: Labels | None) -> Truth:
    """What is known about a run.

    By labels: theirs alone; a run without one is unclear. Else a recorded success makes it good; a loop above `low`
    that it never got out of, or in which the harness or a limit ended it, makes it stuck; without any loop, or with an
    outcome of `succeeded`, it's good.
    """
    if labels is not None:
        return _labelled(run, labels)
    if run.solved:
        return Truth(Verdict.GOOD)
    stuck = tuple(stretch for stretch in run.stretches if stretch.stuck)
    if stuck:
        return Truth(Verdict.STUCK, stuck)
    if not run.stretches or run.outcome == OutcomeStatus.SUCCEEDED:
        return Truth(Verdict.GOOD)
    return Truth(Verdict.UNCLEAR)


def _labelled(run: Run, labels: Labels) -> Truth:
    found = labels.of(run)
    if not found:
        return Truth(Verdict.UNCLEAR)
    if not found[0].stuck:
        return Truth(Verdict.GOOD)
    stretches = []
    for label in found:
        if label.first is None or label.last is None:
            stretches.append(Stretch(1, run.actions, stuck=True))
        elif label.first <= len(run.main):
            stretches.append(
                Stretch(run.main[label.first - 1], run.main[min(label.last, len(run.main)) - 1], stuck=True)
            )
    return Truth(Verdict.STUCK, tuple(sorted(stretches)) or (Stretch(1, run.actions, stuck=True),))


def fate_of(run: Run, truth: Truth, fired: int) -> tuple[AlarmEffect, Stretch | None]:
    """What a policy that fires first after `fired` actions (-1: never) does to a run, and the stretch that it stops."""
    if truth.verdict is Verdict.GOOD:
        return (AlarmEffect.DISTURBED if fired >= 0 else AlarmEffect.LEFT_ALONE), None
    if truth.verdict is Verdict.UNCLEAR:
        return (AlarmEffect.UNCLEAR if fired >= 0 else AlarmEffect.LEFT_ALONE), None
    if fired < 0:
        return AlarmEffect.MISSED, None
    inside = [stretch for stretch in truth.stretches if stretch.first <= fired <= stretch.last]
    if inside:
        stretch = max(inside, key=lambda entry: entry.last)
        return (AlarmEffect.STOPPED, stretch) if fired < stretch.last else (AlarmEffect.LATE, None)
    if fired > max(stretch.last for stretch in truth.stretches):
        return AlarmEffect.LATE, None
    harmless = any(stretch.first <= fired <= stretch.last for stretch in run.stretches)
    return (AlarmEffect.MISSED if harmless else AlarmEffect.TOO_SOON), None
