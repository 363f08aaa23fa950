"""opencode: exports, event streams and the database of its sessions."""
