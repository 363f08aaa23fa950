"""InterCode result files: one JSON object with an episode per task, each with its turns as parallel arrays.

Every turn is one action, run in a shell, an interpreter or a database, with the observation and the reward for it. The
reward is the benchmark's own judgement of the state after the turn; the best one of an episode is its score, and what
the agent left has the last. `info` holds how the last state was judged: the output and the files that were expected.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from analyzer.formats.container.document import Document
from analyzer.formats.loading.interface import FileLog, SessionsFormat, described
from analyzer.formats.loading.mapping.values import value_at
from analyzer.formats.record.fields import dict_of, float_or_none, int_or_none, list_of, str_or_none, text_of
from analyzer.formats.record.reader import RecordReader
from analyzer.model.session import Expected, ExpectedAnswer, Session, ToolCall
from analyzer.model.words import Ending
from analyzer.text.python_values import python_values

_INTERPRETERS = {"ic_python": ("python", "code"), "ic_sql": ("sql", "query")}
_FULL_REWARD = 1.0
_MOST_FILES = 3
_CHANGES = {"D": "deleted", "M": "changed", "A": "new", "??": "new"}
_DIFFERENCES = (("diff_miss", "changes that are missing"), ("diff_extra", "changes that were not expected"))
_SHELL_PREFIX = "cmd "
"""What the capture-the-flag prompt puts before a shell command."""
_LONGEST_LITERAL = 200_000
_ARRAYS = ("actions", "observations", "rewards", "steps", "valid_action")


class InterCode(SessionsFormat):
    """Reads every episode as a session."""

    def sniff(self, document: Document) -> bool:
        """Whether the document is an object whose values have a history of turns."""
        value = dict_of(document.value)
        return any(map(self.is_own, (value, *list(value.values())[:5])))

    def sessions(self, document: Document, log: FileLog) -> Iterator[Session]:
        """The episodes in file order."""
        value = dict_of(document.value)
        for key, episode in ({"0": value} if self.is_own(value) else value).items():
            if self.is_own(episode):
                yield _session(key, episode)
            else:
                log.add(f"episode {key}", "no episode with a turn history; skipped")


def _session(key: str, episode: dict[str, Any]) -> Session:
    environment = str_or_none(episode.get("environment")) or "intercode"
    reader = RecordReader(Session(f"{environment}-{key}", agent="InterCode"))
    reader.place(episode, environment="environment", dataset="dataset")
    reader.heard(str_or_none(episode.get("query")) or "")
    actions, observations, rewards, *beside = (list_of(value_at(episode, f"turn_history.{key}")) for key in _ARRAYS)
    for turn, action in enumerate(actions):
        reward, plan, valid = (values[turn] if turn < len(values) else None for values in (rewards, *beside))
        reader.say(str_or_none(plan) or "")
        if not isinstance(action, str):
            reader.log.wrong_type(f"actions[{turn}]", action, "an action", "kept as text")
        reader.session.events.append(_call(f"turn-{turn}", environment, text_of(action)))
        if turn < len(observations):
            failed = not valid if isinstance(valid, bool) else None
            reader.result(f"turn-{turn}", _observed(observations[turn]), failed).score = float_or_none(reward)
    if len(observations) > len(actions):
        reader.log.add("observations", f"{len(observations) - len(actions)} observations without an action; left out")
    reader.answers = len(actions)
    reader.close()
    _judge(reader.session, episode, rewards, len(actions))
    _expect(reader.session, dict_of(episode.get("info")))
    return reader.session


def _call(call_id: str, environment: str, action: str) -> ToolCall:
    word, _, rest = action.partition(" ")
    if word == "submit":
        return ToolCall(call_id, "submit", {"answer": rest}, task_done=True)
    name, key = _INTERPRETERS.get(environment, ("bash", "command"))
    return ToolCall(call_id, name, {key: action.removeprefix(_SHELL_PREFIX) if name == "bash" else action})


def _observed(observation: object) -> str:
    """Return an observation as text; the Python interpreter's is a dict of `output` and `error`, written as text."""
    if isinstance(observation, str) and observation.startswith("{'output': ") and len(observation) < _LONGEST_LITERAL:
        with suppress(ValueError):
            observation = python_values(observation)
    if isinstance(observation, dict) and "output" in observation:
        return "\n".join(filter(None, (text_of(observation.get(key)) for key in ("output", "error"))))
    return text_of(observation)


def _judge(session: Session, episode: dict[str, Any], rewards: list[Any], turns: int) -> None:
    known = [reward for reward in map(float_or_none, rewards) if reward is not None]
    best = float_or_none(value_at(episode, "summary.max_reward"))
    best = max(known, default=None) if best is None else best
    if best is None:
        return
    last, limit = known[-1] if known else best, int_or_none(value_at(episode, "summary.turns_max"))
    detail = f"the best reward was {best:g} of {_FULL_REWARD:g}"
    if last < best and best in known and len(known) == len(rewards):
        fell = len(known) - known[::-1].index(best)
        detail += f" after step {known.index(best) + 1}, the last {last:g}; it fell at step {fell + 1}"
    if best < _FULL_REWARD and limit is not None and turns >= limit:
        detail += f"; all {limit} turns were used"
    session.recorded_status, session.ending_detail = f"reward {last:g}", detail
    session.ending = Ending.SOLVED if best >= _FULL_REWARD else Ending.UNSOLVED


def _changed(entry: object) -> str:
    """A file that changed, and how, from the two words of a line of `git status`, which may be in either order; empty
    where they're no such words."""
    words = [text_of(word) for word in list_of(entry)]
    how = [_CHANGES[word] for word in words if word in _CHANGES]
    names = [word for word in words if word not in _CHANGES and '"' not in word]
    return f"{names[0]} ({how[0]})" if how and len(names) == 1 else ""


def _expect(session: Session, info: dict[str, Any]) -> None:
    """Take what the last state was held against: the output of the reference, and the files that differ."""
    wanted, given = (text_of(info.get(key)).strip() for key in ("eval_obs", "agent_obs"))
    if wanted:
        session.expected = Expected(None, answer=ExpectedAnswer(wanted, given))
    for key, what in _DIFFERENCES if session.ending is Ending.UNSOLVED else ():
        if names := list(filter(None, map(_changed, list_of(info.get(key))))):
            more = f" and {len(names) - _MOST_FILES} more" if len(names) > _MOST_FILES else ""
            session.ending_detail = f"{session.ending_detail}; {what}: {', '.join(names[:_MOST_FILES])}{more}"


FORMAT = described(__file__, InterCode)
