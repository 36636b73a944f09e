"""A text that shows itself without quotes."""

__all__ = ["Sentence"]


class Sentence(str):
    """A text for people, as the last value of a cell."""

    def __repr__(self) -> str:
        return str(self)
