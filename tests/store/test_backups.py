"""Names of backups, and which of them stay."""

from __future__ import annotations

from pathlib import Path

from gateway.store.backups import fresh_name, rotate

AT = 1_795_000_000.5


def test_a_name_says_when_it_was_made_and_is_given_once(tmp_path: Path) -> None:
    first = fresh_name(tmp_path, AT, ".db")
    assert first.name == "boardgate-20261118T110640Z.db"
    first.touch()
    assert fresh_name(tmp_path, AT, ".db").name == "boardgate-20261118T110641Z.db"
    assert fresh_name(tmp_path, AT, ".dump").name == "boardgate-20261118T110640Z.dump"


def test_the_newest_stay_and_nothing_of_another_name_goes(tmp_path: Path) -> None:
    days = [tmp_path / f"boardgate-202611{day:02}T040000Z.{end}" for day, end in ((1, "db"), (2, "dump"), (3, "db"))]
    others = (
        "boardgate-20261101T040000Z.db.part",
        "boardgate-20261101T040000Z.dump.gz",
        "my-boardgate-20261101T040000Z.db",
        "boardgate-20261101.db",
        "boardgate.db",
    )
    for path in (*days, *(tmp_path / name for name in others)):
        path.touch()
    folder = tmp_path / "boardgate-20261031T040000Z.db"
    folder.mkdir()
    assert rotate(tmp_path, 2, days[2]) == [days[0]]
    assert {path.name for path in tmp_path.iterdir()} == {days[1].name, days[2].name, folder.name, *others}


def test_the_one_just_made_stays_though_the_clock_was_set_back_before_it(tmp_path: Path) -> None:
    new = tmp_path / "boardgate-20251101T040000Z.db"
    old = tmp_path / "boardgate-20261101T040000Z.db"
    for path in (new, old):
        path.touch()
    assert rotate(tmp_path, 1, new) == []
    assert new.exists()
