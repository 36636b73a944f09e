# %% [markdown] id="find-title" tags=["title"]
# # Tool search and programmatic calling
#
# A hundred and twenty definitions in every request, and three of them are used. What if Claude could look the three up? This lesson is beyond the exam, and the first thing
# you will want when an agent grows.

# %% [markdown] id="find-goals" tags=["goals"]
# **You will be able to**
#
# - defer definitions without breaking the request, and read the blocks of a search
# - choose between the regex and the BM25 variant, and build a search of your own
# - measure what a search saves, say why the cache survives it, and when not to use it
# - explain calling tools from code, and clearing old results

# %% [markdown] id="find-before" tags=["before"]
# **Before you start:** lessons 02, 03 and 08. **Time:** about 40 minutes.

# %% id="find-import"
from course.lesson import *

# %% [markdown] id="find-pretest" tags=["pretest", "task"]
# ## Guess first
#
# Three questions before you have read a word.

# %% id="find-pre-1" tags=["pretest"]
predict(
    "find-pre-sent",
    "A tool is marked defer_loading. Is its definition still sent in your request?",
    ["Yes", "No", "Only the name"],
)

# %% id="find-pre-2" tags=["pretest"]
predict(
    "find-pre-answer",
    "Claude's message holds a search (server_tool_use). Who answers it?",
    ["Your harness, with a tool_result", "The API, in the same message", "Nobody"],
)

# %% id="find-pre-3" tags=["pretest"]
predict(
    "find-pre-when",
    "You have six tools, and each is used in every conversation. Does tool search help?",
    ["Yes, always", "No, it only adds a step", "Only with BM25"],
)

# %% [markdown] id="find-defer" objectives="SRCH-1" misconceptions="deferred-not-sent"
# ## Deferred, not gone
#
# The 120 tools of lesson 08, and one search tool. `defer_loading: true` keeps a definition out of what Claude reads, until a search names it.

# %% id="find-tools"
from course.labs.catalogue import tools

every = [tool.definition() for tool in tools()]
deferred = [{**definition, "defer_loading": True} for definition in every]
search = {"type": "tool_search_tool_bm25_20251119", "name": "tool_search_tool_bm25"}
wish = "Where is the parcel of ORD-81?"


def counted(offered, messages=wish):
    """Input tokens of these messages with these tools (offline: an estimate, as always)."""
    if isinstance(messages, str):
        messages = [{"role": "user", "content": messages}]
    count = client().messages.count_tokens
    return count(model=MODEL, messages=messages, tools=offered).input_tokens


# %% [markdown] id="find-defer-task" tags=["task"]
# **Predict.** All 120 definitions cost about 13,800 tokens. And with all of them deferred?

# %% id="find-defer-guess"
predict(
    "find-cost",
    "With 120 deferred tools and the search:",
    ["about 300", "about 3,000", "about 7,000"],
)

# %% id="find-defer-run"
counted(every), counted([search, *deferred])

# %% [markdown] id="find-defer-why" tags=["task"]
# > **Often believed:** deferred tools are removed from the request. **In fact** you send every definition every time. The API keeps the deferred ones out of the prompt, and out of
# > the bill, until they are referenced. Claude does not even see their names.
#
# Why not simply leave them out? Because a call can only be made of a tool that the request knows, and a search can only find what it is given. Something must stay in sight as well: the search tool itself, for nobody else opens the drawer, and the three to five tools
# that are used most. No beta header is needed.
#
# There are four refusals around deferring. Two of them now: nothing is left in sight; and a deferred tool wants a place in the cache, in which it cannot stand.

# %% id="find-break" tags=["break"]
attempt(wish, tools=deferred)

# %% id="find-break-cache"
attempt(wish, tools=[search, {**deferred[0], "cache_control": {"type": "ephemeral"}}])

# %% [markdown] id="find-defer-your" tags=["task"]
# **Your turn.** From `every`, build the tools of a request: the search tool, `orders_get` and `customers_find` always in sight (they are used in nearly every conversation), all others deferred.

# %% id="find-offer" tags=["exercise"]
ALWAYS = {"orders_get", "customers_find"}
# BEGIN SOLUTION
offer = [search] + [
    tool if tool["name"] in ALWAYS else {**tool, "defer_loading": True} for tool in every
]
# OPEN
# offer = ...
# END SOLUTION
check("find-some-in-sight", offer)

