"""The harness: the code between Claude and your functions, as this course teaches it.

`tool(function)` makes a Tool; `run(client, model=…, messages=…, tools=[…])` runs the loop; `loop` is it without I/O.
"""

from course.harness.errors import CallError, DefinitionError, HarnessError, ToolError
from course.harness.execute import Confirm, Deny, Gate, Hook, Result
from course.harness.loop import Call, Execute, Outcome, Send, loop
from course.harness.run import arun, run
from course.harness.tool import Tool, tool

__all__ = [
    "Call",
    "CallError",
    "Confirm",
    "DefinitionError",
    "Deny",
    "Execute",
    "Gate",
    "HarnessError",
    "Hook",
    "Outcome",
    "Result",
    "Send",
    "Tool",
    "ToolError",
    "arun",
    "loop",
    "run",
    "tool",
]
