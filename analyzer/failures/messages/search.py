"""Find known error messages in text: of shells, of well-known programs, and of agents' own tools.

The exit codes that a text names: above an output, in the heading or below it, as harnesses write them, and on lines
that a command line itself has printed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise

from analyzer.failures.messages.tables import TOOLS, Message, Row, Table
from analyzer.text.late import late
from analyzer.text.plain import holds_any

_FIRST_LINE = late(
    r"\A(?P<heads>(?:(?:[A-Z][\w ]{2,20}: [^\n]{0,300})?\n){0,5}?)[^\S\n]*(?:\[?(?:[Ee]xit(?:_| )[Cc]ode:?"
    r"|(?:The )?(?:[Pp]rocess|[Cc]ommand|[Ss]cript|[Cc]ode|[Pp]rogram)\b[^\n]{0,40}? (?:exited|failed|finished)"
    r" with (?:\w+ )?(?:exit )?code:?) "
    r"?(?P<code>-?\d{1,10})\b\]?[.:]?[^\S\n]*(?:\n|\Z)|<(?:returncode"
    r"|exit_code)>(?P<tagged>-?\d{1,10})</(?:returncode|exit_code)>[^\S\n]*(?:\n|\Z))"
)
_HEAD, _END = 400, 300
_LAST_LINE = late(
    r"(?:\A|\n)\W{0,3}(?:(?:The )?(?:command|process|program|script|shell|task)\b[^\n]{0,60}? (?:exited|finished"
    r"|completed|failed|terminated|ended|returned)(?: [^\n]{0,30}?)?(?:with )?(?:non-zero )?(?:exit )?(?:code"
    r"|status):? ?(?P<code>-?\d{1,10})\b|exit(?:ed)?(?: with)?[ _](?:code|status)[:=]? "
    r"?(?P<plain>-?\d{1,10})\b)[^\n]{0,20}(?:\n(?-i:[A-Z])[\w ]{2,20}: [^\n]{0,40}){0,2}\s*\Z",
    re.IGNORECASE,
)
"""The lines above and below an output by which harnesses name its exit code."""
_HINTS = ("xit", "returncode", "eturned", "inished", "ailed", "erminated", "nded", "ompleted")
_CODE_ECHOED = late(
    r"\W{0,6}(?:[\w.-]{1,30}[ _-]{1,2})??(?:exit|rc|ret|retval|status|code|returned|result)[ _]?(?:code|status|was"
    r"|is)?\W{1,4}(?P<code>\d{1,3})\W{0,5}$",
    re.IGNORECASE,
)
"""A line such as `EXIT=1`, `exit code: 0`, `--- rc=2 ---`."""
_SURELY = late(r"(?:EXIT|RC|exit|rc)(?:[_ ]?(?:CODE|STATUS|code|status))?[=:]")
_TRAILER = late(
    r"\W{0,3}(?:(?:the )?(?:command|process|script|program|task) )?(?:(?:has |was )?(?:exit|return|fail|finish|complet)"
    r"(?:ed|s)?)(?: with)?(?: (?:an?|non-?zero|error|exit|code|status))*:?[\s`'\"]{0,3}-?\d{1,3}\W{0,3}",
    re.IGNORECASE,
)
"""A line that does no more than name an exit code."""


def named_code(text: str) -> tuple[str, int | None]:
    """The exit code that a line above or below an output names; the line above it is taken off."""
    head = text[:_HEAD]
    if holds_any(head, _HINTS) and (first := _FIRST_LINE.match(text)) is not None:
        return text if first["heads"].strip() else text[first.end() :], int(first["code"] or first["tagged"])
    if holds_any(text[-_END:], _HINTS) and (last := _LAST_LINE.search(text[-_END:])) is not None:
        before = text[: max(0, len(text) - _END) + last.start()]
        return (text if before.strip() else before), int(last["code"] or last["plain"])
    return text, None


def echoed_code(line: str, *, asked: bool = True, bare: bool = False) -> int | None:
    """The exit code that a line such as `EXIT=1` or `--- rc=2 ---` gives; with `bare` a number alone will do. Unless
    somebody `asked` for it, only a line that can't mean anything else is one."""
    if bare and len(line) <= 3 and line.isdecimal():
        return int(line)
    found = _CODE_ECHOED.match(line) if asked or _SURELY.match(line) else None
    return int(found["code"]) if found is not None else None


