# Thin over start.py, which needs only Python's standard library: `python start.py VERB` does the same.
PY ?= python3
ARGS ?=
VERBS = setup lab test build check quiz exam progress reset workshop report slides serve doctor clean

.DEFAULT_GOAL = help
.PHONY: help $(VERBS)

help $(VERBS):
	@command -v $(PY) >/dev/null 2>&1 || { echo "No Python found under the name '$(PY)': install Python 3.11 or newer, or name yours: make $@ PY=python3.12" >&2; exit 1; }
	@$(PY) start.py $@ $(ARGS)
