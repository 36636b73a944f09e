# %% [markdown] id="pair-title" tags=["title"]
# # Blocks and pairing
#
# Every message of a tool conversation is a list of blocks, and two kinds of block belong together like a question and its
# answer. Break the pair and the API refuses the request. Here you break it in every way there is, while it costs nothing.

# %% [markdown] id="pair-goals" tags=["goals"]
# **You will be able to**
#
# - name the four block types, who writes each, and pick the ones you need by type
# - answer any number of calls so that the API accepts it, and tell each broken pair by its 400
# - write a `tool_result` in every allowed form, also for a call that failed
# - read a failing conversation, name the rule, and mend it where it is broken

# %% [markdown] id="pair-before" tags=["before"]
# **Before you start:** lesson 01. **Time:** about 40 minutes.

# %% id="pair-import"
from course.lesson import *

# %% [markdown] id="pair-pretest" tags=["pretest", "task"]
# ## Guess first

# %% id="pair-pre-1" tags=["pretest"]
predict(
    "pair-pre-two",
    "Claude asks for two tools in one message. The results go back…",
    ["in two user messages, one each", "together in the next user message", "in any later message"],
)

# %% id="pair-pre-2" tags=["pretest"]
predict(
    "pair-pre-role", "Which role has the message with a tool_result?", ["tool", "assistant", "user"]
)

# %% id="pair-pre-3" tags=["pretest"]
predict(
    "pair-pre-mend",
    "A harness sends a result under a wrong id. The most direct mend?",
    ["Tell Claude in the system prompt", "Correct the id in the harness", "Send the request again"],
)

# %% [markdown] id="pair-blocks" objectives="BLK-1"
# ## Four kinds of block
#
# The tool of this lesson counts free seats in a small theatre. Claude wants to know two days at once. So that all of us see the
# same answer, the stand-in plays a prepared turn: `script` holds what it says.


# %% id="pair-tool"
@tool
def seats_left(day: str) -> str:
    """Return how many seats are left on a day of this week."""
    return {"Friday": "12 seats", "Saturday": "sold out"}[day]


turn = [
    {"type": "thinking", "thinking": "Two days, two look-ups."},
    "I'll check both days.",
    call("seats_left", day="Friday"),
    call("seats_left", day="Saturday"),
]
question = "Are there seats on Friday or Saturday?"

# %% id="pair-ask"
asked = ask(question, tools=[seats_left], script=[turn])
[block.type for block in asked.content]

# %% [markdown] id="pair-table"
# Three kinds in one message. With the one you send back there are four:
#
# | block | written by | its fields |
# |---|---|---|
# | `text` | user and assistant | `text` |
# | `thinking` | assistant | `thinking`, often empty, and a `signature` |
# | `tool_use` | assistant | `id`, `name`, `input` (an object) |
# | `tool_result` | user | `tool_use_id`, and if you like `content` and `is_error` |
#
# The API begins its own ids with `toolu_`. In what you send, any id of letters, digits, `_` and `-` will do, as long as
# call and result agree and no two calls share one.

# %% [markdown] id="pair-writes-task" tags=["task"]
# **Your turn.** Who writes it? Answer `"user"`, `"assistant"` or `"both"`.

# %% id="pair-writes" tags=["exercise"]
writers = {
    # BEGIN SOLUTION
    "text": "both",
    "thinking": "assistant",
    "tool_use": "assistant",
    "tool_result": "user",
    # OPEN
    # "text": ...,
    # "thinking": ...,
    # "tool_use": ...,
    # "tool_result": ...,
    # END SOLUTION
}
check("pair-who-writes", writers)

# %% [markdown] id="pair-select" objectives="BLK-6" tags=["task"]
# ## Pick by type, never by place
#
# Much code on the web reads `content[0]` or `content[-1]` and calls that "the call".
#
# **Predict.** Which name does `content[0]` have here?

# %% id="pair-guess-first"
predict(
    "pair-first",
    "`asked.content[0]` is…",
    ["the call for Friday", "the text", "something without a name"],
)

# %% id="pair-break" tags=["break"]
try:
    print(asked.content[0].name)
except AttributeError as error:
    print("AttributeError:", error)

