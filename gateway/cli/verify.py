"""``boardgate verify``: proves one table's record, or all of them, and keeps anchors.

An anchor is a table's last digest, kept by the host elsewhere to prove the record's end later: a line of JSON with
``table``, ``seq`` (the last event), ``digest`` (of that event, in hexadecimal) and ``at`` (Unix time in seconds).
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import click
import msgspec

from gateway.cli.drawing import bar, plain
from gateway.cli.options import with_settings
from gateway.cli.record import NoRecord, opened
from gateway.config import Config
from gateway.record import audit
from gateway.record.audit import Anchor, Report
from gateway.store.proving import Kept, Proving
from gateway.store.views import Views
from protocols.core.errors import BoardgateError

COUNTS: Final = ("events", "games", "moves", "rolls", "proved", "unproved")


@click.command()
@click.argument("table", type=int, required=False)
@click.option("--all", "everything", is_flag=True, help="Prove every table's record.")
@click.option(
    "--anchors",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Also hold the records against what FILE has noted of them; then note their ends there.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object, for programs.")
@with_settings
@click.pass_context
def verify(
    ctx: click.Context, config: Config, table: int | None, everything: bool, anchors: Path | None, as_json: bool
) -> None:
    """Prove that a table's record is whole, its moves legal and its dice honest.

    Every event is chained to the one before by a digest, and the whole game is played again. The record must also be
    what the table's row says of it: number of events, status, game, seats, and the secret of its dice. Dice can be
    proved once their game is over. Exit status 1 when anything is wrong. A server may run meanwhile.

    A record that lost its end, rows included, is a whole record of a shorter past. Only what you keep elsewhere shows
    that: --anchors FILE notes the last digest of each table, and holds the records against it the next time. Keep FILE
    where the database's administrator cannot change it.

    \b
      boardgate verify 12
      boardgate verify --all --anchors /mnt/elsewhere/anchors
    """
    if (table is None) != everything:
        raise click.UsageError("name a table, or say --all")
    known = read_anchors(anchors) if anchors is not None else {}
    with opened(config) as views, closing(Proving(config.database_url)) as proving:
        prover = _Prover(views, proving, known)
        sound = _one(prover, table, as_json) if table is not None else _all(prover, as_json)
    if anchors is not None and sound:
        write_anchors(anchors, prover.anchors.values())
        if not as_json:
            click.echo(f"{anchors}: noted the ends of {_count(len(prover.anchors), 'record')}")
    ctx.exit(0 if sound else 1)


class _Prover:
    """Proves one table after the other; ``anchors`` is what is to be noted then."""

    def __init__(self, views: Views, proving: Proving, known: dict[int, Anchor]) -> None:
        self._views = views
        self.proving = proving
        self.known = known
        self.anchors = dict(known)

    def prove(self, kept: Kept) -> Report | None:
        """None where the table was deleted while it was read."""
        report = audit.verify(kept.table, self._views.rows(kept.table), kept, self.known.get(kept.table))
        if report.defect is not None and self.proving.kept(kept.table) is None:
            return None
        self.anchors[kept.table] = report.anchor
        return report

    def gone(self, seen: set[int]) -> tuple[list[Anchor], int]:
        """Anchors whose table is not there: those that nothing explains, and how many were old enough to be deleted.

        The latter are noted no more.
        """
        deleted_before = self.proving.deleted_before()
        missing = [anchor for table, anchor in self.known.items() if table not in seen]
        lost = [anchor for anchor in missing if anchor.at >= deleted_before]
        for anchor in missing:
            del self.anchors[anchor.table]
        return lost, len(missing) - len(lost)


def _one(prover: _Prover, table: int, as_json: bool) -> bool:
    kept = prover.proving.kept(table)
    report = None if kept is None else prover.prove(kept)
    if report is None:
        raise NoRecord(f"there is no table {table}; boardgate tables lists them")
    if as_json:
        click.echo(json.dumps(_tree(report), indent=2))
    else:
        for line in _lines(report):
            click.echo(plain(line))
    return report.defect is None


def _all(prover: _Prover, as_json: bool) -> bool:
    """Each wrong table is told as it is found, at the end what was proved."""
    totals = dict.fromkeys(COUNTS, 0)
    unknown: Counter[str] = Counter()
    wrong: list[tuple[int, int, str]] = []
    seen: set[int] = set()

    def tell(table: int, seq: int, reason: str) -> None:
        wrong.append((table, seq, reason))
        if not as_json:
            click.echo(plain(f"table {table}: WRONG at event {seq}: {reason}"))

    tables = prover.proving.count()
    with bar() as shown:
        for kept in prover.proving.all():
            seen.add(kept.table)
            report = prover.prove(kept)
            shown.show("tables", len(seen), tables)
            if report is None:
                continue
            for name in COUNTS:
                totals[name] += getattr(report, name)
            unknown.update([report.unknown] if report.unknown else [])
            if report.defect is not None:
                shown.clear()
                tell(report.table, report.defect.seq, report.defect.reason)
    lost, deleted = prover.gone(seen)
    for anchor in lost:
        tell(anchor.table, 1, f"is missing: the anchor is event {anchor.seq}, and no deletion in the log explains it")
    if as_json:
        told = [{"table": table, "seq": seq, "reason": reason} for table, seq, reason in wrong]
        counted = {"tables": len(seen), **totals, "deleted": deleted, "not_installed": dict(unknown)}
        click.echo(json.dumps({"sound": not wrong, "wrong": told, **counted}, indent=2))
    else:
        for line in _summary(len(seen), len(wrong), deleted, totals):
            click.echo(line)
        for name, records in sorted(unknown.items()):
            click.echo(plain(f"  {_count(records, 'record')} of {name!r}, a game that is not installed here"))
    return not wrong


def _summary(tables: int, wrong: int, deleted: int, totals: dict[str, int]) -> Iterator[str]:
    whole = f"{_count(tables, 'record')}, {f'{wrong} of them WRONG' if wrong else 'all whole'}"
    yield f"{whole}: {', '.join(_count(totals[name], name.rstrip('s')) for name in ('events', 'games', 'moves'))}"
    if totals["proved"]:
        yield f"  {_count(totals['proved'], 'roll')} proved to be what was committed to before the game"
    if totals["unproved"]:
        yield f"  {_count(totals['unproved'], 'roll')} not yet provable: a game's secret is revealed at its end"
    if deleted:
        yield f"  {_count(deleted, 'table')} of the anchors deleted since, as boardgate log says"


def _lines(report: Report) -> Iterator[str]:
    if report.defect is not None:
        yield f"table {report.table}: WRONG at event {report.defect.seq}: {report.defect.reason}"
        yield "proved before that:"
    else:
        yield f"table {report.table}: the record is whole"
    yield f"  {_count(report.events, 'event')} in one chain; last digest {report.digest.hex()}"
    if report.unknown:
        yield f"  the game {report.unknown!r} is not installed here: its moves and dice are not proved"
        return
    yield f"  {_count(report.games, 'game')}, {_count(report.moves, 'move')}, all by the rules"
    if report.proved:
        yield f"  {report.proved} of {_count(report.rolls, 'roll')} proved to be what was committed to before the game"
    if report.unproved:
        yield f"  {_count(report.unproved, 'roll')} not yet provable: a game's secret is revealed at its end"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def _tree(report: Report) -> dict[str, object]:
    defect = report.defect
    return {
        "table": report.table,
        "sound": defect is None,
        "defect": None if defect is None else {"seq": defect.seq, "reason": defect.reason},
        "events": report.events,
        "games": report.games,
        "moves": report.moves,
        "rolls": report.rolls,
        "rolls_proved": report.proved,
        "digest": report.digest.hex(),
        "not_installed": report.unknown or None,
    }


class BadAnchors(BoardgateError):
    """The file cannot be read or written, or is none of ours."""


class _Line(msgspec.Struct, forbid_unknown_fields=True):
    table: int
    seq: int
    digest: str
    at: float


def read_anchors(file: Path) -> dict[int, Anchor]:
    """By table; nothing where there is no such file yet. BadAnchors."""
    try:
        text = file.read_bytes()
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise BadAnchors(f"{file}: {error.strerror}") from None
    found: dict[int, Anchor] = {}
    for number, line in enumerate(text.splitlines(), 1):
        try:
            read = msgspec.json.decode(line, type=_Line)
            found[read.table] = Anchor(read.table, read.seq, bytes.fromhex(read.digest), read.at)
        except ValueError as error:
            raise BadAnchors(f"{file}, line {number}: {error}") from None
    return found


def write_anchors(file: Path, anchors: Iterable[Anchor]) -> None:
    """Replace the file as a whole, or leave it as it was: BadAnchors."""
    lines = [
        msgspec.json.encode(_Line(one.table, one.seq, one.digest.hex(), one.at))
        for one in sorted(anchors, key=lambda one: one.table)
    ]
    new = file.with_name(f"{file.name}.new")
    try:
        with new.open("wb") as out:
            out.write(b"".join(line + b"\n" for line in lines))
            out.flush()
            os.fsync(out.fileno())
        new.replace(file)
    except OSError as error:
        raise BadAnchors(f"{file}: {error.strerror}") from None
