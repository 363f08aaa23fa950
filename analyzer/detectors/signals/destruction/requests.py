"""What the user asked for: a loss that somebody wants is none."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator

from analyzer.detectors.signals.destruction.effect import DestructiveEffect
from analyzer.text.late import late

_LONGEST = 20_000
_MOST = 20
UNDOING = late(
    r"\bgit (?:reset|restore|checkout|stash|clean)\b|\b(?:reset|revert|discard|undo|roll ?back|throw away|restore"
    r"|drop|clean|sync)\b[^.\n]{0,60}"
    r"\b(?:changes?|edits?|commits?|branch|work(?:ing)? ?(?:tree|dir\w*|copy)|everything|all|repo\w*|checkout"
    r"|main|master|HEAD|origin|stash\w*|it|that|this|these|last)\b|\bstart (?:over|again|afresh|from scratch)\b",
    re.IGNORECASE,
)
DELETING = late(
    (
        r"\b(?:delet\w*|remov\w*|rm|clean\w*|get rid|eras\w*|wip\w*|purg\w*|drop\w*|replac\w*|renam\w*|mov\w*"
        r"|migrat\w*|reset|prun\w*|free|start over)\b"
    ),
    re.IGNORECASE,
)
FORCING = late(r"\b(?:forc\w*|rebas\w*|amend\w*|squash\w*|rewrit\w*|overwrit\w*)\b", re.IGNORECASE)
KILLING = late(r"\b(?:kill\w*|stop\w*|terminat\w*|restart\w*|shut\w*)\b", re.IGNORECASE)
_TIDYING = late(
    r"\b(?:delet|remov|clean|eras|wip)\w*[^.\n]{0,60}\b(?:files?|director\w+|folders?|everything)\b", re.IGNORECASE
)


class UserRequests:
    """The task and the last messages of the user. Each is searched once for each request, and only when somebody
    asks."""

    def __init__(self, task: str) -> None:
        self._texts: deque[tuple[str, dict[re.Pattern[str], bool]]] = deque(maxlen=_MOST)
        self.add(task)

    def add(self, text: str) -> None:
        """Take the next message of the user."""
        self._texts.append((text[:_LONGEST], {}))

    def mention(self, pattern: re.Pattern[str]) -> bool:
        """Whether the user spoke of doing such a thing."""
        return next(self._mentions(pattern), None) is not None

    def unless(self, pattern: re.Pattern[str], effect: DestructiveEffect) -> DestructiveEffect | None:
        """The loss, unless the user spoke of doing such a thing."""
        return None if self.mention(pattern) else effect

    def name(self, path: str) -> bool:
        """Whether the user spoke of the file or directory by name, and of deleting or replacing things, or of files to
        delete."""
        base = path.rsplit("/", 1)[-1]
        return any(base in text for text in self._mentions(DELETING)) or self.mention(_TIDYING)

    def _mentions(self, pattern: re.Pattern[str]) -> Iterator[str]:
        for text, known in self._texts:
            if pattern not in known:
                known[pattern] = pattern.search(text) is not None
            if known[pattern]:
                yield text
