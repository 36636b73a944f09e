"""The files of rooms, the results they export, and the choice of questions."""

import json
import random
from datetime import timedelta

import pytest
from poll_desk import NOON, Play, bank_with, poll_item

from course.quiz.store import Store
from course.workshop import rooms
from course.workshop.poll import export, ids_in, items_named, items_of_lesson, questions
from course.workshop.room import PollError, Question, Settings, join, replay

ITEMS = (poll_item("q1"), poll_item("q2", (1, 3)))


@pytest.fixture
def opened(tmp_path):
    """A function that opens a room in `tmp_path`."""
    made = []

    def open_room(*items, draw=7):
        asked = [Question(item, tuple(option.id for option in item.options)) for item in items or ITEMS]
        made.append(rooms.open_room(asked, Settings(), draw=random.Random(draw), folder=tmp_path, clock=lambda: NOON))
        return made[-1]

    yield open_room
    for store in made:
        store.close()


def test_a_room_code_has_six_characters_nobody_mistakes():
    codes = [rooms.room_code(random.Random(seed)) for seed in range(200)]
    assert all(len(code) == 6 and not set(code) & set("AEIOU01L5S") for code in codes)
    assert len(set(codes)) == 200


def test_a_room_has_a_file_of_its_own_named_by_day_and_code(opened, tmp_path):
    store = opened()
    room = replay(store.events(), bank_with(*ITEMS))
    assert store.path == tmp_path / f"workshop-2026-12-01-{room.code}.sqlite"
    assert store.path.stat().st_mode & 0o077 == 0


def test_two_rooms_never_share_a_code(opened, tmp_path):
    opened(draw=7)
    opened(draw=7)
    first, second = rooms.filed(tmp_path)
    assert first.code != second.code


def test_the_newest_room_is_meant_unless_one_is_named(opened, tmp_path):
    opened()
    opened(draw=8)
    first, second = rooms.filed(tmp_path)
    assert rooms.newest(tmp_path).code == second.code
    assert rooms.newest(tmp_path, first.code.lower()).code == first.code
    with pytest.raises(PollError, match="no room XXXXXX"):
        rooms.newest(tmp_path, "XXXXXX")


def test_where_there_is_no_room_it_says_so(tmp_path):
    with pytest.raises(PollError, match="no room in"):
        rooms.newest(tmp_path)


def started(store, stopped=False):
    store.append("poll_started", key="started", data={"port": 8140, "teacher": "digest"})
    if stopped:
        store.append("poll_stopped", key="stopped")


def test_a_room_whose_program_died_goes_on_when_the_same_questions_are_asked_again(opened, tmp_path):
    store = opened()
    started(store)
    assert rooms.unfinished(tmp_path, ["q1", "q2"], NOON + timedelta(hours=1)).path == store.path
    assert rooms.unfinished(tmp_path, ["q2"], NOON) is None
    assert rooms.unfinished(tmp_path, ["q1", "q2"], NOON + timedelta(hours=13)) is None


def test_a_room_that_was_stopped_on_purpose_does_not_go_on_by_itself(opened, tmp_path):
    started(opened(), stopped=True)
    assert rooms.unfinished(tmp_path, ["q1", "q2"], NOON) is None


def test_only_one_program_holds_a_room(opened):
    store = opened()
    with rooms.held(store), pytest.raises(PollError, match="Another program"), rooms.held(store):
        pass
    with rooms.held(store):
        pass


