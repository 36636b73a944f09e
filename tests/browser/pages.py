"""Pages the tests look at: a blank one with a view and a model without a kernel, and a notebook in JupyterLab."""

import json
from pathlib import Path
from typing import Any

import axe_playwright_python

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
BLANK = '<!doctype html><html lang="en" style="color-scheme: light dark"><title>View</title><main><h1>View</h1><div id="view"></div></main></html>'
MOUNT = """async ([source, style, state]) => {
  document.head.append(Object.assign(document.createElement("style"), { textContent: style }));
  const listeners = {};
  const model = window.model = {
    state, saved: [], sent: [],
    get: (name) => model.state[name],
    set(name, value) {
      if (model.state[name] === value) return;
      model.state[name] = value;
      for (const action of [...(listeners[`change:${name}`] ?? [])]) action();
    },
    save_changes: () => { model.saved.push(JSON.parse(JSON.stringify({ index: model.state.index, answers: model.state.answers, choice: model.state.choice }))); },
    send: (content) => { model.sent.push(content); window.python?.(content); },
    on: (event, action) => (listeners[event] ??= []).push(action),
    off: (event, action) => { listeners[event] = (listeners[event] ?? []).filter((one) => one !== action); },
  };
  const module = await import(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
  window.close_view = module.default.render({ model, el: document.getElementById("view") });
}"""
KEYS = ("b", "a", "x", "d", "d", "ArrowUp", "ArrowDown")


def axe(page: Any, selector: str) -> list[Any]:
    """Return what axe finds wrong inside `selector`: [rule, impact, [html, …]]."""
    if not page.evaluate("!!window.axe"):
        page.evaluate(AXE)
    return page.evaluate(
        "async (q) => (await axe.run({include: [[q]]})).violations.map((v) => [v.id, v.impact, v.nodes.map((n) => n.html.slice(0, 160))])",
        selector,
    )


class Bare:
    """A blank page. `errors` and `external` must stay empty."""

    def __init__(self, browser: Any, **options: Any) -> None:
        self.context = browser.new_context(
            **{"viewport": {"width": 1000, "height": 900}, "reduced_motion": "reduce", **options}
        )
        self.page = self.context.new_page()
        self.errors: list[str] = []
        self.external: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda line: self.errors.append(line.text) if line.type == "error" else None)
        self.context.route("**/*", self._route)

    def _route(self, route: Any) -> None:
        if route.request.url.startswith(("blob:", "data:", "about:", "file:")):
            route.continue_()
        else:
            self.external.append(route.request.url)
            route.abort()

    def mount(self, widget: Any) -> Any:
        """Show a widget with the state a kernel would send; return the page."""
        state = json.loads(
            json.dumps(
                {
                    name: getattr(widget, name)
                    for name in widget.keys
                    if not name.startswith("_") and name not in ("layout", "tabbable", "tooltip")
                }
            )
        )
        self.page.set_content(BLANK)
        self.page.evaluate(MOUNT, [str(widget._esm), str(widget._css), state])
        return self.page

    def attach(self, widget: Any) -> Any:
        """Show a widget with Python behind it: what the page sends is handled, and the new question goes back."""

        def python(content: Any) -> None:
            widget._handle_custom_msg(content, [])

        self.page.expose_function("python", python)
        widget.observe(lambda change: self._push("question", change["new"]), "question")
        return self.mount(widget)

    def _push(self, name: str, value: Any) -> None:
        self.page.evaluate(
            "([name, value]) => { setTimeout(() => window.model.set(name, value)); }",
            [name, json.loads(json.dumps(value))],
        )

    def close(self) -> None:
        self.context.close()
