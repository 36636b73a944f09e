# %% [markdown] id="err-title" tags=["title"]
# # Errors and recovery
#
# Services time out, arguments are wrong, rules say no. An agent is judged by what happens then. Most of it is decided by
# one sentence that *you* write: the content of the error result.

# %% [markdown] id="err-goals" tags=["goals"]
# **You will be able to**
#
# - return a failed call so that the conversation stays whole and Claude can recover
# - tell the four kinds of error apart, and "nothing found" from "could not look"
# - stop endless repeats, and make a repeated write harmless
# - say who tries again: the SDK, the loop, or a subagent

# %% [markdown] id="err-before" tags=["before"]
# **Before you start:** lessons 02 and 04; 06 helps. **Time:** about 40 minutes.

# %% id="err-import"
from course.lesson import *

# %% [markdown] id="err-pretest" tags=["pretest", "task"]
# ## Guess first
#
# Three questions before you have read a word.

# %% id="err-pre-1" tags=["pretest"]
predict(
    "err-pre-drop",
    "A tool raised an exception. What do you send for its call?",
    ["Nothing", "A result that says so", "The stack trace"],
)

# %% id="err-pre-2" tags=["pretest"]
predict(
    "err-pre-field",
    "Which field of a `tool_result` tells Claude that a retry is worth it?",
    ["isRetryable", "retry_after", "There is no such field"],
)

# %% id="err-pre-3" tags=["pretest"]
predict(
    "err-pre-529",
    "The API itself answers 529, overloaded. Who tries again first?",
    ["The SDK", "Your loop", "Claude"],
)

# %% [markdown] id="err-result" objectives="ERR-1" tags=["task"]
# ## A failed call is still a call
#
# An order service, and a call that Claude makes. We play the moment after it failed.


# %% id="err-tool"
@tool
def get_order(order_id: str) -> str:
    """Return one order by its number, such as ORD-81: items, amount, payment state."""
    return f"{order_id}: one lamp, 49 euros, paid"


wish = "Is ord-81 paid?"
asked = ask(wish, tools=[get_order])
wanted = next(block for block in asked.content if block.type == "tool_use")
history = [{"role": "user", "content": wish}, {"role": "assistant", "content": asked.content}]

# %% [markdown] id="err-drop-intro" misconceptions="error-may-be-dropped"
# Break it: the exception was swallowed, and the app asks Claude to go on.

# %% id="err-break" tags=["break"]
attempt(
    [*history, {"role": "user", "content": "Something went wrong. Please go on."}],
    tools=[get_order],
)

# %% [markdown] id="err-drop-why"
# > **Often believed:** the result of a failed call may be left out. **In fact** a call without a result breaks the pairing
# > rule, and the whole conversation is refused, not just this turn.
#
# The failure travels like any result, with `"is_error": True`. The next helper sends one and tells what the stand-in does
# with it; you will use it throughout.


# %% id="err-react"
def react(content, is_error=True):
    """What the stand-in does with this result: the call it makes next, or its words."""
    result = {
        "type": "tool_result",
        "tool_use_id": wanted.id,
        "content": content,
        "is_error": is_error,
    }
    answer = ask([*history, {"role": "user", "content": [result]}], tools=[get_order])
    calls = [block for block in answer.content if block.type == "tool_use"]
    return f"calls {calls[0].name} with {calls[0].input}" if calls else f"says “{text_of(answer)}”"


# %% [markdown] id="err-words" objectives="ERR-2" tags=["task"]
# ## What a useful error says
#
# The user typed the number in small letters, and so Claude called `get_order` with `ord-81`. Three things that may go wrong now, each
# reported in two ways.
#
# **Predict.** "Operation failed" hides that the service is down until 14:00. What does the stand-in do next?

# %% id="err-words-guess"
predict(
    "err-words-vague",
    'After "Operation failed" the stand-in:',
    ["tells the user at once", "calls again at once", "waits until 14:00"],
)

# %% id="err-words-run" tags=["change"]
from IPython.display import Markdown

pairs = {
    "wrong form": ("Invalid input", "order_id must be uppercase, such as ORD-81."),
    "outage": (
        "Operation failed",
        "The order service is down until 14:00. Do not retry; tell the user to ask after that.",
    ),
    "not allowed": (
        "Error 403",
        "This order belongs to another customer. Do not retry; offer to transfer to a person.",
    ),
}
rows = ["| | useless | useful |", "|---|---|---|"]
for name, texts in pairs.items():
    cells = [f"{text} **→ {react(text)}**" for text in texts]
    rows.append(f"| {name} | {cells[0]} | {cells[1]} |")
