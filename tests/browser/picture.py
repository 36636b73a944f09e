"""Write docs/images/trace-view.png, the picture of the README: python tests/browser/picture.py"""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from PIL import Image  # noqa: E402

from course.traces.library import sample  # noqa: E402
from course.widgets import interactive_page  # noqa: E402

TARGET = ROOT / "docs/images/trace-view.png"
MOST_BYTES = 200_000


def main() -> None:
    """Show the step where one of two results is an error, and take its picture."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1040, "height": 900}, device_scale_factor=1.5)
        trace = sample("one-of-two-fails").model_copy(update={"questions": ()})
        page.set_content(interactive_page(trace, start=3).replace("#view .cw-title { display: none; }", ""))
        page.locator(".cw-trace").screenshot(path=str(TARGET))
        browser.close()
    Image.open(TARGET).convert("RGB").quantize(128).save(TARGET, optimize=True)
    if (size := TARGET.stat().st_size) > MOST_BYTES:
        sys.exit(f"{TARGET.name} has {size} bytes, more than {MOST_BYTES}")


if __name__ == "__main__":
    main()
