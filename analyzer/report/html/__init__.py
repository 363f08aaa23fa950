"""Reports as HTML: one file each, that opens from disk and loads nothing."""
