"""Recomputes every settlement from the log alone, on purpose apart from the service's audit."""
