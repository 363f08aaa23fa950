"""What is known to be true of a result, whoever brought it: the text, what ran, and the verdict."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

from analyzer.model.words import FailureKind
from tests.dress.evidence import AGAINST_CODE, EVIDENCE, NO_VERDICT, SHOWN, SILENT
from tests.failures.recorded import outputs

FOLDER = Path(__file__).resolve().parent / "facts"
_HEADER = re.compile(r"^#### (?P<name>\S+)\n(?P<keys>(?:[a-z]+: .*\n)+)----\n", re.MULTILINE)

_COLOUR = re.compile(r"\x1b\[[\d;]*m")


class Label(StrEnum):
    """What a careful engineer says of a result."""

    FAILED = "failed"
    OK = "ok"
    """It went well, and the result says so."""
    HARMLESS = "harmless"
    """Nothing failed, and nothing says that all is well either."""
    UNKNOWN = "unknown"
    """Nobody can say: it still runs, it was cut off, nothing was recorded."""


@dataclass(frozen=True, slots=True, eq=False)
class Fact:
    """One result. `command` is the shell line that printed it, or `tool` and `arguments` the call of a function that
    answered it. `shown` is the file, pattern or address whose content it merely shows, `kind` and `type` what failed,
    None where the table doesn't say. `alone` is the verdict where no exit code and no flag was recorded. A text that
    was cut still has its verdict where it holds one of `evidence`."""

    name: str
    family: str
    text: str
    label: Label
    alone: Label
    command: str | None = None
    tool: str | None = None
    arguments: dict[str, Any] | None = None
    exit_code: int | None = None
    shown: str | None = None
    kind: FailureKind | None = None
    type: str | None = None
    evidence: tuple[re.Pattern[str], ...] = ()

    def holds_evidence(self, text: str) -> bool:
        """Whether what remains of the result is enough for its verdict."""
        plain = _COLOUR.sub("", text)
        return any(pattern.search(plain) for pattern in self.evidence)


@cache
def facts() -> tuple[Fact, ...]:
    """Every fact: those written down beside this file, then the recorded outputs."""
    made = (*_written(), *_recorded())
    assert len({fact.name for fact in made}) == len(made), "two facts have one name"
    return made


def _written() -> list[Fact]:
    return [
        fact for path in sorted(FOLDER.glob("*.txt")) for fact in parse(path.stem, path.read_text(encoding="utf-8"))
    ]


def parse(family: str, text: str) -> list[Fact]:
    """The facts of one file: a name, keys, a line of dashes and the result's text, as often as need be."""
    heads = list(_HEADER.finditer(text))
    ends = [head.start() for head in heads[1:]] + [len(text)]
    assert len(heads) == text.count("#### "), f"{family}: a fact's head can't be read"
    return [
        _fact(f"{family}/{head['name']}", family, head["keys"], text[head.end() : end].rstrip("\n"))
        for head, end in zip(heads, ends, strict=True)
    ]


def _fact(name: str, family: str, lines: str, text: str) -> Fact:
    keys = dict(line.split(": ", 1) for line in lines.splitlines())
    label, _, failure = keys.pop("verdict").partition(" ")
    kind, _, type_ = failure.partition(" ")
    ran = keys.pop("ran")
    tool, _, arguments = ("", "", "") if ran.startswith("$ ") else ran.partition(" ")
    evidence = keys.pop("evidence", "")
    fact = Fact(
        name,
        family,
        text,
        Label(label),
        Label(keys.pop("alone", label)),
        command=ran[2:] if ran.startswith("$ ") else None,
        tool=tool or None,
        arguments=json.loads(arguments or "{}") if tool else None,
        exit_code=int(keys.pop("exit")) if "exit" in keys else None,
        shown=keys.pop("shown", None),
        kind=FailureKind(kind) if kind else None,
        type=type_ or None,
        evidence=tuple(re.compile(part, re.MULTILINE) for part in evidence.split(" || ") if part),
    )
    assert not keys, f"{name}: unknown keys {sorted(keys)}"
    return fact


def _recorded() -> list[Fact]:
    """The outputs of `tests/data/outputs`. Their exit code decides, but for those that `evidence` names."""
    made: list[Fact] = []
    for name, output in outputs().items():
        if name in NO_VERDICT:
            continue
        family = name.partition("/")[0]
        found = EVIDENCE.get(name) or EVIDENCE.get(family)
        fact = Fact(
            f"outputs/{name}",
            family,
            output.text,
            Label.FAILED if (output.exit_code != 0) != (name in AGAINST_CODE) else Label.OK,
            Label.FAILED,
            command=output.command,
            exit_code=output.exit_code,
            shown=SHOWN.get(name),
            evidence=(re.compile(found, re.MULTILINE),) if found else (),
        )
        alone = fact.label
        if fact.label is Label.OK and not fact.holds_evidence(fact.text):
            alone = Label.HARMLESS
        elif fact.label is Label.FAILED and (name in SILENT or not fact.text.strip()):
            alone = Label.UNKNOWN
        made.append(replace(fact, alone=alone))
    return made
