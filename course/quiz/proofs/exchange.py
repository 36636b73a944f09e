"""Proofs that need more than one request: what a change brings, what it does to the cache, what the SDK retries."""

from collections.abc import Mapping, Sequence
from typing import Any

from course.facts import default_model
from course.quiz.offline import full_request, outcome
from course.quiz.proofs.registry import Sheet, agrees, proof
from course.quiz.proofs.requests import patched

__all__ = ["cache_keeps", "patch_gives", "sdk_does"]

FILLER = "The log so far: calm. " * 400
MARK = {"cache_control": {"type": "ephemeral"}}


@proof("patch_gives")
def patch_gives(sheet: Sheet, *, cases: Sequence[Mapping[str, Any]], request: Mapping[str, Any] | None = None) -> Any:
    """Each option's claim is a patch of the request: with the right one every case comes out as wanted.

    cases: {change: patch made before the option's, want: {status, blocks, calls, …} as `api_says` observes them,
    replies: what a scripted model answers; without it the improviser does}.
    """

    def comes_out(case: Mapping[str, Any], claim: Mapping[str, Any]) -> bool:
        body = patched(patched(request or {}, case.get("change", {})), claim)
        return agrees(case["want"], outcome(body, replies=case.get("replies", ())))

    return sheet.pick(lambda claim: all(comes_out(case, claim) for case in cases))


def _cacheable(request: Mapping[str, Any]) -> dict[str, Any]:
    """Return `request` with long tools, system and messages, each with a cache mark at its end."""
    body = full_request(request)
    *others, last = body["tools"]
    tools = [*others, {**last, "description": f"{last['description']} {FILLER}", **MARK}]
    system = [{"type": "text", "text": f"{body.pop('system', 'House rules.')} {FILLER}", **MARK}]
    asked = [{"role": "user", "content": [{"type": "text", "text": f"{FILLER}{_words(body)}", **MARK}]}]
    return {**body, "tools": tools, "system": system, "messages": asked}


def _words(body: Mapping[str, Any]) -> str:
    return str(body["messages"][0]["content"])


def _kept(request: Mapping[str, Any], patch: Mapping[str, Any]) -> list[str]:
    """Send `request`, then the changed one; return which of tools, system and messages were read from the cache."""
    from course.api import OfflineAPI
    from course.mockmodel import Scripted
    from course.quiz.offline import Client

    client = Client(OfflineAPI(Scripted(["Done.", "Done.", "Done."])))
    first = client.create(**_cacheable(request)).usage
    second = client.create(**_cacheable(patched(request, patch))).usage
    whole = first.cache_creation_input_tokens
    read = second.cache_read_input_tokens / whole
    return ["tools", "system", "messages"][: sum(read > part for part in (0.2, 0.5, 0.9))]


@proof("cache_keeps")
def cache_keeps(sheet: Sheet, *, request: Mapping[str, Any], change: Mapping[str, Any] | None = None) -> Any:
    """Two requests with a cache mark after tools, system and messages: what does the second one read?

    With `change` (a patch for the second request), claims are {kept: [tools, system, messages]}. Without it, each
    option's claim is {change: patch, kept: [...]}; the right options are those that come out as claimed.
    """
    if change is not None:
        observed = {"kept": _kept(request, change)}
        return sheet.pick(lambda claim: agrees(claim, observed), observed)
    return sheet.pick(lambda claim: _kept(request, claim["change"]) == claim["kept"])


@proof("sdk_does")
def sdk_does(sheet: Sheet, *, fault: str = "", value: str = "", max_retries: int = 2) -> Any:
    """The real SDK in front of the offline API, which has one fault ("529:2" is overloaded twice, then fine).

    Observed: attempts, retries, error (class of the exception, or null), status. Without `fault` each option's claim
    names its own: {fault: "429:1", retries: 1}.
    """
    if not fault:
        return sheet.pick(lambda claim: agrees(claim, {**claim, **_through_sdk(claim["fault"], max_retries)}))
    observed = _through_sdk(fault, max_retries)
    return observed[value] if sheet.kind == "numeric" else sheet.pick(lambda claim: agrees(claim, observed), observed)


def _through_sdk(fault: str, max_retries: int) -> dict[str, Any]:
    import anthropic

    from course.api import OfflineAPI
    from course.api.transport import client
    from course.mockmodel import Scripted

    sent: list[str] = []

    class Counting(OfflineAPI):
        def respond(self, request: Any) -> Any:
            sent.append(request.path)
            return super().respond(request)

    sdk = client(Counting(Scripted(["Done."])), max_retries=max_retries)
    observed: dict[str, Any] = {"error": None, "status": 200}
    try:
        sdk.messages.create(
            model=default_model(),
            max_tokens=200,
            messages=[{"role": "user", "content": "Please help."}],
            extra_headers={"x-course-fault": fault},
        )
    except anthropic.APIStatusError as error:
        observed |= {"error": type(error).__name__, "status": error.status_code}
    return {**observed, "attempts": len(sent), "retries": len(sent) - 1}