TASK = r"(?:task|target|recipe|script|command|job|step|stage|session)"
WORK = r"(?:build|compilation|compile|packaging|bundling|evaluation|type ?check|lint)"
"""What is done for another, and what a program does: either may have failed, and not be why."""
_OUTER = late(
    r"^(?:\[?[\w.@/:-]{1,60}(?:\]|:|\]:| \|) ){0,2}?(?:(?:\w{1,30}\[\d+\]|_\w{1,30})?[$>] "
    r"|make(?:\[\d+\])?: \*\*\* (?:\[|Waiting|[^\n]{0,200} Error \d)|See also|Process (?:exited|finished)"
    r"|npm (?:ERR!|error) (?:code|errno|path|command|A complete log|Lifecycle|Exit status|Failed at|workspace|\S+@)"
    r"|ELIFECYCLE|-- Configuring incomplete|\[end of |\d{1,6} of \d{1,6} [A-Z]+ |completed with \d{1,6} errors?\b"
    r"|(?:exit|fail)(?: code)? \d{1,3} \("
    r"|failed to (?:start|run|build|complete) [^\s:'\"`]+(?: [^\s:'\"`]+){0,3}(?: - [^\n:]+)?$"
    rf"|(?:the )?{WORK} (?:has )?failed\b\W{{0,6}}(?:\([^()]{{1,40}}\))?$"
    r"|(?:[\d:+ -]{1,30}: )?(?:(?:test files? {1,9})?(?:\W?\d{1,6} \w{1,15}\W{1,3}){0,4}"
    r"(?:some|\W{0,3}\d{1,6}(?:(?: of |/)\d{1,6})?)(?: \w{1,20})?|tests?|checks?) "
    r"(?:failed|failures?|ended in an error)\b(?:[^a-z\n]{1,9}\d{1,6} \w{1,15}){0,4}(?: in [\d.]{1,9}\w{0,2})?"
    r"(?:[^a-z]*|[^\n]{1,40}:)$)"
    r"|^\W{0,4}(?:[\w ]{1,20}: ){0,2}exit (?:code|status):? ?\d+\b"
    rf"|^\W{{0,4}}(?:\[?error\W{{1,3}})?(?:{TASK}|process|hook) (?:for )?\S* ?(?:failed|exited)\b"
    r"|^\W{0,4}(?:error in \S+(?: \d[\d:-]*)?|\w+ error in (?:\w+ ){0,2}\(?\S+\))$"
    r"|\b(?:exited|halting|returned|failed|finished|completed?|terminated|ended)\b[^\n]{0,50}\b(?:code|status|value)\b\W{0,4}"
    r"-?\d{1,10}(?:/[A-Z]{1,20})?\W{0,4}(?:</\w{1,20}>)?$|\bexited \(\d{1,3}\)$"
    r"|\[(?:setup|build) failed\]$|^\S+ aborted!$"
    r"|\b(?:encountered an error|errors? (?:has |have )?(?:occurred\b(?!: ?\w)|been (?:logged|printed))"
    r"|did not complete successfully|lifecycle script"
    r"|(?:command|planning|compilation|linking) failed|subprocess-exited|generation-failed"
    r"|failed (?:to (?:compile|solve)|with (?:an? )?(?:exit|error|exception|result)))\b",
    re.IGNORECASE,
)
"""Lines that say no more than that something below them failed."""
_SAYS_NOTHING = late(
    r"(?:#{1,6} |(?:current )?command: |To [^\n,]{3,100}, (?:add|run|use|see|try|set|pass|install)\b"
    r"|(?:Try|Run|See|Consider|Use|Did you mean|For more|For help|hint:|help:"
    r"|note:)\b|\[?WARN(?:ING)?\b|\[?\w{0,40}\]? ?Warning: |(?:> ?)?\d{1,6} [│|])",
    re.IGNORECASE,
)
"""Hints, warnings and the numbered lines of source that a tool shows around an error."""
_LOGGED = late(
    r"(?P<stamp>[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d [\w.-]{1,60} [\w./-]{1,60}\[\d{1,9}\]: )?"
    r"\W{0,2}(?:[\d:/.,TZ+ -]{8,40}\W{0,3})?(?P<level>level=(?:info|debug|trace)\b|(?:INFO|DEBUG|TRACE|NOTICE)\b)?"
)
"""What a log puts before a line: when and by whom it was said, and the level of one that tells of no error."""
_SAID = late(r"(?:(?:fatal|error): )?(?P<program>[\w.+-]{2,30}): \S")
_PASSING = late(
    r"\b(?:pass(?:ed|es)?(?! (?:to|into|in|by|as|through|from|on)\b)|ok|success(?:ful(?:ly)?)?)\b", re.IGNORECASE
)
_SHARP = late(
    r"\b(?:error|fatal|cannot|can't|could not|failed|failure|undefined|unknown|invalid|missing|not found|denied"
    r"|refused|(?:does|did)(?: not|n't))\b"
    r"|^expected\b[^:\n]{0,30}: {0,4}\S|\bexpected [^\n]{1,80} to (?:be|equal|contain|match|have)\b|\bexceeded\b"
    r"|^no (?!(?:[\w-]{1,30} ){0,3}(?:errors|issues?|problems?|warnings?|violations?|vulnerabilit\w+"
    r"|offen[cs]es|changes|differences|conflicts|failures)\b)"
    r"(?:[\w-]{1,30} ){1,4}(?:is|are|was|were|for|in|at|on|available|matching|set|given|found)\b",
    re.IGNORECASE,
)
_TYPED = late(r"(?:[Ee]rror: )?(?:[\w.]{1,60}\.)?(?P<type>[A-Z]\w{2,60}(?:Error|Exception)): (?P<said>\S[^\n]*)")
_OF_SYSTEM = late(r"(?:\b[Ee]rror: (?:[^\n]{0,80}\W)?|^)E(?!RRORS\b)[A-Z]{3,15}\b|\bHTTP(?:/\d(?:\.\d)?)? ?[45]\d\d\b")
"""An error with a name of its own, of the system, of a service or of a program, which says more than a line that
something failed."""
_MARKED = late(
    r"^\S+: (?:-c: )?line \d+: |^(?-i:X) [A-Z]"
    r"|^[^\w\n]{0,6}(?:\S{1,200}: |[\w.#\d -]{0,20}\W)?(?:error|fatal|panic|exception)\b[^:\n]{0,40}:\s?(?!\(none\))\S",
    re.IGNORECASE,
)
"""A line that is marked as an error."""
_THING = late(r"['\"`‘“][^'\"`\n]{2,80}['\"`’”]|(?<![\w-])[\w-]{1,80}(?:[./\\:]|==)\w|\b\w{1,80}_\w|\b[a-z]{1,80}[A-Z]")
"""What is named by a literal, a path or an identifier."""
_LETTERS = late(r"[A-Za-z]{2}")
_LONGEST_SHARP, _FEW_WORDS = 400, 2
_ECHOED = late(r"^\++ (?:\w+=|[\w./\[:-]+(?: |$))")
"""A command that a shell prints before it runs it (`set -x`): what it says is no message."""
_PREFIX = late(r"(?:error|failed|failure):\s{0,4}(?=\S)", re.IGNORECASE)
"""What tools put before the sentence that says what is wrong."""
VAGUE = frozenset({"Error", "UsageError", "Rejected", "Failed", "ServiceError", "InvalidArguments"})
"""Types of messages that count at the start only."""


