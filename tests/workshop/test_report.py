"""The cohort report: a small class by hand, rules at their borders, and an attacker who combines all of it."""

import csv
import io
import itertools
import random
from html.parser import HTMLParser

import pytest
from classroom import MADE, OPTIONS, bank_of, class_bank, files, item, line, made_report, one_file, put_together, seeded
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from poll_desk import Play, poll_item
from synthetic import option
from test_report_masks import tables

from course.workshop.poll import export
from course.workshop.report import ReportError, as_text, count_words, report
from course.workshop.report_csv import csv_texts, write_csv
from course.workshop.report_html import as_html
from course.workshop.report_masks import BANDED, LEAST, Count, bands, leader, split

BANK = class_bank()
NASTY = (
    "<script>alert(1)</script>",
    "=cmd|' /C calc'!A0",
    "+1+1",
    "@SUM(A1)",
    "-2",
    "{{7*7}}",
    "{name}",
    "a'b\"c&d",
    "한글 이름",
    "../../etc/passwd",
    "%s%n",
    "[bold]x[/bold]",
)


def chosen(folder, *columns, **fields):
    """A folder in which person n answers question qN as the columns say: {response: how many people}."""
    people: dict[int, list] = {}
    for number, column in enumerate(columns):
        spread = [response for response, count in column.items() for _ in range(count)]
        for person, response in enumerate(spread):
            people.setdefault(person, []).append(line(f"p{person}", f"q{number}", response, **fields))
    return files(folder, list(people.values()))


def row(found, id, channel="own"):
    return next(row for row in found.items if (row.item, row.channel) == (id, channel))


def test_a_small_class_by_hand(tmp_path):
    folder = chosen(tmp_path, {"right": 6, "red": 6}, {"right": 9, "red": 3}, {"right": 4, "red": 7, "green": 1})
    found = made_report(folder, BANK)
    assert found.people == 12
    assert [(row.item, row.people, row.right) for row in found.items] == [
        ("q0", 12, Count(6, 6)),
        ("q1", 12, Count(8, 12)),
        ("q2", 12, Count(0, 4)),
    ]
    assert [(choice.id, choice.people, choice.dead) for choice in row(found, "q0").choices] == [
        ("red", Count(5, 9), ""),
        ("green", Count(0, 0), "nobody"),
        ("blue", Count(0, 0), "nobody"),
        ("(blank)", Count(0, 0), ""),
    ]
    assert (row(found, "q1").choices, row(found, "q1").leader) == (None, None)
    assert row(found, "q2").leader[0] == "red"
    assert [(row.id, row.answers, row.right) for row in found.objectives] == [
        ("BLK-2", 12, Count(6, 6)),
        ("DEF-2", 12, Count(0, 4)),
        ("LOOP-1", 12, Count(8, 12)),
    ]
    assert [row.item for row in found.reteach] == ["q2"]
    assert [(idea.id, idea.met, idea.people, idea.sure) for idea in found.ideas] == [
        ("claude-runs-tools", 12, Count(5, 9), Count(0, 4))
    ]


def test_fewer_than_five_people_make_no_report(tmp_path):
    found = made_report(files(tmp_path, seeded(4, BANK)), BANK)
    assert (found.people, found.items, found.objectives, found.ideas) == (0, (), (), ())
    assert "fewer than 5" in as_text(found)
    assert "<table" not in as_html(found)
    assert csv_texts(found) == {}
    assert made_report(files(tmp_path, seeded(5, BANK)), BANK).people == 5


def test_a_question_has_figures_from_ten_people_on(tmp_path):
    assert made_report(files(tmp_path / "a", seeded(9, BANK)), BANK).items == ()
    assert len(made_report(files(tmp_path / "b", seeded(10, BANK)), BANK).items) == len(BANK)


def test_an_objective_pools_the_answers_to_questions_too_few_people_met(tmp_path):
    people = [[line(f"p{n}", f"q{3 * (n % 2)}", "right" if n % 3 else "red")] for n in range(18)]
    found = made_report(files(tmp_path, people), BANK)
    assert found.items == ()
    assert [(row.id, row.answers, row.right) for row in found.objectives] == [("BLK-2", 18, Count(12, 12))]
    assert found.few == 2


def test_a_pool_that_is_mostly_one_persons_is_not_shown(tmp_path):
    bank = class_bank(40)
    mostly = [[line("p0", f"q{number}") for number in range(0, 36, 3)]]
    others = [[line(f"p{n}", "q0", "red")] for n in range(1, 7)]
    found = made_report(files(tmp_path, mostly + others), bank)
    assert (found.objectives, found.thin) == ((), ("BLK-2",))


