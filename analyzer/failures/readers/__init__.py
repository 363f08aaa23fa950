"""What finds evidence of a failure in a result: one module per sort of evidence."""
