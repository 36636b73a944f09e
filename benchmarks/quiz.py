"""Speed of the question bank and the graders.

    python benchmarks/quiz.py [--items N] [--gradings N]

The bank is the course's own, copied under new ids and reworded by numbers until it has N items, and split into files.
Bars: load and lint of 500 items ≤ 1 s without proofs and robots; 10,000 gradings of closed kinds ≤ 1 s. The floor
beside each figure is what can't be saved: parsing the same YAML with PyYAML's C loader, and building a Grade.
Exit code 1 when a bar is missed.
"""

import argparse
import json
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import date
from itertools import cycle
from pathlib import Path

import yaml

from course.quiz.bagofwords import cross_validated
from course.quiz.bank import QUIZZES, load_bank
from course.quiz.grading import Grade, grade, key
from course.quiz.lint import lint
from course.quiz.robots import questions, run_robots

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
CLOSED = ("single", "select_n", "order", "match", "spot_block", "numeric")
FILES = 14


def median(work: Callable[[], object], rounds: int = 5) -> float:
    """Processor seconds of the median round (the machine may be shared)."""
    taken = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return statistics.median(taken)


class WrittenOut(yaml.SafeDumper):
    """Writes no aliases."""

    def ignore_aliases(self, data: object) -> bool:
        """Every value is written where it stands."""
        return True


def enlarged(folder: Path, n: int) -> None:
    """Write a bank of `n` items in the style of the course's files; copies have other ids and some other words."""
    records = [record for path in sorted(QUIZZES.glob("*.yaml")) for record in yaml.load(path.read_text(), LOADER)]
    made = []
    for number, record in zip(range(n), cycle(records), strict=False):
        text = json.dumps(record, default=str, ensure_ascii=False)
        if number >= len(records):
            text = re.sub(r"\b(the|and|of) (\w+)\b", rf"\g<1> \g<2>{number}", text)
        made.append({**json.loads(text), "id": f"{record['id']}-{number}", "not_with": [], "variant_of": None})
    for at in range(FILES):
        text = yaml.dump(made[at::FILES], Dumper=WrittenOut, allow_unicode=True, width=120, sort_keys=False)
        (folder / f"{at:02}.yaml").write_text(text)


def main() -> int:
    """Measure, print, and compare with the bars."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--items", type=int, default=500)
    options.add_argument("--gradings", type=int, default=10_000)
    args = options.parse_args()
    today = date(2026, 12, 1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        enlarged(folder, args.items)
        texts = [path.read_text() for path in folder.glob("*.yaml")]
        floor = median(lambda: [yaml.load(text, LOADER) for text in texts], 3)
        load = median(lambda: load_bank(folder), 3)
        bank = load_bank(folder)
        check = median(lambda: lint(bank, today=today), 3)
        seen = questions(bank)
        robots = median(lambda: run_robots(seen), 3)
        classifier = median(lambda: cross_validated(seen), 3)
    closed = [(item, key(item)) for item in load_bank() if item.kind in CLOSED]
    jobs = [job for job, _ in zip(cycle(closed), range(args.gradings), strict=False)]
    graded = median(lambda: [grade(item, response) for item, response in jobs], 3)
    grades = [grade(item, response) for item, response in jobs[:100]]
    build = median(lambda: [Grade(**vars(one)) for one in grades for _ in range(args.gradings // 100)], 3)
    size = sum(map(len, texts))
    print(f"bank of {len(bank)} items in {len(texts)} files, {size / 1e6:.2f} MB, problems: {len(bank.problems)}")
    print(
        f"load {load:.2f} s ({load / floor:.2f} × PyYAML's C loader alone, {floor:.2f} s) "
        f"+ lint {check:.2f} s = {load + check:.2f} s"
    )
    print(f"robots {robots:.2f} s, classifier {classifier:.2f} s")
    print(f"{args.gradings:,} closed gradings {graded:.2f} s ({graded / build:.1f} × building the Grade alone)")
    missed = [name for name, bad in (("load and lint", load + check > 1), ("gradings", graded > 1)) if bad]
    print("bars missed: " + ", ".join(missed) if missed else "bars met")
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
