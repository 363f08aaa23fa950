"""The scenarios of a folder, and a line on each case study."""

from __future__ import annotations

import os
import re
from pathlib import Path

from analyzer.case_study.runs import natural
from analyzer.case_study.summary import reached
from analyzer.model.case_study import CaseStudy, IndexEntry

_SUFFIXES = (".yaml", ".yml")
_MARKS = (
    re.compile(r"^[\"']?scenario[\"']?[ \t]*:[ \t]*[\"']?\d", re.MULTILINE),
    re.compile(r"^[\"']?title[\"']?[ \t]*:(?s:.*)^[\"']?prompt[\"']?[ \t]*:", re.MULTILINE),
)
"""A scenario has the version of its form, or a title and a prompt; notes have neither."""
_HEAD = 65_536


def scenarios_in(folder: Path) -> list[tuple[str, Path]]:
    """The scenario files at and below a folder, each with a name of its own for its document: its path without slashes,
    and without what every path has. Hidden folders are left out; a YAML file with neither the version of a scenario's
    form nor a title and a prompt is none."""
    files: list[Path] = []
    for top, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        files += [
            Path(top) / name
            for name in names
            if name.endswith(_SUFFIXES) and not name.startswith(".") and _is_scenario(Path(top) / name)
        ]
    files.sort(key=lambda file: natural(file.relative_to(folder).as_posix()))
    named: dict[str, Path] = {}
    for file in files:
        inside = file.relative_to(folder)
        parts = [*inside.parent.parts, *([] if inside.stem == "scenario" and inside.parent.parts else [inside.stem])]
        name = base = re.sub(r"[^\w.-]+", "-", "-".join(parts)).strip("-.") or "scenario"
        number = 2
        while name in named or name == "index":
            name, number = f"{base}-{number}", number + 1
        named[name] = file
    return list(named.items())


def summarised(study: CaseStudy, link: str) -> IndexEntry:
    """What an index says of a case study; `link` is its document."""
    return IndexEntry(
        title=study.scenario.title,
        link=link,
        runs=len(study.runs),
        failures=sum(run.succeeded is False for run in study.runs),
        reached=reached(study.runs[-1]),
        succeeded=study.succeeded,
        pass_rate=study.pass_rate,
        last=study.cascade[-1].title if study.cascade else None,
    )


def _is_scenario(file: Path) -> bool:
    try:
        with file.open("rb") as stream:
            head = stream.read(_HEAD).decode("utf-8", "replace")
    except OSError:
        return False
    return any(mark.search(head) for mark in _MARKS)
