"""What the agent says of its work, held against what ran."""
