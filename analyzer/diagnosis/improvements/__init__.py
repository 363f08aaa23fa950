"""Changes to the agent, its instructions and its tools that would have helped in a session."""