Markdown("\n".join(rows))

# %% [markdown] id="err-words-why" misconceptions="generic-error-is-enough"
# The useless texts bring about the wrong deed each time: it gives up where a capital letter would have helped, and tries again at
# once where no try can help. The stand-in does not think, but it reads, and so does Claude: what it can do next depends
# on what the text gives it. **Change** a text, or add a pair of your own, and run the cell again.
#
# > **Often believed:** one general failure message is enough. **In fact** a useful one answers three questions: *what
# > happened*, *is a retry worth it, and when*, *what to do instead*.
#
# And two things stay out. **Stack traces**: Claude cannot mend your code, and pays for every line. **Secrets**: what stands in a
# result may end up in the answer to the user.

# %% [markdown] id="err-words-task" tags=["task"]
# **Your turn.** This is what a careless harness sent. Write what it should have sent instead.

# %% id="err-rewrite" tags=["exercise"]
careless = """Traceback (most recent call last):
  File "/srv/app/orders.py", line 88, in fetch
    conn = connect("postgres://admin:hunter2@10.0.0.7/orders", timeout=3)
TimeoutError: timed out"""
# BEGIN SOLUTION
useful = """The order service did not answer within 3 seconds. Try again once; if it fails again,
tell the user and offer a callback."""
# OPEN
# useful = ...  # one or two sentences
# END SOLUTION
check("err-useful-words", useful)

# %% [markdown] id="err-kinds" objectives="ERR-3" tags=["task"]
# ## Four kinds
#
# | kind | example | a retry helps? | the text should say |
# |---|---|---|---|
# | **transient** | timeout, too many requests | yes, later | when to try again |
# | **validation** | a malformed order number | yes, with other arguments | what was wrong, an example of right |
# | **business** (policy) | a refund above the limit | no | the rule, and words fit for the customer |
# | **permission** | not this user's order | no | who may, or where to hand over |
#
# **Predict.** Somebody puts the flag right into the block, as `"isRetryable": true` beside `is_error`. What does the API say?

# %% id="err-kinds-guess"
predict(
    "err-kinds-flag",
    "isRetryable in the tool_result block:",
    ["Claude retries", "It is ignored", "A 400"],
)

# %% id="err-kinds-flag-run"
flagged = {
    "type": "tool_result",
    "tool_use_id": wanted.id,
    "content": "timed out",
    "is_error": True,
    "isRetryable": True,
}
attempt([*history, {"role": "user", "content": [flagged]}], tools=[get_order])

# %% [markdown] id="err-kinds-why" misconceptions="isretryable-is-api"
# > **Often believed:** `isRetryable` is a field of the API. **In fact** the block knows `is_error` and nothing more; MCP knows
# > `isError` and nothing more. The flags are a convention for what you write *inside* the content.
#
# > **On the exam** structured errors carry a category and a retryable flag (`errorCategory`, `isRetryable`). **Today** the documentation
# > of API and MCP names neither (checked 2026-12-01). The convention is worth using; just know where it lives:

# %% id="err-kinds-json"
import json

for category, retryable, words in (
    ("transient", True, "The order service is busy."),
    (
        "business",
        False,
        "Refunds above 100 euros need a manager. Tell the customer that a person will look at it.",
    ),
):
    print(
        react(json.dumps({"errorCategory": category, "isRetryable": retryable, "message": words}))
    )

# %% [markdown] id="err-kinds-task" tags=["task"]
# **Your turn.** Sort these failures: `"transient"`, `"validation"`, `"business"` or `"permission"`.

# %% id="err-kinds-sort" tags=["exercise"]
failures = {
    # BEGIN SOLUTION
    "HTTP 503 from the warehouse": "transient",
    "the date is 2026-02-30": "validation",
    "the return window of 30 days is over": "business",
    "the caller is not verified for this account": "permission",
    "the database lock was not free in time": "transient",
    # OPEN
    # "HTTP 503 from the warehouse": ...,
    # "the date is 2026-02-30": ...,
    # "the return window of 30 days is over": ...,
    # "the caller is not verified for this account": ...,
    # "the database lock was not free in time": ...,
    # END SOLUTION
}
check("err-four-kinds", failures)

# %% [markdown] id="err-empty" objectives="ERR-4" misconceptions="empty-means-none"
# ## Nothing found, or could not look?
#
# Two results that look alike in a hurry, and mean opposite things:

# %% id="err-empty-run"
print(react("[]", is_error=False))
print(
    react("The search index could not be reached, so nothing was searched. Try again in a minute.")
)

