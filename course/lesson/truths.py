"""The page of two truths: what the exam guide, older texts and today's docs say, and what the course teaches.

The rows are `course/facts/disagreements.toml`, with date and sources.
"""

from dataclasses import dataclass

from course.facts import load, say
from course.facts.syllabus import Disagreement, disagreements
from course.lesson.sentence import in_html

__all__ = ["TwoTruths", "two_truths_page"]


@dataclass(frozen=True)
class TwoTruths:
    """Every disagreement, those with a voice of the exam guide first. Shows itself as a table."""

    rows: tuple[Disagreement, ...]

    def foot(self) -> str:
        """Return when and where the rows were looked up."""
        facts = load("disagreements")
        return say("lesson.truths.foot", on=facts["checked_on"], sources=facts["sources"])

    def __repr__(self) -> str:
        told = []
        for row in self.rows:
            says = "\n".join(f"    {source}: {answer}" for source, answer in row.says)
            told.append(f"{row.question}\n{says}\n    → {row.course}")
        return "\n".join([*told, self.foot()])

    def _repr_html_(self) -> str:
        head = "".join(
            f'<th scope="col" style="{CELL};width:{width}">{say(f"lesson.truths.{name}")}</th>'
            for name, width in COLUMNS.items()
        )
        body = "".join(
            f'<tr><th scope="row" style="{CELL}">{in_html(row.question)}</th><td style="{CELL}">{_voices(row)}</td>'
            f'<td style="{CELL}">{in_html(row.course)}</td></tr>'
            for row in self.rows
        )
        table = f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
        return f'<table style="table-layout:fixed;width:100%">{table}</table><p>{in_html(self.foot())}</p>'


COLUMNS = {"question": "24%", "says": "44%", "course": "32%"}
CELL = "text-align:left;vertical-align:top;white-space:normal"


def two_truths_page() -> TwoTruths:
    """Return the page."""
    return TwoTruths(tuple(sorted(disagreements().values(), key=lambda row: not _of_the_guide(row))))


def _of_the_guide(row: Disagreement) -> bool:
    return any("exam guide" in source for source, _ in row.says)


def _voices(row: Disagreement) -> str:
    return "<br>".join(f"<b>{in_html(source)}:</b> {in_html(answer)}" for source, answer in row.says)
