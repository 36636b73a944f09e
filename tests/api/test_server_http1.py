"""HTTP/1.1 by the byte: what arrives in pieces, in chunks, in a row, or makes no sense."""

import asyncio
import json
import socket
from contextlib import suppress
from urllib.parse import urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wire_helpers import HEADERS, Says, body, text

from course.api import OfflineAPI, Response, Stream
from course.api.headers import MAX_BYTES
from course.api.http1 import Incoming, Malformed, Reader, chunk, head
from course.api.server import serving
from course.api.wire import Request

LENGTH = b"POST /v1/messages?x=1 HTTP/1.1\r\nHost: h\r\nX-Api-Key: k\r\nContent-Length: 5\r\n\r\nhello"
CHUNKS = b"POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3;x=y\r\nllo\r\n0\r\nTrailer: t\r\n\r\n"
BARE = b"GET /v1/models HTTP/1.1\r\nHost: h\r\n\r\n"


def read(*pieces):
    reader, found = Reader(), []
    for piece in pieces:
        reader.feed(piece)
        while incoming := reader.next():
            found.append(incoming)
    return found


def test_a_request_by_length():
    [incoming] = read(LENGTH)
    assert incoming.request == Request(
        "POST", "/v1/messages?x=1", {"host": "h", "x-api-key": "k", "content-length": "5"}, b"hello"
    )
    assert incoming.keep_alive
    assert incoming.chunks


def test_a_request_in_chunks():
    assert read(CHUNKS)[0].request.body == b"hello"


def test_a_request_without_a_body():
    assert read(BARE)[0].request.method == "GET"


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(1, 40), max_size=30))
def test_however_it_is_cut_the_same_requests_are_read(cuts):
    raw, pieces = LENGTH + CHUNKS + BARE + LENGTH, []
    for cut in cuts:
        pieces.append(raw[:cut])
        raw = raw[cut:]
    assert read(*pieces, raw) == read(LENGTH + CHUNKS + BARE + LENGTH)
    assert len(read(*pieces, raw)) == 4


@pytest.mark.parametrize(
    "raw",
    [
        b"hello\r\n\r\n",
        b"GET /\r\n\r\n",
        b"GET / HTTP/2\r\n\r\n",
        b"GET / HTTP/1.1\r\nno colon\r\n\r\n",
        b"GET / HTTP/1.1\r\n: no name\r\n\r\n",
        b"GET / HTTP/1.1\r\nname : space\r\n\r\n",
        b"GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        b"GET / HTTP/1.1\r\nContent-Length: 1, 2\r\n\r\n",
        b"GET / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"GET / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n",
        b"GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
        b"GET / HTTP/1.1\r\nx: " + b"a" * 70_000,
    ],
)
def test_what_makes_no_sense_is_malformed(raw):
    with pytest.raises(Malformed):
        read(raw)


@settings(max_examples=80, deadline=None)
@given(st.binary(max_size=120) | st.binary(max_size=40).map(lambda tail: LENGTH[:-5] + tail + CHUNKS))
def test_any_bytes_are_read_or_refused(raw):
    with suppress(Malformed):
        assert all(incoming.request.path.startswith("/") for incoming in read(raw, b"\r\n\r\n"))


