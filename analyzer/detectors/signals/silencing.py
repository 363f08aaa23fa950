"""Find checks that pass because they were silenced: a comment that hides the message, a test that is left out
or deleted, a hook that is passed over. Used by the detector of weakened tests.

A command that only ends in `|| true` hides nothing from the agent, which still reads the output; in a script or a
workflow that others run it does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from analyzer.detectors.engine.facts import Facts
from analyzer.failures.roles import is_test_path, same_file
from analyzer.model.action import Action, Edit
from analyzer.model.failure import Failure
from analyzer.model.words import FailureKind, FrameRole, Kind, Severity
from analyzer.text.clip import clip
from analyzer.text.late import late
from analyzer.text.markdown import code

_LONGEST = 50_000
_COMMENTS = (
    (late(r"#\s?(?:ruff: ?|flake8: ?)?noqa\b"), frozenset({"ruff", "flake8"})),
    (late(r"#\s?(?:type|pyright|mypy): ?ignore"), frozenset({"mypy", "pyright"})),
    (late(r"#\s?pylint: ?disable"), frozenset({"pylint"})),
    (late(r"\b(?:eslint|oxlint)-disable|\bbiome-ignore"), frozenset({"eslint", "oxlint", "biome"})),
    (late(r"@ts-(?:ignore|nocheck|expect-error)"), frozenset({"tsc"})),
    (late(r"//\s?nolint"), frozenset({"golangci-lint", "staticcheck"})),
    (late(r"#!?\[allow\("), frozenset({"cargo", "rustc"})),
    (late(r"\brubocop:disable"), frozenset({"rubocop"})),
    (late(r"#\s?shellcheck disable"), frozenset({"shellcheck"})),
)
"""Comments that hide a message, with the checkers that obey them."""
_IN_SCRIPTS = late(r"\|\| *(?:true|exit 0|:)(?=[\s\"']|$)|\bcontinue-on-error: *true", re.MULTILINE)
_SCRIPT_FILE = late(r"(?:^|/)(?:package\.json|Makefile|justfile|tox\.ini|[\w.-]+\.(?:ya?ml|sh|mk))$", re.IGNORECASE)
_WRAPPERS = late(r"^(?:npm|pnpm|yarn|bun|deno|make|mise|just|task|tox|nox|gradle|maven|rake|composer)\b")
"""Runners that start other checks: which one failed isn't said by their name."""
_HOOK = late(r"\b(?:hooks?|husky|pre-commit|lint-staged|lefthook|prek)\b", re.IGNORECASE)
_BROKEN = late(
    r"\bnot found\b|No such file|cannot find|not installed|Permission denied|Could not resolve|ECONN|network",
    re.IGNORECASE,
)
_NO_STUBS = late(
    (
        r"\b(?:import-untyped|import-not-found|stubs? (?:not|for)|missing library stubs|Could not find a declaration "
        r"file|Cannot find implementation)\b"
    ),
    re.IGNORECASE,
)
_REASON = late(
    (
        r"\b(?:pre-?existing|unrelated|before (?:my|our|the|these) changes?|already fail\w*|flaky|network|false "
        r"positive|known issue|intentional\w*|not caused by|needs? (?:docker|network|internet|gpu)|obsolete"
        r"|superseded|renam\w+)\b"
    ),
    re.IGNORECASE,
)
_ALLOWED = late(
    r"\b(?:noqa|type: ?ignore|ts-ignore|no-verify|nolint)\b|eslint-disable"
    r"|\b(?:skip|exclude|deselect|ignore|disable|delete|remove|suppress|silence)\w*\b[^.\n]{0,40}\b(?:tests?"
    r"|lint\w*|warnings?|rules?|hooks?|checks?|type errors?)\b",
    re.IGNORECASE,
)
_EXPLAINED = late(r"^[^\n]{0,120}?(?:--+|: | - |\s\()\s?[A-Za-z`'][^\s]*(?: [^\s]+){2,}|^(?:[ \t]+[A-Za-z][^\s]*){3,}")
"""What follows a comment that says why it hides the message."""
_LEAVES_OUT = late(
    r"^(?:--deselect|--ignore|-skip|--skip|--exclude|--testPathIgnorePatterns|-k)(?:=(?P<value>.*))?$", re.DOTALL
)


