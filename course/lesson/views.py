"""Show a conversation, step by step, and say what is wrong with one."""

from collections.abc import Mapping
from typing import Any

__all__ = ["check_conversation", "show"]


def show(what: Any, **options: Any) -> Any:
    """Show a trace, an outcome of `run`, a history, a request body or one message, step by step.

    Where widgets work you get the trace view; everywhere else the same steps as plain HTML.
    """
    trace = trace_of(what)
    try:
        from course.widgets import TraceView
    except ImportError:
        return Page(trace)
    return TraceView(trace, **options)


class Page:
    """A trace as script-free HTML."""

    def __init__(self, trace: Any) -> None:
        self.trace = trace

    def _repr_html_(self) -> str:
        from course.traces import to_html

        return to_html(self.trace)

    def __repr__(self) -> str:
        from course.traces import to_text

        return to_text(self.trace)


def trace_of(what: Any) -> Any:
    """Return a Trace of anything `show` takes."""
    from course.traces import Trace, from_source
    from course.traces.plain import plain

    if isinstance(what, Trace):
        return what
    if isinstance(inner := getattr(what, "trace", None), Trace):
        return inner
    value = plain(what)
    if isinstance(value, Mapping) and value.get("role"):
        value = [{"role": value["role"], "content": value["content"]}]
    return from_source(value)


def check_conversation(source: Any) -> Any:
    """Say which rules a conversation of yours breaks, in which message and block, and how to mend each.

    source: a list of messages, a request body, a trace, or the JSON text of one.
    """
    from course.traces import diagnose
    from course.traces.plain import plain

    return diagnose(plain(source))