# %% [markdown] id="pair-prose"
# On the newest models thinking is on by default, so an answer often starts with a `thinking` block. The text before a call is
# ordinary prose: it may be missing, be long, or promise things. No code may lean on it. And `content[-1]` finds Saturday
# but loses Friday. One line is right in every case: go through **all** blocks and take those of the type you need.

# %% [markdown] id="pair-calls-task" tags=["task"]
# **Make it.** Return every call of a message, in order; an empty list when there is none.


# %% id="pair-calls" tags=["exercise"]
def calls_of(message):
    # BEGIN SOLUTION
    return [block for block in message.content if block.type == "tool_use"]
    # END SOLUTION


check("pair-pick-calls", calls_of)

# %% [markdown] id="pair-rule" objectives="BLK-2"
# ## The pairing rule
#
# **Each `tool_use` of an assistant turn is answered by exactly one `tool_result` with the same id, in the very next
# user message, before any text.** That is the whole rule. First, keep it:

# %% id="pair-good"
friday, saturday = [block.id for block in asked.content if block.type == "tool_use"]


def result(id, content):
    return {"type": "tool_result", "tool_use_id": id, "content": content}


def send(*blocks, **request):
    history = [
        {"role": "user", "content": question},
        {"role": "assistant", "content": asked.content},
    ]
    return attempt(
        [*history, {"role": "user", "content": list(blocks)}], tools=[seats_left], **request
    )


answer = send(result(saturday, "sold out"), result(friday, "12 seats"))
answer.stop_reason

# %% [markdown] id="pair-order" tags=["task"]
# Accepted, although Saturday came first: ids tie results to calls, order does not. Now break it.
#
# **Predict.** Only Friday is answered.

# %% id="pair-guess-missing"
predict(
    "pair-missing",
    "One of two calls is answered:",
    ["Claude goes on with what it has", "A 400 names Friday", "A 400 names Saturday"],
)

# %% id="pair-missing"
send(result(friday, "12 seats"))

# %% [markdown] id="pair-reading"
# A refusal starts with the **place**, counted from zero: the message, and sometimes the block in its `content`. Here the
# place is where the pair falls apart, and the id is that of the call left open. An id that no call has is another sentence:

# %% id="pair-unknown"
send(result(friday, "12 seats"), result(saturday, "sold out"), result("toolu_sunday", "3 seats"))

# %% [markdown] id="pair-twice-task" tags=["task"]
# **Predict.** Every call has its result, one of them has two.

# %% id="pair-guess-twice"
predict(
    "pair-twice",
    "Two results for Friday:",
    ["The later one counts", "A 400 of its own", "The same 400 as for an unknown id"],
)

# %% id="pair-twice"
send(result(friday, "12 seats"), result(friday, "11 seats"), result(saturday, "sold out"))

# %% [markdown] id="pair-text-first"
# Two breaches left, and both look harmless: a kind word before the results, and results that come one message late.

# %% id="pair-text"
send(
    {"type": "text", "text": "Here you are:"},
    result(friday, "12 seats"),
    result(saturday, "sold out"),
)

# %% id="pair-late"
late = [
    {"role": "user", "content": question},
    {"role": "assistant", "content": asked.content},
    {"role": "user", "content": "One moment, please."},
    {"role": "assistant", "content": "Of course."},
    {"role": "user", "content": [result(friday, "12 seats"), result(saturday, "sold out")]},
]
attempt(late, tools=[seats_left])

# %% [markdown] id="pair-same-words" misconceptions="results-anywhere"
# The same sentence as for a missing result, because that is what it is: *immediately after* Claude's turn nothing answered the
# calls.
#
# > **Often believed:** results may come whenever they are ready. **In fact** all results of one turn belong in the next user
# > message, results first. A call that takes long makes you wait, or gets a result that says so.

# %% [markdown] id="pair-both-task" tags=["task"]
# **Your turn.** The Saturday look-up is back at last, and the user adds: "Two adults." Write the message with both results and the
# user's words.

