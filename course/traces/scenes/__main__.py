"""Play every scene and write the sample traces anew: `python -m course.traces.scenes`."""

from course.traces.library import SAMPLES, document
from course.traces.scenes import PLAYS, play

SAMPLES.mkdir(exist_ok=True)
for name in PLAYS:
    (SAMPLES / f"{name}.json").write_text(document(play(name)), encoding="utf-8")
