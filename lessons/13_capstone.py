# %% [markdown] id="cap-title" tags=["title"]
# # Capstone: a support agent
#
# Everything so far, in one agent: four tools over a real database, an MCP server, a gate, structured errors, and a person to hand over to. It is graded by cases
# that you do not see, as in life.

# %% [markdown] id="cap-goals" tags=["goals"]
# **You will be able to**
#
# - design the tools of an agent from its duties
# - return structured errors, and enforce rules in code
# - bring an MCP server's tools into the same loop
# - test an agent by what it does, not by what it says

# %% [markdown] id="cap-before" tags=["before"]
# **Before you start:** lessons 03, 04, 07, 11 and 12. **Time:** about 60 minutes. The reference solution is in `solutions/13_capstone.ipynb`; look only after you have tried.

# %% id="cap-import"
from course.lesson import *

# %% [markdown] id="cap-pretest" tags=["pretest", "task"]
# ## Guess first
#
# Three questions before you begin.

# %% id="cap-pre-1" tags=["pretest"]
predict(
    "cap-pre-prose",
    "The agent says: 'I have refunded you.' How do you test it?",
    ["Search the answer for 'refunded'", "Look into the database", "Ask the agent"],
)

# %% id="cap-pre-2" tags=["pretest"]
predict(
    "cap-pre-limit",
    "Refunds above 100 euros need a manager. Where does the rule live?",
    ["In the system prompt", "In a gate", "In the tool's description"],
)

# %% id="cap-pre-3" tags=["pretest"]
predict(
    "cap-pre-who",
    "How does lookup_order know whose order may be shown?",
    ["From the e-mail in the call", "From the session", "From the model"],
)

# %% [markdown] id="cap-duties" objectives="CAP-1"
# ## The house you work for
#
# A shop with customers, orders and refunds, in SQLite. `Backend` has four operations, and raises `Failure` with a category and a retry flag when one cannot be done:
#
# | operation | gives |
# |---|---|
# | `shop.customer(email)` | number and name |
# | `shop.order(order_id)` | article, price, and **whose** it is |
# | `shop.refund(order_id, euros, key)` | pays, once for each `key`; asks nothing else |
# | `shop.escalate(summary)` | a ticket for a person |
#
# The rules of the house:
#
# - A customer sees only their own orders. Who is calling is known from the session, here `customer`; what a caller says about it proves nothing.
# - Refunds only after customer and order were looked up; at most 100 euros; the same wish (customer, order, amount) never pays twice.
# - What you may not do goes to a person, with a summary that spares them the transcript.

# %% id="cap-look"
from course.labs.support import Backend, Failure

shop = Backend()
print(shop.customer("ann@example.org"), shop.order("ORD-81"), sep="\n")
try:
    shop.order("ORD-1")
except Failure as failure:
    print(failure.as_json())

# %% [markdown] id="cap-break-task" tags=["task"]
# First, the naive agent: the operations as they are, no gate. **Predict** what Ann gets when she asks for Bo's order.

# %% id="cap-break-guess"
predict("cap-naive", "Ann asks for ORD-90, which is Bo's:", ["Bo's chair", "an error", "nothing"])


# %% id="cap-break" tags=["break"]
@tool
def lookup_order(order_id: str) -> dict:
    """Return one order by its number."""
    return shop.order(order_id)


naive = run(client(), model=MODEL, messages="What is in order ORD-90?", tools=[lookup_order])
[step.content for step in naive.trace.executions]

# %% [markdown] id="cap-tools" objectives="CAP-1" tags=["task"]
# ## Milestone 1 and 2: four tools, and errors that help
#
# **Make it.** Write the two reads: `get_customer(email)` and `lookup_order(order_id)`, with descriptions as in lesson 03. An order of somebody else must look as if it did not exist; `Failure.no_order(order_id)`
# is what an unknown one gets. `attempted` runs an operation and turns a `Failure` into a `ToolError` with its JSON: errorCategory, isRetryable, message (a convention of the exam's guide, lesson 07).
#
# The checks use a shop of their own, with other people and numbers.

# %% id="cap-make-reads" tags=["exercise"]
from course.harness import ToolError


def attempted(operation, *values):
    try:
        return operation(*values)
    except Failure as failure:
        raise ToolError(failure.as_json()) from None


def make_reads(shop, customer):
    # BEGIN SOLUTION
    @tool
    def get_customer(email: str) -> dict:
        """Find a customer's number and name by e-mail address. Use first. Returns no orders."""
        return attempted(shop.customer, email)

    # OPEN
    # # get_customer: with `attempted`, from shop.customer
    # END SOLUTION
    @tool
    def lookup_order(order_id: str) -> dict:
        """Return what is in one order of the customer: article, price, whether it is paid."""
        order = attempted(shop.order, order_id)
        # BEGIN SOLUTION
        if order["customer_id"] != customer:
            raise ToolError(Failure.no_order(order_id).as_json())
        # OPEN
        # # whose order is it?
        # END SOLUTION
        return order

    # BEGIN SOLUTION
    return [get_customer, lookup_order]
    # OPEN
    # return [lookup_order]
    # END SOLUTION


check("cap-two-reads", make_reads)

# %% [markdown] id="cap-writes-task" tags=["task"]
# **Make it.** Now the writes, `process_refund(order_id, euros, reason)` and `escalate_to_human(summary)`, and all four together. A refund needs a `key`: the same customer, order and amount is the same wish. And it must look at whose order it is: the reads know. The limit is not its business; that is the gate's, next.


