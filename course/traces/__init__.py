"""Room `traces`."""
