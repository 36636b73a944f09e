"""Pages the tests look at: a blank one with a view and a model without a kernel, and a notebook in JupyterLab."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import axe_playwright_python

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
BLANK = """<!doctype html><html lang="en" style="color-scheme: light dark"><title>View</title>
<main><h1>View</h1><div id="view"></div></main></html>"""
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
    save_changes: () => {
      const { index, answers, choice } = model.state;
      model.saved.push(JSON.parse(JSON.stringify({ index, answers, choice })));
    },
    send: (content) => { model.sent.push(content); window.python?.(content); },
    on: (event, action) => (listeners[event] ??= []).push(action),
    off: (event, action) => { listeners[event] = (listeners[event] ?? []).filter((one) => one !== action); },
  };
  const module = await import(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
  window.close_view = module.default.render({ model, el: document.getElementById("view") });
}"""
TRACE = ".cw-trace"
KEYS = ("b", "a", "x", "d", "d", "ArrowUp", "ArrowDown")


def axe(page: Any, selector: str) -> list[Any]:
    """Return what axe finds wrong inside `selector`: [rule, impact, [html, …]]."""
    if not page.evaluate("!!window.axe"):
        page.evaluate(AXE)
    return page.evaluate(
        """async (q) => (await axe.run({ include: [[q]] })).violations
          .map((v) => [v.id, v.impact, v.nodes.map((n) => n.html.slice(0, 160))])""",
        selector,
    )


class Bare:
    """A blank page. `errors` and `external` must stay empty."""

    def __init__(self, browser: Any, **options: Any) -> None:
        self.context = browser.new_context(
            **{"viewport": {"width": 1000, "height": 900}, "reduced_motion": "reduce", **options}
        )
        self.page = self.context.new_page()
        self.page.set_default_timeout(10_000)
        self.errors: list[str] = []
        self.external: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda line: self.errors.append(line.text) if line.type == "error" else None)
        self.context.route("**/*", self._route)
        self.python: Callable[[Any], None] = lambda content: None
        self.page.expose_function("python", lambda content: self.python(content))

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
        self.page.goto("about:blank")
        self.page.set_content(BLANK)
        self.page.evaluate(MOUNT, [str(widget._esm), str(widget._css), state])
        return self.page

    def attach(self, widget: Any) -> Any:
        """Show a widget with Python behind it: what the page sends is handled, and the new question goes back."""

        self.python = lambda content: widget._handle_custom_msg(content, [])
        widget.observe(lambda change: self._push("question", change["new"]), "question")
        return self.mount(widget)

    def _push(self, name: str, value: Any) -> None:
        self.page.evaluate(
            "([name, value]) => { setTimeout(() => window.model.set(name, value)); }",
            [name, json.loads(json.dumps(value))],
        )

    def close(self) -> None:
        self.context.close()


IDLE = "() => jupyterapp.shell.currentWidget?.sessionContext?.session?.kernel?.status === 'idle'"
CELLS = """() => [window.cellChanges, jupyterapp.shell.currentWidget.content.widgets
  .map((cell) => [cell.model.id, cell.model.type, cell.model.sharedModel.getSource()])]"""
ERRORS = """() => jupyterapp.shell.currentWidget.content.widgets.filter((cell) => cell.model.type === "code")
  .flatMap((cell) => cell.model.outputs.toJSON()).filter((out) => out.output_type === "error")
  .map((out) => `${out.ename}: ${out.evalue}`)"""
ASK = """async (code) => {
  const kernel = jupyterapp.shell.currentWidget.sessionContext.session.kernel;
  const future = kernel.requestExecute({ code, store_history: false });
  let text = "";
  future.onIOPub = (message) => { text += message.content.text ?? (message.content.traceback ?? []).join(" "); };
  await future.done;
  return text.trim();
}"""
WAIT = 30_000


