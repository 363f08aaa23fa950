"""Which names a rejected call gave in the place of others, and how to say it."""

from __future__ import annotations

from difflib import SequenceMatcher

from analyzer.text.markdown import code

_ROLES = (
    frozenset(
        {
            "path",
            "file",
            "filename",
            "file_name",
            "file_path",
            "filepath",
            "target_file",
            "absolute_path",
            "uri",
            "notebook_path",
        }
    ),
    frozenset({"old_str", "old_string", "oldtext", "old_text", "old", "search", "find", "before", "target"}),
    frozenset({"new_str", "new_string", "newtext", "new_text", "new", "replace", "replacement", "after"}),
    frozenset({"command", "cmd", "commands", "script", "commandline", "code"}),
    frozenset({"query", "pattern", "q", "regex", "search_term", "search", "term"}),
    frozenset({"content", "contents", "text", "file_text", "body", "message"}),
    frozenset({"url", "uri", "link", "href", "address"}),
    frozenset({"directory", "dir", "folder", "path", "cwd", "workdir"}),
)


def swapped_names(missing: list[str], unexpected: list[str], strange: list[str]) -> tuple[str, str] | None:
    """The name that was given and the one that was wanted in its place: near names, or names for the same thing."""
    for wanted in missing:
        for given in (*unexpected, *strange):
            same_role = any({wanted.lower(), given.lower()} <= role for role in _ROLES)
            near = SequenceMatcher(None, wanted.lower(), given.lower()).ratio() >= 0.6 or wanted.lower().endswith(
                f"_{given.lower()}"
            )
            if (
                given != wanted
                and given not in missing
                and (same_role or near or (len(missing) == 1 and unexpected == [given]))
            ):
                return given, wanted
    return None


def fault(missing: list[str], unexpected: list[str], wrong: list[str], swapped: tuple[str, str] | None) -> str:
    """How a call was wrong, as a part of a sentence."""
    if swapped:
        return f"with {swapped[0]} where it wants {swapped[1]}"
    if missing:
        return f"without {', '.join(missing[:3])}"
    if unexpected:
        return f"with {', '.join(unexpected[:3])}, which it doesn't accept,"
    return (
        f"with a value of {', '.join(wrong[:3])} that it doesn't accept,"
        if wrong
        else "with arguments that it doesn't accept"
    )


def advice(
    tool: str,
    missing: list[str],
    unexpected: list[str],
    wrong: list[str],
    swapped: tuple[str, str] | None,
    tried: list[str],
) -> str:
    """What to do about calls that were rejected because of such names or values."""
    if tried:
        names = " and ".join(code(name) for name in tried[:3])
        return (
            f"Give the input of {code(tool)} one name in its description, its schema and its validation: a call with "
            f"{names} was rejected with the same message, so no call can be right."
        )
    if swapped:
        return (
            f"Call {code(tool)} with {code(swapped[1])} in place of {code(swapped[0])}; say so in the tool's "
            "description if the agent keeps mixing them up."
        )
    if missing:
        return (
            f"Give {code(tool)} its required {', '.join(code(name) for name in missing[:3])} in the same call; after "
            "a rejection, read the message before calling again."
        )
    if unexpected:
        return (
            f"Leave {', '.join(code(name) for name in unexpected[:3])} out of calls of {code(tool)}, or look up "
            "what replaced them."
        )
    named = f" of {', '.join(code(name) for name in wrong[:3])}" if wrong else ""
    return f"Read the schema of {code(tool)} once and correct the value{named} before calling it again."
