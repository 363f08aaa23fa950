-- The tables of `analyzer.model.tables`, and what an audit needs to know to do only what is new.

CREATE TABLE stored_files (
  path TEXT PRIMARY KEY,
  version TEXT NOT NULL,          -- of formats, detectors and settings
  sha256 TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  changed_ns INTEGER NOT NULL,    -- last change of the file
  checked_ns INTEGER NOT NULL,    -- when it was looked at
  state TEXT NOT NULL,
  format TEXT,
  sessions INTEGER NOT NULL,
  covered INTEGER NOT NULL,       -- 1 where the last audit of this folder named the file
  copy_of TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE stored_sessions (
  session TEXT PRIMARY KEY, path TEXT NOT NULL, position INTEGER NOT NULL, id TEXT NOT NULL, format TEXT NOT NULL, agent TEXT, agent_version TEXT,
  model TEXT, title TEXT, task TEXT, task_key TEXT NOT NULL, family TEXT NOT NULL, started_at TEXT, duration_seconds REAL, user_messages INTEGER,
  assistant_messages INTEGER, actions INTEGER NOT NULL, lanes INTEGER NOT NULL, tokens_input INTEGER, tokens_output INTEGER, tokens_cached INTEGER,
  cost_usd REAL, recorded_status TEXT, outcome TEXT NOT NULL, outcome_confidence REAL NOT NULL, outcome_reason TEXT NOT NULL, headline TEXT NOT NULL,
  root_cause TEXT, findings INTEGER NOT NULL, worst TEXT, about TEXT, failures INTEGER NOT NULL, loops INTEGER NOT NULL, loop_actions INTEGER NOT NULL,
  loop_seconds REAL, loop_tokens INTEGER, loop_usd REAL, detectable_at INTEGER, actions_saved INTEGER, warnings INTEGER NOT NULL,
  covered INTEGER NOT NULL        -- 1 where the last audit of this folder counts the session
) STRICT, WITHOUT ROWID;
CREATE INDEX stored_sessions_path ON stored_sessions (path);

CREATE TABLE stored_actions (
  session TEXT NOT NULL, lane TEXT NOT NULL, step INTEGER NOT NULL, tool TEXT NOT NULL, kind TEXT NOT NULL, target TEXT NOT NULL, status TEXT NOT NULL,
  status_source TEXT NOT NULL, exit_code INTEGER, failure_group TEXT, started_at TEXT, duration_seconds REAL, summary TEXT NOT NULL,
  PRIMARY KEY (session, lane, step)
) STRICT, WITHOUT ROWID;

CREATE TABLE stored_failures (
  session TEXT NOT NULL, lane TEXT NOT NULL, step INTEGER NOT NULL, failure_group TEXT, fingerprint TEXT NOT NULL, kind TEXT NOT NULL, type TEXT,
  message TEXT NOT NULL, template TEXT NOT NULL, runner TEXT, language TEXT, failing_tests TEXT NOT NULL, expected INTEGER NOT NULL, origin TEXT NOT NULL,
  origin_confidence REAL NOT NULL, origin_file TEXT, origin_line INTEGER, origin_function TEXT,
  PRIMARY KEY (session, lane, step)
) STRICT, WITHOUT ROWID;
CREATE INDEX stored_failures_fingerprint ON stored_failures (fingerprint);

CREATE TABLE stored_failure_groups (
  session TEXT NOT NULL, failure_group TEXT NOT NULL, lane TEXT NOT NULL, match TEXT NOT NULL, count INTEGER NOT NULL, steps TEXT NOT NULL, type TEXT,
  template TEXT NOT NULL, fingerprint TEXT NOT NULL,
  PRIMARY KEY (session, lane, failure_group)
) STRICT, WITHOUT ROWID;

CREATE TABLE stored_findings (
  session TEXT NOT NULL, position INTEGER NOT NULL, detector TEXT NOT NULL, category TEXT NOT NULL, kind TEXT NOT NULL, severity TEXT NOT NULL,
  confidence REAL NOT NULL, title TEXT NOT NULL, lane TEXT NOT NULL, first_step INTEGER NOT NULL, last_step INTEGER NOT NULL, steps TEXT NOT NULL,
  detectable_at INTEGER NOT NULL, rounds INTEGER, period INTEGER, escaped INTEGER, failure_group TEXT, cost_actions INTEGER NOT NULL, cost_seconds REAL,
  cost_tokens INTEGER, cost_usd REAL, evidence TEXT NOT NULL, advice TEXT NOT NULL, mast TEXT NOT NULL, trail TEXT NOT NULL,
  PRIMARY KEY (session, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE stored_problems (
  path TEXT NOT NULL, number INTEGER NOT NULL, kind TEXT NOT NULL, place TEXT NOT NULL, what TEXT NOT NULL,
  PRIMARY KEY (path, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE stored_reports (
  session TEXT PRIMARY KEY,
  report BLOB NOT NULL            -- the post-mortem as in the JSON output, packed by zlib
) STRICT;

CREATE TABLE stored_pages (
  suffix TEXT NOT NULL,
  session TEXT NOT NULL,
  version TEXT NOT NULL,          -- of the post-mortem and of what rendered it
  PRIMARY KEY (suffix, session)
) STRICT, WITHOUT ROWID;

CREATE TABLE stored_facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- What the last audit covers: the tables to look at.

CREATE VIEW files AS SELECT path, state, format, size_bytes, sha256, sessions, copy_of FROM stored_files WHERE covered;
CREATE VIEW sessions AS SELECT
  session, path, position, id, format, agent, agent_version, model, title, task, task_key, family, started_at, duration_seconds, user_messages,
  assistant_messages, actions, lanes, tokens_input, tokens_output, tokens_cached, cost_usd, recorded_status, outcome, outcome_confidence, outcome_reason,
  headline, root_cause, findings, worst, about, failures, loops, loop_actions, loop_seconds, loop_tokens, loop_usd, detectable_at, actions_saved, warnings
  FROM stored_sessions WHERE covered;
CREATE VIEW actions AS SELECT a.* FROM stored_actions a JOIN stored_sessions s USING (session) WHERE s.covered;
CREATE VIEW failures AS SELECT a.* FROM stored_failures a JOIN stored_sessions s USING (session) WHERE s.covered;
CREATE VIEW failure_groups AS SELECT a.* FROM stored_failure_groups a JOIN stored_sessions s USING (session) WHERE s.covered;
CREATE VIEW findings AS SELECT a.* FROM stored_findings a JOIN stored_sessions s USING (session) WHERE s.covered;
CREATE VIEW problems AS SELECT p.* FROM stored_problems p JOIN stored_files f USING (path) WHERE f.covered;
