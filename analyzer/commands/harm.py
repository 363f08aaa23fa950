"""What a command line does to other systems and destroys, and with which exit code it answers, by the columns of the
table of programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache
from itertools import chain, pairwise, takewhile

from analyzer.commands.statements import statements
from analyzer.commands.table import Does, from_subcommand, has_letter, knows, option_in, programs_that, row_of
from analyzer.model.action import Command
from analyzer.text.plain import holds_any

_MOST_WORDS, _MOST_BETWEEN = 200, 6
LEAVERS = programs_that(Does.DETACHES)
"""Programs that may leave something running under a name that they're given."""
_ITSELF = (".", "-e", "--editable")
_HERE = (".[", "./", "../", "/", "--editable=")


@lru_cache(maxsize=8_192)
def outside_effect(program: str, args: tuple[str, ...]) -> str | None:
    """What a command does to other systems, as the table has it: `push`, `publish`, `deploy`, `delete`, ..."""
    return _told_by(row.outside, program, args) if (row := row_of(program)) is not None and row.outside else None


@lru_cache(maxsize=8_192)
def destroyed(program: str, args: tuple[str, ...]) -> str | None:
    """What a command destroys besides folders, as the table has it: `work`, `branch`, `history`, `disk`, ..."""
    return _told_by(row.destroys, program, args) if (row := row_of(program)) is not None and row.destroys else None


def answers_with(command: Command) -> str | None:
    """The exit code by which a command answers what it was asked, as the table has it."""
    row = row_of(command.program)
    return _told_by(row.answers, command.program, command.args) if row is not None and row.answers else None


def left_as(line: str) -> set[str]:
    """The names that the commands of a line give to what they leave running, as the table has it."""
    found = set[str]()
    for program, *args in ([word.text for word in made.words] for made in statements(line) if made.words):
        row = row_of(program)
        options = (_told_by(row.leaves, program, tuple(args)) or "").split() if row is not None and row.leaves else ()
        pairs = chain(pairwise(args), (tuple(word.split("=", 1)) for word in args if "=" in word))
        found.update(value for name, value in pairs if name in options)
    return found


@lru_cache(maxsize=8_192)
def may_ask(command: Command) -> bool:
    """Whether a command installs packages and waits for a yes before it does, as long as no option says it."""
    row = row_of(command.program)
    if row is None or not row.asks or not installs_packages(command):
        return False
    return not any(word in row.asks or (word[:1] == "-" != word[1:2] and "y" in word) for word in command.args)


def installs_packages(command: Command, *, by_name: bool = True) -> bool:
    """Whether a command installs packages, that it names or, without `by_name`, of whatever kind: a project that
    installs itself (`pip install -e .`) only brings its edits to where they run."""
    program, words = command.program, plain_words(command)
    carries_out = command.args[:1] == ("-m",) or knows(program, Does.MANAGES)
    if carries_out and words[:1] in (["pip"], ["pip3"]):  # `python -m pip install`, `uv pip install`
        program, words = words[0], words[1:]
    row = row_of(program)
    if row is None or not words or words[0] not in row.installs:
        return False
    own = any(word in _ITSELF or word.startswith(_HERE) for word in command.args)
    return not by_name or (len(words) > 1 and not own)


def plain_words(command: Command) -> list[str]:
    """The words of a command from its subcommand on that are no options."""
    return [word for word in from_subcommand(command.program, command.args) if not word.startswith("-")]


@lru_cache(maxsize=8_192)
def removed_trees(program: str, args: tuple[str, ...]) -> tuple[str, ...]:
    """The folders that a command removes as a whole, as they're written."""
    row = row_of(program)
    trees = row.trees if row is not None else None
    if trees is None or any(word.startswith(trees.chooses) for word in args if trees.chooses):
        return ()
    lettered = "-r" in trees.options  # also as a letter among others (`-rf`)
    given = any(
        (small := word.casefold()) in trees.options or (lettered and len(small) < 6 and has_letter(small, "r"))
        for word in args
    )
    if trees.options and not (given or _runs_remover(args)):
        return ()
    if trees.stands_first:
        return tuple(takewhile(lambda word: not word.startswith(("-", "(", "!")), args))
    slashed = any(option.startswith("/") for option in trees.options)
    return tuple(word for word in args if not (word.startswith("-") or (slashed and word[:1] == "/" and len(word) < 3)))


def removed_names(command: Command) -> list[str]:
    """What a command removes by name or moves away, as it's written."""
    words = plain_words(command)
    if knows(command.program, Does.REMOVES):
        return words
    if knows(command.program, Does.RECORDS) and words[:1] in (["rm"], ["mv"]):
        return words[1:]
    return words[:1] if knows(command.program, Does.RELOCATES) and len(words) > 1 else []


def _runs_remover(args: Sequence[str]) -> bool:
    """Whether a command hands what it finds to a program that removes folders (`find build -exec rm -r {} +`)."""
    return any(
        option.startswith("-exec") and (row := row_of(program)) is not None and row.trees is not None
        for option, program in pairwise(args)
    )


def _told_by(column: Mapping[str, str], program: str, args: tuple[str, ...]) -> str | None:
    """What the first key of a column that fits a command says; an empty word says that it's harmless."""
    words = from_subcommand(program, args)
    plain = [word for word in words if not word.startswith("-")]
    return next((told for key, told in column.items() if _fits(key, words, plain)), None) or None


def _fits(key: str, words: Sequence[str], plain: Sequence[str]) -> bool:
    """Whether a command has the words of a key: its first one, or the first two (`pr/create`), the first and some
    option or pattern behind it (`reset/--hard`, `push/+*`), also with a second one between (`compose/down/-v`), any one
    (`any:delete-*`), or the last one (`last:-1`)."""
    place, _, pattern = key.partition(":")
    if place == "last" and pattern:
        return len(words) > 0 and words[-1] == pattern
    if place == "any" and pattern:
        return any(fnmatchcase(word, pattern) for word in words[:_MOST_WORDS])
    first, _, second = key.partition("/")
    if not plain or plain[0] != first:
        return False
    verb, dash, option = second.partition("/-")
    if dash:
        return verb in plain[1:_MOST_BETWEEN] and _fits(f"{verb}/-{option}", words, plain[plain.index(verb) :])
    if not second or (second[0].isalpha() and not holds_any(second, "*?[")):
        return not second or plain[1:2] == [second]
    behind = words[words.index(first) + 1 : _MOST_WORDS]
    if second.startswith("-"):
        return any(option_in(word, {second: Does.NOTHING}) is not None for word in behind)
    return any(fnmatchcase(word, second) for word in behind)