def test_discrimination_appears_at_thirty_people_and_not_at_29(tmp_path):
    below = made_report(files(tmp_path / "a", seeded(29, BANK, noise=0.3)), BANK)
    enough = made_report(files(tmp_path / "b", seeded(30, BANK, noise=0.3)), BANK)
    assert [row.discrimination for row in below.items] == [None] * len(BANK)
    shown = [row.discrimination for row in enough.items if row.right.exact]
    assert shown
    assert all(known is not None and -1 <= known.low <= known.r <= known.high <= 1 for known in shown)


def test_discrimination_is_the_item_rest_correlation(tmp_path):
    import numpy as np

    people = seeded(40, BANK, noise=0.3)
    found = made_report(files(tmp_path, people), BANK)
    marks = np.array([[entry.score for entry in lines] for lines in people])
    for number, asked in enumerate(BANK):
        known = row(found, asked.id).discrimination
        if known:
            rest = np.delete(marks, number, axis=1).mean(axis=1)
            assert known.r == pytest.approx(np.corrcoef(marks[:, number], rest)[0, 1])


def test_a_question_answered_by_chance_is_told_to_tell_nothing(tmp_path):
    people, draw = seeded(60, BANK), random.Random(4)
    for lines in people:
        strong = sum(entry.score for entry in lines) > 4
        lines[0] = line(lines[0].learner, "q0", "red" if strong or draw.random() < 0.2 else "right")
    known = row(made_report(files(tmp_path, people), BANK), "q0").discrimination
    assert known.r < 0
    assert known.weak


def test_only_the_first_answer_counts(tmp_path):
    folder = chosen(tmp_path, {"right": 6, "red": 6})
    again = [[line(f"p{n}", "q0", "right", try_number=2, at="2026-12-01T09:00:00+00:00")] for n in range(12)]
    for number, lines in enumerate(again):
        text = one_file(lines, lines[0].learner, made=MADE.replace(hour=12))
        (folder / f"late-{number}.jsonl").write_text(text, encoding="utf-8")
    assert row(made_report(folder, BANK), "q0").right == Count(6, 6)


def test_a_blank_in_an_exam_is_not_right_and_shows_no_misconception(tmp_path):
    folder = chosen(tmp_path, {"right": 6, None: 6}, source="exam", form="mini")
    found = made_report(folder, BANK)
    assert row(found, "q0").right == Count(6, 6)
    assert next(choice.people for choice in row(found, "q0").choices if choice.id == "(blank)") == Count(5, 9)
    assert found.ideas == ()


def test_sure_and_wrong_is_counted_apart(tmp_path):
    people = [[line(f"p{n}", "q0", "red", confidence=3 if n < 7 else 1)] for n in range(12)]
    (idea,) = made_report(files(tmp_path, people), BANK).ideas
    assert (idea.people, idea.sure) == (Count(10, 12), Count(5, 9))


def poll(folder, first, second, people=12):
    """A poll on q0 in which so many voted right, first and second."""
    lines = [
        line(f"p{n}", "q0", "right" if n < right else "red", source="poll", try_number=vote)
        for vote, right in ((1, first), (2, second))
        for n in range(people)
    ]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "poll.jsonl").write_text(one_file(lines, by="poll", learner=None, history=None), encoding="utf-8")
    return folder


def test_two_votes_make_a_gain(tmp_path):
    (vote,) = made_report(poll(tmp_path, 5, 7), BANK).votes
    assert (vote.first, vote.second) == (Count(5, 5), Count(7, 7))
    assert vote.gain == pytest.approx(2 / 7)
    (vote,) = made_report(poll(tmp_path / "b", 6, 10), BANK).votes
    assert (vote.second, vote.gain) == (Count(8, 12), None)


def test_the_results_of_a_live_poll_are_read_as_they_are_written(tmp_path):
    people = [f"p{n}" for n in range(12)]
    play = Play(poll_item("q1")).joins(*people).does("next")
    for n, name in enumerate(people):
        play.votes(**{name: "a" if n < 5 else "b"})
    text, count = export(play.events, play.bank, made=MADE)
    assert count == 12
    (tmp_path / "poll.jsonl").write_text(text, encoding="utf-8")
    found = put_together(tmp_path, play.bank)
    assert found.problems == ()
    assert row(report(found, play.bank), "q1", "poll").right == Count(5, 5)


def paired(folder, before, after, people=24):
    """Everybody answers q0 and then its variant q6, so many of them right."""
    days = ("2026-11-01T09:00:00+00:00", "2026-11-20T09:00:00+00:00")
    rows = [
        [
            line(f"p{n}", id, "right" if n < right else "red", at=day, form=form)
            for id, right, day, form in zip(("q0", "q6"), (before, after), days, ("mini", "full"), strict=True)
        ]
        for n in range(people)
    ]
    return files(folder, rows)


