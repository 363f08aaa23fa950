-- Which session each was forked from, and how much of its beginning counts there. Every file is looked at again by a version of the program that knows these columns.

DROP VIEW sessions;
DROP VIEW actions;
DROP VIEW failures;
DROP VIEW failure_groups;
DROP VIEW findings;
ALTER TABLE stored_sessions RENAME TO old_sessions;
DROP INDEX stored_sessions_path;
CREATE TABLE stored_sessions (
  session TEXT PRIMARY KEY, path TEXT NOT NULL, position INTEGER NOT NULL, id TEXT NOT NULL, format TEXT NOT NULL, agent TEXT, agent_version TEXT,
  model TEXT, title TEXT, task TEXT, task_key TEXT NOT NULL, family TEXT NOT NULL, started_at TEXT, duration_seconds REAL, user_messages INTEGER,
  assistant_messages INTEGER, actions INTEGER NOT NULL, lanes INTEGER NOT NULL, tokens_input INTEGER, tokens_output INTEGER, tokens_cached INTEGER,
  cost_usd REAL, recorded_status TEXT, outcome TEXT NOT NULL, outcome_confidence REAL NOT NULL, outcome_reason TEXT NOT NULL, headline TEXT NOT NULL,
  root_cause TEXT, findings INTEGER NOT NULL, worst TEXT, about TEXT, failures INTEGER NOT NULL, loops INTEGER NOT NULL, loop_actions INTEGER NOT NULL,
  loop_seconds REAL, loop_tokens INTEGER, loop_usd REAL, detectable_at INTEGER, actions_saved INTEGER, warnings INTEGER NOT NULL,
  project TEXT, spent_usd REAL, spent_basis TEXT, unpriced TEXT NOT NULL, wasted_actions INTEGER NOT NULL, wasted_usd REAL, wasted_on TEXT NOT NULL,
  forked_from TEXT, copied_actions INTEGER NOT NULL,
  covered INTEGER NOT NULL        -- 1 where the last audit of this folder counts the session
) STRICT, WITHOUT ROWID;
INSERT INTO stored_sessions SELECT session, path, position, id, format, agent, agent_version, model, title, task, task_key, family, started_at, duration_seconds, user_messages,
  assistant_messages, actions, lanes, tokens_input, tokens_output, tokens_cached, cost_usd, recorded_status, outcome, outcome_confidence, outcome_reason,
  headline, root_cause, findings, worst, about, failures, loops, loop_actions, loop_seconds, loop_tokens, loop_usd, detectable_at, actions_saved, warnings,
  project, spent_usd, spent_basis, unpriced, wasted_actions, wasted_usd, wasted_on, NULL, 0, covered FROM old_sessions;
DROP TABLE old_sessions;
CREATE INDEX stored_sessions_path ON stored_sessions (path);
CREATE VIEW sessions AS SELECT
  session, path, position, id, format, agent, agent_version, model, title, task, task_key, family, started_at, duration_seconds, user_messages,
  assistant_messages, actions, lanes, tokens_input, tokens_output, tokens_cached, cost_usd, recorded_status, outcome, outcome_confidence, outcome_reason,
  headline, root_cause, findings, worst, about, failures, loops, loop_actions, loop_seconds, loop_tokens, loop_usd, detectable_at, actions_saved, warnings,
  project, spent_usd, spent_basis, unpriced, wasted_actions, wasted_usd, wasted_on, forked_from, copied_actions
  FROM stored_sessions WHERE covered;
CREATE VIEW actions AS SELECT a.* FROM stored_actions a JOIN stored_sessions s USING (session) WHERE s.covered AND (a.lane <> 'main' OR a.step > s.copied_actions);
CREATE VIEW failures AS SELECT a.* FROM stored_failures a JOIN stored_sessions s USING (session) WHERE s.covered AND (a.lane <> 'main' OR a.step > s.copied_actions);
CREATE VIEW failure_groups AS SELECT a.* FROM stored_failure_groups a JOIN stored_sessions s USING (session) WHERE s.covered
  AND (a.lane <> 'main' OR json_extract(a.steps, '$[#-1]') > s.copied_actions);
CREATE VIEW findings AS SELECT a.* FROM stored_findings a JOIN stored_sessions s USING (session) WHERE s.covered AND (a.lane <> 'main' OR a.detectable_at > s.copied_actions);
