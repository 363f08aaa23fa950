"""Test runners' reports, by rows of one reader, or by a module for those with a shape of their own."""
