"""The lint of the instructor kit finds each kind of fault in a small kit, and nothing in the real one."""

from dataclasses import replace
from pathlib import Path

import pytest

from course.authoring.source import Cell, Lesson
from course.quiz.items import Option
from course.quiz.kinds import Order, Single
from course.workshop.kit import Ground, check, findings, parse

ROOT = Path(__file__).parents[2]

PAGE = """\
# 12 · The safe boundary · 30 minutes

## Outcome

People refuse well-formed calls. **Objectives** SAFE-1, SAFE-2, SAFE-3, SAFE-4, SAFE-5. **Exam tasks** 1.4.

## Set up

A notebook, and `make lab`.

```sh
make workshop ARGS="--host 0.0.0.0 --items one,two,three,four,five"
```

## Minutes

| at | min | part | what happens | check |
|---:|---:|---|---|---|
| 0 | 10 | *Permission* | predict and run | `safe-guess`, `safe-gate` |
| 10 | 10 | Poll | vote | `one` |
| 20 | 9 | Poll | vote again | `two` |
| 29 | 1 | Close | | exit ticket |

Answers to the guesses: `safe-guess` a.

## Polls

### Poll 1 · `one` · after *Permission*

**Key** `yes`: because it is so.

- **Below 30 %** Again.
- **Between** Discuss.
- **Above 75 %** Go on.

### Poll 2 · `two` · after *Permission*

**Key** `yes`: because it is so.

- **Below 30 %** Again.
- **Between** Discuss.
- **Above 75 %** Go on.

## Often believed

| belief | shown by | say |
|---|---|---|
| `strict-is-safe` strict means safe | `one` | No. |
| `claude-runs-tools` Claude runs it | `two` | No. |
| `model-remembers` Claude remembers | `three` | No. |

## You will be asked

**Why?** So.

**When?** Now.

**Where?** Here.

**Who?** You.

## Late or early

- **Late, −5 min** Leave out `safe-gate`.
- **Early, +5 min** Read *Permission* again.

## Exit ticket

1. `three` · **Key** `yes`: so.
2. `four` · **Key** `yes`: so.
3. `five` · **Key** `yes`: so.

## If something breaks

- **No Wi-Fi** None needed.
- **Kernel dead** Restart.
- **Hub full** Pairs. See [recovery](recovery.md).
"""

PLAN = """\
# A short plan · 130 minutes

```sh
.venv/bin/course workshop --items one,two
```

## First · 130 minutes

| at | min | part | what happens | check |
|---:|---:|---|---|---|
| 0 | 20 | [12](12.md) *Permission* | run | `safe-gate` |
| 20 | 20 | Poll | vote | `one` |
| 40 | 20 | Poll | vote | `two` |
| 60 | 30 | Break | | |
| 90 | 20 | Poll | vote | `three` |
| 110 | 20 | Close | | exit ticket |
"""


def cells() -> tuple[Cell, ...]:
    return (
        Cell("safe-title", "markdown", "# The safe boundary", ("title",)),
        Cell("safe-before", "markdown", "**Time:** about 25 minutes.", ("before",)),
        Cell("safe-permission", "markdown", "## Permission", objectives=("SAFE-1",)),
        Cell("safe-guess-cell", "code", 'predict("safe-guess", "?", ["a", "b"])'),
        Cell("safe-gate-cell", "code", 'check("safe-gate", 1)'),
        Cell("safe-limits", "markdown", "## Limits", objectives=("SAFE-5",)),
    )


def item(id: str, **changes: object) -> Single:
    options = (
        Option(id="yes", text="Yes.", why="It is so.", correct=True),
        Option(id="no", text="No.", why="It is not so.", misconception="strict-is-safe"),
        Option(id="never", text="Never.", why="It is not so.", misconception="claude-runs-tools"),
        Option(id="hardly", text="Hardly.", why="It is not so.", misconception="model-remembers"),
    )
    fields = {
        "id": id, "version": 1, "status": "reviewed", "kind": "single", "objectives": ("SAFE-1",), "exam_task": "1.4",
        "difficulty": "easy", "stem": "Is it so?", "options": options, "explanation": "So it is.", "est_seconds": 30,
    }  # fmt: skip
    return Single.model_validate({**fields, **changes})


