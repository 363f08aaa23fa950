"""Whether a call's tool is the one that a plan names."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from functools import lru_cache

_SEPARATOR = re.compile(r"__|::|[./:]")
_WILD = re.compile(r"[*?\[]")


@lru_cache(maxsize=4096)
def name_matches(pattern: str, name: str) -> bool:
    """Whether `name` is what `pattern` names, `*` standing for any part of it.

    Case doesn't count, nor how a namespace is written (`files.write`, `files__write`, `mcp__files__write`), nor a
    namespace that only one of the two has.
    """
    wanted, given = _SEPARATOR.split(pattern.casefold()), _SEPARATOR.split(name.casefold())
    whole = ".".join(wanted)
    # A pattern is compiled, which takes long for a long one.
    if ".".join(given) == whole or (_WILD.search(whole) is not None and fnmatchcase(".".join(given), whole)):
        return True
    if "*" in pattern or "?" in pattern:
        return (
            len(wanted) < len(given)
            and fnmatchcase(".".join(given[-len(wanted) :]), ".".join(wanted))
            and not set(wanted) <= {"*"}
        )
    count = min(len(wanted), len(given))
    return wanted[-count:] == given[-count:]
