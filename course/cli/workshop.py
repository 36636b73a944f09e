"""`course workshop`: a live poll for a room of people."""

import argparse
import os
import random
import secrets
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from course.cli.started import as_started
from course.facts.text import say

if TYPE_CHECKING:
    from course.quiz.bank import Bank
    from course.quiz.store import Store
    from course.workshop.rooms import Filed
    from course.workshop.site import Site

__all__ = ["run"]

HERE, PORT = "127.0.0.1", 8140
FIRST_LESSON = "01"


def run(args: Sequence[str]) -> int:
    """Run the verb; exit code 0, 1 when it cannot listen or use a file, 2 for what cannot be done as asked."""
    parser = _parser()
    given = parser.parse_args(args)
    if given.class_key and not given.results:
        parser.error(say("workshop.cli.key_alone"))
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # looking for some reads every installed package
    from course.quiz.bank import BankError
    from course.quiz.errors import QuizError
    from course.quiz.quickbank import quick_bank
    from course.workshop import rooms
    from course.workshop.room import PollError

    folder = rooms.home()
    try:
        if given.rooms:
            return _list(folder)
        if given.delete:
            return _delete(folder, given.delete)
        bank = quick_bank(folder)
        if given.results:
            return _results(bank, folder, given)
        return _serve(given, bank, _store(given, bank, folder))
    except (PollError, QuizError, BankError) as trouble:
        print(as_started(str(trouble)), file=sys.stderr)
        return 2
    except BrokenPipeError:
        raise  # of standard output: the command itself knows what to do
    except OSError as trouble:
        print(say("workshop.cli.file", path=trouble.filename, why=trouble.strerror), file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("course workshop", description=say("workshop.cli.about"))
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--lesson", metavar="NN", help=say("workshop.cli.lesson"))
    what.add_argument("--items", metavar="ID,ID", help=say("workshop.cli.items"))
    what.add_argument("--poll", metavar="FILE", type=Path, help=say("workshop.cli.poll"))
    what.add_argument("--resume", action="store_true", help=say("workshop.cli.resume"))
    what.add_argument("--results", metavar="FILE", help=say("workshop.cli.results"))
    what.add_argument("--rooms", action="store_true", help=say("workshop.cli.rooms"))
    what.add_argument("--delete", metavar="CODE", help=say("workshop.cli.delete"))
    parser.add_argument("--class-key", metavar="FILE", type=Path, help=say("workshop.cli.class_key"))
    parser.add_argument("--room", metavar="CODE", help=say("workshop.cli.room"))
    parser.add_argument("--new", action="store_true", help=say("workshop.cli.new"))
    parser.add_argument("--count", type=_within(1, 20), default=4, metavar="N", help=say("workshop.cli.count"))
    parser.add_argument("--host", help=say("workshop.cli.host"))
    parser.add_argument("--port", type=_within(0, 65535), help=say("workshop.cli.port", port=PORT))
    parser.add_argument("--discuss", type=_within(0, 3600), default=120, metavar="S", help=say("workshop.cli.discuss"))
    parser.add_argument("--low", type=_within(0, 100), default=30, metavar="%", help=say("workshop.cli.low"))
    parser.add_argument("--high", type=_within(0, 100), default=75, metavar="%", help=say("workshop.cli.high"))
    return parser


def _within(least: int, most: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(say("workshop.cli.number", least=least, most=most))
        return int(text)

    return number


def _store(given: argparse.Namespace, bank: "Bank", folder: Path) -> "Store":
    """Return the store of the room to serve: one that is to go on, or a new one. Says which."""
    from course.quiz.events import utcnow
    from course.quiz.store import Store
    from course.workshop import poll, rooms
    from course.workshop.room import Settings

    if given.resume or given.room:
        return Store(_continued(rooms.newest(folder, given.room)))
    if given.poll:
        items = poll.items_named(bank, poll.ids_in(given.poll.read_text(encoding="utf-8")))
    elif given.items:
        items = poll.items_named(bank, poll.ids_in(given.items))
    else:
        items = poll.items_of_lesson(bank, given.lesson or FIRST_LESSON, given.count)
    died = rooms.unfinished(folder, [item.id for item in items], utcnow())
    if died and not given.new:
        return Store(_continued(died))
    draw = random.SystemRandom()
    settings = Settings(low=given.low / 100, high=given.high / 100, discuss=given.discuss)
    return rooms.open_room(poll.questions(items, draw), settings, draw=draw, folder=folder)


def _continued(room: "Filed") -> Path:
    at = f"{room.at.astimezone():%Y-%m-%d %H:%M}"
    print(say("workshop.cli.continued", code=room.code, at=at, people=room.people, votes=room.votes))
    return room.path


def _serve(given: argparse.Namespace, bank: "Bank", store: "Store") -> int:
    """Serve the room until Ctrl-C."""
    from course.api.server import PortTaken, bind
    from course.quiz.events import iso, new_id
    from course.workshop import host, rooms
    from course.workshop.desk import Desk
    from course.workshop.room import replay
    from course.workshop.site import Site

    for notice in store.notices:
        print(notice, file=sys.stderr)
    events = store.events()
    room = replay(events, bank)
    started = [event.data for event in events if event.kind == "poll_started"]
    with rooms.held(store):
        last = started[-1] if started else {}
        port = given.port if given.port is not None else last.get("port", PORT)
        at = given.host if given.host is not None else last.get("host", HERE)
        try:
            listener = bind(at, port)
        except PortTaken as taken:
            print(say("workshop.cli.taken", place=taken), file=sys.stderr)
            if not started:
                store.close()
                rooms.discard(store.path)
            return 1
        port, token = listener.getsockname()[1], secrets.token_urlsafe(24)
        data = {"host": at, "port": port, "teacher": rooms.digest(token)}
        store.append("poll_started", key=f"started:{new_id(store.clock())}", attempt=room.code, data=data)
        teachers = frozenset(row["teacher"] for row in [*started, data])
        address = f"http://{host.own_address(at)}:{port}"
        own = f"http://{HERE}:{port}" if at in host.ANYWHERE else address
        site = Site(Desk(room, store), teachers, address)
        host.serve(site, listener, host=at, ready=lambda: _tell(at, site, own, token))
        store.append("poll_stopped", key=f"stopped:{iso(store.clock())}", attempt=room.code)
        store.back_up()
        print("\n" + as_started(_farewell(store)))
    return 0


def _tell(host: str, site: "Site", own: str, token: str) -> None:
    from course.workshop.host import is_loopback

    room = site.desk.room
    print(say("workshop.cli.asking", items=", ".join(question.item.id for question in room.questions)))
    pages = {"join": site.address, "teacher": f"{own}/teacher#{token}", "projector": f"{own}/projector#{token}"}
    print(say("workshop.cli.addresses", code=room.code, **pages))
    print(say("workshop.cli.only_here" if is_loopback(host) else "workshop.cli.shared"))
    print(say("workshop.cli.stop"), flush=True)


def _farewell(store: "Store") -> str:
    from course.workshop.rooms import filed

    room = next(room for room in filed(store.path.parent) if room.path == store.path)
    return say("workshop.cli.stopped", code=room.code, people=room.people, votes=room.votes, path=room.path)


def _list(folder: Path) -> int:
    from course.workshop.rooms import filed

    rooms = filed(folder)
    for room in rooms:
        at = f"{room.at.astimezone():%Y-%m-%d %H:%M}"
        values = {"code": room.code, "at": at, "people": room.people, "votes": room.votes}
        print(say("workshop.cli.listed", questions=len(room.items), path=room.path, **values))
    if not rooms:
        print(say("workshop.rooms.none", folder=folder))
    return 0


def _delete(folder: Path, code: str) -> int:
    from course.workshop.rooms import newest, remove

    room = newest(folder, code)
    print(say("workshop.cli.deleted", code=room.code, people=room.people, votes=remove(room)))
    return 0


def _results(bank: "Bank", folder: Path, given: argparse.Namespace) -> int:
    """Write the votes of a room, signed where a class key is given; a file that exists stays as it is."""
    from course.quiz.events import utcnow
    from course.quiz.handin import read_class_key, write_new
    from course.quiz.store import Store
    from course.workshop.poll import export
    from course.workshop.rooms import newest

    key = read_class_key(given.class_key.expanduser()) if given.class_key else None
    room = newest(folder, given.room)
    with Store(room.path) as store:
        text, count = export(store.events(), bank, made=utcnow(), key=key)
    if given.results == "-":
        print(text, end="")
        return 0
    write_new(Path(given.results).expanduser(), text)
    print(say("workshop.cli.exported", count=count, code=room.code, path=given.results))
    print(say("workshop.cli.signed" if key else "workshop.cli.unsigned"))
    return 0
