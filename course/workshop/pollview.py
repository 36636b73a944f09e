"""What each page of a poll may know: plain JSON for a participant, the teacher and the projector.

Before the reveal, nothing that a participant or the projector gets depends on the key: no reason, explanation,
misconception, bar or item id, and options are named by the letter of their place. The teacher's page gets all of it.
"""

from dataclasses import asdict
from datetime import datetime
from functools import lru_cache
from typing import Any, Literal

from course.quiz.feedback import lesson_links, verdict_words
from course.quiz.grading import grade, key
from course.quiz.items import in_language
from course.quiz.public import public
from course.widgets.rich import rich
from course.workshop.room import LETTERS, NEXT_QUESTION, PHASES, TRIES, Question, Room, Vote
from course.workshop.tally import Gain, Round, advice, gain, misled, round_of

__all__ = ["Role", "own_state", "public_state", "room_state", "seconds_left"]

Role = Literal["participant", "teacher", "projector"]
Json = dict[str, Any]


def public_state(room: Room, role: Role, *, now: datetime, person: str = "") -> Json:
    """Return what a page of `role` shows now; `person` is whose page it is, for a participant."""
    state = room_state(room, role) | {"left": seconds_left(room, now)}
    return state | own_state(room, person) if role == "participant" else state


def room_state(room: Room, role: Role) -> Json:
    """Return what all pages of a role share.

    role, room, phase, step, number (of the question, from 1), total, question; result and told once the role may know
    them; for teacher and projector the counts joined and voted; for the teacher actions, advice, people and coming, the
    id of the question that comes next.
    """
    question = room.current
    state: Json = {
        "role": role,
        "room": room.code,
        "phase": room.phase,
        "step": room.step,
        "number": min(room.question + 1, len(room.questions)),
        "total": len(room.questions),
        "question": _shown(question) if question else None,
    }
    if question and (room.revealed or role == "teacher"):
        state["result"] = _result(room, question)
    if question and (room.phase == "explain" or role == "teacher"):
        state["told"] = _told(question)
    if role != "participant":
        state |= {"joined": len(room.people), "voted": len(room.votes_of(TRIES.get(room.phase, 1)))}
    return state | _teachers(room) if role == "teacher" else state


def seconds_left(room: Room, now: datetime) -> float | None:
    """Return the seconds left on the clock of a discussion; None where no clock runs."""
    if room.phase != "discuss" or not room.settings.discuss:
        return None
    return round(max(0.0, room.settings.discuss - (now - room.since).total_seconds()), 1)


@lru_cache(maxsize=64)
def _shown(question: Question) -> Json:
    """Return the question without its key, nor anything that could hint at it."""
    view = public(question.item, question.order)
    options = zip(LETTERS, view["options"], strict=False)
    return {
        "stem": rich(view["stem"]),
        "exhibits": [{"title": rich(exhibit["title"]), "body": exhibit["body"]} for exhibit in view["exhibits"]],
        "options": [{"letter": letter, "text": rich(option["text"])} for letter, option in options],
        "choose": view.get("select_n", 1),
    }


@lru_cache(maxsize=64)
def _told(question: Question) -> Json:
    """Return the key and every reason."""
    item = question.item
    options = {option.id: option for option in item.options}  # type: ignore[attr-defined]
    reasons = [
        {"letter": letter, "right": options[id].correct, "why": rich(in_language(options[id].why))}
        for letter, id in zip(LETTERS, question.order, strict=False)
    ]
    texts = {name: rich(item.text(name)) for name in ("explanation", "exam_says", "docs_say")}
    lessons = [link["words"] for link in lesson_links(item)]
    return {"reasons": reasons, "lessons": lessons, "item": item.id, **texts}


def _result(room: Room, question: Question) -> Json:
    """Return key, both votes, the gain of those who voted twice and of all, and the commonest misconception."""
    first, second = room.votes_of(1), room.votes_of(2)
    wrong = misled(question, second or first)
    return {
        "key": question.letters(key(question.item)),
        "first": _round(round_of(question, first)),
        "second": _round(round_of(question, second)) if second else None,
        "gain": _gain(gain(question, first, second, paired=True)) if first.keys() & second.keys() else None,
        "overall": _gain(gain(question, first, second, paired=False)) if first and second else None,
        "misled": asdict(wrong) | {"text": rich(wrong.text)} if wrong else None,
    }


def _round(round: Round) -> Json:
    share = None if round.share is None else _rounded(round.share)
    bars = [{"letter": bar.letter, "count": bar.count, "share": _rounded(bar.share)} for bar in round.bars]
    return {"voted": round.voted, "right": round.right, "share": share, "bars": bars, "sure": list(round.sure)}


def _gain(gained: Gain) -> Json:
    return {name: _rounded(value) if isinstance(value, float) else value for name, value in asdict(gained).items()}


def _rounded(share: float) -> float:
    return round(share, 4)


def own_state(room: Room, person: str) -> Json:
    """Return what only one participant sees: name, whether a vote is open, own votes of this question by try, the
    verdict once it is revealed, the score at the end."""
    who, question = room.people.get(person), room.current
    mine = {attempt: cast for attempt in TRIES.values() if (cast := room.votes_of(attempt).get(person))}
    own: Json = {
        "name": who.name if who else "",
        "open": room.phase in TRIES,
        "attempt": TRIES.get(room.phase),
        "votes": {str(attempt): _vote(question, cast) for attempt, cast in mine.items()} if question else {},
    }
    if question and room.revealed and mine:
        told = grade(question.item, mine[max(mine)].response)
        own["verdict"] = {"right": told.verdict == "correct", "words": verdict_words(told.verdict, told.score)}
    if room.phase == "end":
        own["score"] = _score(room, person)
    return own


def _vote(question: Question, cast: Vote) -> Json:
    return {"letters": question.letters(cast.response), "confidence": cast.confidence}


def _score(room: Room, person: str) -> Json:
    """Return how many questions somebody voted on, and how many of their last votes were right."""
    last = [
        (question, votes[max(votes)])
        for place, question in enumerate(room.questions)
        if (votes := {n: cast for n in TRIES.values() if (cast := room.votes_of(n, place).get(person))})
    ]
    right = sum(grade(question.item, cast.response).verdict == "correct" for question, cast in last)
    return {"voted": len(last), "right": right}


def _teachers(room: Room) -> Json:
    voted = room.votes_of(TRIES.get(room.phase, 1))
    people = sorted(room.people.values(), key=lambda person: person.name.casefold())
    summary = [_summary(room, place) for place in range(len(room.questions))] if room.phase == "end" else []
    return {
        "actions": list(PHASES[room.phase]),
        "advice": advice(room),
        "summary": summary,
        "coming": _coming(room),
        "people": [{"name": person.name, "voted": person.id in voted} for person in people],
    }


def _coming(room: Room) -> str | None:
    """Return the id of the question that the next press opens; None where it does something else."""
    opens = PHASES[room.phase].get("next") == NEXT_QUESTION
    return room.questions[room.question + 1].item.id if opens and room.question + 1 < len(room.questions) else None


def _summary(room: Room, place: int) -> Json:
    """Return what became of one question: how many voted and were right in each vote, and the paired gain."""
    question, first, second = room.questions[place], room.votes_of(1, place), room.votes_of(2, place)
    rounds = [round_of(question, votes) for votes in (first, second)]
    return {
        "item": question.item.id,
        "rounds": [{"voted": round.voted, "right": round.right} for round in rounds],
        "gain": gain(question, first, second, paired=True).gain,
    }
