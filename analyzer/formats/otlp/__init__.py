"""OpenTelemetry traces of agents."""
