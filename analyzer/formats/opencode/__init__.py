"""opencode: exports, event streams, and the database or the folder of files in which it keeps its sessions."""