@dataclass(slots=True, frozen=True)
class Silenced:
    """A failing check, the step that silenced it, and the run that passed for it."""

    cause: Action
    act: Action
    passed: Action
    how: str
    quote: str
    advice: str
    severity: Severity


def silenced(facts: Facts, lane: str) -> Iterator[Silenced]:
    """The silenced checks of one lane. Nothing where the user spoke of leaving checks out."""
    said = [
        facts.timeline.session.task or "",
        *(message.text for message in facts.timeline.messages if message.role == "user"),
    ]
    seen: set[tuple[int, int]] = set()
    for found in _silenced(facts, lane):
        if not seen and any(_ALLOWED.search(text[:_LONGEST]) for text in said):
            return
        if (found.cause.step, found.act.step) not in seen:
            seen.add((found.cause.step, found.act.step))
            yield found


def _silenced(facts: Facts, lane: str) -> Iterator[Silenced]:
    failing: dict[str, Action] = {}
    pending: dict[str, tuple[Action, Action, str, str]] = {}
    refused: Action | None = None
    written: list[str] = []
    for action in facts.lane(lane):
        if action.mark is not None:
            continue
        if action.failure is None or action.kind is not Kind.EDIT:
            for edit in action.operation.edits:
                if edit.created:
                    written.append(edit.path)
                    continue
                for family, cause in failing.items():
                    mark = _hides(edit, family, cause)
                    if mark is not None and _REASON.search(action.said[-2_000:]) is None:
                        pending.setdefault(family, (cause, action, edit.path, mark))
        yield from _deleted(action, failing, written)
        refused, found = _passed_over(action, refused)
        if found is not None:
            yield found
        runner = action.operation.runner
        if runner is None:
            continue
        if action.failure is not None:
            failing[runner] = action
            continue
        last = failing.pop(runner, None)
        refused = None
        if runner in pending:
            cause, act, path, mark = pending.pop(runner)
            yield Silenced(
                cause,
                act,
                action,
                f"suppresses its message in {path} with {mark}",
                f"{path}: {mark}",
                f"Fix what {runner} says about {code(path)} instead of suppressing it, or say why it's wrong there.",
                Severity.LOW,
            )
        elif last is not None:
            out = _left_out(action, last)
            if out is not None and _REASON.search(action.said[-2_000:]) is None:
                yield Silenced(
                    last,
                    action,
                    action,
                    f"skips {clip(out, 80)}",
                    action.operation.target,
                    f"Run {code(out, 80)} again and fix what it shows, or tell the user that it still fails.",
                    Severity.MEDIUM,
                )


def _hides(edit: Edit, family: str, cause: Action) -> str | None:
    """The comment or the operator by which an edit hides what a check said about this file, or None."""
    after, before = (edit.after or "")[:_LONGEST], (edit.before or "")[:_LONGEST]
    result = (cause.result or "")[:_LONGEST]
    wrapper = _WRAPPERS.match(family) is not None
    if _SCRIPT_FILE.search(edit.path):
        found = (
            _IN_SCRIPTS.search(after) if len(_IN_SCRIPTS.findall(after)) > len(_IN_SCRIPTS.findall(before)) else None
        )
        return found[0].strip() if found is not None and (wrapper or family in after) else None
    if is_test_path(edit.path) or edit.path.rsplit("/", 1)[-1] not in result or _NO_STUBS.search(result) is not None:
        return None
    for pattern, families in _COMMENTS:
        if (family in families or (wrapper and cause.kind is not Kind.TEST)) and len(pattern.findall(after)) > len(
            pattern.findall(before)
        ):
            found = next(
                (
                    entry
                    for entry in pattern.finditer(after)
                    if after[entry.start() : entry.end() + 200].split("\n")[0] not in before
                ),
                None,
            )
            return (
                found[0]
                if found is not None and _EXPLAINED.match(after[found.end() : found.end() + 300]) is None
                else None
            )
    return None


