# %% [markdown] id="whose-title" tags=["title"]
# # Client, server and other people's tools
#
# Not every tool is yours. Some run at Anthropic, some come with a coding agent, and other vendors spell the same ideas differently. One question
# sorts them all: *where does the code run?*

# %% [markdown] id="whose-goals" tags=["goals"]
# **You will be able to**
#
# - tell client tools from server tools, and answer only those that are yours
# - handle a server tool's blocks, its errors and `pause_turn`
# - translate between Claude's and OpenAI's tools, field by field
# - choose among Grep, Glob, Read, Write and Edit

# %% [markdown] id="whose-before" tags=["before"]
# **Before you start:** lessons 02 to 04. **Time:** about 35 minutes.

# %% id="whose-import"
from course.lesson import *

# %% [markdown] id="whose-pretest" tags=["pretest", "task"]
# ## Guess first
#
# Three questions before you have read a word.

# %% id="whose-pre-1" tags=["pretest"]
predict(
    "whose-pre-search",
    "Claude used web search. Who sends the search result back?",
    ["Your harness", "It is already in Claude's message", "The user's browser"],
)

# %% id="whose-pre-2" tags=["pretest"]
predict(
    "whose-pre-arguments",
    "The arguments of an OpenAI function call come as …",
    ["an object", "a string that holds JSON", "a list"],
)

# %% id="whose-pre-3" tags=["pretest"]
predict(
    "whose-pre-callers",
    "Which built-in tool finds all callers of a function?",
    ["Glob", "Grep", "Read"],
)

# %% [markdown] id="whose-axis" objectives="ECO-1"
# ## Where does the code run?
#
# | | client tools | server tools |
# |---|---|---|
# | who runs them | your app | Anthropic |
# | who defines them | you (name, description, schema), or Anthropic (a dated `type`) | Anthropic (a dated `type`) |
# | examples | all of your own; bash, text editor, memory, computer | web search, web fetch, code execution, tool search |
# | block that asks | `tool_use`, id `toolu_…` | `server_tool_use`, id `srvtoolu_…` |
# | the result | you send it, in the next user message | it stands in the same message |
#
# The odd case is in the middle: for **bash** and its siblings Anthropic wrote the definition, since Claude was trained on it, but **you** run it. A dated type says which version of that contract you have.

# %% id="whose-bash-run"
bash = {"type": "bash_20250124", "name": "bash"}
asked = ask("List the files, please.", tools=[bash], script=[[call("bash", command="ls -la")]])
asked.stop_reason, [(block.type, block.name) for block in asked.content if block.type == "tool_use"]

# %% [markdown] id="whose-axis-task" misconceptions="claude-runs-tools" tags=["task"]
# An ordinary `tool_use`: your code decides whether `ls -la` runs, in which sandbox, for how long, and what of its output comes back. All that you learned about your own tools holds: the gate, the error result, the
# size limit. What you save is the description; what you must not save is the care.
#
# > **Often believed:** bash comes from Anthropic, so Claude runs it. **In fact** the answer above only asks. Nothing has run, and nothing will until your code runs it.
#
# You will also meet another way to sort tools, by *purpose*: functions of your own, files and shell, search, code, other agents. That is a second layer, useful in a catalogue. For the loop only the first one matters, because it decides who answers.
#
# **Your turn.** `"client"` or `"server"`: who runs it?

# %% id="whose-sort" tags=["exercise"]
runs = {
    # BEGIN SOLUTION
    "your own get_order": "client",
    "bash_20250124": "client",
    "web_search_20250305": "server",
    "tool_search_tool_bm25_20251119": "server",
    "memory_20250818": "client",
    # OPEN
    # "your own get_order": ...,
    # "bash_20250124": ...,
    # "web_search_20250305": ...,
    # "tool_search_tool_bm25_20251119": ...,
    # "memory_20250818": ...,
    # END SOLUTION
}
check("whose-code", runs)

