"""The database of an audit: rows, texts, shards, merges, exports."""
