"""Room `workshop`."""
