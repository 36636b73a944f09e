"""Room `api`."""
