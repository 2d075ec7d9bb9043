"""A person at a browser: keeps cookies, sends the forms of our pages, follows where they lead."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import urlencode

from tests.web.browsing import Answer, asked

FORM = "application/x-www-form-urlencoded"


@dataclass(slots=True)
class Person:
    """Asks the server on ``port``. ``headers`` go with every request, with "_" for "-"."""

    port: int
    headers: dict[str, str] = field(default_factory=dict)
    cookies: dict[str, str] = field(default_factory=dict)
    set_cookies: list[str] = field(default_factory=list)

    async def get(self, path: str, **headers: str) -> Answer:
        return await self._asks(path, "GET", "", headers)

    async def send(self, path: str, _headers: dict[str, str] | None = None, **fields: str) -> Answer:
        """Send a form as our page does; ``_headers`` replace what the browser would send."""
        origin = {"origin": f"http://127.0.0.1:{self.port}", "content_type": FORM}
        return await self._asks(path, "POST", urlencode(fields), origin | (_headers or {}))

    async def sends(self, path: str, **fields: str) -> Answer:
        """Send a form, and follow where its answer leads. AssertionError: it leads nowhere."""
        answer = await self.send(path, None, **fields)
        assert answer.status == 303, answer.text
        return await self.get(answer.headers["location"])

    async def _asks(self, path: str, method: str, body: str, headers: dict[str, str]) -> Answer:
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        sent = self.headers | headers | ({"cookie": cookie} if cookie else {})
        answer = await asked(self.port, path, method, body or (" " if method == "POST" else ""), **sent)
        for told in answer.cookies:
            self.set_cookies.append(told)
            name, _, value = told.partition(";")[0].partition("=")
            if "max-age=0" in told.lower():
                self.cookies.pop(name, None)
            else:
                self.cookies[name] = value
        return answer
