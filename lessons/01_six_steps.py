# %% [markdown] id="six-title" tags=["title"]
# # The six steps
#
# A language model writes text. It cannot open a file, look at a clock or charge a card. And yet Claude "checks your
# orders" and "books the ferry". This lesson takes that trick apart, once, slowly, so that it never is one again.

# %% [markdown] id="six-goals" tags=["goals"]
# **You will be able to**
#
# - say who asks for a tool and who runs it, and prove it
# - name the six steps and their five labels in order, and carry them out by hand
# - say what the API answers when a result does not come back, and mend it
# - explain why every request carries the whole history and the tools

# %% [markdown] id="six-before" tags=["before"]
# **Before you start:** lesson 00, and enough Python to read a function and a dictionary. **Time:** about 30 minutes.
#
# Run the next cell first. It loads the names that all lessons use.

# %% id="six-import"
from course.lesson import *

# %% [markdown] id="six-pretest" tags=["pretest", "task"]
# ## Guess first
#
# Three questions before you have read a word. Guessing wrong costs nothing, and makes the answer stick when you meet it.

# %% id="six-pre-1" tags=["pretest"]
predict(
    "six-pre-who",
    "You give Claude a function of yours as a tool. Where does the function run?",
    [
        "On Anthropic's servers",
        "Inside the model, while it writes",
        "Wherever your own program runs",
    ],
)

# %% id="six-pre-2" tags=["pretest"]
predict(
    "six-pre-requests",
    "Claude needs one tool once to answer one question. How many requests does your program send?",
    ["One", "Two", "Three"],
)

# %% id="six-pre-3" tags=["pretest"]
predict(
    "six-pre-memory",
    "Your second request holds only the tool's result, not the question. What does the API do?",
    [
        "It remembers the question",
        "It refuses the request",
        "It answers without knowing the question",
    ],
)

# %% [markdown] id="six-asks" objectives="CYC-1"
# ## Claude asks, your code acts
#
# Here is a **tool**: a function, and what its name, docstring and parameters say about it. Each time it runs, it notes so
# in `ran`.

# %% id="six-tool"
ran = []


@tool
def next_ferry(harbour: str) -> str:
    """Return the next ferry from a harbour today, in local time. Knows Mokpo and Busan."""
    ran.append(harbour)
    return {"Mokpo": "14:20 to Jeju", "Busan": "16:05 to Fukuoka"}.get(harbour, "no ferry today")


# %% [markdown] id="six-predict-ran" tags=["task"]
# **Predict.** The next cell sends a question and the tool to Claude. What does `ran` hold afterwards?

# %% id="six-guess-ran"
predict(
    "six-ran", "`ran` after the request?", ["[]: nothing ran", "['Mokpo']: it ran once", "An error"]
)

# %% id="six-first-ask"
ran.clear()
question = "When does the next ferry leave Mokpo?"
asked = ask(question, tools=[next_ferry])
ran

# %% [markdown] id="six-nothing-ran"
# Empty. The function did not run, and no answer came. Look at what did come:

# %% id="six-the-call"
wanted = next(block for block in asked.content if block.type == "tool_use")
asked.stop_reason, wanted.name, wanted.input

# %% [markdown] id="six-request-for" misconceptions="claude-runs-tools"
# This is a **`tool_use` block**: a structured request. It names a tool and the arguments, and it has an `id`. With
# `stop_reason: "tool_use"` Claude says: *I stopped because I need this; your turn.* The program around Claude, which
# sends requests and runs functions, is called the **harness**, or simply the app. Here it is you.
#
# > **Often believed:** Claude runs the tool. **In fact** it writes a request to run it. The function, its network, its
# > files and its bugs stay on your side. (A few *server tools*, such as web search, run at Anthropic. They are declared
# > differently; lesson 10 has them. Everything you define yourself works as here.)

# %% [markdown] id="six-change-wish" tags=["task", "change"]
# **Change it.** Run the next cell, then replace the words with others that need no ferry, or that need one from Busan.
# What decides between the two stop reasons?

# %% id="six-other-wish" tags=["change"]
ask("Thank you!", tools=[next_ferry]).stop_reason

# %% [markdown] id="six-run-task" tags=["task"]
# **Your turn.** Do the app's part: `call` is a block such as `wanted`. Run the function with exactly the arguments that Claude
# asked for, and return what it gives. The check tries other harbours, too.


# %% id="six-run-it" tags=["exercise"]
def execute(call):
    # BEGIN SOLUTION
    return next_ferry(**call.input)
    # END SOLUTION


check("six-run-the-call", execute, ran)

# %% [markdown] id="six-steps" objectives="CYC-2"
# ## Six steps, five labels
#
# You have seen the first four of six steps. These are all of them, with the five labels that every picture and
# every lesson of this course uses:
#
# | step | what happens | label |
# |---|---|---|
# | 1 | The app sends the messages and the tool definitions. | **Offer** |
# | 2 | Claude answers with `tool_use` blocks and `stop_reason: "tool_use"`. | **Ask** |
# | 3 | The app runs the function. | **Execute** |
# | 4 | The function's result comes back to the app. | **Execute** |
# | 5 | The app appends Claude's turn and a user turn with a `tool_result`, and sends everything again. | **Return** |
# | 6 | Claude goes on: here with the final answer. | **Continue** |

