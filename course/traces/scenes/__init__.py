"""The scenes behind the sample traces: how each is played here, what it says and asks in `scenes.toml`.

`python -m course.traces.scenes` plays all of them and writes `course/traces/samples/*.json`.
"""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from course.traces.scenes import broken, choice, cycle, trouble, wide
from course.traces.scenes.stage import Play, Stage
from course.traces.trace import Question, Trace

__all__ = ["PLAYS", "play"]

PLAYS: dict[str, Play] = {**cycle.PLAYS, **choice.PLAYS, **trouble.PLAYS, **broken.PLAYS, **wide.PLAYS}


@cache
def _texts() -> dict[str, Any]:
    return tomllib.loads((Path(__file__).parent / "scenes.toml").read_text(encoding="utf-8"))


def play(name: str) -> Trace:
    """Play one scene and return its trace."""
    about = dict(_texts()[name])
    asked = about.pop("questions", [])
    questions = tuple(Question(id=f"{name}-{number}", **item) for number, item in enumerate(asked, start=1))
    played = PLAYS[name](Stage(name)).model_copy(update={"id": name, "questions": questions})
    return Trace.model_validate({**played.model_dump(), **about})