@pytest.fixture
def on(tmp_path: Path) -> Ground:
    for name in ("recovery.md", "12.md"):
        (tmp_path / name).write_text("", encoding="utf-8")
    return Ground(
        lessons={"12": Lesson("12_safe", cells())},
        items={id: item(id) for id in ("one", "two", "three", "four", "five")},
        verbs=frozenset({"workshop", "lint"}),
        makes=frozenset({"lab", "workshop"}),
        folder=tmp_path,
    )


def told(on: Ground, *, page: str = PAGE, plan: str = PLAN) -> list[str]:
    return [str(found) for found in findings([parse(page, "12.md"), parse(plan, "plan-short.md")], on)]


def broken(old: str, new: str, text: str = PAGE) -> str:
    assert old in text
    return text.replace(old, new)


def test_a_sound_kit_has_no_findings(on):
    assert told(on) == []


def test_the_real_kit_is_sound():
    assert [str(found) for found in check(ROOT)] == []


def test_a_lesson_without_a_page_is_named(on):
    (found,) = findings([], on)
    assert found.file == "12.md"
    assert "The safe boundary" in found.text


def test_a_page_of_no_lesson_is_named(on):
    found = findings([parse(PAGE, "12.md"), parse(PAGE, "77.md")], on)
    assert [f.file for f in found] == ["77.md"]


def test_a_finding_says_file_and_line(on):
    line = PAGE.splitlines().index("| 10 | 10 | Poll | vote | `one` |") + 1
    (found,) = told(on, page=broken("| 10 | 10 | Poll", "| 11 | 10 | Poll"))
    assert found.startswith(f"12.md:{line}: ")
    assert "minute 10, the row says 11" in found


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("# 12 · The safe boundary · 30", "# 12 · The unsafe boundary · 30", "the first line must be"),
        ("boundary · 30 minutes", "boundary · 31 minutes", "the minutes add up to 30, the heading says 31"),
        ("boundary · 30 minutes", "boundary · 51 minutes", "the lesson takes 25 alone"),
        ("## Late or early", "## Later", "expected the sections"),
        ("SAFE-5. **Exam", "CYC-1. **Exam", "expected all objectives of the lesson"),
        ("tasks** 1.4", "tasks** 1.5", "expected the exam tasks"),
        ("--items one,two,three", "--items two,one,three", "--items one,two,three,four,five"),
        ("| `safe-guess`, `safe-gate` |", "| `safe-guessed` |", "`safe-guessed` is no exercise or prediction"),
        ("run | `safe-guess`, `safe-gate` |\n| 10 | 10 | Poll | vote | `one` |",
         "run | |\n| 10 | 11 | Poll | vote | `one` |", "21 minutes without a check"),
        ("| 10 | 10 | Poll", "| ten | 10 | Poll", "the first two being whole minutes"),
        ("| at | min |", "| at | length |", "expected one table with the columns"),
        ("*Permission* | predict", "*Permissions* | predict", "*Permissions* is no heading of the lesson"),
        ("*Permission* | predict", "*Limits* | predict", "which no section of this row or before it teaches"),
        ("| 20 | 9 | Poll | vote again | `two` |", "| 20 | 9 | Poll | vote again | `one` |", "stands in no row"),
        ("### Poll 2 · `two` · after", "### Poll 2 · after", "the heading of a poll names its item"),
        ("**Key** `yes`: because", "**Key** `no`: because", "the key of `one` is yes; the page says no"),
        ("- **Between** Discuss.\n", "", "expected what to say “Between”"),
        ("| `model-remembers` Claude remembers | `three` | No. |\n", "", "2 different misconceptions; expected 3"),
        ("`strict-is-safe` strict", "`strict-is-good` strict", "`strict-is-good` is no misconception"),
        ("remembers | `three` |", "remembers | three |", "names no item that shows it"),
        ("remembers | `three` |", "remembers | `seven` |", "there is no item `seven`"),
        ("`model-remembers` Claude", "`text-ends-loop` Claude", "carries the misconception `text-ends"),
        ("**Who?** You.\n", "", "3 questions; expected at least 4"),
        ("**Late, −5 min** Leave", "**Late** Leave", "expected a line that begins with **Late"),
        ("`safe-guess` a.", "`safe-guess` c.", "`safe-guess` is given as c; possible is a / b"),
        ("Answers to the guesses: `safe-guess` a.\n", "", "the answer to the guess `safe-guess` is given as –"),
        ("Go on.\n\n## Often", "Go on at minute 7.\n\n## Often", "no row begins at minute 7; rows begin at 0, 10"),
        ("Leave out `safe-gate`", "Leave out the gate", "names no section and no exercise"),
        ("Leave out `safe-gate`", "Leave out `safe-gates`", "`safe-gates` is no exercise, prediction or cell"),
        ("3. `five` · **Key** `yes`: so.\n", "", "2 items with a key; an exit ticket has 3"),
        ("3. `five` ·", "3. `one` ·", "`one` was polled in this lesson"),
        ("- **Kernel dead** Restart.\n", "", "begins with “Kernel dead”"),
        ("See [recovery](recovery.md)", "See below", "expected a link to recovery.md"),
        ("[recovery](recovery.md)", "[recovery](recovery.md), [more](more.md)", "more.md leads nowhere"),
        ("`make lab`", "`make tea`", "`make tea`: there is no such verb"),
        ("make workshop", "make workshops", "there is no such verb"),
        ("make workshop ARGS=\"", ".venv/bin/course workshops \"", "there is no such verb"),
        ("So.\n", "So " + "on " * 1350 + ".\n", "words; a page is read at the desk"),
    ],
)  # fmt: skip
def test_each_fault_of_a_page_is_found(on, old, new, expected):
    found = told(on, page=broken(old, new))
    assert any(expected in line for line in found), found


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"status": "draft"}, "`two` is draft; a room is asked reviewed items only"),
        ({"objectives": ("CYC-1",)}, "`two` is about CYC-1, none of lesson 12"),
    ],
)
def test_an_item_that_does_not_suit_the_room_is_found(on, changes, expected):
    on.items["two"] = item("two", **changes)
    assert any(expected in line for line in told(on))


