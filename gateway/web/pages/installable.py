"""Lets browsers install the pages as an app: the manifest, the service worker, and the page that it shows off line.

    GET /manifest.webmanifest  the name, the icons and where the app begins
    GET /worker.js             static/js/worker.js, which is told the version of all files and which of them to keep
    GET /apple-touch-icon.png  the icon that iOS asks for by this name, without a link in each page
    GET /offline               stands in for a page that was never seen

Sources: Web Application Manifest, Service Workers (W3C).
"""

from __future__ import annotations

import json
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gateway.web.headers import accepts_gzip, packed, secured
from gateway.web.pages.assets import MEDIA_TYPES, Assets
from gateway.web.pages.frame import Frame

GROUND: Final = "#2f6b4f"
"""The colour of the icon's ground, which stands around the app's window and its first picture."""

ICONS: Final = (
    ("icon-192.png", "192x192", "any"),
    ("icon-512.png", "512x512", "any"),
    ("mask.png", "512x512", "maskable"),
)
"""File, size, purpose; drawn by ``python -m tests.browser.icons``."""

LOOKED_AFTER: Final = {"cache-control": "no-cache", "vary": "accept-encoding"}
"""Browsers ask each time whether there is a newer one."""

SHELL: Final = ("css/base.css", "css/pages.css", "css/table.css", "img/icon.svg")
"""Files of the pages that are shown off line. There is no script, for it would be as old as the page."""


class Installable:
    """``frame`` draws the page and knows the files."""

    def __init__(self, frame: Frame) -> None:
        self._frame = frame
        self._manifest = json.dumps(manifest(frame.site, frame.assets)).encode()
        self._worker = worker(frame.assets)

    def routes(self) -> list[Route]:
        return [
            Route("/manifest.webmanifest", self.manifest, methods=["GET"]),
            Route("/worker.js", self.worker, methods=["GET"]),
            Route("/apple-touch-icon.png", self.touch_icon, methods=["GET"]),
            Route("/offline", self.offline, methods=["GET"]),
        ]

    async def manifest(self, request: Request) -> Response:
        return _told(request, self._manifest, "application/manifest+json")

    async def worker(self, request: Request) -> Response:
        return _told(request, self._worker, MEDIA_TYPES[".js"])

    async def touch_icon(self, request: Request) -> Response:
        return _told(request, self._frame.assets.files["img/touch.png"].content, "image/png")

    async def offline(self, request: Request) -> Response:
        return self._frame.page(request, "offline.html")


def manifest(site: str, assets: Assets) -> dict[str, Any]:
    """The manifest of a server called ``site``."""
    icons = [
        {"src": assets.address(f"img/{name}"), "sizes": sizes, "type": "image/png", "purpose": purpose}
        for name, sizes, purpose in ICONS
    ]
    return {
        "id": "/",
        "name": site,
        "short_name": site,
        "description": "Board games against people, programs and the computer",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "theme_color": GROUND,
        "background_color": GROUND,
        "icons": icons,
    }


def worker(assets: Assets) -> bytes:
    """The service worker's script. Its text changes with any file, so browsers take a new one with new files."""
    files = json.dumps([assets.address(name) for name in SHELL])
    return f'const VERSION="{assets.version}",FILES={files};\n'.encode() + assets.files["js/worker.js"].content


def _told(request: Request, content: bytes, media_type: str) -> Response:
    small = packed(content) if accepts_gzip(request) else None
    headers = LOOKED_AFTER if small is None else {**LOOKED_AFTER, "content-encoding": "gzip"}
    return secured(Response(small or content, headers=headers, media_type=media_type))
