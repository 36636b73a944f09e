# %% [markdown] id="mcp-title" tags=["title"]
# # MCP
#
# The Model Context Protocol moves tools out of your program, into servers that any client can use. This lesson runs a real one, three ways, and
# looks for what changes in the loop. Spoiler: nothing.

# %% [markdown] id="mcp-goals" tags=["goals"]
# **You will be able to**
#
# - list and call the tools of an MCP server, wire them into your loop, and write a server
# - tell protocol errors from tool errors, and check structured results
# - say what annotations are worth, and what they are not
# - configure servers for a project and for yourself, without secrets in git

# %% [markdown] id="mcp-before" tags=["before"]
# **Before you start:** lessons 03, 04 and 07. **Time:** about 45 minutes. Servers run on this machine only, and end with this notebook's kernel at the latest.

# %% id="mcp-import"
from course.lesson import *

# %% [markdown] id="mcp-pretest" tags=["pretest", "task"]
# ## Guess first
#
# Three questions before you have read a word.

# %% id="mcp-pre-1" tags=["pretest"]
predict(
    "mcp-pre-loop",
    "Your tools move to an MCP server. What changes in the agent loop?",
    ["stop_reason is no longer needed", "Nothing", "Results go into assistant turns"],
)

# %% id="mcp-pre-2" tags=["pretest"]
predict(
    "mcp-pre-hint",
    "A tool is annotated readOnlyHint: true. May you run it without asking?",
    [
        "Yes, it is guaranteed",
        "It depends on whether you trust the server",
        "No tool may run unasked",
    ],
)

# %% id="mcp-pre-3" tags=["pretest"]
predict(
    "mcp-pre-secret",
    "Where does a server's token belong when the team shares the configuration?",
    [
        "In .mcp.json, it is project data",
        "In an environment variable named there",
        "In the tool's description",
    ],
)

# %% [markdown] id="mcp-moves" objectives="MCP-1 MCP-2" misconceptions="mcp-changes-loop"
# ## What moves
#
# Without MCP, every agent that needs the ticket system carries its own copy of the ticket tools: five teams, five sets of descriptions, five places to mend when a field changes. With it, the people who own the system write the
# tools once, and whoever may use them connects. Definition and execution move to the server. Three verbs remain for you: connect, **list** (`tools/list`), **call** (`tools/call`). The lab has a small shop as a server; first we run it in this process.

# %% id="mcp-list"
from mcp import Client

from course.labs import mcpshop

async with Client(mcpshop.shop()) as shop:
    listed = (await shop.list_tools()).tools
[(item.name, item.description) for item in listed]

# %% [markdown] id="mcp-moves-table"
# > **Often believed:** MCP changes the loop. **In fact** Claude still asks with `tool_use`, and you still answer with `tool_result`; only *who executes* is new.
#
# | Claude's definition | MCP's tool | |
# |---|---|---|
# | `name` | `name`, and a `title` for people | MCP allows dots, Claude's API does not |
# | `description` | `description` | the same rules of lesson 03 |
# | `input_schema` | `inputSchema` | JSON Schema, root an object |
# | – | `outputSchema` | what `structuredContent` looks like |
# | – | `annotations` | hints, see below |
#
# The list may come in **pages**: a `nextCursor` says that there is more. (On the wire the names are written like `nextCursor` and `isError`, in Python like `next_cursor` and `is_error`. Newest revision of the protocol: 2026-07-28.)

# %% [markdown] id="mcp-pages-task" tags=["task"]
# **Make it.** This server has seven tools and shows three a page. Collect the names of all. `page.next_cursor` is None on the last page.

# %% id="mcp-pages" tags=["exercise"]
names = []
async with Client(mcpshop.paged(list("abcdefg"), size=3)) as server:
    page = await server.list_tools()
    names += [item.name for item in page.tools]
    # BEGIN SOLUTION
    while page.next_cursor:
        page = await server.list_tools(cursor=page.next_cursor)
        names += [item.name for item in page.tools]
    # OPEN
    # ...  # and the other pages?
    # END SOLUTION
check("mcp-all-pages", names)

# %% [markdown] id="mcp-changed" tags=["task"]
# A list may also **change**. What a server can do stands in its *capabilities*; one of them is to announce a new list (`list_changed`). A client that listens lists again. The next server learns a second tool while it is being called:

# %% id="mcp-changed-run"
async with Client(mcpshop.growing()) as server:
    print(
        server.server_capabilities.tools, [item.name for item in (await server.list_tools()).tools]
    )
    async with server.listen(tools_list_changed=True) as changes:
        await server.call_tool("learn", {})
        print(await anext(aiter(changes)))
    print([item.name for item in (await server.list_tools()).tools])

