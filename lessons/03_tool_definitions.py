# %% [markdown] id="def-title" tags=["title"]
# # Tool definitions
#
# Claude never sees your function. It sees a name, a description and a schema, and chooses by them. This lesson is about those few lines: the
# cheapest place to make an agent better, and the commonest place where it goes wrong.

# %% [markdown] id="def-goals" tags=["goals"]
# **You will be able to**
#
# - write a definition that is chosen when it should be, and only then
# - tell look-alike tools apart with exclusion sentences, and test the border between them
# - narrow a schema, and say what `strict` adds and what it does not
# - decide whether to split a tool or to keep it whole

# %% [markdown] id="def-before" tags=["before"]
# **Before you start:** lessons 01 and 02. **Time:** about 40 minutes.

# %% id="def-import"
from course.lesson import *

# %% [markdown] id="def-pretest" tags=["pretest", "task"]
# ## Guess first
#
# Three questions before you have read a word.

# %% id="def-pre-1" tags=["pretest"]
predict(
    "def-pre-what",
    "Two tools have different names and the same description. How well does the choice work?",
    ["Well: names tell them apart", "Badly: it is close to chance", "The API refuses it"],
)

# %% id="def-pre-2" tags=["pretest"]
predict(
    "def-pre-strict",
    "`strict: true` on a refund tool guarantees that …",
    ["the refund is allowed", "the input fits the schema", "it is called at most once"],
)

# %% id="def-pre-3" tags=["pretest"]
predict(
    "def-pre-missing",
    "The user forgot a required detail. What decides whether Claude asks or guesses?",
    ["The contract you wrote, and the model", "Always asks", "Always guesses"],
)

# %% [markdown] id="def-parts" objectives="DEF-1" tags=["task"]
# ## Three parts
#
# | part | what it is for | rule |
# |---|---|---|
# | `name` | how a call refers to the tool | 1 to 128 of letters, digits, `_` and `-` |
# | `description` | what Claude chooses by | free text; three or four sentences or more |
# | `input_schema` | what the arguments must look like | JSON Schema whose root is an object |
#
# Break it first. Two names that look innocent, and a schema that is none:

# %% id="def-break" tags=["break"]
for name, schema in (
    ("get weather", {"type": "object"}),
    ("x" * 129, {"type": "object"}),
    ("get_weather", {"type": "array"}),
):
    print(attempt("hi", tools=[{"name": name, "description": "…", "input_schema": schema}]).message)

# %% [markdown] id="def-parts-note"
# (Older texts give 64 characters; 128 is what the API has said since 2025, and the documentation since September 2026. A union such as `oneOf` at
# the root is refused, too.)

# %% [markdown] id="def-parts-task" tags=["task"]
# **Your turn.** Write the definition of a tool that counts the free seats of a flight. One argument, `flight`, such as KE901, is required.

# %% id="def-by-hand" tags=["exercise"]
seats_left = {
    # BEGIN SOLUTION
    "name": "seats_left",
    "description": "Returns how many seats are still free on a flight today. "
    "Use when a flight number is given. Books nothing.",
    "input_schema": {
        "type": "object",
        "properties": {"flight": {"type": "string", "description": "Flight number such as KE901"}},
        "required": ["flight"],
    },
    # OPEN
    # "name": ...,
    # "description": ...,
    # "input_schema": ...,
    # END SOLUTION
}
check("def-write-one", seats_left)

# %% [markdown] id="def-function" objectives="DEF-11"
# ## From a function
#
# Beyond the exam: you rarely write that by hand. Name, docstring and signature hold all of it already. `tool` reads them; so do the SDK's `@beta_tool` and
# OpenAI's `@function_tool`.

# %% id="def-function-run"
from typing import Literal


@tool
def set_alarm(time: str, repeat: Literal["once", "daily"] = "once") -> str:
    """Set an alarm on the user's own phone. Do not use for calendar events.

    Args:
        time: Local time such as 07:30.
        repeat: How often it rings.
    """
    return f"alarm at {time}, {repeat}"


set_alarm.definition()

# %% [markdown] id="def-alike" objectives="DEF-2 DEF-3" tags=["task"]
# ## The look-alike pair
#
# A developer registers two tools. One searches the help articles. The other gives back an answer found earlier, and costs nothing. Both say the same.
#
# **Predict.** Eight fresh questions, none of them asked before: all belong to the search. How many go there?

# %% id="def-alike-guess"
predict("def-alike-count", "Of 8 questions, the search gets:", ["8", "about half", "0"])

# %% id="def-alike-run"
QUESTIONS = [
    "How do I reset my password?",
    "What does the warranty cover?",
    "Which plan includes phone support?",
    "Where can I change my address?",
    "How long is delivery?",
    "What are the opening hours?",
    "Can I pay by invoice?",
    "Is there a student discount?",
]