# %% [markdown] id="find-flow" objectives="SRCH-3" tags=["task"]
# ## The blocks of a search
#
# **Predict.** One request with the wish. Which blocks come back, thinking left out?

# %% id="find-flow-guess"
predict(
    "find-blocks",
    "The blocks of the answer:",
    [
        "tool_use",
        "server_tool_use, tool_search_tool_result, tool_use",
        "server_tool_use, then stop",
    ],
)

# %% id="find-flow-run"
found = ask(wish, tools=[search, *deferred])
[(block.type, getattr(block, "name", "")) for block in found.content if block.type != "thinking"]

# %% [markdown] id="find-flow-why" tags=["task"]
# All in **one** message: the search (`srvtoolu_…`), its result, and the call of a tool that it brought in. Your harness answers the last one only. The result holds `tool_reference` blocks; the API
# puts the definitions in their place, and there they stay for the rest of the conversation.

# %% [markdown] id="find-flow-task" tags=["task"]
# Nothing in your loop changes: it collects the `tool_use` blocks, as ever, and a `server_tool_use` is not one of them. Whoever answers "everything with an id" answers the search as well, and gets a 400.
#
# **Your turn.** Write the next user message for this answer. The parcel is in Daejeon (a city in Korea).

# %% id="find-answer" tags=["exercise"]
wanted = next(block for block in found.content if block.type == "tool_use")
reply = {
    "role": "user",
    # BEGIN SOLUTION
    "content": [
        {
            "type": "tool_result",
            "tool_use_id": wanted.id,
            "content": "In Daejeon, arrives tomorrow.",
        }
    ],
    # OPEN
    # "content": ...,
    # END SOLUTION
}
check("find-answer-the-call", wish, found, reply)

# %% [markdown] id="find-flow-view" tags=["task"]
# See it step by step, with the ten tools of `orders` only. A call and its result carry the same number. Which pair is complete within Claude's own message, and which one waits for you?

# %% id="find-flow-show"
parcel = {"type": "tool_result", "tool_use_id": wanted.id, "content": "In Daejeon."}
history = [
    {"role": "user", "content": wish},
    {"role": "assistant", "content": found.content},
    {"role": "user", "content": [parcel]},
]
few = [search] + [tool for tool in deferred if tool["name"].startswith("orders_")]
show({"model": MODEL, "max_tokens": 1024, "tools": few, "messages": history})

# %% [markdown] id="find-flow-cost" tags=["task"]
# What did it cost? This history with everything deferred, and with everything in sight:

# %% id="find-flow-count"
counted([search, *deferred], history), counted([search, *every], history)

# %% [markdown] id="find-flow-lasts" tags=["task"]
# The two found definitions are counted now, and will be in every later request: they stand in the history. So does the reference itself. That is the third refusal: take a tool away that an old search has brought in, and the *whole* request is refused.

# %% id="find-break-gone"
gone = [tool for tool in deferred if tool["name"] != "orders_track_parcel"]
attempt(history, tools=[search, *gone])

# %% [markdown] id="find-variants" objectives="SRCH-2" tags=["task"]
# ## Two variants
#
# | | regex | BM25 |
# |---|---|---|
# | Claude writes | a pattern for Python's `re.search`, capitals or not, at most 200 characters | words of ordinary language, at most 500 characters |
# | good for | naming families: `orders_.*refund` | vague wishes |
#
# Both search names, descriptions, argument names and argument descriptions. Both give 5 results unless `limit` says otherwise. Both take up to 10,000 deferred tools. Finding nothing is an empty list and no error;
# a broken pattern is an error **inside** the result, not a 400. Here both really search; only what Claude would write is ours. Run it, then add a text of your own to the three and run it again:

# %% id="find-regex-run" tags=["change"]
regex = {"type": "tool_search_tool_regex_20251119", "name": "tool_search_tool_regex"}


def searched(kind, **asked):
    """What such a search finds among all 120: the names, or its error."""
    use = {"type": "server_tool_use", "name": kind["name"], "input": asked}
    blocks = ask("…", tools=[kind, *deferred], script=[[use], "ok"]).content
    result = next(block for block in blocks if block.type == "tool_search_tool_result").content
    return getattr(result, "error_message", None) or [r.tool_name for r in result.tool_references]


