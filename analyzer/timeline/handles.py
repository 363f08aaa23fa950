"""Which calls only bring the result of one before them: a command runs on behind its call, and what it printed and how
it ended come with a later call or message that names its shell, task, session or process, or that reads its output.

What joins them is that a later call names, as a handle, what an earlier result had named, however either is worded.
What came later belongs to the call that started the command; whoever asks for it only waits.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import pairwise

from analyzer.commands.harm import LEAVERS, left_as
from analyzer.commands.statements import LEFT_RUNNING, statements
from analyzer.commands.table import Does, does, file_act
from analyzer.failures.envelope import opened
from analyzer.failures.evidence import Reading
from analyzer.failures.layout import as_printed
from analyzer.failures.readers.harness import still_runs
from analyzer.failures.roles import last_part, same_file
from analyzer.model.action import Answer, Call, Command
from analyzer.model.session import Message
from analyzer.model.struct import Struct, field
from analyzer.model.words import Kind
from analyzer.text.late import late
from analyzer.text.names import names
from analyzer.text.plain import holds_any
from analyzer.timeline.calls.arguments import HANDLE_NAME

_HINTS = (*names("unning ackground sync tarted aunched ueued ubmitted pawned etached ccepted"), "new output")
"""Parts of the words by which a result may say that something runs on."""
_EDGE, _LONGEST_LINE, _LONGEST_OBJECT = 1_000, 400, 2_000
_FIRST_LINES, _LONG_ID = 5, 6
_WORK_IDS = ("job", "task", "run", "build", "operation", "execution")
"""What work is called that may wait for its turn."""
_SURE = late(
    r"\b(?:in|into|to|as) (?:a |the )?background\b|\bbackground (?:command|process|task|job)\b|\bstill running\b"
    r"|\basync\w*\b|\"(?:status|state)\"\s*:\s*\"(?:running|started|queued|pending)\""
    r"|\brunning (?:with|as|in|under)\b[^\n]{0,60}\b(?:session|shell|task|process|pid|terminal|cell)\b",
    re.IGNORECASE,
)
"""What says that something runs on, whether or not anybody asks for it later."""
_ID = late(
    r"\b(?:session|shell|task|process|job|command|terminal|background|handle|reference|ref|pid|id|as"
    r"|(?:[a-z]{1,20}_?)?(?:execution|operation|query|statement|run)(?=_?id\b))"
    r"(?:[ _-]?(?:id|pid))?\w{0,2}[\"']?"
    r"(?=(?P<mark>\s{0,3}[:=#]\s{0,3}[\"']?|\s{1,3}[\"'(#<]?)(?P<id>[\w./:-]{0,120}\w))",
    re.IGNORECASE,
)
_OUTPUT = late(
    r"\b(?:output|log|stdout)\b[^\n]{0,40}?[\s:=](?P<path>(?:/|[A-Za-z]:\\|\./)[^\s'\"<>|]{2,200}\w)", re.IGNORECASE
)
_STATES = late(
    r"(?:^|[{,])\W{0,4}(?:status|state)\"?\s{0,3}[:=]\s{0,3}\"?(?P<state>\w+(?:[ -]progress)?)",
    re.IGNORECASE | re.MULTILINE,
)
_STOPS = ("kill", "stop", "terminate", "cancel")
_ENDED = late(r"\b(?:finished|completed|exited|failed|ended|killed|done)\b", re.IGNORECASE)
_CODE = late(
    r"\b(?:exit(?:ed)?(?: with)?[ _](?:code|status)|return ?code|rc|ExecMainStatus)[:=]? ?(?P<code>-?\d{1,5})\b",
    re.IGNORECASE,
)
_WELL = late(r"\b(?:successful(?:ly)?|succeeded|with no errors?)\b", re.IGNORECASE)
_INTERRUPTS = ("\x03", "^C", "C-c", "ctrl+c")
_TAG = late(r"(?<![^\s>])<(?P<name>[\w-]{1,40})>")
_LONGEST_TAGGED = 20_000
_CODES = ("exit_code", "exitCode", "exit-code", "returncode")
_OUTPUTS = ("output", "stdout", "result", "stderr")
_BY_WORD = {"failed": 1, "error": 1, "completed": 0, "success": 0, "succeeded": 0}
"""The exit code that the word for a status says."""
_GOES_ON = frozenset({"running", "queued", "started", "in_progress", "in progress", "in-progress", "pending"})
"""The words for a status of work that isn't done."""
_TOKEN = late(r"[\w./:-]*\w")
_NOWHERE = frozenset({"/dev/null", "nul"})
_WAITED = frozenset({"wait", "inspect"})
_TELLS = Does.UNSTEADY | Does.REMOTE
_UNENDED = -1
"""The exit code that a tool gives to what hasn't ended."""
_ASKS = frozenset({Kind.WAIT, Kind.OTHER})
_SHOWS = frozenset({Kind.READ, Kind.SEARCH, Kind.WAIT})
_MOST_VALUES = 50


