"""What the API's words and rules come to: which rule a message is of, which place it names, and our words for it."""

import re
from functools import cache

from course.facts import FactError, say
from course.traces.finding import Place

__all__ = ["about", "named_place", "rule_of"]


@cache
def _templates() -> tuple[tuple[str, re.Pattern[str]], ...]:
    from course.api.rules import rules

    made = []
    for rule in rules().values():
        parts = re.split(r"\{\w+\}", rule.template)
        pattern = re.compile("(?s:.*?)".join(re.escape(part) for part in parts) + r"\Z")
        made.append((len("".join(parts)), rule.id, pattern))
    return tuple((id, pattern) for _, id, pattern in sorted(made, key=lambda row: -row[0]))


def rule_of(message: str) -> str:
    """Return the id of the rule whose template gives the API's `message`; "" when there is none."""
    return next((id for id, pattern in _templates() if pattern.match(message)), "")


def named_place(message: str) -> Place:
    """Return the place that a message names at its front: `messages.2.content.0: …`."""
    found = re.match(r"((?:messages|tools|system)(?:\.\w+)*):? ", message)
    keys = found[1].split(".") if found else []
    return tuple(int(key) if key.isdigit() else key for key in keys)


def about(rule: str, part: str, place: Place) -> str:
    """Return what, why or mend of a rule: the words for its field, its own, its family's, or those of its stage."""
    from course.api.rules import rules

    field = next((str(key) for key in reversed(place) if isinstance(key, str)), "")
    known = rules().get(rule)
    inside = [f"{rule}.block.{field}"] if len(place) > 4 and place[2] == "content" else []
    group = f"group.{rule.partition('.')[0]}"
    keys = [*inside, f"{rule}.{field}", rule, group, f"stage.{known.stage}" if known else "stage.other"]
    for key in keys:
        try:
            return say(f"traces.rule.{key}.{part}")
        except FactError:
            continue
    return say(f"traces.rule.stage.other.{part}")
