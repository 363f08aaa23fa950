"""The rules of the outcome: what each sort of session shows about how it ended."""
