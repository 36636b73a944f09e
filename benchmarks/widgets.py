"""Speed of the trace view, as a ratio to a kernel-backed ipywidgets button in the same JupyterLab page.

    python benchmarks/widgets.py [--clicks N]

Both are clicked in turn inside the page; a click lasts until the page shows the new step. Figures are medians.
Also printed: the size of each view's script and style. Exit code 1 when a bar is missed.
"""

import argparse
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests/browser"), str(ROOT / "tests/widgets")]

MOST_RATIO = 1 / 10
MOST_BYTES = 25_000
MEASURE = """async (clicks) => {
  const trace = document.querySelector(".cw-trace");
  const label = [...document.querySelectorAll(".widget-html-content")].find((node) => /^step /.test(node.textContent));
  const button = [...document.querySelectorAll("button")].find((node) => node.textContent === "Kernel step");
  const [back, next] = ["back", "next"].map((name) => trace.querySelector(`[data-act=${name}]`));
  const timed = (watched, click) => new Promise((done) => {
    const started = performance.now();
    const seen = new MutationObserver(() => { seen.disconnect(); done(performance.now() - started); });
    seen.observe(watched, { attributes: true, childList: true, subtree: true, characterData: true });
    click();
  });
  const pause = () => new Promise((done) => setTimeout(done, 60));
  const times = { view: [], kernel: [] };
  for (let n = 0; n < clicks; n += 1) {
    times.view.push(await timed(trace, () => (n % 2 ? back : next).click()));
    await pause();
    times.kernel.push(await timed(label.parentElement, () => button.click()));
    await pause();
  }
  return times;
}"""


def measured(clicks: int) -> dict[str, list[float]]:
    """Return the milliseconds of each click, of the view and of the button."""
    from pages import TRACE, Lab
    from playwright.sync_api import sync_playwright
    from servers import CHROME, FLAGS, jupyterlab

    with tempfile.TemporaryDirectory() as tmp, jupyterlab(Path(tmp)) as (url, root), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROME, args=FLAGS)
        lab = Lab(browser, url, root)
        lab.open("speed.ipynb")
        lab.run_all()
        lab.page.wait_for_selector(TRACE)
        lab.page.wait_for_selector("button:has-text('Kernel step')")
        times: dict[str, list[float]] = lab.page.evaluate(MEASURE, clicks)
        lab.close()
        browser.close()
        return times


def sizes() -> dict[str, int]:
    """Return the bytes of script and style that travel with each view."""
    from course.widgets import PredictView, QuizView, TraceView

    views: tuple[Any, ...] = (TraceView, QuizView, PredictView)
    return {view.__name__: len(view._esm.encode()) + len(view._css.encode()) for view in views}


def main() -> int:
    """Print the table; return 1 when a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--clicks", type=int, default=40)
    times = measured(parser.parse_args().clicks)
    view, kernel = (statistics.median(times[name]) for name in ("view", "kernel"))
    ratio = view / kernel
    print(f"click to shown step: trace view {view:.2f} ms, ipywidgets button {kernel:.2f} ms (medians)")
    print(f"ratio {ratio:.3f} (bar: at most {MOST_RATIO})")
    for name, size in sizes().items():
        print(f"{name}: script and style {size} bytes (bar: at most {MOST_BYTES})")
    return int(ratio > MOST_RATIO or max(sizes().values()) > MOST_BYTES)


if __name__ == "__main__":
    sys.exit(main())
