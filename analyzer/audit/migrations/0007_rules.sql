-- The lines for an instructions file that a finding brings: the same one in several sessions is worth more than each by itself.

ALTER TABLE stored_findings ADD COLUMN rules TEXT;
DROP VIEW findings;
CREATE VIEW findings AS SELECT a.* FROM stored_findings a JOIN stored_sessions s USING (session) WHERE s.covered;