class Late(Struct):
    """What came later of a `call`: its `first` result as it stands, the later texts, the exit code, whether any of it
    was `asked` for, whether the end is known and when (seconds since 1970) it was, whether it was `stopped` before."""

    call: Call
    first: str
    texts: list[str] = field(default_factory=list)
    exit_code: int | None = None
    asked: bool = False
    ended: bool = False
    ended_at: float | None = None
    stopped: bool = False

    @property
    def text(self) -> str:
        """All that is known of what the command printed, with what the harness says of it where its end isn't known."""
        texts = [_without_notes(self.first) if self.ended else self.first, *self.texts]
        return "\n".join(text.strip("\n") for text in texts if text.strip())

    @property
    def unended(self) -> str | None:
        """Why nothing is known of how it ended; None where it is."""
        if self.ended:
            return None
        if self.stopped:
            return "it ran in the background and was stopped before it ended"
        if self.asked or self.texts or _without_notes(self.first).strip():
            return "it ran in the background, and its end is not recorded"
        return "it was started in the background, and no result of it is recorded"


class Poll(Struct, frozen=True):
    """A call whose answer belongs to another: the one that started what it asks for, and whether it stopped that."""

    started: Call
    stopped: bool


class Handles:
    """Follows the calls of a session in order and keeps what runs on behind them."""

    def __init__(self) -> None:
        self._named: dict[tuple[str, str], Late] = {}
        self._written: defaultdict[tuple[str, str], list[tuple[str, Late]]] = defaultdict(list)
        """What writes into a file, by the lane and the last part of its path."""
        self._chosen: dict[tuple[str, str], Late] = {}
        """What a command line runs behind it under a name that it gives."""
        self._busy: dict[str, Late] = {}
        """What keeps a terminal without a name busy, until the next call of the lane."""
        self.late: dict[tuple[str, int], Late] = {}
        """What came later of a call, by its place."""
        self._started: dict[tuple[str, int], Call] = {}
        """The call to which the answer of another belongs, by the place of that one."""

    def hear(self, message: Message) -> None:
        """Take a message of the harness, which may bring what a command printed in the end."""
        if not self._named or message.role == "assistant" or _ENDED.search(message.text[:_EDGE]) is None:
            return
        least = _LONG_ID if message.role == "user" else 3  # a person may speak of a number
        for found in _TOKEN.finditer(message.text[: 2 * _EDGE]):
            known = self._named.get((message.lane, found[0])) if len(found[0]) >= least else None
            if known is None or known.ended:
                continue
            said = message.text[found.end() :]
            (text, tagged_code), code = _tagged(said), _CODE.search(said)
            known.texts.extend(text for text in (_without_notes(text),) if text.strip())
            well = 0 if _WELL.search(said[:_EDGE]) else tagged_code
            known.exit_code = int(code["code"]) if code is not None else well
            known.ended, known.asked = known.exit_code is not None, True
            known.ended_at = message.time
            self.late[known.call.place] = known

    def poll(self, place: tuple[str, int]) -> Poll | None:
        """What the call at a place asks for; None where its answer is its own."""
        started = self._started.get(place)
        return Poll(started, self.late[started.place].stopped) if started is not None else None

    def take(self, call: Call, answer: Answer) -> None:
        """Take the next call with its answer."""
        text = answer.text
        if text is None or answer.blanked:
            return
        busy = self._busy.pop(call.lane, None)
        named = self._asked_for(call, busy)
        known = named or self._read(call)
        if known is not None and (answer.exit_code is not None or not answer.is_error):
            self._bring(known, call, answer, text, named=named is not None)
            if known is busy and not known.ended:
                self._busy[call.lane] = known
        elif call.operation.command:
            self._start(call, call.operation.command, answer, text)
        elif len(text) <= _LONGEST_OBJECT and (state := _state_of(text)) in _GOES_ON:
            marked = (found for found in _ID.finditer(" ".join(text.split())) if found["mark"].strip())
            given = [found["id"] for found in marked if found.group()[:2].lower() != "id"]  # a machine has one, too
            given = [] if state == "pending" and not holds_any(text.lower(), _WORK_IDS) else given
            self._named.update({(call.lane, name): Late(call, text) for name in given[:1]})

    def _asked_for(self, call: Call, busy: Late | None) -> Late | None:
        """What a call that runs nothing of its own asks for: what it names as a handle, else what keeps the terminal
        busy."""
        if not self._named and busy is None:
            return None
        asks = call.operation.kind in _ASKS or _interrupts(call)
        runs = call.operation.command and not _interrupts(call)
        if runs or not asks or call.task_done:
            return None
        given = (self._named.get((call.lane, value)) for value in _handles_in(call.arguments))
        known = next((known for known in given if known is not None), None)
        goes_on = busy is not None and (
            call.operation.kind is Kind.WAIT or call.tool == busy.call.tool or not call.arguments
        )
        return busy if known is None and goes_on else known

    def _read(self, call: Call) -> Late | None:
        """What writes into a file that a call shows, by a tool or by a command, or what a command names that runs."""
        words = [word for command in call.operation.commands for word in command.args]
        for command in call.operation.commands if self._chosen else ():
            for word in command.args if does(command.program, command.args) & _TELLS else ():
                known = self._chosen.get((call.lane, word.removesuffix(".service")))
                if known is not None:
                    return known
        if not self._written or call.operation.kind not in _SHOWS:
            return None
        for path in (call.operation.path, *words):
            for written, known in reversed(self._written.get((call.lane, last_part(path)), ()) if path else ()):
                if path and same_file(path, written):
                    return known
        return None

    def _start(self, call: Call, command: str, answer: Answer, text: str) -> None:
        behind = LEFT_RUNNING.search(command.rstrip()) is not None if "&" in command else False
        chosen = left_as(command) if holds_any(command, LEAVERS) else set()
        behind = behind or bool(chosen) or any(map(_detaches, call.operation.commands))
        notes = _notes(text)
        if not (behind or notes or answer.handle):
            return
        sure = behind or answer.handle is not None or any(_SURE.search(line) or still_runs(line) for line in notes)
        named = (found for line in notes for found in _ID.finditer(line))
        ids: set[str] = {found["id"] for found in named if not (found["mark"].isspace() and found["id"].isalpha())}
        if answer.handle is not None:
            ids.add(answer.handle)
        ended = answer.exit_code not in (None, _UNENDED) and not behind
        shows = call.operation.kind in _SHOWS and not (behind or answer.handle)
        if shows and not any(still_runs(line, bracketed=True) for line in notes):
            return
        if ended and (shows or _without_notes(text).strip()):
            return
        known = Late(call, text)
        paths = [found["path"] for line in notes for found in _OUTPUT.finditer(line)]
        for path in [*paths, *(_outputs(call) if behind else ())]:
            self._written[call.lane, last_part(path)].append((path, known))
        self._named.update({(call.lane, name): known for name in ids})
        self._chosen.update({(call.lane, name): known for name in chosen})
        busy = not (ids or paths) and bool(notes) and still_runs(notes[-1])
        if busy:
            self._busy[call.lane] = known
        if (sure and (ids or paths)) or behind or busy:
            self.late[call.place] = known

    def _bring(self, known: Late, call: Call, answer: Answer, text: str, *, named: bool) -> None:
        """Give what a later call shows to the call that started it; once its end is known, nothing changes it."""
        started = known.call
        self._started[call.place] = started
        self.late[started.place] = known
        if known.ended and len("".join(known.texts)) > _LONGEST_LINE:
            return
        quoted, tagged_code = _tagged(text)
        printed = as_printed(_without_notes(quoted), shown=False, numbered=False, keeps_numbers=False)
        if printed.strip() and printed not in (known.first, *known.texts):
            known.texts.append(printed)
        if known.ended:
            return
        known.asked = True
        known.stopped = named and (holds_any(call.tool.lower(), _STOPS) or _interrupts(call))
        runs = answer.handle is not None or _state_of(text) in _GOES_ON or bool(_notes(text))
        seen = None if named or runs else _code_shown(started, call, text)
        if seen is not None:
            known.exit_code, known.ended = seen, True
        elif named and not known.stopped and not runs:
            shown = opened(Reading(text, started.operation, started.tool, answer.exit_code))[0]
            known.exit_code = shown.exit_code if shown.exit_code is not None else tagged_code
            if known.exit_code is None and (code := _CODE.search(text[:_LONGEST_LINE])) is not None:
                known.exit_code = int(code["code"])
            known.ended = known.exit_code is not None
            known_time = call.started_at is not None and answer.duration is not None
            known.ended_at = (call.started_at or 0.0) + (answer.duration or 0.0) if known_time else answer.time


