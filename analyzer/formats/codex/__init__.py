"""Codex: rollouts, the stream of `codex exec --json`, and files from before rollouts."""