def test_deleting_a_room_leaves_nothing_of_it(opened, tmp_path):
    store = opened()
    room = replay(store.events(), bank_with(*ITEMS))
    store.append_all([join(room, "Ann", person="p", seat="s", now=NOON)])
    store.close()
    rooms.remove(rooms.newest(tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_a_room_that_cannot_be_kept_is_not_opened(tmp_path):
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(PollError, match="COURSE_HOME"):
        rooms.open_room([Question(ITEMS[0], ())], Settings(), draw=random.Random(1), folder=tmp_path / "file")


def test_a_file_that_is_no_room_is_left_out(tmp_path):
    Store(tmp_path / "workshop-2026-12-01-NOROOM.sqlite").close()
    assert rooms.filed(tmp_path) == []


def test_results_are_json_lines_with_a_header_and_the_vote_that_stood_at_the_close():
    play = Play().joins("Ann", "bo").does("next").votes(Ann="b").votes(Ann="a")
    play.add(play.vote("bo", "b", confidence=3))
    play.does("next", "next", "next").votes(Ann="a").does("next", "next", "next").votes(bo="bc")
    text, count = export(play.events, play.bank, made=NOON)
    assert count == 4
    header, *rows = map(json.loads, text.splitlines())
    assert header == {
        "kind": "course-results",
        "format": 1,
        "made": "2026-12-01T12:00:00.000+00:00",
        "learner": None,
        "history": None,
        "by": "poll",
        "bank": play.bank.digest,
        "lines": 4,
        "trust": "self-reported",
        "signed": None,
    }
    assert [(row["learner"], row["item"], row["try"], row["response"], row["score"]) for row in rows] == [
        ("Ann", "q1", 1, "north", 1.0),
        ("bo", "q1", 1, "south", 0.0),
        ("Ann", "q1", 2, "north", 1.0),
        ("bo", "q2", 1, ["south", "east"], 0.6),
    ]
    assert [row["confidence"] for row in rows] == [None, 3, None, None]
    assert {(row["version"], row["source"]) for row in rows} == {(1, "poll")}
    assert rows[0]["at"] > header["made"]


def test_a_poll_file_lists_ids_with_remarks():
    assert ids_in("q1, q2 # both\n# nothing\n\nq3\n") == ["q1", "q2", "q3"]


@pytest.mark.parametrize(
    ("ids", "told"), [(["q1", "q9"], "No such question: q9"), (["q1", "q1"], "twice"), ([], "at least one")]
)
def test_a_wrong_choice_of_questions_is_told(ids, told):
    with pytest.raises(PollError, match=told):
        items_named(bank_with(*ITEMS), ids)


def test_a_kind_without_bars_is_named_and_refused():
    from course.quiz.bank import load_bank

    bank = load_bank()
    order = next(item for item in bank if item.kind == "order")
    with pytest.raises(PollError, match=rf"{order.id} \(order\)"):
        items_named(bank, [order.id])


def test_every_lesson_of_the_course_with_questions_has_some_that_suit_a_room():
    from course.facts.syllabus import objectives
    from course.quiz.bank import load_bank

    bank = load_bank()
    for lesson in sorted({row.lesson for row in objectives().values()} - {"00", "14"}):
        items = items_of_lesson(bank, lesson, 4)
        assert 2 <= len(items) <= 4, lesson
        assert len({item.group for item in items}) == len(items)


def test_options_are_shuffled_once_for_the_whole_room():
    first, second = (questions(ITEMS, random.Random(seed)) for seed in (1, 2))
    assert [question.order for question in first] != [question.order for question in second]
    assert sorted(first[0].order) == sorted(second[0].order)
    assert questions(ITEMS, random.Random(1)) == first


@pytest.mark.parametrize("key", [None, b"k" * 32])
def test_the_cohort_report_can_read_what_a_poll_exports_and_check_its_signature(tmp_path, key):
    from course.workshop.results import read

    play = Play().joins("Ann", "bo").does("next").votes(Ann="b", bo="a")
    file = tmp_path / "room.jsonl"
    text, _ = export(play.events, play.bank, made=NOON + timedelta(hours=1), key=key)
    file.write_text(text, encoding="utf-8")
    files, problems = read([file], key=b"k" * 32)
    assert problems == []
    assert [line.item for _, line in files[0].lines] == ["q1", "q1"]
    assert files[0].signed is bool(key)


def kept_room(folder, monkeypatch):
    """Keep a room of one vote in a home of its own, with its bank; return the home."""
    from course.quiz import bank as bank_module

    home, quizzes = folder / "home", folder / "quizzes"
    quizzes.mkdir()
    rows = [item.model_dump(mode="json", by_alias=True, exclude_unset=True) for item in ITEMS]
    (quizzes / "bank.yaml").write_text(json.dumps(rows), encoding="utf-8")
    monkeypatch.setenv("COURSE_HOME", str(home))
    monkeypatch.setattr(bank_module, "QUIZZES", quizzes)
    play = Play().joins("Ann").does("next").votes(Ann="a")
    with Store(home / "workshop-2026-12-01-BCDFGH.sqlite") as store:
        store.append_all(play.events)
    return home


def test_the_command_signs_results_and_never_writes_over_a_file(tmp_path, monkeypatch, capsys):
    from course.cli import workshop
    from course.quiz.handin import new_class_key, read_class_key
    from course.workshop.results import read

    kept_room(tmp_path, monkeypatch)
    key, out = tmp_path / "class.key", tmp_path / "votes.jsonl"
    new_class_key(key)
    assert workshop.run(["--results", str(out), "--class-key", str(key)]) == 0
    assert "signed by class" in capsys.readouterr().out
    files, problems = read([out], key=read_class_key(key), signed_only=True)
    assert (len(files[0].lines), problems) == (1, [])
    before = out.read_bytes()
    assert workshop.run(["--results", str(out)]) == 2
    assert "exists already" in capsys.readouterr().err
    assert out.read_bytes() == before


def test_a_class_key_without_results_is_refused(capsys):
    from course.cli import workshop

    with pytest.raises(SystemExit):
        workshop.run(["--lesson", "03", "--class-key", "class.key"])
    assert "--results FILE" in capsys.readouterr().err
