"""Cases as requests: what a case leaves to be filled in is made here; an answer is compared with what is expected."""

import json
import re
import struct
import zlib
from base64 import b64encode
from collections.abc import Mapping
from copy import deepcopy
from functools import reduce
from typing import Any

from course.api import OfflineAPI, Request, Response

HEADERS = {"content-type": "application/json", "x-api-key": "sk-ant-test", "anthropic-version": "2023-06-01"}


def picture(width: int = 1, height: int = 1, size: int = 0) -> bytes:
    """Return a grey PNG, filled up to `size` bytes by a chunk that readers pass over."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    start = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">2I5B", width, height, 8, 0, 0, 0, 0))
    rows = chunk(b"IDAT", zlib.compress(height * (b"\0" * (width + 1)))) + chunk(b"IEND", b"")
    missing = size - len(start) - len(rows) - 12
    return start + (chunk(b"fiLL", bytes(missing)) if missing > 0 else b"") + rows


def document(pages: int) -> bytes:
    """Return a PDF of empty pages."""
    numbers = range(3, 3 + pages)
    lines = [
        "%PDF-1.4",
        "1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj",
        f"2 0 obj <</Type /Pages /Count {pages} /Kids [{' '.join(f'{n} 0 R' for n in numbers)}]>> endobj",
        *(f"{n} 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 9 9]>> endobj" for n in numbers),
        "trailer <</Root 1 0 R>>",
        "%%EOF",
    ]
    return "\n".join(lines).encode()


def _made(step: Mapping[str, Any]) -> str:
    if step["op"] == "repeat":
        return str(step["unit"]) * int(step["times"])
    if step["op"] == "pdf":
        return b64encode(document(step["pages"])).decode()
    return b64encode(picture(step.get("width", 1), step.get("height", 1), step.get("bytes", 0))).decode()


def body(case: Mapping[str, Any]) -> bytes:
    """Return the bytes of the case's request, with its long strings written out."""
    if "request_raw" in case:
        return str(case["request_raw"]).encode()
    request = deepcopy(case["request"])
    for step in case.get("request_expand", ()):
        *parents, last = (int(key) if key.isdigit() else key for key in step["path"].strip("/").split("/"))
        reduce(lambda node, key: node[key], parents, request)[last] = _made(step)
    return json.dumps(request).encode()


def headers(changed: Mapping[str, str | None] | None) -> dict[str, str]:
    """Return the headers every case has, changed as the case wants; null takes one away."""
    merged = {**HEADERS, **(changed or {})}
    return {name: value for name, value in merged.items() if value is not None}


def answer(api: OfflineAPI, raw: bytes, given: Mapping[str, str]) -> tuple[int, str | None, str | None]:
    """Return (status, error type, message) of the answer to one request."""
    response = api.respond(Request("POST", "/v1/messages", given, raw))
    if not isinstance(response, Response):
        return response.status, None, None
    error = json.loads(response.body).get("error", {})
    return response.status, error.get("type"), error.get("message")


def agrees(case: Mapping[str, Any], message: str | None) -> bool:
    """Tell whether `message` agrees with the expected one as far as that one is proven."""
    wanted, proven = case["expected"]["message"], case["expected"].get("match", "exact")
    said = message or ""
    if wanted is None or said == wanted:
        return True
    if proven == "template":
        parts = re.split(r"\{(?:[a-z_]+|\.\.\.)\}", case["message_template"])
        return re.fullmatch(".*?".join(map(re.escape, parts)), said, re.DOTALL) is not None
    return (proven == "prefix" and said.startswith(wanted)) or (proven == "contains" and wanted in said)
