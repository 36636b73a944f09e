"""A browser for the tests of the views: bare pages, and one JupyterLab for all tests of a run.

Chromium is /usr/bin/chromium, or `CHROME`. Without it the tests fail and say what to do; COURSE_SKIP_BROWSER=1 skips
them.
"""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "widgets")]

from pages import Bare, Lab  # noqa: E402
from servers import CHROME, FLAGS, jupyterlab  # noqa: E402

TODO = (
    f"No browser at {CHROME}. Install Chromium (Debian, Ubuntu: apt-get install chromium), or set CHROME to one, "
    "or set COURSE_SKIP_BROWSER=1 to leave the browser tests out."
)


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The browser, with a Korean font beside those of the system."""
    if os.environ.get("COURSE_SKIP_BROWSER") == "1":
        pytest.skip("COURSE_SKIP_BROWSER=1")
    if not Path(CHROME).exists():
        pytest.fail(TODO)
    from playwright.sync_api import sync_playwright

    fonts = tmp_path_factory.mktemp("fonts") / "fonts.conf"
    korean = next(Path(path) / "pylopdf_fonts_ko" for path in sys.path if (Path(path) / "pylopdf_fonts_ko").is_dir())
    fonts.write_text(
        '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>'
        f'<include ignore_missing="yes">/etc/fonts/fonts.conf</include><dir>{korean}</dir></fontconfig>'
    )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROME, args=FLAGS, env={**os.environ, "FONTCONFIG_FILE": str(fonts)}
        )
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """A JupyterLab on loopback: its address, and the folder it serves."""
    with jupyterlab(tmp_path_factory.mktemp("lab")) as running:
        yield running


@pytest.fixture(scope="session")
def plain_page(chromium: Any) -> Iterator[Bare]:
    """One blank page for all tests that ask for nothing particular."""
    page = Bare(chromium)
    yield page
    page.close()


@pytest.fixture
def bare(chromium: Any, plain_page: Bare) -> Iterator[Any]:
    """A function that opens a blank page; at the end, no page may have asked for anything or complained."""
    opened: list[Bare] = [plain_page]
    plain_page.errors.clear()
    plain_page.external.clear()

    def open_page(**options: Any) -> Bare:
        if not options:
            return plain_page
        opened.append(Bare(chromium, **options))
        return opened[-1]

    yield open_page
    for page in opened[1:]:
        page.close()
    assert [page.external for page in opened if page.external] == []
    assert [page.errors for page in opened if page.errors] == []


@pytest.fixture(scope="session")
def lab(chromium: Any, server: tuple[str, Path]) -> Iterator[Lab]:
    """JupyterLab in a page of its own."""
    url, root = server
    page = Lab(chromium, url, root)
    yield page
    page.close()
