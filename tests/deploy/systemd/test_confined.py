"""What the service may do: everything that the server and the engines need, and nothing that an intruder would."""

from __future__ import annotations

from tests.conformance.brains import settings
from tests.conformance.chess_bogaprot_player import place
from tests.conformance.players import SpecPlayer
from tests.conformance.playing import Table
from tests.deploy.guests import BOGAPROT, Opponent
from tests.deploy.systemd.handbook import UNIT
from tests.deploy.systemd.service import KILLING, Service
from tests.faults.guests import DEFECTS

NOT_ALLOWED = {
    "another namespace": "os_unshare(0x00020000)",
    "memory that is written and run": "mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)",
    "a raw socket": "socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)",
    "a socket of another kind": "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)",
    "a file of the system": "open('/etc/changed', 'w')",
    "its own program": "open('/opt/boardgate/changed', 'w')",
    "root's files": "os.listdir('/root')",
    "other processes": "os.stat('/proc/1')",
    "a program for another user": "os.chmod(open('tried', 'w').name, 0o4755)",
    "another root": "os.chroot('/tmp')",
    "real time": "os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))",
}
"""What an intruder would want, and the attempt in Python."""

INTRUDER = f"""
import ctypes, mmap, os, socket
def os_unshare(flags):
    if ctypes.CDLL(None, use_errno=True).unshare(flags):
        raise OSError(ctypes.get_errno(), "unshare")
open("it may write here", "w")
for wish, attempt in {NOT_ALLOWED!r}.items():
    try:
        exec(attempt)
    except OSError as error:
        print("no", wish)
    else:
        print("yes", wish)
"""


def test_the_house_and_its_engines_play_confined(service: Service) -> None:
    house_plays(service)
    found = service.processes()
    assert {"boardgate", "stockfish", "gnugo"} <= found.keys()
    for process in found.values():
        assert (process["CapEff"], process["CapBnd"], process["NoNewPrivs"]) == ("0" * 16, "0" * 16, "1")
        assert process["Seccomp"] == "2"
        assert process["Uid"].split()[0] not in ("0", "65534")


def test_nothing_that_is_needed_is_refused(service: Service) -> None:
    with service.chosen(unit=KILLING):
        house_plays(service)
        assert service.shows("NRestarts") == ["0"]


def house_plays(service: Service) -> None:
    """Two engines, a bot of the house's own that thinks in a worker process, and a whole game against it."""
    chess, go = Opponent(service.network, "chess", "Cat"), Opponent(service.network, "go", "Gus", size=9)
    chess.moves(place("e2"), place("e4"))
    go.moves(-1, 40)
    chess.is_answered()
    go.is_answered()
    with service.network():
        person = SpecPlayer(BOGAPROT, settings("tic_tac_toe"), "tic_tac_toe?against=bot&name=Tim")
    Table(person, bots=[1]).finish()
    assert [word for word in (*DEFECTS, "was lost", "status=31/SYS", "core-dump") if word in service.journal()] == []


def test_an_intruder_is_refused(service: Service) -> None:
    """The same unit with another program."""
    (service.root / "opt/intruder.py").write_text(INTRUDER)
    unit = UNIT
    for ours, intruders in (
        ("/opt/boardgate/bin/boardgate serve", "/opt/boardgate/bin/python3 /opt/intruder.py"),
        ("Type=notify", "Type=oneshot"),
        ("Restart=on-failure", "Restart=no"),
        ("StateDirectory=boardgate", "StateDirectory=intruder"),
        ("WorkingDirectory=/var/lib/boardgate", "WorkingDirectory=/var/lib/intruder"),
    ):
        assert ours in unit
        unit = unit.replace(ours, intruders)
    (service.root / "etc/systemd/system/intruder.service").write_text(unit)
    service.types("systemctl daemon-reload\nsystemctl start intruder || true")
    told = service.types("journalctl --unit=intruder --output=cat")
    answers = [line for line in told.splitlines() if line.startswith(("yes ", "no "))]
    assert answers == [f"no {wish}" for wish in NOT_ALLOWED], told


def test_figures_of_the_process_are_there(service: Service) -> None:
    """deploy/alerts.yml: "process_open_fds > 0.8 * process_max_fds", which is never true where neither is there."""
    figures = dict(line.rsplit(" ", 1) for line in service.asks("/metrics").splitlines() if line[0] != "#")
    assert float(figures["process_max_fds"]) == 16384
    assert 0 < float(figures["process_open_fds"]) < 100
    assert float(figures["process_resident_memory_bytes"]) > 1e6