def first_of(rows: Table, text: str) -> Message | None:
    """The first message of any row of a table in `text`."""
    found = [(match, row) for row in rows.candidates(text) if (match := row.pattern.search(text)) is not None]
    if not found:
        return None
    first, row = min(found, key=lambda one: one[0].start())
    groups = first.groupdict()
    shown = (groups.get("detail") or first.group()).strip()
    return Message(row.kind, row.type, shown, groups.get("subject"), first.start())


def at_start(text: str, *, anywhere: bool = True) -> Message | None:
    """What an agent's own tool says at the start of its result, or None. In a short result the message may come after
    what the tool's helpers complained about, unless `anywhere` is False: a text that is shown may quote it."""
    head = text.lstrip().removeprefix("[").removeprefix("(")[:1_500]
    bare = _PREFIX.sub("", head, count=1)
    for row in _of_tools(head):
        found = row.pattern.match(head) or (row.pattern.match(bare) if bare != head and row.type not in VAGUE else None)
        if found is None and anywhere and len(text) < 1_500 and row.type not in VAGUE:
            found = row.pattern.search(head)
        if found:
            groups = found.groupdict()
            return Message(row.kind, row.type, (groups.get("detail") or found.group()).strip(), groups.get("subject"))
    return None


@lru_cache(maxsize=8)
def _of_tools(head: str) -> list[Row]:
    """The rows that may match a head: several readers ask for the same one's message."""
    return TOOLS.candidates(head)


_ADVICE = late(r"(?:Try|Run|See|Consider|Use|For more|For help)\b", re.IGNORECASE)
"""How advice begins, which may take several lines; a warning has one."""
_ENDS = ".:;!?)"
"""What a sentence ends with that doesn't go on in the next line."""
_SHORTEST_WRAPPED = 40
"""Characters of a line that a program wraps."""
_ITEMS = ("- ", "* ", "• ")


