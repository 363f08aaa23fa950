"""The markdown of one aider chat, as events.

Lines that begin with `#### ` are the user's words and lines that begin with `> ` are aider's own: what it did, asked
and printed. Everything else is the model's. An edit block of the model is a call, and what aider says of it afterwards
is its result; so are the linter, the tests and the shell commands that aider runs on its own or on the model's
suggestion.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import Literal

from analyzer.formats.aider.edits import FENCES, Edit, edits_of, shown_in
from analyzer.formats.loading.interface import expressions_of, words_of
from analyzer.formats.record.reader import RecordReader
from analyzer.formats.record.usage import dollars
from analyzer.model.session import Session, Tokens, ToolCall
from analyzer.model.words import Ending

_SAYS = expressions_of(__file__)

Who = Literal["user", "tool", "model"]

_HEADER = words_of(__file__)["header"]


def chats_of(text: str) -> list[tuple[str, str]]:
    """The chats in a history file: when each was started (as written), and its lines."""
    _, *parts = _SAYS["started"].split(text)
    return list(zip(parts[::2], parts[1::2], strict=True))


def read_chat(body: str, session: Session) -> None:
    """Add one chat to the session."""
    reader = _Reader(session)
    for who, lines in _stretches(body):
        reader.stretch(who, lines)
    reader.close()


def _stretches(body: str) -> Iterator[tuple[Who, list[str]]]:
    """The lines in stretches of one speaker. Inside an edit block every line is the model's, whatever it begins
    with."""
    in_block = False
    spoken: list[tuple[Who, str]] = []
    for line in body.split("\n"):
        if in_block or line.startswith("<<<<<<< SEARCH"):
            in_block = not line.startswith(">>>>>>> REPLACE")
            spoken.append(("model", line))
        elif line.startswith("####") and line[4:5] in ("", " "):
            spoken.append(("user", line[5:].rstrip()))
        elif line == ">" or line.startswith("> "):
            spoken.append(("tool", line[2:].rstrip()))
        elif line.strip() or not spoken or spoken[-1][0] == "model":
            spoken.append(("model", line))
    for who, stretch in groupby(spoken, key=itemgetter(0)):
        yield who, [line for _, line in stretch]


class _Reader(RecordReader):
    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._open: list[tuple[ToolCall, Edit]] = []
        self._spoke = 0
        self._reply = ""
        self._said_ahead: bool | None = None
        self._ahead: tuple[Tokens, float | None] | None = None

    def stretch(self, who: Who, lines: list[str]) -> None:
        """Take in what somebody says. What aider printed are results of the model's edits first, then what it ran."""
        text = "\n".join(lines)
        if who == "tool":
            self._settle([line for line in lines if not self._noted(line)])
        elif text.strip():
            self._settle([])
            self.ended()
            if who == "user":
                self.heard(text.strip())
            else:
                self._model(text)

    def _model(self, text: str) -> None:
        self.answers += 1
        self._reply, self._spoke, said = text, len(self.session.events), 0
        self._count_ahead()
        for edit in edits_of(text):
            self.say(_without_frame(text[said : edit.start], edit.arguments["path"]).strip())
            said = edit.end
            self._open.append((self._call("edit", edit.arguments, f"reply-{self.answers}"), edit))
        self.say(_without_frame(text[said:], "").strip())

    def close(self) -> None:
        self._settle([])
        self._count_ahead()
        super().close()

    def _call(self, name: str, arguments: dict[str, str], batch: str | None = None) -> ToolCall:
        call = ToolCall(self.numbered("call-"), name, arguments, batch=batch)
        self.session.events.append(call)
        return call

    def _count(self, tokens: Tokens, dollars: float | None) -> None:
        """Count what an answer used: some versions say so before they write the answer down, others after."""
        self._count_ahead()
        if self._said_ahead is None:
            answer = self.session.events[self._spoke :]
            said = (isinstance(one, ToolCall) or getattr(one, "role", None) == "assistant" for one in answer)
            self._said_ahead = not any(said)
        if self._said_ahead:
            self._ahead = tokens, dollars
        else:
            self.meter.spent(tokens, dollars, since=self._spoke)

    def _count_ahead(self) -> None:
        """Count what was said of the answer that begins now."""
        if self._ahead is not None:
            self.meter.spent(*self._ahead)
            self._ahead = None

    def _noted(self, line: str) -> bool:
        """Whether the line is about the chat itself: its versions and models, or tokens and cost."""
        session = self.session
        if used := _SAYS["used"].match(line):
            sent, written, hit, received = (_number(part) for part in used.groups()[:4])
            self._count(Tokens(sent + hit + written, received, hit or None, written or None), dollars(used[5] or ""))
            self._spoke = len(session.events)
            return True
        for prefix, label in _HEADER.items():
            if line.startswith(prefix) and not self.users:
                value = line.removeprefix(prefix).strip()
                if label == "version":
                    session.agent_version = value.lstrip("v")
                elif label == "model":
                    session.model = session.model or value.partition(" with ")[0].partition(",")[0]
                else:
                    session.environment.setdefault(label, value)
                return True
        endings = ((_SAYS["limit"], Ending.LIMIT), (_SAYS["cancelled"], Ending.CANCELLED))
        if ending := next((ending for pattern, ending in endings if pattern.search(line)), None):
            self.ended(None, ending, line.strip())
        return False

    def _settle(self, lines: list[str]) -> None:
        """Give the open edits their results, and read what aider ran after them."""
        edits, self._open = self._open, []
        refused = next((number for number, line in enumerate(lines) if _SAYS["refused"].match(line)), len(lines))
        applied = [found[1].strip() for line in lines if (found := _SAYS["applied"].match(line))]
        notes, refusal = lines[:refused], lines[refused:]
        blocks = {found[1].strip() for line in refusal if (found := _SAYS["block_refused"].search(line))}
        named = {edit.arguments["path"] for _, edit in edits}
        others = list(dict.fromkeys(path for path in applied if path not in named))
        for call, edit in edits:
            path = edit.arguments["path"]
            meant = [one for one in others if not path or one.endswith(f"/{path}")]
            if path not in applied and len(meant) == 1:
                path = edit.arguments["path"] = meant[0]
            if refusal and (path in blocks or path not in applied):
                self.result(call.id, "\n".join(refusal).strip(), failed=True)
            elif path in applied:
                self.result(call.id, f"Applied edit to {path}", failed=False)
        named = {edit.arguments["path"] for _, edit in edits}
        for path in others:
            if path not in named:
                call = self._call("edit", shown_in(self._reply, path), f"reply-{self.answers}")
                self.result(call.id, f"Applied edit to {path}", failed=False)
        if refusal and not edits:
            self._harness(refusal)
        self._ran([line for line in notes if not _SAYS["applied"].match(line)])

    def _ran(self, lines: list[str]) -> None:
        """What aider ran: the linter, the tests (which it announces only afterwards, if they fail), a shell command."""
        aside: list[str] = []
        output: list[str] = []
        running: dict[str, str] = {}
        name = ""
        for line in lines:
            if asked := _SAYS["asked"].match(line):
                name = name or ("lint" if asked[1] == "lint" else "run_tests")
                self._result(name, running, output, failed=True)
                output, running, name = [], {}, ""
            elif _SAYS["lint"].match(line):
                self._result(name or "run_tests", running, output)
                output, running, name = [line], {}, "lint"
            elif (done := _SAYS["shell_done"].match(line)) or (not name and _SAYS["chatter"].match(line)):
                if done:
                    self._result(name or "bash", running, output)
                    output, running, name = [], {}, ""
                aside.append(line)
            elif (found := _SAYS["running"].match(line)) and not output:
                running, name = {"command": found[1].strip()}, "bash"
            elif _SAYS["shell_asked"].match(line):
                aside += [*output, line]
                output = []
            else:
                output.append(line)
        if name or _looks_run(output):
            self._result(name or "run_tests", running, output)
            output = []
        self._harness([*aside, *output])

    def _result(self, name: str, arguments: dict[str, str], output: list[str], *, failed: bool = False) -> None:
        text = "\n".join(output).strip()
        if name == "run_tests" and not _looks_run(output) and not failed:
            self._harness(output)
        elif text or arguments:
            linted = _SAYS["linter"].search(text) if name == "lint" else None
            call = self._call(name, {"command": linted[1]} if linted else arguments)
            result = self.result(call.id, text, failed=True if failed else None)
            result.exit_code = next((int(code) for code in reversed(_SAYS["code"].findall(text))), None)

    def _harness(self, lines: list[str]) -> None:
        self.note("\n".join(lines).strip())


def _without_frame(text: str, path: str) -> str:
    """The words around an edit block without the fence and the file name that belong to the block."""
    lines = text.strip().splitlines()
    while lines and (lines[-1].startswith(FENCES) or (path and lines[-1].strip("`*: ") == path)):
        lines.pop()
    if lines and lines[0].rstrip() in FENCES:
        lines = lines[1:]
    return "\n".join(lines)


def _looks_run(lines: list[str]) -> bool:
    """Whether the lines are the output of a program rather than a remark of aider's."""
    return sum(1 for line in lines if line.strip()) > 3 or any(_SAYS["code"].search(line) for line in lines)


def _number(text: str | None) -> int:
    digits = (text or "0").replace(",", "").rstrip(".").lower()
    unit = {"k": 1_000, "m": 1_000_000}.get(digits[-1:], 1)
    try:
        return int(float(digits.rstrip("km")) * unit)
    except (ValueError, OverflowError):
        return 0
