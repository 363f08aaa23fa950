"""Scripts that measure, each printing its figures."""
