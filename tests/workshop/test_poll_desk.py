"""The desk: nothing counts before it is stored, nothing stops the desk, and pages come and go."""

import asyncio

import pytest
from poll_desk import Play

from course.quiz.errors import StoreError
from course.quiz.store import Store
from course.workshop.desk import Desk
from course.workshop.room import Refused, join, move, vote


@pytest.fixture
def desk(tmp_path):
    play = Play()
    with Store(tmp_path / "room.sqlite") as store:
        store.append_all(play.events)
        yield Desk(play.room, store)


def run(desk, playing):
    async def served():
        task = asyncio.create_task(desk.run())
        try:
            return await asyncio.wait_for(playing(), 20)
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    return asyncio.run(served())


def joining(name):
    return lambda room, now: join(room, name, person=name, seat=name, now=now)


def moving(action, step):
    return lambda room, now: move(room, action, step=step, now=now)


def voting(name, letters, step, submission):
    return lambda room, now: vote(room, name, letters, step=step, submission=submission, now=now)


def test_what_is_answered_is_stored(desk):
    async def playing():
        await desk.do(joining("ann"))
        return [event.kind for event in desk.store.events()]

    assert run(desk, playing) == ["poll_opened", "poll_joined"]


def test_what_cannot_be_stored_does_not_count_and_is_told(desk, monkeypatch):
    def fails(events):
        raise StoreError("The disk is full.")

    async def playing():
        await desk.do(joining("ann"))
        await desk.do(moving("next", 0))
        monkeypatch.setattr(desk.store, "append_all", fails)
        with pytest.raises(StoreError, match="full"):
            await desk.do(voting("ann", ["a"], 1, "submission-1"))
        assert not desk.room.votes_of(1)
        monkeypatch.undo()
        await desk.do(voting("ann", ["a"], 1, "submission-1"))
        return desk.room.votes_of(1)["ann"].response

    assert run(desk, playing) == "north"


def test_a_store_that_only_lives_in_memory_acknowledges_nothing(desk, monkeypatch):
    async def playing():
        monkeypatch.setattr(desk.store, "kept", False)
        with pytest.raises(StoreError, match="COURSE_HOME"):
            await desk.do(joining("ann"))
        return desk.room.people

    assert run(desk, playing) == {}


def test_a_command_that_fails_leaves_the_desk_at_work(desk):
    async def playing():
        with pytest.raises(ZeroDivisionError):
            await desk.do(lambda room, now: 1 / 0)
        with pytest.raises(Refused):
            await desk.do(moving("reveal", 0))
        await desk.do(joining("ann"))
        return list(desk.room.people)

    assert run(desk, playing) == ["ann"]


def test_a_vote_that_arrives_with_the_close_counts_before_it_or_not_at_all(desk):
    async def playing():
        await desk.do(joining("ann"))
        await desk.do(moving("next", 0))
        asked = [voting("ann", ["b"], 1, "submission-1"), moving("next", 1), voting("ann", ["c"], 1, "submission-2")]
        return await asyncio.gather(*map(desk.do, asked), return_exceptions=True)

    first, moved, late = run(desk, playing)
    assert (first.kind, moved.kind) == ("poll_voted", "poll_moved")
    assert isinstance(late, Refused)
    assert desk.room.votes_of(1)["ann"].response == "south"


def test_an_old_submission_that_comes_again_does_not_undo_a_newer_one(desk):
    async def playing():
        await desk.do(joining("ann"))
        await desk.do(moving("next", 0))
        for letter, submission in (("a", "submission-1"), ("b", "submission-2"), ("a", "submission-1")):
            await desk.do(voting("ann", [letter], 1, submission))
        return desk.room.votes_of(1)["ann"].response

    assert run(desk, playing) == "south"


def test_a_page_gets_the_state_at_once_and_after_what_concerns_it(desk):
    async def playing():
        await desk.do(joining("ann"))
        pages = desk.watch("participant", "ann", idle=0.05)
        seen = [(await anext(pages))["phase"]]
        await desk.do(joining("bo"))
        seen.append(await anext(pages))
        await desk.do(moving("next", 0))
        seen.append((await anext(pages))["phase"])
        await pages.aclose()
        return seen

    assert run(desk, playing) == ["lobby", None, "vote1"]


def test_the_oldest_page_makes_room_for_one_too_many(desk):
    async def playing():
        pages = [desk.watch("projector", pages=2) for _ in range(3)]
        for page in pages:
            await anext(page)
        with pytest.raises(StopAsyncIteration):
            await anext(pages[0])
        desk.close()
        for page in pages[1:]:
            with pytest.raises(StopAsyncIteration):
                await anext(page)
        return len(desk._watchers)

    assert run(desk, playing) == 0