for text in ("^billing_", "give the customer her money back", "(parcel"):
    print("regex", text, "→", searched(regex, pattern=text))
    print("bm25 ", text, "→", searched(search, query=text))

# %% [markdown] id="find-regex-task" tags=["task"]
# The family is found by its prefix; BM25 looks for whole words and takes any billing tool as good as another. The vague wish is found by words alone, with `billing_refund` in third place: a search need not put the right tool first, it must bring it in.
#
# **Your turn.** Write one pattern that finds the two tools that *book* travel (`travel_book_flight`, `travel_book_hotel`) and nothing else.

# %% id="find-regex" tags=["exercise"]
# BEGIN SOLUTION
mine = "^travel_book_"
# OPEN
# mine = ...
# END SOLUTION
check("find-pattern", mine)

# %% [markdown] id="find-cache" objectives="SRCH-4" tags=["task"]
# ## Why the cache survives
#
# The cached front of a request is tools, system, messages (lesson 05). Deferred definitions are **not in that front**; what a search finds is appended where it was found. So adding deferred tools, and finding
# them, changes nothing that was cached. (One thing is not saved: the grammar behind `strict` is built from all strict tools, in sight or not.)
#
# **Predict.** The system prompt is cached. Then ten more deferred tools are added. What is read from the cache?

# %% id="find-cache-guess"
predict("find-cache-kept", "After adding ten deferred tools:", ["all of it", "nothing"])

# %% id="find-cache-run"
rules = [{"type": "text", "text": "House rules. " * 600, "cache_control": {"type": "ephemeral"}}]
for offered in ([search, *deferred[:20]], [search, *deferred[:30]], every[:31]):
    used = ask(wish, tools=offered, system=rules).usage
    print("written", used.cache_creation_input_tokens, "read", used.cache_read_input_tokens)

# %% [markdown] id="find-cache-why"
# The third line is the control: the same tools, *not* deferred, and everything is written anew. The documentation puts the saving in definition tokens at more than 85 % (September 2026); your own figure stands above.

# %% [markdown] id="find-when" objectives="SRCH-5" tags=["task"]
# ## When, and when not
#
# The documentation advises search from ten tools or 10,000 tokens of definitions on, when the choice suffers, or with several MCP servers. It advises against it for fewer than ten tools, tools that are all used every time, and tiny
# schemas. A search is one more step that can miss.
#
# So it comes after the remedies of lesson 08: first take away what no role needs, then scope, and defer what is left over. Descriptions matter more than before, for now a search has to find a tool by them before
# Claude can choose it. Name families alike (`billing_…`), and write the words in the description that users say.
#
# **Your turn.** `True` where you would use it.

# %% id="find-when-sort" tags=["exercise"]
cases = {
    # BEGIN SOLUTION
    "five MCP servers, 55,000 tokens of definitions": True,
    "six tools, all used in each conversation": False,
    "200 internal tools, each asked for now and then": True,
    "four tools with one parameter each": False,
    # OPEN
    # "five MCP servers, 55,000 tokens of definitions": ...,
    # "six tools, all used in each conversation": ...,
    # "200 internal tools, each asked for now and then": ...,
    # "four tools with one parameter each": ...,
    # END SOLUTION
}
check("find-use-it", cases)

# %% [markdown] id="find-own" objectives="SRCH-6" tags=["task"]
# ## A search of your own
#
# Any tool of yours may answer with `tool_reference` blocks. Then *your* index decides: embeddings, permissions, the user's department. No search tool of Anthropic's is needed, and the call is an ordinary `tool_use`, which your harness answers. We play the first answer;
# then the stand-in goes on, with the tool that the reference brought in:

# %% id="find-own-run"
finder = {
    "name": "find_tools",
    "description": "Find tools by the words of a task. Use it when no tool in sight fits.",
    "input_schema": {
        "type": "object",
        "properties": {"words": {"type": "string"}},
        "required": ["words"],
    },
}
first = ask(wish, tools=[finder, *deferred], script=[[call("find_tools", words="parcel")]])
reference = {"type": "tool_reference", "tool_name": "orders_track_parcel"}


