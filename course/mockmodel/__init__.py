"""Room `mockmodel`."""
