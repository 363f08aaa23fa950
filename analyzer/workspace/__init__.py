"""The states that the files of a session went through: what each step changed, and on which state it ran."""
