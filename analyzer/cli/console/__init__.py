"""What the commands share: options, output, progress, configuration, text for terminals."""
