"""Values and results that do not arrive where they are needed."""
