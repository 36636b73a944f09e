"""Reading result files: what can be read counts, everything else is told by file, line, and what to do."""

import json

import pytest
from classroom import MADE, bank_of, class_bank, files, item, line, one_file, put_together
from hypothesis import given, settings
from hypothesis import strategies as st

from course.quiz.handin import SIGNED, Line, new_class_key, read_class_key, text_of
from course.workshop.report_cohort import cohort
from course.workshop.results import read

BANK = class_bank()
GOOD = [line("ada", "q0"), line("ada", "q1", "red", at="2026-11-30T09:01:00+00:00")]


def told(folder, **options):
    """Every message on a folder, as text."""
    return [str(problem) for problem in put_together(folder, BANK, **options).problems]


def broken(tmp_path, number, text):
    """A folder with one good file in which line `number` is replaced."""
    rows = one_file(GOOD).splitlines()
    rows[number - 1] = text
    (tmp_path / "ada.jsonl").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return tmp_path


def changed(number, **fields):
    """The text of one line of the good file with other fields."""
    return json.dumps({**json.loads(one_file(GOOD).splitlines()[number - 1]), **fields})


def test_what_was_written_is_read_again(tmp_path):
    (tmp_path / "ada.jsonl").write_text(one_file(GOOD), encoding="utf-8")
    (handed,), problems = read([tmp_path])
    assert [row for _, row in handed.lines] == GOOD
    assert [number for number, _ in handed.lines] == [2, 3]
    assert (handed.made, handed.by, handed.history, handed.signed, problems) == (MADE, "progress", "ada", False, [])


responses = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=60)
@given(
    st.lists(
        st.builds(
            Line,
            learner=st.just("ada"),
            item=st.from_regex(r"[a-z0-9][a-z0-9_-]{0,20}", fullmatch=True),
            version=st.integers(1, 9),
            try_number=st.integers(1, 9),
            response=responses,
            score=st.floats(0, 1),
            confidence=st.sampled_from([None, 1, 2, 3]),
            at=st.just("2026-11-30T09:00:00+00:00"),
            source=st.sampled_from(["practice", "lesson", "exam", "poll"]),
            form=st.sampled_from([None, "mini"]),
        ),
        max_size=5,
        unique_by=lambda row: (row.item, row.source, row.try_number),
    )
)
def test_every_line_that_can_be_written_comes_back_signed_or_not(tmp_path_factory, lines):
    folder = tmp_path_factory.mktemp("round")
    (folder / "a.jsonl").write_text(one_file(lines, key=b"k" * 32), encoding="utf-8")
    (handed,), problems = read([folder], key=b"k" * 32)
    assert [row for _, row in handed.lines] == lines
    assert (handed.signed, problems) == (True, [])


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"score": 1.5}, "`score`: expected a number from 0 to 1"),
        ({"score": True}, "`score`"),
        ({"version": 0}, "`version`"),
        ({"try": "1"}, "`try`"),
        ({"confidence": 4}, "`confidence`"),
        ({"at": "yesterday"}, "`at`: expected a time with its zone"),
        ({"at": "2026-11-30T09:00:00"}, "`at`"),
        ({"source": "cheat"}, "`source`"),
        ({"item": "../../etc/passwd"}, "`item`"),
        ({"learner": "\u202e"}, "`learner`"),
        ({"learner": "eve"}, "expected the learner of the header"),
        ({"form": "<b>"}, "`form`"),
    ],
)
def test_a_bad_field_is_named_with_file_line_and_what_was_expected(tmp_path, fields, expected):
    folder = broken(tmp_path, 3, changed(3, **fields))
    (message,) = told(folder)
    assert message.startswith("ada.jsonl:3: ")
    assert expected in message
    assert "ask for" in message or "left out" in message
    assert len(put_together(folder, BANK).answers) == 1


@pytest.mark.parametrize(
    "text", ["{", "[]", '"x"', '{"a": 1, "a": 2}', '{"score": NaN}', "[" * 100_000, "x" * 200_000, "\ufeff{}"]
)
def test_a_line_that_is_no_object_is_told_and_the_others_count(tmp_path, text):
    folder = broken(tmp_path, 3, text)
    assert any(message.startswith("ada.jsonl:3: ") for message in told(folder))
    assert len(put_together(folder, BANK).answers) == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{}", "expected a header"),
        ("not json", "expected a header"),
        (changed(1, format=2), "format 2; this course reads format 1"),
        (changed(1, made="today"), "`made` is not as expected"),
        (changed(1, by="magic"), "`by`"),
        (changed(1, history="../x"), "`history`"),
        (changed(1, learner=""), "`learner`"),
        ('{"seq": 1, "key": "k", "at": "x", "kind": "noted", "data": {}}', "a copy of a whole history"),
    ],
)
def test_a_file_without_the_header_is_not_read_and_told(tmp_path, text, expected):
    folder = broken(tmp_path, 1, text)
    (message,) = told(folder)
    assert message.startswith("ada.jsonl:1: ")
    assert expected in message
    assert put_together(folder, BANK).answers == ()


