"""Long reports on a terminal are shown by a pager, so that the headline stays in sight."""

from __future__ import annotations

import os
import shutil
import sys

from analyzer.cli.console.output import is_terminal

_OPTIONS = "FRX"
"""The options of `less` where nothing else is configured: end where all fits on the screen, pass colours on, leave the
text on the screen."""


def shown_by_pager(text: str) -> bool:
    """Show a text that is longer than the screen by `$PAGER`, `less` where that isn't set; whether that was done.

    There's no pager where nobody could use its keys, on Windows, and where `PAGER` is `cat` or empty.
    """
    command = os.environ.get("PAGER", "less").split()
    if os.name == "nt" or not command or command[0] == "cat" or shutil.which(command[0]) is None:
        return False
    if not is_terminal(sys.stdin) or text.count("\n") < shutil.get_terminal_size((80, 24)).lines:
        return False
    import subprocess

    environment = {**os.environ, "LESS": os.environ.get("LESS", _OPTIONS)}
    sys.stdout.flush()
    try:
        subprocess.run(command, input=text.encode(errors="replace"), env=environment, check=False)
    except OSError:
        return False
    return True