def _code_shown(started: Call, call: Call, text: str) -> int | None:
    """The exit code that a look at what runs shows: the last word of its log, what a command waits for, or what is
    in a file into which the line that started it wrote the code."""
    lines = text.split("\n")
    words = {word for command in call.operation.commands for word in command.args}
    kept = (made for made in statements(started.operation.command or "") if "$?" in made.text)
    asked = not words.isdisjoint(_WAITED) or any(path.target.text in words for made in kept for path in made.writes)
    bare = [int(line) for line in (lines[0], lines[-1]) if line.strip().isdigit() and len(line) <= 3] if asked else []
    code = _CODE.search(text if len(text) <= _LONGEST_LINE else text.rstrip().rpartition("\n")[2])
    return bare[0] if bare else int(code["code"]) if code is not None else None


def _interrupts(call: Call) -> bool:
    """Whether a call sends the key that interrupts what runs."""
    values = call.arguments.values() if isinstance(call.arguments, Mapping) else ()
    return any(isinstance(value, str) and value.strip(" \n") in _INTERRUPTS for value in values)


def _detaches(command: Command) -> bool:
    """Whether a program leaves another one running."""
    return file_act(command.program) == "detach" and not any(
        word.lower() in ("-wait", "/wait") for word in command.args
    )


def _tagged(text: str) -> tuple[str, int | None]:
    """What a harness quotes of a command's output and the exit code it gives, where its tags say how the command ended;
    else all of the text, and None."""
    if (text.lstrip()[:1] == "{" or _ID.match(text.lstrip()) is not None) and (state := _state_of(text)):
        return text, _BY_WORD.get(state)
    end = text[-_LONGEST_TAGGED:]
    spans = ((found["name"], found.end(), end.find(f"</{found['name']}>", found.end())) for found in _TAG.finditer(end))
    tags = {name: end[start:stop] for name, start, stop in spans if stop >= 0}
    code = next((tags[name].strip() for name in _CODES if name in tags), "")
    if not code and "status" not in tags:
        return text, None
    quoted = "\n".join(tags[name] for name in _OUTPUTS if name in tags)
    return quoted, int(code) if code.lstrip("-").isdigit() else _BY_WORD.get(tags.get("status", "").strip().lower())


