"""Make a sound copy of a broken body, where that needs no judgement.

Each rule that can be mended has one function here; what has none needs a person and is left. Every action is told in
words. Rules are asked again after each round, because one mend may uncover another fault.
"""

import copy
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from course.facts import FactError, default_model, model, say
from course.traces.finding import Place
from course.traces.pairing import mend_pairing
from course.traces.rules import broken_rules

if TYPE_CHECKING:
    from course.api.rules import Violation

__all__ = ["MENDED_RULES", "Mended", "mend"]

ROUNDS = 12
MAX_TOKENS = 4096
ROLES = {"human": "user", "customer": "user", "ai": "assistant", "bot": "assistant", "model": "assistant"}
TRUTH = {"true": True, "false": False, "True": True, "False": False, 1: True, 0: False}
GONE = object()


@dataclass(frozen=True)
class Mended:
    """The mended body, what was done in words, and the rules it still breaks."""

    body: dict[str, Any]
    actions: tuple[str, ...]
    left: "tuple[Violation, ...]"


def mend(body: Mapping[str, Any], *, version: str, betas: Sequence[str] = ()) -> Mended:
    """Return a copy of `body` with every fault mended that can be mended mechanically."""
    patient = _Patient(copy.deepcopy(dict(body)))
    for _ in range(ROUNDS):
        found = broken_rules(patient.body, version=version, betas=betas)
        before = len(patient.actions)
        patient.treat(found)
        if not found or len(patient.actions) == before:
            break
    return Mended(patient.body, tuple(patient.actions), tuple(broken_rules(patient.body, version=version, betas=betas)))


class _Patient:
    """The body under treatment. Removals are collected and done at the end of a round, so that places stay true."""

    def __init__(self, body: dict[str, Any]) -> None:
        self.body = body
        self.actions: list[str] = []
        self.leaving: list[Place] = []

    def treat(self, found: "Sequence[Violation]") -> None:
        pairing = False
        for broken in found:
            if broken.rule in PAIRING or (
                broken.rule == "field.required" and broken.place[-1] in ("tool_use_id", "id")
            ):
                pairing = True
            elif mending := MENDS.get(broken.rule):
                mending(self, broken)
        self._remove()
        messages = self.body.get("messages")
        if pairing and isinstance(messages, list):
            self.body["messages"], done = mend_pairing(messages)
            self.actions += done

    def did(self, action: str, place: Place, **values: Any) -> None:
        self.actions.append(say(f"traces.action.{action}", place=".".join(map(str, place)), **values))

    def get(self, place: Place) -> Any:
        node: Any = self.body
        for key in place:
            if isinstance(node, dict):
                node = node.get(str(key), GONE)
            elif isinstance(node, list) and isinstance(key, int) and key < len(node):
                node = node[key]
            else:
                return GONE
        return node

    def set(self, place: Place, value: Any, action: str = "set", **values: Any) -> None:
        parent = self.get(place[:-1])
        if isinstance(parent, dict | list):
            parent[place[-1]] = value  # type: ignore[index]
            self.did(action, place, value=_short(value), **values)

    def drop(self, place: Place, action: str = "removed") -> None:
        if place == ("messages", 0) and len(self.body["messages"]) == 1:
            return
        if place and place not in self.leaving and self.get(place) is not GONE:
            self.leaving.append(place)
            self.did(action, place)

    def _remove(self) -> None:
        for place in sorted(self.leaving, key=lambda place: [(isinstance(k, str), k) for k in place], reverse=True):
            parent = self.get(place[:-1])
            if isinstance(parent, dict):
                parent.pop(str(place[-1]), None)
            elif isinstance(parent, list) and isinstance(place[-1], int) and place[-1] < len(parent):
                del parent[place[-1]]
        self.leaving = []


Mending = Callable[[_Patient, "Violation"], None]


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else text[:57] + "…"