def test_an_item_of_a_kind_without_bars_is_found(on):
    steps = tuple({"id": name, "text": name, "why": "So."} for name in ("first", "then", "last"))
    shared = item("two").model_dump(exclude={"kind", "options"})
    on.items["two"] = Order.model_validate({**shared, "kind": "order", "options": steps})
    assert any("`two` is of the kind order" in line for line in told(on))


def test_a_guess_whose_answer_is_written_down_is_answered_like_that(on):
    assert told(replace(on, guessed_right={"safe-guess": "a"})) == []
    assert any("possible is b." in line for line in told(replace(on, guessed_right={"safe-guess": "b"})))


def test_a_page_with_too_few_polls_for_its_minutes_is_found(on):
    page = broken("boundary · 30", "boundary · 46").replace(
        "| 29 | 1 | Close |", "| 29 | 16 | Poll | vote | `two` |\n| 45 | 1 | Close |"
    )
    assert any("2 polls; two each half hour before the last row makes 3" in line for line in told(on, page=page))


def test_the_start_the_capstone_and_the_exam_may_poll_on_anything(on):
    on.lessons["14"] = Lesson(
        "14_exam", (Cell("exam-title", "markdown", "# The safe boundary", ("title",)), *cells()[1:])
    )
    page = (
        PAGE.replace("# 12 ·", "# 14 ·")
        .replace("SAFE-1, SAFE-2, SAFE-3, SAFE-4, SAFE-5", "EXM-1")
        .replace("1.4", "none")
    )
    assert [str(f) for f in findings([parse(PAGE, "12.md"), parse(page, "14.md")], on)] == []


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("# A short plan · 130 minutes", "# A short plan", "the first line of a plan must be"),
        ("# A short plan · 130", "# A short plan · 140", "the parts add up to 130 minutes, the title says 140"),
        ("## First · 130", "## First · 120", "the minutes add up to 130, the heading says 120"),
        ("## First · 130 minutes", "## First", "in the heading above"),
        ("| 60 | 30 | Break", "| 60 | 30 | Rest", "30 minutes without a check"),
        ("| 60 | 30 | Break | | |", "| 60 | 30 | Poll | vote | `one` |", "without a break; at most 100"),
        ("vote | `three`", "vote | `seven`", "`seven` is no exercise or prediction"),
        ("[12](12.md) *Permission*", "[12](12.md) *Permit*", "*Permit* is no heading"),
        ("--items one,two", "--items one,seven", "there is no item `seven`"),
    ],
)
def test_each_fault_of_a_plan_is_found(on, old, new, expected):
    found = told(on, plan=broken(old, new, PLAN))
    assert any(expected in line for line in found), found


def test_a_break_begins_the_count_of_minutes_anew(on):
    plan = broken("| 60 | 30 | Break | | |\n| 90 | 20 |", "| 60 | 30 | Lunch | | |\n| 90 | 20 |", PLAN)
    assert told(on, plan=plan) == []
