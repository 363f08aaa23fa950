"""The user's own sentences: a turn without the code, logs and mail that are pasted into it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from analyzer.text.late import late
from analyzer.text.markdown import without_fences
from analyzer.text.sentences import sentences as split

_LONGEST = 30_000
_REMEMBERED, _LONG_QUOTE = 64, 40
"""So many texts are remembered with what was made of them: several rules read each turn."""
_INLINE_FENCE = late(r"```[^`\n]{1,20000}```")
_HARNESS = late(
    r"<(?P<tag>system-reminder|environment_context|environment_details|user_instructions|ide_\w{1,30}"
    r"|local-command-\w{1,20}|command-\w{1,20}|task-notification|external_links|attached_files)\b[^>]{0,200}>.{0,20000}?</(?P=tag)>",
    re.DOTALL,
)
"""Blocks that editors and harnesses put around or beside what the user types."""
_EXAMPLE = late(
    r"^\W{3,40}START OF EXAMPLES?\W{3,40}$.{0,25000}?^\W{3,40}END OF EXAMPLES?\W{3,40}$", re.DOTALL | re.MULTILINE
)
"""A conversation that a harness shows as an example: nobody in this session said it."""
_MAIL = late(
    r"(?:(?<=:)\s*\n|^)(?:-{3,}|_{3,}|>{3,})?[ \t]*\n?(?:From|Sent|To|Subject|Date|Von|Betreff|De|Objet): "
    r"[^\n]{1,200}\n"
    r"(?:[^\n]*\n)*?(?:-{3,}[ \t]*$|\Z)",
    re.MULTILINE,
)
"""A mail that is pasted, from its headers up to a line of dashes or the end."""
_NOTICE = late(
    r"^\[(?:Request interrupted|Image|image|trimmed)[^\]\n]{0,200}\]|^/[\w:-]{1,40}\s*$|\(Y\)es/\(N\)o"
    r"|^###[A-Z]+###"
)
"""Lines that aren't sentences: notices, slash commands alone, a simulated user's signs, questions of a program that the
answer is attached to."""
_COMMAND = late(r"^\s*/[\w:-]{1,40}\s+(?=\S)")
"""A slash command in front of what is given to it."""
_INTERRUPTED = late(
    r"[\[(<]?(?:the )?(?:(?:request|turn|response|generation|operation|agent|task|run) )?(?:was )?"
    r"(?:interrupted|cancell?ed|aborted|stopped) by (?:the )?user(?: for [\w ]{1,30})?[\])>.]?",
    re.IGNORECASE,
)


def prose(text: str) -> str:
    """A turn without fenced blocks, quoted mail and what harnesses put in.

    A fence that is never closed hides nothing, and where a turn is all quotation, the quotation is what's said.
    """
    return _prose(text[:_LONGEST])


@lru_cache(maxsize=_REMEMBERED)
def _prose(text: str) -> str:
    asked = _EXAMPLE.sub("\n", text) if "END OF EXAMPLE" in text else text
    asked = _MAIL.sub("\n", asked) if "\n" in asked else asked
    kept = without_fences(_INLINE_FENCE.sub(" ", _HARNESS.sub("\n", asked))).splitlines()
    own = [line for line in kept if not line.lstrip().startswith(">") and not _quotes(line.strip())]
    if not any(line.strip() for line in own):
        own = [line.lstrip().lstrip(">") for line in kept]
    return "\n".join(_COMMAND.sub("", line) for line in own if _NOTICE.search(line.strip()) is None)


def _quotes(line: str) -> bool:
    """Whether a line is nothing but what somebody else said."""
    return len(line) > _LONG_QUOTE and line[0] in '"“' and line[-1] in '"”' and '"' not in line[1:-1]


def own_words(text: str) -> str:
    """A message without what editors and harnesses put around it, and, where it begins with a quotation, what the user
    says behind it. A quotation goes on to the next blank line. A message that is nothing else stays as it is."""
    text = (_HARNESS.sub("\n", text).strip() or text) if "</" in text else text
    if not text.lstrip().startswith(">"):
        return text
    rest: list[str] = []
    quoting = False
    for line in text.splitlines():
        quoting = line.lstrip().startswith(">") or (quoting and bool(line.strip()))
        if not quoting:
            rest.append(line)
    lazy = [line for line in text.splitlines() if not line.lstrip().startswith(">")]
    return "\n".join(rest).strip() or "\n".join(lazy).strip() or text


def is_command(text: str) -> bool:
    """Whether a message is a slash command of a program, alone or with what is given to it."""
    return _COMMAND.match(f"{text.lstrip()} -") is not None


def is_interruption(text: str) -> bool:
    """Whether a message is nothing but the program's notice that the user stopped the agent."""
    return _INTERRUPTED.fullmatch(text.strip()) is not None


def sentences(text: str) -> Iterator[str]:
    """The user's own sentences, without bullets and other marks at their beginning."""
    yield from _sentences(text[:_LONGEST])


@lru_cache(maxsize=_REMEMBERED)
def _sentences(text: str) -> tuple[str, ...]:
    return tuple(sentence.text for sentence in split(_prose(text)))
