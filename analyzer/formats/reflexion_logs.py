"""Reflexion run logs: the question-answering runs as text, with every question's thoughts, actions and observations.

A file holds trials, a trial the questions in three groups: answered right, answered wrong, and halted without an
answer. Of a question that was answered right in an earlier trial only the question is left. The result lists of the
other environments (JSON) hold verdicts and reflections but no step.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from analyzer.formats.container.document import MISSING, Document
from analyzer.formats.loading.interface import FileLog, SessionsFormat, described, end_of, expressions_of, words_of
from analyzer.formats.record.fields import dict_of, list_of
from analyzer.formats.record.reader import RecordReader
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import Session

_HEAD = 2_000
_SAYS = expressions_of(__file__)
_ENDINGS = words_of(__file__)["endings"]


def _pieces(pattern: re.Pattern[str], text: str, stop: int | None = None) -> Iterator[tuple[re.Match[str], str]]:
    """The places of a pattern, each with the text from there to the next one."""
    found = list(pattern.finditer(text))
    ends = [*(one.start() for one in found[1:]), stop]
    return ((one, text[one.end() : end]) for one, end in zip(found, ends, strict=False))


class ReflexionLogs(SessionsFormat):
    """Reads every question of every trial as a session."""

    def sniff(self, document: Document) -> bool:
        """Whether a trial begins near the start of the text, or the document is a list of environments' results."""
        if document.value is not MISSING:
            return _is_result_list(document.value)
        head = document.opening(_HEAD)
        return "BEGIN TRIAL " in head and _SAYS["trial"].search(head) is not None

    def sessions(self, document: Document, _log: FileLog) -> Iterator[Session]:
        """The questions in file order."""
        if _is_result_list(document.value):
            raise UnreadableInput(
                "lists the results of Reflexion's environments, without any step.",
                where=document.name,
                hint="The steps are in the log of the same trial.",
                foreign=True,
            )
        for trial, part in _pieces(_SAYS["trial"], document.text):
            count = 0
            for group, questions in _pieces(_SAYS["group"], part):
                for question in _SAYS["question"].split(questions)[1:]:
                    count += 1
                    session = _session(question, f"trial-{int(trial[1])}/question-{count}")
                    session.recorded_status = group[1].lower()
                    session.ending, session.ending_detail = end_of(_ENDINGS, group[1])
                    yield session


def _is_result_list(value: object) -> bool:
    first = list_of(value)[:5]
    return bool(first) and all({"memory", "is_success"} <= dict_of(item).keys() for item in first)


def _session(text: str, session_id: str) -> Session:
    reader = RecordReader(Session(session_id, agent="Reflexion"))
    last = max((found.end() for found in _SAYS["step"].finditer(text)), default=0)
    answer = _SAYS["answer"].search(text, last)
    stop = answer.start() if answer else len(text)
    steps = list(_pieces(_SAYS["step"], text, stop))
    asked = text[: steps[0][0].start() if steps else stop]
    question, _, reflections = asked.partition("\nReflections:")
    reader.heard(_SAYS["retry_note"].split(question, maxsplit=1)[0].strip())
    reader.note(f"Reflections:{reflections.rstrip()}" if reflections.strip() else "")
    for step, piece in steps:
        body, ident = piece.strip(), f"action-{int(step[2])}"
        if step[1] == "Thought":
            reader.answers += 1
            reader.say(body, thought=True)
        elif step[1] == "Observation":
            reader.result(ident, body)
        elif called := _SAYS["call"].fullmatch(body):
            done = called[1] == "Finish"
            reader.call("", ident, called[1], {"answer" if done else "query": called[2]}).task_done = done
        else:
            reader.call("", ident, "unknown", body)
    return reader.closed()


FORMAT = described(__file__, ReflexionLogs)
