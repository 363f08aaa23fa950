-- What the page of a session shows besides its post-mortem.

CREATE TABLE stored_texts (
  session TEXT PRIMARY KEY,
  texts BLOB NOT NULL,            -- what was said, sent and received at each step, clipped, as JSON packed by zlib
  miniature TEXT NOT NULL         -- its strip in a few characters per action
) STRICT;
