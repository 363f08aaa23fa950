"""Our data classes do what those of the library do."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any, ClassVar

import pytest

import analyzer
from analyzer.model.record import dataclass

VARIANTS: list[dict[str, bool]] = [
    {"frozen": frozen, "slots": slots, "eq": eq}
    for frozen in (False, True)
    for slots in (False, True)
    for eq in (True, False)
]


def pair(variant: dict[str, bool]) -> tuple[Any, Any]:
    """A class of the library's, and the same one of ours."""
    made = []
    for decorator in (dataclasses.dataclass, dataclass):

        class Step:
            number: int
            tool: str = "bash"
            tags: list[str] = field(default_factory=list)
            secret: str = field(default="", repr=False, compare=False)
            fixed: int = field(default=3, init=False)
            seen: dict[str, int] = field(default_factory=dict, init=False, hash=False)
            last: bool = field(default=False, kw_only=True)
            KINDS: ClassVar[int] = 2

            @property
            def name(self) -> str:
                return f"{self.tool} {self.number}"

        made.append(decorator(**variant)(Step))
    return made[0], made[1]


def result(call: Callable[[], object]) -> object:
    """What a call returns, or what it raises."""
    try:
        return call()
    except (TypeError, AttributeError) as error:
        return type(error), str(error)


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_objects_are_as_the_librarys(variant: dict[str, bool]) -> None:
    theirs, ours = pair(variant)
    given: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
        ((1,), {}),
        ((1, "sh", ["a"]), {"last": True}),
        ((), {"number": 2, "secret": "x"}),
        ((), {}),
        ((1, "sh", [], "", 4), {}),
        ((1,), {"other": 2}),
    ]
    for values, named in given:
        # Twice: the first object of a class is what its `__init__` is compiled for.
        for _ in range(2):
            one, other = (result(partial(made, *values, **named)) for made in (theirs, ours))
            assert repr(one) == repr(other)
    assert repr([each.name for each in dataclasses.fields(theirs)]) == repr(
        [each.name for each in dataclasses.fields(ours)]
    )
    assert theirs.__match_args__ == ours.__match_args__
    assert ours(1).tags is not ours(1).tags


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_they_compare_copy_and_change_alike(variant: dict[str, bool]) -> None:
    for name in ("theirs", "ours"):
        made = dict(zip(("theirs", "ours"), pair(variant), strict=True))[name]
        one: Any = made(1, secret="x")
        same, other = made(1), made(2)
        assert (one == same) is variant["eq"]
        assert one != other
        assert one != (1, "bash")
        assert dataclasses.asdict(one)["number"] == 1
        assert dataclasses.replace(one, number=5).name == "bash 5"
        assert repr(copy.copy(one)) == repr(one)
        assert dataclasses.is_dataclass(type(one))
        if variant["frozen"]:
            with pytest.raises(FrozenInstanceError, match="cannot assign to field 'number'"):
                one.number = 2
            with pytest.raises(FrozenInstanceError, match="cannot delete field 'tool'"):
                del one.tool
        else:
            one.number = 2
            assert one.name == "bash 2"
        if variant["slots"]:
            assert not hasattr(one, "__dict__")


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_they_hash_alike(variant: dict[str, bool]) -> None:
    hashed = []
    for decorator in (dataclasses.dataclass, dataclass):

        class Place:
            file: str
            line: int = 0
            note: str = field(default="", compare=False)

        made: Any = decorator(**variant)(Place)
        hashed.append(result(lambda made=made: hash(made("a", 3, "x")) == hash(made("a", 3, "y")) == hash(("a", 3))))  # type: ignore[misc]
    assert hashed[0] == hashed[1]


@dataclass(frozen=True, slots=True)
class Kept:
    """Has two fields."""

    name: str
    lines: tuple[int, ...] = ()


@dataclass(frozen=True)
class Single:
    """Has one, and something that is worked out once."""

    name: str

    @cached_property
    def upper(self) -> str:
        """The name in capitals."""
        return self.name.upper()


@dataclass
class Nothing:
    """Has none."""


def test_frozen_ones_can_be_pickled() -> None:
    for one in (Kept("a", (1, 2)), Single("b"), Nothing()):
        assert pickle.loads(pickle.dumps(one)) == one
    assert copy.deepcopy(Kept("a")) == Kept("a")


def test_few_fields() -> None:
    assert Single("a").upper == "A"
    assert {Single("a"): 1}[Single("a")] == 1
    assert Single("a") != Single("b")
    assert Nothing() == Nothing()
    assert repr(Nothing()) == "Nothing()"


def test_an_object_within_itself_is_shown() -> None:
    one = Kept("a")
    object.__setattr__(one, "lines", (one,))
    assert repr(one) == "Kept(name='a', lines=(...,))"


def test_methods_of_the_class_stay_and_post_init_is_called() -> None:
    @dataclass(slots=True)
    class Own:
        number: int
        double: int = 0

        def __post_init__(self) -> None:
            self.double = self.number * 2

        def __repr__(self) -> str:
            return f"<{self.double}>"

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 7

    assert (repr(Own(2)), hash(Own(1)), Own(1) == Own(2)) == ("<4>", 7, True)


def test_every_data_class_of_the_program_is_one_of_these() -> None:
    others = [
        str(file)
        for file in Path(analyzer.__file__).parent.rglob("*.py")
        if "from dataclasses import dataclass" in file.read_text(encoding="utf-8")
    ]
    assert others == []


def test_a_class_of_another() -> None:
    @dataclass(frozen=True, slots=True)
    class Base:
        number: int

    @dataclass(frozen=True, slots=True)
    class Derived(Base):
        name: str = "x"

    class Plain(Base):
        pass

    assert repr(Derived(1)).endswith("Derived(number=1, name='x')")
    assert Derived(1) != Base(1)
    assert Plain(1).number == 1
    assert Base(2).number == 2
    assert Plain(3).number == 3
