"""Sessions as data: a list of parts, each with the name of the function that makes it and its arguments."""

from __future__ import annotations

from operator import mul
from typing import Any

from analyzer.model.session import Compaction, Message
from analyzer.model.words import Mark
from tests import build
from tests.build import Part

Written = list[dict[str, Any]]
"""A session as a table holds it."""
TEXTS = ("pytest_report", "traceback", "repeated")


def parts_of(session: Written) -> list[Part]:
    """The parts of a session: each names the function that makes it, with its arguments; the last may be options.

    `times: [3, PARTS]` stands for them three times over, `each: [WORDS, PARTS]` for them with every word in place
    of {}, and `together: [NAME, PARTS]` for the calls of one message.
    """
    made: list[Part] = []
    for part in session:
        ((name, values),) = part.items()
        if name == "times":
            made += [parts_of(values[1]) for _ in range(values[0])]
        elif name == "each":
            made += [parts_of(_with(str(word), values[1])) for word in values[0]]
        elif name == "together":
            made.append(build.together(values[0], *(tuple(build.flat([each])) for each in parts_of(values[1]))))
        else:
            made.append(_made(name, values))
    return made


def _made(name: str, values: Any) -> Any:
    given = values if isinstance(values, list) else [values]
    last = given[-1] if given and isinstance(given[-1], dict) else {}
    arguments = [_text(value) for value in (given[:-1] if "with" in last else given)]
    options = {key: Mark(value) if key == "mark" else _text(value) for key, value in last.get("with", {}).items()}
    makers: dict[str, Any] = {"message": Message, "compaction": Compaction, "repeated": mul}
    return (makers.get(name) or getattr(build, name))(*arguments, **options)


def _text(value: Any) -> Any:
    """What a test prints may be named as a part is, and a text that is `repeated: [TEXT, TIMES]`."""
    if isinstance(value, dict) and len(value) == 1 and (name := next(iter(value))) in TEXTS:
        return _made(name, value[name])
    return value


def _with(word: str, value: Any) -> Any:
    if isinstance(value, dict):
        return {_with(word, key): _with(word, entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [_with(word, entry) for entry in value]
    return value.replace("{}", word) if isinstance(value, str) else value
