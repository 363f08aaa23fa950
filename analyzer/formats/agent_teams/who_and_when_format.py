"""The Who&When data set: failed runs of agent teams, with the message at which people say that the failure was made.

One half holds dialogues of a Magentic-One team, the other half group chats in which one member runs the code that the
others write. Neither has tool calls; what one member has another one do is read as a call.
"""

from __future__ import annotations

from typing import Any

from analyzer.formats.agent_teams.magentic_one_format import final_answer, is_orchestrated, read_dialogue
from analyzer.formats.container.document import Document
from analyzer.formats.loading.interface import ObjectFormat, described, expressions_of, words_of
from analyzer.formats.loading.mapping.values import string_at
from analyzer.formats.record.fields import str_or_none, text_of
from analyzer.formats.record.reader import RecordReader
from analyzer.model.session import Expected, ExpectedAnswer, Message, Session, ToolCall
from analyzer.model.words import Ending, Mark
from analyzer.text.clip import clip

_WORDS = words_of(__file__)
_SAYS = expressions_of(__file__)
_TIMEOUT_CODE = 124
_SHOWN = 120
"""Characters of an expected answer that are shown."""


class WhoAndWhen(ObjectFormat):
    """Reads one annotated run as one session."""

    def session(self, document: Document, value: dict[str, Any]) -> Session:
        """The session that a run is."""
        history, name = value["history"], str_or_none(value.get("question_ID")) or document.stem
        team = is_orchestrated(history)
        agent = "Magentic-One" if team else str_or_none(value.get("framework")) or "group chat"
        session = Session(name, agent=agent, task=str_or_none(value.get("question")))
        numbers = (read_dialogue if team else _read_group_chat)(history, session)
        session.expected = _expected(value, session)
        _judge(session, value, numbers)
        return session


def _read_group_chat(history: list[Any], session: Session) -> list[int]:
    """Add the group chat to the session; return for every message the number of the call that it is part of or leads
    to."""
    numbers, reader = list[int](), RecordReader(session)
    code: list[tuple[str, str]] = []
    for place, item in enumerate(history):
        numbers.append(reader.made + 1)
        if not isinstance(item, dict):
            reader.log.wrong_type(f"message {place}", item, "a message")
            continue
        text, speaker = text_of(item.get("content")), string_at(item, ("name", "role")) or "agent"
        runs, ran = speaker.lower() in _WORDS["executors"], _SAYS["exit"].match(text)
        if runs and ran:
            reader.made += 1
            session.events.append(_call(code, f"message-{place}"))
            result = reader.result(f"message-{place}", text[ran.end() :])
            result.exit_code = int(ran[1])
            result.mark = Mark.TIMEOUT if result.exit_code == _TIMEOUT_CODE else None
        elif runs or place == 0:
            # The first message is the manager's: it hands the task to the team.
            reader.users += place == 0
            session.events.append(Message("harness", text))
        elif text.strip():
            reader.answers += 1
            code = _SAYS["code"].findall(text)
            session.events.append(Message("assistant", f"{speaker}: {text}", speaker=speaker))
    reader.close()
    return numbers


def _call(code: list[tuple[str, str]], call_id: str) -> ToolCall:
    language = (code[0][0].lower() if code else "") or "python"
    text = "\n".join(block.rstrip("\n") for _, block in code)
    shell = language in _WORDS["shells"]
    return ToolCall(call_id, "bash" if shell else language, {"command" if shell else "code": text})


def _expected(value: dict[str, Any], session: Session) -> Expected | None:
    """What the question's answer is, and the one that the run gave last."""
    wanted = text_of(value.get("ground_truth")).strip()
    said = (event for event in reversed(session.events) if isinstance(event, Message) and event.role == "assistant")
    given = next((answer for message in said if (answer := final_answer(message.text))), None)
    return Expected(None, answer=ExpectedAnswer(wanted, given)) if wanted else None


def _judge(session: Session, value: dict[str, Any], numbers: list[int]) -> None:
    right = next((value[key] for key in ("is_correct", "is_corrected") if isinstance(value.get(key), bool)), None)
    if right is None and "mistake_step" not in value:
        return
    session.recorded_status = session.recorded_status or ("correct" if right else "incorrect")
    session.ending = Ending.SOLVED if right else Ending.UNSOLVED
    place = text_of(value.get("mistake_step")).strip()
    agent, reason = str_or_none(value.get("mistake_agent")), str_or_none(value.get("mistake_reason"))
    if right or not (place or reason):
        return
    where = f"message {place} of the history" if place else "the history"
    step = numbers[int(place)] if place.isdecimal() and len(place) < 9 and int(place) < len(numbers) else 0
    if 0 < step <= sum(1 for _ in session.calls()):
        where += f" (step {step})"
    by = f", by {agent}" if agent else ""
    session.ending_detail = f"the annotators put the mistake at {where}{by}" + (f": {reason}" if reason else "")
    answer = session.expected.answer if session.expected is not None else None
    if answer is not None and answer.given is None:
        wanted = " ".join(clip(answer.wanted, _SHOWN).split())
        session.ending_detail = f"expected is {wanted!r}; {session.ending_detail}"


FORMAT = described(__file__, WhoAndWhen)
