"""A ready issue text about an item: everything a question writer needs, nothing about the person."""

import json
from collections.abc import Sequence
from typing import Any

from course import __version__
from course.facts import say
from course.quiz.grading import GRADER_VERSION
from course.quiz.items import Item

__all__ = ["issue_text"]


def issue_text(item: Item, comment: str, *, response: Any = None, order: Sequence[str] = ()) -> str:
    """Return Markdown: a title line, what is wrong in the reporter's words, and which item, versions and response."""
    rows = {
        "item": f"{item.id} v{item.version}",
        "kind": item.kind,
        "response": json.dumps(response, ensure_ascii=False),
        "order": ", ".join(order),
        "versions": f"{__version__} / {GRADER_VERSION}",
    }
    table = "\n".join(f"- {say(f'quiz.practice.report.{name}')}: `{value}`" for name, value in rows.items() if value)
    stem = "\n".join(f"> {line}" for line in item.text("stem").splitlines())
    title = say("quiz.practice.report.title", item=item.id)
    return f"# {title}\n\n{comment.strip()}\n\n{table}\n\n{stem}\n"
