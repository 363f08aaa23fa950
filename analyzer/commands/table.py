"""The table of programs: what each does, by its subcommand and its options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Flag, auto
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, Literal

from analyzer.model.struct import Struct, field
from analyzer.text.expressions import KEPT
from analyzer.text.late import late
from analyzer.text.names import name_set

_ENDS = ("--", "")
"""What ends the options before a subcommand."""
PYTHONS = late(r"^(?:python|pypy)[\d.]*$")
SUFFIX = late(r"\.(?:exe|cmd|bat|ps1)$")
_CMDLET = late(r"(?:[A-Z][a-z]+){1,4}-[A-Z]\w+$")


class Does(Flag):
    """What a command does, may do, or is known for."""

    NOTHING = 0
    SHOWS = auto()
    """It prints the content of what it names."""
    ASKS = auto()
    """It lists, finds, counts or compares."""
    SPEAKS = auto()
    """It says nothing about what a line is for (`echo`, `cd`)."""
    PRINTS = auto()
    """It prints its words, or goes through them."""
    WAITS = auto()
    WRITES = auto()
    """It changes the content of files."""
    MOVES = auto()
    """It moves, copies, makes or removes files."""
    REMOVES = auto()
    RELOCATES = auto()
    """What it names first isn't there any more."""
    RUNS = auto()
    """It may do anything, though the program's other commands are known."""
    RECORDS = auto()
    """It keeps or publishes versions."""
    REMOTE = auto()
    """It tells the state of work that goes on elsewhere."""
    TRANSFERS = auto()
    """It fails for reasons of the network."""
    MANAGES = auto()
    """It installs and updates packages."""
    LINTS = auto()
    FORMATS = auto()
    """It rewrites the files that it's given, unless an option says that it only looks."""
    TASKS = auto()
    """Its first words are tasks of the project."""
    RECIPE = auto()
    """It runs command lines that stand elsewhere."""
    RUNTIME = auto()
    """It runs a script or a piece of code."""
    SAFE = auto()
    """It changes no file of the project."""
    HANDLES = auto()
    """It moves, packs or shows files, or only speaks: nothing that could be wrong or right about the code."""
    UNSTEADY = auto()
    """Asked again it may answer otherwise, though nothing was done."""
    ANSWERS = auto()
    """Its exit code 1 is an answer, not a failure."""
    EXPRESSES = auto()
    """Its first word is an expression."""
    ARRANGES = auto()
    """It only lays out the lines that come in, unless it's given a file."""
    FILTERS = auto()
    """Behind a pipe it may leave out what says that something failed."""
    DOWNLOADS = auto()
    """It brings what an address names."""
    FETCHES = auto()
    """It runs code that it brings from the network."""
    QUERIES = auto()
    """It speaks to a database."""
    MAKES = auto()
    """Its words may name what it makes."""
    COPIES = auto()
    """What its words name is elsewhere, too, once it has run."""
    RENEWS = auto()
    """It builds, installs or copies what was edited to where it's loaded from."""
    LISTS = auto()
    """It shows which files there are."""
    BELOW = auto()
    """It goes into the folders below as well."""
    PREBUILT = auto()
    """It tests what was built before, and builds nothing itself."""
    COUNTS = auto()
    """It ends each run of tests with what came out."""
    NUMBERS = auto()
    """It puts a number before each line that it shows."""
    CLOCKS = auto()
    """It tells the time."""
    TYPES = auto()
    """It checks types, and compiles nothing that is kept."""
    JUDGES = auto()
    """It ends with the verdict of checks that ran elsewhere."""
    DETACHES = auto()
    """It may leave something running under a name that an option gives."""
    COMMITS = auto()
    """It makes commits of its own."""
    TYPED = auto()
    """A person begins a shell line with it."""
    WORD = auto()
    """It's a word of English as well."""


# fmt: off
FileAct = Literal[
    "enter", "leave", "nothing", "remove", "move", "copy", "touch", "make-folder", "patch", "envelope", "versions",
    "each", "edit", "edit-extended", "keep-input", "keep-output", "detach", "download", "download-on-demand",
    "echo", "format", "whole", "beginning", "folder", "fields", "unpack",
]
# fmt: on
"""What a program does to the files that its words name, or shows of them, as far as that is followed to the letter: it
carries out a script of substitutions (`edit`, with extended expressions or without), keeps what comes in or what the
command behind it prints, leaves that running (`detach`), applies a patch (`envelope`: one that names its files
itself) or an archive (`unpack`), runs a command on `each` thing, brings a file (`on-demand`: where an option names
one), prints its words or all, the first lines or parts of a file."""

