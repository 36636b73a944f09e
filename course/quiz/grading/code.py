"""Grade code with filled holes by what it does against scripted replies, in a process of its own."""

import ast
from collections.abc import Mapping
from typing import Any

from course.facts import say
from course.quiz.grading.accept import ACCEPT, Written, named
from course.quiz.grading.grade import Invalid, Marks, Part
from course.quiz.grading.process import run_apart
from course.quiz.items import in_language
from course.quiz.kinds import Case, FadedCode

__all__ = ["mark", "run_cases"]

LONGEST_FILL = 4_000
MOST_REQUESTS = 20


def mark(item: FadedCode, response: Any, lang: str | None) -> Marks:
    """Score the share of cases in which everything expected was observed. Code that does not parse is invalid."""
    fills = _fills(item, response)
    code = item.filled(fills)
    try:
        ast.parse(code)
    except SyntaxError as error:
        raise Invalid(say("quiz.grading.code.syntax", line=error.lineno, why=error.msg)) from None
    cases = [case.model_dump(mode="json", include={"question", "replies", "results"}) for case in item.cases]
    done = run_apart("course.quiz.grading.code:run_cases", code, list(item.tools), cases)
    if not done.ok:
        return 0.0, (Part(role="check", ref="runs", ok=False, label=say("quiz.grading.check.runs"), text=done.problem),)
    parts = [_judge(case, observed, lang) for case, observed in zip(item.cases, done.value, strict=True)]
    score = sum(bool(part.ok) for part in parts) / len(parts)
    known = _known_mistake(item, fills, lang)
    holes = (
        []
        if score == 1
        else [
            Part(role="key", ref=hole.id, ok=True, label=hole.solution, text=in_language(hole.why, lang))
            for hole in item.holes
            if " ".join(fills[hole.id].split()) != " ".join(hole.solution.split())
        ]
    )
    return score, (*known, *sorted(parts, key=lambda part: bool(part.ok)), *holes)


def _fills(item: FadedCode, response: Any) -> dict[str, str]:
    names = {hole.id for hole in item.holes}
    if not isinstance(response, Mapping) or not set(response) <= names:
        raise Invalid(say("quiz.grading.shape.faded_code", holes=", ".join(sorted(names))))
    if missing := [name for name in sorted(names) if not str(response.get(name) or "").strip()]:
        raise Invalid(say("quiz.grading.code.missing", holes=", ".join(missing)))
    if any(not isinstance(fill, str) or len(fill) > LONGEST_FILL for fill in response.values()):
        raise Invalid(say("quiz.grading.code.long", most=LONGEST_FILL))
    return dict(response)


def _known_mistake(item: FadedCode, fills: Mapping[str, str], lang: str | None) -> tuple[Part, ...]:
    for mistake in item.mistakes:
        if mistake.response == fills:
            return (
                Part(role="chosen", ok=False, text=in_language(mistake.why, lang), misconception=mistake.misconception),
            )
    return ()


def _judge(case: Case, observed: Mapping[str, Any], lang: str | None) -> Part:
    """Compare what one case expects with what was observed."""
    found = (_compare(name, value, observed) for name, value in case.expect.items())
    wrong = list(dict.fromkeys(filter(None, found)))
    return Part(
        role="check",
        ref=in_language(case.name, "en"),
        ok=not wrong,
        label=in_language(case.name, lang),
        text=" ".join([*wrong, in_language(case.why, lang)]) if wrong else "",
    )


def _compare(name: str, wanted: Any, observed: Mapping[str, Any]) -> str:
    if name == "accept":
        last = observed["requests"][-1] if observed["requests"] else {}
        turn = last.get("messages", [{}])[-1]
        answer = Written(turn, last, tuple(observed["calls"]))
        return " ".join(filter(None, (ACCEPT[check](answer, *args) for check, args in map(named, wanted))))
    found: Any = len(observed["requests"]) if name == "requests" else observed[name]
    if name == "refused":
        found = bool(found)
    if found == wanted or (name == "executed" and isinstance(wanted, int) and len(found) == wanted):
        return ""
    if observed["error"] and name in ("returns", "requests", "executed"):
        return say("quiz.grading.code.raised", error=observed["error"].rstrip("."))
    return say("quiz.grading.code.other", name=name, wanted=wanted, found=found)


def run_cases(code: str, tools: list[Any], cases: list[Any]) -> list[dict[str, Any]]:
    """Run the code on every case (inside the other process); return what was observed in each."""
    return [_run_case(code, tools, case) for case in cases]


def _run_case(code: str, tools: list[Any], case: Mapping[str, Any]) -> dict[str, Any]:
    from course.api import OfflineAPI
    from course.quiz.offline import Client, scripted

    client = Client(OfflineAPI(scripted(case["replies"])), most=MOST_REQUESTS)
    executed: list[str] = []

    def call(name: str, input: Mapping[str, Any]) -> Any:
        executed.append(name)
        result = case["results"].get(name, f"There is no tool {name!r}.")
        if isinstance(result, Mapping) and set(result) == {"raises"}:
            raise RuntimeError(result["raises"])
        return result

    returns, error = None, ""
    space: dict[str, Any] = {"__name__": "answer"}
    try:
        exec(compile(code, "answer", "exec"), space)
        returns = space["run"](client, tools, call, case["question"])
    except Exception as problem:
        error = f"{type(problem).__name__}: {problem}"
    return {
        "returns": returns,
        "error": error,
        "requests": client.requests,
        "refused": client.refused,
        "executed": executed,
        "calls": client.calls,
    }
