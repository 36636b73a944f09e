# %% [markdown] id="loop-title" tags=["title"]
# # The agent loop
#
# An agent is a loop around a model: ask, execute, return, and again, until there is nothing left to ask for. It fits on half a page.
# You will write it piece by piece, and break each piece once before you write it.

# %% [markdown] id="loop-goals" tags=["goals"]
# **You will be able to**
#
# - write the loop so that `stop_reason` alone steers it
# - answer every call of a message, also those that fail
# - handle the other stop reasons, and explain why `max_iterations` is only a safety net
# - put gates and hooks around the execution, and say what a tool runner takes off your hands

# %% [markdown] id="loop-before" tags=["before"]
# **Before you start:** lessons 01 and 02. **Time:** about 40 minutes.

# %% id="loop-import"
from course.lesson import *

# %% [markdown] id="loop-pretest" tags=["pretest", "task"]
# ## Guess first
#
# Three questions before you have read a word.

# %% id="loop-pre-1" tags=["pretest"]
predict(
    "loop-pre-end",
    "How does the loop know that Claude is done?",
    ["The message holds text", "stop_reason is not tool_use", "max_iterations is reached"],
)

# %% id="loop-pre-2" tags=["pretest"]
predict(
    "loop-pre-cut",
    "max_tokens cut the message in the middle of a call. What do you do with the call?",
    ["Run it with what is there", "Do not run it", "Answer it with an error"],
)

# %% id="loop-pre-3" tags=["pretest"]
predict(
    "loop-pre-gate",
    "A refund must never run before the customer is verified. Where do you enforce that?",
    ["In the system prompt", "In the tool's description", "In code, before the tool runs"],
)

# %% [markdown] id="loop-first" objectives="LOOP-1"
# ## The smallest loop
#
# Two tools, and the skeleton of a loop. It leaves one thing open: `answer`, the function that turns Claude's message into results. You will
# replace that function three times and never touch the skeleton.


# %% id="loop-tools"
@tool
def next_ferry(harbour: str) -> str:
    """Return the next ferry from a harbour today, in local time."""
    return {"Mokpo": "14:20 to Jeju", "Busan": "16:05 to Fukuoka"}[harbour]


TOOLS = {"next_ferry": next_ferry}


# %% id="loop-skeleton"
def talk(wish, answer, script=None):
    history = [{"role": "user", "content": wish}]
    while True:
        message = ask(history, tools=TOOLS.values(), script=script)
        if message.stop_reason != "tool_use":
            return message
        history.append({"role": "assistant", "content": message.content})
        history.append({"role": "user", "content": answer(message)})


def result(call, content):
    return {"type": "tool_result", "tool_use_id": call.id, "content": content}


def first_call_only(message):
    call = next(block for block in message.content if block.type == "tool_use")
    return [result(call, TOOLS[call.name](**call.input))]


text_of(talk("When does the next ferry leave Mokpo?", first_call_only))

# %% [markdown] id="loop-prose-intro" misconceptions="text-ends-loop" tags=["task"]
# It works. Now the most popular wrong turn. Somebody thinks: *when Claude writes text, it is finished.*
#
# **Predict.** The message below holds a text and a call. What would a loop that stops at text return?

# %% id="loop-prose-guess"
predict(
    "loop-prose",
    "A loop that stops at text returns:",
    ["the ferry's time", "'Let me look.'", "an error"],
)

# %% id="loop-prose-run"
script = [["Let me look.", call("next_ferry", harbour="Mokpo")], "The next ferry leaves at 14:20."]
message = ask("When does the next ferry leave Mokpo?", tools=TOOLS.values(), script=script)
print([block.type for block in message.content], message.stop_reason)
print("a loop that stops at text:", text_of(message))
print(
    "a loop that reads stop_reason:",
    text_of(talk("When does the next ferry leave Mokpo?", first_call_only, script)),
)

# %% [markdown] id="loop-prose-why"
# > **Often believed:** the loop ends when text appears. **In fact** text may stand before a call, or be missing at the end. Only
# > `stop_reason` says why Claude stopped: `tool_use` means go on, `end_turn` means done. Words such as "done" or "finally"
# > mean nothing to a loop.

# %% [markdown] id="loop-all" objectives="LOOP-2" misconceptions="first-call-is-the-call"
# ## All calls, not the first
#
# Break it: a wish that needs two calls.