Finder = tuple[str, tuple[str, ...], str]
"""How it's found that a program starts a runner: the name of the matcher, its words, and the runner's name."""


class Wrapper(Struct, frozen=True):
    """A program that runs the command after it: the words that make it do so (`uv run`), its options whose value is the
    next word, and whether a duration stands before the command."""

    verbs: frozenset[str] = frozenset()
    valued: frozenset[str] = frozenset()
    has_options: bool = True
    has_duration: bool = False


class Trees(Struct, frozen=True):
    """With which options a program removes whole folders (always, where there are none), which make it choose among
    what is in them, and whether the folders stand before all options."""

    options: tuple[str, ...]
    chooses: tuple[str, ...]
    stands_first: bool


class Row(Struct):
    """All that the table says of one program. `outside` and `destroys` say of its words what it does to other systems
    and what it destroys, `answers` with which exit code it answers, `leaves` by which options it names what it leaves
    running, `installs` with which of them it installs packages, `asks` by which options it doesn't wait for a yes.
    """

    does: Does = Does.NOTHING
    sub: dict[str, Does] = field(default_factory=dict)
    flag: dict[str, Does] = field(default_factory=dict)
    valued: frozenset[str] | None = None
    check: tuple[Finder, ...] = ()
    build: tuple[Finder, ...] = ()
    wraps: Wrapper | None = None
    outside: dict[str, str] = field(default_factory=dict)
    destroys: dict[str, str] = field(default_factory=dict)
    answers: dict[str, str] = field(default_factory=dict)
    leaves: dict[str, str] = field(default_factory=dict)
    installs: frozenset[str] = frozenset()
    asks: frozenset[str] = frozenset()
    trees: Trees | None = None
    acts: FileAct | None = None
    writes: str = ""
    """Where the files stand whose content it changes: `all` its words, the `rest` behind an expression, the `last` one,
    PowerShell's `path`, or behind an option."""


@lru_cache(maxsize=2_048)
def row_of(program: str) -> Row | None:
    """The row of a program by its base name, of whatever version and however its file ends; None for others."""
    rows = _rows()
    row = rows.get(program)
    if row is None and "." in program:
        row = rows.get(SUFFIX.sub("", program))
    if row is None and PYTHONS.match(program):
        row = rows.get("python")
    if row is None and _CMDLET.match(program.title() if program.islower() else program):
        row = rows.get(program.casefold()) or rows.get(f"{program.casefold().partition('-')[0]}-*")
    return row


@lru_cache(maxsize=8_192)
def does(program: str, args: tuple[str, ...] = ()) -> Does:
    """What a program does with these words behind it; nothing is known of a program that isn't in the table."""
    row = row_of(program)
    if args == ("--version",) or "--help" in args:
        return Does.ASKS | Does.SAFE
    if row is None:
        return Does.NOTHING
    if row.flag:
        given = [row.flag[name] for word in args if (name := option_in(word, row.flag)) is not None]
        if given:
            return given[-1]
    if row.sub:
        words = from_subcommand(program, args)
        plain = [word for word in words if not word.startswith("-")][:2]
        options = (f"{plain[0]}/{word}" for word in words if plain and word.startswith("-"))
        for name in (*options, "/".join(plain) + "/" * (len(plain) == 1), *plain[:1]):
            if name in row.sub:
                return row.sub[name]
    if row.does:
        return row.does
    # One that asks only looks, also where a program's commands aren't known one by one.
    first = next((word for word in args if not word.startswith("-")), "")
    return Does.ASKS | Does.SAFE if first in ASKING else Does.NOTHING


ASKING = name_set("describe get info list log logs ls ps search show status view version")


def knows(program: str, what: Does) -> bool:
    """Whether a program is known for something, whatever its words are."""
    row = row_of(program)
    # Flags are joined by several calls, and every command is asked about.
    return row is not None and bool(row.does._value_ & what._value_)


def edits_in_place(program: str, args: Sequence[str]) -> bool:
    """Whether an option makes a program change the file that it would show otherwise."""
    return bool(does(program, tuple(args)) & Does.WRITES) and not knows(program, Does.WRITES)


@lru_cache(maxsize=2_048)
def file_act(program: str) -> FileAct | None:
    """How a program's effect on files is followed; None where it isn't."""
    row = row_of(program)
    return row.acts if row is not None else None


