"""The table of actions of a session: what it holds, and how it's written as Markdown, CSV and JSON."""
