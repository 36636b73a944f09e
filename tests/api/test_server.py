"""The API behind a port, by plain sockets: no client library smooths the edges."""

import asyncio
import http.client
import json
import shlex
import socket
import subprocess
import sys
from urllib.parse import urlsplit

import pytest
from wire_helpers import HEADERS, Says, body, parsed, text

from course.api import OfflineAPI
from course.api.server import PortTaken, bind, serving
from course.cli import main


@pytest.fixture
def url():
    with serving(OfflineAPI(Says(text("word " * 40)))) as base:
        yield base


def sent(url, raw, method="POST", path="/v1/messages", **headers):
    place = urlsplit(url)
    line = http.client.HTTPConnection(place.hostname, place.port, timeout=20)
    try:
        line.request(method, path, raw, {**HEADERS, **headers})
        answer = line.getresponse()
        return answer, answer.read()
    finally:
        line.close()


def test_a_message_over_a_socket(url):
    answer, raw = sent(url, json.dumps(body()))
    assert answer.status == 200
    assert answer.headers["request-id"].startswith("req_")
    assert json.loads(raw)["type"] == "message"


def test_a_stream_over_a_socket(url):
    answer, raw = sent(url, json.dumps(body(stream=True)))
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert parsed(raw)[-1]["type"] == "message_stop"


def test_a_query_and_an_escaped_path_arrive(url):
    _, raw = sent(url, None, "GET", "/v1/models/claude%2Dopus-5-5?beta=true")
    assert json.loads(raw)["id"] == "claude-opus-5-5"


def test_a_connection_is_kept_for_the_next_request(url):
    place = urlsplit(url)
    line = http.client.HTTPConnection(place.hostname, place.port, timeout=20)
    for raw in (b"{", json.dumps(body()).encode(), json.dumps(body(stream=True)).encode()):
        line.request("POST", "/v1/messages", raw, HEADERS)
        answer = line.getresponse()
        answer.read()
        assert not answer.will_close
    line.close()


def test_33_mib_get_the_413_and_the_connection_lives(url):
    answer, raw = sent(url, b" " * (33 * 1024 * 1024))
    assert answer.status == 413
    assert json.loads(raw)["error"]["type"] == "request_too_large"


def test_a_cut_stream_closes_the_connection_without_its_end(url):
    with pytest.raises(http.client.IncompleteRead):
        sent(url, json.dumps(body(stream=True)), **{"x-course-fault": "cut"})


def test_the_explanation_is_there_for_whoever_asks(url):
    answer, _ = sent(url, json.dumps(body()))
    _, raw = sent(url, None, "GET", f"/_course/explain/{answer.headers['request-id']}")
    assert json.loads(raw)["answered_by"] == "Says"


def test_nothing_but_loopback_is_reached(url):
    assert urlsplit(url).hostname == "127.0.0.1"


def test_a_taken_port_is_named():
    with bind("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        with pytest.raises(PortTaken, match=f"127.0.0.1:{port}"):
            bind("127.0.0.1", port)


def test_a_thousand_slow_streams_lose_none():
    async def one(place, request):
        reader, writer = await asyncio.open_connection(place.hostname, place.port)
        writer.write(request)
        await writer.drain()
        raw = await asyncio.wait_for(reader.read(), 120)
        writer.close()
        return raw

    async def run(base):
        raw = json.dumps(body(stream=True)).encode()
        top = {**HEADERS, "content-length": str(len(raw)), "host": "x", "connection": "close"}
        head = "POST /v1/messages HTTP/1.1\r\n" + "".join(f"{k}: {v}\r\n" for k, v in top.items()) + "\r\n"
        return await asyncio.gather(*(one(urlsplit(base), head.encode() + raw) for _ in range(1000)))

    with serving(OfflineAPI(Says(text("one two three")), faults="drip=0.1:*")) as base:
        answers = asyncio.run(run(base))
    assert sum(b'"type":"message_stop"' in raw for raw in answers) == 1000


def test_the_command_says_where_it_listens_and_answers_there():
    command = [sys.executable, "-m", "course", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        said = process.stdout.readline()
        try:
            url = said.removeprefix("listening on ").strip()
            assert said == f"listening on http://127.0.0.1:{urlsplit(url).port}\n"
            assert sent(url, json.dumps(body()))[0].status == 200
        finally:
            process.terminate()


@pytest.mark.parametrize("key", ["any", "my key's"])
def test_the_curl_line_that_the_command_shows_works(key):
    command = [sys.executable, "-m", "course", "serve", "--port", "0", "--key", key]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            said = []
            while not said or "Ctrl-C ends it" not in said[-1]:
                said.append(process.stdout.readline())
            line = shlex.split("".join(said).partition("curl ")[2].partition("\n\n")[0].replace("\\\n", " "))
            url, options = line[0], line[1:]
            pairs = zip(options[::2], options[1::2], strict=True)
            headers = dict(value.split(": ", 1) for flag, value in pairs if flag == "-H")
            assert headers["x-api-key"] == key
            data = options[options.index("-d") + 1]
            assert sent(url.removesuffix("/v1/messages"), data, **headers)[0].status == 200
        finally:
            process.terminate()


def test_the_command_says_what_to_do_about_a_taken_port(capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["serve", "--port", str(port)]) == 1
    told = capsys.readouterr().err
    assert f"127.0.0.1:{port}" in told
    assert "--port" in told


@pytest.mark.parametrize("options", [["--fault", "5x"], ["--port", "70000"], ["--scripted", "nowhere.json"]])
def test_the_command_refuses_options_that_make_no_sense(options, capsys):
    assert main(["serve", *options]) == 2
    assert options[0] in capsys.readouterr().err


def test_the_command_refuses_a_script_that_is_no_list(tmp_path, capsys):
    script = tmp_path / "turns.json"
    script.write_text('{"a": 1}')
    assert main(["serve", "--scripted", str(script)]) == 2
    assert "list" in capsys.readouterr().err