# %% [markdown] id="err-empty-task" tags=["task"]
# > **Often believed:** an empty result means that nothing exists. **In fact** it means so only if the look-up worked. A
# > handler that turns an exception into `[]` makes Claude tell a customer, with confidence, that there are no open
# > invoices.
#
# **Your turn.** Mend `search`: an outage must raise `ToolError` with useful words (the harness turns it into an error
# result); an empty shelf is a plain, empty answer. `index.find(word)` returns a list, and raises `ConnectionError` when the index is
# down.

# %% id="err-empty-mend" tags=["exercise"]
from course.harness import ToolError


def search(word, index):
    # BEGIN SOLUTION
    try:
        return index.find(word)
    except ConnectionError:
        raise ToolError(
            "The index could not be reached, so nothing was searched. Try again in a minute."
        ) from None
    # OPEN
    # try:
    #     return index.find(word)
    # except ConnectionError:
    #     return []
    # END SOLUTION


check("err-empty-or-failed", search)

# %% [markdown] id="err-repeat" objectives="ERR-5" tags=["task"]
# ## The same call again and again
#
# Three everyday faults have three mends. **Ids that do not match**: lesson 02. **An unintended tool is called**: its description, lesson
# 03. And **the same call repeated**: look at this section.
#
# **Predict.** The tool below always times out and says so. How often does the stand-in try?

# %% id="err-repeat-guess"
predict("err-repeat-count", "Calls before it gives up:", ["1", "3", "until max_iterations"])


# %% id="err-repeat-run"
@tool
def get_order_slowly(order_id: str) -> str:
    """Return one order by its number, such as ORD-81: items, amount, payment state."""
    raise ToolError("The order service timed out. Try again.")


storm = run(client(), model=MODEL, messages=wish, tools=[get_order_slowly])
storm.stop, len(storm.trace.executions), storm.text

# %% [markdown] id="err-repeat-why" misconceptions="retry-everything"
# The documentation says of Claude that it retries an invalid call two or three times before it gives up; the stand-in imitates
# that. But a model may also circle for longer: a **retry storm**. So your harness has two brakes. `max_iterations` stops the run as a whole. A
# **gate** is finer: it sees each call before it runs, with the results so far, and may refuse it with words.
#
# > **Often believed:** every failure is worth another try. **In fact** a refused refund stays refused, and each try costs a
# > request.

# %% [markdown] id="err-repeat-task" tags=["task"]
# **Make it.** Write a gate that denies a call which has already failed twice with the very same input. `done` holds the results so
# far; each has `.call` (with `.name` and `.input`) and `.is_error`.

# %% id="err-gate" tags=["exercise"]
from course.harness import Deny


def no_third_time(call, done):
    # BEGIN SOLUTION
    same = [
        r for r in done if r.is_error and (r.call.name, r.call.input) == (call.name, call.input)
    ]
    if len(same) >= 2:
        return Deny(
            "This call failed twice. Do not repeat it: tell the user what could not be done."
        )
    # OPEN
    # same = ...
    # END SOLUTION


check("err-no-third-time", no_third_time)

# %% [markdown] id="err-storm-intro"
# Now a storm: a script that asks for the same call twenty times, whatever it hears. First without your gate, then with it.

# %% id="err-storm-run"
stubborn = [[call("get_order_slowly", order_id="ORD-81")]] * 20
for gates in ([], [no_third_time]):
    storm = run(
        client(script=stubborn),
        model=MODEL,
        messages=wish,
        tools=[get_order_slowly],
        gates=gates,
    )
    ran = sum(step.ran for step in storm.trace.executions)
    print(storm.stop, "|", len(storm.trace.exchanges), "requests,", ran, "calls of the service")

# %% [markdown] id="err-storm-why"
# The gate spares the service: two calls instead of ten. Only `max_iterations` ends the run, for a model that does not
# listen goes on asking. You want both.

# %% [markdown] id="err-invalid" objectives="ERR-8" tags=["task"]
# ## Calls that make no sense
#
# Claude may name a tool that you removed a minute ago, or send arguments that do not fit. Neither may crash the loop.
#
# **Predict.** A script plays both. What is in the two results?

# %% id="err-invalid-guess"
predict(
    "err-invalid-what",
    "The harness answers with:",
    ["exceptions", "two error results", "nothing: it skips the calls"],
)

# %% id="err-invalid-run"
odd = [
    [call("get_invoice", number=9), call("get_order", number="ORD-81")],
    "I could not look it up.",
]
for done in run(client(script=odd), model=MODEL, messages=wish, tools=[get_order]).trace.executions:
    print(done.is_error, "|", done.content)