# %% [markdown] id="whose-server" objectives="ECO-2" tags=["task"]
# ## A server tool at work
#
# We play a web search, for the tide at Mokpo, a port in Korea. Its question and its result come in one message, and Claude's words after them.
#
# **Predict.** Which stop reason?

# %% id="whose-server-guess"
predict("whose-stop", "stop_reason after a web search:", ["tool_use", "end_turn", "pause_turn"])

# %% id="whose-server-run"
web = {"type": "web_search_20250305", "name": "web_search", "max_uses": 3}
hit = {
    "type": "web_search_result",
    "url": "https://example.org/tides",
    "title": "Tides",
    "encrypted_content": "…",
}
searched = [
    {
        "type": "server_tool_use",
        "id": "srvtoolu_1",
        "name": "web_search",
        "input": {"query": "tide Mokpo"},
    },
    {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": [hit]},
    "High tide is at 10:20.",
]
answer = ask("When is high tide in Mokpo?", tools=[web], script=[searched])
answer.stop_reason, [block.type for block in answer.content if block.type != "thinking"]

# %% [markdown] id="whose-server-break" tags=["task"]
# Nothing to execute, nothing to return. An error of the search (`max_uses_exceeded`, say) stands inside the result, too, as an `error_code`, and is no error of the API: the status is 200, and Claude reads it and goes on. Searches are billed by use, 10 USD per 1,000 (August 2026), on top of the tokens;
# `max_uses` is your ceiling. The `encrypted_content` is for the API alone: keep it in the history as it came, or the next request cannot cite it.
#
# **Predict.** An eager harness answers the search all the same. What comes?

# %% id="whose-break-guess"
predict(
    "whose-answered",
    "A tool_result for srvtoolu_1:",
    ["It is ignored", "A 400", "The search runs again"],
)

# %% id="whose-break" tags=["break"]
eager = {"type": "tool_result", "tool_use_id": "srvtoolu_1", "content": "10:20"}
question = {"role": "user", "content": "When is high tide in Mokpo?"}
turn = {"role": "assistant", "content": answer.content}
attempt([question, turn, {"role": "user", "content": [eager]}], tools=[web])

# %% [markdown] id="whose-pause" tags=["task"]
# One response has room for ten rounds of server tools (by default). After that Claude stops with `pause_turn`, and the turn goes back **unchanged**, as the last message, without a word of yours: the API goes on where it paused. It is the one time, on the newest models, that a request ends
# with Claude's turn.
#
# **Your turn.** Build the messages of the next request for `paused`: the question, and what follows it.

# %% id="whose-pause-mend" tags=["exercise"]
from course.mockmodel import Reply

paused = ask(question["content"], tools=[web], script=[Reply(tuple(searched[:2]), "pause_turn")])
# BEGIN SOLUTION
go_on = [question, {"role": "assistant", "content": paused.content}]
# OPEN
# go_on = ...
# END SOLUTION
check("whose-go-on", go_on, paused)

# %% [markdown] id="whose-openai" objectives="ECO-3"
# ## The same idea, spelled differently
#
# | | Claude (Messages API) | OpenAI (Responses API) |
# |---|---|---|
# | definition | `name`, `description`, `input_schema` | `type: "function"`, `name`, `description`, `parameters`, `strict` |
# | call | `tool_use` block: `id`, `name`, `input` (object) | `function_call` item: `call_id`, `name`, `arguments` (string) |
# | result | `tool_result` block in a user message | `function_call_output` item |
# | a failure | `is_error: true` | the text of the output, nothing else |
# | must call some tool | `tool_choice: {"type": "any"}` | `tool_choice: "required"` |
# | one call at most | `disable_parallel_tool_use`, in `tool_choice` | `parallel_tool_calls: false` |
#
# (openai 3.57, checked 2026-12-01.) Two differences bite when code is moved from one to the other. The first is the **string**: arguments arrive as text that must be parsed, and may fail to. The second is the **place of a
# result**: there an item of its own, here a block in the next user message, with all its siblings. An adapter that sends one user message for each result works, is merged by the API, and slowly teaches Claude to stop calling in parallel (lesson 06).
#
# And one is easily overlooked: there is no `is_error`. Whether a call failed must be said in the text, so write it as if the flag did not exist. It is a good habit on both sides.

# %% [markdown] id="whose-openai-task" tags=["task"]
# **Make it.** Translate an OpenAI function call into the `tool_use` block it would be. Broken JSON must raise `ValueError`.

# %% id="whose-translate" tags=["exercise"]
import json


def to_claude(item):
    # BEGIN SOLUTION
    return {
        "type": "tool_use",
        "id": item["call_id"],
        "name": item["name"],
        "input": json.loads(item["arguments"] or "{}"),
    }
    # END SOLUTION


check("whose-to-claude", to_claude)

# %% [markdown] id="whose-agents" objectives="ECO-4"
# ## A decorator from the neighbours
#
# OpenAI's Agents SDK makes tools from functions as well: `@function_tool` takes the name from the function, the description from the docstring, the schema from the signature, and makes it strict. Here is the real package, offline.

# %% id="whose-agents-run"
from agents import function_tool


def seats(flight: str, cabin: str = "economy") -> str:
    """Return how many seats are free on a flight.

    Args:
        flight: Flight number such as KE901.
    """
    if flight != "KE901":
        raise LookupError("database db-7 is down")
    return "12 seats"


theirs = function_tool(seats)
print(theirs.name, "|", theirs.description)
print(theirs.params_json_schema["properties"]["flight"])
theirs.params_json_schema["required"], theirs.params_json_schema["additionalProperties"]

# %% [markdown] id="whose-agents-strict" tags=["task"]
# Strict has its price: `cabin` has a default, and is required all the same. `name_override` and `description_override` replace what was read. And where there is no function to read from, `FunctionTool` takes all parts by hand:

# %% id="whose-agents-override"
from agents import FunctionTool

named = function_tool(seats, name_override="free_seats", description_override="Free seats today.")


async def look_up(context, arguments):
    return "12 seats"


schema = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
by_hand = FunctionTool("any_seats", "Free seats, all flights.", schema, look_up)
(named.name, named.description), (by_hand.name, by_hand.description)

# %% [markdown] id="whose-agents-fail" tags=["task"]
# More interesting is what happens on a failure.
#
# **Predict.** The function raises "database db-7 is down". What does the model get to read?

# %% id="whose-agents-guess"
predict(
    "whose-hidden", "The model reads:", ["the exception's text", "a general sentence", "nothing"]
)


# %% id="whose-agents-fail-run"
import logging

from agents.tool_context import ToolContext

logging.getLogger("openai.agents").setLevel("CRITICAL")


async def invoke(tool, arguments):
    """Call a tool as the Agents SDK does, without a model."""
    context = ToolContext(
        context=None, tool_name=tool.name, tool_call_id="call_1", tool_arguments=arguments
    )
    return await tool.on_invoke_tool(context, arguments)


gone = '{"flight": "XX1", "cabin": "economy"}'
print(await invoke(theirs, gone))
print(await invoke(theirs, '{"flight": '))
try:
    await invoke(function_tool(seats, failure_error_function=None), gone)
except LookupError as error:
    print("raised:", error)

# %% [markdown] id="whose-agents-why" misconceptions="generic-error-is-enough" tags=["task"]
# By default a general sentence hides the exception, and broken JSON looks the same. `failure_error_function=None` raises again, so that your program notices. Your own function is the third way: words that help.
#
# > **Often believed:** one friendly sentence is enough for every failure. **In fact** it is safe, and useless for recovery (lesson 07): "try again" is wrong advice where the flight does not exist.
#
# The SDK's other kinds of tools: hosted ones (web search, file search, code interpreter, MCP), local runtimes (shell, computer, apply patch), and **agents as tools**. Hosted tools belong to the Responses API; the Assistants API, which had them first, was shut down on 26 August 2026. (openai-agents 0.24, run 2026-12-01.)
#
# **Make it.** Write `explain(context, error)`: a sentence for the model that names no host, says that the look-up failed, and what to do: try again or not, or what else.


# %% id="whose-agents-make" tags=["exercise"]
def explain(context, error):
    # BEGIN SOLUTION
    return "The seats could not be looked up. Try again once; then tell the user."
    # OPEN
    # return "An error occurred while running the tool."
    # END SOLUTION


spoken = await invoke(function_tool(seats, failure_error_function=explain), gone)
check("whose-useful-failure", spoken)

# %% [markdown] id="whose-builtin" objectives="ECO-5"
# ## A coding agent's own tools
#
# **Grep** searches *contents*, **Glob** searches *paths*. **Read** and **Write** take a whole file. **Edit** replaces *one unique* piece of text; where the piece is not unique, read the file and write it whole, or give Edit more
# context. A sample folder, with such tools:
#
# > **On the exam** these five are given. **Today** Claude Code comes without Grep and Glob on some platforms (seen autumn 2026).

# %% id="whose-builtin-run"
from course.labs.workspace import ToolFailed, Workspace

place = Workspace()
print(place.glob("**/test_*.py"))
print(place.grep("rounded"))
try:
    place.edit("src/dates.py", "= 5", "= 30")
except ToolFailed as error:
    print(error)

# %% [markdown] id="whose-builtin-task" tags=["task"]
# **Your turn.** Which tool *first*? `"Grep"`, `"Glob"`, `"Read"`, `"Write"` or `"Edit"`.

# %% id="whose-builtin-sort" tags=["exercise"]
first = {
    # BEGIN SOLUTION
    "find everybody who calls rounded()": "Grep",
    "list all test files": "Glob",
    "understand src/orders.py as a whole": "Read",
    "change one unique line": "Edit",
    "find where the text 'connection refused' is printed": "Grep",
    # OPEN
    # "find everybody who calls rounded()": ...,
    # "list all test files": ...,
    # "understand src/orders.py as a whole": ...,
    # "change one unique line": ...,
    # "find where the text 'connection refused' is printed": ...,
    # END SOLUTION
}
check("whose-first-tool", first)

# %% [markdown] id="whose-explore" tags=["task"]
# A coding agent's bill is made of what these five return. Where is `TIMEOUT` set? Count the characters that come back:

# %% id="whose-cost-run"
by_grep, by_read = Workspace(), Workspace()
by_grep.grep("TIMEOUT")
for path in by_read.glob("**/*.py"):
    by_read.read(path)
sum(size for _, _, size in by_grep.log), sum(size for _, _, size in by_read.log)

# %% [markdown] id="whose-explore-how" tags=["task"]
# The longer the files, the wider the gap. Explore step by step: Grep for the entry point, Read what it imports, Grep on. Reading every file first fills the context with what you do not need. And to follow a function through wrappers, list what each module *exports*, then search for each of those names.
#
# **Make it.** In a fresh workspace, set `TIMEOUT` of `src/dates.py` to 30, and nothing else. `RETRIES` is 5 as well.

# %% id="whose-edit" tags=["exercise"]
place = Workspace()
# BEGIN SOLUTION
place.edit("src/dates.py", "TIMEOUT = 5", "TIMEOUT = 30")
# OPEN
# ...  # your code here
# END SOLUTION
check("whose-one-edit", place)

# %% [markdown] id="whose-recap" tags=["recap"]
# ## Recap
#
# - Where does the code run? What runs at Anthropic brings its result along; what runs with you wants one.
# - `pause_turn`: the turn goes back unchanged. An error of a server tool stands in its result.
# - OpenAI's arguments are a string, its failures plain text; the ideas are the same.
# - Contents: Grep. Paths: Glob. One unique piece: Edit. Otherwise Read and Write.
#
# Run the next cell: your guesses from the top come back, beside the answers. Then answer these five questions without looking back.

# %% id="whose-look-back"
look_back("10")

# %% id="whose-quiz" tags=["quiz", "nbval-ignore-output"]
quiz("10")

# %% [markdown] id="whose-next" tags=["next"]
# ## Next
#
# **11 · MCP**: tools that live in a server, and what changes for you. Less than you think.
