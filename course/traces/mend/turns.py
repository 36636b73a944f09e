"""Mends of turns and blocks: roles, system turns, empty texts, thinking."""

from typing import TYPE_CHECKING

from course.facts import say
from course.traces.finding import Place
from course.traces.mend.patient import Mending, Patient, block_place, likely_role, remove_block, remove_place

if TYPE_CHECKING:
    from course.api.rules import Violation

__all__ = ["TURNS"]

ROLES = {"human": "user", "customer": "user", "ai": "assistant", "bot": "assistant", "model": "assistant"}


def _role(patient: Patient, broken: "Violation") -> None:
    place = (*broken.place[:2], "role")
    role = patient.get(place)
    content = patient.get((*broken.place[:2], "content"))
    if role == "developer" and isinstance(content, str):
        _to_system(patient, broken)
    else:
        patient.set(place, ROLES.get(str(role).lower()) or likely_role(patient, broken.place[:2]))


def _to_system(patient: Patient, broken: "Violation") -> None:
    """Move a system turn to the top-level `system` field."""
    place = broken.place[:2]
    if place in patient.leaving:
        return
    content = patient.get((*place, "content"))
    blocks = content if isinstance(content, list) else [{"type": "text", "text": content}] if content else []
    texts = [b["text"] for b in blocks if isinstance(b, dict) and isinstance(b.get("text"), str) and b["text"].strip()]
    patient.drop(place, "to_system" if texts else "removed")
    system = patient.body.get("system")
    if not texts:
        return
    if isinstance(system, list):
        patient.body["system"] = [*system, *({"type": "text", "text": text} for text in texts)]
    else:
        patient.body["system"] = "\n\n".join([*([system] if isinstance(system, str) and system else []), *texts])


def _first_role(patient: Patient, broken: "Violation") -> None:
    patient.body["messages"].insert(0, {"role": "user", "content": say("traces.action.opening_text")})
    patient.did("opening", ("messages", 0))


def _prefill(patient: Patient, broken: "Violation") -> None:
    patient.drop(("messages", len(patient.body["messages"]) - 1), "prefill")


def _whitespace(patient: Patient, broken: "Violation") -> None:
    place: Place = ("messages", len(patient.body["messages"]) - 1, "content")
    content = patient.get(place)
    if isinstance(content, list) and content:
        place = (*place, len(content) - 1, "text")
    text = patient.get(place)
    if isinstance(text, str):
        patient.set(place, text.rstrip(), "stripped")


def _thinking_first(patient: Patient, broken: "Violation") -> None:
    content = patient.get((*broken.place[:2], "content"))
    if isinstance(content, list):
        content.sort(key=lambda block: "thinking" not in str(block.get("type") if isinstance(block, dict) else ""))
        patient.did("thinking_first", broken.place[:2])


def _text_only_error(patient: Patient, broken: "Violation") -> None:
    """Move what is no text out of an error result, behind the results of its message."""
    result = patient.get(block_place(broken.place[:4]))
    outer = patient.get(broken.place[:3])
    parts = result.get("content") if isinstance(result, dict) else None
    if isinstance(parts, list) and isinstance(outer, list):
        moved = [part for part in parts if not (isinstance(part, dict) and part.get("type") == "text")]
        result["content"] = [part for part in parts if not any(part is other for other in moved)]
        outer.extend(moved)
        patient.did("moved_out", broken.place)


def _told_error(patient: Patient, broken: "Violation") -> None:
    """Say in an empty error result that what the tool said was not kept."""
    patient.set((*block_place(broken.place), "content"), say("traces.action.no_words"), "error_words")


def _sealed(patient: Patient, broken: "Violation") -> None:
    """Search results whose sealed content was not kept can't be sent back."""
    for number, found in enumerate(patient.get((*broken.place, "content"))):
        if isinstance(found, dict) and found.get("encrypted_content") == "":
            patient.drop((*broken.place, "content", number))


TURNS: dict[str, Mending] = {
    "messages.role-unknown": _role,
    "messages.first-role": _first_role,
    "system-turn.first": _to_system,
    "system-turn.empty": _to_system,
    "system-turn.blocks": _to_system,
    "system-turn.whitespace": _to_system,
    "system-turn.unsupported": _to_system,
    "system-turn.must-follow-user": _to_system,
    "system-turn.must-precede-assistant": _to_system,
    "user-turn.empty": lambda patient, broken: patient.drop(broken.place[:2]),
    "text.empty": remove_block,
    "text.blank": remove_block,
    "thinking.nothing": remove_block,
    "thinking.signature": remove_block,
    "thinking.data": remove_block,
    "thinking.modified": remove_block,
    "thinking.moved": remove_block,
    "thinking.off-last": remove_block,
    "thinking.not-first": _thinking_first,
    "thinking.at-the-end": remove_block,
    "result.error-empty": _told_error,
    "server.encrypted-content": _sealed,
    "result.error-text-only": _text_only_error,
    "prefill.unsupported": _prefill,
    "prefill.whitespace": _whitespace,
    "server.missing-result": remove_block,
    "server.no-tool": remove_block,
    "server.unexpected-result": remove_block,
    "caller.no-source": lambda patient, broken: patient.drop((*block_place(broken.place), "caller")),
    "version.user-citations": remove_place,
}
