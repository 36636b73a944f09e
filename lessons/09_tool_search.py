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
# - say what a search saves, why the cache survives it, and when not to use it
# - explain calling tools from code, and clearing old results

# %% [markdown] id="find-before" tags=["before"]
# **Before you start:** lessons 02, 03 and 08. **Time:** about 35 minutes.

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


def counted(offered):
    """Input tokens of the wish with these tools (an estimate, as all token counts offline)."""
    messages = [{"role": "user", "content": wish}]
    return (
        client().messages.count_tokens(model=MODEL, messages=messages, tools=offered).input_tokens
    )


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
# Why not simply leave them out? Because a call can only be made of a tool that the request knows, and a search can only find what it is given. Something must stay in sight as well. Break it three times: nothing is left; a deferred tool wants a place in the cache; and a reference points nowhere.

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
#
# See it step by step. Which block has no badge, and why?

# %% id="find-flow-show"
show([{"role": "user", "content": wish}, {"role": "assistant", "content": found.content}])

# %% [markdown] id="find-flow-task" tags=["task"]
# Nothing in your loop changes: it collects the `tool_use` blocks, as ever, and a `server_tool_use` is not one of them. Whoever answers "everything with an id" answers the search as well, and gets a 400. And
# since the history travels with each request, so do the references in it: take a referenced tool out of `tools` later on, and the *whole* request is refused.
#
# **Your turn.** Write the next user message for this answer. The parcel is in Daejeon.

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

# %% [markdown] id="find-variants" objectives="SRCH-2" tags=["task"]
# ## Two variants
#
# | | regex | BM25 |
# |---|---|---|
# | Claude writes | a pattern for Python's `re.search`, at most 200 characters | words of ordinary language, at most 500 characters |
# | good for | naming families: `orders_.*refund` | vague wishes |
#
# Both search names, descriptions, argument names and argument descriptions. Both give 5 results unless `limit` says otherwise. Both take up to 10,000 deferred tools. Finding nothing is an empty list and no error;
# a broken pattern is an error **inside** the result, not a 400:

# %% id="find-regex-run"
regex = {"type": "tool_search_tool_regex_20251119", "name": "tool_search_tool_regex"}


def pattern(text):
    """What a search for this pattern gives: the names it found, or its error."""
    asked = {
        "type": "server_tool_use",
        "name": "tool_search_tool_regex",
        "input": {"pattern": text},
    }
    answer = ask("…", tools=[regex, *deferred], script=[[asked], "ok"])
    result = next(
        block for block in answer.content if block.type == "tool_search_tool_result"
    ).content
    return getattr(result, "error_message", None) or [r.tool_name for r in result.tool_references]


print(pattern("^billing_.*"), pattern("voucher"), pattern("(parcel"), sep="\n")

# %% [markdown] id="find-regex-task" tags=["task"]
# **Your turn.** Write one pattern that finds the two tools that *book* travel (`travel_book_flight`, `travel_book_hotel`) and nothing else.

# %% id="find-regex" tags=["exercise"]
# BEGIN SOLUTION
mine = "^travel_book_"
# OPEN
# mine = ...
# END SOLUTION
check("find-pattern", mine, pattern)

# %% [markdown] id="find-cache" objectives="SRCH-4" tags=["task"]
# ## Why the cache survives
#
# The cached front of a request is tools, system, messages (lesson 05). Deferred definitions are **not in that front**; what a search finds is appended where it was found. So adding deferred tools, and finding
# them, changes nothing that was cached. (Grammars for strict tools are built from the full set, deferred or not.)
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
# Any tool of yours may answer with `tool_reference` blocks, and nothing else in that result. Then *your* index decides: embeddings, permissions, the user's department.
#
# **Make it.** Write `find(words)`: the content of the result, with references to the tools (at most three) whose description holds all the words.


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
# Fifty expense reports, and only the sum matters. With **programmatic calling** Claude writes Python that runs in a container at Anthropic; each tool call inside it stops the message, your harness answers as usual, and the result goes
# **to the code**, not into the context. A tool says who may call it with `allowed_callers`.
#
# There is no container here, so we play one: the shape is real, the code is not run.

# %% id="find-code-run"
runner = {"type": "code_execution_20260120", "name": "code_execution"}
orders = {**every[1], "allowed_callers": ["code_execution_20260120"]}
played = [
    {
        "type": "server_tool_use",
        "id": "srvtoolu_1",
        "name": "code_execution",
        "input": {"code": "…"},
    },
    {
        **call("orders_get", order_id="ORD-1"),
        "caller": {"type": "code_execution_20260120", "tool_id": "srvtoolu_1"},
    },
]
coded = ask("Sum up ORD-1 to ORD-50.", tools=[runner, orders], script=[played, "…"])
coded.stop_reason, [block.caller.type for block in coded.content if block.type == "tool_use"]

# %% [markdown] id="find-code-why" tags=["task"]
# Limits (documentation of September 2026): the answer may hold **only** tool results and must name the container; a pending call times out after about four minutes; not together with strict tools, forced choice, `disable_parallel_tool_use` or tools of the MCP
# connector. `allowed_callers` guides, it is no security boundary. And it can lose: on small tasks it costs more than it saves.
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
# In a long run the old results weigh most: a page of log lines that answered a question twenty turns ago is paid for in every request since. A beta, *context editing*, clears them on the API's side: `clear_tool_uses_20250919` removes old results once a threshold is reached (100,000 input tokens by default) and keeps the last three; what was
# cleared stays marked, and pairs stay pairs. Without the beta header the field is unknown:

# %% id="find-clear-run"
edits = {
    "context_management": {
        "edits": [{"type": "clear_tool_uses_20250919", "keep": {"type": "tool_uses", "value": 3}}]
    }
}
print(attempt(wish, tools=every[:2], extra_body=edits).message)
beta = {"anthropic-beta": "context-management-2025-06-27"}
attempt(wish, tools=every[:2], extra_body=edits, extra_headers=beta).stop_reason

# %% [markdown] id="find-clear-task" tags=["task"]
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
# - Deferred definitions are sent but not read; something must stay in sight; search, result and call come in one message.
# - Regex for names, BM25 for words, your own search with `tool_reference`.
# - The cache survives, because what is found is appended; below ten tools a search only adds a step.
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
