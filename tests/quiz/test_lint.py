"""Lint: what each rule finds, what it leaves alone, and that the gate catches seeded damage."""

import json
import random
from datetime import date

import pytest
from guide import bank_of, changed, examples, records

from course.cli import main
from course.quiz.bank import load_bank
from course.quiz.kinds import KINDS
from course.quiz.lint import accept_reviewed, counts, lint, lint_item
from course.quiz.report import inspect

TODAY = date(2026, 12, 1)


def codes(item):
    return {hit[0] for hit in lint_item(item, today=TODAY)}


def options(kind="single", /, **by_place):
    """The options of an example, some of them changed: `_0={"text": …}`."""
    found = [dict(option) for option in records()[kind]["options"]]
    for place, change in by_place.items():
        found[int(place.lstrip("_"))].update(change)
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_the_examples_of_the_guide_are_clean(kind):
    assert codes(examples()[kind]) == set()


def test_the_bank_has_no_errors():
    assert [str(found) for found in lint(load_bank(), today=TODAY) if found.is_error] == []


PAD = " and so on and so forth, as it would be."


@pytest.mark.parametrize(
    ("code", "item"),
    [
        (
            "E02",
            lambda: changed(
                "single", options=options(_0={"text": records()["single"]["options"][2]["text"].upper() + "!"})
            ),
        ),
        ("E03", lambda: changed("single", options=options(_0={"why": "Because it is wrong."}))),
        ("E03b", lambda: changed("single", options=options(_0={"why": records()["single"]["options"][1]["why"]}))),
        ("E03c", lambda: changed("single", explanation="So it is.")),
        (
            "E03",
            lambda: changed(
                "match", rows=[{**row, "why": f"No {at}."} for at, row in enumerate(records()["match"]["rows"])]
            ),
        ),
        ("E03", lambda: changed("order", options=options("order", _0={"why": "Short."}))),
        (
            "E04",
            lambda: changed(
                "single",
                options=options(
                    _0={"text": "None of the above, since the API does not look at the history of a conversation here."}
                ),
            ),
        ),
        ("E05", lambda: changed("single", sources=[])),
        ("E05b", lambda: changed("single", sources=[{"title": "The docs of it", "checked_on": "2027-01-01"}])),
        ("E06", lambda: changed("single", objectives=["CYC-99"])),
        ("E06b", lambda: changed("single", exam_task="3.1")),
        ("E06c", lambda: changed("single", options=options(_0={"misconception": "flat-earth"}))),
        ("E07", lambda: changed("single", stem="A harness runs two look-ups that Claude asked for.")),
        ("E08", lambda: changed("single", stem="A harness runs two look-ups. Which of these is NOT accepted?")),
        ("E09", lambda: changed("select_n", stem="Which of these does the API accept?")),
        (
            "E10",
            lambda: changed(
                "single", explanation="Option B names the missing id, and that is what the API does as well."
            ),
        ),
        (
            "E10",
            lambda: changed(
                "single",
                options=options(_0={"why": "Unlike the second option, this one says nothing about ids at all."}),
            ),
        ),
        ("E11", lambda: changed("single", exhibits=[{"kind": "json", "body": '{"a": 1,}'}])),
        ("E11", lambda: changed("single", exhibits=[{"kind": "python", "body": "for x in: pass"}])),
        (
            "E11",
            lambda: changed(
                "single", explanation='Send `{"type": "tool_result",}` in the next message, and the pair is complete.'
            ),
        ),
        ("E12", lambda: changed("single", stem="A harness <b>runs</b> two look-ups. What happens?")),
        ("E12b", lambda: changed("single", stem="A harness runs ![x](y.png). What happens?")),
        ("E12b", lambda: changed("single", stem="See [this](javascript:alert). What happens?")),
        (
            "E15",
            lambda: changed(
                "single", options=options(_1={"text": records()["single"]["options"][1]["text"][:-1] + PAD})
            ),
        ),
        ("E16", lambda: changed("single", options=options(_0={"id": "wrong_1"}), proof=None)),
        ("E17", lambda: changed("single", shuffle=False)),
        ("E18", lambda: changed("single", proof="no_such_proof")),
        ("E19", lambda: changed("repair_json", accept=["api_accepts", "looks_nice"])),
        ("E20", lambda: changed("repair_json", solution=None)),
        (
            "W07",
            lambda: changed(
                "single", options=options(_0={"text": records()["single"]["options"][0]["text"].rstrip(".")})
            ),
        ),
        ("W12", lambda: changed("single", stem="word " * 130 + "?")),
        ("W16", lambda: changed("single", options=options(_0={"misconception": "results-anywhere"}))),
        ("W18", lambda: changed("single", options=options()[:3], proof=None)),
        (
            "W20",
            lambda: changed(
                "select_n", options=sorted(options("select_n"), key=lambda option: not option.get("correct"))
            ),
        ),
        ("W21", lambda: changed("single", sources=[{"title": "The docs of it", "checked_on": "2026-01-01"}])),
        ("W22", lambda: changed("match", targets=records()["match"]["targets"][1:])),
        ("W24", lambda: changed("single", excuses={"E08": "It was asked in the negative once."})),
        ("W25", lambda: changed("repair_json", mistakes=[])),
        ("W26", lambda: changed("numeric", near=[])),
    ],
)
def test_each_rule_finds_what_it_is_for(code, item):
    assert codes(item()) == {code}


