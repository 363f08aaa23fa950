"""What to do next in a session, each tried against its record before it is proposed."""