# %% id="def-alike-pair"
def pair(search, cached):
    """The two tools, described like this."""
    query = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
    described = {"search_knowledge_base": search, "get_cached_result": cached}
    return [
        {"name": name, "description": text, "input_schema": query}
        for name, text in described.items()
    ]


def first_choice(wish, tools, **settings):
    """The name of the first tool that is called, or None."""
    blocks = ask(wish, tools=tools, **settings).content
    return next((block.name for block in blocks if block.type == "tool_use"), None)


SAME = "Use this to find information."
alike = pair(SAME, SAME)
[first_choice(question, alike) for question in QUESTIONS].count("search_knowledge_base")

# %% [markdown] id="def-alike-why" tags=["task"]
# Close to chance, and different names did not help. (The stand-in chooses by words. Claude reads better; but two tools that read alike give it nothing to
# choose by either.) Every test with a single tool was green, and the schema is valid: neither shows anything about the **choice at the border**. Test with
# inputs from the border.
#
# **Your turn.** Mend it with one **exclusion sentence** on each side: when *not* this one, or *only* after what. The check asks the eight questions, and then one of
# them again in the same conversation.

# %% id="def-alike-mend" tags=["exercise"]
mended = pair(
    # BEGIN SOLUTION
    f"{SAME} Do not use if it was already called for the same question.",
    f"{SAME} Only use if search_knowledge_base was already called for the same question.",
    # OPEN
    # f"{SAME} ...",
    # f"{SAME} ...",
    # END SOLUTION
)
check("def-tell-apart", mended)

# %% [markdown] id="def-history-intro" misconceptions="model-remembers" tags=["task"]
# "Only if it was called **earlier**": how does Claude know what was earlier? From the history in the request, and from nothing else.
#
# **Predict.** We ask the same question twice. The second time once with the whole history, once with only the last message. Which tool is chosen without the
# history?

# %% id="def-history-guess"
predict(
    "def-history-dropped", "Without the history:", ["the cached one", "the search again", "none"]
)

# %% id="def-history-run"
EXCLUSIONS = pair(
    f"{SAME} Do not use if it was already called for the same question.",
    f"{SAME} Only use if search_knowledge_base was already called for the same question.",
)
once = run(
    client(
        script=[[call("search_knowledge_base", query="reset password")], "Settings, then Security."]
    ),
    model=MODEL,
    messages=QUESTIONS[0],
    tools=[tool(name="search_knowledge_base")(lambda query: "Settings, then Security.")],
)
again = {"role": "user", "content": QUESTIONS[0]}
first_choice([*once.messages, again], EXCLUSIONS), first_choice([again], EXCLUSIONS)

# %% [markdown] id="def-history-why"
# The sentence was still there; its condition could no longer be seen. Whoever shortens the history to save tokens switches such sentences off without an
# error.

# %% [markdown] id="def-describe" objectives="DEF-2 DEF-10" misconceptions="over-engineering" tags=["task"]
# ## What a description must say
#
# What the tool does and returns · when to use it · when not, and what instead · what each parameter means, with a form ("such as ORD-81") · limits. Concrete
# examples beat abstract words. When a wrong tool is chosen, mend this first.
#
# > **Often believed:** a wrong choice needs new machinery: a router, a classifier, a larger model. **In fact** two sentences are the cheapest repair of the root cause. Machinery
# > comes after they were tried.
#
# Two more things pull the choice. **Names**: a prefix per service (`github_`, `slack_`) keeps families apart. **The system prompt**: its words count as well, even against
# a description.

# %% id="def-system-run" tags=["change"]
twins = [
    {
        "name": name,
        "description": "Looks up what we know about a person.",
        "input_schema": {"type": "object", "properties": {"name": {"type": "string"}}},
    }
    for name in ("employee_lookup", "customer_lookup")
]
for system in ("You help people.", "You serve customers."):
    print(first_choice("Look up Bo Lind.", twins, system=system), "←", system)

# %% [markdown] id="def-system-why" tags=["task"]
# Change the system prompts and watch. An audit of trigger words in the system prompt belongs to every hunt for misrouted calls.
#
# **Clinic.** Five tools, five useless descriptions. Rewrite the descriptions; the names stay as bad as they are. The check measures twelve wishes at the borders between
# them, and wants eleven right.

