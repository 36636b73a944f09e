"""When a concept is due again: one FSRS card for each group of variants, computed from the history.

Nothing is stored: the cards follow from the answers and the exam date, so a corrected grade or a new date moves them
at once. Spacing saves time; evidence that its exact shape matters is thin, so the set-up is plain: no fuzzing, whole
days, and before an exam no interval longer than a third of what is left.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from course.quiz.history import Answer
from course.quiz.store import Store

__all__ = ["Card", "cards", "exam_date", "longest_interval", "rating"]

FAR = 36_500


@dataclass(frozen=True)
class Card:
    """What is known about one group of variants.

    due: when it should come again. last: when it was last answered, last_right: whether fully right then.
    stability: days until the chance of recall falls to 90 %. items: ids answered so far → time of the last answer.
    """

    group: str
    due: datetime
    last: datetime
    last_right: bool
    reviews: int
    lapses: int
    stability: float
    items: Mapping[str, datetime] = field(default_factory=dict)

    def is_due(self, now: datetime) -> bool:
        """True from the start of the day (UTC) on which it is due."""
        return self.due.date() <= now.date()


def exam_date(store: Store) -> date | None:
    """Return the date of the exam that the learner has set, None where there is none."""
    text = store.setting("exam_date")
    return date.fromisoformat(text) if text else None


def longest_interval(exam_date: date | None, today: date) -> int:
    """Return the longest interval in days: a third of the days to the exam, at least one; far away without one."""
    if exam_date is None or exam_date <= today:
        return FAR
    return max(1, (exam_date - today).days // 3)


def rating(answer: Answer, *, new_variant: bool) -> str | None:
    """Return "Again", "Hard", "Good" or "Easy"; None for an answer that tells nothing (blank, invalid).

    Anything less than fully right is Again. A hint or confidence 1 caps at Hard. Easy needs full confidence on a
    variant not met before, without a hint.
    """
    if answer.verdict in (None, "blank", "invalid"):
        return None
    if not answer.right:
        return "Again"
    if answer.hints or answer.confidence == 1:
        return "Hard"
    return "Easy" if answer.confidence == 3 and new_variant else "Good"


def cards(
    answers: Iterable[Answer],
    group_of: Callable[[str], str],
    *,
    exam_date: date | None = None,
    today: date,
) -> dict[str, Card]:
    """Return the card of every group that was answered, by group. group_of: item id → its group."""
    import fsrs

    cap = longest_interval(exam_date, today)
    scheduler = fsrs.Scheduler(learning_steps=(), relearning_steps=(), maximum_interval=cap, enable_fuzzing=False)
    memory: dict[str, fsrs.Card] = {}
    known: dict[str, Card] = {}
    for answer in sorted(answers, key=lambda answer: (answer.at, answer.seq)):
        group = group_of(answer.item)
        before = known.get(group)
        grade = rating(answer, new_variant=before is not None and answer.item not in before.items)
        if grade is None:
            continue
        card = memory.get(group) or fsrs.Card(card_id=1, due=answer.at)
        memory[group], _ = scheduler.review_card(card, fsrs.Rating[grade], answer.at)
        known[group] = Card(
            group=group,
            due=min(memory[group].due, answer.at + timedelta(days=cap)),
            last=answer.at,
            last_right=answer.right,
            reviews=(before.reviews if before else 0) + 1,
            lapses=(before.lapses if before else 0) + (grade == "Again"),
            stability=memory[group].stability or 0.0,
            items={**(before.items if before else {}), answer.item: answer.at},
        )
    return known
