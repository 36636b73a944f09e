"""The worked examples of the authoring guide, one of every kind: the tests' sample items."""

import re
from functools import cache
from pathlib import Path
from typing import Any

from course.quiz.bank import Bank, load_bank
from course.quiz.items import Item
from course.quiz.kinds import KINDS
from course.quiz.yamlfile import read_yaml

ROOT = Path(__file__).parents[2]
GUIDE = ROOT / "docs" / "authoring-items.md"


@cache
def examples_text() -> str:
    return "".join(re.findall(r"```yaml\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL))


@cache
def records() -> dict[str, dict[str, Any]]:
    """The examples as raw data, by kind."""
    return {record["kind"]: record for record in read_yaml(examples_text()).data}


@cache
def examples() -> dict[str, Item]:
    """The examples by kind."""
    return {kind: KINDS[kind].model_validate(record) for kind, record in records().items()}


def changed(kind: str, **fields: Any) -> Item:
    """The example of a kind with other fields."""
    return KINDS[kind].model_validate({**records()[kind], **fields})


def bank_of(folder: Path, text: str, name: str = "01_test.yaml") -> Bank:
    """A bank of one file."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")
    return load_bank(folder)
