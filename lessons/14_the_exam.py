# %% [markdown] id="exam-title" tags=["title"]
# # The exam
#
# What the *Claude Certified Architect – Foundations* exam asks, how an item wants to be read, and what your practice score does and does not tell you.

# %% [markdown] id="exam-goals" tags=["goals"]
# **You will be able to**
#
# - state the format of the exam, with its date, and say what is unknown
# - read an item for its root cause and its qualifier
# - answer as the exam guide says, and build as today's documentation says
# - use a score, an interval and a schedule to decide what to do next

# %% [markdown] id="exam-before" tags=["before"]
# **Before you start:** as many of the other lessons as you like. **Time:** about 40 minutes, and 20 more for the mini form at the end.

# %% id="exam-import"
from course.lesson import *

# %% [markdown] id="exam-pretest" tags=["pretest", "task"]
# ## Guess first
#
# Three questions before you have read a word.

# %% id="exam-pre-1" tags=["pretest"]
predict(
    "exam-pre-pass",
    "How many of 60 items do you need right to pass?",
    ["42", "44", "Nobody outside knows"],
)

# %% id="exam-pre-2" tags=["pretest"]
predict(
    "exam-pre-qualifier",
    "Two options would both work. What decides?",
    ["The longer one", "The qualifier in the question", "The newer technique"],
)

# %% id="exam-pre-3" tags=["pretest"]
predict(
    "exam-pre-differ",
    "The exam guide and today's documentation differ. Which answer counts on the exam?",
    ["The guide's", "The documentation's", "Both"],
)

# %% [markdown] id="exam-format" objectives="EXM-1"
# ## The facts, with their date
#
# Facts about an exam age. The course keeps them in one dated file, read here; when they are older than 60 days, your progress report says so. Then look at the official page before you book.

# %% id="exam-facts"
from course.facts import load

exam = load("exam")
print(exam["name"], "|", exam["code"], "| guide", exam["guide"], "| checked", exam["checked_on"])
print(exam["items"], "items,", exam["minutes"], "minutes, pass at", exam["pass_scaled"])
for domain in exam["domain"]:
    print(
        f"  {domain['number']} {domain['title']}: {domain['percent']} %,",
        f"about {domain['items']} items",
    )
print("unknown:", "; ".join(exam["unknown"]))

# %% [markdown] id="exam-format-why" tags=["task"]
# The score is *scaled* from 100 to 1000; how many right answers make 720 is not published. What is asked, and around what:

# %% id="exam-facts-more"
print(exam["kinds"])
print(exam["scenarios_drawn"], "of these scenarios, and every item is framed by one of them:")
for scenario in exam["scenario"]:
    print(f"  {scenario['title']} (domains {', '.join(map(str, scenario['domains']))})")
print("not asked:", ", ".join(exam["out_of_scope"]["topics"]))
print("in no objective:", ", ".join(exam["out_of_scope"]["in_no_objective"]))
print(f"{exam['price_usd']} dollars, valid {exam['valid_months']} months;", exam["registration"])
print(
    "retakes after", exam["retake_wait_days"], "days,", exam["attempts_a_year"], "attempts a year"
)
print("this course:", ", ".join(task["number"] for task in exam["task"] if task["covered"]))

# %% [markdown] id="exam-cover" tags=["task"]
# The last line holds the exam tasks that this course teaches: all of domain 2 (tool design and MCP), and of domains 1, 4 and 5 what touches tools. It does **not** prepare you for the rest: mind the percentages above.
#
# **Your turn.** From the printed facts, compute the share of the exam (in percent) that is domain 2.

# %% id="exam-share" tags=["exercise"]
# BEGIN SOLUTION
share = next(domain["percent"] for domain in exam["domain"] if domain["number"] == 2)
# OPEN
# share = ...
# END SOLUTION
check("exam-domain-two", share)

# %% [markdown] id="exam-read" objectives="EXM-1" tags=["task"]
# ## How to read an item
#
# An exam-like item is a small production story: a symptom with numbers, a goal, and a **qualifier** such as *most effective first step* or *root cause*. Four habits:
#
# 1. Say the root cause in your own words **before** you read the options.
# 2. Underline the qualifier. "First step" wants the cheapest change that reaches the cause; "guarantee" wants code, not a prompt.
# 3. Good distractors are real techniques **one layer off**: a stronger prompt where a gate is needed, few-shot examples where a description is at fault, a router before a cheap repair.
# 4. Prefer what keeps information for the next decision and gives the least privilege.
#
# **Your turn.** Sort these qualifiers by what they ask for: `"cheap"` (the cheapest change at the cause) or `"certain"` (what cannot fail).

