"""The site of the poll: pages, what they send, and the states they are sent (server-sent events).

A participant's seat and a teacher's leave are cookies: HttpOnly, SameSite=Strict, named after the room. The teacher's
token stands in the fragment of an address, which no browser sends; the page hands it in once, for the cookie. A vote
is answered only when it is stored.
"""

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, get_args

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.responses import StreamingResponse as Stream
from starlette.routing import Route

from course.facts.text import say
from course.quiz.errors import StoreError
from course.workshop.desk import Desk
from course.workshop.guard import BadBody, Guard, Limit, json_body
from course.workshop.pages import asset, page
from course.workshop.pollview import Role
from course.workshop.room import ACTIONS, Person, Refused, join, move, vote
from course.workshop.rooms import digest

__all__ = ["Site", "application"]

DAY = 12 * 60 * 60
PAGES_EACH = 6
PAGES_SHARED = 24
RETRY_MS = 1000
STILL = "event: still\ndata:\n\n"
"""What a quiet stream says, so that a page knows that it is still connected."""
STATUS: Mapping[str, int] = MappingProxyType(
    {"no_seat": 401, "no_leave": 401, "code": 403, "token": 403, "pace": 429, "closed": 409, "full": 409}
)
"""The HTTP status of a refusal; 400 where none is named."""


@dataclass(frozen=True)
class Site:
    """One room on the web. teachers: digests of valid teacher tokens. address: what the projector shows to type."""

    desk: Desk
    teachers: frozenset[str]
    address: str
    token: Callable[[], str] = lambda: secrets.token_urlsafe(24)
    wrong_codes: Limit = field(default_factory=lambda: Limit(20, 60))
    wrong_tokens: Limit = field(default_factory=lambda: Limit(10, 60))
    joins: Limit = field(default_factory=lambda: Limit(120, 60))
    votes: Limit = field(default_factory=lambda: Limit(30, 10))

    @property
    def code(self) -> str:
        return self.desk.room.code

    def person(self, request: Request) -> Person:
        """Return who asks. Raises Refused for somebody who has no seat."""
        seat = digest(request.cookies.get(f"seat-{self.code}", ""))
        for person in self.desk.room.people.values():
            if secrets.compare_digest(person.seat, seat):
                return person
        raise Refused("no_seat")

    def is_teacher(self, request: Request) -> bool:
        """Tell whether the request carries a teacher's cookie."""
        return self.knows(request.cookies.get(f"teacher-{self.code}", ""))

    def must_be_teacher(self, request: Request) -> None:
        """Raise Refused unless the request carries a teacher's cookie."""
        if not self.is_teacher(request):
            raise Refused("no_leave")

    def knows(self, token: str) -> bool:
        """Tell whether this is a teacher's token."""
        given = digest(token)
        return any([secrets.compare_digest(known, given) for known in self.teachers])


def application(site: Site, *, names: frozenset[str], loopback: bool) -> Starlette:
    """Return the site as an ASGI application. names, loopback: see `guard.trusted`."""

    @asynccontextmanager
    async def writing(_: Starlette) -> AsyncIterator[None]:
        task = asyncio.create_task(site.desk.run())
        yield
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task

    return Starlette(
        routes=_routes(site),
        middleware=[Middleware(Guard, names=names, loopback=loopback)],
        exception_handlers={Refused: _refused, BadBody: _bad_body, StoreError: _not_stored},
        lifespan=writing,
    )