# %% id="def-clinic" tags=["exercise"]
CLINIC = {
    # BEGIN SOLUTION
    "lookup": "Returns what is in one order: items, cost and whether it is paid. "
    "Use when an order number such as ORD-81 is given. Not for where the parcel is.",
    "locate": "Tells where the parcel of an order is now and when the delivery will arrive. "
    "Not for what is in the order.",
    "process": "Pays money back for an order, a refund, for example because it came broken. "
    "Only use when the customer asks for money back.",
    "check": "Finds a customer's number and name by e-mail address or name. "
    "Returns no orders and no invoices.",
    "report": "Lists the invoices of a customer with a number such as C-19, "
    "and which of them are unpaid or overdue.",
    # OPEN
    # "lookup": ...,    # what one order holds
    # "locate": ...,    # where its parcel is
    # "process": ...,   # pays money back
    # "check": ...,     # finds a customer's number
    # "report": ...,    # a customer's invoices
    # END SOLUTION
}
check("def-clinic-five", CLINIC)

# %% [markdown] id="def-narrow" objectives="DEF-4 DEF-12" tags=["task"]
# ## Narrow the schema, settle the missing
#
# A schema is the second half of the contract. Types, `enum`, `required`, formats, a description for each parameter and `additionalProperties: false` leave less to guess.
#
# **Predict.** "Book a table at Luigi's." The tool needs restaurant, people and time. What do two models do about the two that are missing?

# %% id="def-missing-guess"
predict("def-missing-both", "The two models:", ["both ask", "both guess", "one asks, one guesses"])


# %% id="def-missing-run"
@tool
def book_table(restaurant: str, people: int, time: str) -> str:
    """Book a table at a restaurant for some people at a time today."""
    return "booked"


for model in (MODEL, FORCED_MODEL):
    answer = ask("Book a table at Luigi's.", tools=[book_table], model=model)
    print(
        answer.stop_reason,
        [b.input for b in answer.content if b.type == "tool_use"] or text_of(answer),
    )

# %% [markdown] id="def-missing-why" tags=["task"]
# The documentation says that Opus models ask much more often, and others may guess; the stand-in imitates both. Four invented guests at nine in the morning are a fault of
# the **contract**, not of luck. Settle it there: `required`, and a sentence such as "ask the user if it was not said".
#
# **Your turn.** Narrow this one. A transfer needs an account, an amount above zero in EUR or USD, and nothing else may be sent along. Say for the currency what to do when the user did not
# name it.

# %% id="def-narrow-it" tags=["exercise"]
transfer = {
    "type": "object",
    # BEGIN SOLUTION
    "properties": {
        "account": {"type": "string", "description": "Account such as A-3"},
        "amount": {"type": "number", "exclusiveMinimum": 0},
        "currency": {
            "type": "string",
            "enum": ["EUR", "USD"],
            "description": "Ask the user if it was not said.",
        },
    },
    "required": ["account", "amount", "currency"],
    "additionalProperties": False,
    # OPEN
    # "properties": {"account": {}, "amount": {}, "currency": {}},
    # END SOLUTION
}
check("def-narrow-schema", transfer)

# %% [markdown] id="def-strict" objectives="DEF-6" misconceptions="strict-is-safe" tags=["task"]
# ## strict, and its limits
#
# `strict: true` makes sampling follow a grammar: the call's name and input **will** fit the schema (models from Claude 4.5 on). The price is a smaller language for schemas.
#
# **Predict.** Your `transfer` says `exclusiveMinimum: 0`. May it be strict?

# %% id="def-strict-guess"
predict(
    "def-strict-minimum",
    "With strict: true, the API …",
    ["takes it", "refuses the minimum", "ignores the minimum"],
)

# %% id="def-strict-run"
amount = {
    "type": "object",
    "properties": {"amount": {"type": "number", "exclusiveMinimum": 0}},
    "required": ["amount"],
    "additionalProperties": False,
}
attempt(
    "hi", tools=[{"name": "transfer", "description": "…", "strict": True, "input_schema": amount}]
)

# %% [markdown] id="def-strict-why" tags=["task"]
# Numeric bounds, recursion and lookaround are refused; objects must be closed. The documentation counts string lengths among what is refused, too; probes of September 2026 found them
# accepted and not kept, so don't rely on them either way. One request may hold 20 strict tools, 24 optional parameters and 16 parameters with a union type (documentation of August and
# September 2026).
#
# > **Often believed:** strict means safe. **In fact** it shapes the input. It does not ask whether this user may do this (authorise), whether it was done already (deduplicate), or whether the
# > value is true. A refusal or `max_tokens` can still break the shape.
#
# **Your turn.** Which of these does strict guarantee? `True` or `False`.

