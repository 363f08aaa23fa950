-- What people call what a finding shows: modes of failure go by it.

ALTER TABLE stored_findings ADD COLUMN pattern TEXT;
