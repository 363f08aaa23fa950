"""What users put into their own programs and change: code, instructions, a scenario with a comment on every key. It's
printed or copied, and doesn't run here."""
