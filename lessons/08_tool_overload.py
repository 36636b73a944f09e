# %% [markdown] id="over-title" tags=["title"]
# # Tool-count overload
#
# An agent that can do everything is an agent that has to choose from everything. In this lesson you measure what that does to a
# choice, what the usual quick fix does, and what really helps.

# %% [markdown] id="over-goals" tags=["goals"]
# **You will be able to**
#
# - say what each further tool costs, with the published figures and where they come from
# - measure how often the right tool is chosen, and read the measurement honestly
# - explain why shorter descriptions make it worse
# - choose among the remedies in the right order, and plan the repair of a 50-tool agent

# %% [markdown] id="over-before" tags=["before"]
# **Before you start:** lesson 03. **Time:** about 35 minutes.

# %% id="over-import"
from course.lesson import *

# %% [markdown] id="over-pretest" tags=["pretest", "task"]
# ## Guess first
#
# Three questions before you have read a word.

# %% id="over-pre-1" tags=["pretest"]
predict(
    "over-pre-short",
    "Thirty tools, wrong choices. Somebody shortens all descriptions. What happens?",
    ["The choice gets better", "Nothing", "The choice gets worse"],
)

# %% id="over-pre-2" tags=["pretest"]
predict(
    "over-pre-siblings",
    "Which ten tools are hardest to tell apart?",
    ["Ten of one service", "Ten of ten services", "It makes no difference"],
)

# %% id="over-pre-3" tags=["pretest"]
predict(
    "over-pre-remedy",
    "What do you try first against too many tools?",
    ["Tool search", "A larger model", "Remove tools that this agent does not need"],
)

# %% [markdown] id="over-figures" objectives="OVR-1" misconceptions="more-tools-stronger"
# ## What the sources say
#
# | figure | who says it | about what |
# |---|---|---|
# | up to 5 best, 6–15 fine, 16 and more falling, 30 and more: redesign | a Korean CCA-F textbook | tools an agent sees |
# | 18 against 4–5 | the exam guide (July 2026) | one agent with everything against scoped agents |
# | accuracy drops past 30–50 | the documentation (September 2026) | tools in one request |
# | from 10 tools or 10,000 tokens on | the documentation (September 2026) | when tool search pays |
#
# They do not contradict each other: each is about another question. None is a law. Behind all of them stand the same four costs:
# more definition tokens in each request, more look-alikes, a worse choice, and more latency.
#
# > **Often believed:** more tools make a stronger agent. **In fact** each further tool adds one thing it *can* do, and a little
# > doubt about all the others.

# %% [markdown] id="over-lab" objectives="OVR-3"
# ## The laboratory
#
# The lab has 120 invented tools in 12 services, and 120 wishes with known right answers that were **not** used to write the descriptions. Claude is
# not here. In its place stand two **retrievers**, programs that rank texts by how well they fit a question, and they really run: `words` counts shared words (BM25), `meaning`
# compares embeddings, lists of numbers that lie close together for texts of like meaning. Each scores every tool for a wish; the highest score is the choice.

# %% id="over-look"
from course.labs.catalogue import services, tools, wishes

print(len(tools()), "tools,", len(services()), "services,", len(wishes(held=True)), "wishes")
print(tools()[0].name, "|", tools()[0].descriptions["good"])
print(wishes(held=True)[0].text)

# %% [markdown] id="over-fall-predict" tags=["task"]
# **Predict.** With 5 tools offered, the right one among them, `meaning` takes the right one about 7 times in 10. With all 120?

# %% id="over-fall-guess"
predict(
    "over-fall",
    "Right choices among 120 tools:",
    ["about 7 in 10", "about 5 in 10", "about 3 in 10"],
)

# %% id="over-fall-chart" tags=["nbval-ignore-output"]
from course.labs import overload

overload.picture(
    "Retrieval stand-in, not Claude", overload.curve("words"), overload.curve("meaning")
)