# %% id="pair-both" tags=["exercise"]
# BEGIN SOLUTION
both = {
    "role": "user",
    "content": [
        result(friday, "12 seats"),
        result(saturday, "sold out"),
        {"type": "text", "text": "Two adults."},
    ],
}
# OPEN
# both = {"role": ..., "content": ...}
# END SOLUTION
check("pair-answer-both", both, asked)

# %% [markdown] id="pair-roles" objectives="BLK-3" misconceptions="result-in-assistant" tags=["task"]
# ## Whose message is it?
#
# > **Often believed:** the result continues Claude's turn, or has a role `tool` as in some other APIs. **In fact** everything that
# > comes from your side, a result too, is a `user` message.
#
# **Change it.** Run the cell, then try `"tool"` and `"system"`. Each role fails in its own words. With `"assistant"` the API joins
# both turns into one, and finds no user message that answers the calls.

# %% id="pair-role-run" tags=["change"]
role = "assistant"
results = [result(friday, "12 seats"), result(saturday, "sold out")]
attempt([*late[:2], {"role": role, "content": results}], tools=[seats_left])

# %% [markdown] id="pair-role-task" tags=["task"]
# **Your turn.** A port from another API produced this history. Mend it with as few changes as you can.

# %% id="pair-role-mend" tags=["exercise"]
ported = [
    *late[:2],
    {"role": "tool", "content": results},
    {"role": "user", "content": "Two adults."},
]
# BEGIN SOLUTION
ported[2]["role"] = "user"
# END SOLUTION
check("pair-right-role", ported)

# %% [markdown] id="pair-forms" objectives="BLK-4"
# ## What a result may hold
#
# `content` is a string, or a list of blocks (`text`, `image`, `document`, `search_result`, `tool_reference`), or it is left out:
# an empty result is valid, and for "saved" it is enough. A bare dictionary is none of these; turn it into text first.

# %% id="pair-forms-run"
forms = ["12 seats", [{"type": "text", "text": "12 seats"}], [], {"seats": 12}]
for form in forms:
    reply = send(result(friday, form), result(saturday, "sold out"))
    print(form, "->", reply.message if type(reply).__name__ == "Refusal" else reply.stop_reason)

# %% [markdown] id="pair-error-task" tags=["task"]
# A call that failed is answered too. `"is_error": True` tells Claude that `content` is not an outcome but a failure.
#
# **Your turn.** The box office did not pick up for Saturday. Write that result, as a **list** with one text block that says what
# happened and what to do.

# %% id="pair-error" tags=["exercise"]
# BEGIN SOLUTION
failed = {
    "type": "tool_result",
    "tool_use_id": saturday,
    "content": [
        {"type": "text", "text": "The box office did not answer. Try again in ten minutes."}
    ],
    "is_error": True,
}
# OPEN
# failed = ...  # your code here
# END SOLUTION
check("pair-failed-result", failed, asked)

# %% [markdown] id="pair-whole" objectives="BLK-5" tags=["task"]
# ## Claude's turn goes back whole
#
# Some harnesses keep only the text of an answer in their history. It looks tidy.
#
# **Predict.** Claude's turn is sent back without its calls, and the results with it.

# %% id="pair-guess-tidy"
predict(
    "pair-tidy",
    "Only the text went back:",
    ["Nothing changes", "A 400 about the results", "Claude asks again"],
)

# %% id="pair-tidy"
words = [block for block in asked.content if block.type == "text"]
attempt(
    [late[0], {"role": "assistant", "content": words}, {"role": "user", "content": results}],
    tools=[seats_left],
)

# %% [markdown] id="pair-thinking"
# The results now answer nothing. Thinking goes back too, unchanged: its `signature` proves that the block is Claude's own.
# Here is the turn again, whole, with one letter of the signature changed:

# %% id="pair-forged"
thinking, *rest = asked.content
forged = {
    "type": "thinking",
    "thinking": thinking.thinking,
    "signature": "X" + thinking.signature[1:],
}
attempt(
    [
        late[0],
        {"role": "assistant", "content": [forged, *rest]},
        {"role": "user", "content": results},
    ]
)

# %% [markdown] id="pair-whole-task" tags=["task"]
# **Make it.** `message` came from the API. Return the two turns that go onto the history: Claude's, and the user's with
# `results`.