# %% id="loop-break" tags=["break"]
two = [
    [call("next_ferry", harbour="Mokpo"), call("next_ferry", harbour="Busan")],
    "14:20 and 16:05.",
]
import anthropic

try:
    talk("When do the next ferries leave Mokpo and Busan?", first_call_only, two)
except anthropic.BadRequestError as error:
    print(error.api_message)

# %% [markdown] id="loop-all-task" tags=["task"]
# The second call was never answered. **Make it.** Write `all_calls(message)`: one result for each `tool_use` block, whatever stands between
# them.


# %% id="loop-all-calls" tags=["exercise"]
def all_calls(message):
    # BEGIN SOLUTION
    calls = [block for block in message.content if block.type == "tool_use"]
    return [result(call, TOOLS[call.name](**call.input)) for call in calls]
    # END SOLUTION


check("loop-every-call", all_calls)

# %% [markdown] id="loop-errors" objectives="LOOP-2" tags=["task"]
# ## Calls that fail
#
# `next_ferry` knows two harbours. What if Claude asks for a third? A `KeyError` leaves the loop by the back door, and the whole conversation
# with it.
#
# **Make it.** Write `safe(call)`: one result in any case. When the tool raises, or there is no such tool, the result says so in words and
# carries `"is_error": True`. (Lesson 07 is about those words.)


# %% id="loop-safe" tags=["exercise"]
def safe(call):
    # BEGIN SOLUTION
    if call.name not in TOOLS:
        known = ", ".join(TOOLS)
        return {
            **result(call, f"There is no tool {call.name}. Available: {known}."),
            "is_error": True,
        }
    try:
        return result(call, TOOLS[call.name](**call.input))
    except Exception as error:
        return {
            **result(call, f"{call.name} failed: {type(error).__name__}. Try other arguments."),
            "is_error": True,
        }
    # END SOLUTION


check("loop-safe-call", safe)

# %% [markdown] id="loop-net" objectives="LOOP-4" misconceptions="max-iterations-ends-loop" tags=["task"]
# ## The safety net
#
# A model can circle: the same call, again and again. `while True` circles with it, at your cost. So a loop counts its requests and stops
# at a ceiling.
#
# > **Often believed:** `max_iterations` is how a loop ends. **In fact** it is how a loop is *caught*. When it strikes, something
# > went wrong, and there may be no answer. A loop that normally ends by its ceiling cuts good work short or pays for useless
# > turns.
#
# From here on we use `run`, the harness of this course: your skeleton, your `safe`, and a ceiling. **Predict.** The script asks twenty
# times for the same ferry. What does `run` say at the end?

# %% id="loop-net-guess"
predict("loop-net-stop", "outcome.stop:", ["end_turn", "tool_use", "max_iterations"])

# %% id="loop-net-run"
circling = [[call("next_ferry", harbour="Mokpo")]] * 20
caught = run(
    client(script=circling), model=MODEL, messages="When?", tools=[next_ferry], max_iterations=5
)
caught.stop, len(caught.trace.exchanges)

# %% [markdown] id="loop-net-task" tags=["task"]
# **Your turn.** Your colleague sets the ceiling to 2, "because our questions need one tool". Write the number of requests that a wish with
# three look-ups, each needing the one before, takes at least.

# %% id="loop-net-count" tags=["exercise"]
# BEGIN SOLUTION
requests_needed = 4
# OPEN
# requests_needed = ...
# END SOLUTION
check("loop-count-requests", requests_needed)

# %% [markdown] id="loop-stops" objectives="LOOP-3" tags=["task"]
# ## The other stop reasons
#
# `tool_use` and `end_turn` steer the loop. Five more can come, and each wants its own answer.
#
# **Predict.** We give Claude so few tokens that the message ends in the middle of the call. What is in the call's input?

# %% id="loop-stops-guess"
predict(
    "loop-cut-input",
    "The cut call's input:",
    ["complete", "incomplete or empty", "there is no call block"],
)

# %% id="loop-stops-run"
order = [
    [call("next_ferry", harbour="Mokpo, the old harbour by the lighthouse, pier number three")]
]
cut = ask("When?", tools=[next_ferry], script=order, max_tokens=40)
cut.stop_reason, [block.input for block in cut.content if block.type == "tool_use"]