# %% [markdown] id="over-honest"
# The bands show how sure the figure is, given 120 wishes (95 %). Now be strict with this picture. A retriever gives each tool a score that
# does not depend on the others. Add a tool, and it can only steal the first place, never give it back. **So the curve must fall, for
# any such scorer.** The fall itself proves nothing about Claude, and the level even less: Claude reads, it does not count words.
#
# What the lab *can* teach is what **changes** the curve: descriptions, look-alikes, scoping, search. That is what you do now.

# %% [markdown] id="over-short" objectives="OVR-2" misconceptions="shorten-descriptions" tags=["task"]
# ## The quick fix that is none
#
# "Too many tokens: let us shorten the descriptions." Three styles of the same 120 tools: **good** (what, when, when not), **alike** (a vague
# sentence that the siblings share), **word** (one word).
#
# **Predict.** Order the three by right choices at 60 tools, best first.

# %% id="over-short-guess"
predict(
    "over-styles", "Best to worst:", ["good, alike, word", "word, good, alike", "no difference"]
)

# %% id="over-short-run" tags=["nbval-ignore-output"]
overload.picture(
    "The same tools, described three ways (meaning)",
    *(overload.curve("meaning", style) for style in ("good", "alike", "word")),
)

# %% [markdown] id="over-short-why" tags=["task"]
# > **Often believed:** too many tools, so shorten the descriptions. **In fact** shortening removes no tool. It takes away what tells them
# > apart. What does one get for it? Look at both columns:

# %% id="over-tokens-run"
for style in ("good", "alike", "word"):
    point = overload.curve("meaning", style, (60,)).points[0]
    print(f"{style:6} {point.tokens:5} tokens (estimate)   {point.accuracy:.0%} right")

# %% [markdown] id="over-short-task" tags=["task"]
# A quarter of the tokens is saved, and two in five of the right choices are lost. Names and schemas stay, and they weigh most.
#
# **Your turn.** Three services have a tool for searching, each described by the one word "search". Write a description for each, so that the
# `meaning` retriever tells them apart by your words alone (the names are hidden from it). Guessing is right for one wish in three; reach three in five. The check measures with 21 wishes, most of which you cannot see; three of them are
# below. It skips sentences with "not": they help Claude (lesson 03), but a retriever only sees that the words occur.

# %% id="over-seen"
searches = ("mail_search", "files_search", "tickets_search")
[(wish.tool, wish.text) for wish in wishes(held=False) if wish.tool in searches]

# %% id="over-mend" tags=["exercise"]
mended = {
    # BEGIN SOLUTION
    "mail_search": "Finds a message that somebody sent or that arrived, by sender or words.",
    "files_search": "Finds where something was written: searches documents, notes and plans.",
    "tickets_search": "Finds open or closed complaints and problems that people reported.",
    # OPEN
    # "mail_search": ...,
    # "files_search": ...,
    # "tickets_search": ...,
    # END SOLUTION
}
check("over-tell-apart", mended)

# %% [markdown] id="over-remedies" objectives="OVR-4" tags=["task"]
# ## What helps, in this order
#
# 1. **Remove and scope.** A tool that an agent's role never needs is only noise. The exam guide says the same: scoped sets, with a few
#    helpers across roles where they are needed often.
# 2. **Subagents.** A coordinator with few tools of its own hands a task to an agent that sees the tools of one service (hub and spoke).
# 3. **Hierarchy.** First choose the service, then the tool within it.
# 4. **Tool search.** Definitions stay out of the context until a search brings in the few that fit (lesson 09).
#
# **Predict.** The right tool stands among ten. Where is it found more often: if the other nine are drawn from everywhere, or if they belong to the same service?

# %% id="over-remedy-guess"
predict(
    "over-scope",
    "More right choices among:",
    ["ten drawn from everywhere", "ten of one service", "no difference"],
)

# %% id="over-remedy-run" tags=["nbval-ignore-output"]
from course.labs.chart import bars

