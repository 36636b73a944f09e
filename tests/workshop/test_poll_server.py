"""The poll as a running server: many voters, a crash in the middle of a vote, strangers, and Ctrl-C."""

import asyncio
import json
import socket
from contextlib import AsyncExitStack

import httpx
import pytest
from poll_server import BANK, join, serving, teacher

from course.quiz.store import Store
from course.workshop.poll import results
from course.workshop.rooms import newest

VOTERS = 100
ASKED = ("--items", "q1,q2", "--port", "0")


def votes_on_disk(home):
    with Store(newest(home).path) as store:
        return list(results(store.events(), BANK))


async def move(client, action, step):
    answer = await client.post("/move", json={"action": action, "step": step})
    answer.raise_for_status()
    return answer.json()["moved"]


async def everybody_in(stack, server, count=VOTERS):
    return [await stack.enter_async_context(join(server, f"voter {n}")) for n in range(count)]


def test_a_hundred_voters_lose_no_vote_and_all_see_the_reveal(tmp_path):
    async def play(server):
        async with AsyncExitStack() as stack:
            head = await stack.enter_async_context(teacher(server))
            seats = await everybody_in(stack, server)
            await move(head, "next", 0)
            await asyncio.gather(*(seat.until("vote1") for seat in seats))
            for round in ("first", "other"):
                letters = "abcd" if round == "first" else "bcda"
                sent = [seat.vote(letters[n % 4], f"{round}-vote-{n}") for n, seat in enumerate(seats)]
                assert {answer.status_code for answer in await asyncio.gather(*sent)} == {200}
            await move(head, "next", 1)
            await move(head, "reveal", 2)
            await asyncio.gather(*(seat.until("reveal") for seat in seats))
            counts = {tuple(bar["count"] for bar in seat.state["result"]["first"]["bars"]) for seat in seats}
            assert counts == {(25, 25, 25, 25, 0)}
            assert {seat.state["votes"]["1"]["letters"][0] for seat in seats} == set("abcd")

    with serving(tmp_path, *ASKED) as server:
        asyncio.run(play(server))
        server.stop()
    rows = votes_on_disk(tmp_path)
    assert len(rows) == VOTERS
    assert len({row.learner for row in rows}) == VOTERS


def test_killed_in_mid_vote_it_goes_on_with_the_same_code_cookies_and_votes(tmp_path):
    people, acknowledged = 30, {}

    async def first_half(server):
        cookies = []
        async with AsyncExitStack() as stack:
            head = await stack.enter_async_context(teacher(server))
            seats = await everybody_in(stack, server, people)
            await move(head, "next", 0)
            await asyncio.gather(*(seat.until("vote1") for seat in seats))

            async def vote_and_note(n, seat):
                answer = await seat.vote("abcd"[n % 4], f"submission-{n}")
                acknowledged[seat.name] = answer.status_code == 200

            sending = [asyncio.create_task(vote_and_note(n, seat)) for n, seat in enumerate(seats)]
            while len(acknowledged) < people // 3:
                await asyncio.sleep(0)
            server.kill()
            await asyncio.gather(*sending, return_exceptions=True)
            cookies = [(seat.name, dict(seat.client.cookies)) for seat in seats]
        return cookies, dict(head.cookies)

    async def second_half(server, cookies, leave):
        async with AsyncExitStack() as stack:
            seats = [await stack.enter_async_context(join(server, name, own)) for name, own in cookies]
            await asyncio.gather(*(seat.until("vote1") for seat in seats))
            for seat in seats:
                assert ("1" in seat.state["votes"]) >= acknowledged.get(seat.name, False)
            again = [seat.vote("abcd"[n % 4], f"submission-{n}") for n, seat in enumerate(seats)]
            assert {answer.status_code for answer in await asyncio.gather(*again)} == {200}
            head = httpx.AsyncClient(base_url=server.url, cookies=leave)
            assert await move(head, "next", 1)
            await head.aclose()
            await asyncio.gather(*(seat.until("closed") for seat in seats))

    with serving(tmp_path, *ASKED) as server:
        cookies, leave = asyncio.run(first_half(server))
        code, url = server.code, server.url
    assert any(acknowledged.values())
    kept = {row.learner for row in votes_on_disk(tmp_path)}
    assert {name for name, stored in acknowledged.items() if stored} <= kept
    with serving(tmp_path, "--items", "q1,q2") as server:
        assert f"Going on with room {code}" in server.said
        assert (server.code, server.url) == (code, url)
        asyncio.run(second_half(server, cookies, leave))
        server.stop()
    assert len(votes_on_disk(tmp_path)) == people


def test_a_room_that_goes_on_keeps_its_address_and_so_lets_the_network_in_again(tmp_path):
    with serving(tmp_path, *ASKED, "--host", "0.0.0.0") as server:
        url = server.url
        server.kill()
    with serving(tmp_path, "--resume") as server:
        assert server.url == url
        assert "Plain HTTP on a shared network" in server.said


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("room"), *ASKED) as running:
        yield running


WEB = httpx.Client(trust_env=False, verify=False)


def post(server, path, body, **headers):
    WEB.cookies.clear()
    return WEB.post(server.url + path, json=body, headers=headers)


def get(server, path):
    WEB.cookies.clear()
    return WEB.get(server.url + path)


