"""Signatures of thinking blocks: made when a block is written, checked when it comes back.

The real signature is encrypted; ours is a keyed hash that shows the same two things: whether the text is the one
that was written (`edited`), and whether it stands in the conversation it was written in (`moved`). It has the
outward shape of the real one, base64 that begins with `E`. Of a signature that some other API made nothing can be said.
"""

import hmac
import json
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from typing import Any, Literal

from course.api.conversation import merge
from course.facts.models import models

__all__ = ["Judge", "Signer", "Verdict", "conversation_digests"]

Verdict = Literal["genuine", "edited", "moved"]

MARK = b"\x12\x4a\x0a\x08offline\x00\x18\x02"
DIGEST, MAC = 16, 32
IGNORED = frozenset({"cache_control", "caller", "citations", "signature"})


class Signer:
    """Signs and checks with one secret. Two signers of one secret accept each other's signatures."""

    def __init__(self, secret: str = "offline") -> None:
        self._key = secret.encode()

    def sign(self, thinking: str, conversation: bytes, ordinal: int = 0) -> str:
        """Return the signature of the `ordinal`-th thinking block of the turn after `conversation` (a digest)."""
        return b64encode(MARK + conversation + self._mac(thinking, conversation, ordinal)).decode()

    def verdict(self, block: Mapping[str, Any], conversation: bytes, ordinal: int = 0) -> Verdict | None:
        """Judge a thinking block that a request sent back; None when its signature is not one of ours."""
        try:
            raw = b64decode(block.get("signature") or "", validate=True)
        except (TypeError, ValueError):
            return None
        if not raw.startswith(MARK):
            return None
        bound, mac = raw[len(MARK) : len(MARK) + DIGEST], raw[len(MARK) + DIGEST :]
        if not hmac.compare_digest(mac, self._mac(block.get("thinking", ""), bound, ordinal)):
            return "edited"
        return "genuine" if bound == conversation else "moved"

    def _mac(self, thinking: str, conversation: bytes, ordinal: int) -> bytes:
        told = b"%d\0%s\0%s" % (ordinal, conversation, thinking.encode("utf-8", "surrogatepass"))
        return blake2b(told, key=self._key, digest_size=MAC).digest()


def conversation_digests(messages: Iterable[Mapping[str, Any]]) -> Iterator[bytes]:
    """Yield the digest of what stands before each message, then of the whole; linear in the size of the messages.

    What a client may drop or add without changing the conversation (nulls, `cache_control`, `caller`) does not count.
    """
    running = blake2b(digest_size=DIGEST)
    yield running.digest()
    for message in messages:
        running.update(json.dumps([message["role"], _bare(message["content"])], sort_keys=True).encode())
        yield running.digest()


def _bare(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _bare(member) for key, member in value.items() if member is not None and key not in IGNORED}
    if isinstance(value, list | tuple):
        return [_bare(member) for member in value]
    return value


class Judge:
    """Judges each thinking block of `body`; None where the signature is not one of ours.

    A block in another conversation than its own is genuine where the model does not bind blocks. The body is walked
    when the first block is judged.
    """

    def __init__(self, body: Any, signer: Signer) -> None:
        self._body = body
        self._signer = signer
        self._verdicts: dict[int, Verdict] | None = None

    def __call__(self, block: Mapping[str, Any]) -> Verdict | None:
        if self._verdicts is None:
            self._verdicts = dict(_verdicts(self._body, self._signer))
        return self._verdicts.get(id(block))


def _verdicts(body: Any, signer: Signer) -> Iterator[tuple[int, Verdict]]:
    model = models().get(str(body.get("model"))) if isinstance(body, dict) else None
    turns = merge(body.get("messages")) if isinstance(body, dict) else []
    said = ({"role": turn.role, "content": turn.blocks} for turn in turns)
    for turn, before in zip(turns, conversation_digests(said), strict=False):
        thoughts = (
            [block for block in turn.blocks if block.get("type") == "thinking"] if turn.role == "assistant" else []
        )
        for ordinal, block in enumerate(thoughts):
            verdict = signer.verdict(block, before, ordinal)
            if verdict == "moved" and not (model and model.thinking_bound):
                verdict = "genuine"
            if verdict:
                yield id(block), verdict
