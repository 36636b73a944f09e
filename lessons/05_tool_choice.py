# %% [markdown] id="choice-title" tags=["title"]
# # tool_choice
#
# So far Claude decided whether to call a tool. One field of the request takes that decision away from it, in part or
# altogether. It is small, it is useful, it is on the exam, and it has two side effects that surprise nearly everybody.

# %% [markdown] id="choice-goals" tags=["goals"]
# **You will be able to**
#
# - pick the right mode of `tool_choice` for a step, and say what each leaves to Claude
# - explain why a forced call comes without a word, and keep the word when you need it
# - say which models refuse force, and reach the same end without it
# - force a first step without building a loop that cannot end

# %% [markdown] id="choice-before" tags=["before"]
# **Before you start:** lessons 01 and 04 (the loop). **Time:** about 35 minutes.

# %% id="choice-import"
from course.lesson import *

# %% [markdown] id="choice-pretest" tags=["pretest", "task"]
# ## Guess first
#
# Three questions before you have read a word. They come back at the end.

# %% id="choice-pre-1" tags=["pretest"]
predict(
    "choice-pre-modes",
    "You send tools and no `tool_choice`. What may Claude do?",
    ["Call a tool or answer in words", "Call a tool, it has to", "Answer in words only"],
)

# %% id="choice-pre-2" tags=["pretest"]
predict(
    "choice-pre-explain",
    "You force a tool and ask for one sentence of explanation first. What comes?",
    ["The sentence, then the call", "The call without the sentence", "An error"],
)

# %% id="choice-pre-3" tags=["pretest"]
predict(
    "choice-pre-every",
    "Which current models accept a forced tool?",
    ["All of them", "Some of them", "None of them"],
)

# %% [markdown] id="choice-modes" objectives="CHO-1"
# ## Four modes
#
# Two tools for a harbour office, and one wish that fits the first. `FORCED_MODEL` is a model that accepts every mode;
# why this lesson needs such a model, you will see below.


# %% id="choice-tools"
@tool
def get_forecast(city: str) -> str:
    """Return tomorrow's weather forecast for a city: sky, temperature in °C, chance of rain."""
    return f"{city}: cloudy, 14 °C, rain 30 %"


@tool
def get_tide(harbour: str) -> str:
    """Return the next high and low tide of a harbour, in local time."""
    return f"{harbour}: high 10:20, low 16:40"


TOOLS = [get_forecast, get_tide]


def kinds(message):
    """What the message holds, without the thinking: 'text', or the name of the called tool."""
    return [
        block.name if block.type == "tool_use" else block.type
        for block in message.content
        if block.type != "thinking"
    ]


# %% [markdown] id="choice-modes-predict" tags=["task"]
# **Predict.** The wish is "Thank you, that is all." It needs no tool. One of the four modes below makes Claude call one
# all the same, without naming which. Which mode?

# %% id="choice-modes-guess"
predict(
    "choice-mode-must",
    "Which mode demands a call without naming it?",
    ["auto", "any", "tool", "none"],
)

# %% id="choice-modes-run"
modes = [{"type": "auto"}, {"type": "any"}, {"type": "tool", "name": "get_tide"}, {"type": "none"}]
for choice in modes:
    answer = ask("Thank you, that is all.", tools=TOOLS, tool_choice=choice, model=FORCED_MODEL)
    inputs = [block.input for block in answer.content if block.type == "tool_use"]
    print(f"{choice['type']:5}", answer.stop_reason, *kinds(answer), *inputs)

# %% [markdown] id="choice-modes-table"
# | `tool_choice` | what Claude may do | use it when |
# |---|---|---|
# | `{"type": "auto"}` | call tools or answer in words | nearly always; the default when you send tools |
# | `{"type": "any"}` | must call one of the tools | some structured answer is needed, whichever |
# | `{"type": "tool", "name": …}` | must call this tool | one step has to come first |
# | `{"type": "none"}` | must not call any | the tools stay in the request but should rest; the default without tools |
#
# `any` and `tool` are called **forced** choice. Older texts list three modes; `none` is the fourth. Look at the second and
# third row of the output again: a call came although the user wanted nothing, and its input had to come from somewhere.
# Force answers the question *whether* before Claude can ask it.

# %% [markdown] id="choice-mode-task" tags=["task"]
# **Your turn.** For each step, write the mode: `"auto"`, `"any"`, `"tool"` or `"none"`.