def _deleted(action: Action, failing: dict[str, Action], written: list[str]) -> Iterator[Silenced]:
    """Test files that failed and are deleted, unless the agent wrote them."""
    if action.failure is not None:
        return
    for command in action.operation.commands:
        words = [word for word in command.args if not word.startswith("-")]
        if command.program != "rm" and not (command.program == "git" and words[:1] == ["rm"]):
            continue
        for path in words:
            if (
                not is_test_path(path)
                or any(same_file(path, name) for name in written)
                or _REASON.search(action.said[-2_000:])
            ):
                continue
            cause = next(
                (
                    check
                    for check in failing.values()
                    if check.failure is not None and any(same_file(path, name) for name in _files(check.failure))
                ),
                None,
            )
            if cause is not None:
                yield Silenced(
                    cause,
                    action,
                    action,
                    f"deletes {path}",
                    command.text,
                    f"Restore {code(path)} and fix what it found.",
                    Severity.HIGH,
                )


def _passed_over(action: Action, refused: Action | None) -> tuple[Action | None, Silenced | None]:
    """A commit that a hook refused, and the one that bypasses the hook."""
    commit = next(
        (command for command in action.operation.commands if command.program == "git" and "commit" in command.args[:3]),
        None,
    )
    if commit is None:
        return refused, None
    if action.failure is not None:
        result = (action.result or "")[:_LONGEST]
        return (action if _HOOK.search(result) is not None and _BROKEN.search(result) is None else None), None
    if (
        refused is None
        or not (
            "--no-verify" in commit.args or any(re.fullmatch(r"-[a-zA-Z]*n[a-zA-Z]*", word) for word in commit.args)
        )
        or _REASON.search(action.said[-2_000:])
    ):
        return None, None
    return None, Silenced(
        refused,
        action,
        action,
        "bypasses the hook",
        commit.text,
        "Fix what the hook found and commit without `--no-verify`.",
        Severity.MEDIUM,
    )


def _left_out(action: Action, last: Action) -> str | None:
    """The test that failed before and that this run leaves out by name, or None."""
    failure = last.failure
    broke = (FailureKind.TEST, FailureKind.EXCEPTION, FailureKind.PERMISSION)
    if failure is None or action.kind is not Kind.TEST or failure.kind not in broke:
        return None
    names = {
        name
        for test in failure.failing_tests
        for name in (test, re.split(r"::|\.|/", test)[-1].split("[")[0])
        if len(name) > 3
    }
    files = set(_files(failure))
    for command in action.operation.commands:
        for option, word in zip(command.args, (*command.args[1:], ""), strict=False):
            found = _LEAVES_OUT.match(option)
            if found is None:
                continue
            value = found["value"] or word
            if option.startswith("-k"):
                gone = re.findall(r"\bnot \(?([\w. |or]{1,300})", value)
                hit = next(
                    (name for part in gone for name in names if re.search(rf"\b{re.escape(name)}\b", part)), None
                )
            else:
                hit = next(
                    (
                        name
                        for name in (*names, *files)
                        if name in value or (name in files and same_file(name, value.split("::")[0]))
                    ),
                    None,
                )
            if hit is not None:
                return hit
    return None


def _files(failure: Failure) -> list[str]:
    named = [test.split("::", 1)[0] for test in failure.failing_tests if "." in test.split("::", 1)[0]]
    return [*named, *(frame.file for frame in failure.frames if frame.role is FrameRole.TEST)]
