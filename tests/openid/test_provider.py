"""Logins with a real provider over HTTP: who comes back is known, and nobody who is not believed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import trio

from gateway.config import BadSetting, Config, OpenId
from gateway.net.asking import NoAnswer
from gateway.openid import discovery, sealing
from gateway.openid.id_tokens import BadToken, UnknownKey
from gateway.openid.provider import Attempt, Known, NotTaken, Provider, provider_of, word_of
from gateway.openid.sealing import Broken, Seal
from tests.openid.crooked import Mock, provider


@pytest.fixture(scope="module")
def mock() -> Iterator[Mock]:
    with provider() as found:
        yield found


@pytest.fixture
def there(mock: Mock) -> Mock:
    """The provider, which says what it should, and was asked nothing yet."""
    mock.crook()
    mock.asked()
    return mock


def made(there: Mock, folder: Path, **more: str) -> Provider:
    found = provider_of(Config(openid=OpenId(**there.settings(folder) | more)), "")
    assert found is not None
    return found


async def comes_back(there: Mock, ours: Provider, subject: str = "17") -> Known:
    address, attempt = await ours.begin("/people")
    said = parse_qs(await there.logs_in(address, subject))
    assert ours.is_of(attempt, said["state"][0], "")
    return await ours.finish(attempt, said["code"][0])


async def test_who_logs_in_there_is_known_here(there: Mock, tmp_path: Path) -> None:
    ours = made(there, tmp_path)
    assert await comes_back(there, ours) == Known("17", "Anna", "/people")
    assert await comes_back(there, ours, "eve@example.org") == Known("eve@example.org", "", "/people")
    paths = there.asked()
    assert (paths.count("/.well-known/openid-configuration"), paths.count("/jwks")) == (1, 1)


async def test_it_is_asked_with_a_state_a_nonce_and_a_challenge_of_its_own(there: Mock, tmp_path: Path) -> None:
    ours = made(there, tmp_path)
    (address, attempt), (other, _) = await ours.begin(), await ours.begin(anew=True)
    asked, again = (parse_qs(urlsplit(each).query) for each in (address, other))
    assert asked["redirect_uri"] == ["http://127.0.0.1:1/openid/callback"]
    assert (asked["response_type"], asked["scope"]) == (["code"], ["openid profile"])
    assert asked["code_challenge_method"] == ["S256"]
    assert attempt.verifier not in address
    for name in ("state", "nonce", "code_challenge"):
        assert len(asked[name][0]) >= 43
        assert asked[name] != again[name]
    assert "prompt" not in asked
    assert again["prompt"] == ["login"]
    assert not ours.is_of(attempt, again["state"][0], "")
    assert not ours.is_of(attempt, attempt.state, "https://other.example.org")


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"aud": "somebody else"}, "for another client"),
        ({"aud": ["boardgate-of-a-test", "somebody else"]}, "given to another client"),
        ({"azp": "somebody else"}, "given to another client"),
        ({"iss": "https://other.example.org"}, "another issuer"),
        ({"nonce": "another"}, "for another login"),
        ({"nonce": None}, "for another login"),
        ({"exp": "+-200", "iat": "+-300"}, "has expired"),
        ({"iat": "+900"}, "in the future"),
        ({"iat": "+-900"}, "too long ago"),
        ({"iat": None}, "has no iat"),
        ({"exp": "never"}, "has no exp"),
        ({"sub": ""}, "names nobody"),
        ({"sub": 17}, "names nobody"),
        ({"sub": "x" * 256}, "names nobody"),
        ({"_alg": "none"}, "does not hold"),
        ({"_alg": "HS256"}, "does not hold"),
        ({"_key": "other"}, "does not hold"),
        ({"_exchanged": {"access_token": "x"}}, "none in the answer"),
        ({"_exchanged": {"id_token": "a.b"}}, "does not hold|cannot be read"),
    ],
)
async def test_a_token_that_is_wrong_lets_nobody_in(
    there: Mock, tmp_path: Path, said: dict[str, Any], why: str
) -> None:
    there.crook(**said)
    with pytest.raises(BadToken, match=why):
        await comes_back(there, made(there, tmp_path))


async def test_a_clock_that_differs_by_a_minute_is_none_to_mind(there: Mock, tmp_path: Path) -> None:
    there.crook(iat="+60", exp="+-60")
    assert (await comes_back(there, made(there, tmp_path))).subject == "17"


async def test_a_code_counts_once_and_with_its_verifier_alone(there: Mock, tmp_path: Path) -> None:
    ours = made(there, tmp_path)
    address, attempt = await ours.begin()
    code = parse_qs(await there.logs_in(address, "17"))["code"][0]
    assert (await ours.finish(attempt, code)).subject == "17"
    with pytest.raises(NotTaken, match="invalid_grant"):
        await ours.finish(attempt, code)
    _, another = await ours.begin()
    code = parse_qs(await there.logs_in((await ours.begin())[0], "17"))["code"][0]
    with pytest.raises((NotTaken, BadToken)):
        await ours.finish(another, code)


async def test_another_node_finishes_what_one_has_begun(there: Mock, tmp_path: Path) -> None:
    """Their settings are the same, and the browser brings the rest."""
    one, other = made(there, tmp_path), made(there, tmp_path)
    address, attempt = await one.begin("/people")
    sealed = one.attempts.close(attempt)
    code = parse_qs(await there.logs_in(address, "17"))["code"][0]
    known = await other.finish(other.attempts.open(sealed, Attempt), code)
    assert one.known.open(other.known.close(known), Known) == Known("17", "Anna", "/people")


def test_a_seal_opens_for_its_purpose_its_secret_and_its_time_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    seal, known = Seal("a secret", "attempt"), Known("17", "Anna", "/")
    closed = seal.close(known)
    assert seal.open(closed, Known) == known
    assert "Anna" not in closed
    for other in (Seal("a secret", "known"), Seal("another secret", "attempt")):
        with pytest.raises(Broken):
            other.open(closed, Known)
    for text in ("", "x", closed[:-4], closed + "A", "ö" * 40, "x" * 5000):
        with pytest.raises(Broken):
            seal.open(text, Known)
    with pytest.raises(Broken):
        seal.open(closed, Attempt)
    monkeypatch.setattr(sealing, "LASTS_S", -1)
    with pytest.raises(Broken):
        seal.open(closed, Known)


async def test_new_keys_are_read_once_when_a_token_has_one(
    there: Mock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(discovery, "AGAIN_S", 0.0)
    ours = made(there, tmp_path)
    await comes_back(there, ours)
    there.crook(_key="unknown")
    there.asked()
    assert (await comes_back(there, ours)).subject == "17"
    assert there.asked().count("/jwks") == 1


async def test_keys_are_not_read_anew_for_each_token_with_an_unknown_one(there: Mock, tmp_path: Path) -> None:
    ours = made(there, tmp_path)
    await comes_back(there, ours)
    there.crook(_key="unknown")
    there.asked()
    for _ in range(2):
        with pytest.raises(UnknownKey):
            await comes_back(there, ours)
    assert there.asked().count("/jwks") == 0


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"_status": "503 Away"}, "status 503"),
        ({"_configuration": {"issuer": "https://other.example.org"}}, "of the issuer 'https://other.example.org'"),
        ({"_configuration": {"token_endpoint": None}}, "has no token_endpoint"),
        ({"_configuration": {"jwks_uri": "http://keys.example.org"}}, "jwks_uri.*begins with https"),
        ({"_configuration": {"token_endpoint_auth_methods_supported": ["private_key_jwt"]}}, "takes no client secret"),
    ],
)
async def test_a_configuration_that_cannot_be_used_is_named(
    there: Mock, tmp_path: Path, said: dict[str, Any], why: str
) -> None:
    there.crook(**said)
    with pytest.raises(NoAnswer, match=why):
        await made(there, tmp_path).try_out()


async def test_a_provider_that_is_away_is_not_stormed_and_comes_back(
    there: Mock, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    calls = []

    async def fetch(address: str, headers: object = None, form: bytes | None = None) -> Any:
        calls.append(address)
        raise NoAnswer("gone")

    ours = Provider("https://login.example.org", "x", "y" * 22, "N", "openid", "https://x/openid/callback", fetch)
    for _ in range(3):
        with pytest.raises(NoAnswer, match="gone"):
            await ours.begin()
    assert len(calls) == 1
    await trio.sleep(discovery.FAILED_S)
    with pytest.raises(NoAnswer, match="gone"):
        await ours.begin()
    assert len(calls) == 2


async def test_a_secret_goes_in_the_form_where_the_provider_takes_no_header(there: Mock, tmp_path: Path) -> None:
    there.crook(_configuration={"token_endpoint_auth_methods_supported": ["client_secret_post"]})
    assert (await comes_back(there, made(there, tmp_path))).subject == "17"


async def test_the_name_of_somebody_else_is_not_suggested(there: Mock, tmp_path: Path) -> None:
    there.crook(preferred_username=None, _userinfo={"sub": "18", "preferred_username": "Bert"})
    assert await comes_back(there, made(there, tmp_path)) == Known("17", "", "/people")
    there.crook(preferred_username=None, _userinfo={"preferred_username": "Bert"})
    assert await comes_back(there, made(there, tmp_path)) == Known("17", "Bert", "/people")


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"issuer": "http://login.example.org"}, "begins with https"),
        ({"issuer": "login"}, "is no address"),
        ({"pages": ""}, "openid.pages"),
        ({"client_id": ""}, "needs client_id"),
        ({"client_secret_file": "/nowhere"}, "client_secret_file /nowhere"),
        ({"scopes": "profile"}, "lacks the word openid"),
    ],
)
def test_settings_that_make_no_sense_are_named(there: Mock, tmp_path: Path, more: dict[str, str], why: str) -> None:
    with pytest.raises(BadSetting, match=why):
        made(there, tmp_path, **more)


def test_a_short_secret_is_refused(there: Mock, tmp_path: Path) -> None:
    settings = there.settings(tmp_path)
    (tmp_path / "openid.secret").write_text("short\n")
    with pytest.raises(BadSetting, match="has 5 characters"):
        provider_of(Config(openid=OpenId(**settings)), "")
    assert provider_of(Config(), "") is None


def test_a_word_of_the_provider_is_a_word() -> None:
    assert word_of("invalid_grant") == "invalid_grant"
    assert {word_of(each) for each in ("a\nb", "<b>", None, 7, "")} == {"no word for it"}
