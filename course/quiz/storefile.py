"""The file behind the event store: where it lies, how it is opened, checked, migrated, backed up and mended.

One SQLite file per person. Everything here happens under a lock of its own (a second, always empty SQLite file:
portable, and let go by the system when a process dies), so that two kernels and a terminal may start at once.
Measured on 2026-12-01 (SQLite 3.40): WAL with synchronous FULL loses no acknowledged row to kill -9; WAL is not
valid on network folders, where a rollback journal is used instead.
"""

import errno
import os
import re
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from course.facts.text import say
from course.quiz.errors import StoreError
from course.quiz.events import Clock

__all__ = [
    "MIGRATIONS",
    "Opened",
    "back_up",
    "companions",
    "default_path",
    "filesystem_of",
    "open_file",
    "reason",
    "stamp_of",
]

BUSY_MS = 15_000
BACKUP = ".backup"
BACKUP_SECONDS = 600
NETWORK = re.compile(
    r"^(nfs\d?|cifs|smb\d?|smbfs|9p|afs|afpfs|webdav|davfs|ceph|lustre|gpfs|beegfs|fuse\.(sshfs|rclone|s3fs))$"
)
STRICT = "STRICT" if sqlite3.sqlite_version_info >= (3, 37) else ""

REASONS = {
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_READONLY: "read_only",
    sqlite3.SQLITE_CANTOPEN: "read_only",
    sqlite3.SQLITE_BUSY: "busy",
    sqlite3.SQLITE_IOERR: "io",
}

MIGRATIONS: Sequence[str] = (
    f"""
    CREATE TABLE events (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        key TEXT NOT NULL UNIQUE,
        at TEXT NOT NULL,
        kind TEXT NOT NULL,
        attempt TEXT,
        item TEXT,
        data TEXT NOT NULL
    ) {STRICT};
    CREATE INDEX events_by_kind ON events (kind, item);
    CREATE INDEX events_by_attempt ON events (attempt) WHERE attempt IS NOT NULL;
    CREATE TRIGGER events_stay AFTER UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
    CREATE TRIGGER events_last BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
    """,
)
"""Scripts that lead from one version of the file to the next; `PRAGMA user_version` says how many were run."""

COPY = "INSERT INTO events (key, at, kind, attempt, item, data) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING"


@dataclass(frozen=True)
class Opened:
    """An open store file. kept: False when it lives in memory only. notices: what the person must be told."""

    connection: sqlite3.Connection
    kept: bool
    notices: tuple[str, ...] = ()
    stamp: tuple[int, int] | None = None


def default_path() -> Path:
    """Return the file of this person: `history.sqlite` under `COURSE_HOME`, else under the user data folder."""
    home = os.environ.get("COURSE_HOME")
    if not home:
        import platformdirs

        home = platformdirs.user_data_dir("claude-tool-use-course", appauthor=False)
    return Path(home).expanduser() / "history.sqlite"


def companions(path: Path) -> list[Path]:
    """Return every file beside `path` that may hold the same person's data: backups and damaged files."""
    return sorted(p for p in path.parent.glob(f"{path.name}.*") if re.search(r"\.(backup|corrupt-|v\d)", p.name))


def filesystem_of(folder: Path) -> str:
    """Return the type of the file system that holds `folder` ("ext4", "nfs4", ...), "" where it can't be told."""
    if str(folder).startswith("\\\\"):
        return "smb"
    if not sys.platform.startswith("linux"):
        return ""
    found, longest = "", -1
    with suppress(OSError):
        for line in Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            left, _, right = line.partition(" - ")
            mount = left.split()[4].replace("\\040", " ")
            if len(mount) > longest and folder.is_relative_to(mount):
                found, longest = right.split()[0], len(mount)
    return found


def stamp_of(path: Path) -> tuple[int, int] | None:
    """Return what tells this file from another at the same path; None when there is no file."""
    try:
        stat = path.stat()
    except OSError:
        return None
    return stat.st_dev, stat.st_ino