@pytest.mark.parametrize(
    ("data", "expected"),
    [(b"", "empty"), (b"\n\n", "empty"), (b"\xff\xfe{\x00", "not UTF-8")],
)
def test_a_file_that_is_no_text_is_told(tmp_path, data, expected):
    (tmp_path / "ada.jsonl").write_bytes(data)
    (message,) = told(tmp_path)
    assert message.startswith("ada.jsonl: ")
    assert expected in message


def test_a_file_that_was_cut_off_is_told_and_its_rest_counts(tmp_path):
    (tmp_path / "ada.jsonl").write_text("".join(one_file(GOOD).splitlines(keepends=True)[:-1]), encoding="utf-8")
    assert "promises 2 answers, the file holds 1" in told(tmp_path)[0]
    assert len(put_together(tmp_path, BANK).answers) == 1


def test_lines_of_windows_are_read(tmp_path):
    (tmp_path / "ada.jsonl").write_bytes(b"\xef\xbb\xbf" + one_file(GOOD).replace("\n", "\r\n").encode())
    assert told(tmp_path) == []
    assert len(put_together(tmp_path, BANK).answers) == 2


def test_what_is_no_result_file_is_named(tmp_path):
    (tmp_path / "ada.jsonl").write_text(one_file(GOOD), encoding="utf-8")
    (tmp_path / "notes.txt").write_text("hello", encoding="utf-8")
    (tmp_path / "gone.jsonl").symlink_to(tmp_path / "nowhere")
    (tmp_path / ".hidden").write_text("x", encoding="utf-8")
    messages = told(tmp_path)
    assert [message.split(":")[0] for message in messages] == ["gone.jsonl", "notes.txt"]
    _, problems = read([tmp_path / "missing"])
    assert "does not exist" in problems[0].what


def test_no_message_repeats_what_a_file_holds(tmp_path):
    secret = "root:x:0:0"
    (tmp_path / "a.jsonl").write_text(f"{secret}\n", encoding="utf-8")
    folder = broken(tmp_path, 3, f'{{"{secret}": 1}}')
    assert not [message for message in told(folder) if secret in message]


def test_a_signature_counts_only_when_it_was_checked(tmp_path):
    key = tmp_path / "class.key"
    new_class_key(key)
    folder = tmp_path / "drop"
    folder.mkdir()
    (folder / "ada.jsonl").write_text(one_file(GOOD, key=read_class_key(key)), encoding="utf-8")
    assert json.loads((folder / "ada.jsonl").read_text().splitlines()[0])["trust"] == SIGNED
    assert put_together(folder, BANK, key=read_class_key(key)).trust == "signed"
    assert put_together(folder, BANK).trust == "self"
    assert "no key was given" in told(folder)[0]


@pytest.mark.parametrize(
    ("spoil", "expected"),
    [
        (lambda text: text.replace('"red"', '"right"'), "does not fit"),
        (lambda text: text.replace('"score": 0.0', '"score": 1.0'), "does not fit"),
        (lambda text: "".join(text.splitlines(keepends=True)[:-1]), "does not fit"),
        (lambda text: text.replace('"made": "2026', '"made": "2027'), "does not fit"),
        (lambda text: text.replace('"hmac-sha256"', '"none"'), "not as expected"),
    ],
)
def test_a_signed_file_that_was_changed_counts_as_self_reported_and_is_told(tmp_path, spoil, expected):
    text = one_file(GOOD, key=b"a" * 32)
    (tmp_path / "ada.jsonl").write_text(spoil(text), encoding="utf-8")
    (handed,), problems = read([tmp_path], key=b"a" * 32)
    assert not handed.signed
    assert any(expected in str(problem) and "self-reported" in str(problem) for problem in problems)


def test_another_key_is_told_with_both_fingerprints(tmp_path):
    (tmp_path / "ada.jsonl").write_text(one_file(GOOD, key=b"a" * 32), encoding="utf-8")
    (message,) = told(tmp_path, key=b"b" * 32)
    assert "is signed with the class key" in message
    assert "expected" in message


def test_only_signed_files_count_when_asked_for_and_the_others_are_told(tmp_path):
    (tmp_path / "ada.jsonl").write_text(one_file(GOOD, key=b"a" * 32), encoding="utf-8")
    (tmp_path / "bob.jsonl").write_text(one_file([line("bob", "q0")], "bob"), encoding="utf-8")
    found = put_together(tmp_path, BANK, key=b"a" * 32, signed_only=True)
    assert [person.names for person in found.people] == [("ada",)]
    assert "bob.jsonl: left out" in str(found.problems[0])