found = {
    "all 120": overload.curve("meaning", sizes=(120,)).points[0],
    "10 at random": overload.curve("meaning", sizes=(10,)).points[0],
    "10 of its service": overload.scoped("meaning"),
    "service, then tool": overload.hierarchy("meaning"),
    "search loads 5": overload.search_first("meaning"),
}
shares = {name: point.accuracy for name, point in found.items()}
spoken = ", ".join(f"{name} {share:.2f}" for name, share in shares.items())
bars(
    "Right tool chosen, or among those loaded (meaning)",
    shares,
    label="share",
    alt=f"Bars: {spoken}.",
)

# %% [markdown] id="over-remedy-why" misconceptions="over-engineering"
# Read it with care. **Siblings hurt most**: ten tools of one service are harder to tell apart than ten drawn from everywhere, and still much easier than 120. (Nobody can draw
# ten at random and have the right one among them: that bar is there to compare with.) **A hierarchy is only as good as its first step**: this retriever often takes the wrong service, which no second choice can mend, and ends below the
# flat list. **Search** does not choose, it makes the list short; the right tool is among the five in six cases of ten, and the choice among five comes after.
#
# | | measured here, by the stand-in | published for Claude |
# |---|---|---|
# | more tools | falls from the first added tool on, as it must | accuracy drops past 30–50 (documentation, September 2026) |
# | with a search | among the five loaded: 0.61 | right on large sets of MCP tools: Opus 4 from 49 % to 74 %, Opus 4.5 from 79.5 % to 88.1 % (Anthropic's engineering blog, 24 November 2025) |
# | tokens of definitions | 120 tools: about 13,500 | about 55,000 for five MCP servers; a search saves more than 85 % (documentation, September 2026) |
#
# Claude's figures come from other tools, other tasks and older models, so compare directions and no heights. What this lab **cannot** show: how well any Claude chooses, where *its* accuracy begins to fall,
# and what a remedy would gain in your agent. That takes your tools and your wishes, on the real model.
#
# > **Often believed:** the cure is new machinery. **In fact** the first two remedies cost an afternoon and no new part. Machinery comes
# > when they are exhausted.

# %% [markdown] id="over-remedy-task" tags=["task"]
# **Your turn.** A support agent for refunds sees all 120 tools. Choose at most six names for it. It must look up a customer and an order, check who is
# calling, pay back within the rules, and hand over to a person. These four services are the ones to look at:

# %% id="over-scope-look"
near = ("customers", "orders", "billing", "tickets")
for name in near:
    print(*(tool.name for tool in tools() if tool.service == name), sep=", ")

# %% id="over-scope-set" tags=["exercise"]
scoped = [
    # BEGIN SOLUTION
    "customers_find",
    "customers_verify_identity",
    "orders_get",
    "billing_refund",
    "tickets_escalate",
    # END SOLUTION
]
check("over-scope-it", scoped)

# %% [markdown] id="over-tokens" objectives="OVR-5" tags=["task"]
# ## What definitions cost
#
# Beyond the exam, but on every bill. When a request has tools, the API builds a system prompt of its own around them: formatting instructions, then your
# definitions, then your system prompt, then the tool configuration. Without tools there is none of it. `count_tokens` shows what comes in (offline:
# an estimate, with the published overhead).
#
# **Predict.** "hi" without tools costs about ten tokens. And with one small tool?

# %% id="over-tokens-guess"
predict("over-one-tool", '"hi" with one small tool:', ["about 40", "about 150", "about 450"])


# %% id="over-count-run"
def counted(count):
    """Input tokens of the word "hi" with this many tools of the catalogue."""
    offered = [tool.definition() for tool in tools()[:count]]
    extra = {"tools": offered} if offered else {}
    hi = [{"role": "user", "content": "hi"}]
    return client().messages.count_tokens(model=MODEL, messages=hi, **extra).input_tokens


[(count, counted(count)) for count in (0, 1, 10, 60, 120)]

