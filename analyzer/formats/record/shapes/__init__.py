"""The messages of agent frameworks, in one shape: a role and blocks of text, thoughts, calls and results."""