def test_variants_show_a_gain_in_coarse_steps(tmp_path):
    found = made_report(paired(tmp_path, 8, 18), BANK).gain
    assert (found.pairs, found.people) == (Count(20, 24), Count(20, 24))
    assert (found.before, found.after) == (pytest.approx(0.35), pytest.approx(0.75))
    assert 0 < found.low <= found.high


@pytest.mark.parametrize(
    ("pre", "post", "there"),
    [
        ("2026-11-10", "2026-11-15", True),
        ("mini", "full", True),
        ("full", "mini", False),
        ("2026-10-01", "2026-11-15", False),
        ("2026-11-10", "2026-11-25", False),
    ],
)
def test_pre_and_post_choose_which_answers_are_compared(tmp_path, pre, post, there):
    made = made_report(paired(tmp_path, 8, 18), BANK, pre=pre, post=post)
    assert bool(made.gain) == there
    for shown in (as_text(made), as_html(made)):
        assert ("Too few pairs for a figure" in shown) == (not there)


@pytest.mark.parametrize(
    ("pre", "post"), [("2026-11-10", None), (None, "mini"), ("nope", "mini"), ("2026-13-01", "mini")]
)
def test_a_period_that_is_none_is_refused_with_the_forms_there_are(tmp_path, pre, post):
    with pytest.raises(ReportError, match="full, mini"):
        made_report(paired(tmp_path, 8, 18), BANK, pre=pre, post=post)


def test_the_same_question_again_is_no_gain(tmp_path):
    people = [
        [line(f"p{n}", "q0", "red"), line(f"p{n}", "q0", try_number=2, at="2026-12-01T08:00:00+00:00")]
        for n in range(24)
    ]
    assert made_report(files(tmp_path, people), BANK).gain is None


def test_the_order_and_the_names_of_files_change_no_byte(tmp_path):
    people = seeded(14, BANK, noise=0.3)
    plain = files(tmp_path / "a", people)
    mixed = files(tmp_path / "b", random.Random(1).sample(people, len(people)), name="x{}.jsonl".format)
    assert as_html(made_report(plain, BANK)) == as_html(made_report(mixed, BANK))
    assert csv_texts(made_report(plain, BANK)) == csv_texts(made_report(mixed, BANK))


