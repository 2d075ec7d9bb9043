"""Serves the pages' own files: styles, scripts and pictures, all under one hash, so that browsers keep them for ever.

Files are read, made small and compressed once, when the server starts; a page's script has all in it that it imports.
Modules import each other by relative paths, so the hash is over all of them.
"""

from __future__ import annotations

import hashlib
import mimetypes
import re
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gateway.web.headers import ANYWHERE, accepts_gzip, packed
from gateway.web.pages.lean import SUFFIXES, lean, tight
from gateway.web.pages.modules import bundled

STATIC: Final = Path(__file__).parent.parent / "static"

FOR_EVER: Final = "public, max-age=31536000, immutable"

HASH_LETTERS: Final = 12
"""Letters of the hash in addresses: two versions of the files share it with a chance of one in 2^48."""

MEDIA_TYPES: Final = {".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8"}
"""The types whose guess depends on the machine, or says no encoding."""

_IMPORT: Final = re.compile(r'^@import "([\w-]+\.css)";\n', re.MULTILINE)
"""Another style sheet, which stands there instead."""


@dataclass(frozen=True, slots=True)
class Asset:
    """One file; ``packed`` is its content compressed by gzip, None where that gains nothing."""

    media_type: str
    content: bytes
    packed: bytes | None


class Assets:
    """The files below ``folder``, by their path in it."""

    def __init__(self, folder: Path = STATIC) -> None:
        paths = sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix not in (".py", ".pyc"))
        self.files = _joined({path.relative_to(folder).as_posix(): _read(path) for path in paths})
        digest = hashlib.sha256()
        for name, asset in self.files.items():
            digest.update(f"{name}\0{len(asset.content)}\0".encode() + asset.content)
        self.version = digest.hexdigest()[:HASH_LETTERS]

    def address(self, name: str) -> str:
        """The address of a file: "js/table.js" -> "/static/HASH/js/table.js". KeyError: there is no such file."""
        if name not in self.files:
            raise KeyError(f"there is no file {name!r} below static/")
        return f"/static/{self.version}/{name}"

    def routes(self) -> list[Route]:
        return [Route("/static/{version}/{name:path}", self.serve, methods=["GET"])]

    async def serve(self, request: Request) -> Response:
        """The file. A page that was drawn before a restart asks by an older hash: it gets what there is, uncached."""
        asset = self.files.get(request.path_params["name"])
        if asset is None:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        current = request.path_params["version"] == self.version
        headers = {**ANYWHERE, "cache-control": FOR_EVER if current else "no-store", "vary": "accept-encoding"}
        if asset.packed is not None and accepts_gzip(request):
            return Response(asset.packed, headers={**headers, "content-encoding": "gzip"}, media_type=asset.media_type)
        return Response(asset.content, headers=headers, media_type=asset.media_type)


def _joined(files: dict[str, Asset]) -> dict[str, Asset]:
    """``files`` with the scripts and style sheets of pages whole: a file less to ask for is 400 bytes less to load."""
    scripts = {found[1]: name for name in files if (found := re.fullmatch(r"js/([\w-]+)\.js", name))}
    whole = bundled({module: files[name].content.decode() for module, name in scripts.items()})
    sheets = {
        name: _IMPORT.sub(lambda found: files[f"css/{found[1]}"].content.decode(), sheet.content.decode())
        for name, sheet in files.items()
        if name.startswith("css/")
    }
    return (
        files
        | {scripts[module]: _asset(".js", tight(text, ".js").encode()) for module, text in whole.items()}
        | {name: _asset(".css", tight(text, ".css").encode()) for name, text in sheets.items()}
    )


def _read(path: Path) -> Asset:
    content = path.read_bytes()
    if path.suffix in SUFFIXES:
        content = lean(content.decode()).encode()
    return _asset(path.suffix, content)


def _asset(suffix: str, content: bytes) -> Asset:
    media_type = MEDIA_TYPES.get(suffix) or mimetypes.guess_type(f"x{suffix}")[0] or "application/octet-stream"
    return Asset(media_type, content, packed(content))
