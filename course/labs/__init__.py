"""Room `labs`."""
