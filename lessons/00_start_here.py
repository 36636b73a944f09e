# %% [markdown] id="start-title" tags=["title"]
# # Start here
#
# This is a course about one thing: how Claude uses tools. You learn it by running it. Nothing here needs a key, an account or a
# network.
#
# A **notebook** is a page of text and code cells. Click the next grey cell and press **Shift+Enter**: it runs, and you land on the
# one after it. To run everything at once, choose *Run → Run All Cells* in the menu.

# %% id="start-import"
from course.lesson import *

# %% [markdown] id="start-goals" tags=["goals"]
# **You will be able to**
#
# - work through a lesson: predict, run, explain, change, make
# - say who answers when you ask, and what you may conclude from the answer
# - get help: a check, a hint, a reset

# %% [markdown] id="start-before" tags=["before"]
# **Before you start:** you can read a Python function, a list and a dictionary. **Time:** about 15 minutes.

# %% [markdown] id="start-pretest" tags=["pretest", "task"]
# ## Where do you stand?
#
# Each lesson begins with three guesses. They are not graded. A guess that turns out wrong is worth more than a guess not
# made: you will notice the answer when it comes by. These three look far ahead; they come back, beside the answers, in lessons
# 05, 07 and 08.

# %% id="start-pre-1" tags=["pretest"]
predict(
    "start-pre-fails",
    "A tool that Claude asked for has crashed. What does your program send to Claude? (lesson 07)",
    ["Nothing; it starts again", "A result that says it failed", "The Python traceback"],
)

# %% id="start-pre-2" tags=["pretest"]
predict(
    "start-pre-more",
    "An agent has 60 tools and often picks a wrong one. What helps most? (lesson 08)",
    ["Shorter descriptions", "Fewer tools per agent", "A stronger system prompt"],
)

# %% id="start-pre-3" tags=["pretest"]
predict(
    "start-pre-force",
    "Which Claude models can be forced to call a given tool? (lesson 05)",
    ["All of them", "Some of them", "None of them"],
)

# %% [markdown] id="start-answers"
# ## Who answers here
#
# Three things stand between your cell and the answer, and it matters which is which:
#
# - **The SDK is real.** Your cells call Anthropic's own Python package, `anthropic`, exactly as a program in production would.
# - **The API is a rebuilt one.** An *offline Messages API* on your machine checks every request by the rules of the
#   real one, and refuses what that refuses, in the same words.
# - **The model is a stand-in.** It chooses tools by comparing words and fills in arguments by simple rules, always the same
#   way. **It is not Claude**, and nothing it chooses tells how well Claude would choose.
#
# So you may trust what a lesson shows about *rules*: what is accepted, refused, returned. Where a lesson measures
# *choices*, it says that a stand-in made them.
#
# Ask something. The first request takes a few seconds, because it loads the SDK.

# %% id="start-ask"
greeting = ask("Good morning! Who are you?")
print(text_of(greeting))

# %% [markdown] id="start-message"
# `ask` makes one call and hands you the SDK's message. This is what comes with it:

# %% id="start-parts"
greeting.model, greeting.stop_reason, [block.type for block in greeting.content]

# %% [markdown] id="start-parts-why"
# - **The model's name** is the one that the request asked for: this course asks for its default model. The
#   stand-in answers under that name, so that your program sees what it would see live. It does not make the stand-in Claude.
# - **`end_turn`** is the *stop reason*: the answer is complete.
# - **Two blocks.** An answer is a list of blocks. The newest models think before they answer and put a `thinking` block in front;
#   here it is empty. `text_of` leaves it out and gives you the words. Lesson 02 is about blocks.

# %% [markdown] id="start-first-task" tags=["task"]
# ## Your first exercise
#
# An **exercise** is a cell with three dots. Replace the dots, run the cell, and `check` tells you whether it is right, and if not, why. Run it once
# as it is, to see what an open exercise says.
#
# **Your turn.** Below is a tool that knows what is on in a small cinema. Ask a question for which the stand-in wants to use it.


# %% id="start-first" tags=["exercise"]
@tool
def films_on(day: str) -> str:
    """Return which films the cinema shows on a day of the week, and at what time."""
    return "Friday: The Lighthouse Keeper, 20:15"


