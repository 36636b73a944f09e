"""The event store: what it keeps, and what it says when it can't."""

import io
import json
import os
import sqlite3
import stat
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from course.quiz.errors import StoreError
from course.quiz.events import EventError
from course.quiz.store import Store
from course.quiz.storefile import MIGRATIONS, filesystem_of, open_file

START = datetime(2026, 12, 1, 9, tzinfo=UTC)
NOTE = {"text": "look this up again"}


class Ticking:
    """A clock that goes on by one second each time it is read."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "history.sqlite"


def noted(store: Store, count: int, name: str = "note") -> None:
    for number in range(count):
        store.append("noted", key=f"{name}-{number}", item="blk-1", data=NOTE)


def spoil(path: Path) -> None:
    for ending in ("-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)
    path.write_bytes(b"\xff" * path.stat().st_size)


def test_an_event_comes_back_as_it_was_written(path):
    with Store(path, clock=Ticking()) as store:
        data = {"item_version": 1, "response": ["b", "a"], "mode": "practice", "try": 1, "seconds": 4.5}
        written = store.append("answered", key="a", attempt="t1", item="blk-1", data=data)
    with Store(path) as store:
        [read] = store.events()
    assert read == written
    assert (read.at, dict(read.data), read.seq) == (START + timedelta(seconds=1), data, 1)


def test_a_double_click_is_one_event_and_the_first_one_stands(path):
    store = Store(path)
    first = store.append("noted", key="once", data={"text": "first"})
    again = store.append("noted", key="once", data={"text": "second"})
    assert again == first
    assert len(store.events()) == 1


def test_events_can_be_narrowed_to_kinds_an_attempt_an_item_and_what_came_later(path):
    store = Store(path)
    noted(store, 2)
    store.append("flagged", key="f", attempt="t1", item="cyc-1", data={"on": True})
    assert [event.key for event in store.events("flagged")] == ["f"]
    assert [event.key for event in store.events(("noted", "flagged"), item="blk-1")] == ["note-0", "note-1"]
    assert [event.key for event in store.events(attempt="t1")] == ["f"]
    assert [event.key for event in store.events(after=1)] == ["note-1", "f"]


def test_a_batch_is_kept_whole_or_not_at_all(path):
    store = Store(path)
    whole = store.append("noted", key="a", data=NOTE)
    with pytest.raises(ValueError, match="not JSON compliant"):
        store.append("noted", key="b", data={"text": float("nan")})
    lacking = type(whole)("flagged", "c", START)
    with pytest.raises(EventError, match="must say on"):
        store.append_all([type(whole)("noted", "d", START, data=NOTE), lacking])
    assert [event.key for event in store.events()] == ["a"]


def test_an_unknown_kind_names_the_kinds_there_are(path):
    with pytest.raises(EventError, match=r"no event kind 'guessed'.*answered"):
        Store(path).append("guessed", key="a", data={})


def test_a_time_without_a_zone_is_refused(path):
    store = Store(path, clock=lambda: datetime(2026, 12, 1))
    with pytest.raises(EventError, match="time zone"):
        store.append("noted", key="a", data=NOTE)


def test_the_database_itself_refuses_to_change_or_drop_an_event(path):
    store = Store(path)
    noted(store, 1)
    with sqlite3.connect(path) as other:
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            other.execute("UPDATE events SET data = '{}'")
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            other.execute("DELETE FROM events")
    other.close()


def test_the_newest_value_of_a_setting_wins(path):
    store = Store(path, clock=Ticking())
    assert store.setting("exam_date") is None
    store.set("exam_date", "2027-01-10")
    store.set("exam_date", "2027-02-01")
    assert store.setting("exam_date") == "2027-02-01"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such permissions")
def test_only_its_owner_can_read_the_file(path):
    with Store(path) as store:
        noted(store, 1)
        assert store.back_up()
    modes = {stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    assert modes == {0o600}
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_it_lies_under_course_home(tmp_path, monkeypatch):
    monkeypatch.setenv("COURSE_HOME", str(tmp_path / "mine"))
    assert Store().path == tmp_path / "mine" / "history.sqlite"


def test_a_local_folder_gets_a_write_ahead_log_and_full_sync(path):
    opened = open_file(path, clock=Ticking(), filesystem=lambda folder: "ext4")
    assert opened.connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert opened.connection.execute("PRAGMA synchronous").fetchone() == (2,)
    opened.connection.close()


@pytest.mark.parametrize("filesystem", ["nfs4", "cifs", "9p", "fuse.sshfs", "smb"])
def test_a_network_folder_gets_a_rollback_journal_even_when_the_file_had_a_log(path, filesystem):
    Store(path).close()
    opened = open_file(path, clock=Ticking(), filesystem=lambda folder: filesystem)
    assert opened.connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    opened.connection.close()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads Linux's table of mounts")
def test_the_file_system_of_a_folder_is_that_of_the_longest_mount(tmp_path):
    assert filesystem_of(Path("/proc/self")) == "proc"
    assert filesystem_of(tmp_path)


def test_a_windows_share_is_a_network_folder():
    assert filesystem_of(Path("\\\\server\\share")) == "smb"


@pytest.mark.parametrize("filesystem", ["ext4", "nfs4"])
def test_a_damaged_file_is_set_aside_and_its_backup_restored(path, filesystem):
    with Store(path) as store:
        noted(store, 3)
        store.back_up()
    spoil(path)
    with Store(path, clock=Ticking(), filesystem=lambda folder: filesystem) as store:
        assert [event.key for event in store.events()] == ["note-0", "note-1", "note-2"]
        [notice] = store.notices
        assert "3 entries came back" in notice
        store.append("noted", key="next", data=NOTE)
    assert path.with_name("history.sqlite.corrupt-20261201-090001-000000").is_file()


def test_what_a_damaged_file_still_tells_is_added_to_the_backup(path):
    with Store(path) as store:
        noted(store, 400)
        store.back_up()
        noted(store, 5, "later")
    content = bytearray(path.read_bytes())
    with sqlite3.connect(path) as reader:
        page = reader.execute("SELECT rootpage FROM sqlite_master WHERE name = 'events_by_kind'").fetchone()[0]
        size = reader.execute("PRAGMA page_size").fetchone()[0]
    reader.close()
    content[(page - 1) * size : page * size] = b"\xff" * size
    path.write_bytes(content)
    with Store(path) as store:
        assert len(store.events()) == 405
        assert "400 entries came back from the last backup and 5" in store.notices[0]


@pytest.mark.parametrize("loss", [lambda p: p.write_bytes(b""), lambda p: p.unlink()], ids=["emptied", "gone"])
def test_an_emptied_or_vanished_file_is_never_taken_for_an_empty_history(path, loss):
    with Store(path) as store:
        noted(store, 3)
        store.back_up()
    loss(path)
    with Store(path) as store:
        assert len(store.events()) == 3
        assert store.notices


def test_a_damaged_file_without_a_backup_says_what_was_lost_and_where_it_lies(path):
    with Store(path) as store:
        noted(store, 3)
    spoil(path)
    with Store(path) as store:
        assert store.events() == []
        assert "no backup could be read" in store.notices[0]
        assert "corrupt-" in store.notices[0]


def test_a_damaged_backup_is_not_restored(path):
    with Store(path) as store:
        noted(store, 3)
        store.back_up()
    spoil(path)
    spoil(path.with_name("history.sqlite.backup"))
    with Store(path) as store:
        assert "no backup could be read" in store.notices[0]


def test_opening_brings_an_old_backup_up_to_date_but_not_a_fresh_one(path):
    def kept() -> int:
        with sqlite3.connect(path.with_name("history.sqlite.backup")) as backup:
            count = backup.execute("SELECT count(*) FROM events").fetchone()[0]
        backup.close()
        return count

    with Store(path) as store:
        noted(store, 1)
        store.back_up()
        noted(store, 2)
    Store(path).close()
    assert kept() == 1
    os.utime(path.with_name("history.sqlite.backup"), (0, 0))
    Store(path).close()
    assert kept() == 2


def test_a_shorter_history_never_replaces_its_backup(path):
    with Store(path) as store:
        noted(store, 3)
        store.back_up()
        assert store.back_up() is False


def test_a_file_damaged_under_an_open_store_is_mended_by_whoever_comes_next(path):
    kernel = Store(path)
    noted(kernel, 3)
    kernel.back_up()
    kernel.close()
    spoil(path)
    Store(path).close()
    kernel.append("noted", key="after", data=NOTE)
    with Store(path) as terminal:
        assert [event.key for event in terminal.events()] == ["note-0", "note-1", "note-2", "after"]


def test_a_file_exchanged_under_an_open_store_is_noticed(path):
    kernel = Store(path)
    noted(kernel, 2)
    for ending in ("", "-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)
    kernel.append("noted", key="after", data=NOTE)
    with Store(path) as terminal:
        assert [event.key for event in terminal.events()] == ["after"]


def test_deleting_leaves_no_event_no_backup_and_no_damaged_file(path):
    with Store(path) as store:
        store.append("noted", key="secret", data={"text": "written in confidence"})
        store.back_up()
    spoil(path)
    store = Store(path)
    kernel = Store(path)
    assert store.delete() == 1
    assert kernel.events() == []
    kernel.append("noted", key="new", data=NOTE)
    assert [event.key for event in store.events()] == ["new"]
    store.close()
    kernel.close()
    left = b"".join(file.read_bytes() for file in path.parent.iterdir())
    assert b"confidence" not in left
    assert sorted(file.name for file in path.parent.iterdir()) == ["history.sqlite", "history.sqlite.lock"]
    assert Store(path).notices == ()


def test_the_table_is_still_append_only_after_deleting(path):
    store = Store(path)
    store.delete()
    noted(store, 1)
    with sqlite3.connect(path) as other, pytest.raises(sqlite3.IntegrityError, match="append-only"):
        other.execute("DELETE FROM events")
    other.close()


def test_an_export_is_one_json_object_a_line(path):
    store = Store(path, clock=Ticking())
    noted(store, 2)
    out = io.StringIO()
    assert store.export(out) == 2
    rows = [json.loads(line) for line in out.getvalue().splitlines()]
    assert rows[0] == {
        "seq": 1, "at": "2026-12-01T09:00:01.000+00:00", "kind": "noted", "key": "note-0",
        "attempt": None, "item": "blk-1", "data": NOTE,
    }  # fmt: skip


def test_a_newer_format_is_backed_up_before_it_is_reached(path):
    with Store(path) as store:
        noted(store, 2)
    later = [*MIGRATIONS, "ALTER TABLE events ADD COLUMN device TEXT;"]
    opened = open_file(path, clock=Ticking(), migrations=later)
    assert opened.connection.execute("PRAGMA user_version").fetchone() == (2,)
    assert opened.connection.execute("SELECT count(device), count(*) FROM events").fetchone() == (0, 2)
    opened.connection.close()
    with sqlite3.connect(path.with_name("history.sqlite.v1")) as before:
        assert before.execute("PRAGMA user_version").fetchone() == (1,)
        assert before.execute("SELECT count(*) FROM events").fetchone() == (2,)
    before.close()


def test_a_migration_that_fails_changes_nothing(path):
    with Store(path) as store:
        noted(store, 2)
    with pytest.raises(StoreError, match="could not be brought from format 1"):
        open_file(path, clock=Ticking(), migrations=[*MIGRATIONS, "DROP TABLE events; SELECT no_such_function();"])
    with Store(path) as store:
        assert len(store.events()) == 2


def test_a_file_of_a_newer_version_is_left_alone(path):
    open_file(path, clock=Ticking(), migrations=[*MIGRATIONS, "SELECT 1;"]).connection.close()
    with pytest.raises(StoreError, match="newer version of this course"):
        Store(path)


def test_a_home_that_cannot_exist_keeps_nothing_and_says_so(tmp_path):
    (tmp_path / "file").write_text("not a folder")
    store = Store(tmp_path / "file" / "history.sqlite")
    noted(store, 2)
    assert len(store.events()) == 2
    assert not store.kept
    assert "can't be kept" in store.notices[0]
    assert "COURSE_HOME" in store.notices[0]


@pytest.fixture
def mount(tmp_path):
    """Mount a small file system on a folder and return a function that changes how it is mounted."""
    folder = tmp_path / "small"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", str(folder)]
    try:
        mounted = subprocess.run(command, capture_output=True).returncode == 0
    except OSError:
        mounted = False
    if not mounted:
        pytest.skip("needs the right to mount a file system")
    yield folder, lambda options: subprocess.run(["mount", "-o", f"remount,{options}", str(folder)], check=True)
    subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_read_only_home_shows_the_history_and_says_that_nothing_new_is_kept(mount):
    folder, remount = mount
    with Store(folder / "history.sqlite") as store:
        noted(store, 3)
    remount("ro")
    store = Store(folder / "history.sqlite")
    assert not store.kept
    assert "can't be written" in store.notices[0]
    store.append("noted", key="lost", data=NOTE)
    assert len(store.events()) == 4
    remount("rw")
    assert len(Store(folder / "history.sqlite").events()) == 3


def test_a_full_disk_refuses_the_answer_in_words_and_keeps_all_before(mount):
    folder, remount = mount
    store = Store(folder / "history.sqlite")
    with pytest.raises(StoreError, match="could not be saved: the disk is full"):
        noted(store, 1000)
    kept = len(store.events())
    assert kept > 0
    remount("size=4m")
    store.append("noted", key="space again", data=NOTE)
    assert len(Store(folder / "history.sqlite").events()) == kept + 1
    store.close()


def test_a_full_disk_at_the_start_keeps_nothing_and_says_so(mount):
    folder, _ = mount
    (folder / "filler").write_bytes(b"x" * 116_000)
    store = Store(folder / "history.sqlite")
    noted(store, 2)
    assert len(store.events()) == 2
    assert not store.kept
    assert "the disk is full" in store.notices[0]


def test_a_disk_that_fills_up_is_told_in_words_on_any_machine(path):
    store = Store(path)
    pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
    store._connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreError, match="the disk is full"):
        noted(store, 200)
    store.close()


def test_a_home_that_turns_read_only_refuses_the_answer_in_words(path):
    store = Store(path)
    noted(store, 3)
    store._connection.execute("PRAGMA query_only = ON")
    with pytest.raises(StoreError, match=r"could not be saved.*can't be written"):
        store.append("noted", key="lost", data=NOTE)
    assert len(store.events()) == 3
    store.close()


def test_threads_of_one_kernel_share_a_store(path):
    store = Store(path)
    threads = [threading.Thread(target=noted, args=(store, 20, f"t{n}")) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(store.events()) == 160


WRITER = """
import sys
from course.quiz.store import Store
store = Store(sys.argv[1])
for number in range(int(sys.argv[3])):
    store.append("noted", key=f"{sys.argv[2]}-{number}", data={"text": "x"})
    print(number, flush=True)
"""


def test_thirty_writers_at_once_lose_no_answer(path):
    command = [sys.executable, "-c", WRITER, str(path)]
    writers = [subprocess.Popen([*command, f"w{n}", "10"], stdout=subprocess.PIPE) for n in range(30)]
    acknowledged = [writer.communicate()[0].split() for writer in writers]
    assert [writer.returncode for writer in writers] == [0] * 30
    assert [len(lines) for lines in acknowledged] == [10] * 30
    assert len(Store(path).events()) == 300


def test_a_killed_writer_loses_no_acknowledged_answer(path):
    acknowledged = set()
    for life in range(5):
        command = [sys.executable, "-c", WRITER, str(path), f"life{life}", "100000"]
        writer = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        lines = [writer.stdout.readline() for _ in range(7)]
        writer.kill()
        lines += writer.communicate()[0].splitlines(keepends=True)
        acknowledged |= {f"life{life}-{line.strip()}" for line in lines if line.endswith("\n")}
    with Store(path) as store:
        assert acknowledged <= {event.key for event in store.events()}
        assert store.notices == ()