# %% id="def-strict-sort" tags=["exercise"]
guarantees = {
    # BEGIN SOLUTION
    "the currency is one of the enum": True,
    "the caller may see this account": False,
    "no unknown field is sent along": True,
    "the same refund is not paid twice": False,
    # OPEN
    # "the currency is one of the enum": ...,
    # "the caller may see this account": ...,
    # "no unknown field is sent along": ...,
    # "the same refund is not paid twice": ...,
    # END SOLUTION
}
check("def-strict-or-not", guarantees)

# %% [markdown] id="def-fields" objectives="DEF-7 DEF-8" tags=["task"]
# ## The other fields
#
# Beyond the exam. `input_examples` shows whole inputs; each must fit the schema and costs tokens (about 20 to 50, nested ones 100 to 200); for your own tools only, and it works with tool search (older
# texts say otherwise). `cache_control` marks the end of a cached part, `defer_loading` keeps a definition out until a search finds it, `allowed_callers` says who may call, `eager_input_streaming`
# streams the input as it is written.
#
# **Your turn.** Add two examples to this tool that the API accepts, one of them with the optional field.

# %% id="def-examples" tags=["exercise"]
ticket = {
    "name": "open_ticket",
    "description": "Opens a support ticket.",
    "input_schema": {
        "type": "object",
        "properties": {"title": {"type": "string"}, "priority": {"enum": ["low", "high"]}},
        "required": ["title"],
    },
    # BEGIN SOLUTION
    "input_examples": [{"title": "Login fails"}, {"title": "Shop is down", "priority": "high"}],
    # OPEN
    # "input_examples": ...,
    # END SOLUTION
}
check("def-two-examples", ticket)

# %% [markdown] id="def-five" objectives="DEF-5" tags=["task"]
# ## Five decisions
#
# Designing a tool means deciding five things, in this order. Take *order help*: **1** the **boundary** (reading an order and refunding it are two tools). **2** what is **required** (the order number; without it, ask).
# **3** how **tight** each type is (a pattern for the number, an enum for the reason). **4** what the description **includes and excludes** ("not for where the parcel is"). **5** **independent or chained** (several look-ups may run in
# parallel; a refund comes after the look-up).
#
# **Your turn.** Which decision went wrong? Write its number for each symptom.

# %% id="def-five-sort" tags=["exercise"]
symptoms = {
    # BEGIN SOLUTION
    "parcel questions end up in the order look-up": 4,
    "the reason field holds poems": 3,
    "one tool reads, refunds and deletes, told apart by `action`": 1,
    "refunds start before the order was looked at": 5,
    "calls come without an order number": 2,
    # OPEN
    # "parcel questions end up in the order look-up": ...,
    # "the reason field holds poems": ...,
    # "one tool reads, refunds and deletes, told apart by `action`": ...,
    # "refunds start before the order was looked at": ...,
    # "calls come without an order number": ...,
    # END SOLUTION
}
check("def-which-decision", symptoms)

# %% [markdown] id="def-split" objectives="DEF-9" tags=["task"]
# ## Split or keep whole?
#
# > **On the exam** a catch-all tool is split into narrow ones, each with a clear contract. **Today's** tool documentation advises to *consolidate* closely related operations behind one tool with an action
# > parameter (September 2026).
#
# Both are right, about different tools. Three questions decide: do the operations have the same **permissions**, the same **audit** trail, and the same **retry** policy? Reads and writes do not: apart. Four small reads of one calendar
# do: together.
#
# **Your turn.** `"split"` or `"together"`?

# %% id="def-split-sort" tags=["exercise"]
operations = {
    # BEGIN SOLUTION
    "read an invoice / pay an invoice": "split",
    "list, get and count a user's notes": "together",
    "look a user up / delete a user": "split",
    "convert km to miles / kg to pounds": "together",
    # OPEN
    # "read an invoice / pay an invoice": ...,
    # "list, get and count a user's notes": ...,
    # "look a user up / delete a user": ...,
    # "convert km to miles / kg to pounds": ...,
    # END SOLUTION
}
check("def-split-or-not", operations)

# %% [markdown] id="def-recap" tags=["recap"]
# ## Recap
#
# - The description decides: what, when, when not, each parameter, limits. Mend it before you build anything.
# - Look-alikes need an exclusion sentence on each side, tests at the border, and the whole history.
# - A narrow schema and a settled "ask if missing" prevent guesses; strict guarantees the shape and nothing else.
# - Permissions, audit and retry policy decide whether to split; for the exam, split.
#
# Run the next cell: your guesses from the top come back, beside the answers. Then answer these five questions without looking back.

# %% id="def-look-back"
look_back("03")

# %% id="def-quiz" tags=["quiz", "nbval-ignore-output"]
quiz("03")

# %% [markdown] id="def-next" tags=["next"]
# ## Next
#
# **04 · The agent loop**: half a page of code around all this.
