"""Where the trouble of a session comes from, and why the agent failed."""
