"""What is lost on the machine beyond files: disks, containers, processes, tables."""

from __future__ import annotations

import re

from analyzer.detectors.signals.destruction.effect import DestructiveEffect
from analyzer.detectors.signals.destruction.memory import DATABASES, Memory
from analyzer.detectors.signals.destruction.requests import UserRequests
from analyzer.model.action import Command
from analyzer.model.words import Severity
from analyzer.task.act_kinds import DELETING, KILLING
from analyzer.text.late import late
from analyzer.text.markdown import code

_LONGEST = 20_000
_DISK = late(r"of=/dev/(?:sd|nvme|hd|vd|disk|mmcblk)")
_TRIAL = late(r"test|tmp|temp|:memory:", re.IGNORECASE)
"""Databases that may lose everything."""
_DROP = late(
    r"\b(?:DROP\s+(?:TABLE|DATABASE|SCHEMA)(?:\s+IF\s+EXISTS)?|TRUNCATE\s+TABLE)\s+[`'\"\[]?(?P<name>[\w.]{1,80})",
    re.IGNORECASE,
)
_ALL_PROCESSES = frozenset(
    {"python", "python3", "node", "java", "bash", "sh", "ruby", "php", "npm", "docker", "go", "sshd", "."}
)


def machine_effect(command: Command, memory: Memory, requests: UserRequests) -> DestructiveEffect | None:
    """What a command destroys outside of the files of a project."""
    program, args = command.program, command.args
    if program.startswith("mkfs") or (program == "dd" and any(_DISK.match(word) for word in args)):
        return DestructiveEffect("disk", Severity.HIGH, "a disk is overwritten", "Write to a file instead of a device.")
    if program == "docker" and args[1:2] == ("prune",) and args[0] in ("system", "volume"):
        return requests.unless(
            DELETING,
            DestructiveEffect(
                "pruned",
                Severity.MEDIUM,
                "containers, images or volumes that others use are deleted too",
                "Remove the containers that you started, by name.",
            ),
        )
    if (program == "kill" and args[-1:] == ("-1",) and len(args) > 1) or (
        program in ("pkill", "killall") and args and args[-1].strip("^$") in _ALL_PROCESSES
    ):
        return requests.unless(
            KILLING,
            DestructiveEffect(
                "killed",
                Severity.LOW,
                "every process of that name is ended, whoever started it",
                "End only the process that you started, by its id.",
            ),
        )
    if program in DATABASES:
        return _dropped(args, memory, requests)
    return None


def _dropped(args: tuple[str, ...], memory: Memory, requests: UserRequests) -> DestructiveEffect | None:
    if any(_TRIAL.search(word) for word in args if "drop" not in word.lower()):
        return None
    found = next((found for word in args if (found := _DROP.search(word[:_LONGEST]))), None)
    if found is None or found["name"].lower() in memory.made:
        return None
    name = found["name"]
    return requests.unless(
        DELETING,
        DestructiveEffect(
            "dropped", Severity.HIGH, f"{name} is dropped with all its rows", f"Back up {code(name)} first, and ask."
        ),
    )