def _state_of(text: str) -> str:
    """The first word with which a text says how far some work has got; an empty text where it says nothing of it."""
    found = _STATES.search(text)
    return found["state"].lower() if found is not None else ""


def _handles_in(arguments: Mapping[str, object] | str) -> Iterator[str]:
    """The values of arguments that are named like handles, also within lists and objects."""
    level: list[tuple[str, object]] = [*arguments.items()][:_MOST_VALUES] if isinstance(arguments, Mapping) else []
    for name, value in level:
        if isinstance(value, Mapping):
            level.extend([*value.items()][: max(0, _MOST_VALUES - len(level))])
        elif HANDLE_NAME.search(str(name)) is not None:
            values = value if isinstance(value, list) else [value]
            yield from (str(one).strip() for one in values[:_MOST_VALUES] if type(one) in (str, int))


def _outputs(call: Call) -> Iterator[str]:
    """The files into which a command in the background writes what it prints."""
    operation = call.operation
    yield from (path for path in operation.writes if path.casefold() not in _NOWHERE)
    for command in operation.commands:
        if file_act(command.program) == "keep-input":
            yield from (word for word in command.args if not word.startswith("-"))
        elif _detaches(command):
            yield from (word for option, word in pairwise(command.args) if option.lower().startswith("-redirect"))
    words = (operation.command or "").split() if not operation.writes else ()
    if any(file_act(word) == "keep-output" for word in words):
        yield "nohup.out"


def _notes(text: str) -> list[str]:
    """The first lines and the last one of a result, and all of a short object, where they may say that something runs
    on."""
    ends = text if len(text) <= 2 * _EDGE else f"{text[:_EDGE]}\n{text[-_EDGE:]}"
    if not holds_any(ends, _HINTS):
        return []
    if text.lstrip()[:1] == "{" and len(text) <= _LONGEST_OBJECT:
        return [" ".join(text.split())]
    lines = [line.strip() for line in ends.splitlines() if line.strip()]
    headed = [line for line in lines[1:_FIRST_LINES] if _SURE.search(line) is not None and _ID.search(line) is not None]
    edges = dict.fromkeys((*lines[:1], *headed, *lines[-1:]))
    return [line for line in edges if len(line) <= _LONGEST_LINE and holds_any(line, _HINTS)]


def _without_notes(text: str) -> str:
    """A result without the lines in which a harness says that a command runs on."""
    notes = [line for line in _notes(text) if _SURE.search(line) is not None or still_runs(line)]
    if not notes:
        return text
    if text.lstrip()[:1] == "{":
        return ""
    return "\n".join(line for line in text.splitlines() if line.strip() not in notes)
