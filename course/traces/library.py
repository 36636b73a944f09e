"""The sample traces that come with the course."""

import json
from difflib import get_close_matches
from pathlib import Path

from course.facts import say
from course.traces.trace import Trace

__all__ = ["SAMPLES", "NoSuchSample", "document", "sample", "samples"]

SAMPLES = Path(__file__).parent / "samples"


class NoSuchSample(LookupError):
    """There is no sample of that name; the message names the nearest ones."""


def samples() -> tuple[str, ...]:
    """Return the names of the samples."""
    return tuple(sorted(path.stem for path in SAMPLES.glob("*.json")))


def sample(name: str) -> Trace:
    """Return one sample. Raises NoSuchSample when there is none of that name."""
    if name not in samples():
        near = get_close_matches(name, samples(), n=3, cutoff=0.4) or samples()
        raise NoSuchSample(say("traces.library.unknown", name=name, near=", ".join(near)))
    return Trace.model_validate_json((SAMPLES / f"{name}.json").read_text(encoding="utf-8"))


def document(trace: Trace) -> str:
    """Return a trace as the JSON document that is kept in a file."""
    return json.dumps(trace.model_dump(mode="json"), ensure_ascii=False, indent=1) + "\n"
