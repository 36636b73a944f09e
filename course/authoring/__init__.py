"""Room `authoring`."""