@pytest.mark.parametrize(("code", "with_word"), [("E13", "always "), ("E14", "usually ")])
def test_a_cue_word_in_the_key_alone_or_in_all_but_the_key_is_found(code, with_word):
    texts = [option["text"] for option in options()]
    only_key = options(_1={"text": with_word + texts[1]})
    all_others = options(**{f"_{at}": {"text": with_word + texts[at]} for at in (0, 2, 3)})
    spread = options(_1={"text": with_word + texts[1]}, _2={"text": with_word + texts[2]})
    assert code in codes(changed("single", options=only_key))
    assert code in codes(changed("single", options=all_others))
    assert code not in codes(changed("single", options=spread))


def test_an_excuse_silences_its_rule_only():
    excused = changed("single", stem="Which is NOT accepted?", excuses={"E08": "The task is to find the outlier."})
    assert codes(excused) == set()
    assert "E05" in codes(changed("single", sources=[], excuses={"E05": "No time."}))


def test_code_with_angle_brackets_is_no_html():
    assert codes(changed("single", stem="A harness sends `<b>` and a < b. What happens?")) == set()


def test_numbers_out_of_order_overlapping_ranges_and_opposites_are_advised_against():
    def with_texts(*texts):
        return codes(
            changed(
                "single", proof=None, options=options(**{f"_{at}": {"text": text} for at, text in enumerate(texts)})
            )
        )

    assert "W08" in with_texts("12", "3", "7", "40")
    assert "W08" not in with_texts("3", "7", "12", "40")
    assert "W09" in with_texts("1-5 calls", "5-9 calls", "8-12 calls", "13-20 calls")
    assert "W10" in with_texts("The call is run.", "The call is not run.", "The call waits.", "The call fails.")


def _bank(tmp_path, *records):
    return bank_of(tmp_path, json.dumps(records, ensure_ascii=False, indent=1))


def test_near_duplicates_and_unknown_references_are_found(tmp_path):
    single = json.loads(json.dumps(records()["single"], default=str))
    twin = {**single, "id": "example-twin", "variant_of": "nobody"}
    found = {(finding.code, finding.item) for finding in lint(_bank(tmp_path, single, twin), today=TODAY)}
    assert ("W17", "example-twin") in found
    assert ("E06", "example-twin") in found


def test_a_stem_that_tells_another_items_key_is_found(tmp_path):
    single = json.loads(json.dumps(records()["single"], default=str))
    key = next(option["text"] for option in single["options"] if option.get("correct"))
    teller = {**json.loads(json.dumps(records()["open"], default=str)), "stem": f"{key} Why is that so?"}
    found = [finding for finding in lint(_bank(tmp_path, single, teller), today=TODAY) if finding.code == "W23"]
    assert [finding.item for finding in found] == ["example-single"]
    assert "example-open" in found[0].message


def test_findings_name_file_line_item_and_field(tmp_path):
    single = json.loads(json.dumps(records()["single"], default=str))
    single["options"][2]["why"] = "No."
    [finding] = [found for found in lint(_bank(tmp_path, single), today=TODAY) if found.code == "E03"]
    assert '"why": "No."' in (tmp_path / "01_test.yaml").read_text().splitlines()[finding.line - 1]
    assert str(finding).startswith(f"E03 01_test.yaml:{finding.line} example-single options[2].why: the reason has 3")


