"""The lead of a page: what was asked, delivered and shown, what went wrong, what it cost, and what to do next."""
