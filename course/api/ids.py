"""Identifiers as the API writes them, from a seed, so that a rerun gives the same bytes.

The shapes are those of recorded answers: `msg_01…`, `toolu_01…`, `srvtoolu_01…`, `req_011C…` and a base-58 tail.
"""

from random import Random

__all__ = ["Ids"]

ALPHABET = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
LETTERS = bytes(ALPHABET[byte % len(ALPHABET)] for byte in range(256))
HEADS = {"req": "011C", "container": "011C", "msg": "01", "toolu": "01", "srvtoolu": "01", "mcptoolu": "01"}
TAIL = 22


class Ids:
    """A source of identifiers: `Ids(7).new("msg")`. Two sources of one seed give the same ones in the same order."""

    def __init__(self, seed: int | str = 0) -> None:
        self._seed = seed
        self._sources: dict[str, Random] = {}

    def new(self, kind: str) -> str:
        """Return the next identifier of `kind`: msg, toolu, srvtoolu, mcptoolu, req, container."""
        source = self._sources.get(kind) or self._sources.setdefault(kind, Random(f"{self._seed}/{kind}"))
        return f"{kind}_{HEADS.get(kind, '01')}{source.randbytes(TAIL).translate(LETTERS).decode()}"