# %% [markdown] id="six-return" tags=["task"]
# Steps 5 and 6 are yours to run. The result travels in a **`tool_result` block**, in a message with the role `user`, and
# names the call it belongs to.
#
# **Predict.** In the next cell: which stop reason comes, and how often does `next_ferry` run?

# %% id="six-guess-return"
predict(
    "six-stop",
    "Stop reason of the second answer, and runs of the function in this cell?",
    ["tool_use, one run", "end_turn, one run", "end_turn, two runs"],
)

# %% id="six-second-ask"
ran.clear()
answered = {"type": "tool_result", "tool_use_id": wanted.id, "content": next_ferry(**wanted.input)}
history = [
    {"role": "user", "content": question},
    {"role": "assistant", "content": asked.content},
    {"role": "user", "content": [answered]},
]
final = ask(history, tools=[next_ferry])
final.stop_reason, len(ran)

# %% [markdown] id="six-count" tags=["task"]
# `end_turn`: Claude is done. And the one run is yours: the line with `next_ferry(**wanted.input)`. The request after it made
# none. **Two requests, one call**: that is the smallest tool conversation there is. See
# it as a whole, step by step; the ① ties the call to its result:

# %% id="six-show"
show([*history, {"role": "assistant", "content": final.content}])

# %% [markdown] id="six-order-task" tags=["task"]
# **Your turn.** These six sentences are out of order. Put their letters right.
#
# - **a** The app appends two turns and sends the history again.
# - **b** Claude words the final answer.
# - **c** The app sends a question and the definitions of its tools.
# - **d** The function hands its value to the app.
# - **e** Claude stops with `tool_use`.
# - **f** The app calls the function.

# %% id="six-order" tags=["exercise"]
# BEGIN SOLUTION
order = "c e f d a b"
# OPEN
# order = ...  # six letters, such as "a b c d e f"
# END SOLUTION
check("six-in-order", order)

# %% [markdown] id="six-round-task" tags=["task"]
# **Make it.** Write the round trip once, for any question that needs `next_ferry` once: Offer, Ask, Execute, Return,
# Continue. Return the history of four messages, the last one being Claude's final answer.


# %% id="six-round" tags=["exercise"]
def round_trip(question):
    # BEGIN SOLUTION
    history = [{"role": "user", "content": question}]
    asked = ask(history, tools=[next_ferry])
    wanted = next(block for block in asked.content if block.type == "tool_use")
    answered = {
        "type": "tool_result",
        "tool_use_id": wanted.id,
        "content": next_ferry(**wanted.input),
    }
    history += [
        {"role": "assistant", "content": asked.content},
        {"role": "user", "content": [answered]},
    ]
    final = ask(history, tools=[next_ferry])
    return [*history, {"role": "assistant", "content": final.content}]
    # END SOLUTION


check("six-round-trip", round_trip)

# %% [markdown] id="six-gap" objectives="CYC-3" tags=["task"]
# ## When a result does not come back
#
# Break it on purpose. Claude asked for a ferry, and the app goes on talking as if it had not: no result, only the user's next
# words.
#
# **Predict.** What comes back?

# %% id="six-guess-gap"
predict(
    "six-missing",
    "Claude's call is never answered. What happens?",
    ["Claude asks for the tool again", "Claude guesses a time", "The API refuses the request"],
)

# %% id="six-break" tags=["break"]
gap = [*history[:2], {"role": "user", "content": "And the one after that?"}]
attempt(gap, tools=[next_ferry])

# %% [markdown] id="six-border"
# A **400**: the request never reached Claude. Read the sentence from the left. First the place where the pair falls apart,
# `messages.` and a number that counts from zero; then the id of the call that is still open; then the rule.
#
# Most faults in tool programs are of this kind. They do not sit in what Claude does, nor in your function, but on
# the border between the two: a result dropped after an exception, an id copied from the wrong call, a history cut in
# the middle. The API checks that border for you, and lesson 02 walks along it.

# %% [markdown] id="six-mend-task" tags=["task"]
# **Your turn.** The ferry service was down, so there is no time to report. Mend `gap`: the call gets its result, which says
# what went wrong and is marked with `"is_error": True`, and the user's words still arrive.

# %% id="six-mend" tags=["exercise"]
failed = {
    "type": "tool_result",
    "tool_use_id": wanted.id,
    # BEGIN SOLUTION
    "content": "The ferry service did not answer. Try again in a minute.",
    "is_error": True,
    # OPEN
    # "content": ...,
    # END SOLUTION
}
mended = [
    *history[:2],
    {"role": "user", "content": [failed, {"type": "text", "text": "And the one after that?"}]},
]
check("six-mend-the-gap", mended)

