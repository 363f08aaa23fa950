"""What sessions cost by day, project, model and so on, from the records of use alone: nothing is judged, so that all
logs of a machine are read in seconds, and those that haven't changed aren't read again."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from analyzer.audit.figures.tasks import project_of
from analyzer.audit.run import Engine, Watcher
from analyzer.audit.settings import Settings, code_version, digest_of
from analyzer.audit.sources.discover import discover
from analyzer.audit.sources.filters import EVERYTHING, Filter
from analyzer.audit.sources.source import Source
from analyzer.audit.workers.examine import Reading, read_sessions
from analyzer.model.costs import By, CostRow, Costs
from analyzer.model.errors import AnalyzerError
from analyzer.model.session import Message, Session, Tokens, ToolCall
from analyzer.model.struct import field
from analyzer.pricing import Prices, read_prices, standard_prices
from analyzer.text.names import names

_READS = names("audit/costs.py audit/figures/tasks.py diagnosis formats model pricing timeline/spending.py")
"""The modules and packages of ours whose code decides what is found in a file."""
_TABLES = """
CREATE TABLE IF NOT EXISTS files (path TEXT PRIMARY KEY, size INT, changed INT, version TEXT, sha256 TEXT, problem INT);
CREATE TABLE IF NOT EXISTS used (path, session, agent, format, project, branch, day, answer, model, input, cached,
  output, usd, listed, unpriced);
CREATE INDEX IF NOT EXISTS used_path ON used (path);
CREATE TEMP TABLE named (path TEXT PRIMARY KEY);
"""
_MEANT = """
CREATE TEMP TABLE meant AS SELECT * FROM used WHERE kept(day, agent, format) AND path IN
  (SELECT min(path) FROM files JOIN named USING (path) GROUP BY CASE sha256 WHEN '' THEN path ELSE sha256 END);
CREATE TEMP TABLE once AS SELECT meant.* FROM meant
  LEFT JOIN (SELECT answer, min(path) AS home FROM meant GROUP BY answer) USING (answer)
  WHERE answer IS NULL OR path = home;
"""
"""Of files with equal bytes the first by path counts, and an answer that several files tell counts in the first."""
_COLUMNS = 15
_SUMS = """count(DISTINCT path || char(0) || session), sum(input), sum(cached), sum(output), sum(usd), sum(listed),
  count(DISTINCT CASE WHEN unpriced THEN path || char(0) || session END)"""
_TIMES: dict[By, str] = {"day": "day", "week": "date(day, '-6 days', 'weekday 1')", "month": "substr(day, 1, 7)"}


class Used(Reading):
    """What the sessions of one source used: rows of the table of that name, without the path."""

    rows: list[tuple[Any, ...]] = field(default_factory=list)


def costs(
    paths: Sequence[str],
    by: Sequence[By],
    engine: Engine,
    *,
    cache: Path | None = None,
    wanted: Filter = EVERYTHING,
    prices: str | None = None,
    watcher: Watcher | None = None,
) -> Costs:
    """The costs of all sessions at the paths. What was read before is taken from the file `cache`; without one nothing
    is kept. `wanted` is asked of the day on which something was used, not of the session's beginning. Raises
    `AnalyzerError` where a path or the cache can't be used."""
    sources = list(discover(paths))
    try:
        with closing(sqlite3.connect(cache or ":memory:", timeout=60)) as connection:
            connection.create_function(
                "kept", 3, lambda day, *facts: wanted.reason(day and f"{day}T23:59:59", *facts) is None
            )
            connection.executescript(_TABLES)
            _read(connection, sources, prices, engine, watcher)
            connection.executemany("INSERT INTO named VALUES (?)", ((source.key,) for source in sources))
            connection.executescript(_MEANT)
            return _summed(connection, by, prices)
    except sqlite3.Error as error:
        hint = "Remove the file: it's made again." if cache is not None else None
        raise AnalyzerError(f"can't be used: {error}.", where=str(cache), hint=hint) from error


def _summed(connection: sqlite3.Connection, by: Sequence[By], prices: str | None) -> Costs:
    keys = [_TIMES.get(name, name) for name in by]
    order = ", ".join([*filter(None, map(_TIMES.get, by)), "sum(usd) DESC", *keys])
    grouped = f"SELECT {', '.join(keys)}, {_SUMS} FROM once GROUP BY {', '.join(keys)} ORDER BY {order}"
    unpriced = connection.execute("SELECT DISTINCT model FROM once WHERE unpriced AND model <> '' ORDER BY 1")
    files = connection.execute("SELECT count(*), coalesce(sum(problem), 0) FROM files JOIN named USING (path)")
    looked_at, unread = files.fetchone()
    return Costs(
        by=list(by),
        rows=[_row(by, row) for row in connection.execute(grouped)],
        total=_row((), connection.execute(f"SELECT {_SUMS} FROM once").fetchone()),
        files=looked_at,
        unread=unread,
        models_unpriced=[model for (model,) in unpriced],
        prices_as_of=_prices(prices).as_of,
    )