# %% id="choice-mode-pick" tags=["exercise"]
steps = {
    # BEGIN SOLUTION
    "a chat in which some questions need a look-up": "auto",
    "every mail must end in a call of one of five filing tools": "any",
    "the customer must be looked up before anything else": "tool",
    "write the summary now, call nothing more, keep the tools for later": "none",
    # OPEN
    # "a chat in which some questions need a look-up": ...,
    # "every mail must end in a call of one of five filing tools": ...,
    # "the customer must be looked up before anything else": ...,
    # "write the summary now, call nothing more, keep the tools for later": ...,
    # END SOLUTION
}
check("choice-pick-modes", steps)

# %% [markdown] id="choice-break-intro" tags=["task"]
# Break it on purpose: name a tool that is not among those you send. Read who complains, Claude or the API.

# %% id="choice-break" tags=["break"]
attempt(
    "Is it stormy?",
    tools=[get_tide],
    tool_choice={"type": "tool", "name": "get_storm"},
    model=FORCED_MODEL,
)

# %% [markdown] id="choice-prefill" objectives="CHO-2" tags=["task"]
# ## What force costs
#
# You want a forecast **and** one sentence about what Claude is going to do, to show to the user while the tool runs. First with
# `auto`:

# %% id="choice-auto-words"
wish = "Explain in one sentence what you are about to look up, then get the forecast for Busan."
free = ask(wish, tools=[get_forecast], tool_choice={"type": "auto"}, model=FORCED_MODEL)
kinds(free)

# %% [markdown] id="choice-prefill-task" tags=["task"]
# **Predict.** Now the same wish, with the tool forced. What is in the message?

# %% id="choice-prefill-guess"
predict(
    "choice-forced-kinds",
    "With the tool forced:",
    ["text and a call", "a call alone", "text alone"],
)

# %% id="choice-forced-words"
forced = ask(
    wish,
    tools=[get_forecast],
    tool_choice={"type": "tool", "name": "get_forecast"},
    model=FORCED_MODEL,
)
kinds(forced)

# %% [markdown] id="choice-prefill-why" misconceptions="forced-choice-explains"
# The sentence is gone, although you asked for it. To force a call, the API **begins Claude's turn itself**: it writes the
# opening of the call, and Claude can only go on from there. Where text would have stood, the call has already begun.
#
# > **Often believed:** a forced call still explains itself if the prompt insists. **In fact** no prompt brings the sentence
# > back; the place for it is taken. (Thinking, where it is on, may still come first. That is not text for your user.)
#
# Here is the same wish under all four modes, two beside two, one request each (`max_iterations=1`). A pair moves under one cursor.
# The first step holds the request, the second what Claude made of it.

# %% id="choice-side-by-side" tags=["change"]
sides = {}
for choice in modes:
    sides[choice["type"]] = run(
        client(),
        model=FORCED_MODEL,
        messages=wish,
        tools=TOOLS,
        tool_choice=choice,
        max_iterations=1,
    )
show(sides["auto"], compare=sides["any"], titles=["auto", "any"], start=1)

# %% id="choice-side-by-side-2"
show(sides["tool"], compare=sides["none"], titles=["tool", "none"], start=1)

# %% [markdown] id="choice-side-why"
# Under `auto` the sentence and the call; under `any` and `tool` the call alone, and under `tool` even the wrong one, because
# `modes` names `get_tide`; under `none` words alone. **Change** the wish above and run both cells again: does any wording bring the
# sentence back under force?

# %% [markdown] id="choice-keep" objectives="CHO-3" tags=["task"]
# ## Keep the sentence
#
# When you need the words and the call, leave the choice to Claude and *ask* for the tool in the user message.
#
# **Your turn.** Send a wish about the tide in Mokpo so that text comes, and then a call of `get_tide`.

# %% id="choice-keep-words" tags=["exercise"]
both = attempt(
    # BEGIN SOLUTION
    "Say in one sentence what you will look up, then use the get_tide tool for Mokpo.",
    tool_choice={"type": "auto"},
    # OPEN
    # ...,
    # END SOLUTION
    tools=TOOLS,
    model=FORCED_MODEL,
)
check("choice-keep-the-sentence", both)

# %% [markdown] id="choice-refuse" objectives="CHO-4 CHO-9" tags=["task"]
# ## Models that refuse
#
# **Predict.** `MODEL` is the model that the documentation recommends for most work. What does it answer to force?

# %% id="choice-refuse-guess"
predict(
    "choice-newest",
    "Force on the recommended model:",
    ["The call", "Words instead of a call", "A 400"],
)