def _raw(kind):
    return json.loads(json.dumps(records()[kind], default=str))


def _fails(tmp_path, *found):
    return inspect(_bank(tmp_path, *found), today=TODAY, proofs=True, robots=False).fails()


@pytest.mark.parametrize("seed", range(30))
def test_the_gate_catches_a_seeded_mutation(tmp_path, seed):
    """Flip a key, pad a key by 40 characters, delete a reason: each must stop the build."""
    draw = random.Random(seed)
    record = _raw(draw.choice(["single", "select_n"]))
    assert not _fails(tmp_path, record)
    keys = [option for option in record["options"] if option.get("correct")]
    others = [option for option in record["options"] if not option.get("correct")]
    mutation = ("flip", "pad", "reason")[seed % 3]
    if mutation == "flip":
        draw.choice(keys).pop("correct")
        draw.choice(others)["correct"] = True
    elif mutation == "pad":
        draw.choice(keys)["text"] += " " + "x" * 39
    else:
        draw.choice(record["options"]).pop("why")
    assert _fails(tmp_path, record)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "open"])
def test_a_flipped_key_of_every_kind_is_caught_by_its_proof(tmp_path, kind):
    record = _raw(kind)
    match kind:
        case "single" | "select_n":
            right = next(option for option in record["options"] if option.get("correct"))
            wrong = next(option for option in record["options"] if not option.get("correct"))
            right["correct"], wrong["correct"] = False, True
        case "order":
            record["options"][1], record["options"][3] = record["options"][3], record["options"][1]
        case "match":
            record["rows"][0]["answer"] = "free"
        case "spot_block":
            record["answer"]["places"] = [[2, 1]]
        case "repair_json":
            record["solution"]["content"][0]["is_error"] = False
        case "write_schema":
            record["solution"]["properties"]["hour"].pop("maximum")
        case "faded_code":
            record["holes"][0]["solution"] = "len(messages) > 4"
        case "numeric":
            record["answer"] = 2
    report = inspect(_bank(tmp_path, record), today=TODAY, proofs=True, robots=False)
    assert any(finding.code == "E22" for finding in report.findings)


def test_counts_leave_retired_items_out(tmp_path):
    bank = _bank(tmp_path, _raw("single"), {**_raw("open"), "status": "retired"})
    found = counts(bank)
    assert (found.items, found.proven) == (1, 1)
    assert found.kinds == {"single": 1}


def test_the_command_fails_on_errors_and_prints_json(tmp_path, capsys):
    bad = _raw("single")
    bad["options"][0]["why"] = "No."
    _bank(tmp_path, bad)
    assert main(["lint", str(tmp_path), "--json", "--today", "2026-12-01"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["ok"] is False
    assert told["findings"][0]["code"] == "E03"
    _bank(tmp_path, _raw("single"))
    page = tmp_path / "bank.md"
    assert main(["lint", str(tmp_path), "--proofs", "--page", str(page), "--today", "2026-12-01"]) == 0
    assert "1 proofs run, 1 hold" in capsys.readouterr().out
    assert page.read_text().startswith("# The question bank")
    assert main(["lint", str(tmp_path / "nowhere")]) == 2


def test_a_reviewed_item_may_not_change_silently(tmp_path):
    record = {**_raw("single"), "status": "reviewed"}
    assert {found.code for found in lint(_bank(tmp_path, record), today=TODAY)} == {"W27"}
    accept_reviewed(load_bank(tmp_path))
    assert lint(load_bank(tmp_path), today=TODAY) == []
    record["explanation"] += " Mended."
    record["options"][0]["why"] += " Mended."
    assert lint(_bank(tmp_path, record), today=TODAY) == []
    record["options"][0]["correct"], record["options"][1]["correct"] = True, False
    assert {found.code for found in lint(_bank(tmp_path, record), today=TODAY)} == {"E21"}
    record["version"] = 2
    assert {found.code for found in lint(_bank(tmp_path, record), today=TODAY)} == {"W27"}
    assert main(["lint", str(tmp_path), "--accept", "--today", "2026-12-01"]) == 0
    assert lint(load_bank(tmp_path), today=TODAY) == []