# %% id="exam-qualifiers" tags=["exercise"]
asks = {
    # BEGIN SOLUTION
    "most effective first step": "cheap",
    "must never be refunded twice": "certain",
    "guarantees that the customer was verified": "certain",
    "what should you try before adding components": "cheap",
    # OPEN
    # "most effective first step": ...,
    # "must never be refunded twice": ...,
    # "guarantees that the customer was verified": ...,
    # "what should you try before adding components": ...,
    # END SOLUTION
}
check("exam-read-qualifiers", asks)

# %% [markdown] id="exam-layers-task" tags=["task"]
# Now one whole item, of our own making like all in this course. Read the stem, and say the root cause aloud before you run the next cell.
#
# > An agent reads build logs with `get_log(build_id)`, which returns the whole log, up to 40,000 lines. In 23 of the last 60 failed builds its summary missed an error near the end of the log; where the log had fewer than
# > 2,000 lines, it missed none. What is the most effective first step?

# %% id="exam-layers-options"
options = {
    "filter": "Let get_log take a severity, and return matching lines and how many there are",
    "plead": "Tell the agent in the system prompt to read every log to its very last line",
    "model": "Move the agent to a model with a larger context window for long builds",
    "second": "Put a second agent before it that summarises each log for the first one",
}
for name, text in options.items():
    print(f"{name}: {text}")

# %% [markdown] id="exam-layers-make" tags=["task"]
# **Your turn.** Which layer does each option change: `"tool"`, `"prompt"`, `"model"` or `"component"` (one more part)? And which one is the `"key"`, the name of the right option?

# %% id="exam-layers" tags=["exercise"]
layers = {
    # BEGIN SOLUTION
    "filter": "tool",
    "plead": "prompt",
    "model": "model",
    "second": "component",
    "key": "filter",
    # OPEN
    # "filter": ...,
    # "plead": ...,
    # "model": ...,
    # "second": ...,
    # "key": ...,
    # END SOLUTION
}
check("exam-name-the-layer", layers)

# %% [markdown] id="exam-two" objectives="EXM-1"
# ## Two truths
#
# The exam is written against its guide, and the API lives on. Where the two differ, the exam's answer is the guide's, and your code follows the documentation. This is the whole list that the course knows of, with what it
# teaches; where the guide says nothing, older texts differ from today's.

# %% id="exam-differences"
two_truths()

# %% [markdown] id="exam-break-task" tags=["task"]
# One of these you can see with your own eyes. The guide forces a tool to guarantee a first step. **Predict** what comes from `MODEL`, one of the newest.

# %% id="exam-break-guess"
predict("exam-forced", "A forced tool on one of the newest models:", ["the call", "a 400"])


# %% id="exam-break" tags=["break"]
@tool
def find_customer(email: str) -> str:
    """Find a customer's number by e-mail address."""
    return "C-19"


attempt("Hello!", tools=[find_customer], tool_choice={"type": "tool", "name": "find_customer"})

# %% [markdown] id="exam-two-task" tags=["task"]
# Both are true: with `model=FORCED_MODEL` added to the call above, the same request is taken. The exam asks what forcing is *for*; your code asks which model it talks to.
#
# **Your turn.** Whose answer is it? `"exam"` or `"docs"`.

# %% id="exam-whose" tags=["exercise"]
answers = {
    # BEGIN SOLUTION
    "split the catch-all tool": "exam",
    "consolidate related operations behind an action parameter": "docs",
    "return errorCategory and isRetryable": "exam",
    "the newest models refuse forced choice": "docs",
    # OPEN
    # "split the catch-all tool": ...,
    # "consolidate related operations behind an action parameter": ...,
    # "return errorCategory and isRetryable": ...,
    # "the newest models refuse forced choice": ...,
    # END SOLUTION
}
check("exam-two-truths", answers)

# %% [markdown] id="exam-score" objectives="EXM-1" tags=["task"]
# ## What a score tells you
#
# Ten right of ten sounds perfect. How sure is it? The **Wilson interval** gives the range in which your real share lies (95 %).
#
# **Predict** the lower end for 10 of 10.

# %% id="exam-score-guess"
predict(
    "exam-wilson",
    "10 of 10 right; the lower end of the interval:",
    ["about 72 %", "about 90 %", "100 %"],
)

# %% id="exam-score-run"
from course.quiz.scores import wilson

for right, asked in ((10, 10), (24, 30), (48, 60)):
    low, high = wilson(right, asked)
    print(f"{right} of {asked}: {right / asked:.0%}, between {low:.0%} and {high:.0%}")

