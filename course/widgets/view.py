"""What every view has in common: labels for the page, and the still picture for where no widget can run."""

from collections.abc import Callable
from html import escape
from typing import Any

import anywidget
import traitlets

from course.facts import say
from course.facts.text import table

__all__ = ["View", "display_with"]


class View(anywidget.AnyWidget):
    """A widget with `labels`, the strings its page shows.

    A view says what stands in for it where no widget can run: `still()` is HTML without script, style sheet or pictures
    that tells all there is to tell; `plain()` is one line.
    """

    labels = traitlets.Dict().tag(sync=True)
    still: Callable[[], str]
    plain: Callable[[], str]

    def __init__(self, strings: str, **traits: Any) -> None:
        super().__init__(labels=table(strings), **traits)

    def stand_in(self) -> str:
        """Return the still picture, with a word on how to get the view itself."""
        return f"<p><em>{escape(say('widgets.fallback.live'))}</em></p>{self.still()}"

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:  # type: ignore[override]
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is None:
            return None
        data, metadata = bundle
        return {**data, "text/html": self.stand_in(), "text/plain": self.plain()}, metadata

    def _ipython_display_(self) -> None:
        bundle = super()._repr_mimebundle_()
        if bundle is not None:
            display_with(bundle[0], self.plain(), self.stand_in())


def display_with(view: dict[str, Any], plain: str, stand_in: str) -> None:
    """Show a view and, as an output of its own, its still picture; the style hides that while the view is live.

    In one output they would exclude each other: a notebook that is trusted, saved and opened again has no model for the
    view, and JupyterLab then shows an error in its place and not the HTML beside it.
    """
    from IPython.display import display

    display({**view, "text/plain": plain}, raw=True)
    display({"text/html": f'<div class="cw-still">{stand_in}</div>', "text/plain": ""}, raw=True)