def _routes(site: Site) -> list[Route]:
    async def show(request: Request) -> Response:
        name = request.url.path.strip("/") or "join"
        if name == "vote":
            try:
                site.person(request)
            except Refused:
                return RedirectResponse("/", 303)
        return HTMLResponse(page(name, address=site.address))

    async def static(request: Request) -> Response:
        found = asset(request.path_params["file"])
        return Response(found[0], media_type=found[1]) if found else PlainTextResponse("", 404)

    async def seat(request: Request) -> Response:
        try:
            return JSONResponse({"name": site.person(request).name})
        except Refused:
            return JSONResponse({"name": None})

    async def leave(request: Request) -> Response:
        return JSONResponse({"teacher": site.is_teacher(request)})

    async def come_in(request: Request) -> Response:
        body, where = await json_body(request), _address(request)
        if site.wrong_codes.spent(where) or site.joins.spent(where):
            raise Refused("pace")
        if not secrets.compare_digest(_text(body, "code").strip().upper().encode(), site.code.encode()):
            site.wrong_codes.count(where)
            raise Refused("code")
        if where not in ("127.0.0.1", "::1"):
            site.joins.count(where)
        token, person, name = site.token(), secrets.token_hex(6), _text(body, "name")
        event = await site.desk.do(lambda room, now: join(room, name, person=person, seat=digest(token), now=now))
        assert event is not None
        return _with_cookie(JSONResponse({"name": event.data["name"]}), f"seat-{site.code}", token)

    async def cast(request: Request) -> Response:
        person, body = site.person(request), await json_body(request)
        if site.votes.spent(person.id):
            raise Refused("pace")
        site.votes.count(person.id)
        letters, confidence = body.get("letters"), body.get("confidence")
        step, submission = _number(body, "step"), _text(body, "submission")
        if not isinstance(letters, list) or not isinstance(confidence, int | None):
            raise BadBody
        await site.desk.do(
            lambda room, now: vote(
                room,
                person.id,
                letters,
                step=step,
                submission=submission,
                confidence=confidence,
                now=now,
            )
        )
        return JSONResponse({"stored": True})

    async def log_in(request: Request) -> Response:
        body, where = await json_body(request), _address(request)
        token = _text(body, "token")
        if not site.knows(token):  # a right one always counts: guesses from its address must not lock a teacher out
            if site.wrong_tokens.spent(where):
                raise Refused("pace")
            site.wrong_tokens.count(where)
            raise Refused("token")
        return _with_cookie(JSONResponse({"in": True}), f"teacher-{site.code}", token)

    async def act(request: Request) -> Response:
        site.must_be_teacher(request)
        body = await json_body(request)
        action, step = _text(body, "action"), _number(body, "step")
        if action not in ACTIONS:
            raise BadBody
        event = await site.desk.do(lambda room, now: move(room, action, step=step, now=now))
        return JSONResponse({"moved": event is not None})

    async def events(request: Request) -> Response:
        role: Role = request.url.path.rpartition("/")[2]  # type: ignore[assignment]
        person = ""
        if role == "participant":
            person = site.person(request).id
        else:
            site.must_be_teacher(request)
        return Stream(_stream(site.desk, role, person), media_type="text/event-stream")

    return [
        *(Route(path, show, methods=["GET"]) for path in ("/", "/vote", "/teacher", "/projector")),
        Route("/static/{file}", static),
        Route("/seat", seat),
        Route("/leave", leave),
        Route("/join", come_in, methods=["POST"]),
        Route("/vote", cast, methods=["POST"]),
        Route("/login", log_in, methods=["POST"]),
        Route("/move", act, methods=["POST"]),
        *(Route(f"/events/{role}", events) for role in get_args(Role)),
    ]


async def _stream(desk: Desk, role: Role, person: str) -> AsyncIterator[str]:
    pages = PAGES_EACH if person else PAGES_SHARED
    yield f"retry: {RETRY_MS}\n\n"
    async for state in desk.watch(role, person, pages=pages):
        yield f"data: {json.dumps(state, ensure_ascii=False)}\n\n" if state else STILL


def _with_cookie(response: Response, name: str, value: str) -> Response:
    response.set_cookie(name, value, max_age=DAY, path="/", httponly=True, samesite="strict")
    return response


def _address(request: Request) -> str:
    return request.client.host if request.client else ""


def _text(body: Mapping[str, Any], name: str) -> str:
    value = body.get(name)
    if not isinstance(value, str):
        raise BadBody
    return value


def _number(body: Mapping[str, Any], name: str) -> int:
    value = body.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise BadBody
    return value


def _refused(_: Request, refused: Exception) -> Response:
    assert isinstance(refused, Refused)
    return JSONResponse({"reason": refused.reason, "message": str(refused)}, STATUS.get(refused.reason, 400))


def _bad_body(_: Request, __: Exception) -> Response:
    return JSONResponse({"reason": "body", "message": say("workshop.refused.body")}, 400)


def _not_stored(_: Request, trouble: Exception) -> Response:
    return JSONResponse({"reason": "not_stored", "message": str(trouble)}, 503)
