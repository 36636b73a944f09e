"""A bounded memory: a mapping that forgets what was used longest ago. Safe to use from several threads."""

from collections import OrderedDict
from threading import Lock
from typing import Generic, TypeVar

__all__ = ["Memory"]

Key = TypeVar("Key")
Value = TypeVar("Value")


class Memory(Generic[Key, Value]):
    """Keeps the last `limit` entries put or read."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._entries: OrderedDict[Key, Value] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._entries)

    def put(self, key: Key, value: Value) -> None:
        """Keep `value`; the oldest entry goes when there are too many."""
        with self._lock:
            self._entries[key] = value
            self._entries.move_to_end(key)
            if len(self._entries) > self._limit:
                self._entries.popitem(last=False)

    def get(self, key: Key) -> Value | None:
        """Return what was kept under `key`, and count that as use; None when there is nothing."""
        with self._lock:
            if key in self._entries:
                self._entries.move_to_end(key)
            return self._entries.get(key)
