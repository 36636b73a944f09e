"""Workshops: slides, live poll, cohort report, and the lint of the instructor kit."""
