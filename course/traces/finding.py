"""What a diagnosis is made of: findings, each with its place, its reason and its mend."""

from dataclasses import asdict, dataclass
from typing import Any, Literal

from course.facts import say
from course.traces.trace import Trace

__all__ = ["Diagnosis", "Finding", "Place", "where"]

Place = tuple[str | int, ...]
Severity = Literal["broken", "habit", "note"]


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong ("broken": the API refuses it), harmful ("habit": it accepts it), or to know ("note").

    place: path in the request as sent; where: the same in words.  error: the API's exact words, "" where it says
    nothing.  reported: the API, which reports one fault at a time, reports this one.  mechanical: `fix` can mend it.
    exchange: number of the request in a trace.  follows: another fault causes this one; it goes when that is mended.
    """

    severity: Severity
    rule: str
    place: Place
    where: str
    message: str
    why: str
    mend: str
    error: str = ""
    status: int | None = None
    error_type: str = ""
    reported: bool = False
    mechanical: bool = False
    exchange: int = 0
    follows: bool = False


@dataclass(frozen=True)
class Diagnosis:
    """All findings about one input, the most fundamental first.

    kind: what the input was.  repairs: what was done to read it.  mended: a sound copy (messages or body, as the input
    was; None when nothing is broken or nothing can be mended without a person); actions: what was done to make it;
    left: the API's words for what still stands in it.
    """

    kind: str
    trace: Trace
    findings: tuple[Finding, ...] = ()
    repairs: tuple[str, ...] = ()
    mended: Any = None
    actions: tuple[str, ...] = ()
    left: tuple[str, ...] = ()

    @property
    def broken(self) -> tuple[Finding, ...]:
        """The findings that the API answers with an error."""
        return tuple(finding for finding in self.findings if finding.severity == "broken")

    @property
    def sound(self) -> bool:
        """True when no rule of the API is broken."""
        return not self.broken

    def as_dict(self) -> dict[str, Any]:
        """Return the diagnosis as JSON data, without the trace."""
        names = ("kind", "repairs", "mended", "actions", "left")
        plain = {name: getattr(self, name) for name in names}
        return {"sound": self.sound, **plain, "findings": [asdict(finding) for finding in self.findings]}

    def _repr_html_(self) -> str:
        from course.traces.report import report_html

        return report_html(self)


def _labelled(key: str, number: int, label: Any) -> str:
    return say(key, number=number) + (f" ({label})" if isinstance(label, str) else "")


def where(place: Place, body: Any) -> str:
    """Return a place in words, with the role of the message and the type of the block it names."""
    words, node, keys = [], body, []
    kind = place[0] if place else ""
    for number, key in enumerate(place):
        node = _inside(node, key)
        if isinstance(key, int) and number == 1 and kind in ("messages", "tools"):
            label = node.get("role" if kind == "messages" else "name") if isinstance(node, dict) else None
            words.append(_labelled(f"traces.where.{kind}", key, label))
        elif isinstance(key, int) and number == 3 and kind == "messages":
            label = node.get("type") if isinstance(node, dict) else None
            words.append(_labelled("traces.where.block", key, label))
        elif (number and key != "content") or kind not in ("messages", "tools"):
            keys.append(str(key))
    if not words and not keys:
        return str(place[0]) if place else say("traces.where.whole")
    return ", ".join([*words, *([f"`{'.'.join(keys)}`"] if keys else [])])


def _inside(node: Any, key: str | int) -> Any:
    if isinstance(node, dict):
        return node.get(key)
    if isinstance(node, list) and isinstance(key, int) and 0 <= key < len(node):
        return node[key]
    return None
