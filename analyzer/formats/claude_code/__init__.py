"""Claude Code: session files, folders of sessions, and the stream that `claude -p` prints."""
