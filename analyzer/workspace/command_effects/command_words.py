"""What the words of a shell line say: which program runs, on which files, what it prints, and which files it brings."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from itertools import pairwise
from urllib.parse import unquote

from analyzer.commands import effects
from analyzer.commands.parse import ASSIGNMENT, command_at
from analyzer.commands.statements import Statement, Word, printed_words
from analyzer.commands.table import Does, file_act, row_of
from analyzer.model.struct import replace
from analyzer.text.late import late
from analyzer.workspace.files import Files
from analyzer.workspace.paths import normal

_TOP = ("$(git rev-parse --show-toplevel)", "`git rev-parse --show-toplevel`")
_VARIABLE = late(r"^\$(?:\{(?P<braced>\w+)\}|(?P<plain>\w+)|\((?P<pwd>pwd)\))(?P<rest>(?:/[\w./-]*)?)$")
_PARAMETER = late(r'"\$\{?(?:[@*]|(?P<number>[1-9]))\}?"')
_MOST_RUNS, _LONGEST = 20, 20_000
_STRIPS = late(r"--strip(?:-components)?=\d")
_UNPACKED = late(r"^(?:x | *(?:inflating|extracting): )?(?P<path>[\w@.+-][\w@.+/ -]*[\w@+-]) *$", re.MULTILINE)

ELSEWHERE = "/tmp/?"
"""A folder that isn't known. Most of them are temporary ones, and what is written there is nothing of the project's."""
_ACTS = Does.WRITES | Does.MOVES | Does.RECORDS | Does.SPEAKS


def texts_of(words: Sequence[Word]) -> list[str]:
    """The words as texts."""
    return [word.text for word in words]


def unwrapped(words: list[Word]) -> list[Word]:
    """The words without what runs them: assignments, `sudo`, `timeout 30`, `uv run`."""
    return words[command_at(texts_of(words), stop=("xargs",)) :]


def cd_target(words: list[Word], root: str, given: Mapping[str, str]) -> str:
    """The directory that a `cd` names, `ELSEWHERE` where that isn't known; `root` is the folder of the repository,
    `given` what the line itself puts into variables."""
    names = [word for word in words[1:] if not word.text.startswith("-") or word.text == "-"]
    if not names:
        return "~"
    text = names[0].text
    if not names[0].expands:
        return ELSEWHERE if text == "-" else text
    if text in _TOP:
        return root or ELSEWHERE
    variable = _VARIABLE.match(text)
    if variable is None:
        return ELSEWHERE
    here = {"PWD": ".", "pwd": ".", "HOME": "~"} | dict(given)
    folder = here.get(variable["braced"] or variable["plain"] or variable["pwd"])
    return ELSEWHERE if folder is None else folder + variable["rest"]


def assigned(words: Sequence[Word]) -> dict[str, str]:
    """The variables to which a command that does nothing else gives a value that the line shows."""
    if not all(ASSIGNMENT.match(word.text) for word in words):
        return {}
    return dict(word.text.split("=", 1) for word in words if not word.expands)


def changes(statement: Statement) -> bool:
    """Whether a command is one that changes files directly."""
    words = unwrapped(statement.words)
    return acts(effects.program_of(words)) if words else bool(statement.writes)


def acts(program: str) -> bool:
    """Whether a program may change files or folders, or the one at hand, rather than run or show something."""
    row = row_of(program)
    return row is not None and (row.writes != "" or bool(row.does._value_ & _ACTS._value_))


def printed(program: str, words: Sequence[Word], stdin: str | None, files: Files, directory: str) -> str | None:
    """What a command prints where that's known to the letter."""
    arguments = words[1:]
    if file_act(program) != "whole":
        return printed_words(program, arguments)
    names = [word for word in arguments if not word.text.startswith("-")]
    if not names:
        return stdin
    plain = len(names) == 1 and not names[0].expands and not names[0].glob
    return files.get(normal(names[0].text, directory)).text if plain else None


def script_and_files(program: str, words: Sequence[Word]) -> tuple[list[str], list[Word], bool]:
    """The scripts and the files of `sed` or `perl`, and whether its expressions are extended ones."""
    scripts: list[str] = []
    files: list[Word] = []
    extended = file_act(program) == "edit-extended"
    expects = False
    empty_suffix = False
    for word in words:
        text = word.text
        if expects:
            scripts.append(text)
            expects = False
        elif text.startswith("--expression="):
            scripts.append(text.partition("=")[2])
        elif re.fullmatch(r"-[a-zA-Z0]*e", text) or text == "--expression":
            expects = True
        elif text.startswith("-"):
            extended = extended or "E" in text or "r" in text.lstrip("-i").split(".")[0] or text == "--regexp-extended"
            empty_suffix = text == "-i"
        elif text == "" and empty_suffix:
            continue
        else:
            files.append(word)
    if not scripts and files:
        scripts.append(files.pop(0).text)
    return scripts, files, extended


