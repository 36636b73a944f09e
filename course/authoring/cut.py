"""Take the solution out of a cell, or leave it in.

    # BEGIN SOLUTION
    answer = first_call(response).id
    # OPEN
    # answer = ...
    # END SOLUTION

The solved edition keeps the lines before `# OPEN`; the learner's edition gets the lines after it, with their
comment mark taken off. Without `# OPEN` the learner gets one line, `...  # your code here`, which is valid
Python in a body, in a call and in a list.
"""

import re

from course.facts import say

__all__ = ["CutError", "has_solution", "opened", "solved"]

BEGIN, OPEN, END = "# BEGIN SOLUTION", "# OPEN", "# END SOLUTION"
COMMENT = re.compile(r"^(\s*)# ?")


class CutError(ValueError):
    """The marks of a solution block do not match; the text says which."""


def has_solution(source: str) -> bool:
    """Tell whether the cell holds a solution block."""
    return any(line.strip() == BEGIN for line in source.splitlines())


def solved(source: str) -> str:
    """Return the cell with its solution and without the marks."""
    return _rewrite(source, keep_solution=True)


def opened(source: str) -> str:
    """Return the cell as the learner gets it: solution out, placeholder in."""
    return _rewrite(source, keep_solution=False)


def _rewrite(source: str, keep_solution: bool) -> str:
    out: list[str] = []
    answer: list[str] = []
    placeholder: list[str] | None = None
    indent = ""
    inside = False
    for line in source.splitlines():
        mark = line.strip()
        if mark == BEGIN:
            if inside:
                raise CutError(say("authoring.cut.begin_twice"))
            inside, answer, placeholder, indent = True, [], None, line[: len(line) - len(line.lstrip())]
        elif mark == END:
            if not inside:
                raise CutError(say("authoring.cut.end_alone"))
            inside = False
            blank = [f"{indent}...  # {say('authoring.cut.your_code')}"]
            out += answer if keep_solution else (placeholder if placeholder is not None else blank)
        elif inside and mark == OPEN:
            placeholder = []
        elif inside and placeholder is not None:
            placeholder.append(COMMENT.sub(r"\1", line))
        elif inside:
            answer.append(line)
        else:
            out.append(line)
    if inside:
        raise CutError(say("authoring.cut.no_end"))
    return "\n".join(out)
