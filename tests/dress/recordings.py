"""What a log records about how a call went, beside its text."""

from __future__ import annotations

from dataclasses import dataclass

from tests.dress.fact import Fact, Label


@dataclass(frozen=True, slots=True)
class Recording:
    """One way of recording: with the exit code or not, with an error flag or not. `always_fine` is a flag that only
    says that the tool itself returned."""

    name: str
    exit_code: bool = False
    flag: bool = False
    always_fine: bool = False

    def recorded(self, fact: Fact) -> tuple[int | None, bool | None]:
        """The exit code and the error flag that such a log holds of a fact."""
        code = fact.exit_code if self.exit_code else None
        if self.always_fine:
            return code, False
        failed = fact.exit_code != 0 if fact.exit_code is not None else fact.label is Label.FAILED
        return code, failed if self.flag else None

    def fits(self, fact: Fact) -> bool:
        """Whether a log would record the fact in this way, and the fact still has its verdict."""
        if self.exit_code:
            return fact.exit_code is not None
        if self.always_fine:
            says = fact.family in SAYS_IT_ITSELF
            return fact.label in (Label.OK, Label.HARMLESS) or (fact.alone is Label.FAILED and says)
        if self.flag:
            agrees = fact.exit_code is None or (fact.exit_code != 0) == (fact.label is Label.FAILED)
            return agrees and fact.label is not Label.UNKNOWN
        return True

    def label(self, fact: Fact) -> Label:
        """The verdict that such a log allows."""
        if self.exit_code or self.flag:
            return Label.OK if fact.label is Label.HARMLESS else fact.label
        return fact.alone


SAYS_IT_ITSELF = frozenset({"reports", "answers", "services", "harness", "pytest", "jest", "cargo", "go", "rspec"})
"""Families whose failing texts leave no doubt, even where the harness says that the tool returned."""

BARE = Recording("nothing recorded")
CODE = Recording("exit code", exit_code=True)
FLAG = Recording("error flag", flag=True)
BOTH = Recording("exit code and flag", exit_code=True, flag=True)
FINE = Recording("flag says fine", always_fine=True)
RECORDINGS = (BARE, CODE, FLAG, BOTH, FINE)
