"""Checks an exported record with nothing but Python's standard library: ``python3 check_record.py table-12.ndjson``.

It trusts no line of Boardgate: the chain of digests is computed again, and every roll of a finished game, and the draw
of seats before it, from the secret that the game's end reveals. Not here: whether the moves were legal, which
``boardgate verify`` also proves.
"""

import hashlib
import hmac
import json
import struct
import sys
from datetime import UTC, datetime, timedelta


def chained(previous, line):
    """The digest of an event: SHA-256 over the digest before, table, seq, microseconds, kind, a zero byte, body.

    What players said to each other has no body in an export for others. An event that names the player of a deleted
    account has "former player" in place of the name. The digests of both are taken as given; the next event's covers
    them.
    """
    event = json.loads(line)
    if (event["kind"] == "Said" and "body" not in event) or renamed(event):
        return bytes.fromhex(event["digest"])
    body = line[line.index('"body":') + len('"body":') : -1]
    since = datetime.fromisoformat(event["at"].replace("Z", "+00:00")) - datetime(1970, 1, 1, tzinfo=UTC)
    head = struct.pack(">qqq", event["table"], event["seq"], since // timedelta(microseconds=1))
    return hashlib.sha256(previous + head + event["kind"].encode() + b"\0" + body.encode()).digest()


def renamed(event):
    """Events that name a person are shown under another name once the account is deleted. No other event may be."""
    named = event["kind"] in ("SeatTaken", "Said") and event.get("body", {}).get("name") == "former player"
    return event.get("renamed") is True and named


def drawn(secret, message, values):
    """A number below ``values``: the first word of the message's HMAC-SHA256 that is fair, modulo ``values``."""
    words = struct.unpack(">8I", hmac.new(secret, message, "sha256").digest())
    return next(word for word in words if word < 2**32 - 2**32 % values) % values


def rolled(secret, number, sides=6):
    """The roll of this number."""
    return drawn(secret, b"roll %d" % number, sides) + 1


def check(lines):
    """What is proved, in words. ValueError for the first event that is not what it must be."""
    previous, commitment, rolls, proved = bytes(32), "", {}, 0
    rematch, turned, seats = False, None, 0
    for seq, line in enumerate(lines, 1):
        event = json.loads(line)
        previous = chained(previous, line)
        if (event["seq"], event["digest"]) != (seq, previous.hex()):
            raise ValueError(f"the chain breaks at event {seq}")
        body = event.get("body", {})
        if event["kind"] == "Agreed":
            rematch = body["proposal"][0] == "Rematch"
        elif event["kind"] == "SeatsTurned":
            turned = body["by"] if rematch else None
        elif event["kind"] == "GameStarted":
            commitment, rolls, seats, rematch = body["commitment"], {}, body["settings"]["seats"], False
        elif event["kind"] == "DiceRolled":
            rolls[body["number"]] = body["value"]
        elif event["kind"] == "GameEnded" and body["secret"]:
            secret = bytes.fromhex(body["secret"])
            if hashlib.sha256(secret).hexdigest() != commitment:
                raise ValueError(f"event {seq} reveals another secret than the game began with")
            if turned is not None and seats > 2 and drawn(secret, b"seats", seats) != turned:
                raise ValueError(f"a draw of seats that is not the secret's: {turned}")
            turned = None
            wrong = [number for number, value in rolls.items() if rolled(secret, number) != value]
            if wrong or sorted(rolls) != list(range(1, len(rolls) + 1)):
                raise ValueError(f"rolls that are not the secret's: {wrong or sorted(rolls)}")
            proved += len(rolls)
    unnamed = sum(renamed(json.loads(line)) for line in lines)
    shown = f", {unnamed} under another name" if unnamed else ""
    return f"{seq} events in one chain{shown}, {proved} rolls honest, last digest {previous.hex()}"


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as record:
        lines = record.read().splitlines()
    try:
        print(check(lines))
    except (ValueError, KeyError) as broken:
        sys.exit(f"not a whole record: {broken}")
