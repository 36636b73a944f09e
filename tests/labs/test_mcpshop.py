"""The shop is a real MCP server, reachable in process, over stdio and over HTTP, and leaves no process behind."""

import asyncio
import socket
import subprocess
import sys
import time

import pytest

from course.labs import mcpshop


def ask(where, name, arguments):
    from mcp import Client

    async def call():
        async with Client(where) as shop:
            return await shop.call_tool(name, arguments)

    return asyncio.run(call())


def test_an_order_comes_structured_and_as_text():
    answer = ask(mcpshop.shop(), "get_order", {"order_id": "ORD-81"})
    assert answer.structured_content == {"order_id": "ORD-81", "article": "lamp", "euros": 49.0, "paid": True}
    assert "lamp" in answer.content[0].text
    assert not answer.is_error


def test_a_planned_error_keeps_its_words_and_an_unplanned_one_is_masked():
    assert "Numbers look like ORD-81" in ask(mcpshop.shop(), "get_order", {"order_id": "X"}).content[0].text
    crashed = ask(mcpshop.shop(), "crash", {})
    assert crashed.is_error
    assert "hunter2" not in crashed.content[0].text


def test_a_paged_list_says_when_there_is_more():
    from mcp import Client

    async def pages():
        async with Client(mcpshop.paged(list("abcde"), 2)) as server:
            first = await server.list_tools()
            last = await server.list_tools(cursor="4")
            return [tool.name for tool in first.tools], first.next_cursor, last.next_cursor

    assert asyncio.run(pages()) == (["a", "b"], "2", None)


def test_a_server_that_learns_announces_its_new_list():
    from mcp import Client

    async def names():
        async with Client(mcpshop.growing()) as server:
            async with server.listen(tools_list_changed=True) as changes:
                await server.call_tool("learn", {})
                await anext(aiter(changes))
            return [tool.name for tool in (await server.list_tools()).tools]

    assert asyncio.run(names()) == ["learn", "parcel_weight"]


@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_over_http_the_server_answers_and_is_gone_afterwards():
    with mcpshop.over_http() as address:
        assert ask(address, "get_order", {"order_id": "ORD-90"}).structured_content["paid"] is False
    running = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    assert f"--http {address.rsplit(':', 1)[1].split('/')[0]}" not in running


def test_a_server_ends_with_whoever_started_it_however_that_ended():
    opened = "with mcpshop.over_http() as address: print(address, flush=True); os._exit(1)"
    starts = f"import os; from course.labs import mcpshop\n{opened}"
    done = subprocess.run([sys.executable, "-c", starts], capture_output=True, text=True, check=False)
    port = int(done.stdout.strip().rsplit(":", 1)[1].split("/")[0])
    for _ in range(200):
        with socket.socket() as knock:
            if knock.connect_ex(("127.0.0.1", port)):
                return
        time.sleep(0.05)
    pytest.fail(f"a server still listens on port {port}")


def test_over_stdio_the_server_answers():
    assert ask(mcpshop.over_stdio(), "get_order", {"order_id": "ORD-81"}).structured_content["paid"] is True
