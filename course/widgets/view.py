"""What every view has in common: labels for the page, and the still picture for where no widget can run."""

from collections.abc import Callable
from html import escape
from typing import Any

import anywidget
import traitlets

from course.facts import say
from course.facts.text import table

__all__ = ["View"]


class View(anywidget.AnyWidget):
    """A widget with `labels`, the strings its page shows. Its output also carries HTML without script, and a line of text.

    A view says what these are: `still()` is HTML without script, style sheet or pictures, which tells all there is to
    tell; `plain()` is one line.
    """

    labels = traitlets.Dict().tag(sync=True)
    still: Callable[[], str]
    plain: Callable[[], str]

    def __init__(self, strings: str, **traits: Any) -> None:
        super().__init__(labels=table(strings), **traits)

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:  # type: ignore[override]
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is None:
            return None
        data, metadata = bundle
        live = f"<p><em>{escape(say('widgets.fallback.live'))}</em></p>"
        return {**data, "text/html": live + self.still(), "text/plain": self.plain()}, metadata
