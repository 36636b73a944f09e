"""Right and wrong answers to the exercises of lesson 12."""

import pytest

from course.harness import Confirm, Deny
from course.lesson import check

INVOICES = {"INV-1": {"owner": "C-19"}, "INV-2": {"owner": "C-20"}}
session = {"customer": "C-19"}
allowed = {"bob@example.com"}
ORDERS = {"ORD-8": "C-19", "ORD-9": "C-20"}
log, answers = [], {}

# whose invoice -------------------------------------------------------------------------------------------------------


def by_owner(call, done):
    if call.name == "get_invoice" and INVOICES.get(call.input["invoice_id"], {}).get("owner") != session["customer"]:
        return Deny("There is no such invoice on this account.")


def by_list(call, done):
    if call.name != "get_invoice":
        return None
    mine = [number for number, invoice in INVOICES.items() if invoice["owner"] == session["customer"]]
    number = call.input["invoice_id"]
    return None if number in mine else Deny(f"There is no invoice {number} on this account.")


def by_two_steps(call, done):
    if call.name == "get_invoice":
        invoice = INVOICES.get(call.input.get("invoice_id"))
        if not invoice:
            return Deny("Not found.")
        if invoice["owner"] != session["customer"]:
            return Deny("Not found.")
    return None


def for_ann_only(call, done):
    if call.name == "get_invoice" and call.input["invoice_id"] != "INV-1":
        return Deny("Not found.")


def tells(call, done):
    if call.name == "get_invoice" and (invoice := INVOICES.get(call.input["invoice_id"])) is None:
        return Deny("Not found.")
    if call.name == "get_invoice" and invoice["owner"] != session["customer"]:
        return Deny("That is not yours.")


def crashes(call, done):
    if call.name == "get_invoice" and INVOICES[call.input["invoice_id"]]["owner"] != session["customer"]:
        return Deny("Not found.")


def silent(call, done):
    return Deny(" ") if by_owner(call, done) else None


# what a person decides -----------------------------------------------------------------------------------------------


def three_ranges(call, done):
    amount = call.input["amount"]
    if amount <= 50:
        return None
    return Confirm(f"{amount:.2f} euros?") if amount <= 500 else Deny("A manager decides.")


def one_line(call, done):
    amount = call.input["amount"]
    return Deny("No.") if amount > 500 else Confirm(f"Pay {amount}?") if amount > 50 else None


def whole_euros(call, done):
    amount = int(call.input["amount"])
    return Deny("No.") if amount > 500 else Confirm(f"Pay {amount}?") if amount > 50 else None


def nameless(call, done):
    return one_line(call, done) and (Confirm("Sure?") if call.input["amount"] <= 500 else Deny("No."))


def denies_all(call, done):
    return Deny("No.") if call.input["amount"] > 50 else None


# the order of execution ----------------------------------------------------------------------------------------------


def bad(data):
    return not isinstance(data.get("amount"), (int, float)) or data["amount"] <= 0


def careful(data, customer, key, pay):
    if bad(data):
        return {"status": "failure"}
    if ORDERS.get(data["order_id"]) != customer:
        return {"status": "denied"}
    if key in answers:
        return answers[key]
    log.append((key, data))
    pay(data["order_id"], data["amount"])
    answers[key] = {"status": "success"}
    return answers[key]


def logs_all(data, customer, key, pay):
    status = "failure" if bad(data) else "denied" if ORDERS.get(data["order_id"]) != customer else "success"
    log.append({"key": key, "who": customer, "outcome": status})
    if status == "success" and key not in answers:
        answers[key] = pay(data["order_id"], data["amount"])
    return {"status": status}


def keys_of_log(data, customer, key, pay):
    if bad(data):
        return dict(status="failure", message="amount?")
    if ORDERS.get(data["order_id"]) != customer:
        return dict(status="denied")
    if key not in [line[0] for line in log]:
        log.append((key, customer))
        pay(amount=data["amount"], order_id=data["order_id"])
    return dict(status="success")


def pays_then_logs(data, customer, key, pay):
    if bad(data):
        return {"status": "failure"}
    if ORDERS.get(data["order_id"]) != customer:
        return {"status": "denied"}
    if key not in answers:
        answers[key] = pay(data["order_id"], data["amount"])
        log.append(key)
    return {"status": "success"}


def owner_first(data, customer, key, pay):
    if ORDERS.get(data["order_id"]) != customer:
        return {"status": "denied"}
    return careful(data, customer, key, pay)


def no_owner(data, customer, key, pay):
    return {"status": "failure"} if bad(data) else {"status": "success"}


def no_key(data, customer, key, pay):
    answers.clear()
    return careful(data, customer, key, pay)


def by_order(data, customer, key, pay):
    return careful(data, customer, data["order_id"], pay)


def only_says_so(data, customer, key, pay):
    return careful(data, customer, key, lambda *paid: None)


# results are input ---------------------------------------------------------------------------------------------------


def in_set(call, done):
    return Deny("Ask first.") if call.name == "forward_mail" and call.input["to"] not in allowed else None


