"""Which commands can't be wrong or right about the code: those that record, transfer or install."""

from __future__ import annotations

from analyzer.model.action import Action, Command
from analyzer.text.late import late
from analyzer.text.names import name_set

RECORDS = name_set("git hg svn jj gh glab")
"""Programs that keep or publish versions."""
_TRANSFERS = name_set("curl wget http https xh scp sftp rsync ssh ftp ping dig nslookup aws gcloud az gsutil")
FILES = name_set(
    "cat cd chmod code cp echo export gzip head install ls mkdir mv open printf pwd rm set sort tail tar tee touch tr "
    "true truncate unzip wc zip"
)
"""Programs that move, pack or show files, or only speak."""
_MANAGERS = name_set("npm pnpm yarn bun pip pip3 pipx uv poetry conda gem cargo composer brew apt apt-get docker")
_MOVES = name_set("install i ci add remove update upgrade publish push pull login fetch sync download lock")
_OWN_HOST = late(r"\b(?:localhost|127\.0\.0\.1|0\.0\.0\.0|host\.docker\.internal)\b|\[::1\]|://[\w-]+(?::\d+)?(?:/|$)")
"""An address on the machine itself, where what answers is what is being worked on."""


def can_judge(action: Action) -> bool:
    """Whether what an action runs may fail because the code is wrong. Version control, transfers over the network,
    installations and the moving of files fail for reasons of their own."""
    commands = action.operation.commands
    return not commands or any(judges(command) for command in commands)


def judges(command: Command) -> bool:
    """Whether one command of a line may fail because the code is wrong."""
    program = command.program
    if program in RECORDS or program in FILES or program == "source":
        return False
    if program in _TRANSFERS:
        return any(_OWN_HOST.search(word) is not None for word in command.args)
    if program in _MANAGERS:
        first = next((word for word in command.args if not word.startswith("-")), "")
        return first not in _MOVES
    return True