def open_file(
    path: Path,
    *,
    clock: Clock,
    filesystem: Callable[[Path], str] = filesystem_of,
    migrations: Sequence[str] = MIGRATIONS,
) -> Opened:
    """Open the store file, mending and migrating it where needed; never raises for a folder that can't be written.

    A damaged file is set aside and the last good backup restored, plus whatever can still be read from the damaged
    one. Where nothing can be written, the history that can be read is shown from memory and nothing new is kept.
    Raises StoreError when the file was written by a newer version of this program.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _alone(path):
            kind = filesystem(path.parent.resolve())
            notices = _mended(path, clock, kind)
            _create(path)
            connection = _connect(path, kind)
            try:
                _migrate(connection, path, migrations, backup=True)
                if _backup_is_old(path, clock):
                    back_up(connection, path)
            except BaseException:
                connection.close()
                raise
            return Opened(connection, True, notices, stamp_of(path))
    except (OSError, sqlite3.Error) as why:
        return _in_memory(path, why, migrations)


def back_up(connection: sqlite3.Connection, path: Path) -> bool:
    """Copy the history to the backup file when it holds more than the backup; return whether it did.

    Events are never taken away, so a history that is shorter than its backup is a damaged one and is not copied.
    """
    target = path.with_name(path.name + BACKUP)
    if _last(target) >= connection.execute("SELECT ifnull(max(seq), 0) FROM events").fetchone()[0]:
        return False
    _copy(connection, target)
    return True


def _backup_is_old(path: Path, clock: Clock) -> bool:
    """True when there is no backup, or an old one: a store that is opened often is not copied each time."""
    backup = path.with_name(path.name + BACKUP)
    return not backup.exists() or abs(clock().timestamp() - backup.stat().st_mtime) > BACKUP_SECONDS


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    lock = path.with_name(path.name + ".lock")
    _create(lock)
    with closing(sqlite3.connect(lock, timeout=BUSY_MS / 1000, isolation_level=None)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        yield


def _create(path: Path) -> None:
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))


def _connect(path: Path, filesystem: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
    connection.execute(f"PRAGMA journal_mode = {'DELETE' if NETWORK.match(filesystem) else 'WAL'}")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA secure_delete = ON")
    return connection


def _migrate(connection: sqlite3.Connection, path: Path, migrations: Sequence[str], *, backup: bool) -> None:
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > len(migrations):
        raise StoreError(say("quiz.store.newer", path=path, version=version, known=len(migrations)))
    if backup and 0 < version < len(migrations):
        _copy(connection, path.with_name(f"{path.name}.v{version}"))
    for number, script in enumerate(migrations[version:], version + 1):
        try:
            connection.executescript(f"BEGIN IMMEDIATE; {script}; PRAGMA user_version = {number}; COMMIT;")
        except sqlite3.Error as why:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            if _code(why) in REASONS:
                raise
            raise StoreError(say("quiz.store.migration", path=path, version=number - 1, why=why)) from why


def _copy(connection: sqlite3.Connection, target: Path) -> None:
    draft = target.with_name(target.name + ".tmp")
    draft.unlink(missing_ok=True)
    _create(draft)
    with closing(sqlite3.connect(draft)) as copy:
        connection.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")
    draft.replace(target)


def _damaged(path: Path) -> bool:
    if not path.exists() or path.stat().st_size == 0:
        return _last(path.with_name(path.name + BACKUP)) > 0
    try:
        with closing(sqlite3.connect(path, timeout=BUSY_MS / 1000)) as connection:
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
            sound = connection.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok"
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            return not sound or (version > 0 and "events" not in tables)
    except sqlite3.DatabaseError as why:
        if _code(why) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            return True
        raise


def _mended(path: Path, clock: Clock, filesystem: str) -> tuple[str, ...]:
    """Set a damaged file aside and put the best history that can be had in its place; return what to tell."""
    if not _damaged(path):
        return ()
    aside = path.with_name(f"{path.name}.corrupt-{clock():%Y%m%d-%H%M%S-%f}")
    for ending in ("", "-wal", "-shm"):
        with suppress(FileNotFoundError):
            path.with_name(path.name + ending).replace(aside.with_name(aside.name + ending))
    backup = path.with_name(path.name + BACKUP)
    _create(path)
    with closing(_connect(path, filesystem)) as fresh:
        if restored := _last(backup):
            with closing(sqlite3.connect(backup)) as source:
                source.backup(fresh)
        else:
            _migrate(fresh, path, MIGRATIONS, backup=False)
        saved = _salvage(aside, fresh)
    values = {"aside": aside, "restored": restored, "saved": saved}
    return (say("quiz.store.restored" if restored + saved else "quiz.store.lost", **values),)


def _salvage(source: Path, into: sqlite3.Connection) -> int:
    """Copy every event that can still be read from a file, from both ends; return how many were new."""
    found: dict[int, tuple] = {}
    for end in ("ASC", "DESC"):
        with suppress(sqlite3.Error), closing(sqlite3.connect(source)) as connection:
            query = f"SELECT seq, key, at, kind, attempt, item, data FROM events ORDER BY seq {end}"
            for row in connection.execute(query):
                found[row[0]] = row[1:]
    before = into.total_changes
    into.execute("BEGIN IMMEDIATE")
    for seq in sorted(found):
        with suppress(sqlite3.IntegrityError):
            into.execute(COPY, found[seq])
    into.execute("COMMIT")
    return into.total_changes - before


def _last(path: Path) -> int:
    """Return the highest running number in a store file, 0 where it is missing, empty or damaged."""
    if not path.is_file():
        return 0
    try:
        with closing(sqlite3.connect(path)) as connection:
            if connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
                return 0
            return int(connection.execute("SELECT ifnull(max(seq), 0) FROM events").fetchone()[0])
    except sqlite3.Error:
        return 0


def _in_memory(path: Path, why: Exception, migrations: Sequence[str]) -> Opened:
    import tempfile

    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    _migrate(connection, path, migrations, backup=False)
    with suppress(OSError), tempfile.TemporaryDirectory() as folder:
        for ending in ("", "-wal"):
            with suppress(FileNotFoundError):
                shutil.copyfile(path.with_name(path.name + ending), Path(folder) / f"copy{ending}")
        _salvage(Path(folder) / "copy", connection)
    return Opened(connection, False, (say("quiz.store.memory_only", path=path, why=reason(why, path)),))


def _code(why: sqlite3.Error) -> int:
    return getattr(why, "sqlite_errorcode", 0) & 0xFF


def reason(why: Exception, path: Path) -> str:
    """Say in words why the store file `path` could not be read or written."""
    if isinstance(why, sqlite3.Error):
        name = REASONS.get(_code(why), "other")
    else:
        name = "full" if getattr(why, "errno", None) in (errno.ENOSPC, errno.EDQUOT) else "read_only"
    if name == "io" and shutil.disk_usage(path.parent).free < 2**16:
        name = "full"
    return say(f"quiz.store.why.{name}", error=why)
