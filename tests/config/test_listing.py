"""The settings are listed as a table and as an annotated file."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateway.config import Config, EngineBot, annotated, describe, describe_engine_bot, load


def test_the_annotated_file_means_the_defaults(tmp_path: Path) -> None:
    file = tmp_path / "boardgate.toml"
    file.write_text(annotated(), encoding="utf-8")
    assert load(file) == Config()


def test_every_setting_has_a_reason_in_one_line() -> None:
    for row in describe() + describe_engine_bot():
        assert 20 < len(row.reason) < 120, row
        assert "\n" not in row.reason


@pytest.mark.parametrize(
    ("variable", "default"),
    [
        ("BOARDGATE_LIMITS_CONNECTIONS", "10000"),
        ("BOARDGATE_LIMITS_CONNECTIONS_PER_ADDRESS", "64"),
        ("BOARDGATE_SEATS_GRACE", '"1m"'),
        ("BOARDGATE_SEATS_BOT_AFTER", '"10s"'),
        ("BOARDGATE_SERVER_DATABASE", '"sqlite:///DATA/boardgate.db"'),
        ("BOARDGATE_LOG_WIRE", "false"),
    ],
)
def test_a_setting_is_listed_under_its_variable_with_its_default(variable: str, default: str) -> None:
    assert {row.variable: row.default for row in describe()}[variable] == default


def test_every_listed_variable_is_understood() -> None:
    environ = {row.variable: row.default.strip('"') for row in describe()}
    assert load(environ=environ) == Config()


def test_the_annotated_file_has_every_key_of_an_engine_to_fill_in(tmp_path: Path) -> None:
    file = tmp_path / "boardgate.toml"
    _, mark, example = annotated().partition("# [[bot]]\n")
    text = (mark + example).replace("# ", "").replace('game = ""', 'game = "checkers"')
    text = "\n".join(
        line for line in text.replace('command = ""', 'command = "it"').splitlines() if "[[" in line or " = " in line
    )
    file.write_text(text, encoding="utf-8")
    assert load(file).bot == (EngineBot("checkers", "it"),)


def test_settings_that_a_running_server_takes_over_are_marked() -> None:
    lines = annotated().splitlines()
    assert 'grace = "1m"  # SIGHUP' in lines
    assert 'shutdown = "3s"' in lines
    marked = [line.partition(" ")[0] for line in lines if line.endswith("  # SIGHUP")]
    assert marked == [row.key for row in describe() if row.live]
