"""Proofs that let the harness run against scripted replies, or the improviser choose a tool."""

from collections.abc import Mapping, Sequence
from typing import Any

from course.facts import default_model, say
from course.quiz.offline import Client, outcome, scripted
from course.quiz.proofs.registry import ProofFailure, Sheet, agrees, proof
from course.quiz.proofs.requests import patched

__all__ = ["improviser_chooses", "loop_does", "loop_order"]


def watched_run(
    replies: Sequence[Any], results: Mapping[str, Any], messages: Any, max_iterations: int
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Run the harness against scripted replies; return what was observed, and the events in order.

    events: {do: send, n} · {do: reply, n, stop_reason, blocks} · {do: execute, name, n} · {do: final, text}.
    """
    from course.api import OfflineAPI
    from course.harness import Tool, run

    events: list[dict[str, Any]] = []

    class Watched(Client):
        def create(self, **body: Any) -> Any:
            events.append({"do": "send", "n": len(self.requests) + 1})
            answer = super().create(**body)
            events.append(
                {
                    "do": "reply",
                    "n": len(self.requests),
                    "stop_reason": answer.stop_reason,
                    "blocks": [block.type for block in answer.content],
                }
            )
            return answer

    def tool(name: str, result: Any) -> Tool:
        def execute(**_: Any) -> Any:
            events.append({"do": "execute", "name": name, "n": sum(e["do"] == "execute" for e in events) + 1})
            if isinstance(result, Mapping) and set(result) == {"raises"}:
                raise RuntimeError(result["raises"])
            return result

        return Tool(name, f"Look up {name}.", {"type": "object"}, execute)

    client = Watched(OfflineAPI(scripted(replies)))
    end = run(
        client,
        model=default_model(),
        messages=messages,
        max_iterations=max_iterations,
        tools=[tool(name, result) for name, result in results.items()],
    )
    events.append({"do": "final", "text": end.text})
    executed = [event["name"] for event in events if event["do"] == "execute"]
    history = client.requests[-1]["messages"]
    returned = [
        block
        for turn in history
        if isinstance(turn["content"], list)
        for block in turn["content"]
        if block.get("type") == "tool_result"
    ]
    return {
        "requests": len(client.requests),
        "executed": executed,
        "executions": len(executed),
        "stop": end.stop,
        "text": end.text,
        "results": len(returned),
        "errors": sum(bool(block.get("is_error")) for block in returned),
        "roles": [turn["role"] for turn in history],
        "sent": len(history),
    }, events


@proof("loop_does")
def loop_does(
    sheet: Sheet,
    *,
    replies: Sequence[Any],
    results: Mapping[str, Any] | None = None,
    messages: Any = "Please help.",
    max_iterations: int = 10,
    value: str = "",
) -> Any:
    """One run of the course's harness; claims are about what was observed.

    requests (how many were sent) · executed (tool names) · executions · results and errors (tool_result blocks in
    the last request) · roles and sent (turns of the last request) · stop · text. numeric: `value` names one.
    """
    observed, _ = watched_run(replies, results or {}, messages, max_iterations)
    return observed[value] if sheet.kind == "numeric" else sheet.pick(lambda claim: agrees(claim, observed), observed)


@proof("loop_order")
def loop_order(
    sheet: Sheet,
    *,
    replies: Sequence[Any],
    results: Mapping[str, Any] | None = None,
    messages: Any = "Please help.",
) -> list[str]:
    """Order the steps by a run: each step's claim is an event ({do: execute, name: get_order}); strangers have none."""
    _, events = watched_run(replies, results or {}, messages, 10)
    places: dict[str, int] = {}
    for choice in sheet.choices:
        if choice.claim is None:
            continue
        found = [at for at, event in enumerate(events) if agrees(choice.claim, event)]
        if not found:
            raise ProofFailure(say("quiz.lint.proof.no_event", id=choice.id, events=events))
        places[choice.id] = found[0]
    return sorted(places, key=lambda id: places[id])


@proof("improviser_chooses")
def improviser_chooses(
    sheet: Sheet, *, wishes: Sequence[Mapping[str, Any]], request: Mapping[str, Any] | None = None
) -> Any:
    """Each option's claim is a patch of the request (say, better descriptions); with the right one, each wish finds
    its tool: wishes are {say: text, calls: [tool names]}. The improviser is a stand-in for Claude, not Claude."""

    def holds(patch: Mapping[str, Any]) -> bool:
        changed = patched(request or {}, patch)
        return all(
            agrees(list(wish["calls"]), outcome({**changed, "messages": wish["say"]})["calls"]) for wish in wishes
        )

    return sheet.pick(holds)
