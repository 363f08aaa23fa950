"""What a text must hold for an expression to match in it: a formula of literals, which is looked for before the
expression is asked.

The expression is taken apart by the parser of `re` itself, as RE2 does for its prefilters (Cox, "Regular Expression
Matching with a Trigram Index"): of a part that matches few texts these are known exactly, and of a sequence each is
continued by each of the next. Literals are in small letters, and so is a text that they're looked for in (`folded`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache
from importlib import import_module
from types import CodeType, FunctionType
from typing import Any, cast

Formula = str | tuple[Any, ...]
"""A literal, or `&` or `|` and the formulas of which all or one must hold."""
_Part = tuple[frozenset[str] | None, Formula | None]
"""The only texts that a part of an expression matches, where they're few, and else what must hold, where that is
known."""
_ANY: _Part = (None, None)
_SHORTEST = 3
"""Characters that a literal has at least: shorter ones are in nearly every text."""
_MOST = 160
"""How many literals may be looked for before that isn't worth while."""
_CONTINUED, _TOGETHER, _CLASS = 24, 3, 4
"""So many texts a sequence may be known by, so many conditions are held against a text, and so many characters of a
class are tried one by one."""


def folded(text: str) -> str:
    """A text in small letters, those included that an expression takes for an `i` or an `s` where case doesn't
    count."""
    lowered = text.lower()
    if lowered.isascii():
        return lowered
    return lowered.replace("i\u0307", "i").replace("\u0131", "i").replace("\u017f", "s")


@cache
def required(source: str, flags: int = 0) -> Formula | None:
    """What every text has to hold in which an expression matches; None where nothing is known that is worth asking.

    The tree of the parser isn't promised to stay as it is: what isn't known in it gives no literal, and an expression
    without literals is tried on every text.
    """
    try:
        tree = import_module("re._parser").parse(source, flags)
    except (ImportError, AttributeError):
        return None
    return _condition(_of_sequence(tree))


def literals_of(formula: Formula) -> set[str]:
    """All literals of a formula."""
    return {formula} if isinstance(formula, str) else set().union(*map(literals_of, formula[1:]))


def code_of(formula: Formula) -> CodeType:
    """The code of a function that says whether a formula holds for a text or for a set of literals."""
    made = compile(f"lambda held: {_written(formula)}", "<literals>", "eval")
    return next(constant for constant in made.co_consts if isinstance(constant, CodeType))


def function_of(code: CodeType) -> Callable[[Collection[str]], bool]:
    """What `code_of` is the code of."""
    return cast("Callable[[Collection[str]], bool]", FunctionType(code, {}))


def _written(formula: Formula) -> str:
    if isinstance(formula, str):
        return f"{formula!r} in held"
    return f"({(' and ' if formula[0] == '&' else ' or ').join(map(_written, formula[1:]))})"


def _of_sequence(items: Sequence[Any]) -> _Part:
    exact, flushed, whole = frozenset({""}), list[Formula | None](), True
    for item in items:
        texts, condition = _of_item(str(item[0]), item[1])
        if texts is not None and len(exact) * len(texts) <= _CONTINUED:
            exact = frozenset(one + other for one in exact for other in texts)
            continue
        flushed += [_one_of(exact), condition]
        exact, whole = texts or frozenset({""}), False
    return (exact, None) if whole else (None, _both([*flushed, _one_of(exact)]))


def _of_item(operation: str, value: Any) -> _Part:
    if operation == "LITERAL":
        return (frozenset({chr(value).lower()}), None) if value < 128 else _ANY
    if operation in ("AT", "ASSERT", "ASSERT_NOT"):
        return frozenset({""}), None
    if operation == "SUBPATTERN":
        return _of_sequence(value[-1])
    if operation == "ATOMIC_GROUP":
        return _of_sequence(value)
    if operation == "IN":
        few = len(value) <= _CLASS and all(str(kind) == "LITERAL" and code < 128 for kind, code in value)
        return (frozenset(chr(code).lower() for _, code in value), None) if few else _ANY
    if operation == "BRANCH":
        parts = [_of_sequence(branch) for branch in value[1]]
        exact = [texts for texts, _ in parts if texts is not None]
        few = len(exact) == len(parts) and sum(map(len, exact)) <= _MOST
        return (frozenset().union(*exact), None) if few else (None, _one(map(_condition, parts)))
    if operation in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        least, most, inner = value
        part = _of_sequence(inner)
        if least == most == 1 or (least, most, part[0] is not None) == (0, 1, True):
            return part if least else (cast("frozenset[str]", part[0]) | {""}, None)
        return (None, _condition(part)) if least else _ANY
    return _ANY


def _condition(part: _Part) -> Formula | None:
    return part[1] if part[0] is None else _one_of(part[0])


def _one_of(texts: Collection[str]) -> Formula | None:
    return _one(sorted(texts)) if texts and min(map(len, texts)) >= _SHORTEST else None


def _one(formulas: Iterable[Formula | None]) -> Formula | None:
    """That one of some formulas holds; of literals those alone that hold no other."""
    parts: dict[Formula, None] = {}
    for formula in formulas:
        if formula is None:
            return None
        inner = formula[1:] if not isinstance(formula, str) and formula[0] == "|" else (formula,)
        parts.update(dict.fromkeys(inner))
    literals = [part for part in parts if isinstance(part, str)]
    kept = [
        part for part in parts if not isinstance(part, str) or not any(one in part for one in literals if one != part)
    ]
    found = kept[0] if len(kept) == 1 else ("|", *kept)
    if _size(found) > _MOST:
        found = ("|", *(part if isinstance(part, str) else part[1] for part in kept))
    return found if _size(found) <= _MOST else None


def _both(formulas: Iterable[Formula | None]) -> Formula | None:
    """That all of some formulas hold, of which the few are kept that fewest texts hold."""
    parts: dict[Formula, None] = {}
    for formula in formulas:
        if formula is not None:
            inner = formula[1:] if not isinstance(formula, str) and formula[0] == "&" else (formula,)
            parts.update(dict.fromkeys(inner))
    best = sorted(parts, key=_size)[:_TOGETHER]
    while len(best) > 1 and sum(map(_size, best)) > _MOST:
        best.pop()
    return None if not best else best[0] if len(best) == 1 else ("&", *best)


def _size(formula: Formula) -> int:
    return 1 if isinstance(formula, str) else sum(map(_size, formula[1:]))