# %% id="choice-refuse-run"
attempt(wish, tools=[get_forecast], tool_choice={"type": "any"}, model=MODEL)

# %% [markdown] id="choice-refuse-table" misconceptions="every-model-forcible"
# > **Often believed:** every model can be forced. **In fact** Opus 5.5, Sonnet 5.5, the Fable and Mythos models from 5.1 on
# > and Mythos Preview refuse it with this sentence (documentation of September 2026). Haiku 5.5, Opus 5, Sonnet 5 and
# > the older models accept it.
#
# A list like this goes out of date, so here is how you ask each model that is in service. (Offline the course's own table answers, checked
# 2026-12-01; with a key, the API does.)

# %% id="choice-refuse-each"
from course.facts import models

current = {entry.name: entry.id for entry in models().values() if entry.status == "current"}
for name, id in current.items():
    answer = attempt(wish, tools=[get_forecast], tool_choice={"type": "any"}, model=id)
    print(f"{name:15}", "refuses" if hasattr(answer, "status") else "accepts")

# %% [markdown] id="choice-prefill-intro"
# > **On the exam** a forced tool is the expected answer when a step must come first, or when some call must be guaranteed.
# > **Today** first ask which model it is.
#
# The same family of models also closed the older way of steering. A **prefill** is an assistant turn that you write yourself, at
# the end of the messages, for Claude to continue. Every model from Claude 4.6 on refuses it:

# %% id="choice-prefill-gone"
attempt(
    [
        {"role": "user", "content": wish},
        {"role": "assistant", "content": "Let me call get_forecast:"},
    ],
    tools=[get_forecast],
    model=MODEL,
)

# %% [markdown] id="choice-instead" tags=["task"]
# What to do instead, from the cheapest on: ask in words under `auto`; mark the tool `strict`, so that a call which comes has the
# right shape; if you wanted JSON rather than a tool, ask for it with `output_config.format`; and check in your
# harness that the call came, since `auto` guarantees nothing.
#
# **Your turn.** Write the function `settings(model)`: the `tool_choice` that gets `get_forecast` called, for a model
# that accepts force and for one that does not. `accepts_force` is given.

# %% id="choice-settings" tags=["exercise"]
from course.facts import model as facts_about


def accepts_force(model):
    return facts_about(model).forced


def settings(model):
    # BEGIN SOLUTION
    if accepts_force(model):
        return {"type": "tool", "name": "get_forecast"}
    return {"type": "auto"}
    # END SOLUTION


check("choice-per-model", settings)

# %% [markdown] id="choice-thinking" objectives="CHO-5" tags=["task"]
# ## Force and thinking
#
# Older texts call forced choice and extended thinking incompatible. Which thinking? There are two kinds: **manual** thinking, with a
# budget that you set, and **adaptive** thinking, where Claude decides how much.
#
# **Predict.** Which of the two does the API refuse together with force? (Only older models still take manual thinking, so the
# cell asks Haiku 4.5 for it.)

# %% id="choice-thinking-guess"
predict("choice-thinking-which", "Refused together with force:", ["Manual", "Adaptive", "Both"])

# %% id="choice-thinking-run"
force = {"tools": [get_forecast], "tool_choice": {"type": "any"}, "max_tokens": 4000}
manual = attempt(
    wish, model="claude-haiku-4-5", thinking={"type": "enabled", "budget_tokens": 1024}, **force
)
adaptive = attempt(wish, model=FORCED_MODEL, thinking={"type": "adaptive"}, **force)
print(manual.message)
print(kinds(adaptive))

# %% [markdown] id="choice-thinking-why"
# Manual thinking is refused together with force on every model that knows it; adaptive thinking goes with force wherever force is
# allowed at all.

# %% [markdown] id="choice-thinking-task" tags=["task"]
# **Your turn.** Which of these four requests does the API accept? `True` or `False`.

# %% id="choice-thinking-pick" tags=["exercise"]
accepted = {
    # BEGIN SOLUTION
    "manual thinking, auto": True,
    "manual thinking, any": False,
    "adaptive thinking, tool, a model that accepts force": True,
    "adaptive thinking, tool, the recommended model": False,
    # OPEN
    # "manual thinking, auto": ...,
    # "manual thinking, any": ...,
    # "adaptive thinking, tool, a model that accepts force": ...,
    # "adaptive thinking, tool, the recommended model": ...,
    # END SOLUTION
}
check("choice-thinking-combos", accepted)

