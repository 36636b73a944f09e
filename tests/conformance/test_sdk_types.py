"""What the SDK can send is known: no field, type or value of its request types is refused for its shape."""

import importlib
from typing import get_args

import pytest
from sdk_bodies import bodies

from course.api.fields import faults
from course.api.headers import check_headers, family
from course.facts.loader import load

FAMILIES = frozenset(load("betas")["families"])
# Sent as headers, not in the body.
HEADERS = {"betas", "user_profile_id", "workspace_id"}
# Known by a beta alone, though the plain types have it (measured, docs/deviations.md).
BY_BETA = {"speed"}
# A message of the types whose least form is empty: the API wants one of its optional parts.
KINDS = {
    "plain": ("types.message_create_params", "MessageCreateParamsNonStreaming", False),
    "plain, counted": ("types.message_count_tokens_params", "MessageCountTokensParams", True),
    "beta": ("types.beta.message_create_params", "MessageCreateParamsNonStreaming", False),
    "beta, counted": ("types.beta.message_count_tokens_params", "MessageCountTokensParams", True),
}


@pytest.mark.parametrize("version", ["2023-06-01", "2026-10-21"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_field_of_the_sdk_is_known(kind, version):
    module, name, counting = KINDS[kind]
    types = getattr(importlib.import_module(f"anthropic.{module}"), name)
    betas = FAMILIES if kind.startswith("beta") else frozenset()
    refused, made = {}, 0
    for body in bodies(types):
        body = {field: value for field, value in body.items() if field not in HEADERS}
        if not betas and BY_BETA & set(body):
            continue
        made += 1
        for fault in faults(body, version, betas, counting):
            refused.setdefault((fault.rule, ".".join(fault.loc)), body)
    assert not refused
    assert made > 1000


def test_every_beta_of_the_sdk_is_known():
    from anthropic.types import AnthropicBetaParam

    values = get_args(get_args(AnthropicBetaParam)[1])
    assert len(values) > 50
    assert {family(value) for value in values} <= FAMILIES
    headers = {"x-api-key": "k", "anthropic-version": "2023-06-01", "anthropic-beta": ",".join(values)}
    assert check_headers(headers) is None