# %% [markdown] id="err-invalid-why" tags=["task"]
# Both texts say what is available and what was wrong: the next attempt can be right. Compare them with "Invalid input".
#
# **Your turn.** You have no harness at hand. Write `answer(call, tools)` for a call whose tool may be missing: always one
# `tool_result`, and for an unknown tool an error that names the tools there are.


# %% id="err-unknown" tags=["exercise"]
def answer(call, tools):
    # BEGIN SOLUTION
    if call.name not in tools:
        known = ", ".join(tools)
        text = f"There is no tool {call.name}. Available: {known}."
        return {"type": "tool_result", "tool_use_id": call.id, "content": text, "is_error": True}
    return {
        "type": "tool_result",
        "tool_use_id": call.id,
        "content": str(tools[call.name](**call.input)),
    }
    # OPEN
    # return ...
    # END SOLUTION


check("err-unknown-tool", answer)

# %% [markdown] id="err-layers" objectives="ERR-6" tags=["task"]
# ## Who tries again?
#
# Three things can fail, in three places: your **tool**, the **API**, the **line** between. The offline API can be told to
# fail; the real SDK stands before it.
#
# **Predict.** The API is overloaded twice, then fine. What does your code see?

# %% id="err-layers-guess"
predict(
    "err-layers-529",
    "529, 529, then an answer:",
    ["An exception", "The answer", "Two exceptions, then the answer"],
)

# %% id="err-layers-run"
import anthropic


def tried(fault):
    """What your code sees when the API has this fault; 529:2 is overloaded twice, then fine."""
    try:
        raw = client().messages.with_raw_response.create(
            model=MODEL,
            max_tokens=200,
            messages=[{"role": "user", "content": "hi"}],
            extra_headers={"x-course-fault": fault},
        )
        return f"an answer, after {raw.retries_taken} retries"
    except anthropic.APIStatusError as error:
        return type(error).__name__


for fault in ("529:2", "429:1", "529:3", "credit"):
    print(f"{fault:7}", tried(fault))

# %% [markdown] id="err-stream-intro"
# A stream can break when half of the answer is on the screen. Three ways, through the real SDK: the service reports an overload, the
# line is cut, and the line closes as if all were said.

# %% id="err-stream-run"
hello = {"max_tokens": 200, "messages": [{"role": "user", "content": "hi"}]}
for fault in ("overloaded", "cut", "truncate"):
    heard, end = "", "no exception"
    asked_for = client().messages.stream(
        model=MODEL, **hello, extra_headers={"x-course-fault": fault}
    )
    try:
        with asked_for as stream:
            for piece in stream.text_stream:
                heard += piece
            end += f", stop_reason {stream.get_final_message().stop_reason}"
    except Exception as error:
        end = type(error).__name__
    print(f"{fault:10} {len(heard)} characters, then {end}")

# %% [markdown] id="err-layers-table"
# Beyond the exam, but you will meet it on your first busy day:
#
# | what failed | seen as | who retries |
# |---|---|---|
# | a tool | `tool_result` with `is_error` | Claude, by calling again |
# | the API: 408, 409, 429, 500 and above, 529 | an exception, after the SDK gave up | the SDK, twice by default |
# | the API: 400, 401, 403, 404, 413 | an exception at once | nobody: mend the request |
# | the line before the answer began | `APIConnectionError` | the SDK |
# | the line in mid-stream | an exception from the stream, or no `stop_reason` | you: send the request again |
#
# Nobody retries a stream for you: half of it has been shown already. And look at the last two lines above (SDK 2.15, seen 2026-12-01): a
# cut line raises an exception of the HTTP library, which `except anthropic.APIError` does not catch; a line that simply closes raises
# nothing. A message without a `stop_reason` is not finished: check it.
#
# A request that is *wrong* stays wrong: a 400 is never retried. And an error of the API is **not** a tool result; Claude
# never hears of it.

# %% [markdown] id="err-layers-task" tags=["task"]
# **Your turn.** Who acts on each: `"sdk"`, `"claude"` or `"you"`?

# %% id="err-layers-sort" tags=["exercise"]
acts = {
    # BEGIN SOLUTION
    "429 from the API, first time": "sdk",
    "400: tool_use ids were found without tool_result blocks": "you",
    "the weather service returned 503 inside your tool": "claude",
    "the stream broke off after half an answer": "you",
    # OPEN
    # "429 from the API, first time": ...,
    # "400: tool_use ids were found without tool_result blocks": ...,
    # "the weather service returned 503 inside your tool": ...,
    # "the stream broke off after half an answer": ...,
    # END SOLUTION
}
check("err-who-retries", acts)