@lru_cache(maxsize=2_048)
def keeps_versions(program: str) -> bool:
    """Whether a program is version control, which works on the copy at hand."""
    return knows(program, Does.RECORDS) and not knows(program, Does.REMOTE)


@lru_cache(maxsize=2_048)
def is_silent(program: str) -> bool:
    """Whether a program only prepares or joins what others do, whatever its words are."""
    return knows(program, Does.SPEAKS | Does.WAITS) and not knows(program, Does.PRINTS)


def programs_that(what: Does) -> frozenset[str]:
    """The programs that are known for something whatever their words are."""
    return frozenset(name for name, row in _rows().items() if row.does._value_ & what._value_)


@cache
def _read() -> Mapping[str, Any]:
    return KEPT.table(files("analyzer.commands").joinpath("programs.toml").read_text(encoding="utf-8"))


def entries(name: str) -> Sequence[Mapping[str, Any]]:
    """The entries of the table of this name, as they're written."""
    found: Sequence[Mapping[str, Any]] = _read()[name]
    return found


def from_subcommand(program: str, args: Sequence[str]) -> tuple[str, ...]:
    """The words of a command from its subcommand on; all of them where it has none, or the program isn't known for
    subcommands."""
    row = row_of(program)
    valued = row.valued if row is not None else None
    position = 0
    # A toolchain (`cargo +nightly test`) stands before the subcommand, too.
    begins = "-+" if program == "cargo" else "-"
    while valued is not None and position < len(args) and args[position][:1] in begins and args[position] not in _ENDS:
        position += 2 if args[position] in valued else 1
    return tuple(args[position:] or args)


def option_in(word: str, known: Mapping[str, Does]) -> str | None:
    """The known option that a word is: alone, with a value behind `=`, or as a letter among others or before its
    value (`-ni`, `-i.bak`); a name with an ending is one where `*.*` is known."""
    if word in known:
        return word
    if "." in word and "*.*" in known:
        return "*.*"
    if word.startswith("--"):
        name = word.partition("=")[0]
        return name if name in known else None
    return next((name for name in known if len(name) == 2 and has_letter(word, name[1])), None)


def has_letter(word: str, letter: str) -> bool:
    """Whether a word of options in one letter each has this one; what follows a dot or a quote is its value."""
    letters = word[1:].split(".", 1)[0]
    return len(word) > 2 and word[0] == "-" and letter in letters and letters.isalnum()


@cache
def _rows() -> Mapping[str, Row]:
    rows: dict[str, Row] = {}
    for entry in entries("program"):
        for name in entry["names"].split():
            _add(rows.setdefault(name, Row()), entry)
            if _CMDLET.match(name) or name.endswith("-*"):
                rows[name.casefold()] = rows[name]
    return rows


def _add(row: Row, entry: Mapping[str, Any]) -> None:
    row.does |= _does(entry.get("does", ""))
    row.sub.update({name: _does(words) for names, words in entry.get("sub", {}).items() for name in names.split()})
    row.flag.update({name: _does(words) for names, words in entry.get("flag", {}).items() for name in names.split()})
    if "valued" in entry:
        row.valued = frozenset(entry["valued"].split())
    row.check += tuple((matcher, tuple(words.split()), name) for matcher, words, name in entry.get("check", ()))
    row.build += tuple((matcher, tuple(words.split()), name) for matcher, words, name in entry.get("build", ()))
    columns = {"outside": row.outside, "destroys": row.destroys, "answers": row.answers, "leaves": row.leaves}
    for told, column in columns.items():
        column.update({key: said for keys, said in entry.get(told, {}).items() for key in keys.split()})
    row.writes = entry.get("writes", row.writes)
    row.acts = entry.get("acts", row.acts)
    row.installs |= frozenset(entry.get("installs", "").split())
    row.asks |= frozenset(entry.get("asks", "").split())
    if "trees" in entry:
        trees = entry["trees"]
        options, chooses = (tuple(trees.get(name, "").split()) for name in ("options", "chooses"))
        row.trees = Trees(options, chooses, trees.get("first", False))
    if "wraps" in entry:
        wraps = entry["wraps"]
        row.wraps = Wrapper(
            frozenset(wraps.get("verb", "").split()),
            frozenset(wraps.get("valued", "").split()),
            wraps.get("options", True),
            wraps.get("duration", False),
        )


@cache
def _does(words: str) -> Does:
    found = Does.NOTHING
    for word in words.split():
        found |= Does[word.upper()]
    return found
