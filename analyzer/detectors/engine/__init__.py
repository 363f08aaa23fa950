"""What a detector is, the facts that it looks at, the state of a rule, and which detectors there are."""