def _decoded(value: Any) -> Any:
    try:
        return json.loads(value) if isinstance(value, str) else GONE
    except (ValueError, RecursionError):
        return GONE


def _block_place(place: Place) -> Place:
    """Return the place of the innermost content block around `place`."""
    end = max((n for n, key in enumerate(place) if isinstance(key, int) and n and place[n - 1] == "content"), default=1)
    return place[: end + 1]


def _as_text(value: Any) -> dict[str, Any]:
    text = value.get("text") if isinstance(value, dict) and isinstance(value.get("text"), str) else None
    return {
        "type": "text",
        "text": text or (value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)),
    }


# fields -------------------------------------------------------------------------------------------------------------


def _remove_place(patient: _Patient, broken: "Violation") -> None:
    patient.drop(broken.place)


def _remove_block(patient: _Patient, broken: "Violation") -> None:
    patient.drop(_block_place(broken.place))


def _required(patient: _Patient, broken: "Violation") -> None:
    place = broken.place
    match place:
        case ("model",):
            patient.set(place, default_model())
        case ("max_tokens",):
            patient.set(place, MAX_TOKENS)
        case ("messages", int(), "role"):
            patient.set(place, _likely_role(patient, place[:2]))
        case ("messages", int(), "content"):
            patient.drop(place[:2])
        case ("messages", *_, "input"):
            patient.set(place, {})
        case ("messages", *_, "text" | "thinking" | "signature" | "data"):
            patient.drop(_block_place(place))
        case ("messages", *_, "type"):
            patient.set(_block_place(place), _as_text(patient.get(_block_place(place))), "as_text")
        case ("tools", int(), "input_schema"):
            given = patient.get((*place[:2], "parameters"))
            patient.set(place, given if isinstance(given, dict) else {"type": "object"})
        case ("tools", int(), "input_schema", "type"):
            patient.set(place, "object")


def _likely_role(patient: _Patient, place: Place) -> str:
    message = patient.get(place)
    content = message.get("content") if isinstance(message, dict) else None
    kinds = {block.get("type") for block in content if isinstance(block, dict)} if isinstance(content, list) else set()
    if "tool_use" in kinds:
        return "assistant"
    index = place[1]
    before = patient.get(("messages", index - 1, "role")) if isinstance(index, int) and index else "assistant"
    return "assistant" if before == "user" and "tool_result" not in kinds else "user"


def _dictionary(patient: _Patient, broken: "Violation") -> None:
    if isinstance(decoded := _decoded(patient.get(broken.place)), dict):
        patient.set(broken.place, decoded, "decoded")


