"""Room `widgets`."""
