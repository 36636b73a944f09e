"""Requests to which the answer of the real API is known, each sent to the offline one."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from replaying import agrees, answer, body, headers

from course.api import OfflineAPI
from course.mockmodel import Improviser

CASES = [json.loads(line) for line in (Path(__file__).parent / "cases.jsonl").read_text("utf-8").splitlines()]

# Two reports answer the same request, headers and all, in two ways: one account may use OAuth, the other may not.
CONTRADICTED = "auth-oauth-org-not-allowed"


def _marks(case: Mapping[str, Any]) -> list[pytest.MarkDecorator]:
    if "needs" in case:
        return [pytest.mark.skip(reason=f"needs {case['needs']}")]
    if case["id"] == CONTRADICTED:
        return [pytest.mark.xfail(strict=True, reason="auth-bearer-without-oauth-beta expects another answer to it")]
    return []


@pytest.fixture(scope="module")
def api() -> OfflineAPI:
    return OfflineAPI(Improviser())


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"], marks=_marks(case)) for case in CASES])
def test_the_answer_is_the_one_of_the_real_api(api: OfflineAPI, case: Mapping[str, Any]):
    expected = case["expected"]
    status, kind, message = answer(api, body(case), headers(case.get("request_headers")))
    assert status == expected["status"], message
    if status != 200:
        assert kind == expected["error_type"]
        assert agrees(case, message), message
