"""The record of a quiz item: what every kind shares. The ten kinds are in `kinds`.

A text is a string, or a mapping by language with `en` required. JSON values (claims, requests, traces) are plain
Python data as `json.loads` gives it. Names follow the authoring guide, docs/authoring-items.md.
"""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, PlainValidator, StringConstraints, WithJsonSchema, model_validator
from pydantic_core import PydanticCustomError

from course.facts import language

__all__ = ["Exhibit", "Item", "Option", "Proof", "Record", "Source", "Text", "in_language", "unique_ids"]

TEXT_SCHEMA = {"anyOf": [{"type": "string"}, {"type": "object", "required": ["en"]}]}


def _text(value: object) -> str | Mapping[str, str]:
    if isinstance(value, str):
        if value.strip():
            return value
        raise PydanticCustomError("text_blank", "the text is empty")
    if isinstance(value, Mapping) and all(isinstance(text, str) and text.strip() for text in value.values()):
        if "en" in value:
            return value
        raise PydanticCustomError("text_no_english", "a text by language needs the language `en`")
    raise PydanticCustomError("text_type", "expected a text, or a mapping from language to text")


Text = Annotated[str | Mapping[str, str], PlainValidator(_text), WithJsonSchema(TEXT_SCHEMA)]
Id = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_-]*$", max_length=64)]
Json = Any


def in_language(text: str | Mapping[str, str], lang: str | None = None) -> str:
    """Return `text` in `lang` (default: the language in force), or in English where that is missing."""
    return text if isinstance(text, str) else text.get(lang or language(), text["en"])


def unique_ids(things: Iterable[Any], what: str) -> None:
    """Raise when two of `things` have the same id; `what` names them in the message."""
    seen: set[str] = set()
    for thing in things:
        if thing.id in seen:
            raise PydanticCustomError("same_id", "two {what} have the id `{id}`", {"what": what, "id": thing.id})
        seen.add(thing.id)


class Record(BaseModel):
    """Frozen data; a field that does not exist is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Source(Record):
    """Where a fact comes from, and when it was last looked at."""

    title: str = Field(min_length=8)
    checked_on: date


class Option(Record):
    """One thing to choose. `why` says why it holds, or why it fails; `claim` says the same to a proof."""

    id: Id
    text: Text
    why: Text
    correct: bool = False
    misconception: str | None = None
    claim: Json = None


class Exhibit(Record):
    """Something to look at beside the stem. `broken` is set where the body does not parse on purpose."""

    kind: Literal["text", "json", "python", "log", "table"] = "text"
    body: Text
    title: Text | None = None
    broken: bool = False


class Proof(Record):
    """The name of a proof and its parameters; written as a bare name where there are none."""

    name: str
    params: dict[str, Json] = Field(default={}, alias="with")

    @model_validator(mode="before")
    @classmethod
    def _bare_name(cls, value: object) -> object:
        return {"name": value} if isinstance(value, str) else value


class Item(Record):
    """What every kind of item has.

    exam_task: a task of the exam guide ("2.1"), or "beyond". scenario: 1…6 of the exam facts.
    variant_of: the id of the item whose concept this one asks again; both never meet in one form.
    excuses: lint code → the reason why this item may break that rule.
    """

    id: Id
    version: int = Field(ge=1)
    status: Literal["draft", "reviewed", "retired"] = "draft"
    kind: str
    objectives: tuple[str, ...] = Field(min_length=1)
    exam_task: str = Field(pattern=r"^([1-5]\.[1-7]|beyond)$")
    scenario: int | None = Field(default=None, ge=1, le=6)
    difficulty: Literal["easy", "exam", "hard"]
    stem: Text
    exhibits: tuple[Exhibit, ...] = ()
    shuffle: bool = True
    hints: tuple[Text, ...] = Field(default=(), max_length=3)
    explanation: Text
    exam_says: Text | None = None
    docs_say: Text | None = None
    sources: tuple[Source, ...] = ()
    proof: Proof | None = None
    variant_of: Id | None = None
    not_with: tuple[Id, ...] = ()
    est_seconds: int = Field(ge=5, le=1800)
    excuses: dict[str, str] = {}

    @property
    def group(self) -> str:
        """The id shared by all variants of one concept."""
        return self.variant_of or self.id

    def text(self, field: str, lang: str | None = None) -> str:
        """Return the text field `field` in `lang`; "" where the item has none."""
        value = getattr(self, field)
        return "" if value is None else in_language(value, lang)