def any_equal(call, done):
    if call.name == "forward_mail" and not any(call.input["to"].lower() == known for known in allowed):
        return Deny("Ask first.")


def not_eve(call, done):
    return Deny("No.") if call.input.get("to") == "eve@example.net" else None


def contains(call, done):
    known = any(address in call.input.get("to", "") for address in allowed)
    return None if known or call.name != "forward_mail" else Deny("No.")


def bob_only(call, done):
    return Deny("No.") if call.name == "forward_mail" and call.input["to"] != "bob@example.com" else None


# limits --------------------------------------------------------------------------------------------------------------


def note_behind(text, limit):
    note = f" … [cut, {len(text):,} characters in all]"
    return text if len(text) <= limit else text[: limit - len(note)] + note


def note_before(text, limit):
    note = f"[only a part of {len(text)}] "
    return text if len(text) <= limit else note + text[: limit - len(note)]


def both_ends(text, limit):
    if len(text) <= limit:
        return text
    half = limit // 2 - 20
    return f"{text[:half]} … {len(text) - 2 * half} cut … {text[-half:]}"


def over_by_the_note(text, limit):
    return text if len(text) <= limit else text[:limit] + f" [{len(text)} in all]"


def without_a_number(text, limit):
    return text if len(text) <= limit else text[: limit - 10] + " [cut]"


def dots(text, limit):
    return text if len(text) <= limit else text[: limit - 1] + "…"


def always_noted(text, limit):
    return (text + f" [{len(text)}]")[-limit:]


RIGHT = [
    *[("safe-authorise", (gate, session)) for gate in (by_owner, by_list, by_two_steps)],
    *[("safe-ask-a-person", (gate,)) for gate in (three_ranges, one_line)],
    *[("safe-in-order", (order,)) for order in ("e b d a c", "EBDAC", ["e", "b", "d", "a", "c"], "e → b → d → a → c")],
    *[("safe-execute-refund", (execute, log)) for execute in (careful, logs_all, keys_of_log)],
    *[("safe-stop-eve", (gate, allowed)) for gate in (in_set, any_equal)],
    *[("safe-cut-to-size", (shorten,)) for shorten in (note_behind, note_before, both_ends)],
]

WRONG = [
    ("safe-authorise", (for_ann_only, session), "still thinks of C-19"),
    ("safe-authorise", (tells, session), "which numbers exist"),
    ("safe-authorise", (crashes, session), "INVOICES.get"),
    ("safe-authorise", (silent, session), "no words"),
    ("safe-authorise", (lambda call, done: None, session), "still gets the invoice"),
    ("safe-ask-a-person", (whole_euros,), "50.5"),
    ("safe-ask-a-person", (nameless,), "does not name the amount"),
    ("safe-ask-a-person", (denies_all,), "returned Deny"),
    ("safe-ask-a-person", (lambda call, done: None,), "returned None"),
    ("safe-in-order", ("e b a d c",), "before the key is looked up"),
    ("safe-in-order", ("b e d a c",), "before the input is known"),
    ("safe-in-order", ("e d b a c",), "stranger"),
    ("safe-in-order", ("e b d c a",), "only be a hope"),
    ("safe-in-order", ("validate, authorise, act",), "letters a to e"),
    ("safe-execute-refund", (pays_then_logs, log), "did not know yet"),
    ("safe-execute-refund", (owner_first, log), "before you look at the owner"),
    ("safe-execute-refund", (no_owner, log), "denied"),
    ("safe-execute-refund", (no_key, log), "paid twice"),
    ("safe-execute-refund", (by_order, log), "another wish"),
    ("safe-execute-refund", (only_says_so, log), "should call pay once"),
    ("safe-stop-eve", (not_eve, allowed), "nobody allowed"),
    ("safe-stop-eve", (contains, allowed), "whole addresses"),
    ("safe-stop-eve", (bob_only, allowed), "in the set"),
    ("safe-stop-eve", (lambda call, done: Deny("No."), allowed), "denies reading"),
    ("safe-cut-to-size", (over_by_the_note,), "note included"),
    ("safe-cut-to-size", (without_a_number,), "neither how many"),
    ("safe-cut-to-size", (dots,), "silent"),
    ("safe-cut-to-size", (always_noted,), "must stay"),
]


@pytest.fixture(autouse=True)
def nothing_done_yet():
    log.clear()
    answers.clear()


@pytest.mark.parametrize(("exercise", "values"), RIGHT)
def test_every_right_answer_is_accepted_again_and_again(exercise, values):
    for _ in range(2):
        verdict = check(exercise, *values)
        assert verdict.ok, verdict
    assert (log, session, allowed) == ([], {"customer": "C-19"}, {"bob@example.com"})


@pytest.mark.parametrize(("exercise", "values", "said"), WRONG)
def test_a_wrong_answer_is_told_why(exercise, values, said):
    verdict = check(exercise, *values)
    assert verdict.state == "wrong"
    assert said.lower() in verdict.message.replace("`", "").lower(), verdict
    assert verdict.place
