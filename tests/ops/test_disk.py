"""A disk that is nearly full makes the server not ready, in words, until there is room again."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest
import trio
import trio.testing

from gateway.config import Config, Record, Server
from gateway.ops import disk as disks
from gateway.ops.disk import MIB, Disk, disk_folder, lack
from tests import peers
from tests.faults.databases import fill, small_disk
from tests.hall import config, hall

PATIENCE_S = 20.0


def on(folder: Path, least_free: int) -> Config:
    return replace(config(folder), record=Record(least_free=least_free))


async def turns(disk: Disk, full: bool) -> list[str]:
    """Its reasons as soon as it has some, or none."""
    with trio.fail_after(PATIENCE_S):
        while bool(disk.reasons) is not full:  # noqa: ASYNC110  # no event is set for it
            await trio.sleep(0.01)
    return disk.reasons


@peers.needed
async def test_it_is_not_ready_before_the_disk_is_full_and_ready_again_when_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disks, "LOOK_S", 0.05)
    with small_disk(tmp_path / "disk", mebibytes=16) as folder:
        async with hall(on(folder, 4 * MIB)) as here, trio.open_nursery() as nursery:
            nursery.start_soon(here.server.disk.watch)
            await trio.sleep(0.2)
            assert here.server.not_ready() == []
            filler = fill(folder)
            with filler.open("r+b") as file:
                file.truncate(13 * MIB)
            (said,) = await turns(here.server.disk, True)
            assert said == f"3 MiB are free on the disk of {folder}, less than 4"
            assert here.server.not_ready() == [said]
            filler.unlink()
            assert await turns(here.server.disk, False) == []
            assert here.server.not_ready() == []
            nursery.cancel_scope.cancel()


async def test_nothing_is_looked_at_while_the_setting_is_0(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []

    def full(folder: Path, least: int) -> str:
        looked.append(least)
        return "full"

    monkeypatch.setattr(disks, "LOOK_S", 0.01)
    monkeypatch.setattr(disks, "lack", full)
    disk = Disk(on(tmp_path, 0))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(disk.watch)
        await trio.testing.wait_all_tasks_blocked()
        assert looked == []
        disk.reread(on(tmp_path, MIB))
        assert await turns(disk, True) == ["full"]
        disk.reread(on(tmp_path, 0))
        assert await turns(disk, False) == []
        nursery.cancel_scope.cancel()
    assert MIB in looked


async def test_a_disk_that_does_not_answer_is_a_reason_and_keeps_one_thread_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Path] = []

    def hangs(folder: Path, least: int) -> str:
        asked.append(folder)
        time.sleep(0.5)
        return ""

    monkeypatch.setattr(disks, "LOOK_S", 0.01)
    monkeypatch.setattr(disks, "SILENT_S", 0.05)
    monkeypatch.setattr(disks, "lack", hangs)
    disk = Disk(on(tmp_path, MIB))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(disk.watch)
        (said,) = await turns(disk, True)
        await trio.sleep(0.2)
        assert said == f"the disk of {tmp_path} has not answered for 0.05 s"
        assert asked == [tmp_path], "asked again only when it has answered"
        nursery.cancel_scope.cancel()


def test_the_disk_is_that_of_the_database_file_or_of_the_data_directory(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    usual = config(tmp_path)
    assert disk_folder(usual) == tmp_path
    assert (
        disk_folder(replace(usual, server=Server(database=f"sqlite:///{elsewhere}/x.db", data=str(tmp_path))))
        == elsewhere
    )
    hosted = Server(database="postgresql+psycopg://user@host/name", data=str(tmp_path / "not" / "yet"))
    assert disk_folder(replace(usual, server=hosted)) == tmp_path


def test_what_lacks_is_said_in_mebibytes(tmp_path: Path) -> None:
    assert lack(tmp_path, 1) == ""
    assert lack(tmp_path, 1 << 62).endswith(f"MiB are free on the disk of {tmp_path}, less than {(1 << 62) // MIB}")
