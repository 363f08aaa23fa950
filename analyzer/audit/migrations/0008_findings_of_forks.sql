-- What was found in the copied beginning of a session counts where it was copied from, as since the fifth change; the seventh had lost that.

DROP VIEW findings;
CREATE VIEW findings AS SELECT a.* FROM stored_findings a JOIN stored_sessions s USING (session)
  WHERE s.covered AND (a.lane <> 'main' OR a.detectable_at > s.copied_actions OR NOT s.copied_actions);