# %% [markdown] id="loop-stops-table"
# Half a call is not a call: do not run it. Ask again with more room.
#
# | `stop_reason` | what happened | what the loop does |
# |---|---|---|
# | `tool_use` | Claude asks for tools | execute all, return, go on |
# | `end_turn` | Claude is done | stop |
# | `max_tokens` | the ceiling of this answer was hit | do not run a cut call; ask again with more room |
# | `stop_sequence` | one of your own stop words came | stop, by your rules |
# | `pause_turn` | a server tool needs more time | send the turn back unchanged, go on |
# | `refusal` | Claude declines | stop, tell the user |
# | `model_context_window_exceeded` | the context is full | shorten the history, then ask again |
#
# > **On the exam** two stop reasons matter: `tool_use` goes on, `end_turn` stops. **Today** the API has the others as well (SDK of
# > November 2026). A loop that treats everything else as "done" runs well until the first cut call.

# %% [markdown] id="loop-stops-task" tags=["task"]
# **Your turn.** Write `what_next(stop_reason)`. It returns `"execute"`, `"stop"`, `"resend"` (the same turn, unchanged) or `"more room"`.
# A reason that is new to you must not be taken for success: return `"stop"` for it, too.


# %% id="loop-what-next" tags=["exercise"]
def what_next(stop_reason):
    # BEGIN SOLUTION
    steps = {
        "tool_use": "execute",
        "pause_turn": "resend",
        "max_tokens": "more room",
        "model_context_window_exceeded": "more room",
    }
    return steps.get(stop_reason, "stop")
    # END SOLUTION


check("loop-next-step", what_next)

# %% [markdown] id="loop-gates" objectives="LOOP-7" misconceptions="stronger-prompt-enforces" tags=["task"]
# ## Gates and hooks
#
# Between Ask and Execute stands your code, and there you can be strict. A **gate** sees each call before it runs and may deny it. A **hook**
# sees each result before it goes back and may reshape it, for instance three date formats into one.
#
# > **Often believed:** a stronger prompt is enough where compliance must be certain. **In fact** a prompt is a request. "Verify the customer
# > first" works most of the time; a gate works every time.
#
# **Make it.** Write a gate: `refund` is denied until `verify_customer` has succeeded. `done` holds the results so far, each with `.call.name`
# and `.is_error`.

# %% id="loop-gate" tags=["exercise"]
from course.harness import Deny


def verified_first(call, done):
    # BEGIN SOLUTION
    verified = any(r.call.name == "verify_customer" and not r.is_error for r in done)
    if call.name == "refund" and not verified:
        return Deny("The customer is not verified. Call verify_customer first.")
    # OPEN
    # if call.name == "refund" and ...:
    #     return Deny("…")
    # END SOLUTION


check("loop-verified-first", verified_first)

# %% [markdown] id="loop-gates-watch" tags=["task", "change"]
# See your gate at work. The script wants the refund at once, is denied, and does it in order. Then take `gates=[…]` out and run again: what
# would have happened?


# %% id="loop-gate-tools"
@tool
def verify_customer(code: str) -> str:
    """Check a one-time code."""
    return "verified"


@tool
def refund(order_id: str) -> str:
    """Pay an order back."""
    return "35 euros paid back"


# %% id="loop-gate-run" tags=["change"]
steps = [
    [call("refund", order_id="ORD-8")],
    [call("verify_customer", code="4417")],
    [call("refund", order_id="ORD-8")],
    "Done.",
]
guarded = run(
    client(script=steps),
    model=MODEL,
    messages="Refund ORD-8.",
    tools=[verify_customer, refund],
    gates=[verified_first],
)
show(guarded)

# %% [markdown] id="loop-hook-intro"
# And a hook. Two services spell a date in two ways; whatever goes back to Claude, the hook has spelled alike:


# %% id="loop-hook"
from dataclasses import replace
from datetime import datetime


@tool
def paid_on(order_id: str) -> str:
    """Return the day on which an order was paid."""
    return {"ORD-8": "04/12/2026", "ORD-9": "2026-12-05"}[order_id]


def iso_dates(result):
    if "/" not in result.content:
        return result
    return replace(result, content=f"{datetime.strptime(result.content, '%d/%m/%Y'):%Y-%m-%d}")


both = [[call("paid_on", order_id="ORD-8"), call("paid_on", order_id="ORD-9")], "Both are paid."]
spelled = run(
    client(script=both), model=MODEL, messages="When?", tools=[paid_on], hooks=[iso_dates]
)
[step.content for step in spelled.trace.executions]

