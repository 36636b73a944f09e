"""The doctor on requests to which the real API's answer is known: the rule is named, nothing sound is called broken."""

import gzip
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from replaying import agrees, answer, body, headers
from test_recorded import FILE, SUSPECT, accepted

from course.api import OfflineAPI
from course.mockmodel import Improviser
from course.traces import diagnose

CASES = [json.loads(line) for line in (Path(__file__).parent / "cases.jsonl").read_text("utf-8").splitlines()]
VERSION = "2023-06-01"
OUTSIDE = ("headers", "authentication", "permission", "billing", "rate limit", "overloaded", "api_error", "timeout")
BODIES = [case for case in CASES if "request" in case and not case.get("needs") and case["kind"] not in OUTSIDE]
BROKEN = [case for case in BODIES if case["expected"]["status"] != 200 and case["kind"] != "request_too_large"]
SOUND = [case for case in BODIES if case["expected"]["status"] == 200]


def betas(case: Mapping[str, Any]) -> tuple[str, ...]:
    value = (case.get("request_headers") or {}).get("anthropic-beta") or ""
    return tuple(filter(None, value.split(",")))


@pytest.mark.parametrize("case", BROKEN, ids=lambda case: case["id"])
def test_the_broken_rule_is_named_with_the_api_s_words(case):
    found = diagnose(body(case), version=VERSION, betas=betas(case), fix=False)
    assert any(agrees(case, finding.error) for finding in found.broken), [f.error for f in found.broken]
    assert all(finding.why and finding.mend and finding.message for finding in found.broken)


@pytest.mark.parametrize("case", SOUND, ids=lambda case: case["id"])
def test_an_accepted_request_is_called_sound(case):
    assert diagnose(body(case), version=VERSION, betas=betas(case)).sound


@pytest.mark.parametrize("case", BROKEN, ids=lambda case: case["id"])
def test_a_mended_copy_without_remainder_is_accepted_by_the_api(case):
    found = diagnose(body(case), version=VERSION, betas=betas(case))
    if found.mended is None or found.left:
        assert found.left, "what is not mended is named"
        return
    assert found.actions
    status, _, message = answer(
        OfflineAPI(Improviser()), json.dumps(found.mended).encode(), headers(case.get("request_headers"))
    )
    assert status == 200, message


def test_four_of_five_broken_requests_about_messages_are_mended_whole():
    about = [case for case in BROKEN if "messages" in (case["expected"]["message"] or "")[:12]]
    whole = [case for case in about if not diagnose(body(case), version=VERSION, betas=betas(case)).left]
    assert len(whole) >= 0.8 * len(about) > 20, [case["id"] for case in about if case not in whole]


@pytest.mark.skipif(not FILE.exists(), reason="no recorded exchanges at hand")
def test_no_recorded_and_accepted_request_is_called_broken():
    broken = {}
    for record in accepted():
        given = record.get("anthropic_beta") or ""
        named = tuple(filter(None, given.split(","))) if isinstance(given, str) else tuple(given)
        found = diagnose(record["request"], version=record.get("anthropic_version") or VERSION, betas=named, fix=False)
        if not found.sound:
            broken[record["id"]] = [finding.error for finding in found.broken]
    assert set(broken) <= {SUSPECT}, broken


@pytest.mark.skipif(not FILE.exists(), reason="no recorded exchanges at hand")
def test_shortened_pictures_are_a_note_and_no_broken_rule():
    with gzip.open(FILE, "rt", encoding="utf-8") as lines:
        shortened = [r for r in map(json.loads, lines) if r.get("binary_left_out") and r["status"] == 200]
    for record in shortened:
        if record["endpoint"] == "messages":
            assert diagnose(record["request"], version=VERSION, fix=False).sound, record["id"]
