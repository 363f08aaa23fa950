"""Code that users put into their own programs: it's printed, and doesn't run here."""