def test_a_later_hand_in_adds_to_the_first_and_wins_where_they_differ(tmp_path):
    later = MADE.replace(hour=11)
    extra = line("ada", "q2", at="2026-12-01T10:30:00+00:00")
    (tmp_path / "b.jsonl").write_text(one_file(GOOD), encoding="utf-8")
    edited = [line("ada", "q0", "red"), extra]
    (tmp_path / "a.jsonl").write_text(one_file(edited, made=later), encoding="utf-8")
    found = put_together(tmp_path, BANK)
    assert {(given.item, given.response) for given in found.answers} == {("q0", "red"), ("q1", "red"), ("q2", "right")}
    assert len(found.people) == 1
    assert "b.jsonl:2: a.jsonl gives another response" in str(found.problems[0])


def test_the_same_file_twice_counts_once(tmp_path):
    for name in ("a.jsonl", "b.jsonl"):
        (tmp_path / name).write_text(one_file(GOOD), encoding="utf-8")
    assert len(put_together(tmp_path, BANK).answers) == 2
    assert "the same file as a.jsonl" in told(tmp_path)[0]


def test_two_people_of_one_name_stay_two_and_one_person_of_two_names_is_one(tmp_path):
    (tmp_path / "a.jsonl").write_text(one_file(GOOD, history="h1"), encoding="utf-8")
    (tmp_path / "b.jsonl").write_text(one_file(GOOD, history="h2"), encoding="utf-8")
    renamed = [line("countess", "q3")]
    (tmp_path / "c.jsonl").write_text(one_file(renamed, "countess", history="h1"), encoding="utf-8")
    found = put_together(tmp_path, BANK)
    assert sorted(person.names for person in found.people) == [("ada",), ("ada", "countess")]
    assert any("hand in as 'ada'" in str(problem) for problem in found.problems)
    assert any("several names (ada, countess)" in str(problem) for problem in found.problems)


def test_a_poll_vote_joins_the_only_history_of_its_name(tmp_path):
    poll = [line(name, "q0", source="poll") for name in ("ada", "bob")]
    (tmp_path / "poll.jsonl").write_text(text_of(poll, made=MADE, by="poll", bank="x"), encoding="utf-8")
    (tmp_path / "ada.jsonl").write_text(one_file(GOOD), encoding="utf-8")
    found = put_together(tmp_path, BANK)
    assert found.problems == ()
    assert [(person.names, person.answers) for person in found.people] == [(("ada",), 3), (("bob",), 1)]


def test_an_answer_to_the_banks_version_is_graded_anew_and_a_changed_score_is_told(tmp_path):
    (tmp_path / "ada.jsonl").write_text(one_file([line("ada", "q0", "red", score=1.0)]), encoding="utf-8")
    found = put_together(tmp_path, BANK)
    assert (found.answers[0].score, found.answers[0].exact) == (0.0, True)
    assert "ada.jsonl:2: q0: recorded score 1, graded now 0" in str(found.problems[0])


def test_an_answer_to_another_version_keeps_its_score_and_is_told(tmp_path):
    (tmp_path / "ada.jsonl").write_text(one_file([line("ada", "q0", "gone", score=1.0, version=7)]), encoding="utf-8")
    found = put_together(tmp_path, BANK)
    assert (found.answers[0].score, found.answers[0].exact) == (1.0, False)
    assert "q0: answers to version 7, the bank has version 1" in str(found.problems[0])


def test_an_unknown_question_and_an_unfitting_response_are_told(tmp_path):
    lines = [line("ada", "unheard-of"), line("ada", "q0", "purple"), line("ada", "q1")]
    (tmp_path / "ada.jsonl").write_text(one_file(lines), encoding="utf-8")
    found = put_together(tmp_path, BANK)
    assert [given.item for given in found.answers] == ["q1"]
    assert found.left_out == 2
    assert {problem.what.split(":")[0] for problem in found.problems} == {"unheard-of", "q0"}


def test_nothing_a_learner_wrote_is_run(tmp_path):
    bank = bank_of(item("code", "faded_code"), item("schema", "write_schema"))
    spy = tmp_path / "ran"
    attack = {"body": f"open({str(spy)!r}, 'w').close()"}
    lines = [line("ada", "code", attack, score=1.0), line("ada", "schema", '{"pattern": "(a+)+$"}', score=0.5)]
    (tmp_path / "ada.jsonl").write_text(one_file(lines), encoding="utf-8")
    hand_ins, problems = read([tmp_path])
    found = cohort(hand_ins, bank, problems)
    assert [given.score for given in found.answers] == [1.0, 0.5]
    assert not spy.exists()


def test_files_in_folders_of_a_drop_folder_are_found_once(tmp_path):
    files(tmp_path / "drop" / "monday", [GOOD])
    hand_ins, _ = read([tmp_path / "drop", tmp_path / "drop" / "monday", tmp_path / "drop" / "monday" / "00.jsonl"])
    assert len(hand_ins) == 1
