"""What the record expects of a run, beside what the run did."""
