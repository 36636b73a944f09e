"""`course rules`, and the two pages about the rules."""

import json
import re
from pathlib import Path

from course import cli
from course.api.rules import STAGES, rules

DOCS = Path(__file__).parents[2] / "docs"


def test_the_rules_are_listed_by_stage_with_what_they_rest_on(capsys):
    assert cli.main(["rules"]) == 0
    said = capsys.readouterr().out
    for rule in rules().values():
        assert f"  {rule.id}  ({rule.status};" in said
        assert rule.template in said
        assert rule.source in said


def test_a_word_chooses_rules_by_id_or_message(capsys):
    assert cli.main(["rules", "prefill", "--json"]) == 0
    ids = [row["id"] for row in json.loads(capsys.readouterr().out)]
    assert ids == ["prefill.unsupported", "prefill.whitespace"]
    assert cli.main(["rules", "Trailing Whitespace", "--json"]) == 0
    assert [row["id"] for row in json.loads(capsys.readouterr().out)] == ["prefill.whitespace"]


def test_a_word_that_no_rule_has_is_an_error(capsys):
    assert cli.main(["rules", "no-such-word"]) == 1
    caught = capsys.readouterr()
    assert caught.out == ""
    assert "no-such-word" in caught.err


def test_every_field_of_a_rule_is_in_its_json(capsys):
    cli.main(["rules", "pairing.missing-result", "--json"])
    (row,) = json.loads(capsys.readouterr().out)
    assert row["evidence"] == "verbatim report"
    assert row["date"] == rules()["pairing.missing-result"].date.isoformat()


def test_the_page_of_rules_is_fresh(capsys):
    cli.main(["rules", "--markdown"])
    assert (DOCS / "rules.md").read_text("utf-8") == capsys.readouterr().out, "make it again: course rules --markdown"


def test_the_table_is_in_the_order_of_the_stages():
    stages = [STAGES.index(rule.stage) for rule in rules().values()]
    assert stages == sorted(stages)


def test_the_page_of_deviations_names_exactly_the_rules_with_inferred_words():
    page = (DOCS / "deviations.md").read_text("utf-8")
    listed = page.split("## Words that may differ")[1].split("Of the other rules")[0]
    named = {
        id
        for line in listed.splitlines()
        if line.startswith("- ")
        for id in re.findall(r"`([\w.-]+)`", line.split(":")[0])
    }
    assert named == {rule.id for rule in rules().values() if rule.evidence == "inferred"}


def test_a_rule_the_page_of_deviations_names_exists():
    page = (DOCS / "deviations.md").read_text("utf-8")
    stems = {id.split(".")[0] for id in rules()}
    named = {name for name in re.findall(r"`([a-z-]+\.[a-z-]+)`", page) if name.split(".")[0] in stems}
    assert named <= set(rules()), named
