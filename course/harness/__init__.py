"""Room `harness`."""
