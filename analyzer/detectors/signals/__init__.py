"""What several detectors read out of a session: claims, prohibitions, missing artifacts, rejected arguments,
destructive effects."""
