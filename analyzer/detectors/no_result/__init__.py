"""Sessions that end without what was asked for."""
