"""A prediction on its own: the answer stays in Python until the guess is made."""

from course.widgets import Prediction, PredictView

OPTIONS = ["Claude", "the app"]


def view(**more):
    return PredictView("cyc-who", "Who runs the tool?", OPTIONS, **more)


def test_the_answer_is_in_no_state_before_the_guess():
    state = str(view(answer=1, why="A model runs nothing.").get_state())
    assert "A model runs nothing." not in state
    assert "verdict" in state


def test_a_guess_is_graded_and_told():
    told = []
    asked = view(answer=1, why="A model runs nothing.", on_answer=told.append)
    asked.choice = 0
    assert told == [Prediction("cyc-who", 0, "Claude", False)]
    assert asked.verdict == {"right": False, "answer": "the app", "why": "A model runs nothing."}


def test_without_an_answer_a_guess_is_only_noted():
    asked = view()
    asked.choice = 1
    assert asked.prediction == Prediction("cyc-who", 1, "the app", None)
    assert asked.verdict["right"] is None


def test_show_me_gives_the_answer_and_no_choice():
    asked = view(answer=1)
    asked.choice = -1
    assert asked.prediction == Prediction("cyc-who", None)
    assert asked.verdict["answer"] == "the app"


def test_the_page_knows_whether_an_answer_can_be_shown():
    assert view().question["open"] is True
    assert view(answer=1).question["open"] is False


def test_a_second_guess_changes_nothing():
    told = []
    asked = view(answer=1, on_answer=told.append)
    asked.choice = 0
    asked.choice = 1
    assert [prediction.choice for prediction in told] == [0]


def test_the_still_picture_asks_and_does_not_answer():
    data, _ = view(answer=1, why="A model runs nothing.")._repr_mimebundle_()
    assert "Who runs the tool?" in data["text/html"]
    assert "the app" in data["text/html"]
    assert "A model runs nothing." not in data["text/html"]
