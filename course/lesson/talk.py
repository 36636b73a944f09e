"""Talk to the Messages API from a notebook: one call through the real SDK, offline unless you say otherwise."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from course.facts import default_model, say
from course.lesson.desk import desk
from course.lesson.errors import NothingAsked
from course.lesson.refusal import Refusal

if TYPE_CHECKING:
    from anthropic.types import Message

    from course.api import OfflineAPI

__all__ = ["Refusal", "api", "ask", "async_client", "attempt", "client", "live", "text_of"]


def client(*, script: Sequence[Any] | None = None) -> Any:
    """Return the `anthropic.Anthropic` of this notebook. script: turns that a stand-in plays instead, offline."""
    return desk().client(script=script)


def async_client(*, script: Sequence[Any] | None = None) -> Any:
    """Return the `anthropic.AsyncAnthropic` of this notebook."""
    return desk().client(asynchronous=True, script=script)


def api() -> "OfflineAPI":
    """Return the offline Messages API behind `client()`."""
    return desk().api()


def live(on: bool | None = None) -> bool:
    """Say whether requests go to Claude; `live(True)` and `live(False)` switch. Raises LessonError without a key."""
    if on is not None:
        desk().switch(on)
    return desk().live


def ask(
    wish: Any = ...,
    *,
    tools: Iterable[Any] = (),
    model: str | None = None,
    max_tokens: int = 1024,
    script: Sequence[Any] | None = None,
    **request: Any,
) -> "Message":
    """Make one call of the Messages API and return the message.

    wish: the user's words, or a list of messages. tools: functions, Tools or definitions. model: the course's default.
    script: turns a stand-in plays instead of improvising. request: any other field (system, tool_choice, …).
    Returns `...` when an argument is still `...`, so that an open exercise stays open. Raises what the SDK raises.
    """
    tools = list(tools) if tools is not ... else ...
    if any(value is ... for value in (wish, tools, *request.values())) or (tools and ... in tools):
        return ...  # type: ignore[return-value]
    body = {"model": model or default_model(), "max_tokens": max_tokens, "messages": messages_of(wish), **request}
    if tools:
        body["tools"] = [definition_of(tool) for tool in tools]
    return desk().client(script=script).messages.create(**body)


def attempt(wish: Any = ..., **request: Any) -> "Message | Refusal":
    """The same as `ask`, but a refusal of the API comes back as a value instead of an exception."""
    import anthropic

    try:
        return ask(wish, **request)
    except anthropic.APIStatusError as error:
        refused = Refusal.of(error)
        assert refused is not None
        return refused


def text_of(message: Any) -> str:
    """Return the words of a message: its text blocks, joined; thinking and calls left out."""
    if message is ...:
        return ""
    return "\n\n".join(block.text for block in message.content if block.type == "text")


def messages_of(wish: Any) -> list[Any]:
    """Return a history: one user message from words, or the messages themselves."""
    if isinstance(wish, str):
        return [{"role": "user", "content": wish}]
    if isinstance(wish, Mapping):
        return [wish]
    if isinstance(wish, Iterable):
        return list(wish)
    raise NothingAsked(say("lesson.talk.nothing_asked"))


def definition_of(tool: Any) -> Any:
    """Return the definition that travels in a request, from a function, a Tool or a definition."""
    from course.harness import Tool
    from course.harness import tool as make

    if isinstance(tool, Tool):
        return tool.definition()
    if isinstance(tool, Mapping):
        return dict(tool)
    if isinstance(tool, Callable):  # type: ignore[arg-type]
        return make(tool).definition()
    raise NothingAsked(say("lesson.talk.tool_kind", kind=type(tool).__name__))
