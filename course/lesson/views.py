"""Show a conversation, step by step, and say what is wrong with one."""

from collections.abc import Mapping, Sequence
from typing import Any

from course.facts import say
from course.lesson.prediction import current_lesson
from course.lesson.record import note
from course.lesson.sentence import Sentence

__all__ = ["Page", "Report", "check_conversation", "show", "timeless"]


def show(
    what: Any, *, compare: Any = None, titles: Sequence[str] = ("", ""), start: int = 0, times: bool = False
) -> Any:
    """Show a trace, an outcome of `run`, a history, a request body or one message, step by step.

    compare: a second one beside it, under the same cursor. titles: what stands over each. start: the first step
    shown, from 0. times: also show when each call ran. Where widgets work you get the trace view; everywhere else the
    same steps as plain HTML. Three dots, as in an open exercise, give a sentence.
    """
    if what is ...:
        return Sentence(say("lesson.show.open"))
    first, second = map(titled, (item if times else timeless(item) for item in (what, compare)), (*titles, "", ""))
    try:
        from course.widgets import TraceView
    except ImportError:
        return Page(first, second)
    return TraceView(first, start, second, on_answer=_keep)


def _keep(guess: Any) -> None:
    """Note what was predicted before a step of a trace was shown."""
    if guess.choice is None:
        return
    told = {"lesson": current_lesson(), "question": guess.question, "prediction": guess.text}
    note("predicted", guess.question, told)


class Page:
    """One or two traces as script-free HTML."""

    def __init__(self, *traces: Any) -> None:
        self.traces = [trace for trace in traces if trace is not None]

    def _repr_html_(self) -> str:
        from course.traces import to_html

        return "".join(map(to_html, self.traces))

    def __repr__(self) -> str:
        from course.traces import to_text

        return "\n".join(map(to_text, self.traces))


def timeless(what: Any) -> Any:
    """Return a trace or an outcome's trace without its times; anything else as it is, in plain data."""
    from course.traces import Trace
    from course.traces.plain import plain

    trace = what if isinstance(what, Trace) else getattr(what, "trace", None)
    if not isinstance(trace, Trace):
        return plain(what)
    still = {"started": 0.0, "ended": 0.0}
    return trace.model_copy(
        update={
            "exchanges": tuple(exchange.model_copy(update=still) for exchange in trace.exchanges),
            "executions": tuple(execution.model_copy(update=still) for execution in trace.executions),
        }
    )


class Report:
    """What the doctor found, as words; `diagnosis` holds it as data."""

    def __init__(self, diagnosis: Any) -> None:
        self.diagnosis = diagnosis

    @property
    def sound(self) -> bool:
        """True when no rule of the API is broken."""
        return self.diagnosis.sound

    def __repr__(self) -> str:
        from course.traces.report import report_text

        return report_text(self.diagnosis, width=100)

    def _repr_html_(self) -> str:
        return self.diagnosis._repr_html_()


def titled(what: Any, title: str) -> Any:
    """Return a trace, a history or a request body under a title, as a trace."""
    from course.traces import Exchange, Trace

    if not title or what is None:
        return what
    if isinstance(what, Trace):
        return what.model_copy(update={"title": title})
    body = what if isinstance(what, Mapping) else {"messages": what}
    return Trace(title=title, exchanges=(Exchange(request=dict(body)),))


def check_conversation(source: Any) -> Any:
    """Say which rules a conversation of yours breaks, in which message and block, and how to mend each.

    source: a list of messages, a request body, a trace, the JSON text of one, a log, an error of the SDK, …
    """
    from course.traces import diagnose
    from course.traces.source import Unreadable

    if source is ...:
        return Sentence(say("lesson.show.open"))
    try:
        return Report(diagnose(source))
    except Unreadable as error:
        return Sentence(str(error))