# %% [markdown] id="mcp-wire" objectives="MCP-3" tags=["task"]
# ## Into the loop
#
# **Predict.** We hand the listed tools to Claude as they are. What does the API say to the name `orders.cancel`?

# %% id="mcp-name-guess"
predict(
    "mcp-dotted", "A tool named orders.cancel:", ["It is accepted", "A 400", "The dot is dropped"]
)

# %% id="mcp-break" tags=["break"]
as_they_are = [
    {"name": item.name, "description": item.description, "input_schema": item.input_schema}
    for item in listed
]
attempt("Is ORD-81 paid?", tools=as_they_are)

# %% [markdown] id="mcp-name-task" tags=["task"]
# **Make it.** Write `bridge(items)`: a list of definitions for Claude, and a dictionary that leads from Claude's names back to the server's. Names must be valid and stay different.


# %% id="mcp-bridge" tags=["exercise"]
def bridge(items):
    definitions, back = [], {}
    # BEGIN SOLUTION
    for item in items:
        name = item.name.replace("_", "__").replace(".", "_")
        back[name] = item.name
        definitions.append(
            {"name": name, "description": item.description, "input_schema": item.input_schema}
        )
    # OPEN
    # for item in items:
    #     ...
    # END SOLUTION
    return definitions, back


check("mcp-name-bridge", bridge)

# %% [markdown] id="mcp-wire-run" tags=["task"]
# Now the whole way, with the loop of lesson 04, unchanged. A tool of the harness is a definition and a function; here the definition is the server's, under a valid name, and the function asks the server. Your part is the middle: you may still refuse a call, log it, or ask a person first.

# %% id="mcp-wire-loop"
from course.harness import Tool, ToolError


def from_server(connection, item):
    """A tool for the loop: the server's definition, and a function that calls the server."""

    async def execute(**arguments):
        answer = await connection.call_tool(item.name, arguments)
        text = "\n".join(part.text for part in answer.content if part.type == "text")
        if answer.is_error:
            raise ToolError(text)
        return text

    return Tool(item.name.replace(".", "-"), item.description, item.input_schema, execute)


# %% id="mcp-wire-ask"
async with Client(mcpshop.shop()) as shop:
    bridged = [from_server(shop, item) for item in listed]
    outcome = await arun(async_client(), model=MODEL, messages="Is ORD-81 paid?", tools=bridged)
show(outcome)

# %% [markdown] id="mcp-transports" objectives="MCP-9"
# ## Three ways to be connected
#
# In this process is fine for tests. **stdio** (standard input and output) starts the server as a process of yours and talks through its input and output: local, one client. **Streamable HTTP** reaches a server that runs somewhere, for many clients. (The older HTTP+SSE
# transport is going away.) The client's code is the same:


# %% id="mcp-transports-run"
async def paid(where):
    async with Client(where) as shop:
        answer = await shop.call_tool("get_order", {"order_id": "ORD-81"})
        return answer.structured_content["paid"]


by_stdio = await paid(mcpshop.over_stdio())
with mcpshop.over_http() as address:
    by_http = await paid(address)
by_stdio, by_http

# %% [markdown] id="mcp-transports-task" tags=["task"]
# When what? A function only you need: an ordinary tool. A system with a good existing server: connect it, do not rewrite it. A remote server, and no wish to run a client: the API's connector, below.
#
# **Your turn.** `"tool"`, `"stdio"`, `"http"` or `"connector"`?

# %% id="mcp-transports-sort" tags=["exercise"]
ways = {
    # BEGIN SOLUTION
    "a ten-line conversion used by one agent": "tool",
    "a server that reads the files on this laptop": "stdio",
    "one server for forty colleagues, your own harness": "http",
    "a remote server, and no client code of your own": "connector",
    # OPEN
    # "a ten-line conversion used by one agent": ...,
    # "a server that reads the files on this laptop": ...,
    # "one server for forty colleagues, your own harness": ...,
    # "a remote server, and no client code of your own": ...,
    # END SOLUTION
}
check("mcp-which-way", ways)

# %% [markdown] id="mcp-errors" objectives="MCP-4" tags=["task"]
# ## Two channels for errors
#
# A **protocol error** (JSON-RPC, with a code) says that the *request* made no sense. A **tool error** is an ordinary result with `isError: true`: the tool ran and failed, and Claude should read why.
#
# **Predict.** `crash` raises an exception with a password in it. What does the client get?

# %% id="mcp-errors-guess"
predict(
    "mcp-crash",
    "From a tool that crashed:",
    ["a JSON-RPC error", "isError with the password", "isError without the password"],
)

# %% id="mcp-errors-run"
from mcp import MCPError

