"""Which bus a setting means."""

from __future__ import annotations

import pytest
import trio

from gateway.bus.opening import open_bus
from tests import peers
from tests.bus.brokers import Nats, Postgres, until

HOSTED = "postgresql+psycopg://club:s3cret@localhost/games"


@pytest.mark.parametrize("word", ["", "redis://u:s3cret@host", "Postgres", "nats:host", "postgresql://u:s3cret@h/d"])
def test_another_word_is_refused_in_words_and_shows_no_password(word: str) -> None:
    with pytest.raises(ValueError, match='a bus is "postgres" or nats://HOST:4222') as refusal:
        open_bus(word, HOSTED, 1)
    assert "s3cret" not in str(refusal.value)


def test_the_embedded_database_has_no_bus() -> None:
    with pytest.raises(ValueError, match="needs a database of PostgreSQL"):
        open_bus("postgres", "sqlite:////var/lib/boardgate/boardgate.db", 1)


@peers.needed
async def test_both_kinds_carry_messages_and_show_whose_they_are(real: Postgres | Nats) -> None:
    """Of two clusters at one NATS server neither hears the other."""
    url = real.database.render_as_string(hide_password=False) if isinstance(real, Postgres) else HOSTED
    word = "postgres" if isinstance(real, Postgres) else f"nats://127.0.0.1:{real.port}"
    one, two = open_bus(word, url, 1), open_bus(word, url, 2)
    stranger = open_bus(word, url, 3, cluster="other")
    heard: list[tuple[int, bytes]] = []
    async with trio.open_nursery() as nursery:
        await nursery.start(one.run, lambda _sender, _message: None)
        await nursery.start(two.run, lambda sender, message: heard.append((sender, message)))
        await nursery.start(stranger.run, lambda _sender, _message: None)
        if isinstance(real, Postgres):
            assert real.ask("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'boardgate/2'") == 1
        else:
            stranger.send(2, b"from elsewhere")
            await until(lambda: stranger.counts.sent == 1)
        one.send(2, b"m")
        await until(lambda: (1, b"m") in heard)
        assert heard == [(1, b"m")]
        nursery.cancel_scope.cancel()
