"""The exercises of lesson 08, tool-count overload."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from course.lesson.exercise import Exercise, Finding, right, wrong

__all__ = ["EXERCISES"]

SEARCHES = ("mail_search", "files_search", "tickets_search")
MORE_WISHES = {
    "mail_search": (
        "Which messages did Paul send me last week?",
        "Did the bank answer me?",
        "Find the letter from the insurance in my inbox",
        "Has anybody written to me about the invoice from May?",
        "Look for an e-mail with the subject holiday plan",
    ),
    "files_search": (
        "In which document is the travel budget explained?",
        "Find the page that describes our naming rules",
        "Which of our reports names the supplier from Busan?",
        "Is there a note on how to set up the printer?",
        "Find the presentation that mentions next year's goals",
    ),
    "tickets_search": (
        "Which customers complained about late delivery?",
        "Is the broken payment page reported already?",
        "Show all unsolved problems with the app",
        "Have we had this bug before?",
        "Which issues were closed last week?",
    ),
}
ENOUGH = 0.6
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
    "classify": "role service group risk domain read writ categor kind drop remove department team purpose cluster"
    " danger owner",
    "delegate": "subagent agent coordinator hub router team scope assistant specialist department",
    "refactor": "descri name exclusion when schema definition overlap wording purpose",
    "measure": "held accuracy right wrong share token wish test % before after latency rate error count request figure",
}
SHORTER = re.compile(r"\b(shorten|shorter|abbreviat|truncat|trim)")


def tell_apart(mended: Mapping[str, str]) -> Finding:
    """Measured: enough of the wishes find their own among the three searches, by what the descriptions affirm."""
    from course.labs.catalogue import wishes
    from course.labs.retrievers import semantic

    if missing := [name for name in SEARCHES if len(str(mended.get(name, "")).split()) < 4]:
        return wrong("too_short", name=missing[0])
    asked = [(wish.text, wish.tool) for wish in wishes() if wish.tool in SEARCHES]
    asked += [(text, name) for name, texts in MORE_WISHES.items() for text in texts]
    scores = semantic([text for text, _ in asked], [_affirmed(mended[name]) for name in SEARCHES])
    chosen = [SEARCHES[row.argmax()] for row in scores]
    lost = [(text, name, took) for (text, name), took in zip(asked, chosen, strict=True) if name != took]
    hits = len(asked) - len(lost)
    if hits < ENOUGH * len(asked):
        text, name, took = lost[0]
        return wrong("confused", hits=hits, all=len(asked), wish=text, wanted=name, got=took)
    return right(hits=hits, all=len(asked))


def _affirmed(description: str) -> str:
    """Return a description without the sentences that exclude something (all of it where nothing else is there)."""
    sentences = re.split(r"(?<=[.!?;])\s+", description)
    kept = [text for text in sentences if not re.search(r"\b(not|never|neither|instead)\b|n['’]t\b", text.lower())]
    return " ".join(kept) or description


def scope_it(names: Sequence[str] | str) -> Finding:
    """At most six existing tools that cover the five needs, without dangerous extras."""
    from course.labs.catalogue import tools

    chosen = set(re.findall(r"\w+", names) if isinstance(names, str) else names)
    known = {tool.name for tool in tools()}
    if not chosen:
        return wrong("empty")
    if unknown := sorted(chosen - known):
        return wrong("unknown", name=unknown[0])
    if len(chosen) > MOST:
        return wrong("too_many", count=len(chosen))
    for need, choices in NEEDED.items():
        if not choices & chosen:
            return wrong(f"no_{need}")
    if dangerous := sorted(DANGEROUS & chosen):
        return wrong("dangerous", name=dangerous[0])
    spare = sorted(chosen - set().union(*NEEDED.values()))
    return right("spare", count=len(chosen), name=spare[0]) if spare else right(count=len(chosen))


def token_price(value: Any, counted: Callable[[int], int]) -> Finding:
    """Close to the slope of the count over the number of tools; a quotient that holds the overhead is known."""
    each = (counted(120) - counted(1)) / 119
    with_overhead = [(counted(n) - less) / n for n in (10, 20, 50, 60, 100, 120) for less in (0, counted(0))]
    if any(abs(value - priced) < 0.01 for priced in with_overhead) or value > 2 * each:
        return wrong("too_much", value=round(value))
    return right(value=round(value)) if 0.7 * each <= value <= 1.3 * each else wrong("too_little", value=round(value))


def three_steps(plan: Mapping[str, str]) -> Finding:
    """Each part is there, says what is done, and the measure names something to count."""
    for part, words in PARTS.items():
        text = str(plan.get(part, "")).lower()
        if len(text.split()) < 6:
            return wrong("thin", part=part)
        if not any(word in text for word in words.split()):
            return wrong(f"no_{part}")
    if SHORTER.search(str(plan["refactor"]).lower()):
        return wrong("shorter")
    return right()


EXERCISES = (
    Exercise("over-tell-apart", "08", "over-short", ("OVR-2", "OVR-3"), tell_apart),
    Exercise("over-scope-it", "08", "over-remedies", ("OVR-1", "OVR-4"), scope_it),
    Exercise("over-token-price", "08", "over-tokens", ("OVR-5",), token_price),
    Exercise("over-three-steps", "08", "over-plan", ("OVR-6",), three_steps),
)
