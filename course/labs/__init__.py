"""Measured experiments: figures a lesson recomputes, on a retrieval stand-in that is not Claude and says so."""
