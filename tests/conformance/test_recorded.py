"""Requests that public test suites sent to the real API, and that it accepted: none may be refused.

The exchanges are not part of this repository. They are read from the folder that CONFORMANCE_DIR names.
"""

import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from replaying import answer, headers

from course.api import OfflineAPI
from course.mockmodel import Improviser

FOLDER = Path(os.environ.get("CONFORMANCE_DIR") or Path(__file__).parents[3] / "shared" / "conformance")
FILE = FOLDER / "recorded_exchanges.jsonl.gz"

pytestmark = pytest.mark.skipif(not FILE.exists(), reason=f"no recorded exchanges: {FILE} does not exist")

# In this recording the id of a result is not the id of its call; the API has refused that since 2024.
SUSPECT = "988adef592d1"


def accepted() -> Iterator[dict[str, Any]]:
    with gzip.open(FILE, "rt", encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            if record["status"] == 200 and record["endpoint"] == "messages" and not record.get("binary_left_out"):
                yield record


def test_nothing_that_the_api_accepted_is_refused():
    api = OfflineAPI(Improviser())
    refused, sent = {}, 0
    for record in accepted():
        changed = {"anthropic-version": record.get("anthropic_version") or "2023-06-01"}
        if record.get("anthropic_beta"):
            changed["anthropic-beta"] = record["anthropic_beta"]
        status, _, message = answer(api, json.dumps(record["request"]).encode(), headers(changed))
        sent += 1
        if status != 200:
            refused[record["id"]] = message
    assert sent > 200
    assert set(refused) == {SUSPECT}, refused