@pytest.mark.parametrize(
    ("raw", "keep_alive", "chunks"),
    [
        (b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n", False, True),
        (b"GET / HTTP/1.0\r\n\r\n", False, False),
        (b"GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", True, False),
    ],
)
def test_a_client_says_whether_the_connection_stays(raw, keep_alive, chunks):
    [incoming] = read(raw)
    assert (incoming.keep_alive, incoming.chunks) == (keep_alive, chunks)


def test_headers_of_one_name_are_joined_and_a_whole_url_is_its_path():
    [incoming] = read(b"GET http://h:1/v1/models?a HTTP/1.1\r\nanthropic-beta: a\r\nAnthropic-Beta: b\r\n\r\n")
    assert incoming.request.path == "/v1/models?a"
    assert incoming.request.headers["anthropic-beta"] == "a, b"


def test_of_a_body_over_the_limit_one_byte_more_is_kept():
    size = MAX_BYTES + 1000
    [incoming] = read(b"POST / HTTP/1.1\r\nContent-Length: %d\r\n\r\n" % size, b"x" * size)
    assert len(incoming.request.body) == MAX_BYTES + 1


def test_the_head_of_an_answer():
    modern = Incoming(Request("GET", "/"), keep_alive=True, chunks=True)
    lines = head(Response(529, {"request-id": "r"}, b"ab"), modern).decode().split("\r\n")
    assert lines[0] == "HTTP/1.1 529 Overloaded"
    assert {"request-id: r", "content-length: 2"} <= set(lines)
    assert "transfer-encoding: chunked" in head(Stream(200, {}, iter(())), modern).decode()
    old = Incoming(Request("GET", "/"), keep_alive=False, chunks=False)
    assert "chunked" not in head(Stream(200, {}, iter(())), old).decode()
    assert "connection: close" in head(Stream(200, {}, iter(())), old).decode()
    assert (chunk(b"abc", modern), chunk(b"abc", old)) == (b"3\r\nabc\r\n", b"abc")


@pytest.fixture
def line():
    with serving(OfflineAPI(Says(text("word " * 20)))) as url:
        place = urlsplit(url)
        with socket.create_connection((place.hostname, place.port), timeout=10) as connection:
            yield connection


def request(sent, version="1.1", method="POST", **headers):
    raw = json.dumps(sent).encode()
    top = {**HEADERS, "content-length": str(len(raw)), **headers}
    lines = [f"{method} /v1/messages HTTP/{version}", *(f"{name}: {value}" for name, value in top.items()), "", ""]
    return "\r\n".join(lines).encode(), raw


def to_the_end(connection):
    got = b""
    while piece := connection.recv(65536):
        got += piece
    return got


def test_requests_in_a_row_are_answered_in_their_order(line):
    first, second = request(body(stream=True)), request(body(), connection="close")
    line.sendall(b"".join(first + second))
    got = to_the_end(line)
    assert got.count(b"HTTP/1.1 200 OK") == 2
    assert got.index(b"message_stop") < got.index(b"content-length")


def test_a_client_that_waits_to_go_on_is_told_to(line):
    top, raw = request(body(), expect="100-continue", connection="close")
    line.sendall(top)
    assert line.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
    line.sendall(raw)
    assert to_the_end(line).startswith(b"HTTP/1.1 200 OK")


def test_a_stream_to_an_old_client_ends_with_the_connection(line):
    line.sendall(b"".join(request(body(stream=True), version="1.0")))
    got = to_the_end(line)
    assert b"chunked" not in got
    assert got.endswith(b'data: {"type":"message_stop"}\n\n')


def test_head_has_no_body(line):
    line.sendall(b"".join(request({}, method="HEAD", connection="close")))
    got = to_the_end(line)
    assert got.startswith(b"HTTP/1.1 405")
    assert got.endswith(b"\r\n\r\n")


def test_nonsense_gets_an_error_and_the_connection_is_closed(line):
    line.sendall(b"hello there\r\n\r\n")
    got = to_the_end(line)
    assert got.startswith(b"HTTP/1.1 400")
    assert json.loads(got.partition(b"\r\n\r\n")[2])["error"]["type"] == "invalid_request_error"


def test_a_client_that_leaves_a_slow_stream_leaves_nothing_behind():
    async def run(url):
        place = urlsplit(url)
        top, raw = request(body(stream=True))
        _, writer = await asyncio.open_connection(place.hostname, place.port)
        writer.write(top + raw)
        await writer.drain()
        await asyncio.sleep(0.1)
        writer.close()
        await writer.wait_closed()

    with serving(OfflineAPI(Says(text("word " * 20)), faults="drip=60")) as url:
        asyncio.run(run(url))


def test_a_failure_inside_is_a_500_in_the_envelope(line, caplog, monkeypatch):
    monkeypatch.setattr(OfflineAPI, "respond", lambda self, request: 1 / 0)
    line.sendall(b"".join(request(body(), connection="close")))
    got = to_the_end(line)
    assert got.startswith(b"HTTP/1.1 500")
    assert json.loads(got.partition(b"\r\n\r\n")[2])["error"]["type"] == "api_error"
    assert "ZeroDivisionError" in caplog.text
