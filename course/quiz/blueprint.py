"""What a form is made of: how many items of which exam task, in which scenarios, of which kinds, in how much time."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import Field, ValidationError, model_validator

from course.facts import load, say
from course.quiz.bank import QUIZZES
from course.quiz.errors import FormError
from course.quiz.items import Item, Record, Text
from course.quiz.yamlfile import YamlProblem, read_yaml

__all__ = ["FORMS", "Blueprint", "Share", "blueprint", "blueprints", "largest_remainder"]

FORMS = QUIZZES / "forms"


class Share(Record):
    """A part of a form: these exam tasks ("2.1"; "3.*" for a whole domain) get this share of the items."""

    tasks: tuple[str, ...] = Field(min_length=1)
    share: float = Field(gt=0)

    @property
    def name(self) -> str:
        """The tasks, e.g. "2.1" or "1.2, 1.3"."""
        return ", ".join(self.tasks)

    def holds(self, task: str) -> bool:
        """True when the exam task belongs to this part."""
        return any(task == own or (own.endswith(".*") and task.startswith(own[:-1])) for own in self.tasks)


class Blueprint(Record):
    """One kind of form.

    scenarios: numbers to draw from; `drawn` of them frame a form, and every item belongs to one of them (0: items
    need no scenario). difficulties: which may come in. pauses: how often the clock may be stopped. The mix of
    single-answer and select-n items is a setting, since the exam's own is unknown.
    """

    id: str = Field(pattern=r"^[a-z0-9][a-z0-9-]*$")
    title: Text
    about: Text
    items: int = Field(ge=1, le=200)
    minutes: int = Field(ge=1, le=600)
    parts: tuple[Share, ...] = Field(min_length=1)
    scenarios: tuple[int, ...] = ()
    drawn: int = Field(default=0, ge=0)
    difficulties: tuple[str, ...] = ("exam", "hard")
    pauses: int = Field(default=0, ge=0)

    @model_validator(mode="after")
    def _sound(self) -> "Blueprint":
        tasks = [task for part in self.parts for task in part.tasks]
        if len(set(tasks)) < len(tasks):
            raise ValueError("an exam task stands in two parts")
        if self.drawn > len(self.scenarios):
            raise ValueError("`drawn` is more than there are scenarios")
        return self

    def counts(self) -> tuple[int, ...]:
        """Return how many items each part gets, by largest remainder."""
        return largest_remainder(self.items, [part.share for part in self.parts])

    def select_n_count(self, mix: str | None = None) -> int:
        """Return how many select-n items; mix: "50:10" (single to select-n), default: that of the exam facts."""
        exam = load("exam")["mix"]
        chosen = mix or exam["default"]
        if chosen not in exam["choices"]:
            raise FormError(say("quiz.exam.no_mix", given=chosen, known=", ".join(exam["choices"])))
        return largest_remainder(self.items, [float(share) for share in chosen.split(":")])[1]

    def admits(self, item: Item) -> bool:
        """True when the item may come into this form at all, apart from task, kind and scenario."""
        return item.status == "reviewed" and item.difficulty in self.difficulties


def largest_remainder(total: int, shares: Sequence[float]) -> tuple[int, ...]:
    """Split `total` in whole numbers in proportion to `shares`; what is left goes to the largest remainders."""
    exact = [total * share / sum(shares) for share in shares]
    counts = [int(value) for value in exact]
    by_rest = sorted(range(len(shares)), key=lambda index: (counts[index] - exact[index], index))
    for index in by_rest[: total - sum(counts)]:
        counts[index] += 1
    return tuple(counts)


def blueprints(folder: Path = FORMS) -> Mapping[str, Blueprint]:
    """Return every blueprint of the folder by id. Raises FormError naming the file that can't be read."""
    found: dict[str, Blueprint] = {}
    for file in sorted(folder.glob("*.yaml")):
        try:
            plan = Blueprint.model_validate(read_yaml(file).data)
        except (YamlProblem, ValidationError, OSError) as why:
            raise FormError(say("quiz.exam.bad_blueprint", file=file.name, why=why)) from why
        found[plan.id] = plan
    return found


def blueprint(id: str, folder: Path = FORMS) -> Blueprint:
    """Return one blueprint. Raises FormError naming those there are."""
    known = blueprints(folder)
    if id not in known:
        raise FormError(say("quiz.exam.no_blueprint", id=id, known=", ".join(known)))
    return known[id]