# %% id="cap-make-writes" tags=["exercise"]
def make_tools(shop, customer):
    reads = make_reads(shop, customer)
    lookup_order = reads[-1]
    # BEGIN SOLUTION

    @tool
    def process_refund(order_id: str, euros: float, reason: str) -> dict:
        """Pay money back for an order of the customer. Look customer and order up first."""
        lookup_order(order_id)
        return attempted(shop.refund, order_id, euros, f"{customer}/{order_id}/{euros}")

    @tool
    def escalate_to_human(summary: str) -> dict:
        """Hand over to a person: exceptions to the rules, and anybody who asks for a human."""
        return attempted(shop.escalate, summary)

    return [*reads, process_refund, escalate_to_human]
    # OPEN
    # return [*reads]  # and the two writes
    # END SOLUTION


check("cap-four-tools", make_tools)

# %% [markdown] id="cap-gate" objectives="CAP-1" tags=["task"]
# ## Milestone 3: the gate
#
# **Make it.** Write `refund_gate(call, done)`: `process_refund` passes only after `get_customer` and `lookup_order` have succeeded, and only up to 100 euros. Above that, the denial says what to do instead.
# `done` holds the results so far, each with `call` and `is_error`.

# %% id="cap-refund-gate" tags=["exercise"]
from course.harness import Deny


def refund_gate(call, done):
    if call.name != "process_refund":
        return None
    # BEGIN SOLUTION
    succeeded = {r.call.name for r in done if not r.is_error}
    if not {"get_customer", "lookup_order"} <= succeeded:
        return Deny("First call get_customer and lookup_order, then process_refund again.")
    if call.input["euros"] > 100:
        return Deny("Above 100 euros a person decides: call escalate_to_human with a summary.")
    # OPEN
    # ...
    # END SOLUTION


check("cap-gate-holds", refund_gate)

# %% [markdown] id="cap-mcp" objectives="CAP-1" tags=["task"]
# ## Milestone 4: one MCP server
#
# The warehouse offers two tools by MCP, `stock.count` and `stock.reserve`. Each listed tool becomes one harness tool: its function opens a client, calls, and turns `isError` into a `ToolError`; a dot in its name,
# which the Claude API refuses, becomes `_`. (`call_tool` is a coroutine, so the harness must be `arun`; a tool may be an `async def`.)
#
# **Make it.** Complete `from_server(item)`. The check asks for lamps, for too many sofas, and for a boat, which is no article.

# %% id="cap-mcp-tool" tags=["exercise"]
from mcp import Client

from course.labs.support import warehouse


def from_server(item):
    async def function(**arguments):
        async with Client(warehouse()) as server:
            answer = await server.call_tool(item.name, arguments)
        text = answer.content[0].text
        # BEGIN SOLUTION
        if answer.is_error:
            raise ToolError(text)
        return text
        # OPEN
        # return text  # and when answer.is_error?
        # END SOLUTION

    name = item.name.replace(".", "_")
    return tool(name=name, description=item.description, input_schema=item.input_schema)(function)


check("cap-server-tools", from_server)

# %% id="cap-mcp-run"
async with Client(warehouse()) as server:
    warehouse_tools = [from_server(item) for item in (await server.list_tools()).tools]
[tool.name for tool in warehouse_tools]

# %% [markdown] id="cap-grade" objectives="CAP-1" tags=["task"]
# ## Milestone 5: the cases you do not see
#
# **Put it together**: your four tools, the warehouse's two, and your gate. The check plays nineteen conversations, each twice, with people, orders, amounts and words that this notebook does not know: refunds in order and
# out of order, at the limit, above it and twice; a stranger's order, and a caller who claims to be the stranger; services that are down; the warehouse. It looks into the database and at what was executed, and
# does not read a word of the agent's prose. A verdict names the rule that was broken, and the milestone that owns it.

# %% id="cap-assemble" tags=["exercise"]
from course.labs.cases import Agent


def all_tools(shop, customer):
    # BEGIN SOLUTION
    return [*make_tools(shop, customer), *warehouse_tools]
    # OPEN
    # return make_tools(shop, customer)
    # END SOLUTION


agent = Agent(
    tools=all_tools,
    # BEGIN SOLUTION
    gates=[refund_gate],
    # OPEN
    # gates=...,
    # END SOLUTION
    system="You help customers of a shop. Look up before you answer.",
)
check("cap-hidden-cases", agent)

# %% [markdown] id="cap-watch" tags=["task", "change"]
# Watch your agent once, step by step. Then change the wish, and see where it stops being good. (Here the stand-in chooses, not Claude.) Two refunds of 60 euros on one order, for
# example: each is below the limit, and the house may not have meant it so. That list is your next week's work in a real project.

# %% id="cap-watch-run" tags=["change"]
shop = Backend()
watched = await arun(
    async_client(),
    model=MODEL,
    messages="Find the customer ann@example.org and look up order ORD-81.",
    tools=agent.tools(shop, "C-19"),
    gates=[] if agent.gates is ... else agent.gates,
    system=agent.system,
)
show(watched)

# %% [markdown] id="cap-recap" tags=["recap"]
# ## Recap
#
# - Tools follow from duties: reads and writes apart, each with its border.
# - Errors carry a category, a retry flag and words; rules live in code, with the identity of the session.
# - An MCP tool is a tool: its errors go the same way.
# - An agent is tested by deeds: the database and the log, never the prose.
#
# Run the next cell: your guesses from the top come back, beside the answers. Then answer these five questions.

# %% id="cap-look-back"
look_back("13")

# %% id="cap-quiz" tags=["quiz", "nbval-ignore-output"]
quiz("13")

# %% [markdown] id="cap-next" tags=["next"]
# ## Next
#
# **14 · The exam**: what it asks, how it is scored, and how to use what you know.
