"""What a check has of the code that the user gave: names that it uses, and lines that it repeats."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property

from analyzer.commands.kinds import script
from analyzer.failures.roles import same_file
from analyzer.model.action import Action
from analyzer.task.names import names_of
from analyzer.text.late import late

_SHORTEST_NAME = 4
_LINE = 6
"""Characters from which on a line of code is more than a bracket or a keyword."""
_LEAST_GIVEN = 3
"""Lines of a script that the user gave from which on it's the user's code."""
_PROMPT = late(r"^\s*(?:(?:>>>|\.\.\.|In \[\d+\]:|>|\$)\s?)+")
"""What a shell or a quotation puts before a line."""


class TaskCode:
    """The code in what the user asked for, against the files that the agent wrote, with what it wrote last."""

    def __init__(self, asked: str, written: Mapping[str, str]) -> None:
        self._asked = asked
        self._written = written

    def is_used_by(self, action: Action) -> bool:
        """Whether a check uses something that the user named as code."""
        texts = [action.operation.command or "", *self._scripts(action)]
        return any(
            re.search(rf"(?<!\w){re.escape(part)}(?!\w)", text) is not None for part in self._named for text in texts
        )

    def is_run_by(self, action: Action) -> bool:
        """Whether the script that an action runs is, in most of its lines, code that the user gave."""
        texts = self._scripts(action)
        lines = [words for text in texts for line in text.splitlines() if len(words := " ".join(line.split())) >= _LINE]
        given = sum(line in self._lines for line in lines)
        return given >= _LEAST_GIVEN and given * 2 > len(lines)

    def _scripts(self, action: Action) -> Iterator[str]:
        """The texts of the agent's scripts that an action runs."""
        names = [name for entry in action.operation.commands if (name := script(entry))]
        return (text for path, text in self._written.items() if any(same_file(path, name) for name in names))

    @cached_property
    def _lines(self) -> frozenset[str]:
        """The lines of what the user asked for, without the marks of a prompt or a quotation before them."""
        return frozenset(" ".join(_PROMPT.sub("", line).split()) for line in self._asked.splitlines())

    @cached_property
    def _named(self) -> list[str]:
        """The symbols in the user's words, each by its last part."""
        symbols = names_of(self._asked).symbols
        return [part for name in symbols if len(part := re.split(r"\.|::|#", name)[-1]) >= _SHORTEST_NAME]
