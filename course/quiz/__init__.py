"""Room `quiz`."""
