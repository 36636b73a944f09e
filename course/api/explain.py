"""Why an answer is what it is, kept for a while beside the answers: one plain document for each request id."""

from collections.abc import Mapping, Sequence
from typing import Any

from course.api.rules import Violation

__all__ = ["of_answer", "of_failure", "of_fault", "of_refusal", "of_thread"]


def of_answer(model: str, message: Mapping[str, Any], explain: Sequence[Any], notes: Sequence[str]) -> dict[str, Any]:
    """Explain a 200: what the stand-in says of its choice (one entry a round), and what the API changed of it."""
    return {
        "outcome": "message",
        "message_id": message["id"],
        "answered_by": model,
        "stand_in": True,
        "stop_reason": message["stop_reason"],
        "rounds": list(explain),
        "constraints": list(notes),
    }


def of_refusal(found: Violation) -> dict[str, Any]:
    """Explain an error: the rule that fired, and the place in the request as sent."""
    return {
        "outcome": "error",
        "rule": found.rule,
        "place": list(found.place),
        "status": found.status,
        "message": found.message,
    }


def of_fault(name: str) -> dict[str, Any]:
    """Explain an injected fault."""
    return {"outcome": "fault", "fault": name}


def of_thread(code: str, message: str) -> dict[str, Any]:
    """Explain a request that could not be threaded."""
    return {"outcome": "error", "rule": code, "place": ["thread"], "message": message}


def of_failure(message: str, trace: Sequence[str]) -> dict[str, Any]:
    """Explain an error that the stand-in itself raised."""
    return {"outcome": "failure", "message": message, "traceback": list(trace)}