# %% id="pair-whole-turn" tags=["exercise"]
def next_turns(message, results):
    # BEGIN SOLUTION
    return [{"role": "assistant", "content": message.content}, {"role": "user", "content": results}]
    # END SOLUTION


check("pair-whole-turn", next_turns)

# %% [markdown] id="pair-puzzle" objectives="BLK-7"
# ## A broken conversation
#
# A harness looks up an order, gets a time-out, asks Claude again, and is refused with a 400. This is what it sent. Run the cell,
# and then only read.


# %% id="pair-broken"
def order(id):
    return {"type": "tool_use", "id": id, "name": "get_order", "input": {"order_id": "T-81"}}


broken = [
    {"role": "user", "content": "Is order T-81 paid?"},
    {"role": "assistant", "content": [{"type": "text", "text": "Let me look."}, order("toolu_a")]},
    {"role": "user", "content": [result("toolu_a", "timed out") | {"is_error": True}]},
    {"role": "assistant", "content": [order("toolu_b")]},
    {"role": "user", "content": [result("toolu_a", "paid on 2 December")]},
]

# %% [markdown] id="pair-read-task" tags=["task"]
# **Your turn.** Name the place of the faulty block (message, block, both from zero) and the rule:
# **a** results must be in a user message · **b** a result must name a call of the turn before it · **c** every call needs a result
# with `is_error` · **d** text may not stand before a call.

# %% id="pair-read" tags=["exercise"]
# BEGIN SOLUTION
place, rule = (4, 0), "b"
# OPEN
# place, rule = ..., ...
# END SOLUTION
check("pair-read-the-trace", place, rule)

# %% [markdown] id="pair-prompt" misconceptions="prompt-mends-pairing" tags=["task"]
# Four mends are proposed:
#
# - **a** add to the system prompt: "Always use the right tool ids"
# - **b** give the last result the id of the call it answers
# - **c** change the id in Claude's last call to `toolu_a`
# - **d** remove the last message
#
# > **Often believed:** a better prompt mends this. **In fact** the request is refused before Claude reads a word. A fault in the
# > structure is mended in the code that builds it.

# %% id="pair-prompt-run" tags=["change"]
attempt(broken, system="Always use the right tool ids.")

# %% [markdown] id="pair-mend-task" tags=["task"]
# **Mend it.** Pick the mend, carry it out on `mended`, and run.

# %% id="pair-mend" tags=["exercise"]
from copy import deepcopy

mended = deepcopy(broken)
# BEGIN SOLUTION
mend = "b"
mended[4]["content"][0]["tool_use_id"] = "toolu_b"
# OPEN
# mend = ...  # then change mended
# END SOLUTION
check("pair-mend-the-trace", mend, mended)

# %% [markdown] id="pair-both-views"
# See both side by side, under one cursor: the view marks what is broken, and gives call and result the same number.

# %% id="pair-compare"
show(broken, compare=mended, titles=["As it was sent", "Mended"])

# %% [markdown] id="pair-own" tags=["task", "change"]
# **And yours?** `check_conversation` names every broken rule of a conversation, with its place and its mend. Run it, then give it
# `late`, then a conversation of your own.

# %% id="pair-doctor" tags=["change"]
check_conversation(broken)

# %% [markdown] id="pair-recap" tags=["recap"]
# ## Recap
#
# - `text`, `thinking`, `tool_use` come from Claude, `tool_result` from you; pick blocks by `type`.
# - One result for each call, same id, next user message, results first. Missing, late and text-first share a 400; unknown and
#   double have their own.
# - `content` is a string, a list of blocks, or nothing; a failure carries `is_error: true`.
# - A refusal gives place and rule. Mend the code at that place; no prompt reaches it.
#
# Run the next cell: your guesses from the top come back, beside the answers. Then answer these five questions without looking back.

# %% id="pair-look-back"
look_back("02")

# %% id="pair-quiz" tags=["quiz", "nbval-ignore-output"]
quiz("02")

# %% [markdown] id="pair-next" tags=["next"]
# ## Next
#
# **03 · Tool definitions**: what Claude reads of your tool, and why one sentence in it decides which tool is called.