async with Client(mcpshop.shop()) as shop:
    for name, arguments in (
        ("get_order", {"order_id": "X"}),
        ("crash", {}),
        ("get_order", {}),
        ("no_such_tool", {}),
    ):
        answer = await shop.call_tool(name, arguments)
        print(name, answer.is_error, "|", answer.content[0].text.splitlines()[0])
    try:
        await shop.read_resource("shop://nothing")
    except MCPError as error:
        print(type(error).__name__, error.code, "|", error)

# %% [markdown] id="mcp-errors-why" tags=["task"]
# In a server of this SDK (mcp 2.3) a `ToolError` reaches Claude with its words; any other exception is masked, so that no password travels. That is a default worth copying. It also means: if you want Claude to recover, raise the error *on purpose*, with the words of lesson 07, instead of letting whatever
# happened inside shine through.
# And look at the unknown tool: the specification asks for a protocol error (-32602), this SDK's server answers with `isError`. Handle both.
#
# **Make it.** Write `to_result(id, answer)`: Claude's `tool_result` for an answer of `call_tool`.


# %% id="mcp-to-result" tags=["exercise"]
def to_result(id, answer):
    # BEGIN SOLUTION
    text = "\n".join(part.text for part in answer.content if part.type == "text")
    result = {"type": "tool_result", "tool_use_id": id, "content": text}
    return {**result, "is_error": True} if answer.is_error else result
    # END SOLUTION


async with Client(mcpshop.shop()) as shop:
    good = await shop.call_tool("get_order", {"order_id": "ORD-90"})
    bad = await shop.call_tool("get_order", {"order_id": "X"})
check("mcp-carry-the-error", to_result, good, bad)

# %% [markdown] id="mcp-own-task" tags=["task"]
# **Make it.** Now write a server yourself. `desk` shall have one tool, `opening_hours`, with the parameter `day`, a text. It returns the hours of that day; for a day that is not in `HOURS` it fails *on purpose*, with words that help. Signature and docstring become the definition, as in lesson 03.

# %% id="mcp-own-server" tags=["exercise"]
from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError as ServerToolError

HOURS = {"Monday": "9 to 18", "Saturday": "10 to 16"}
desk = MCPServer("desk", log_level="CRITICAL")


# BEGIN SOLUTION
@desk.tool()
def opening_hours(day: str) -> str:
    """Return the shop's opening hours on a weekday such as Monday. Not for public holidays."""
    if day not in HOURS:
        raise ServerToolError(f"No hours for {day!r}. Known days: {', '.join(HOURS)}.")
    return HOURS[day]


# OPEN
# ...  # @desk.tool(), a function, and ServerToolError for an unknown day
# END SOLUTION
async with Client(desk) as at_the_desk:
    offered = (await at_the_desk.list_tools()).tools
    monday = await at_the_desk.call_tool("opening_hours", {"day": "Monday"})
    nowhere = await at_the_desk.call_tool("opening_hours", {"day": "Someday"})
check("mcp-own-server", offered, monday, nowhere)

# %% [markdown] id="mcp-structured" objectives="MCP-5" tags=["task"]
# ## Structured results
#
# Beyond the exam. A result has `content` (text, images, audio, links to resources) and may have `structuredContent`, data in the shape that the tool's `outputSchema` promised; a text copy goes along for old clients. A promise can be checked:
#
# **Make it.** Write `keeps(schema, data)`: whether the data fits.

# %% id="mcp-schema-check" tags=["exercise"]
from jsonschema import Draft202012Validator


def keeps(schema, data):
    # BEGIN SOLUTION
    return Draft202012Validator(schema).is_valid(data)
    # END SOLUTION


check("mcp-promise-kept", keeps, listed[0].output_schema, good.structured_content)

# %% [markdown] id="mcp-hints" objectives="MCP-6" misconceptions="annotations-guarantee" tags=["task"]
# ## Annotations are hints
#
# Look at what the shop says of its tool `orders.cancel`:

# %% id="mcp-hints-run"
liar = next(item for item in listed if item.name == "orders.cancel")
liar.description, liar.annotations.read_only_hint

# %% [markdown] id="mcp-hints-why" tags=["task"]
# > **Often believed:** annotations are guarantees. **In fact** they are what the server says of itself. `readOnlyHint: true` on a tool that cancels is a lie or a slip, and no client can see which.
#
# The same caution goes for a server's *descriptions*: they are read by Claude as part of your prompt, and a hostile one can try to talk it into things (lesson 12). So a client keeps a person in the loop for what matters, shows what is called with what, and takes hints only from servers it trusts. A server checks inputs, authorises, limits rates.
#
# **Make it.** Write the rule: `needs_a_person(server, item, trusted)`. A person is asked unless the server is trusted **and** the hint says read-only.