# %% [markdown] id="choice-first" objectives="CHO-6" misconceptions="max-iterations-ends-loop" tags=["task"]
# ## Force the first step, then let go
#
# A support desk must look the customer up before it says anything. Force does that. But what if you keep it on? The
# next cell runs the loop of lesson 04 with force in **every** request.
#
# **Predict.** How does this run end?

# %% id="choice-first-guess"
predict(
    "choice-forever",
    "The run with force in every request ends with:",
    ["end_turn", "max_iterations", "an error"],
)


# %% id="choice-forever-run"
@tool
def find_customer(email: str) -> dict:
    """Find a customer's number and name by e-mail address."""
    return {"customer_id": "C-19", "name": "Ann Lee"}


hello = "Please greet the customer ann@example.org by name."
always = {"type": "tool", "name": "find_customer"}
stuck = run(
    client(),
    model=FORCED_MODEL,
    messages=hello,
    tools=[find_customer],
    tool_choice=always,
    max_iterations=4,
)
stuck.stop, len(stuck.trace.executions)

# %% [markdown] id="choice-first-why" tags=["task"]
# Four requests, four look-ups of the same customer, and no answer. While force is on, `end_turn` cannot come: each turn
# *must* be a call. Only the safety net ended it, and that is a fault of the program, not a way to stop.
#
# **Your turn.** Build it right. The first request below forces `find_customer`. Write `greet`: it hands the history to `run`,
# with the choice left to Claude, and returns the outcome.

# %% id="choice-first-then" tags=["exercise"]
first = ask(hello, tools=[find_customer], tool_choice=always, model=FORCED_MODEL)
lookup = next(block for block in first.content if block.type == "tool_use")
found = {
    "type": "tool_result",
    "tool_use_id": lookup.id,
    "content": str(find_customer(**lookup.input)),
}
history = [
    {"role": "user", "content": hello},
    {"role": "assistant", "content": first.content},
    {"role": "user", "content": [found]},
]


def greet(history):
    # BEGIN SOLUTION
    return run(client(), model=FORCED_MODEL, messages=history, tools=[find_customer])
    # END SOLUTION


check("choice-force-then-free", greet, history)

# %% [markdown] id="choice-strict" objectives="CHO-7" tags=["task"]
# ## A guaranteed shape
#
# You have no tool to run, you want *data*: fields from a letter, ready for a database. Old trick, still good where force is
# allowed: define a tool whose input **is** the record, force it, and never execute it.
#
# `any` or `tool` guarantees **that** a call comes. `strict: true` guarantees that its input **fits the schema**. Together they
# guarantee both, and neither promises that the values are true.

# %% id="choice-record"
record = {
    "name": "record_complaint",
    "description": "Record one complaint from a letter: about which order, and how urgent it is.",
    "strict": True,
    "input_schema": {
        "type": "object",
        "properties": {"order_id": {"type": "string"}, "urgency": {"enum": ["low", "high"]}},
        "required": ["order_id", "urgency"],
        "additionalProperties": False,
    },
}
letter = "To whom it may concern: ORD-81 came broken, and I need it by Friday, this is urgent!"
complaint = ask(letter, tools=[record], tool_choice={"type": "any"}, model=FORCED_MODEL)
next(block.input for block in complaint.content if block.type == "tool_use")

# %% [markdown] id="choice-strict-look" tags=["task"]
# Strict takes only schemas that it can hold to the letter. Loosen one line of it and see:

# %% id="choice-strict-change" tags=["change"]
loose = {**record, "input_schema": {**record["input_schema"], "additionalProperties": True}}
attempt(letter, tools=[loose], tool_choice={"type": "any"}, model=FORCED_MODEL)

# %% [markdown] id="choice-strict-task" tags=["task"]
# **Your turn.** Write the schema for `record_payment`: an amount (a number) and a currency, which is EUR, USD or KRW and nothing
# else. Both must always be there.

# %% id="choice-strict-own" tags=["exercise"]
schema = {
    "type": "object",
    # BEGIN SOLUTION
    "properties": {"amount": {"type": "number"}, "currency": {"enum": ["EUR", "USD", "KRW"]}},
    "required": ["amount", "currency"],
    "additionalProperties": False,
    # OPEN
    # "properties": ...,
    # END SOLUTION
}
check("choice-own-record", schema)

