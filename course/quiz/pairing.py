"""The rules a broken conversation is judged by, in plain words, for items that ask to name one."""

from course.facts import FactError, say

__all__ = ["PAIRING_RULES", "rule_in_words"]

PAIRING_RULES = (
    "pairing.missing-result",
    "pairing.unexpected-result",
    "pairing.duplicate-result",
    "pairing.duplicate-id",
    "role.tool-result",
    "role.assistant-only",
)
"""Ids of the API's rules that an item offers to choose from where it names no others."""


def rule_in_words(rule: str, lang: str | None = None) -> str:
    """Return what the rule demands, in one sentence; for a rule without one, the API's own message."""
    try:
        return say(f"quiz.kinds.rule.{rule}", lang=lang)
    except FactError:
        from course.api.rules import rules

        return rules()[rule].template if rule in rules() else rule
