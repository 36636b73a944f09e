# %% [markdown] id="par-title" tags=["title"]
# # Parallel calls
#
# Three cities, three forecasts, one message: Claude may ask for several things at once. Whether that saves time is up to
# your harness; whether it keeps happening is up to how you send the results back.

# %% [markdown] id="par-goals" tags=["goals"]
# **You will be able to**
#
# - execute several calls at the same time and tie each result to its call
# - return all results in the one message they belong in, also when one of them failed
# - switch parallel calls off where they do harm, in the right place
# - tell independent steps from dependent ones

# %% [markdown] id="par-before" tags=["before"]
# **Before you start:** lessons 02 and 04; 05 for `tool_choice`. **Time:** about 35 minutes.

# %% id="par-import"
from course.lesson import *

# %% [markdown] id="par-pretest" tags=["pretest", "task"]
# ## Guess first
#
# Three questions before you have read a word.

# %% id="par-pre-1" tags=["pretest"]
predict(
    "par-pre-messages",
    "Claude makes three calls in one message. How many messages carry the results?",
    ["One", "Three", "As many as you like"],
)

# %% id="par-pre-2" tags=["pretest"]
predict(
    "par-pre-faster",
    "Three calls in one message, run one by one. How much time is saved in running them?",
    ["Two thirds", "None", "Half"],
)

# %% id="par-pre-3" tags=["pretest"]
predict(
    "par-pre-failed",
    "One of three calls fails. What do you send back?",
    ["The two that worked", "Nothing, and ask again", "Three results, one of them an error"],
)

# %% [markdown] id="par-several" objectives="PAR-1"
# ## Several calls, one message
#
# The tool below is honest about its slowness: it really waits for 0.4 seconds, as a network would.

# %% id="par-tool"
import time


@tool
def get_forecast(city: str) -> str:
    """Return tomorrow's weather forecast for a city: sky, temperature, chance of rain."""
    time.sleep(0.4)
    return f"{city}: rain 30 %"


wish = "What is the weather in Busan, Seoul and Mokpo?"
asked = ask(wish, tools=[get_forecast])
[(block.type, getattr(block, "input", None)) for block in asked.content if block.type != "thinking"]

# %% [markdown] id="par-several-task" misconceptions="first-call-is-the-call" tags=["task"]
# Three `tool_use` blocks, each with an id of its own. The loop of lesson 04 collects them all.
#
# > **Often believed:** the first `tool_use` block is *the* call. **In fact** there may be any number, and each of them needs
# > a result.
#
# Three calls save two **requests**, for Claude did not have to be asked three times. Do they also save time in executing? That
# is your harness's doing.
#
# **Predict.** Three calls of 0.4 seconds, executed one after the other, then at the same time.

# %% id="par-time-guess"
predict("par-times", "Roughly:", ["1.2 s and 0.4 s", "0.4 s and 0.4 s", "1.2 s and 1.2 s"])

# %% id="par-time-run" tags=["nbval-ignore-output"]
from course.labs.chart import bars

took = {}
for name, at_once in (("one after the other", False), ("at the same time", True)):
    done = run(
        client(), model=MODEL, messages=wish, tools=[get_forecast], parallel=at_once
    ).trace.executions
    took[name] = max(e.ended for e in done) - min(e.started for e in done)
spoken = " and ".join(f"{seconds:.2f} s {name}" for name, seconds in took.items())
bars("Three calls of 0.4 s", took, label="seconds", alt=f"Two bars: {spoken}.")

# %% [markdown] id="par-time-why" misconceptions="parallel-always-faster"
# > **Often believed:** parallel is always faster. **In fact** only waiting overlaps. Calls that compute on one
# > processor, that queue at the same service, or that need each other's results gain little or nothing.
#
# Parallel execution pays for **independent look-ups**: several cities, several orders, several files. It asks something of
# your functions in return. They run in threads (or as coroutines, with `arun`), so two of them must not write to the same
# list, file or row without care, and a service that allows five requests a second will refuse the sixth, however nicely you
# ask. A pool with a fixed number of workers is a sensible ceiling. And measure before you believe: the numbers above come
# from your machine, just now.
#
# The next view shows when each call ran:

# %% id="par-time-show" tags=["nbval-ignore-output"]
show(run(client(), model=MODEL, messages=wish, tools=[get_forecast], parallel=True), times=True)

# %% [markdown] id="par-ids" objectives="PAR-6" tags=["task"]
# ## Ids, not order
#
# Calls that run at the same time finish in any order. The quick one is ready while the slow one still waits, and a list of
# answers in the order of their arrival says nothing about who asked. Nothing is lost all the same: the **id** ties a
# result to its call. Position never does.
#
# **Predict.** The results are sent in reverse order. What happens?

# %% id="par-ids-guess"
predict(
    "par-reverse",
    "Results in reverse order:",
    ["A 400", "Wrong cities in the answer", "All is well"],
)

# %% id="par-ids-run"
calls = [block for block in asked.content if block.type == "tool_use"]
results = [
    {"type": "tool_result", "tool_use_id": c.id, "content": get_forecast(**c.input)} for c in calls
]
history = [{"role": "user", "content": wish}, {"role": "assistant", "content": asked.content}]
text_of(ask([*history, {"role": "user", "content": results[::-1]}], tools=[get_forecast]))

# %% [markdown] id="par-ids-task" tags=["task"]
# **Make it.** Write `execute_all(calls)`: run all calls at the same time and return one `tool_result` block for each.
# `ThreadPoolExecutor` starts the threads, and its `map` keeps the order for you.

# %% id="par-execute-all" tags=["exercise"]
from concurrent.futures import ThreadPoolExecutor


def one(call):
    return {"type": "tool_result", "tool_use_id": call.id, "content": get_forecast(**call.input)}


def execute_all(calls):
    # BEGIN SOLUTION
    with ThreadPoolExecutor() as pool:
        return list(pool.map(one, calls))
    # END SOLUTION


check("par-all-at-once", execute_all, calls)

# %% [markdown] id="par-one-message" objectives="PAR-2"
# ## One message for all results
#
# Break it on purpose, twice. First with a friendly word before the results:

# %% id="par-break" tags=["break"]
attempt(
    [*history, {"role": "user", "content": [{"type": "text", "text": "Here they are:"}, *results]}],
    tools=[get_forecast],
)

# %% [markdown] id="par-missing-task" tags=["task"]
# The API looks for the results at the very start of the user message and finds words: three calls are unanswered. Text is
# allowed *after* the last result, but the documentation advises against a habit of it: Claude may come to expect a word
# from the user after each call, and end its turn early with an empty answer.
#
# **Predict.** And when two of the three results are sent, results first?

# %% id="par-missing-guess"
predict(
    "par-two-of-three",
    "Two results for three calls:",
    ["Claude asks for the third again", "A 400 naming one id", "A 400 naming three ids"],
)

# %% id="par-missing-run"
attempt([*history, {"role": "user", "content": results[:2]}], tools=[get_forecast])

# %% [markdown] id="par-split-task" tags=["task"]
# All or nothing: one result missing, and the whole request is refused.
#
# Now something the API *accepts*. Each result goes into a user message of its own; neighbouring user messages are merged,
# so the pairs are complete.
#
# **Predict.** It is accepted. So what is wrong with it? Watch the calls after the *next* question.

# %% id="par-split-run"
together = [*history, {"role": "user", "content": results}]
split = [*history, *({"role": "user", "content": [result]} for result in results)]
for name, past in (("together", together), ("split", split)):
    answer = {"role": "assistant", "content": ask(past, tools=[get_forecast]).content}
    after = ask(
        [*past, answer, {"role": "user", "content": "And the weather in Daegu and Jeju?"}],
        tools=[get_forecast],
    )
    print(f"{name:9}", sum(block.type == "tool_use" for block in after.content), "calls")

# %% [markdown] id="par-split-why" misconceptions="results-anywhere"
# > **Often believed:** results may come in any number of user messages. **In fact** the API merges them, but the documentation
# > warns that a history written like this teaches Claude to call one tool at a time. The stand-in imitates that habit; you
# > just saw the next question answered with fewer calls.