def unpacked(words: Sequence[str], printed: str) -> list[str]:
    """The files that a command says it took out of an archive, in the folder into which they went."""
    cut = next((int(word.partition("=")[2]) for word in words if _STRIPS.fullmatch(word)), 0)
    into = next((value for option, value in pairwise(words) if option in ("-C", "-d", "--directory")), ".")
    if any(word[:1] == "-" and word[:2] != "--" and ("t" in word or "c" in word) for word in words):
        return []  # it lists or packs
    names = [found["path"] for found in _UNPACKED.finditer(printed[:_LONGEST])]
    return [f"{into}/{'/'.join(parts[cut:])}" for name in names if len(parts := name.split("/")) > cut]


def unrolled(made: list[Statement]) -> list[Statement]:
    """The commands with loops over words that are written out run once for each word."""
    result: list[Statement] = []
    index = 0
    while index < len(made):
        words = made[index].words
        texts = [word.text for word in words]
        if len(texts) > 3 and texts[0] == "for" and texts[2] == "in":
            end = next((at for at in range(index + 1, len(made)) if made[at].text == "done"), None)
            plain = not any(word.expands or word.glob for word in words[3:])
            if end is not None and plain and len(words) - 3 <= _MOST_RUNS:
                body = made[index + 1 : end]
                for word in words[3:]:
                    result.extend(_with_variable(statement, texts[1], word.text) for statement in body)
                index = end + 1
                continue
        result.append(made[index])
        index += 1
    return result


def with_arguments(script: str, given: Sequence[str]) -> str:
    """A shell script with the words that it's given in the places of its quoted parameters."""

    def put(found: re.Match[str]) -> str:
        place = int(found["number"] or 0)
        return shlex.join(given[place - 1 : place] if place else given)

    return _PARAMETER.sub(put, script)


def _with_variable(statement: Statement, name: str, value: str) -> Statement:
    sign = re.compile(rf"\$(?:{re.escape(name)}\b|\{{{re.escape(name)}\}})")

    def put(word: Word) -> Word:
        if not word.expands:
            return word
        text = sign.sub(lambda _: value, word.text)
        return Word(text, "$" in text or "`" in text, word.glob)

    words = [put(word) for word in statement.words]
    writes = [replace(entry, target=put(entry.target)) for entry in statement.writes]
    source = put(statement.source) if statement.source is not None else None
    return replace(statement, words=words, writes=writes, source=source)


_ADDRESS = late(r"(?:https?|ftps?|file)://", re.IGNORECASE)
_CURL_VALUES = frozenset("AbcCdDeEFhHKmoPQrTtuUwxXyYz")
"""Short options of curl that have a value behind them."""
_WGET_VALUES = frozenset("aeiIlnoOPQtTUwX")
_OF_A_VALUE = frozenset({"--output", "--output-document", "--output-dir", "--directory-prefix"})
_ONLY_LOOKS = frozenset({"--spider", "--version", "--help", "--head"})


def downloaded(program: str, words: Sequence[str]) -> list[str]:
    """The files that a download writes, as they are seen from its directory; none where it prints."""
    curl = file_act(program) == "download-on-demand"
    valued, naming, into = (_CURL_VALUES, "o", "--output-dir") if curl else (_WGET_VALUES, "O", "P")
    named: list[str] = []
    addresses: list[str] = []
    folder, by_address = "", not curl
    rest = iter(words)
    for word in rest:
        if word in _ONLY_LOOKS:
            return []
        if word.startswith("--"):
            option, _, value = word.partition("=")
            by_address = by_address or option.startswith("--remote-name")
        elif word.startswith("-"):
            option, value = _with_value(word, valued)
            by_address = by_address or (curl and "O" in word.removesuffix(value))
        elif _ADDRESS.match(word) or (not curl and "." in word):
            addresses.append(word)
            continue
        else:
            continue
        if option in _OF_A_VALUE or option in valued:
            value = value or next(rest, "")
        if option in ("--output", "--output-document", naming):
            named.append(value)
        elif option in (into, "--directory-prefix"):
            folder = f"{value.rstrip('/')}/"
    if not named and by_address:
        named = [name for address in addresses if (name := _last_part(address, index_page=not curl))]
    return [name if name.startswith("/") else folder + name for name in named if name and name != "-"]


def _with_value(word: str, valued: frozenset[str]) -> tuple[str, str]:
    """The first letter of a bundle of short options that takes a value, and the value as far as it's attached."""
    at = next((place for place, letter in enumerate(word) if place and letter in valued), None)
    return (word[at], word[at + 1 :]) if at is not None else ("", "")


def _last_part(address: str, *, index_page: bool) -> str:
    path = _ADDRESS.sub("", address, count=1).partition("?")[0].partition("#")[0]
    host, _, rest = path.partition("/")
    name = unquote(rest.rsplit("/", 1)[-1])
    return name.replace("/", "_") or ("index.html" if index_page and host else "")