# %% [markdown] id="six-division" objectives="CYC-4" tags=["task"]
# ## Why the work is divided like this
#
# Because the app runs the function, the app decides. Who may do what, what is logged, how long a call may take, in which sandbox it
# runs: all of that is ordinary code of yours, between Ask and Execute. Claude cannot skip it.
#
# The division also tells you what to believe. In the next cell we put words into the stand-in's mouth.
#
# **Predict.** How many new entries will `ran` have?

# %% id="six-guess-claim"
predict("six-claim", "New entries in `ran`?", ["None", "One"])

# %% id="six-claim-run"
before = len(ran)
claim = ask(
    question,
    tools=[next_ferry],
    script=["I called the ferry service. The next boat leaves at 18:00."],
)
print(text_of(claim), "| stop_reason:", claim.stop_reason, "| new runs:", len(ran) - before)

# %% [markdown] id="six-prose" misconceptions="prose-is-proof"
# The sentence says "I called"; nothing was called. When Claude writes that in a real conversation, it means that *the app*
# called, at Claude's request.
#
# > **Often believed:** a sentence that reports an act proves it. **In fact** the evidence is a `tool_use` block and its
# > result in the history, or your own log, never the prose.

# %% [markdown] id="six-duties-task" tags=["task"]
# **Your turn.** Whose job is it? Write `"claude"` or `"app"` for each.

# %% id="six-duties" tags=["exercise"]
duties = {
    # BEGIN SOLUTION
    "decide whether a tool is needed": "claude",
    "fill in the arguments": "claude",
    "refuse a caller without permission": "app",
    "stop a call that takes too long": "app",
    "run the function": "app",
    "log what was run": "app",
    "word the final answer": "claude",
    # OPEN
    # "decide whether a tool is needed": ...,
    # "fill in the arguments": ...,
    # "refuse a caller without permission": ...,
    # "stop a call that takes too long": ...,
    # "run the function": ...,
    # "log what was run": ...,
    # "word the final answer": ...,
    # END SOLUTION
}
check("six-who-does-it", duties)

# %% [markdown] id="six-stateless" objectives="CYC-5" tags=["task"]
# ## Nothing is remembered
#
# The API is **stateless**: it keeps nothing between two requests. What Claude is to know must be in the request, each time:
# the whole history *and* the tools.
#
# **Predict.** Below, only the message with the result is sent. What does the API say?

# %% id="six-guess-alone"
predict(
    "six-alone",
    "Only the last message is sent:",
    ["Claude answers", "A 400: a result without its call", "A 400: no tools"],
)

# %% id="six-alone-run"
attempt(history[-1:], tools=[next_ferry])

# %% [markdown] id="six-grows" misconceptions="model-remembers"
# Without the turn before it, the result answers nothing.
#
# > **Often believed:** Claude remembers the conversation. **In fact** your app does, and sends it along. That is why long
# > conversations cost more with every turn.
#
# `run` is this course's harness; it does all six steps by itself. Count what it sends:

# %% id="six-sizes"
outcome = run(client(), model=MODEL, messages=question, tools=[next_ferry])
[(len(sent.request["messages"]), len(sent.request["tools"])) for sent in outcome.trace.exchanges]

# %% [markdown] id="six-threads"
# One message and one tool, then three messages and the same tool again.
#
# > **New in 2026.** A beta called *message threads* lets the API hold the history, so that a second request carries only what
# > is new. The tool runner of Anthropic's SDK uses it (lesson 04). The plain Messages API goes without; so do the exam guide, which
# > is older, and this lesson.

# %% [markdown] id="six-follow-task" tags=["task"]
# **Your turn.** The user asks on: "And how long is the crossing?" Build the messages of that request from `history`, `final`
# and the new question.

# %% id="six-follow" tags=["exercise"]
# BEGIN SOLUTION
follow_up = [
    *history,
    {"role": "assistant", "content": final.content},
    {"role": "user", "content": "And how long is the crossing?"},
]
# OPEN
# follow_up = ...  # your code here
# END SOLUTION
check("six-send-it-all", follow_up)

# %% [markdown] id="six-recap" tags=["recap"]
# ## Recap
#
# - Claude asks for a tool with a `tool_use` block; the app runs it. The log of the app is the proof.
# - Offer, Ask, Execute, Return, Continue: six steps, two requests for one call.
# - An unanswered call is a 400 that names its id; even a failed call gets a result.
# - The API is stateless: history and tools travel with every request.
#
# Run the next cell: your guesses from the top come back, beside the answers. Then answer these five questions without looking back.

# %% id="six-look-back"
look_back("01")

# %% id="six-quiz" tags=["quiz", "nbval-ignore-output"]
quiz("01")

# %% [markdown] id="six-next" tags=["next"]
# ## Next
#
# **02 · Blocks and pairing**: the border between call and result, every rule on it, and a broken conversation for you to mend.