# %% [markdown] id="choice-cache" objectives="CHO-8" tags=["task"]
# ## What a change of mode does to the cache
#
# With a `cache_control` mark the API keeps the front part of a request, so that the next one with the same front costs
# a fraction. The order is tools, then system, then messages; what comes after a change must be written anew.
#
# **Predict.** Three requests with the same long system prompt and the same long message. The third changes only
# `tool_choice`. What is still read from the cache?

# %% id="choice-cache-guess"
predict(
    "choice-cache-what",
    "Kept when tool_choice changes:",
    ["Everything", "Tools and system", "Nothing"],
)

# %% id="choice-cache-run"
mark = {"cache_control": {"type": "ephemeral"}}


def marked(text):
    """A long text block, with a mark at its end."""
    return [{"type": "text", "text": text * 300, **mark}]


tides = get_tide.definition()
tides = {**tides, "description": tides["description"] + " South coast only." * 300, **mark}
rules = marked("House rules of the harbour office. ")
base = {"tools": [get_forecast, tides], "system": rules, "tool_choice": {"type": "auto"}}
turn = [{"role": "user", "content": marked("The log so far: calm. ")}]


def sent(**changed):
    """Send the request, with something changed, and return what its usage says."""
    return ask(turn, model=FORCED_MODEL, **{**base, **changed}).usage


# %% id="choice-cache-usage"
for mode in ("auto", "auto", "none"):
    used = sent(tool_choice={"type": mode})
    print(f"{mode:5} written {used.cache_creation_input_tokens:5}", end="   ")
    print(f"read {used.cache_read_input_tokens:5}")

# %% [markdown] id="choice-cache-why"
# The counts are estimates, as all token counts offline; what matters is which part moved. Tools and system were read again, the
# messages had to be written anew. (Run the cell twice, and all is read: the cache lives for five minutes.) The same goes for `disable_parallel_tool_use`, which lives inside `tool_choice`
# (lesson 06). A mode that flips at every turn throws the cached conversation away at every turn. (Beyond the exam.)

# %% [markdown] id="choice-cache-task" tags=["task"]
# **Your turn.** For each change between two requests: the first part that must be written anew, `"tools"`, `"system"` or
# `"messages"`.

# %% id="choice-cache-pick" tags=["exercise"]
written = {
    # BEGIN SOLUTION
    "tool_choice goes from auto to any": "messages",
    "a tool's description is mended": "tools",
    "disable_parallel_tool_use is switched on": "messages",
    "today's date is put into the system prompt": "system",
    # OPEN
    # "tool_choice goes from auto to any": ...,
    # "a tool's description is mended": ...,
    # "disable_parallel_tool_use is switched on": ...,
    # "today's date is put into the system prompt": ...,
    # END SOLUTION
}
check("choice-cache-parts", written)

# %% [markdown] id="choice-cache-judge"
# Now let `usage` be the judge of your table. Each bar is a request that differs from `base` in one thing; it shows the tokens that had
# to be written anew.

# %% id="choice-cache-chart"
from course.labs.chart import bars

mended = {**tides, "description": "Now mended. " + tides["description"]}
changes = {
    "nothing": {},
    "auto to any": {"tool_choice": {"type": "any"}},
    "one call at most": {"tool_choice": {"type": "auto", "disable_parallel_tool_use": True}},
    "date in system": {"system": marked("Today is Tuesday. ") + rules},
    "description": {"tools": [get_forecast, mended]},
}
anew = {what: sent(**change).cache_creation_input_tokens for what, change in changes.items()}
spoken = "Bars: " + ", ".join(f"{what} {count}" for what, count in anew.items())
bars("Written anew", anew, label="input tokens (estimate)", alt=spoken, number="{:.0f}")

# %% [markdown] id="choice-recap" tags=["recap"]
# ## Recap
#
# - `auto` leaves the choice to Claude, `any` demands some call, `tool` a certain one, `none` forbids them.
# - Force begins Claude's turn with a call, so no text comes before it. For words and a call: `auto`, and ask.
# - The newest models refuse force with a 400, and prefill is gone; ask in words, use `strict`, check in the harness.
# - Force one step, then go back to `auto`; force in every request leaves the loop no way to end.
#
# Run the next cell: your guesses from the top come back, beside the answers. Then answer these five questions without looking back.

# %% id="choice-look-back"
look_back("05")

# %% id="choice-quiz" tags=["quiz", "nbval-ignore-output"]
quiz("05")

# %% [markdown] id="choice-next" tags=["next"]
# ## Next
#
# **06 · Parallel calls**: several calls in one message, what that saves, and the one message all results belong in.
