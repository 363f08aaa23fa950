"""The formats that results are written in: one module per format, each with what it writes."""
