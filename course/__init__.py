"""How Claude uses tools: a course in JupyterLab, an offline Messages API and an exam-prep quiz engine."""

__version__ = "0.1.0"