# %% [markdown] id="par-mend-task" tags=["task"]
# **Your turn.** This harness code builds the history in a loop and falls into the trap. Mend it so that all results travel
# together.


# %% id="par-mend" tags=["exercise"]
def hand_back(history, results):
    # BEGIN SOLUTION
    return [*history, {"role": "user", "content": list(results)}]
    # OPEN
    # for result in results:
    #     history = [*history, {"role": "user", "content": [result]}]
    # return history
    # END SOLUTION


check("par-hand-back", hand_back, history, results)

# %% [markdown] id="par-failed" objectives="PAR-5" tags=["task"]
# ## When one of them fails
#
# Seoul's service times out; the others are fine. Dropping the failed one breaks the pairing, as you saw. Dropping all three
# wastes two good results.
#
# **Your turn.** Write the message: three results, the middle one marked as an error that says it is worth another try.

# %% id="par-failed-one" tags=["exercise"]
failed = {
    "type": "tool_result",
    "tool_use_id": calls[1].id,
    # BEGIN SOLUTION
    "content": "The forecast service for Seoul timed out. Try again in five seconds.",
    "is_error": True,
    # OPEN
    # "content": ...,
    # END SOLUTION
}
message = {"role": "user", "content": [results[0], failed, results[2]]}
check("par-one-failed", [*history, message])

# %% [markdown] id="par-failed-task" tags=["task", "change"]
# What does the stand-in do with such a message? Run the cell. Then change `words` to a refusal that no second try can mend,
# such as "Seoul is not covered by this service. Do not try again.", and run it once more.

# %% id="par-failed-next" tags=["change"]
words = "The forecast service timed out. Try again in five seconds."
trouble = {"type": "tool_result", "tool_use_id": calls[1].id, "content": words, "is_error": True}
reaction = ask(
    [*history, {"role": "user", "content": [results[0], trouble, results[2]]}], tools=[get_forecast]
)
[
    (block.type, getattr(block, "input", getattr(block, "text", "")))
    for block in reaction.content
    if block.type != "thinking"
]

# %% [markdown] id="par-failed-why"
# With hope in the message, only the failed call is made again, not all three; without hope, the two good results are used and the
# third is reported. Neither would be possible if the failure had been hidden, and neither if the good results had been
# thrown away with it. This is why the unit of success and failure is the **call**, not the message.

# %% [markdown] id="par-off" objectives="PAR-3"
# ## Switching it off
#
# Some tools must not run side by side: two writes to one row, a printer, a robot arm. The switch is called
# `disable_parallel_tool_use`. **Where** does it belong?

# %% id="par-off-wrong"
attempt(wish, tools=[get_forecast], extra_body={"disable_parallel_tool_use": True})

# %% [markdown] id="par-off-where" tags=["task"]
# Not at the top level: it lives **inside** `tool_choice`, beside the mode. That makes sense once you see what it is: not a
# setting of your loop, which may run calls one by one anyway, but an instruction about what Claude may *write* in this one
# response. Like the mode, it can differ from request to request, and like the mode it costs you the cached messages when
# it does.
#
# **Predict.** With the switch on: how many calls does each mode allow?

# %% id="par-off-guess"
predict(
    "par-off-count",
    "auto and any, with the switch:",
    ["at most one; exactly one", "exactly one; exactly one", "one; as many as needed"],
)

# %% id="par-off-run"
for words in (wish, "Thank you!"):
    for mode in ("auto", "any"):
        choice = {"type": mode, "disable_parallel_tool_use": True}
        answer = ask(words, tools=[get_forecast], tool_choice=choice, model=FORCED_MODEL)
        print(
            f"{words[:10]}… {mode:4}",
            sum(block.type == "tool_use" for block in answer.content),
            "calls",
        )

# %% [markdown] id="par-off-openai"
# If you also work with OpenAI's models, mind the difference (checked 2026-12-01):
#
# | | Claude | OpenAI |
# |---|---|---|
# | the switch | `tool_choice: {"type": "auto", "disable_parallel_tool_use": true}` | `parallel_tool_calls: false`, at the top level |
# | default | parallel allowed | parallel allowed |
# | a result | `tool_result` blocks, all in one user message | one `function_call_output` item a call |
# | arguments | an object | a string that holds JSON |

