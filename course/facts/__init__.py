"""Dated facts as data, and the one loader for them.

Room 0 of the house: imports nothing of the course. Every fact that can change (model id, limit, price,
exam detail) lives here once, with its date and source, and every user-visible string of the program lives
in `text/`.
"""

from course.facts.loader import FactError, load
from course.facts.models import Model, default_model, forced_model, model, models
from course.facts.text import language, say

__all__ = ["FactError", "Model", "default_model", "forced_model", "language", "load", "model", "models", "say"]
