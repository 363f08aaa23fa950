"""Which formats there are, what one is, and how a file is opened and read by the one that knows it."""