# %% [markdown] id="exam-score-why" tags=["task"]
# So: no "ready" after one good form. The course shows the raw share, the interval, and from 20 answers on two estimates: the scaled figure as a *band* under two public guesses (42 or 44 of 60 for 720), and the chance that
# a whole exam of *such* questions would be passed. They are arithmetic on your answers; nobody outside knows the curve, and live questions may be harder than ours.

# %% id="exam-band"
from course.quiz.scores import Tally, estimate

for right in (36, 43, 48):
    band, chance = estimate(Tally(right, 60)).band, estimate(Tally(right, 60)).chance
    print(f"{right} of 60: {band[0]} to {band[1]}, passing {chance[0]:.0%} to {chance[1]:.0%}")

# %% [markdown] id="exam-ready" tags=["task"]
# Readiness is spoken of only after two forms of 30 items and more that you had not seen, when the lower end of both together is at least 70 % and no domain is below 60 %. And with a grain of salt: candidates report 980 on an old
# practice exam and 744 live (public reports, seen 2026-12-01).
#
# **Your turn.** Two learners: A has 9 of 10, B has 45 of 60. Whose lower end is higher?

# %% id="exam-compare" tags=["exercise"]
# BEGIN SOLUTION
higher = "A" if wilson(9, 10)[0] > wilson(45, 60)[0] else "B"
# OPEN
# higher = ...
# END SOLUTION
check("exam-interval", higher)

# %% [markdown] id="exam-plan" objectives="EXM-1" tags=["task"]
# ## Your next weeks
#
# The schedule brings a question back shortly before you would forget it. **Predict:** three right answers, each on the day the question was due, then a wrong one. What does the wrong one do to the next wait?

# %% id="exam-plan-guess"
predict(
    "exam-wait",
    "After the wrong answer the wait is",
    ["as long as before", "much shorter", "the same day"],
)

# %% id="exam-plan-run" tags=["change"]
from datetime import UTC, datetime

from course.quiz.history import Answer
from course.quiz.schedule import cards

day, told = datetime(2027, 1, 4, tzinfo=UTC), []
for n, verdict in enumerate(["correct", "correct", "correct", "incorrect", "correct"]):
    told.append(Answer(n, f"{n}", day, "item", "a", "practice", None, 1, verdict=verdict))
    due = cards(told, str, today=day.date())["item"].due
    print(f"{day:%d %b %Y}: {verdict}, again in {(due - day).days} days")
    day = due

# %% [markdown] id="exam-plan-why"
# Whoever waits for the feeling of having forgotten comes too late; whoever repeats what is firm wastes the time of what is not. So:
#
# - `make quiz` every day, ten minutes, what is **due**; each question says why it comes now.
# - Tell it the day, `make progress ARGS="--exam-date 2027-01-31"`: then no wait is longer than a third of what is left.
# - `make exam ARGS="--form mini"` now and then; whole forms when the parts are firm. Reasons come at the end.
# - Look at misses by **objective** and by **misconception**: the second tells you *what* you believe that is not so.
# - An answer you were sure of and that was wrong is worth more than three you guessed right.
#
# A first look at where you stand:

# %% id="exam-progress" tags=["nbval-ignore-output"]
progress()

# %% [markdown] id="exam-mini" objectives="EXM-1" tags=["task", "change"]
# ## A mini form
#
# Ten questions in twenty minutes, on the loop and on tool design, drawn like a form of the exam: no hints, no verdict before the end. Use the four habits. When you are ready, put `begin=True` into the call; after the last
# question, run the cell again for the reasons. It is kept in your history, so you can close the notebook and go on.

# %% id="exam-mini-form" tags=["change", "nbval-ignore-output"]
sit("mini", begin=False)

# %% [markdown] id="exam-recap" tags=["recap"]
# ## Recap
#
# - 60 items, 120 minutes, four of six scenarios; the curve is unknown, and the facts carry a date.
# - Root cause first, then the qualifier; distractors are one layer off.
# - Guide for the exam, documentation for the code, and you know the list.
# - Shares have intervals; two unseen forms before "ready".
#
# Run the next cell: your guesses from the top come back, beside the answers. Then answer these five questions on the exam itself.

# %% id="exam-look-back"
look_back("14")

# %% id="exam-quiz" tags=["quiz", "nbval-ignore-output"]
quiz("14")

# %% [markdown] id="exam-next" tags=["next"]
# ## Next
#
# Practise: `make quiz`. Build: your own agent. And when something is refused, ask `check_conversation`.
