"""What the rest of the session adds to one failure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analyzer.model.failure import CodeLine
from analyzer.model.words import Kind


@dataclass(slots=True)
class Surroundings:
    """What the rest of the session adds to one failure.

    `scripts` are files that the agent wrote to try something out; `edited` those of the files that it had changed
    before this step which the failure's frames name, `changed` whether it had changed any;
    `named_in_task` is True when the task itself quotes this error;
    `unchanged_through` the implementation files that were changed between two occurrences of this failure while no test
    file was, `survived` the number of those edits; `kind` what the failing action was. `test_code` are the lines of the
    failing tests, and of the data files that they name, which the transcript has shown up to here; `tool` is the name
    of the tool that was called where that is no shell, `command` the command line where it is; `known_tests` are all
    lines of test code that were shown; `own_texts` is what the agent had written into files, `installs` the command
    lines by which it had installed packages, `all_texts` whether that is all that it had changed; `unread` are the
    files of the trace that nothing in the transcript has shown.
    """

    kind: Kind
    scripts: Sequence[str] = ()
    edited: Sequence[str] = ()
    changed: bool = False
    unchanged_through: Sequence[str] = ()
    own_texts: Sequence[str] = ()
    subject: str = ""
    named_in_task: bool = False
    test_code: Sequence[CodeLine] = ()
    tool: str | None = None
    command: str = ""
    installs: Sequence[str] = ()
    survived: int = 0
    unread: Sequence[str] = ()
    known_tests: Sequence[CodeLine] = ()
    all_texts: bool = False
