import pytest

from course.labs.catalogue import tools
from course.lesson import check

GOOD = {
    "mail_search": "Searches mail for messages. Use it when someone sent or received a message.",
    "files_search": "Searches stored documents, notes and reports for text.",
    "tickets_search": "Searches customer support cases and issues, open or closed.",
}
EXCLUDING = {
    "mail_search": "Find emails in the mailbox by sender, date, subject. Not for files or tickets.",
    "files_search": "Find files in the shared drive by content or name. Not for mail or tickets.",
    "tickets_search": "Find support tickets by status, customer or text. Not for mail or files.",
}
PLAIN = {
    "mail_search": "Looks through emails and finds messages from a person or about a topic",
    "files_search": "Looks through files and documents for a phrase and says where it is written",
    "tickets_search": "Looks through support tickets for complaints, issues or problems",
}
LISTS = {
    "mail_search": "Search the user's e-mail inbox for messages by sender, subject or words.",
    "files_search": "Search documents and files by what they contain, to find where something was written.",
    "tickets_search": "Search support tickets: complaints and problems that customers reported.",
}
SWAPPED = {
    "mail_search": GOOD["files_search"],
    "files_search": GOOD["tickets_search"],
    "tickets_search": GOOD["mail_search"],
}
ROLE = ["customers_find", "customers_verify_identity", "orders_get", "billing_refund", "tickets_escalate"]
PLAN = {
    "classify": "Sort all 50 tools by department and by read or write.",
    "delegate": "A coordinator passes each task to a subagent with 5 tools.",
    "refactor": "Rewrite the descriptions of what is left, with exclusions.",
    "measure": "Share of right first calls on 100 wishes before and after.",
}


def counted(count):
    """A count as the lesson makes it: an overhead, and 110 tokens a tool."""
    return 8 + (286 + 110 * count if count else 0)


RIGHT = [
    *[("over-tell-apart", (descriptions,)) for descriptions in (GOOD, EXCLUDING, PLAIN, LISTS)],
    ("over-scope-it", (ROLE,)),
    ("over-scope-it", (set(ROLE),)),
    ("over-scope-it", (", ".join(ROLE),)),
    ("over-scope-it", (["customers_profile", "orders_find", *ROLE[1:2], *ROLE[3:]],)),
    ("over-scope-it", ([*ROLE, "mail_send"],)),
    ("over-token-price", ((counted(120) - counted(20)) / 100, counted)),
    ("over-token-price", (counted(2) - counted(1), counted)),
    ("over-token-price", (108, counted)),
    ("over-three-steps", (PLAN,)),
    ("over-three-steps", (PLAN | {"classify": "List which tools read data and which of them write."},)),
    ("over-three-steps", (PLAN | {"classify": "Put them in clusters by purpose and by danger."},)),
    ("over-three-steps", (PLAN | {"delegate": "Every department gets its own assistant with few tools."},)),
    ("over-three-steps", (PLAN | {"refactor": "Rewrite the wording so that each tool says when to use it."},)),
    ("over-three-steps", (PLAN | {"measure": "Wrong-tool rate on a fixed set of requests, old and new."},)),
]

WRONG = [
    ("over-tell-apart", (dict.fromkeys(GOOD, "search for the thing you want"),), "of 21 wishes"),
    ("over-tell-apart", (dict.fromkeys(GOOD, "Finds information by words and returns the results"),), "belongs to"),
    ("over-tell-apart", (SWAPPED,), "belongs to"),
    ("over-tell-apart", (dict.fromkeys(GOOD, "search"),), "a sentence or two"),
    ("over-tell-apart", ({"mail_search": GOOD["mail_search"]},), "files_search needs"),
    ("over-scope-it", ([],), "empty"),
    ("over-scope-it", (["refund"],), "no tool 'refund'"),
    ("over-scope-it", ([tool.name for tool in tools()],), "At most six"),
    ("over-scope-it", (ROLE[:-1],), "hand over to a person"),
    ("over-scope-it", (ROLE[1:],), "look the customer up"),
    ("over-scope-it", ([*ROLE[:2], *ROLE[3:]],), "look at the order"),
    ("over-scope-it", ([ROLE[0], *ROLE[2:]],), "who is calling"),
    ("over-scope-it", ([*ROLE[:3], ROLE[4]],), "pay back"),
    ("over-scope-it", ([*ROLE, "billing_charge"],), "can do harm"),
    ("over-token-price", (counted(120) / 120, counted), "overhead still in it"),
    ("over-token-price", ((counted(120) - counted(0)) / 120, counted), "overhead still in it"),
    ("over-token-price", (counted(1) - counted(0), counted), "overhead still in it"),
    ("over-token-price", (counted(120) - counted(20), counted), "overhead still in it"),
    ("over-token-price", (1.1, counted), "Divide by the number"),
    ("over-three-steps", (PLAN | {"classify": "x"},), "classify"),
    (
        "over-three-steps",
        (PLAN | {"refactor": "Take a larger model and hope that it is better."},),
        "change in the def",
    ),
    ("over-three-steps", (PLAN | {"refactor": "Shorten all descriptions so that the tokens fit."},), "remove no tool"),
    (
        "over-three-steps",
        (PLAN | {"measure": "I would see whether it feels better than it was."},),
        "What will you count",
    ),
    ("over-three-steps", (PLAN | {"delegate": "Everything stays in one big place as it is."},), "To whom"),
]


@pytest.mark.parametrize(("exercise", "values"), RIGHT)
def test_every_right_answer_is_accepted(exercise, values):
    verdict = check(exercise, *values)
    assert verdict.ok, verdict


@pytest.mark.parametrize(("exercise", "values", "said"), WRONG)
def test_a_wrong_answer_is_told_why(exercise, values, said):
    verdict = check(exercise, *values)
    assert verdict.state == "wrong"
    assert said.lower() in verdict.message.lower(), verdict
    assert verdict.place


def test_a_tool_without_a_duty_is_asked_about():
    assert "needs mail_send" in check("over-scope-it", [*ROLE, "mail_send"]).message


def test_the_quiz_of_the_lesson_closes_with_the_open_question():
    from course.lesson.quizzes import in_cell

    session = in_cell("08", 5, "ovr-fifty-tool-plan").session
    assert [row.item for row in session._picks][-1] == "ovr-fifty-tool-plan"
    assert len(session._picks) == 5
