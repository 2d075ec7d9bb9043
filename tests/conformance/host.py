"""A host's requests to the JSON API by the standard library: tables are registered and looked at."""

from __future__ import annotations

import base64
import http.client
import json
from collections.abc import Mapping
from typing import Any, Final

from tests.conformance.figures import until

PATIENCE_S: Final = 70.0
"""Seconds for an answer: the longest that the API waits itself, and some."""


class Host:
    """Asks the API on ``port``; ``headers`` go with every request."""

    def __init__(self, port: int, headers: Mapping[str, str] | None = None) -> None:
        self._port = port
        self._headers = dict(headers or {})

    @classmethod
    def of(cls, port: int, account: str, password: str) -> Host:
        """The same by requests of an account."""
        given = base64.b64encode(f"{account}:{password}".encode()).decode()
        return cls(port, {"Authorization": f"Basic {given}"})

    def ask(self, path: str, body: object = None) -> tuple[int, Any]:
        """Status and decoded JSON of one request."""
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE_S)
        content = None if body is None else json.dumps(body)
        headers = self._headers | ({"Content-Type": "application/json"} if content else {})
        try:
            connection.request("POST" if content else "GET", path, content, headers)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        finally:
            connection.close()

    def registers(self, game: str, *names: str, **more: object) -> tuple[int, list[str]]:
        """A table for these names, or "open"; its id and their tickets."""
        seats = [name if name == "open" else {"name": name} for name in names]
        status, answer = self.ask("/api/tables", {"game": game, "seats": seats, **more})
        assert status == 201, answer
        return answer["id"], answer["tickets"]

    def table(self, table: int) -> dict[str, Any]:
        status, answer = self.ask(f"/api/tables/{table}")
        assert status == 200
        return dict(answer)

    def until_seated(self, table: int) -> None:
        """Wait until a player sits there: newcomers are sent to nobody who is absent."""
        until(lambda: self.table(table)["seats"], lambda seats: any(seat["kind"] == "player" for seat in seats))

    def until(self, table: int, kind: str) -> None:
        """Wait for the first event of this kind."""
        after = 0
        while True:
            _, answer = self.ask(f"/api/tables/{table}/events?after={after}&wait=20")
            if any(event["kind"] == kind for event in answer["events"]):
                return
            assert answer["events"], f"no {kind} at table {table}"
            after = answer["next"]
