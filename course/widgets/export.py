"""One trace view as one HTML file that works offline: script, style and data inside, nothing is fetched."""

import json
from html import escape
from pathlib import Path
from typing import Any

from course.facts import language, say
from course.facts.text import table
from course.traces import to_html
from course.widgets.assets import script, style
from course.widgets.payload import keys, panel, traced

__all__ = ["export_html", "interactive_page"]

POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
)
START = """
const data = JSON.parse(document.getElementById("data").textContent);
const model = host(data.state, data.keys);
const place = () => { const n = /^#step=(\\d+)$/.exec(location.hash); if (n) model.set("index", n[1] - 1); };
place();
addEventListener("hashchange", place);
model.on("change:index", () => history.replaceState(null, "", `#step=${model.get("index") + 1}`));
render({ model, el: document.getElementById("view") });
document.getElementById("still").remove();
"""


def interactive_page(trace: Any, *, start: int = 0, compare: Any = None) -> str:
    """Return the page as text. `#step=3` behind its address opens it at the third step.

    Without a kernel the page itself must know what is right, so the answers to a trace's predictions are in the file.
    """
    sources = [traced(item) for item in (trace, compare) if item is not None]
    panels = [panel(source) for source in sources]
    state = {"panels": panels, "index": start, "answers": {}, "verdicts": {}, "labels": table("widgets.trace")}
    data = json.dumps({"state": state, "keys": keys(sources[0])}, ensure_ascii=False).replace("<", "\\u003c")
    title = escape(panels[0]["title"])
    still = "".join(map(to_html, sources))
    return f"""<!DOCTYPE html>
<html lang="{language()}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ max-width: 70rem; margin: 0 auto; padding: 1rem; font-family: system-ui, sans-serif; line-height: 1.5; }}
h1 {{ font-size: 1.4rem; }}
#view .cw-title {{ display: none; }}
{style("view", "trace")}</style>
</head>
<body>
<main>
<h1>{title}</h1>
<p>{escape(panels[0]["about"])}</p>
<div id="view"></div>
<p>{escape(say("widgets.export.about"))}</p>
<div id="still">{still}</div>
</main>
<script type="application/json" id="data">{data}</script>
<script type="module">
{script("host", "dom", "state", "ask", "score", "step", "trace")}
{START}</script>
</body>
</html>
"""


def export_html(trace: Any, path: str | Path, *, start: int = 0, compare: Any = None) -> Path:
    """Write a trace view to `path` as one file, and return the path. A file of that name is replaced."""
    target = Path(path)
    target.write_text(interactive_page(trace, start=start, compare=compare), encoding="utf-8")
    return target
