"""The table of actions of a session: what stands in it, and how it's written as Markdown, CSV and JSON."""