def _array(patient: _Patient, broken: "Violation") -> None:
    value, place = patient.get(broken.place), broken.place
    if isinstance(decoded := _decoded(value), list):
        patient.set(place, decoded, "decoded")
    elif place == ("messages",) and isinstance(value, str):
        patient.set(place, [{"role": "user", "content": value}])
    elif place[-1] == "content" and isinstance(value, dict):
        patient.set(place, [value])
    elif place[-1] == "content" and value is None:
        patient.drop(place[:-1] if len(place) == 3 else place)
    elif place[-1] == "content":
        patient.set(place, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
    elif isinstance(value, dict | str) and value:
        patient.set(place, [value])


def _object(patient: _Patient, broken: "Violation") -> None:
    value, place = patient.get(broken.place), broken.place
    if place == ("tool_choice",) and isinstance(value, str):
        named = {"auto": "auto", "any": "any", "none": "none", "required": "any"}.get(value)
        patient.set(place, {"type": named} if named else {"type": "tool", "name": value})
    elif place[:1] == ("messages",) and len(place) == 2:
        patient.set(place, {"role": _likely_role(patient, place), "content": str(value)})
    elif place[:1] == ("messages",) and len(place) > 3 and isinstance(place[-1], int):
        patient.set(place, _as_text(value), "as_text")
    elif place[-1] == "cache_control":
        patient.drop(place)


def _tag(patient: _Patient, broken: "Violation") -> None:
    value, place = patient.get(broken.place), broken.place
    if place[-1] == "caller":
        patient.drop(place)
    elif place == ("tool_choice",) and isinstance(value, dict):
        function = value.get("function")
        name = function.get("name") if isinstance(function, dict) else value.get("name")
        patient.set(place, {"type": "tool", "name": name} if name else {"type": "any"})
    elif place[:1] == ("tools",) and len(place) == 2 and isinstance(value, dict) and value.get("type") == "function":
        from course.traces.openai import translated

        patient.set(place, translated({"messages": [], "tools": [value]})[0]["tools"][0])
    elif place[:1] == ("messages",) and len(place) > 3:
        patient.set(_block_place(place), _as_text(patient.get(_block_place(place))), "as_text")


def _string(patient: _Patient, broken: "Violation") -> None:
    value = patient.get(broken.place)
    if broken.place == ("model",):
        patient.set(broken.place, default_model())
    elif broken.place[-1] == "text" and value is None:
        patient.drop(_block_place(broken.place))
    elif broken.place[-1] in ("text", "content", "description") and value is not GONE:
        patient.set(broken.place, json.dumps(value, ensure_ascii=False), "as_text")


def _boolean(patient: _Patient, broken: "Violation") -> None:
    value = patient.get(broken.place)
    if isinstance(value, str | int) and value in TRUTH:
        patient.set(broken.place, TRUTH[value])


def _numeric(patient: _Patient, broken: "Violation") -> None:
    value = patient.get(broken.place)
    if isinstance(value, str) and re.fullmatch(r"-?\d+(\.\d+)?", value):
        patient.set(broken.place, json.loads(value) if "." in value else int(value))
    elif isinstance(value, float) and value.is_integer():
        patient.set(broken.place, int(value))
    elif broken.place == ("max_tokens",):
        patient.set(broken.place, MAX_TOKENS)
    elif broken.place[0] != "messages":
        patient.drop(broken.place)


def _max_tokens(patient: _Patient, broken: "Violation") -> None:
    try:
        limit = model(str(patient.body.get("model"))).max_output
    except FactError:
        limit = MAX_TOKENS
    patient.set(("max_tokens",), limit if broken.rule == "max-tokens.too-many" else MAX_TOKENS)


def _literal(patient: _Patient, broken: "Violation") -> None:
    if broken.place[-2:] == ("input_schema", "type"):
        patient.set(broken.place, "object")


def _name(patient: _Patient, broken: "Violation") -> None:
    """Make a name or an id of allowed characters and length, everywhere it is used."""
    old, place = patient.get(broken.place), broken.place
    if not isinstance(old, str):
        return
    if place[-1] in ("id", "tool_use_id"):
        new = re.sub(r"[^a-zA-Z0-9_-]", "_", old) or "toolu_mended"
        if "server_tool_use" in broken.message or "_tool_result" in broken.message.partition("tool_result.")[0]:
            new = "srvtoolu_" + re.sub(r"[^a-zA-Z0-9_]", "_", old.removeprefix("srvtoolu_"))
        _rename(patient, ("id", "tool_use_id"), old, new)
    elif place[-1] == "name":
        limit = 200 if place[0] == "messages" else 128
        new = re.sub(r"[^a-zA-Z0-9_-]", "_", old)[:limit] or "tool"
        _rename(patient, ("name", "tool_name"), old, new)


def _rename(patient: _Patient, keys: Sequence[str], old: str, new: str) -> None:
    if old == new:
        return
    stack: list[Any] = [patient.body.get("messages"), patient.body.get("tools"), patient.body.get("tool_choice")]
    while stack:
        node = stack.pop()
        if isinstance(node, list):
            stack += node
        elif isinstance(node, dict):
            node.update({key: new for key in keys if node.get(key) == old})
            stack += [value for key, value in node.items() if key not in ("input", "input_schema")]
    patient.actions.append(say("traces.action.rename", old=old, new=new))


def _whole_characters(patient: _Patient, broken: "Violation") -> None:
    """Put a replacement character where half of a surrogate pair stands alone."""
    if broken.rule == "body.not-json":
        text = json.dumps(patient.body, ensure_ascii=False)
        patient.body = json.loads(re.sub("[\ud800-\udfff]", "\ufffd", text))
        patient.did("characters", ())


# turns --------------------------------------------------------------------------------------------------------------


def _role(patient: _Patient, broken: "Violation") -> None:
    place = (*broken.place[:2], "role")
    role = patient.get(place)
    content = patient.get((*broken.place[:2], "content"))
    if role == "developer" and isinstance(content, str):
        _to_system(patient, broken)
    else:
        patient.set(place, ROLES.get(str(role).lower()) or _likely_role(patient, broken.place[:2]))


def _to_system(patient: _Patient, broken: "Violation") -> None:
    """Move a system turn to the top-level `system` field."""
    place = broken.place[:2]
    if place in patient.leaving:
        return
    content = patient.get((*place, "content"))
    blocks = content if isinstance(content, list) else [{"type": "text", "text": content}] if content else []
    texts = [b["text"] for b in blocks if isinstance(b, dict) and isinstance(b.get("text"), str) and b["text"].strip()]
    patient.drop(place, "to_system" if texts else "removed")
    system = patient.body.get("system")
    if not texts:
        return
    if isinstance(system, list):
        patient.body["system"] = [*system, *({"type": "text", "text": text} for text in texts)]
    else:
        patient.body["system"] = "\n\n".join([*([system] if isinstance(system, str) and system else []), *texts])


def _first_role(patient: _Patient, broken: "Violation") -> None:
    patient.body["messages"].insert(0, {"role": "user", "content": say("traces.action.opening_text")})
    patient.did("opening", ("messages", 0))


def _prefill(patient: _Patient, broken: "Violation") -> None:
    patient.drop(("messages", len(patient.body["messages"]) - 1), "prefill")


def _whitespace(patient: _Patient, broken: "Violation") -> None:
    place: Place = ("messages", len(patient.body["messages"]) - 1, "content")
    content = patient.get(place)
    if isinstance(content, list) and content:
        place = (*place, len(content) - 1, "text")
    text = patient.get(place)
    if isinstance(text, str):
        patient.set(place, text.rstrip(), "stripped")


def _thinking_first(patient: _Patient, broken: "Violation") -> None:
    content = patient.get((*broken.place[:2], "content"))
    if isinstance(content, list):
        content.sort(key=lambda block: "thinking" not in str(block.get("type") if isinstance(block, dict) else ""))
        patient.did("thinking_first", broken.place[:2])


def _text_only_error(patient: _Patient, broken: "Violation") -> None:
    """Move what is no text out of an error result, behind the results of its message."""
    result = patient.get(_block_place(broken.place[:4]))
    outer = patient.get(broken.place[:3])
    parts = result.get("content") if isinstance(result, dict) else None
    if isinstance(parts, list) and isinstance(outer, list):
        moved = [part for part in parts if not (isinstance(part, dict) and part.get("type") == "text")]
        result["content"] = [part for part in parts if not any(part is other for other in moved)]
        outer.extend(moved)
        patient.did("moved_out", broken.place)


# tools and the frame ------------------------------------------------------------------------------------------------


def _names_twice(patient: _Patient, broken: "Violation") -> None:
    seen: dict[str, Any] = {}
    for number, tool in enumerate(patient.body["tools"]):
        name = tool.get("name") if isinstance(tool, dict) else None
        if not isinstance(name, str):
            continue
        if name not in seen:
            seen[name] = tool
        elif tool == seen[name]:
            patient.drop(("tools", number))
        else:
            suffix = next(n for n in range(2, len(patient.body["tools"]) + 2) if f"{name}_{n}" not in seen)
            seen[f"{name}_{suffix}"] = tool
            patient.set(("tools", number, "name"), f"{name}_{suffix}")


def _choice_auto(patient: _Patient, broken: "Violation") -> None:
    choice = patient.body.get("tool_choice")
    kept = {k: v for k, v in choice.items() if k == "disable_parallel_tool_use"} if isinstance(choice, dict) else {}
    patient.set(("tool_choice",), {"type": "auto", **kept})


def _without_strict(patient: _Patient, broken: "Violation") -> None:
    if broken.place[:1] == ("tools",) and len(broken.place) > 1:
        patient.drop((*broken.place[:2], "strict"))
    elif broken.rule.startswith("strict.too-many"):
        for number, tool in enumerate(patient.body["tools"]):
            if isinstance(tool, dict) and "strict" in tool and (broken.rule != "strict.too-many-tools" or number >= 20):
                patient.drop(("tools", number, "strict"))


def _closed(patient: _Patient, broken: "Violation") -> None:
    top = broken.place[:3] if broken.place[:1] == ("tools",) else broken.place
    schema = patient.get((*broken.place[:2], "input_schema") if top[:1] == ("tools",) else top)
    stack: list[Any] = [schema]
    while stack:
        node = stack.pop()
        if isinstance(node, list):
            stack += node
        elif isinstance(node, dict):
            if node.get("type") == "object" or "properties" in node:
                node["additionalProperties"] = False
            stack += node.values()
    patient.did("closed", broken.place)


def _no_cache(patient: _Patient, broken: "Violation") -> None:
    place = broken.place[: broken.place.index("cache_control")] if "cache_control" in broken.place else broken.place
    patient.drop((*place, "cache_control"))


def _fewer_breakpoints(patient: _Patient, broken: "Violation") -> None:
    """Keep the last four cache breakpoints: they cover the longest prefixes."""
    found: list[Place] = []
    for top in ("tools", "system", "messages"):
        stack: list[tuple[Place, Any]] = [((top,), patient.body.get(top))]
        while stack:
            place, node = stack.pop()
            if isinstance(node, dict):
                if node.get("cache_control") is not None:
                    found.append((*place, "cache_control"))
                stack += [((*place, k), v) for k, v in reversed(node.items()) if k != "cache_control"]
            elif isinstance(node, list):
                stack += [((*place, n), v) for n, v in reversed(list(enumerate(node)))]
    for place in found[:-4]:
        patient.drop(place)


def _frame(*names: str) -> Mending:
    def remove(patient: _Patient, broken: "Violation") -> None:
        for name in names:
            patient.drop((name,))

    return remove


def _no_effort(patient: _Patient, broken: "Violation") -> None:
    patient.drop(("output_config", "effort"))


def _more_tokens(patient: _Patient, broken: "Violation") -> None:
    budget = patient.get(("thinking", "budget_tokens"))
    if isinstance(budget, int):
        patient.set(("max_tokens",), budget + MAX_TOKENS)


def _sampling(patient: _Patient, broken: "Violation") -> None:
    named = re.match(r"`(\w+)`", broken.message)
    patient.drop(broken.place if broken.place else (named[1] if named else "temperature",))


def _media_type(patient: _Patient, broken: "Violation") -> None:
    found = re.search(r"appears to be an? (image/\w+)", broken.message)
    place = (*_block_place(broken.place), "source", "media_type")
    if found:
        patient.set(place, found[1])


PAIRING = {
    "pairing.missing-result",
    "pairing.unexpected-result",
    "pairing.duplicate-result",
    "pairing.duplicate-id",
    "role.tool-result",
    "role.assistant-only",
    "role.thinking",
}
MENDS: dict[str, Mending] = {
    "body.not-json": _whole_characters,
    "field.required": _required,
    "field.extra": _remove_place,
    "field.dictionary": _dictionary,
    "field.array": _array,
    "field.object": _object,
    "field.tag": _tag,
    "field.string": _string,
    "field.boolean": _boolean,
    "field.integer": _numeric,
    "field.number": _numeric,
    "field.literal": _literal,
    "field.pattern": _name,
    "field.too-long": _name,
    "max-tokens.negative": _max_tokens,
    "max-tokens.too-many": _max_tokens,
    "messages.role-unknown": _role,
    "messages.first-role": _first_role,
    "stop.whitespace": _remove_place,
    "geo.unknown": _remove_place,
    "output-format.deprecated": _remove_place,
    "tool.domains-empty": _remove_place,
    "system-turn.first": _to_system,
    "system-turn.empty": _to_system,
    "system-turn.blocks": _to_system,
    "system-turn.whitespace": _to_system,
    "system-turn.unsupported": _to_system,
    "system-turn.must-follow-user": _to_system,
    "system-turn.must-precede-assistant": _to_system,
    "user-turn.empty": lambda patient, broken: patient.drop(broken.place[:2]),
    "text.empty": _remove_block,
    "text.blank": _remove_block,
    "thinking.nothing": _remove_block,
    "thinking.signature": _remove_block,
    "thinking.data": _remove_block,
    "thinking.modified": _remove_block,
    "thinking.moved": _remove_block,
    "thinking.off-last": _remove_block,
    "thinking.not-first": _thinking_first,
    "thinking.last-first": _frame("thinking"),
    "thinking.budget": _more_tokens,
    "thinking.enabled-unsupported": _frame("thinking"),
    "thinking.disabled-unsupported": _frame("thinking"),
    "thinking.disabled-between-tools": _frame("thinking"),
    "thinking.adaptive-unsupported": _frame("thinking"),
    "thinking.between-unsupported": _frame("thinking"),
    "effort.unsupported": _no_effort,
    "effort.level": _no_effort,
    "effort.without-thinking": _no_effort,
    "sampling.fixed": _sampling,
    "sampling.both": _frame("top_p"),
    "sampling.temperature-thinking": _frame("temperature"),
    "sampling.top-p-thinking": _frame("top_p"),
    "sampling.top-k-thinking": _frame("top_k"),
    "container.without-code": _frame("container"),
    "result.error-text-only": _text_only_error,
    "cache.empty-text": _no_cache,
    "cache.in-result": _no_cache,
    "cache.ttl-order": lambda patient, broken: patient.drop(broken.place),
    "cache.too-many": _fewer_breakpoints,
    "defer.cache": _no_cache,
    "tools.names": _names_twice,
    "choice.any-without-tools": _frame("tool_choice"),
    "choice.unknown-tool": _choice_auto,
    "choice.forced-unsupported": _choice_auto,
    "choice.forced-thinking": _choice_auto,
    "strict.open-object": _closed,
    "strict.additional": _closed,
    "strict.property": _without_strict,
    "strict.properties": _without_strict,
    "strict.min-items": _without_strict,
    "strict.unsupported-word": _without_strict,
    "strict.no-type": _without_strict,
    "strict.regex": _without_strict,
    "strict.circular": _without_strict,
    "strict.too-many-tools": _without_strict,
    "strict.too-many-optional": _without_strict,
    "strict.too-many-unions": _without_strict,
    "prefill.unsupported": _prefill,
    "prefill.whitespace": _whitespace,
    "server.missing-result": _remove_block,
    "server.no-tool": _remove_block,
    "server.unexpected-result": _remove_block,
    "caller.no-source": lambda patient, broken: patient.drop((*_block_place(broken.place), "caller")),
    "version.user-citations": _remove_place,
    "image.type-mismatch": _media_type,
}
MENDED_RULES = frozenset(MENDS) | PAIRING
"""Rules that can be mended without a person, as far as the values at hand allow it."""