def brought(*content):
    """The history in which find_tools was answered with this content."""
    result = {"type": "tool_result", "tool_use_id": first.content[-1].id, "content": list(content)}
    turn = {"role": "assistant", "content": first.content}
    return [{"role": "user", "content": wish}, turn, {"role": "user", "content": [result]}]


# %% id="find-own-next"
second = ask(brought(reference), tools=[finder, *deferred])
[(block.type, block.name, block.input) for block in second.content if block.type == "tool_use"]

# %% [markdown] id="find-own-task" tags=["task"]
# The fourth refusal: a reference shares its result with nothing else, not even with a friendly word.

# %% id="find-break-mixed"
attempt(
    brought(reference, {"type": "text", "text": "Found one."}), tools=[finder, *deferred]
).message

# %% [markdown] id="find-own-make-task" tags=["task"]
# **Make it.** Write `find(words)`: the content of the result, with references to the tools (at most three) whose description holds all the words, in capitals or not.


# %% id="find-own-make" tags=["exercise"]
def find(words):
    # BEGIN SOLUTION
    wanted = words.lower().split()
    hits = [tool for tool in every if all(word in tool["description"].lower() for word in wanted)]
    return [{"type": "tool_reference", "tool_name": tool["name"]} for tool in hits[:3]]
    # END SOLUTION


check("find-own-search", find)

# %% [markdown] id="find-code" objectives="SRCH-7"
# ## Calling tools from code
#
# Fifty orders, and only the sum matters. With **programmatic calling** Claude writes Python that runs in a container (a closed-off machine) at Anthropic; each tool call inside it stops the message, your harness answers, and the result goes
# **to the code**, not into the context. A tool says who may call it with `allowed_callers`.
#
# There is no container here, so we play Claude and the code: the shapes and the rules are real, the Python is not run, and two orders stand for fifty.

# %% id="find-code-run"
runner = {"type": "code_execution_20260120", "name": "code_execution"}
orders = {**every[1], "allowed_callers": ["code_execution_20260120"]}
code = "print(sum([(await orders_get({'order_id': id}))['euros'] for id in ids]))"
run = {
    "type": "server_tool_use",
    "id": "srvtoolu_1",
    "name": "code_execution",
    "input": {"code": code},
}
by_code = {"caller": {"type": "code_execution_20260120", "tool_id": "srvtoolu_1"}}
asks = [{**call("orders_get", order_id=order), **by_code} for order in ("ORD-1", "ORD-2")]
coded = ask("Sum up ORD-1 and ORD-2.", tools=[runner, orders], script=[[run, *asks]])
print(coded.stop_reason, coded.container is not None)
[(block.type, block.caller.type) for block in coded.content if block.type != "thinking"]

# %% [markdown] id="find-code-answer" tags=["task"]
# Two ordinary calls, except for their `caller`, and a `server_tool_use` without a result: the code waits. The answer is a message with the results, and the request names the container. Without it, a 400:

# %% id="find-code-next"
results = [
    {"type": "tool_result", "tool_use_id": block.id, "content": '{"euros": 60}'}
    for block in coded.content
    if block.type == "tool_use"
]
waiting = [
    {"role": "user", "content": "Sum up ORD-1 and ORD-2."},
    {"role": "assistant", "content": coded.content},
    {"role": "user", "content": results},
]
attempt(waiting, tools=[runner, orders]).message

# %% id="find-code-end"
printed = {"type": "code_execution_result", "stdout": "120", "stderr": "", "return_code": 0}
ran = {"type": "code_execution_tool_result", "tool_use_id": "srvtoolu_1"}
rest = [{**ran, "content": {**printed, "content": []}}, "Together 120 euros."]
box = {"container": coded.container.id}
ended = ask(waiting, tools=[runner, orders], script=[[run, *asks], rest], **box)
[block.type for block in ended.content if block.type != "thinking"], text_of(ended)

# %% [markdown] id="find-code-why" tags=["task"]
# Limits (documentation of September 2026): the answer may hold **only** tool results; a pending call times out after about four minutes, an idle container is gone after about five; not together with strict tools, forced choice, `disable_parallel_tool_use` or tools of the MCP
# connector; not on Haiku 4.5. `allowed_callers` guides, it is no security boundary. What it saves depends: the documentation reports about 38 % fewer billed input tokens on a benchmark with 75 tools, and 8 % *more* cost on another one (τ²). A single call gains nothing.
#
# **Your turn.** Which of these fit programmatic calling? `True` or `False`.

