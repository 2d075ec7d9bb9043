"""An OpenID Connect provider on a free port: oidc-provider-mock in a process of its own, made to say other things.

    with provider() as there:
        there.crook(aud="somebody else")   # the ID tokens from here on have these claims
        there.crook(_alg="none")

As a program it serves until it is killed. A file has what it is told: claims that replace those of ID tokens. None
removes one, and a number with "+" is added to the time now. "_alg" is "none" or "HS256". "_key" is "unknown", which the
first set of keys lacks, or "other", another's of the same id. "_status" is that of every answer. "_configuration" and
"_userinfo" replace parts of those, and "_exchanged" comes instead of tokens.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import trio

from tests.processes import started

SECRET: Final = "a-secret-of-32-characters-of-it."
CLIENT: Final = "boardgate-of-a-test"


@dataclass
class Mock:
    """``file`` is what the provider looks at."""

    port: int
    file: Path

    @property
    def issuer(self) -> str:
        return f"http://localhost:{self.port}"

    def crook(self, **said: Any) -> None:
        """Say this from now on, and what was said before no more."""
        new = self.file.with_suffix(".new")
        new.write_text(json.dumps(said))
        new.replace(self.file)

    def asked(self) -> list[str]:
        """The paths that were asked for since this was last called."""
        log = self.file.with_suffix(".log")
        found = log.read_text().split()
        log.write_text("")
        return found

    async def logs_in(self, address: str, subject: str, *, deny: bool = False) -> str:
        """The query of the address that a person, who does so there, is sent back to."""
        form = b"action=deny" if deny else f"sub={subject}".encode()
        location = (await Sent()(address, form))["location"]
        return location.partition("?")[2]

    def settings(self, folder: Path, pages: str = "http://127.0.0.1:1") -> dict[str, str]:
        """The settings of [openid]."""
        secret = folder / "openid.secret"
        secret.write_text(f"{SECRET}\n")
        names = {"issuer": self.issuer, "client_id": CLIENT, "client_secret_file": str(secret)}
        return names | {"name": "Club Login", "pages": pages}


class Sent:
    """Sends a form as a browser does, and gives the headers of the answer."""

    async def __call__(self, address: str, form: bytes) -> dict[str, str]:
        host, _, target = address.removeprefix("http://").partition("/")
        name, _, port = host.partition(":")
        head = f"POST /{target} HTTP/1.0\r\nHost: {host}\r\nContent-Length: {len(form)}\r\n"
        head += "Content-Type: application/x-www-form-urlencoded\r\n\r\n"
        async with await trio.open_tcp_stream(name, int(port)) as stream:
            await stream.send_all(head.encode() + form)
            answer = b"".join([part async for part in stream]).decode()
        lines = answer.partition("\r\n\r\n")[0].split("\r\n")[1:]
        return {name.lower(): text for name, _, text in (line.partition(": ") for line in lines)}


@contextmanager
def provider() -> Iterator[Mock]:
    """A provider while the block runs."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "said.json"
        file.write_text("{}")
        file.with_suffix(".log").write_text("")
        command = [sys.executable, "-W", "ignore", "-m", "tests.openid.crooked", str(file)]
        with (
            (Path(folder) / "errors").open("w") as errors,
            started(command, stdout=-1, stderr=errors, text=True) as run,
        ):
            assert run.stdout is not None
            line = run.stdout.readline()
            assert line, (Path(folder) / "errors").read_text()[-2000:]
            yield Mock(int(line), file)


class Crooked:
    """The mock's application, with other words in its answers."""

    def __init__(self, application: Any, file: Path) -> None:
        from joserfc.jwk import RSAKey

        self._application = application
        self._file = file
        self._key, self._other = (RSAKey.generate_key(2048, {"kid": kid}) for kid in ("ours", "ours"))
        self._new = RSAKey.generate_key(2048, {"kid": "new"})
        self._sets = 0

    def __call__(self, environ: dict[str, Any], start: Any) -> Iterable[bytes]:
        said, path = json.loads(self._file.read_text()), environ["PATH_INFO"]
        with self._file.with_suffix(".log").open("a") as log:
            log.write(f"{path}\n")
        answer: dict[str, Any] = {}

        def told(status: str, headers: list[tuple[str, str]], *_: Any) -> None:
            answer.update(status=status, headers=headers)

        body = b"".join(self._application(environ, told))
        if path == "/jwks":
            body = json.dumps({"keys": self._keys(said)}).encode()
        elif path == "/oauth2/token" and answer["status"].startswith("200"):
            body = json.dumps(said.get("_exchanged") or self._tokens(json.loads(body), said)).encode()
        elif path.startswith("/.well-known/"):
            body = json.dumps(json.loads(body) | said.get("_configuration", {})).encode()
        elif path == "/userinfo":
            body = json.dumps(json.loads(body) | said.get("_userinfo", {})).encode()
        headers = [pair for pair in answer["headers"] if pair[0].lower() != "content-length"]
        start(said.get("_status") or answer["status"], [*headers, ("Content-Length", str(len(body)))])
        return [body]

    def _keys(self, said: dict[str, Any]) -> list[Any]:
        self._sets += 1
        rotated = said.get("_key") == "unknown" and self._sets > 1
        return [key.as_dict(private=False) for key in [self._key, *([self._new] if rotated else [])]]

    def _tokens(self, answer: dict[str, Any], said: dict[str, Any]) -> dict[str, Any]:
        import base64

        from joserfc import jwt
        from joserfc.jwk import OctKey

        part = answer["id_token"].split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
        for name, value in said.items():
            if isinstance(value, str) and value.startswith("+"):
                claims[name] = int(time.time()) + int(value[1:])
            elif not name.startswith("_"):
                claims[name] = value
        claims = {name: value for name, value in claims.items() if value is not None}
        match said.get("_alg"):
            case "none":
                head = base64.urlsafe_b64encode(b'{"alg":"none"}').rstrip(b"=").decode()
                body = base64.urlsafe_b64encode(json.dumps(claims).encode()).rstrip(b"=").decode()
                token = f"{head}.{body}."
            case "HS256":
                token = jwt.encode({"alg": "HS256", "kid": "ours"}, claims, OctKey.import_key(SECRET))
            case _:
                key = {"unknown": self._new, "other": self._other}.get(said.get("_key", ""), self._key)
                token = jwt.encode({"alg": "RS256", "kid": key.kid}, claims, key)
        return answer | {"id_token": token}


def main(file: Path) -> None:
    """Serve on a free port, which is printed."""
    from oidc_provider_mock import User, app
    from werkzeug.serving import make_server

    people = [User(sub="17", claims={"preferred_username": "Anna"})]
    server = make_server("localhost", 0, Crooked(app(user_claims=people), file), threaded=True)
    print(server.server_port, flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