def _row(by: Sequence[By], row: Sequence[Any]) -> CostRow:
    sessions, sent, cached, output, usd, listed, unpriced = row[len(by) :]
    return CostRow(
        key=dict(zip(by, row, strict=False)),
        sessions=sessions,
        input_tokens=sent or 0,
        cached_tokens=cached or 0,
        output_tokens=output or 0,
        usd=round(usd or 0.0, 6),
        listed_usd=round(listed or 0.0, 6),
        unpriced=unpriced,
    )


def _read(
    connection: sqlite3.Connection,
    sources: Sequence[Source],
    prices: str | None,
    engine: Engine,
    watcher: Watcher | None,
) -> None:
    """Read the files that are new or changed."""
    version = f"{code_version(_READS)} {digest_of(prices) if prices is not None else ''} {time.tzname}"
    known = {path: rest for path, *rest in connection.execute("SELECT path, size, changed, version FROM files")}
    todo = [source for source in sources if known.get(source.key) != [source.size, source.changed, version]]
    todo.sort(key=lambda source: -source.size)
    if watcher is not None:
        watcher.begins(len(sources), len(todo), sum(source.size for source in todo))
    for found in engine(partial(read_used, prices=prices), todo, Used.lost):
        source, problem = found.source, found.first_problem
        with connection:
            connection.execute("DELETE FROM used WHERE path = ?", (source.key,))
            row = (source.key, source.size, source.changed, version, found.sha256, problem is not None)
            connection.execute("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?)", row)
            values = ", ".join("?" * _COLUMNS)
            connection.executemany(f"INSERT INTO used VALUES ({values})", ((source.key, *row) for row in found.rows))
        if watcher is not None:
            watcher.ends_one(source.size, problem)


def read_used(source: Source, prices: str | None) -> Used:
    """Read one source; the function that the workers run."""
    found = Used(source)
    listed = _prices(prices)
    read_sessions(found, Settings(), lambda session, _: found.rows.extend(_rows(session, found.format, listed)))
    return found


def _prices(file: str | None) -> Prices:
    return read_prices(file) if file is not None else standard_prices()


def _rows(session: Session, form: str | None, prices: Prices) -> Iterator[tuple[Any, ...]]:
    """What a session used, answer by answer and model by model, and what no answer counts. Its cost is that of its
    page: each part has the share that its tokens have at list prices, or, where these aren't known, by their number."""
    from analyzer.diagnosis.amounts import bill_of
    from analyzer.diagnosis.session_facts import output_is_partial
    from analyzer.timeline.spending import elapsed

    first = _day(elapsed(session, ()).start)
    bill = bill_of(session, prices, first, partial=output_is_partial(session))
    parts = list[tuple[str | None, str | None, str, Tokens]]()
    for event in session.events:
        if isinstance(event, Message | ToolCall) and event.usage is not None:
            by_model = event.usage.by_model or {session.model or "": event.usage.tokens}
            for model, tokens in by_model.items():
                told = f"{session.agent} {event.time!r} {model} {tokens.input} {tokens.output}"
                parts.append((_day(event.time) or first, told if event.time is not None else None, model, tokens))
    rest, by_model = session.tokens, session.by_model if not parts else {}
    for *_, part in parts:
        rest = rest.without(part)
    parts += [(first, None, name, part) for name, part in (by_model or {session.model or "": rest}).items()]
    listed = [(price := prices.of(model, first)) and price.of(tokens) for *_, model, tokens in parts]
    sizes = [float((tokens.input or 0) + (tokens.output or 0)) for *_, tokens in parts]
    amounts = sizes if None in listed else [amount or 0.0 for amount in listed]
    whole = sum(amounts)
    place = (session.id, session.agent, form, project_of(session.environment), session.environment.get("git branch"))
    for number, ((day, answer, model, tokens), amount) in enumerate(zip(parts, amounts, strict=True), 1):
        share = amount / whole if whole else float(number == len(parts))
        usd = None if bill.usd is None else bill.usd * share
        if usd or tokens.input or tokens.output:
            counted = (tokens.input, tokens.cached, tokens.output)
            yield *place, day, answer, model, *counted, usd, usd if bill.basis == "list prices" else None, usd is None


def _day(moment: float | None) -> str | None:
    """The day of a moment by this machine's clock."""
    try:
        return time.strftime("%Y-%m-%d", time.localtime(moment)) if moment is not None else None
    except (OverflowError, ValueError, OSError):
        return None