class Page(HTMLParser):
    """The tags and the text of a page."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.text = [], ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.text += data


@pytest.mark.parametrize("name", NASTY)
def test_no_name_gets_into_a_report_and_nothing_in_it_runs(tmp_path, name):
    people = [[line(f"{name} {n}"[-40:], "q0", "red" if n % 2 else "right")] for n in range(12)]
    found = made_report(files(tmp_path, people), BANK)
    assert found.people == 12
    text = as_html(found)
    page = Page(text)
    assert not any(entry[0].learner in page.text for entry in people)
    assert {tag for tag, _ in page.tags}.isdisjoint({"script", "img", "link", "iframe", "a", "form"})
    assert not [names for _, names in page.tags if any(key.startswith("on") for key in names)]


def test_a_question_that_looks_like_a_formula_is_text_in_a_sheet(tmp_path):
    options = [
        option("right", True),
        *(option(name) | {"text": text} for name, text in zip(("red", "green", "blue"), NASTY, strict=False)),
    ]
    bank = bank_of(item("q0", stem="=HYPERLINK(1) <b>which</b> \u202eone?", options=options))
    found = made_report(chosen(tmp_path, {"right": 6, "red": 6}), bank)
    for text in csv_texts(found).values():
        for cell in itertools.chain.from_iterable(csv.reader(io.StringIO(text))):
            assert not cell.startswith(("=", "+", "-", "@", "\t", "\r")), cell
            assert "\u202e" not in cell
    assert "<b>which" not in as_html(found)
    assert "&lt;b&gt;which" in as_html(found)


def test_csv_files_carry_the_mark_for_spreadsheets_unless_told_otherwise(tmp_path):
    found = made_report(files(tmp_path / "in", seeded(12, BANK)), BANK)
    marked, bare = write_csv(found, tmp_path / "a"), write_csv(found, tmp_path / "b", bom=False)
    assert [path.name for path in marked] == [path.name for path in bare]
    assert all(path.read_bytes().startswith(b"\xef\xbb\xbf") for path in marked)
    assert not any(path.read_bytes().startswith(b"\xef\xbb\xbf") for path in bare)
    with pytest.raises(FileExistsError):
        write_csv(found, tmp_path / "a")


def test_every_table_of_the_page_has_a_caption_and_scopes(tmp_path):
    page = Page(as_html(made_report(files(tmp_path, seeded(32, BANK, noise=0.3)), BANK)))
    tables = sum(tag == "table" for tag, _ in page.tags)
    assert tables >= 4
    assert tables == sum(tag == "caption" for tag, _ in page.tags)
    assert all(names.get("scope") in ("row", "col") for tag, names in page.tags if tag == "th")


def test_the_trust_of_the_files_is_said(tmp_path):
    folder = files(tmp_path, seeded(12, BANK))
    assert "self-reported" in as_text(made_report(folder, BANK))
    (folder / "00.jsonl").write_text(one_file(seeded(1, BANK)[0], "p0", key=b"k" * 32), encoding="utf-8")
    found = report(put_together(folder, BANK, key=b"k" * 32), BANK)
    assert "Some files are signed" in as_text(found)


@pytest.mark.parametrize(
    ("count", "words"),
    [(Count(7, 7), "7"), (Count(0, 4), "fewer than 5"), (Count(1, 4), "1 to 4"), (Count(5, 9), "5 to 9")],
)
def test_counts_in_words(count, words):
    assert count_words(count) == words


IDEAS = ("claude-runs-tools", "results-anywhere", "prompt-mends-pairing")


@st.composite
def classes(draw):
    """A bank of two or three questions with misconceptions anywhere, and 10 to 15 people who answer most of it."""
    wrong = draw(st.sampled_from((OPTIONS[1:3], OPTIONS[1:])))
    bank = bank_of(
        *(
            item(
                f"q{number}",
                options=[
                    option("right", True),
                    *(option(name) | {"misconception": draw(st.sampled_from(IDEAS))} for name in wrong),
                ],
            )
            for number in range(draw(st.integers(2, 3)))
        )
    )
    count = 1 + len(wrong)
    odds = draw(st.lists(st.integers(0, 6), min_size=count, max_size=count).filter(any))
    people = draw(st.integers(10, 14))
    rng = random.Random(draw(st.integers(0, 10**6)))
    given = [
        [
            line(f"p{n}", asked.id, rng.choices(OPTIONS[:count], odds)[0], confidence=rng.choice((1, 3)))
            for asked in bank
            if rng.random() < 0.95
        ]
        for n in range(people)
    ]
    return bank, [lines for lines in given if lines]


def possible(found, row, options):
    """Every way to answer that would have been published as this row; nobody leaves a practice question blank."""
    shown = tuple(choice.people for choice in row.choices[:-1]) if row.choices else None
    for table in tables(row.people, options):
        right, wrong = split(table[0], row.people), (*table[1:], 0)
        if right != row.right:
            continue
        most, seen = leader(right, wrong), bands(right, wrong, row.people) if options > BANDED else None
        named = None if most is None else OPTIONS[1 + most]
        if (seen and seen[:-1]) == shown and named == (row.leader and row.leader[0]):
            yield table


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(classes())
def test_no_small_count_follows_from_everything_a_report_says(tmp_path_factory, made):
    bank, people = made
    found = made_report(files(tmp_path_factory.mktemp("class"), people), bank)
    carriers = {
        idea.id: [
            (place, 1 + number)
            for place, row in enumerate(found.items)
            for number, choice in enumerate(bank.item(row.item).options[1:])
            if choice.misconception == idea.id
        ]
        for idea in found.ideas
    }
    complete = len(found.items) == len(bank)

    def fits(tables_of_all):
        for idea in found.ideas:
            counts = [tables_of_all[place][cell] for place, cell in carriers[idea.id]]
            by_row = {place: 0 for place, _ in carriers[idea.id]}
            for place, cell in carriers[idea.id]:
                by_row[place] += tables_of_all[place][cell]
            if max(by_row.values(), default=0) > idea.people.high or (complete and sum(counts) < idea.people.low):
                return False
        return True

    options = len(next(iter(bank)).options)
    seen = [[set() for _ in range(options + 1)] for _ in found.items]
    for guess in itertools.product(*(list(possible(found, row, options)) for row in found.items)):
        if fits(guess):
            for sets, table in zip(seen, guess, strict=True):
                for values, value in zip(sets, (*table, sum(table[1:])), strict=True):
                    values.add(value)
            if all(len(values) > 1 or min(values) >= LEAST or values == {0} for sets in seen for values in sets):
                break
    for sets in seen:
        for values in sets:
            assert len(values) > 1 or values == {0} or min(values) >= LEAST, (
                [(r.people, r.right, r.choices and [c.people for c in r.choices], r.leader) for r in found.items],
                [(i.id, i.people, carriers[i.id]) for i in found.ideas],
                seen,
            )
