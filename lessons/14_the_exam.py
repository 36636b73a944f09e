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
# **Before you start:** as many of the other lessons as you like. **Time:** about 30 minutes, and more for a whole form.

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
# Four scenarios are drawn from six, and every item is framed by one. The score is scaled from 100 to 1000; how many right answers make 720 is not published. This course covers domain 2 (tool design and MCP) and
# the tasks of domains 1, 4 and 5 that touch tools. It does **not** prepare you for the other domains: mind the percentages above.
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

# %% [markdown] id="exam-two" objectives="EXM-1"
# ## Two truths
#
# The exam is written against its guide, the API lives on. Where they differ, the exam's answer is the guide's, and your code follows the documentation. This is the whole list that the course knows of:

# %% id="exam-differences"
from course.facts.syllabus import disagreements

for entry in disagreements().values():
    print(entry.question)
    for source, answer in entry.says:
        print(f"    {source}: {answer}")
    print("    →", entry.course)

# %% [markdown] id="exam-break-task" tags=["task"]
# One of these you can see with your own eyes. The guide forces a tool to guarantee a first step. **Predict** what the model answers that the documentation recommends today.

# %% id="exam-break-guess"
predict("exam-forced", "A forced tool on the recommended model:", ["the call", "a 400"])


# %% id="exam-break" tags=["break"]
@tool
def find_customer(email: str) -> str:
    """Find a customer's number by e-mail address."""
    return "C-19"


attempt("Hello!", tools=[find_customer], tool_choice={"type": "tool", "name": "find_customer"})

# %% [markdown] id="exam-two-task" tags=["task"]
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
# So: no "ready" after one good form. The course shows the raw share, the interval, and the scaled figure as a *band* under two public guesses (42 or 44 of 60 for 720), and speaks of readiness only after two forms whose items you had not seen. And with a
# grain of salt: candidates report 980 on an old practice exam and 744 live.
#
# **Your turn.** Two learners: A has 9 of 10, B has 45 of 60. Whose lower end is higher?

# %% id="exam-compare" tags=["exercise"]
# BEGIN SOLUTION
higher = "A" if wilson(9, 10)[0] > wilson(45, 60)[0] else "B"
# OPEN
# higher = ...
# END SOLUTION
check("exam-interval", higher)

# %% [markdown] id="exam-plan" objectives="EXM-1"
# ## Your next weeks
#
# - `make quiz` every day, ten minutes, what is **due**: the schedule brings back what you are about to forget, and says why this item comes now.
# - `make exam ARGS="--form mini"` now and then; whole forms when the parts are firm. Reasons come at the end.
# - Look at misses by **objective** and by **misconception**: the second tells you *what* you believe that is not so.
# - An answer you were sure of and that was wrong is worth more than three you guessed right.
#
# A first look at where you stand:

# %% id="exam-progress" tags=["nbval-ignore-output"]
progress()

# %% [markdown] id="exam-recap" tags=["recap"]
# ## Recap
#
# - 60 items, 120 minutes, four of six scenarios; the curve is unknown, and the facts carry a date.
# - Root cause first, then the qualifier; distractors are one layer off.
# - Guide for the exam, documentation for the code, and you know the list.
# - Shares have intervals; two unseen forms before "ready".
#
# Run the next cell: your guesses from the top come back, beside the answers. The cell after it is a small form of ten.

# %% id="exam-look-back"
look_back("14")

# %% id="exam-quiz" tags=["quiz", "nbval-ignore-output"]
quiz("14")

# %% [markdown] id="exam-next" tags=["next"]
# ## Next
#
# Practise: `make quiz`. Build: your own agent. And when something is refused, ask `check_conversation`.