# %% id="find-code-sort" tags=["exercise"]
fits = {
    # BEGIN SOLUTION
    "add up 50 reports, only the sum matters": True,
    "one weather look-up": False,
    "filter 10,000 log lines for five": True,
    "a tool that must be strict": False,
    # OPEN
    # "add up 50 reports, only the sum matters": ...,
    # "one weather look-up": ...,
    # "filter 10,000 log lines for five": ...,
    # "a tool that must be strict": ...,
    # END SOLUTION
}
check("find-from-code", fits)

# %% [markdown] id="find-clear" objectives="SRCH-8" tags=["task"]
# ## Clearing old results
#
# In a long run the old results weigh most: a page of log lines that answered a question twenty turns ago is paid for in every request since. A beta, *context editing*, clears them on the API's side: `clear_tool_uses_20250919` removes old results once a threshold is reached (100,000 input tokens by default) and keeps the last three; a
# mark stands in the place of what was cleared, and pairs stay pairs. Your own history stays whole. Six long results, and a threshold low enough to see it:

# %% id="find-clear-run"
long_run = [{"role": "user", "content": "Compare these six orders."}]
for number in range(6):
    use = {**call("orders_get", order_id=f"ORD-{number}"), "id": f"toolu_{number}"}
    result = {"type": "tool_result", "tool_use_id": use["id"], "content": "a line of it\n" * 200}
    long_run += [{"role": "assistant", "content": [use]}, {"role": "user", "content": [result]}]
edits = {
    "edits": [
        {
            "type": "clear_tool_uses_20250919",
            "trigger": {"type": "tool_uses", "value": 5},
            "keep": {"type": "tool_uses", "value": 3},
        }
    ]
}

# %% id="find-clear-count"
beta = {"anthropic-beta": "context-management-2025-06-27"}
managed = {"extra_body": {"context_management": edits}}
print(attempt(long_run, tools=every[:2], **managed).message)
cleared = ask(long_run, tools=every[:2], **managed, extra_headers=beta)
print(ask(long_run, tools=every[:2]).usage.input_tokens, "→", cleared.usage.input_tokens)
cleared.context_management["applied_edits"]

# %% [markdown] id="find-clear-task" tags=["task"]
# First the API's answer without the beta header, which does not know the field; then the tokens before and after, and what was cleared. The price: clearing changes the middle of the prompt, so what was cached from there on is written anew.
#
# **Your turn.** Write the edit that starts at 50,000 input tokens, keeps five tool uses, and never clears `customers_find`. (Fields: `trigger`, `keep`, `exclude_tools`.)

# %% id="find-clear-edit" tags=["exercise"]
edit = {
    "type": "clear_tool_uses_20250919",
    # BEGIN SOLUTION
    "trigger": {"type": "input_tokens", "value": 50000},
    "keep": {"type": "tool_uses", "value": 5},
    "exclude_tools": ["customers_find"],
    # OPEN
    # "trigger": ...,
    # "keep": ...,
    # "exclude_tools": ...,
    # END SOLUTION
}
check("find-clear-old", edit)

# %% [markdown] id="find-recap" tags=["recap"]
# ## Recap
#
# - Deferred definitions are sent but not read; something must stay in sight; search, result and call come in one message. Four refusals: all deferred, deferred and cached, a reference to nothing, a reference beside text.
# - Regex for names, BM25 for words, your own search with `tool_reference`.
# - 13,840 tokens became 314, and about 850 after the search; the cache survives, because what is found is appended; below ten tools a search only adds a step.
# - Code can call tools and keep results out of the context; old results can be cleared.
#
# Run the next cell: your guesses from the top come back, beside the answers. Then answer these five questions without looking back.

# %% id="find-look-back"
look_back("09")

# %% id="find-quiz" tags=["quiz", "nbval-ignore-output"]
quiz("09")

# %% [markdown] id="find-next" tags=["next"]
# ## Next
#
# **10 · Client, server and other people's tools**: where code runs, and how others spell the same ideas.
