"""Write docs/images/poll.png: the projector at the reveal, and a phone in the second vote.

    python tests/browser/poll_picture.py

Twenty-four people vote by a fixed list; the server and the browser are real.
"""

import asyncio
import io
import sys
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "workshop")]

from PIL import Image  # noqa: E402
from poll_server import Server, join, serving, teacher  # noqa: E402
from servers import CHROME, FLAGS  # noqa: E402

from course.quiz.bank import Bank, load_bank  # noqa: E402

TARGET = ROOT / "docs/images/poll.png"
ITEM = "cho-words-for-the-nurse"
MOST_BYTES = 200_000
BEFORE, AFTER = "k" * 10 + "x" * 8 + "y" * 4 + "z" * 2, "k" * 19 + "x" * 3 + "y" + "z"
"""What people choose: k is the key, x, y and z are the other options by their place."""


async def play(server: Server, browser: Any) -> list[bytes]:
    """Play one question; return the pictures of the phone and of the projector."""
    phone = await browser.new_page(viewport={"width": 390, "height": 780}, device_scale_factor=1.5)
    await phone.goto(server.url)
    await phone.get_by_label("Room code").fill(server.code)
    await phone.get_by_label("Your name in this room").fill("Sparrow")
    await phone.keyboard.press("Enter")
    wall = await browser.new_page(viewport={"width": 1280, "height": 780}, device_scale_factor=1.5)
    await wall.goto(server.projector)
    item = load_bank().item(ITEM)
    async with AsyncExitStack() as stack:
        head = await stack.enter_async_context(teacher(server))
        seats = [await stack.enter_async_context(join(server, f"bird {n}")) for n in range(len(BEFORE))]
        for step, phase in enumerate(("vote1", "closed", "discuss", "vote2", "reveal")):
            if phase == "reveal":
                await phone.get_by_role("radio").first.check()
                shot = await phone.screenshot()
            await head.post("/move", json={"action": "next", "step": step})
            await asyncio.gather(*(seat.until(phase) for seat in seats))
            if phase.startswith("vote"):
                key = next(option.text for option in item.options if option.correct)
                options = [str(option["text"]) for option in seats[0].state["question"]["options"]]
                place = next(n for n, text in enumerate(options) if key.partition("`")[0][:30] in text)
                others = [letter for n, letter in enumerate("abcd") if n != place]
                letters = dict(zip("kxyz", ["abcd"[place], *others], strict=True))
                chosen = BEFORE if phase == "vote1" else AFTER
                sent = [
                    seat.vote(letters[c], f"{phase}-{n:08}")
                    for n, (seat, c) in enumerate(zip(seats, chosen, strict=True))
                ]
                await asyncio.gather(*sent)
        await wall.get_by_role("table").wait_for()
        await wall.wait_for_timeout(800)
        return [shot, await wall.screenshot()]


async def pictures(server: Server) -> list[bytes]:
    """Open a browser, and play."""
    from playwright.async_api import async_playwright

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROME, args=list(FLAGS))
        try:
            return await play(server, browser)
        finally:
            await browser.close()


def main() -> None:
    """Take the pictures and put them side by side."""
    bank = Bank({ITEM: load_bank().item(ITEM)})
    asked = ("--items", ITEM, "--port", "0")
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder), *asked, bank=bank) as server:
        phone, wall = (Image.open(io.BytesIO(shot)) for shot in asyncio.run(pictures(server)))
    whole = Image.new("RGB", (wall.width + phone.width + 24, wall.height), "#8a8f94")
    whole.paste(wall, (0, 0))
    whole.paste(phone, (wall.width + 24, 0))
    whole.quantize(160).save(TARGET, optimize=True)
    if (size := TARGET.stat().st_size) > MOST_BYTES:
        sys.exit(f"{TARGET.name} has {size} bytes, more than {MOST_BYTES}")


if __name__ == "__main__":
    main()
