"""Two retrievers that really run offline: words (BM25) and meaning (static embeddings whose weights come in a wheel).

Each turns wishes and documents into a score matrix, shape (wishes, documents), float; higher is better. A score depends
on the pair alone, never on which other tools are offered.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

__all__ = ["RETRIEVERS", "Retriever", "lexical", "semantic"]

Retriever = Callable[[Sequence[str], Sequence[str]], "np.ndarray"]


def lexical(wishes: Sequence[str], documents: Sequence[str]) -> "np.ndarray":
    """Score by shared words: BM25 over lower-cased, stop-worded tokens (package bm25s)."""
    import bm25s
    import numpy as np

    quiet: dict[str, Any] = {"show_progress": False}
    index = bm25s.BM25()
    index.index(bm25s.tokenize([text.replace("_", " ") for text in documents], stopwords="en", **quiet), **quiet)
    queries = bm25s.tokenize(list(wishes), stopwords="en", return_ids=False, **quiet)
    return np.array(
        [index.get_scores(tokens) if tokens else np.zeros(len(documents)) for tokens in queries], dtype=float
    )


def semantic(wishes: Sequence[str], documents: Sequence[str]) -> "np.ndarray":
    """Score by meaning: cosine of static 256-d embeddings (wordllama; its weights come in its wheel)."""
    from importlib.util import find_spec

    spec = find_spec("wordllama")
    model = _wordllama(Path(spec.origin or "").parent if spec else Path())
    left = model.embed([text.lower() for text in wishes], norm=True)
    right = model.embed([text.replace("_", " ").lower() for text in documents], norm=True)
    return (left @ right.T).astype(float)


_LOADED: dict[Path, Any] = {}


def _wordllama(folder: Path) -> Any:
    """Load the embedding once per process; it takes about a second."""
    if folder not in _LOADED:
        with _logging_kept():
            from wordllama import WordLlama

            _LOADED[folder] = WordLlama.load(cache_dir=folder, disable_download=True)
    return _LOADED[folder]


@contextmanager
def _logging_kept() -> Iterator[None]:
    """Undo what a package does to the root logger on import (it would make every HTTP client speak on stderr)."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    try:
        yield
    finally:
        root.handlers[:], root.level = handlers, level


RETRIEVERS: dict[str, Retriever] = {"words": lexical, "meaning": semantic}