class Lab:
    """JupyterLab, or Notebook 7, in one page. `errors` and `external` must stay empty."""

    def __init__(self, browser: Any, url: str, root: Path) -> None:
        self.url, self.root = url, root
        self.context = browser.new_context(viewport={"width": 1280, "height": 1200}, reduced_motion="reduce")
        self.page = self.context.new_page()
        self.page.set_default_timeout(WAIT)
        self.errors: list[str] = []
        self.external: list[str] = []
        self.page.on("pageerror", lambda error: self._complain(f"{error} {error.stack}"))
        self.page.on(
            "console", lambda line: self._complain(f"{line.text} {line.location}") if line.type == "error" else None
        )
        self.page.on("dialog", lambda dialog: dialog.accept())
        self.context.route("**/*", self._route)

    def _route(self, route: Any) -> None:
        if route.request.url.startswith((self.url, "blob:", "data:")):
            route.continue_()
        else:
            self.external.append(route.request.url)
            route.abort()

    def _complain(self, text: str) -> None:
        """Keep a complaint that names a view's script, which runs from a blob, or the widget manager."""
        if "blob:" in text or "widget" in text.lower():
            self.errors.append(text)

    def open(self, path: str) -> None:
        """Open a notebook in JupyterLab and wait for its kernel."""
        if "/lab" not in self.page.url:
            self.page.goto(f"{self.url}/lab?reset")
            self.page.wait_for_function("() => window.jupyterapp?.restored")
            self.page.evaluate("jupyterapp.restored.then(() => 1)")
        self.page.evaluate(
            """(path) => jupyterapp.commands.execute("docmanager:open", { path, factory: "Notebook" })
              .then((widget) => widget.context.ready).then(() => 1)""",
            path,
        )
        self.page.wait_for_function(IDLE)

    def open_notebook7(self, path: str) -> None:
        """Open a notebook in Notebook 7."""
        self.page.goto(f"{self.url}/notebooks/{path}")
        self.page.wait_for_function("() => window.jupyterapp?.shell?.currentWidget?.context?.isReady")
        self.page.wait_for_function(IDLE)

    def command(self, name: str) -> None:
        """Run a command of JupyterLab."""
        self.page.evaluate("(name) => jupyterapp.commands.execute(name).then(() => 1)", name)

    def run_all(self) -> None:
        """Run every cell; an error in a cell is an error here."""
        self.command("notebook:run-all-cells")
        self.page.wait_for_function(IDLE)
        assert self.page.evaluate(ERRORS) == []

    def ask(self, code: str) -> str:
        """Run code in the kernel of the open notebook and return what it printed."""
        return str(self.page.evaluate(ASK, code))

    def cells(self) -> Any:
        """Return id, type and source of every cell, and how often the list of cells changed since `watch_cells`."""
        return self.page.evaluate(CELLS)

    def watch_cells(self) -> None:
        """Count every change of the list of cells: what a key adds, the next one may take away again."""
        self.page.evaluate(
            """() => { window.cellChanges = 0;
              const { cells } = jupyterapp.shell.currentWidget.content.model;
              cells.changed.connect(() => { window.cellChanges += 1; }); }"""
        )

    def theme(self, name: str) -> None:
        """Switch the theme and wait until it is painted."""
        self.page.evaluate(
            """(theme) => jupyterapp.commands.execute("apputils:change-theme", { theme }).then(() => 1)""", name
        )
        self.page.wait_for_function(
            "(light) => document.body.dataset.jpThemeLight === light", arg="true" if "Light" in name else "false"
        )
        self.page.wait_for_timeout(700)

    def shut(self) -> None:
        """Close the open notebook without saving, and end its kernel."""
        self.page.evaluate(
            """async () => { const widget = jupyterapp.shell.currentWidget;
              await widget.sessionContext.shutdown(); await widget.context.revert(); widget.dispose(); }"""
        )

    def close(self) -> None:
        self.context.close()


def step(page: Any, selector: str = TRACE) -> int:
    """Return which step the view shows, from 1."""
    return int(page.locator(selector).first.get_attribute("data-step"))


def until(lab: Lab, code: str, wanted: str) -> str:
    """Ask the kernel until it says what is wanted: the page and the kernel agree a little later."""
    for _ in range(50):
        if (said := lab.ask(code)) == wanted:
            return said
        time.sleep(0.1)
    return said
