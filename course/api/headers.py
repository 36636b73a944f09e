"""What the API refuses before it reads the body: keys, the version header, unknown betas, size and JSON syntax.

Header names are lower case.
"""

import re
from collections.abc import Mapping
from typing import Any

from course.api.parse import NotJson, parse, too_deep
from course.api.rules import VERSIONS, Violation, violation
from course.facts.loader import load

__all__ = ["MAX_BYTES", "betas", "check_body", "check_depth", "check_headers", "family", "version"]

OLDEST = "2023-01-01"
DATE = re.compile(r"-20\d\d-?\d\d-?\d\d$")
MAX_BYTES = 32 * 1024 * 1024

# A stand-in holds no list of real keys: a key is refused when a word of it says that it is none.
BAD_KEY = re.compile(r"(^|[^a-z])(invalid|wrong|bad|bogus|expired|revoked|incorrect|fake|not)([^a-z]|$)")
# A recorder masks headers before it stores them; a masked value can't be judged and stands for every beta.
MASKED = re.compile(r"^\W*(redacted|masked|filtered)\W*$", re.IGNORECASE)


def version(headers: Mapping[str, str]) -> str:
    """Return the API version whose rules hold; values that are none (a masked recording) mean the first."""
    asked = headers.get("anthropic-version", "")
    return asked if asked in VERSIONS else VERSIONS[0]


def _values(headers: Mapping[str, str]) -> list[str]:
    values = [part.strip() for part in headers.get("anthropic-beta", "").split(",")]
    return list(dict.fromkeys(value for value in values if value))


def betas(headers: Mapping[str, str]) -> frozenset[str]:
    """Return the values of anthropic-beta; a masked header stands for every known one."""
    values = _values(headers)
    return frozenset(load("betas")["known"] if any(map(MASKED.match, values)) else values)


def family(beta: str) -> str:
    """Return a beta's name without its date."""
    return DATE.sub("", beta)


def _key(headers: Mapping[str, str]) -> Violation | None:
    scheme, _, token = headers.get("authorization", "").partition(" ")
    bearer = token.strip() if scheme.lower() == "bearer" else ""
    key = headers.get("x-api-key", "")
    if not key and bearer.startswith("sk-ant-oat"):
        allowed = any(beta.startswith("oauth-") for beta in betas(headers))
        return violation("auth.oauth-not-allowed" if allowed else "auth.oauth-unsupported", ("authorization",))
    if not key and not bearer:
        return violation("auth.missing-key", ("x-api-key",))
    if BAD_KEY.search((key or bearer).lower()):
        return violation(
            "auth.invalid-key" if key else "auth.invalid-bearer", ("x-api-key" if key else "authorization",)
        )
    return None


def check_headers(headers: Mapping[str, str]) -> Violation | None:
    """Return the first rule that the headers break: key, version, betas."""
    return _key(headers) or _version(headers) or _betas(headers)


def _version(headers: Mapping[str, str]) -> Violation | None:
    asked = headers.get("anthropic-version")
    if not asked:
        return violation("header.version-missing", ("anthropic-version",))
    if asked in (*VERSIONS, OLDEST) or MASKED.match(asked):
        return None
    return violation("header.version-invalid", ("anthropic-version",), value=asked)


def _betas(headers: Mapping[str, str]) -> Violation | None:
    known = frozenset(load("betas")["families"])
    unknown = [beta for beta in _values(headers) if family(beta) not in known and not MASKED.match(beta)]
    if not unknown:
        return None
    return violation("header.beta-unknown", ("anthropic-beta",), values=", ".join(f"`{beta}`" for beta in unknown))


def check_body(raw: bytes) -> tuple[Any, Violation | None]:
    """Return (parsed body, None), or (None, the rule that the bytes break: too large, no JSON)."""
    if len(raw) > MAX_BYTES:
        return None, violation("body.too-large")
    try:
        return parse(raw), None
    except NotJson as error:
        return None, _not_json(error)


def check_depth(raw: bytes) -> Violation:
    """Return the rule that a body breaks which is nested too deeply to be worked on."""
    return _not_json(too_deep(raw))


def _not_json(error: NotJson) -> Violation:
    return violation("body.not-json", detail=error.detail, line=error.line, column=error.column, char=error.char)
