"""The host's mail server: what settings are refused, how the way there is encrypted, what its answers mean."""

from __future__ import annotations

import ssl
import time
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from gateway.config import BadSetting, Config, Mail, Server
from gateway.push import smtp
from gateway.push.letters import Writing
from gateway.push.smtp import MailServer, NotNow, NotTaken, mail_server
from tests.certificates import Authority
from tests.push.mail_room import PAGES, SENDER, MailRoom, mail_room, silent_room, text_of

ANN = "ann@y.example"


def letter(name: str = "Ann", to: str = ANN, site: str = "Club") -> EmailMessage:
    return Writing(site, SENDER, PAGES).confirm(to, name, "the-code")


def server(room: MailRoom, trust: ssl.SSLContext | None = None, **more: Any) -> MailServer:
    found = mail_server(Config(mail=Mail(**room.settings(**more))))
    assert found is not None
    return replace(found, trust=trust)


def tls(folder: Path) -> tuple[Authority, ssl.SSLContext]:
    authority = Authority(folder)
    authority.issues("127.0.0.1")
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(authority.cert, authority.key)
    return authority, context


def test_a_message_arrives_as_it_was_written() -> None:
    with mail_room() as room:
        server(room).deliver(letter("Zoë", site="Brettspiele für alle"))
    (found,) = room.letters
    assert (found["From"], found["To"]) == (f"Brettspiele für alle <{SENDER}>", ANN)
    assert found["Subject"] == "Your address at Brettspiele für alle"
    assert found["Auto-Submitted"] == "auto-generated"
    assert "Zoë, this address was given for your account at Brettspiele für alle." in text_of(found)
    assert f"{PAGES}/mail#the-code" in text_of(found)


@pytest.mark.parametrize("hostile", ["x\r\nBcc: all@y.example", "x\nSubject: y", "x\r\n.\r\nRSET", "x\u2028Bcc: y"])
def test_no_name_makes_a_line_of_a_header_or_ends_a_message(hostile: str) -> None:
    with mail_room() as room:
        server(room).deliver(letter(hostile, site=hostile))
    (found,) = room.letters
    assert found["Bcc"] is None
    assert len(found.get_all("Subject", [])) == 1
    with pytest.raises(ValueError, match=r"."):
        letter(to=f"{ANN}{hostile}")


@pytest.mark.parametrize("security", ["starttls", "tls"])
def test_the_way_is_encrypted_and_only_the_named_server_is_believed(tmp_path: Path, security: str) -> None:
    authority, context = tls(tmp_path)
    secret = tmp_path / "password"
    secret.write_text("a secret\n")
    with mail_room(context, first_byte=security == "tls", auth_require_tls=security != "tls") as room:
        room.users[b"club"] = b"a secret"
        mine = server(room, authority.trust, security=security, user="club", password_file=str(secret))
        mine.deliver(letter())
        assert "a secret" not in repr(mine)
        with pytest.raises(NotNow, match="certificate verify failed"):
            replace(mine, trust=ssl.create_default_context()).deliver(letter())
        with pytest.raises(NotNow, match=r"SMTPAuthenticationError, reply 535$"):
            replace(mine, password="wrong").deliver(letter())
    assert room.encrypted == [security == "starttls"]  # aiosmtpd tells of STARTTLS alone
    assert len(room.letters) == 1


def test_a_server_without_starttls_is_given_nothing() -> None:
    with mail_room() as room, pytest.raises(NotNow, match="STARTTLS extension not supported"):
        server(room, security="starttls").deliver(letter())
    assert room.letters == []


@pytest.mark.parametrize(
    ("stage", "answer", "raised"),
    [
        ("recipient", "450 4.2.1 <ann@y.example> is busy", NotNow),
        ("recipient", "550 5.7.1 <ann@y.example> we do not like you", NotTaken),
        ("recipient", "550 5.1.1 <ann@y.example> is unknown", NotTaken),
        ("taken", "451 4.3.0 <ann@y.example> later", NotNow),
        ("taken", "554 5.6.0 <ann@y.example> never", NotTaken),
    ],
)
def test_an_answer_decides_what_becomes_of_a_message_and_shows_no_address(
    stage: str, answer: str, raised: type[Exception]
) -> None:
    with mail_room() as room:
        getattr(room, stage).append(answer)
        with pytest.raises(raised) as refused:
            server(room).deliver(letter())
        assert "ann" not in str(refused.value)
        if isinstance(refused.value, NotTaken):
            assert refused.value.no_mailbox is ("5.1.1" in answer)
        server(room).deliver(letter())
    assert len(room.letters) == 1


def test_a_server_that_is_silent_or_not_there_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smtp, "SILENT_S", 0.2)
    with silent_room() as room:
        began = time.monotonic()
        with pytest.raises(NotNow, match="timed out"):
            server(room).deliver(letter())
        assert time.monotonic() - began < 10
    with pytest.raises(NotNow, match="refused"):
        server(room).try_out()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"sender": ""}, "sender: '' is no mail address"),
        ({"sender": "Club <club@x.example>"}, "is no mail address"),
        ({"sender": "club@x.example\r\nBcc: all@x.example"}, "is no mail address"),
        ({"user": "club"}, "user needs password_file"),
        ({"user": "club", "password_file": "/nowhere/password"}, "/nowhere/password"),
        ({"user": "club", "password_file": "/dev/null"}, "its first line is empty"),
        ({"user": "club", "password_file": "/dev/null", "host": "mail.x.example"}, "would show the password of club"),
        ({"pages": ""}, "lead nowhere"),
        ({"pages": "games.x.example"}, "is no address of a server"),
        ({"pages": "https://games.x.example/club"}, "is no address of a server"),
        ({"pages": "ftp://games.x.example"}, "is no address of a server"),
        ({"pages": "https://user@games.x.example"}, "is no address of a server"),
        ({"pages": "https://[games"}, "is no address of a server"),
    ],
)
def test_wrong_settings_are_named(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(BadSetting, match=r"^\[mail\] .*" + said.replace("(", "\\(")):
        mail_server(Config(mail=Mail(**(MailRoom(25).settings() | wrong))))


def test_links_lead_to_the_public_host_unless_the_settings_say_otherwise() -> None:
    mail = Mail(**(MailRoom(25).settings() | {"pages": ""}))
    found = mail_server(Config(mail=mail, server=Server(public_host="games.x.example")))
    assert found is not None
    assert found.pages == "https://games.x.example"
    other = mail_server(Config(mail=replace(mail, pages="http://localhost:8080/")))
    assert other is not None
    assert other.pages == "http://localhost:8080"
    assert mail_server(Config()) is None
