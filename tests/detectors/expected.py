"""Failed runs that are held against the calls and answers that their task expects."""

from __future__ import annotations

from typing import Any

from analyzer.model.finding import Finding
from analyzer.model.session import Expected, ExpectedCall
from analyzer.model.words import Ending
from tests.build import Part, call, findings, says

MOVE = ExpectedCall("change_address", {"order": "7", "zip": "10115", "items": [1, 2]})


DONE = says("The order is changed; the fee is 1,250 coins.")


def change(**arguments: object) -> Part:
    return call("change_address", {"order": "7", "zip": "10115", "items": [2, 1]} | arguments, "Changed.")


def found(
    *parts: Part, calls: tuple[ExpectedCall, ...] = (MOVE,), words: tuple[str, ...] = (), **more: Any
) -> list[Finding]:
    header = {"expected": Expected(calls, words), "ending": Ending.UNSOLVED} | more
    return findings(*parts, DONE, detector="expected-calls", **header)


SHIFT = ExpectedCall("shift_slot", {"order": "#W7", "day": "05-20"})


SWAP = ExpectedCall("swap_items", {"order": "#W7", "items": ["a1"]})


def refused(order: str) -> Part:
    return call("shift_slot", {"order": order, "day": "05-20"}, '{"error": "only open orders can be shifted"}')


def swap(order: str, answer: str = "Swapped.") -> Part:
    return call("swap_items", {"order": order, "items": ["a1"]}, answer)
