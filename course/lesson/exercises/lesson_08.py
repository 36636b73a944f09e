"""The exercises of lesson 08, tool-count overload."""

from collections.abc import Mapping, Sequence
from typing import Any

from course.lesson.exercise import Exercise, Finding, right, wrong

__all__ = ["EXERCISES"]

SEARCHES = ("mail_search", "files_search", "tickets_search")
NEEDED = {
    "customer": {"customers_find", "customers_profile"},
    "order": {"orders_get", "orders_find"},
    "verify": {"customers_verify_identity"},
    "refund": {"billing_refund"},
    "person": {"tickets_escalate"},
}
DANGEROUS = {"billing_charge", "customers_delete_data", "customers_merge", "monitoring_incident", "files_delete"}
MOST = 6
PARTS = {
    "classify": ("role", "service", "group", "risk", "domain", "read", "categor", "kind", "drop", "remove"),
    "delegate": ("subagent", "agent", "coordinator", "hub", "router", "team", "scope"),
    "refactor": ("descri", "name", "exclusion", "when not", "schema", "definition", "overlap"),
    "measure": ("held", "accuracy", "right", "share", "token", "wish", "test", "%", "before", "latency", "count"),
}


def tell_apart(mended: Mapping[str, str]) -> Finding:
    """Measured: among the three searches, each held-back and seen wish finds its own."""
    from course.labs.retrievers import semantic

    if missing := [name for name in SEARCHES if len(str(mended.get(name, "")).split()) < 4]:
        return wrong("too_short", name=missing[0])
    from course.labs.catalogue import wishes

    asked = [wish for wish in wishes() if wish.tool in SEARCHES]
    scores = semantic([wish.text for wish in asked], [f"{name} {mended[name]}" for name in SEARCHES])
    chosen = [SEARCHES[row.argmax()] for row in scores]
    lost = [(wish, name) for wish, name in zip(asked, chosen, strict=True) if wish.tool != name]
    hits = len(asked) - len(lost)
    if hits < len(asked) - 1:
        wish, name = lost[0]
        return wrong("confused", hits=hits, all=len(asked), wanted=wish.tool, got=name)
    return right(hits=hits, all=len(asked))


def scope_it(names: Sequence[str]) -> Finding:
    """At most six existing tools that cover the five needs, without dangerous extras."""
    from course.labs.catalogue import tools

    known = {tool.name for tool in tools()}
    if unknown := [name for name in names if name not in known]:
        return wrong("unknown", name=unknown[0])
    if not names:
        return wrong("empty")
    if len(set(names)) > MOST:
        return wrong("too_many", count=len(set(names)))
    for need, choices in NEEDED.items():
        if not choices & set(names):
            return wrong(f"no_{need}")
    if extra := sorted(DANGEROUS & set(names)):
        return wrong("dangerous", name=extra[0])
    return right(count=len(set(names)))


def token_price(value: Any) -> Finding:
    """Close to the slope of the count over the number of tools."""
    from course.api.tokens import factor, weigh_tools
    from course.facts import default_model, model
    from course.labs.catalogue import tools

    each = factor(model(default_model())) * weigh_tools([tool.definition() for tool in tools()]) / len(tools())
    if value > 2 * each:
        return wrong("too_much", value=round(value))
    return right(value=round(value)) if 0.7 * each <= value <= 1.3 * each else wrong("too_little", value=round(value))


def three_steps(plan: Mapping[str, str]) -> Finding:
    """Each part is there, says what is done, and the measure names something to count."""
    for part, words in PARTS.items():
        text = str(plan.get(part, "")).lower()
        if len(text.split()) < 6:
            return wrong("thin", part=part)
        if not any(word in text for word in words):
            return wrong(f"no_{part}")
    return right()


EXERCISES = (
    Exercise("over-tell-apart", "08", "over-short", ("OVR-2", "OVR-3"), tell_apart),
    Exercise("over-scope-it", "08", "over-remedies", ("OVR-1", "OVR-4"), scope_it),
    Exercise("over-token-price", "08", "over-tokens", ("OVR-5",), token_price),
    Exercise("over-three-steps", "08", "over-plan", ("OVR-6",), three_steps),
)