# %% [markdown] id="loop-runner" objectives="LOOP-6" tags=["task"]
# ## The SDK's tool runner
#
# Beyond the exam: Anthropic's SDK has this loop built in. You decorate functions, it does the rest.
#
# **Predict.** The runner keeps the history on the server (*message threads*, a beta). How many messages does its second request carry?

# %% id="loop-runner-guess"
predict("loop-runner-second", "Messages in the runner's second request:", ["1", "2", "3"])


# %% id="loop-runner-run"
@anthropic.beta_tool
def ferry(harbour: str) -> str:
    """Return the next ferry from a harbour today."""
    return "14:20 to Jeju"


def runner(by, **settings):
    ask_it = [{"role": "user", "content": "When does the next ferry leave Mokpo?"}]
    return by.beta.messages.tool_runner(
        model=MODEL, max_tokens=1000, messages=ask_it, tools=[ferry], **settings
    )


from course.traces import Recorder

recorder = Recorder()
print([message.stop_reason for message in runner(recorder.watch(client()))])
print([len(sent.request["messages"]) for sent in recorder.trace().exchanges])

# %% [markdown] id="loop-runner-why" tags=["task"]
# The second line counts the messages of each request. One, then one again: only what is new. With `thread=False` it sends everything each time, as you did. What the runner takes off your hands: schema
# from the function, the loop, all results in one message, an error result when the function raises. What it hides: your gates and logs
# need its own hooks, and the text of an exception reaches Claude unless you raise with words of your own.
#
# **Your turn.** Get the runner's *last* message without threads.

# %% id="loop-runner-last" tags=["exercise"]
# BEGIN SOLUTION
last = runner(client(), thread=False).until_done()
# OPEN
# last = ...
# END SOLUTION
check("loop-runner-done", last)

# %% [markdown] id="loop-stream" objectives="LOOP-5" tags=["task"]
# ## Streaming a call
#
# Beyond the exam, too: a message can come in pieces. Text is readable as it comes. A call's input is not: it comes as fragments of JSON, cut anywhere.

# %% id="loop-stream-run"
with client(script=[[call("next_ferry", harbour="Mokpo")]]).messages.stream(
    model=MODEL,
    max_tokens=500,
    messages=[{"role": "user", "content": "When?"}],
    tools=[next_ferry.definition()],
) as events:
    pieces = [
        e.delta.partial_json
        for e in events
        if e.type == "content_block_delta" and e.delta.type == "input_json_delta"
    ]
pieces

# %% [markdown] id="loop-stream-task" tags=["task"]
# The first piece is empty, and no piece alone is valid JSON. The input is complete when its `content_block_stop` has come, and safe to run when the
# message's `stop_reason` is `tool_use`.
#
# **Your turn.** Write the function that puts the pieces of any call together.

# %% id="loop-stream-join" tags=["exercise"]
import json


def whole_input(pieces):
    # BEGIN SOLUTION
    return json.loads("".join(pieces))
    # END SOLUTION


check("loop-whole-input", whole_input)

# %% [markdown] id="loop-live" objectives="LOOP-1"
# ## The same loop, live
#
# One setting decides who answers. With `ANTHROPIC_API_KEY` set, `live(True)` sends the next cell to Claude, at your cost (a fraction of a cent). Without
# it the cell does nothing.

# %% id="loop-live-run" tags=["live"]
if live():
    print(
        run(
            client(),
            model=MODEL,
            messages="When does the next ferry leave Busan?",
            tools=[next_ferry],
        ).text
    )

# %% [markdown] id="loop-recap" tags=["recap"]
# ## Recap
#
# - `stop_reason` steers the loop; text, its wording and its place do not.
# - Every call of a message gets a result, the failed ones too; a cut call is not run.
# - Seven stop reasons, each with its answer; `max_iterations` only catches what went wrong.
# - Gates and hooks are plain code around the execution: certain where a prompt is only likely. A runner hides the loop, not the duty.
#
# Run the next cell: your guesses from the top come back, beside the answers. Then answer these five questions without looking back.

# %% id="loop-look-back"
look_back("04")

# %% id="loop-quiz" tags=["quiz", "nbval-ignore-output"]
quiz("04")

# %% [markdown] id="loop-next" tags=["next"]
# ## Next
#
# **05 · tool_choice**: take the decision away from Claude, and see what that costs.
