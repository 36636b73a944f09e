"""Room `lesson`."""