# %% id="mcp-hints-rule" tags=["exercise"]
def needs_a_person(server, item, trusted):
    # BEGIN SOLUTION
    hint = item.annotations is not None and item.annotations.read_only_hint is True
    return not (server in trusted and hint)
    # END SOLUTION


check("mcp-trust-rule", needs_a_person)

# %% [markdown] id="mcp-connector" objectives="MCP-7" tags=["task"]
# ## The API's own connector
#
# Beyond the exam, in beta (header `mcp-client-2025-11-20`; `mcp-client-2026-09-15` also lists a server's tools in the answer). The API can be the client itself: you name remote servers in `mcp_servers` and offer each one's tools with one `mcp_toolset`. HTTPS only, tools only, no stdio.
# The calls come as `mcp_tool_use` with their results in the same message: nothing for you to answer. The offline API checks such requests; it connects to nobody.

# %% id="mcp-connector-run"
server = {"type": "url", "url": "https://shop.example.com/mcp", "name": "shop"}
every_tool = {"type": "mcp_toolset", "mcp_server_name": "shop"}
beta = {"anthropic-beta": "mcp-client-2025-11-20"}
for named, offered in (
    ([{**server, "url": "http://127.0.0.1:8000/mcp"}], [every_tool]),
    ([server], []),
    ([server], [every_tool, every_tool]),
):
    body = {"mcp_servers": named}
    print(attempt("hi", tools=offered, extra_body=body, extra_headers=beta).message)

# %% [markdown] id="mcp-connector-task" tags=["task"]
# (That all three are refused is documented; the words of the first and the third are the course's, those of the second were seen in September 2026.)
#
# `configs` sets single tools, `default_config` all others: `enabled`, and `defer_loading` for tool search (lesson 09).
#
# **Your turn.** Offer the server's tools, but only `get_order`: everything else disabled.

# %% id="mcp-toolset" tags=["exercise"]
toolset = {
    "type": "mcp_toolset",
    "mcp_server_name": "shop",
    # BEGIN SOLUTION
    "default_config": {"enabled": False},
    "configs": {"get_order": {"enabled": True}},
    # OPEN
    # "default_config": ...,
    # END SOLUTION
}
check("mcp-one-tool-only", server, toolset)

# %% [markdown] id="mcp-config" objectives="MCP-8" tags=["task"]
# ## Configuring servers
#
# In Claude Code, servers live in files. **Project**: `.mcp.json` in the repository, shared with the team. **User**: `~/.claude.json`, yours alone. (A third scope, *local*, is the default of `claude mcp add` today; the exam knows the first two.) `${TOKEN}` is replaced from the environment, so that no
# secret stands in git. All configured servers' tools are found when the agent connects. Prefer existing servers for common systems, and write your own for what only your team has.
#
# A **resource** is something to read without a call: a catalogue spares the agent ten exploratory look-ups.

# %% id="mcp-config-resource"
async with Client(mcpshop.shop()) as shop:
    print((await shop.read_resource("shop://catalogue")).contents[0].text)

# %% [markdown] id="mcp-config-task" tags=["task"]
# **Puzzle.** A colleague put this into `.mcp.json`, and pushed it. Mend it: the tracker is for the whole team, its token comes from the variable `TRACKER_TOKEN`; the private notes server does not belong here.

# %% id="mcp-config-mend" tags=["exercise"]
mcp_json = {
    "mcpServers": {
        "tracker": {
            "type": "http",
            "url": "https://tracker.example.com/mcp",
            # BEGIN SOLUTION
            "headers": {"Authorization": "Bearer ${TRACKER_TOKEN}"},
        },
        # OPEN
        #     "headers": {"Authorization": "Bearer sk-9f2e77"},
        # },
        # "my-notes": {"command": "python", "args": ["/home/kim/notes_server.py"]},
        # END SOLUTION
    }
}
check("mcp-config-puzzle", mcp_json)

# %% [markdown] id="mcp-recap" tags=["recap"]
# ## Recap
#
# - MCP moves definition and execution; list with the cursor, list again on a change, map the names, and the loop stays as it was. A server is a few decorated functions.
# - Protocol errors and `isError` results are two channels; carry the second to Claude. Structured results can be checked.
# - Annotations are hints from a server you may or may not trust; a person decides on what matters.
# - Project configuration is shared and holds no secrets; user configuration is yours.
#
# Run the next cell: your guesses from the top come back, beside the answers. Then answer these five questions without looking back.

# %% id="mcp-look-back"
look_back("11")

# %% id="mcp-quiz" tags=["quiz", "nbval-ignore-output"]
quiz("11")

# %% [markdown] id="mcp-next" tags=["next"]
# ## Next
#
# **12 · The safe boundary**: what must be refused although it is well formed.
