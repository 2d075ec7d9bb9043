"""Draws the app's icons from static/img/icon.svg: ``python -m tests.browser.icons``. No test.

Systems cut a maskable icon to a shape of theirs, so its ground fills the square and its figure keeps to the inner four
fifths. iOS cuts its corners itself, too.
"""

from __future__ import annotations

from typing import Final

from gateway.web.pages.assets import STATIC
from gateway.web.pages.installable import GROUND
from tests.browser.visitors import browser

FOLDER: Final = STATIC / "img"

ROUND: Final = 'rx="5" '
"""The corners of the icon's ground."""


def main() -> None:
    icon = (FOLDER / "icon.svg").read_text(encoding="utf-8")
    square = icon.replace(ROUND, "")
    assert ROUND in icon
    assert GROUND in icon
    wanted = {
        "icon-192": (192, icon, 1.0),
        "icon-512": (512, icon, 1.0),
        "touch": (180, square, 1.0),
        "mask": (512, square, 0.8),
    }
    with browser() as chromium:
        page = chromium.new_page()
        for name, (size, drawn, part) in wanted.items():
            ground = "transparent" if part == 1 else GROUND
            inner = f"<div style='width:{size * part}px;margin:{size * (1 - part) / 2}px'>{drawn}</div>"
            page.set_viewport_size({"width": size, "height": size})
            page.set_content(
                f"<style>body{{margin:0;display:flow-root;background:{ground}}}svg{{display:block}}</style>{inner}</body>"
            )
            page.screenshot(path=FOLDER / f"{name}.png", omit_background=True)


if __name__ == "__main__":
    main()