# %% [markdown] id="over-count-why" tags=["task"]
# The first tool brings the overhead; each further one brings itself. Published figures: the overhead of Opus 5 is 286 tokens with `auto` and 406 with forced
# choice (documentation of August 2026); five MCP servers together bring about 55,000 tokens before the first word (September 2026). Every request carries them
# again; a prompt cache makes them cheaper, not shorter.
#
# **Your turn.** Roughly how many tokens does one tool of this catalogue bring, the overhead left out? Compute it with `counted`.

# %% id="over-per-tool" tags=["exercise"]
# BEGIN SOLUTION
per_tool = (counted(120) - counted(20)) / 100
# OPEN
# per_tool = ...
# END SOLUTION
check("over-token-price", per_tool, counted)

# %% [markdown] id="over-break-intro" tags=["task"]
# Break it once: two services joined in a hurry brought the same tool name twice. What does the API say?

# %% id="over-break" tags=["break"]
attempt("hi", tools=[tools()[0].definition(), tools()[0].definition()])

# %% [markdown] id="over-plan" objectives="OVR-6" tags=["task"]
# ## A plan for fifty tools
#
# The classic open question: *an agent has 50 tools and picks wrong ones. Plan the repair in three steps.* **Classify** the tools by role, service and
# risk. **Delegate** each group to an agent that sees only it. **Refactor** the definitions that are left: descriptions, names, exclusion
# sentences. For each step say what you expect and how you will measure it, or nobody will know whether it worked.
#
# **Your turn.** Write your plan, a sentence or two for each part. The check looks for the parts, not for the style. The last of the
# questions at the end asks for such a plan for a certain agent, with a rubric and a model answer to compare with.

# %% id="over-plan-write" tags=["exercise"]
plan = {
    # BEGIN SOLUTION
    "classify": "Group the 50 tools by role and service; drop those nobody called in a month.",
    "delegate": "A coordinator hands tasks to subagents that see 5 to 8 tools each.",
    "refactor": "Rewrite descriptions: what, when, when not, and exclusions for look-alikes.",
    "measure": "Right tool on 100 held-out wishes, and tokens of definitions, before and after.",
    # OPEN
    # "classify": ...,
    # "delegate": ...,
    # "refactor": ...,
    # "measure": ...,
    # END SOLUTION
}
check("over-three-steps", plan)

# %% [markdown] id="over-live" objectives="OVR-3"
# ## With a key: ask Claude
#
# The same wishes can be put to Claude, on a subset. The cost is said first, and nothing is sent unless `live()` says so.

# %% id="over-live-plan"
from course.labs.live import choose, plan as live_plan, share

what = live_plan(FORCED_MODEL, size=60, count=20)
print(
    f"{len(what.asked)} requests, about {what.input_tokens} tokens in,"
    f" about {what.usd:.2f} USD (estimate)"
)

# %% id="over-live-run" tags=["live"]
if live():
    print(f"{share(list(choose(client(), what))):.0%} right")

# %% [markdown] id="over-recap" tags=["recap"]
# ## Recap
#
# - Each tool costs tokens in every request and a little certainty in every choice; 5, 16, 18, 30–50: four figures, four questions.
# - A falling curve of a fixed scorer is a necessity; what moves the curve is what teaches.
# - Shorter descriptions remove no tool and blur all of them.
# - Remove and scope, then subagents, then hierarchy, then search; classify, delegate, refactor, and measure each.
#
# Run the next cell: your guesses from the top come back, beside the answers. Then answer these five questions without looking back. The last one is open: write your plan, then mark it by the rubric.

# %% id="over-look-back"
look_back("08")

# %% id="over-quiz" tags=["quiz", "nbval-ignore-output"]
quiz("08", last="ovr-fifty-tool-plan")

# %% [markdown] id="over-next" tags=["next"]
# ## Next
#
# **09 · Tool search and programmatic calling**: definitions that stay out of the context until they are needed.
