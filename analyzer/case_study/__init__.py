"""Case studies: a scenario, how each recorded run compares with its plan, and the story that several runs tell
together."""