# %% [markdown] id="par-off-task" tags=["task"]
# **Your turn.** Write the `tool_choice` for a request in which Claude must make exactly one call, of whichever tool.

# %% id="par-off-exactly" tags=["exercise"]
# BEGIN SOLUTION
exactly_one = {"type": "any", "disable_parallel_tool_use": True}
# OPEN
# exactly_one = ...
# END SOLUTION
check("par-exactly-one", exactly_one)

# %% [markdown] id="par-dependent" objectives="PAR-4"
# ## Steps that need each other
#
# "Find Ann's customer number and list her orders." Two tools again, but the second needs what the first finds.


# %% id="par-dependent-tools"
@tool
def find_customer(email: str) -> dict:
    """Find a customer's number by e-mail address. Use first when only a person is known."""
    return {"customer_id": "C-19"}


@tool
def list_orders(customer_id: str) -> str:
    """List a customer's orders by customer number, such as C-19."""
    return {"C-19": "ORD-81, paid"}.get(customer_id, f"no customer {customer_id!r}")


# %% [markdown] id="par-dependent-predict" tags=["task"]
# **Predict.** In how many messages of Claude do the two calls come?

# %% id="par-dependent-guess"
predict("par-dependent-turns", "The two calls come in:", ["one message", "two messages"])

# %% id="par-dependent-run"
order = run(
    client(),
    model=MODEL,
    messages="Find the customer ann@example.org and list her orders.",
    tools=[find_customer, list_orders],
)
[(step.exchange, step.name, step.input) for step in order.trace.executions]

# %% [markdown] id="par-dependent-wrong"
# First one, then the other: the number `C-19` was not there before the first result. What if both calls come in one message all
# the same? Then the second one's argument is a guess. We play that case:

# %% id="par-dependent-wrong-run"
rash = [
    [call("find_customer", email="ann@example.org"), call("list_orders", customer_id="ann")],
    "There are no orders.",
]
wrong = run(
    client(script=rash),
    model=MODEL,
    messages="Find ann@example.org and list her orders.",
    tools=[find_customer, list_orders],
)
[(step.exchange, step.name, step.content) for step in wrong.trace.executions]

# %% [markdown] id="par-dependent-why" tags=["task"]
# The look-up failed on an invented number, and the answer sounds sure. Order matters for **effects** too: the receipt must not
# go out before the money has moved. What helps: say in the description what a tool needs and where it comes from ("a
# number such as C-19, from find_customer"), refuse malformed arguments with a useful error, and switch parallel calls off
# where order is vital.
#
# **Your turn.** Independent, or one after the other? Write `"parallel"` or `"sequential"`.

# %% id="par-sort" tags=["exercise"]
plans = {
    # BEGIN SOLUTION
    "the weather in four cities": "parallel",
    "withdraw 50 euros, then mail the receipt": "sequential",
    "search for a flight, then book the cheapest": "sequential",
    "read three unrelated files": "parallel",
    # OPEN
    # "the weather in four cities": ...,
    # "withdraw 50 euros, then mail the receipt": ...,
    # "search for a flight, then book the cheapest": ...,
    # "read three unrelated files": ...,
    # END SOLUTION
}
check("par-or-not", plans)

# %% [markdown] id="par-recap" tags=["recap"]
# ## Recap
#
# - Run independent calls at the same time; ids tie results to calls, whatever the order.
# - All results go back in one user message, results first; a failed call is a result with `is_error: true`.
# - `disable_parallel_tool_use` lives in `tool_choice`: with `auto` at most one call, with `any` or `tool` exactly one.
# - What needs another call's result, or must happen after it, comes in a later turn.
#
# Run the next cell: your guesses from the top come back, beside the answers. Then answer these five questions without looking back.

# %% id="par-look-back"
look_back("06")

# %% id="par-quiz" tags=["quiz", "nbval-ignore-output"]
quiz("06")

# %% [markdown] id="par-next" tags=["next"]
# ## Next
#
# **07 · Errors and recovery**: what a good error says, who tries again, and when to stop.