def test_no_page_and_no_answer_to_a_stranger_holds_the_room_code(server):
    for path in ("/", "/teacher", "/projector", "/events/projector", "/events/participant", "/seat", "/leave"):
        assert server.code not in get(server, path).text, path


def test_states_go_to_those_who_may_see_them_only(server):
    codes = [get(server, f"/events/{role}").status_code for role in ("participant", "teacher", "projector")]
    assert codes == [401, 401, 401]
    assert post(server, "/move", {"action": "next", "step": 0}).status_code == 401
    assert post(server, "/vote", {"letters": ["a"], "step": 1, "submission": "s" * 12}).status_code == 401


def test_a_page_without_a_seat_leads_to_the_way_in(server):
    answer = get(server, "/vote")
    assert (answer.status_code, answer.headers["location"]) == (303, "/")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Origin": "http://evil.example"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Content-Type": "text/plain"}, 415),
    ],
)
def test_a_request_that_is_not_from_our_pages_is_refused(server, headers, status):
    body = {"code": server.code, "name": "Ann"}
    assert post(server, "/join", body, **headers).status_code == status


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b'"x"', b"[" * 4000, b'{"code": 1}', b"{" + b" " * 5000 + b"}"])
def test_a_body_that_is_none_is_refused_in_words(server, content):
    answer = WEB.post(f"{server.url}/join", content=content, headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["reason"]) == (400, "body")


def test_every_answer_carries_the_policy_and_cookies_are_kept_from_scripts_and_other_sites(server):
    answer = post(server, "/join", {"code": server.code.lower(), "name": "Ann"})
    assert answer.headers["content-security-policy"].startswith("default-src 'self'")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert get(server, "/nowhere").headers["x-content-type-options"] == "nosniff"


def test_pages_run_no_inline_script_and_hold_no_inline_style(server):
    for path in ("/", "/teacher", "/projector"):
        page = get(server, path).text
        assert page.count("<script") == 1
        assert '<script type="module" src="/static/' in page
        assert "style=" not in page


def test_guessing_room_codes_and_tokens_is_slowed_down(tmp_path):
    with serving(tmp_path, *ASKED) as own:
        codes = [post(own, "/join", {"code": "XXXXXX", "name": "Eve"}).status_code for _ in range(21)]
        assert codes == [403] * 20 + [429]
        tokens = [post(own, "/login", {"token": "guess"}).status_code for _ in range(11)]
        assert tokens == [403] * 10 + [429]
        token = own.teacher.partition("#")[2]
        assert post(own, "/login", {"token": token}).status_code == 200, "guesses from one address lock nobody out"


@pytest.mark.parametrize("path", ["/join", "/login", "/vote"])
def test_text_that_utf8_cannot_hold_is_refused_by_its_form(server, path):
    WEB.cookies.clear()
    body = b'{"code": "\\ud800", "name": "\\ud800", "token": "\\ud800"}'
    sent = WEB.post(server.url + path, content=body, headers={"content-type": "application/json"})
    assert sent.status_code == (401 if path == "/vote" else 400)


def test_one_person_cannot_flood_the_room_with_votes(server):
    async def flood():
        async with teacher(server) as head, join(server, "Flo") as seat:
            await move(head, "next", 0)
            await seat.until("vote1")
            answers = [await seat.vote("a", f"submission-{n}") for n in range(31)]
            return [answer.status_code for answer in answers]

    assert asyncio.run(flood()) == [200] * 30 + [429]


def test_two_teachers_are_welcome_and_move_the_room_once(tmp_path):
    async def both():
        async with teacher(own) as one, teacher(own) as other:
            return await asyncio.gather(*(move(client, "next", 0) for client in (one, other)))

    with serving(tmp_path, *ASKED) as own:
        assert sorted(asyncio.run(both())) == [False, True]


def test_ctrl_c_ends_it_tidily_and_says_what_can_be_done_now(tmp_path):
    async def watched():
        async with join(own, "Ann") as seat:
            await seat.until("lobby")
            return await asyncio.to_thread(own.stop)

    with serving(tmp_path, *ASKED) as own:
        said = asyncio.run(watched())
        assert own.process.returncode == 0
    assert f"Room {own.code} is stopped (people: 1, votes: 0)" in said
    assert "Traceback" not in said
    with serving(tmp_path, *ASKED) as new:
        assert new.code != own.code
    with serving(tmp_path, "--resume", "--room", own.code) as again:
        assert again.code == own.code


def test_a_taken_port_is_told_in_one_line_and_leaves_no_room_behind(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        with serving(tmp_path, "--items", "q1", "--port", port) as refused:
            refused.process.wait(20)
            assert refused.process.returncode == 1
            assert len(refused.said.strip().splitlines()) == 1
            assert port in refused.said
    assert list(tmp_path.glob("workshop-*")) == []


def test_on_a_shared_network_it_says_what_that_means(tmp_path):
    with serving(tmp_path, *ASKED, "--host", "0.0.0.0") as open_room:
        assert "anybody on it can read along" in open_room.said
        assert open_room.teacher.startswith("http://127.0.0.1:")


def test_the_states_of_a_stream_are_json_one_a_message(server):
    async def read():
        async with teacher(server) as head, head.stream("GET", "/events/projector") as answer:
            assert answer.headers["content-type"].startswith("text/event-stream")
            async for line in answer.aiter_lines():
                if line.startswith("data: "):
                    return json.loads(line[6:])

    assert asyncio.run(read())["role"] == "projector"
