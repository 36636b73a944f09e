"""What the API refuses before it reads the body: keys, the version header, unknown betas, size and JSON syntax.

Header names are lower case.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from course.api.rules import VERSIONS, Violation, violation
from course.facts.loader import load

__all__ = ["MAX_BYTES", "betas", "check_body", "check_headers", "version"]

MAX_BYTES = 32 * 1024 * 1024

# A stand-in holds no list of real keys: a key is refused when a word of it says that it is none.
BAD_KEY = re.compile(r"(^|[^a-z])(invalid|wrong|bad|bogus|expired|revoked|incorrect|fake|not)([^a-z]|$)")
# A recorder masks headers before it stores them; a masked value can't be judged and stands for every beta.
MASKED = re.compile(r"^\W*(redacted|masked|filtered)\W*$", re.IGNORECASE)


def version(headers: Mapping[str, str]) -> str:
    """Return the API version whose rules hold; values that are none (a masked recording) mean the first."""
    asked = headers.get("anthropic-version", "")
    return asked if asked in VERSIONS else VERSIONS[0]


def betas(headers: Mapping[str, str]) -> frozenset[str]:
    """Return the values of anthropic-beta; a masked header stands for every known one."""
    values = [part.strip() for part in headers.get("anthropic-beta", "").split(",")]
    if any(MASKED.match(value) for value in values):
        return frozenset(load("betas")["known"])
    return frozenset(value for value in values if value)


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
    if found := _key(headers):
        return found
    if not headers.get("anthropic-version"):
        return violation("header.version-missing", ("anthropic-version",))
    known = frozenset(load("betas")["families"])
    unknown = [beta for beta in sorted(betas(headers)) if re.sub(r"-20\d\d-?\d\d-?\d\d$", "", beta) not in known]
    if unknown:
        return violation("header.beta-unknown", ("anthropic-beta",), values=", ".join(f"`{beta}`" for beta in unknown))
    return None


def check_body(raw: bytes) -> tuple[Any, Violation | None]:
    """Return (parsed body, None), or (None, the rule that the bytes break: too large, no JSON)."""
    if len(raw) > MAX_BYTES:
        return None, violation("body.too-large")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        return None, violation(
            "body.not-json", detail=f"str is not valid UTF-8: {error.reason}", line=1, column=1, char=0
        )
    try:
        body = json.loads(text, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        return None, _not_json(error.msg, text, error.pos)
    except RecursionError:
        return None, _not_json("recursion limit reached", text, 0)
    except ValueError:
        return None, _not_json("unexpected character", text, 0)
    if (at := _lone_surrogate(text)) is not None:
        return None, _not_json(at[0], text, at[1])
    return body, None


def _no_constant(name: str) -> Any:
    raise ValueError(name)


def _not_json(detail: str, text: str, char: int) -> Violation:
    line, column = text.count("\n", 0, char) + 1, char - text.rfind("\n", 0, char)
    return violation("body.not-json", detail=detail[:1].lower() + detail[1:], line=line, column=column, char=char)


SURROGATE = re.compile(r"(?<!\\)(?:\\\\)*\\u([dD][89a-fA-F][0-9a-fA-F]{2})(?:\\u([dD][c-fC-F][0-9a-fA-F]{2}))?")


def _lone_surrogate(text: str) -> tuple[str, int] | None:
    """Return what a strict parser says of the first escaped surrogate that has no partner, and where."""
    if "\\ud" not in text and "\\uD" not in text:
        return None
    for match in SURROGATE.finditer(text):
        first, second = match.group(1), match.group(2)
        if first[1] in "89abAB" and second is None:
            return "no low surrogate in string", match.end(1)
        if first[1] not in "89abAB":
            return "invalid low surrogate in string", match.end(1)
    return None