def sharpest_line(text: str, command: str = "", *, last: bool = True) -> str:
    """The line that says most about why something failed: the telling one, otherwise a warning that says what there is
    none of, otherwise the last line that isn't a wrapper saying that something else failed, or the first if not
    `last`."""
    lines = _said(text)
    telling = _telling(lines, command)
    rest = telling or [line for line in lines if not _TRAILER.fullmatch(line)] or lines
    specific = [line for line in rest if line[-1] != ":"] or rest  # what only announces says least
    return _best(telling, command) or next(iter(specific[:: -1 if last else 1]), "")[:500]


def telling_line(text: str, command: str = "") -> str | None:
    """The line that says why something failed: what one of the command's own programs says, an HTTP error, or the
    first that speaks of an error and isn't a wrapper saying that something else failed, or else what a program says
    right above such a wrapper; None where no line does. What the command itself prints (`echo`), hints, warnings and
    lines of source code say nothing."""
    lines = _said(text)
    telling = _telling(lines, command)
    above = (line for line, below in pairwise(lines) if line in telling and is_outer(below))
    return _best(telling, command) or next(
        (line for line in above if line.count(" ", line.find(": ")) > _FEW_WORDS), None
    )


_FAILED_FOR = late(
    r"^[ \t]*(?:[✗✘✖×❌][ \t]+(?![^\n]*\d m?s\)$)[^\n]{1,200}: |\S{1,200}:\d{1,6}: ?[\w.]{1,99}: ?FAIL: )[^\n]{1,300}$",
    re.MULTILINE,
)


def failed_for(text: str) -> str | None:
    """The first line by which a test says by name that it failed, and why."""
    found = _FAILED_FOR.search(text)
    return " ".join(found[0].split()) if found is not None else None


def _said(text: str) -> list[str]:
    """The lines that say something; the first item of a list stands with the line that announces it."""
    lines: list[str] = []
    for line in text.splitlines():
        logged = _LOGGED.match(line)
        bare = line[max(0, logged.end("stamp")) :].strip() if logged is not None else ""
        if not any(map(str.isalnum, bare)) or (logged is not None and logged["level"]):
            continue
        if lines and lines[-1][-1] == ":" and bare[:2] in _ITEMS:
            lines[-1] += f" {bare[2:]}"
        else:
            lines.append(bare)
    return lines


def _telling(lines: list[str], command: str) -> list[str]:
    telling = [
        line
        for line in _without_hints(lines)
        if not _OUTER.search(line)
        and not _TRAILER.fullmatch(line)
        and not _PASSING.search(line)
        and not _ECHOED.match(line)
        and not (len(line) > 3 and line in command)
    ]
    if any(line[0] not in "{[" for line in telling):
        telling = [line for line in telling if not (line[0] in "{[" and line[-1] in "}]")]
    return telling


def _best(telling: list[str], command: str) -> str | None:
    """The line that says most: of those that speak of an error the most specific one, and of equals the first."""
    programs = {word.rsplit("/", 1)[-1] for word in re.findall(r"[\w./+-]+", command)}
    for line in telling:
        if (said := _SAID.match(line)) is not None and said["program"] in programs:
            return line[:500]
    drawn = (
        " ".join(line.replace("█", " ").split()) if "█" in line and _LETTERS.search(line) else line for line in telling
    )
    best = max((line for line in drawn if len(line) < _LONGEST_SHARP), key=specificity, default="")
    return best[:500] if specificity(best) > 0 else None


def specificity(line: str) -> int:
    """How much a line says of an error: whether it's marked as one or speaks of one, how many things it names, and
    whether it says no more than that something failed; 0 or less for a line that speaks of no error."""
    marked = _TYPED.match(line) or _OF_SYSTEM.search(line) or _MARKED.search(line)
    spoken = 4 if marked else 2 if _SHARP.search(line) else 0
    if not spoken or line.isalnum():  # one word alone is a value that was printed
        return int(bool(spoken)) - int(line[-1:] == ":")
    return spoken + int(_THING.search(line) is not None) - int(line[-1] == ":")


def is_outer(line: str) -> bool:
    """Whether a line says no more than that a command, a process or a task failed, and not why."""
    return _OUTER.search(line) is not None


def typed_error(line: str) -> tuple[str, str] | None:
    """The type and the message of a line that is an exception as programs print it."""
    found = _TYPED.fullmatch(line)
    return (found["type"], found["said"]) if found is not None else None


def _without_hints(lines: Iterable[str]) -> Iterator[str]:
    """The lines without those that say nothing, and without those that go on with a sentence of advice."""
    goes_on = False
    for line in lines:
        if _SAYS_NOTHING.match(line) or (goes_on and line[0].islower()):
            wraps = line[-1] not in _ENDS and len(line) > _SHORTEST_WRAPPED
            goes_on = wraps and (goes_on or _ADVICE.match(line) is not None)
        else:
            goes_on = False
            yield line