# %% [markdown] id="err-write" objectives="ERR-7" tags=["task"]
# ## A write must not act twice
#
# "The refund timed out. Try again." Did it time out before or after the money moved? Nobody knows. A second try is safe only
# if the service recognises it. That is what an **idempotency key** is for: the same key, the same act, once.
#
# **Make it.** `ledger` remembers what was done. Make `refund` safe: with a key it has seen, it returns the first receipt and moves
# nothing.

# %% id="err-idempotent" tags=["exercise"]
ledger, moved = {}, []


def refund(order_id, amount, key):
    # BEGIN SOLUTION
    if key in ledger:
        return ledger[key]
    # OPEN
    # # what if `key` is in `ledger`?
    # END SOLUTION
    moved.append((order_id, amount))
    ledger[key] = f"receipt R-{len(moved)}"
    return ledger[key]


check("err-once-only", refund, moved)

# %% [markdown] id="err-key-intro"
# Who makes the key? Not Claude, and not the id of the call: both are new at the second try. Your code derives it from what
# makes the act *one* act. Here Claude asks twice for the same refund:


# %% id="err-key-run"
@tool
def pay_back(order_id: str, amount: int) -> str:
    """Pay back an amount in euros for one order."""
    return refund(order_id, amount, key=f"refund of {order_id}")


again = [[call("pay_back", order_id="ORD-81", amount=49)]] * 2 + ["Paid back."]
paid = run(client(script=again), model=MODEL, messages="Refund ORD-81.", tools=[pay_back])
[step.content for step in paid.trace.executions], len(moved)

# %% [markdown] id="err-up" objectives="ERR-9" tags=["task"]
# ## Pass up what stays unsolved
#
# A **subagent** works for a coordinator: a loop of its own, with tools of its own. It should recover by itself where it can (retry what
# is transient), and hand up only what it could not solve, with what it *did* get and what it tried. Two ways that are none:


# %% id="err-up-run"
def coordinator(handed_up):
    """What the coordinator says, and how often it asked, when the subagent hands this up."""

    @tool
    def research(topic: str) -> str:
        """Let a research assistant find prices, stock and reviews of an article."""
        if handed_up == "Research failed":
            raise ToolError(handed_up)
        return handed_up

    done = run(client(), model=MODEL, messages="Research the lamp.", tools=[research])
    return len(done.trace.executions), done.text


print(*coordinator("Research failed"), sep=" | ")
print(*coordinator("[]"), sep=" | ")

# %% [markdown] id="err-up-task" tags=["task"]
# "Research failed" has the whole research done three times, and nobody knows what for. The silent `[]` is worse: it is taken for an
# answer.
#
# **Your turn.** Three sources were asked. Two answered, the third timed out twice. Write what the subagent hands up.

# %% id="err-hand-up" tags=["exercise"]
found = {"prices.csv": "49 euros", "stock.csv": "12 lamps"}
# BEGIN SOLUTION
hand_up = {
    "status": "partial",
    "results": found,
    "missing": ["reviews.csv"],
    "tried": "reviews.csv was asked twice and timed out both times",
    "suggestion": "go on without reviews, or ask again in ten minutes",
}
# OPEN
# hand_up = {"status": ..., "results": ..., "missing": ..., "tried": ..., "suggestion": ...}
# END SOLUTION
check("err-partial-results", hand_up)

# %% [markdown] id="err-up-look"
# And this is what the coordinator makes of yours:

# %% id="err-up-yours"
print(*coordinator(json.dumps(hand_up, default=str)), sep=" | ")

# %% [markdown] id="err-recap" tags=["recap"]
# ## Recap
#
# - Every call gets a result; a failure is marked `is_error` and says what happened, whether to retry, what to do instead.
# - Transient and validation errors may be retried, business and permission errors not; "could not look" is not "nothing found".
# - `max_iterations` and gates stop repeats; an idempotency key makes a repeated write harmless.
# - The SDK retries the API, Claude retries tools, a subagent hands up partial results with what was tried.
#
# Run the next cell: your guesses from the top come back, beside the answers. Then answer these five questions without looking back.

# %% id="err-look-back"
look_back("07")

# %% id="err-quiz" tags=["quiz", "nbval-ignore-output"]
quiz("07")

# %% [markdown] id="err-next" tags=["next"]
# ## Next
#
# **08 · Tool-count overload**: what happens to the choice when five tools become a hundred, measured.
