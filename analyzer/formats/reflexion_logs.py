"""Reflexion run logs: the question-answering runs as text, with every question's thoughts, actions and observations.

A file holds trials, a trial the questions in three groups: answered right, answered wrong, and halted without an
answer. Of a question that was answered right in an earlier trial only the question is left. The result lists of the
other environments (JSON) hold verdicts and reflections but no step.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from analyzer.formats.container.document import MISSING, Document
from analyzer.formats.loading.interface import FileLog, SessionsFormat, described, end_of, words_of
from analyzer.formats.record.fields import dict_of
from analyzer.formats.record.reader import RecordReader
from analyzer.model.errors import UnreadableInput
from analyzer.model.session import Session, ToolCall
from analyzer.model.struct import Struct
from analyzer.text.expressions import compiled

_HEAD = 2_000
_TRIAL = compiled(r"^BEGIN TRIAL (\d{1,9})$", re.MULTILINE)
_GROUP = compiled(r"^-{3,} BEGIN (CORRECT|INCORRECT|HALTED) AGENTS -{3,}$", re.MULTILINE)
_QUESTION = compiled(r"^Question: ", re.MULTILINE)
_STEP = compiled(r"^(Thought|Action|Observation) (\d{1,4}): ?", re.MULTILINE)
_ANSWER = compiled(r"^Correct answer: ?", re.MULTILINE)
_RETRY_NOTE = compiled(r"\s*You have attempted to answer following question before and failed\.")
_CALL = compiled(r"\s*(\w+)\[(.*)\]\s*", re.DOTALL)
_ENDINGS = words_of(__file__)["endings"]


class _Mark(Struct, frozen=True):
    start: int
    end: int
    word: str
    number: int


class ReflexionLogs(SessionsFormat):
    """Reads every question of every trial as a session."""

    def sniff(self, document: Document) -> bool:
        """Whether a trial begins near the start of the text, or the document is a list of environments' results."""
        if document.value is not MISSING:
            return _is_result_list(document.value)
        head = document.opening(_HEAD)
        return "BEGIN TRIAL " in head and _TRIAL.search(head) is not None

    def sessions(self, document: Document, _log: FileLog) -> Iterator[Session]:
        """The questions in file order."""
        if _is_result_list(document.value):
            raise UnreadableInput(
                "lists the results of Reflexion's environments, without any step.",
                where=document.name,
                hint="The steps are in the log of the same trial.",
                foreign=True,
            )
        text = document.text
        trials = list(_TRIAL.finditer(text))
        for number, trial in enumerate(trials):
            end = trials[number + 1].start() if number + 1 < len(trials) else len(text)
            yield from _trial(text[trial.end() : end], int(trial[1]))


FORMAT = described(__file__, ReflexionLogs)


def _is_result_list(value: object) -> bool:
    if not isinstance(value, list) or not value:
        return False
    return all("memory" in dict_of(item) and "is_success" in dict_of(item) for item in value[:5])


def _trial(text: str, trial: int) -> Iterator[Session]:
    groups = list(_GROUP.finditer(text))
    count = 0
    for number, group in enumerate(groups):
        end = groups[number + 1].start() if number + 1 < len(groups) else len(text)
        for part in _QUESTION.split(text[group.end() : end])[1:]:
            count += 1
            session = _session(part, f"trial-{trial}/question-{count}")
            session.recorded_status = group[1].lower()
            session.ending, session.ending_detail = end_of(_ENDINGS, group[1])
            yield session


def _session(text: str, session_id: str) -> Session:
    reader = RecordReader(Session(session_id, agent="Reflexion"))
    marks = [_Mark(found.start(), found.end(), found[1], int(found[2])) for found in _STEP.finditer(text)]
    answer = _ANSWER.search(text, marks[-1].end if marks else 0)
    stop = answer.start() if answer else len(text)
    asked = text[: marks[0].start if marks else stop]
    question, _, reflections = asked.partition("\nReflections:")
    reader.heard(_RETRY_NOTE.split(question, maxsplit=1)[0].strip())
    reader.note(f"Reflections:{reflections.rstrip()}" if reflections.strip() else "")
    for number, mark in enumerate(marks):
        body = text[mark.end : marks[number + 1].start if number + 1 < len(marks) else stop].strip()
        if mark.word == "Thought":
            reader.answers += 1
            reader.say(body, thought=True)
        elif mark.word == "Action":
            reader.session.events.append(_call(body, f"action-{mark.number}"))
        else:
            reader.result(f"action-{mark.number}", body)
    reader.close()
    return reader.session


def _call(action: str, call_id: str) -> ToolCall:
    found = _CALL.fullmatch(action)
    if found is None:
        return ToolCall(call_id, "unknown", action)
    key = "answer" if found[1] == "Finish" else "query"
    return ToolCall(call_id, found[1], {key: found[2]}, task_done=found[1] == "Finish")