# BEGIN SOLUTION
answer = ask("Which films does the cinema show on Friday?", tools=[films_on])
# OPEN
# answer = ask(..., tools=[films_on])
# END SOLUTION
check("start-first-question", answer)

# %% [markdown] id="start-see-task" tags=["task"]
# **Look at the answer.** `answer.content` holds its blocks; `show` lays them out. Click on a block to see it exactly.

# %% id="start-see"
show(answer)

# %% [markdown] id="start-help"
# There is a `tool_use` block: the stand-in *asks* for `films_on` and names the day. Did you notice that the film's name is nowhere?
# No function has run yet. Lesson 01 explains who runs it, and when.
#
# ## When you are stuck
#
# - **A hint.** Open a new cell below the exercise (press `b` outside a cell) and run `hint("start-first-question")`. There are three
#   for each exercise: a nudge, the rule, the shape of the code. Each call gives the next one.
# - **The solution.** The folder `solutions/` holds every lesson solved, with its outputs.
# - **A strange error.** Most often a cell above was not run. Choose *Kernel → Restart Kernel and Run All Cells*.
# - **A lesson you want back.** Run `%run -m course reset 00` in a new cell: it restores this lesson and keeps yours as a copy
#   beside it. Then choose *File → Reload Notebook from Disk*.
# - **Something is wrong with the installation.** `make doctor` says what, and what to do.

# %% [markdown] id="start-trust-task" tags=["task"]
# **Your turn.** What may you conclude from what you see offline? Write `True` or `False`.

# %% id="start-trust" tags=["exercise"]
conclusions = {
    # BEGIN SOLUTION
    "the API refuses a request of this shape": True,
    "Claude would have picked this tool too": False,
    "the SDK builds the request like this": True,
    "Claude would have worded it like this": False,
    # OPEN
    # "the API refuses a request of this shape": ...,
    # "Claude would have picked this tool too": ...,
    # "the SDK builds the request like this": ...,
    # "Claude would have worded it like this": ...,
    # END SOLUTION
}
check("start-what-to-trust", conclusions)

# %% [markdown] id="start-live"
# ## Talking to Claude itself
#
# With a key of your own the same notebooks talk to Claude. One setting does it: start JupyterLab with `ANTHROPIC_API_KEY` set, and run
# `live(True)` in the notebook; `live(False)` goes back. Starting with `COURSE_LIVE=1` makes it so for all notebooks.
#
# Live requests cost money, need the network and differ from run to run; exercises that expect the stand-in may then judge
# a good answer wrongly. A first time through, stay offline.

# %% id="start-live-now"
live()

# %% [markdown] id="start-live-means"
# `False`: you are offline, and the stand-in answers. `True` would mean that each request goes to Claude.

# %% [markdown] id="start-record"
# ## What is kept
#
# Your guesses, checked exercises and quiz answers are written to one file on your own computer, and nowhere else. They
# give you this table, and tell the quiz what to ask you again. `%run -m course progress --help` tells how to export or delete it.

# %% id="start-progress" tags=["nbval-ignore-output"]
progress()

# %% [markdown] id="start-map"
# ## The way ahead
#
# | lessons | what they are about |
# |---|---|
# | 01, 02 | the cycle of a tool call, and the blocks that carry it |
# | 03 to 07 | definitions, the agent loop, `tool_choice`, parallel calls, errors |
# | 08, 09 | too many tools, and searching among them |
# | 10, 11 | tools of others: Anthropic's, OpenAI's, MCP servers |
# | 12 | the safe boundary |
# | 13, 14 | an agent of your own, and the exam |
#
# Each lesson stands by itself; none needs another's results. Boxes marked **On the exam** say what the CCA-F exam expects where that differs
# from the newest state, and **Beyond** marks what it does not ask. For a second look, `notebooks/recall/` has each lesson without its
# explanations.

# %% [markdown] id="start-recap" tags=["recap"]
# ## Recap
#
# - Predict before you run, change what you ran, make your own; `check` judges, `hint` helps.
# - Real SDK, rebuilt API with the real rules, stand-in for the model: trust the rules, not the choices.
# - Restart the kernel, `course reset`, `make doctor`: nothing here can be broken for good.

# %% [markdown] id="start-next" tags=["next"]
# ## Next
#
# **01 · The six steps**: what really happens when Claude "uses" a tool. Open `01_six_steps.ipynb`.
