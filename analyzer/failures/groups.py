"""Which failures of a session are the same failure again.

A signature is kind + type + masked message + failing tests (or how many, where the report names none) + the function
that raised; of what a compiler or linter refuses the file and how many errors there are instead. Failures with equal
signatures are one group; so are those whose messages are nearly identical (`similarity`) and whose other parts are
equal. Groups are found in one pass in step order, each failure compared with the first member of each group before it,
so that later steps never change earlier groups.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from hashlib import blake2b

from analyzer.failures.roles import same_file
from analyzer.model.failure import Failure, FailureGroup
from analyzer.model.struct import Struct
from analyzer.model.words import FailureKind
from analyzer.text.late import late
from analyzer.text.masks import STANDARD, MaskTable
from analyzer.text.similarity import MOST_COMPARED, first_near, identifiers

_FOLDERS = late(r"(?<![\w.~<>-])[\w.~<>-]*/")
"""The folders of a path. It begins where a name does, so that a long text without a slash is passed over once."""
Block = tuple[FailureKind, str | None, str | None, tuple[str, ...], str | None, str | None]


class _Members(Struct):
    name: str
    block: Block
    masked: str
    lane: str
    steps: list[int]
    failures: list[Failure]


def signature(failure: Failure, masks: MaskTable = STANDARD) -> tuple[Block, str]:
    """What must be equal between two failures of one group, and the masked message, which must be nearly so. The
    harness's words about a malformed call are compared without their numbers: how many commands were found in it says
    nothing new."""
    raised = failure.frames[-1].function if failure.frames else None
    if failure.frames and failure.kind in (FailureKind.COMPILE, FailureKind.LINT):
        raised = failure.frames[-1].file
    tests = tuple(sorted(failure.failing_tests))
    count = failure.counts.get("failed", failure.counts.get("errors")) if not tests else None
    counted = str(count) if count is not None else None
    block: Block = (failure.kind, failure.type, failure.subject, tests, raised, counted)
    masked = masks.mask(failure.message)
    if failure.kind is FailureKind.INVALID_CALL:
        masked = re.sub(r"\d+", "<n>", masked)
    return block, masked


class Groups:
    """Groups failures one by one, in step order, lanes apart.

    Only messages that name the same things are compared with each other, so that a hundred thousand failures take
    seconds. With `most`, only so many different failures are remembered, the latest, and of each nothing but what it's
    known by: for agents that run on and on.
    """

    def __init__(self, masks: MaskTable = STANDARD, most: int | None = None) -> None:
        self._masks = masks
        self._most = most
        self._count = 0
        self._found: dict[str, _Members] = {}
        self._alike: dict[tuple[str, Block, tuple[str, ...]], list[_Members]] = {}
        self._by_signature: dict[tuple[str, Block, str], _Members] = {}

    def add(self, step: int, lane: str, failure: Failure) -> None:
        """Set the failure's `group`: that of an equal one before it, else a new one."""
        block, masked = signature(failure, self._masks)
        members = self._by_signature.get((lane, block, masked))
        if members is None:
            rivals = self._alike.setdefault((lane, block, tuple(identifiers(masked))), [])
            position = first_near([rival.masked for rival in rivals[-MOST_COMPARED:]], masked)
            if position is None:
                self._count += 1
                members = _Members(f"F{self._count}", block, masked, lane, [], [])
                self._found[members.name] = members
                rivals.append(members)
            else:
                members = rivals[-MOST_COMPARED:][position]
            self._by_signature[lane, block, masked] = members
        failure.group = members.name
        if self._most is None:
            members.steps.append(step)
            members.failures.append(failure)
        elif len(self._by_signature) > self._most:
            self._forget(members)

    def groups(self) -> list[FailureGroup]:
        """All groups, in the order of their first failures."""
        return [_group(members, self._masks) for members in self._found.values()]

    def _forget(self, kept: _Members) -> None:
        """Drop all but the later half of what is remembered, and what has just come."""
        names = set(list(self._found)[len(self._found) // 2 :]) | {kept.name}
        self._found = {name: members for name, members in self._found.items() if name in names}
        self._by_signature = {key: members for key, members in self._by_signature.items() if members.name in names}
        alike = {key: [rival for rival in rivals if rival.name in names] for key, rivals in self._alike.items()}
        self._alike = {key: rivals for key, rivals in alike.items() if rivals}


def group_failures(failures: Iterable[tuple[int, str, Failure]], masks: MaskTable = STANDARD) -> list[FailureGroup]:
    """The groups of `(step, lane, failure)` in step order; each failure's `group` is set."""
    groups = Groups(masks)
    for step, lane, failure in failures:
        groups.add(step, lane, failure)
    return groups.groups()


def fingerprint(failure: Failure, masks: MaskTable = STANDARD) -> str:
    """A short name for what a failure is, equal on every machine and in every run: `f3-` and twelve hexadecimal digits.

    It's made of the kind, the type, the masked message, the failing tests and the function that raised; of a path only
    the file's name. What stands before the hyphen is the version of the masks: fingerprints of different versions can't
    be compared.
    """
    block, masked = signature(failure, masks)
    named = (_FOLDERS.sub("", part or "") for part in (block[1], block[2], *block[3], block[4], block[5]))
    parts = [str(block[0]), *named, masked]
    digest = blake2b("\x1f".join(parts).encode("utf-8", "replace"), digest_size=6).hexdigest()
    return f"f{masks.version}-{digest}"


def _group(members: _Members, masks: MaskTable) -> FailureGroup:
    first = members.failures[0]
    alike = all(failure.headline == first.headline for failure in members.failures)
    moved = next((failure for failure in members.failures if not _same_place(failure, first)), None)
    files: tuple[str, ...] = ()
    if moved is not None and not same_file(first.frames[-1].file, moved.frames[-1].file):
        files = (f"file {first.frames[-1].file} -> {moved.frames[-1].file}",)
    texts = [failure.headline_with_line for failure in members.failures]
    return FailureGroup(
        id=members.name,
        match="identical" if alike and moved is None else "near-identical",
        steps=members.steps,
        lane=members.lane,
        type=first.type,
        template=masks.mask(first.headline),
        varied=(*files, *masks.varied(texts)),
    )


def _same_place(one: Failure, other: Failure) -> bool:
    """Whether two failures were raised at the same line of the same file, as far as their traces show it."""
    if not one.frames or not other.frames:
        return True
    here, there = one.frames[-1], other.frames[-1]
    return here.line == there.line and same_file(here.file, there.file)
