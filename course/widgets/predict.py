"""Predict before you look: a question whose answer stays in Python until a guess is made."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import traitlets

from course.traces.wording import coded
from course.widgets.assets import script, style
from course.widgets.view import View

__all__ = ["PredictView", "Prediction", "verdict"]


@dataclass(frozen=True)
class Prediction:
    """One guess.

    choice: the number of the option, None when the learner made no guess. right: None where nobody can tell.
    """

    question: str
    choice: int | None
    text: str = ""
    right: bool | None = None

    @classmethod
    def of(cls, question: str, options: Sequence[str], choice: Any, answer: int | None) -> "Prediction":
        """Read what came from the page: a number of an option, or anything else for no guess."""
        if not isinstance(choice, int) or not 0 <= choice < len(options):
            return cls(question, None)
        return cls(question, choice, options[choice], None if answer is None else choice == answer)


def verdict(prediction: Prediction, options: Sequence[str], key: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the page may know now: `{"right", "answer", "why"}`."""
    answer = key.get("answer")
    return {
        "right": prediction.right,
        "answer": "" if answer is None else options[answer],
        "why": key.get("why", ""),
    }


class PredictView(View):
    """A question with options. The answer, where there is one, reaches the page only after the guess.

    answer: the number of the right option, or None where the next cell will show it. on_answer: told of the guess; a
    view does not know where guesses are kept. choice: -1 while open is None; see `prediction`.
    """

    _esm = script("dom", "ask", "predict")
    _css = style("view")

    question = traitlets.Dict().tag(sync=True)
    choice = traitlets.Int(None, allow_none=True).tag(sync=True)
    verdict = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        id: str,
        question: str,
        options: Sequence[str],
        *,
        answer: int | None = None,
        why: str = "",
        on_answer: Callable[[Prediction], None] | None = None,
    ) -> None:
        self._key: dict[str, Any] = {"answer": answer, "why": why}
        self._on_answer = on_answer
        self.prediction: Prediction | None = None
        asked = {"id": id, "ask": question, "options": list(options), "open": answer is None}
        super().__init__("widgets.trace", question=asked)

    def still(self) -> str:
        """Return the question and its options, without the answer."""
        items = "".join(f"<li>{coded(option)}</li>" for option in self.question["options"])
        return f"<p><strong>{coded(self.question['ask'])}</strong></p><ol>{items}</ol>"

    def plain(self) -> str:
        """Return the question."""
        return str(self.question["ask"])

    @traitlets.observe("choice")
    def _answered(self, change: Any) -> None:
        if self.prediction is not None or change["new"] is None:
            return
        options = self.question["options"]
        self.prediction = Prediction.of(self.question["id"], options, change["new"], self._key["answer"])
        self.verdict = verdict(self.prediction, options, self._key)
        if self._on_answer is not None:
            self._on_answer(self.prediction)
