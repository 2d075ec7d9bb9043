"""Supervises the workers of ``boardgate serve --workers N``: processes of one machine that share all listening ports.

The supervisor binds every port, starts the workers with their sockets, passes signals on, and starts a worker again
when it ends. At SIGHUP it reads the settings anew, and hands them to all. It serves no player and opens no database.
Each worker is a node of its own, NAME/1 to NAME/N.

The supervisor keeps all sockets open: connections that wait for a worker that has ended wait for the next one.

    socket pair closed (the supervisor was killed)   all workers stop
    a worker ends before all have been ready once    all stop: the settings or the database are at fault
    a worker ends later                              it is started again, at once or after a pause
"""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from os import environ
from typing import Final

import msgspec
import structlog
import trio

from gateway.bots.engines import usual
from gateway.cli.handover import READY, Handover
from gateway.cli.listening import HTTP, Listening
from gateway.cli.logs import LogSettings
from gateway.cli.options import Written
from gateway.cli.rereading import Rereading, RunningSettings
from gateway.cli.service import READY as SERVICE_READY
from gateway.cli.service import SOCKET, STOPPING, Terminal, announce
from gateway.config import BadSetting, Config, EngineBot, Listen
from gateway.config.listeners import parse_address
from gateway.net.shared_sockets import open_group
from gateway.net.socket_channel import open_channel, worker_name
from gateway.net.sockets import open_socket
from gateway.relay.listen import RELAY
from gateway.store.engine import is_sqlite
from gateway.web.forwarded import EACH_WORKER

BURIED: Final = 75
"""The exit status of a node that others have declared dead (EX_TEMPFAIL of sysexits.h): it may start again at once."""

PAUSE_S: Final = 0.5
"""Seconds before a worker that has ended is started again; doubled each time that it ends soon."""

DOUBLED: Final = 10
"""Times that it is doubled at most: more would be no number some day."""

LONGEST_PAUSE_S: Final = 10.0
"""The longest of these pauses: a share of the new connections waits as long."""

SETTLED_S: Final = 30.0
"""Seconds after which a worker has not ended soon."""

STOP_S: Final = 60.0
"""Seconds that workers get to stop beyond ``limits.shutdown``, for storing what a slow database has not taken yet."""

STOPS: Final = (signal.SIGTERM, signal.SIGINT)
PASSED_ON: Final = (signal.SIGHUP, signal.SIGUSR1)

_log = structlog.get_logger()


def check_workers(config: Config) -> None:
    """BadSetting: these settings do not allow so many workers."""
    count = config.server.workers
    if count == 1:
        return
    if is_sqlite(config.database_url):
        raise BadSetting(
            f"server.workers is {count}, but a database in a file (SQLite) has one process: "
            "set server.workers to 1, or server.database to PostgreSQL"
        )
    if sys.platform != "linux":
        raise BadSetting(f"server.workers is {count}: several workers need Linux")


def settings_of(config: Config, number: int) -> Config:
    """The settings of the worker of this number, from 1: its node's name, where the other nodes pass callers of the
    relay on to it, and its share of the house bots."""
    count = config.server.workers
    name = worker_name(config.cluster.node or socket.gethostname(), number)
    bots = config.bot if config.bot is not None else usual()
    return replace(
        config,
        server=replace(config.server, workers=1),
        cluster=replace(config.cluster, node=name, relay=_gate(config, number)),
        bots=replace(config.bots, workers=share(config.bots.workers, number, count)),
        bot=tuple(_shared(bot, number, count) for bot in bots),
    )


def _gate(config: Config, number: int) -> str:
    """The port that is set, and those after it; without one any, for the workers of this machine."""
    host, port = parse_address(config.cluster.relay or "127.0.0.1:0")
    return Listen(RELAY, host, port + number - 1 if port else 0).address


def share(whole: int, number: int, count: int) -> int:
    """The share of ``whole`` of the worker of this number, from 1: 0 of 0, else at least 1."""
    return max(whole // count + (number <= whole % count), min(whole, 1))


def _shared(bot: EngineBot, number: int, count: int) -> EngineBot:
    return replace(bot, processes=share(bot.processes, number, count))


def pause_s(status: int, soon: int) -> float:
    """Seconds to wait before a worker that has ended with ``status`` is started again; it was the ``soon``-th time in
    a row that it ran shorter than SETTLED_S, 0 if it did not."""
    if soon <= 1 and status == BURIED:
        return 0.0
    return min(PAUSE_S * 2.0 ** min(max(soon - 1, 0), DOUBLED), LONGEST_PAUSE_S)


@dataclass(slots=True)
class Ports:
    """The sockets of all listeners, ``shares[i]`` those of worker ``i + 1`` in the order of the settings.

    Requests of one address to HTTP reach one worker: a line of /api/lines is a connection in its memory.
    """

    count: int
    shares: list[list[tuple[Listen, socket.socket]]] = field(init=False)

    def __post_init__(self) -> None:
        self.shares = [[] for _ in range(self.count)]

    def shared(self, listen: Listen) -> tuple[socket.socket, Listen]:
        """Open one port for all workers."""
        socks, shown = open_group(listen, self.count, by_address=listen.dialect == HTTP)
        for share, sock in zip(self.shares, socks, strict=True):
            share.append((shown, sock))
        return socks[0], shown

    def own(self, index: int, listen: Listen) -> tuple[socket.socket, Listen]:
        """Open a port for one worker."""
        sock, shown = open_socket(listen)
        self.shares[index].append((shown, sock))
        return sock, shown

    def close(self) -> None:
        """From now on connections are refused, as soon as the workers have closed theirs, too. Idempotent."""
        for share in self.shares:
            for _, sock in share:
                sock.close()

    def descriptors(self, number: int) -> list[int]:
        """The sockets of the listeners of the worker of this number, from 1."""
        return [sock.fileno() for _, sock in self.shares[number - 1]]


def open_ports(config: Config) -> tuple[Listening, Ports]:
    """All listeners of the settings. BadSetting: what is wrong with one; the others are closed."""
    opened, ports = Listening(config), Ports(config.server.workers)
    with ExitStack() as undone:
        undone.callback(ports.close)
        for listen in config.listen:
            if _each_has(listen):
                for index, own in enumerate(ports_in_a_row(listen, ports.count)):
                    opened.open(own, partial(ports.own, index))
            else:
                opened.open(listen, ports.shared)
        undone.pop_all()
    return opened, ports


def listeners_of(config: Config) -> list[Listen]:
    """The listeners of the settings, those of each worker where it has its own."""
    count = config.server.workers
    several = (ports_in_a_row(each, count if _each_has(each) else 1) for each in config.listen)
    return [listen for row in several for listen in row]


def _each_has(listen: Listen) -> bool:
    return listen.dialect == HTTP and listen.options.get(EACH_WORKER) == "yes"


def ports_in_a_row(listen: Listen, count: int) -> list[Listen]:
    """The listener of each worker: its port, the next, and so on; of port 0 all have any free one."""
    return [replace(listen, port=listen.port + more if listen.port else 0) for more in range(count)]


@dataclass(slots=True)
class Worker:
    """One of the places for a worker, and the process that has it now; None: none has."""

    number: int
    name: str
    process: trio.Process | None = None
    ready: trio.Event = field(default_factory=trio.Event)
    serves: bool = False
    owed: set[int] = field(default_factory=set)
    """Signals that came while no process here could have served them."""
    news: trio.Event = field(default_factory=trio.Event)
    """Set when its settings have been read anew."""

    def send(self, number: int) -> None:
        """Pass a signal on, now or when there is a process that has a handler for it."""
        if self.process is not None and self.serves:
            self.process.send_signal(number)
        else:
            self.owed.add(number)


class Supervisor:
    """The workers of one server. ``run`` it once."""

    def __init__(self, config: Config, opened: Listening, ports: Ports) -> None:
        self._config = config
        self._opened = opened
        self._ports = ports
        self._settings = self._of_each(config)
        self._workers = [Worker(number, each.cluster.node) for number, each in self._settings.items()]
        self._channels = {worker.name: open_channel() for worker in self._workers}
        self._terminal = Terminal()
        self._started = False
        self._stopping = trio.Event()
        self._status = 0

    def _of_each(self, config: Config) -> Mapping[int, Config]:
        return {number: settings_of(config, number) for number in range(1, self._ports.count + 1)}

    def reread(self, config: Config) -> None:
        """Hand these settings to all workers, and to those that start later."""
        self._config = config
        self._settings = self._of_each(config)
        for worker in self._workers:
            worker.news.set()

    async def run(self, settings: Rereading) -> int:
        """Until a signal, or until the start has failed; ``settings`` are read at SIGHUP. The exit status."""
        async with trio.open_nursery() as nursery:
            await nursery.start(self._obey, settings)
            nursery.start_soon(settings.run)
            nursery.start_soon(self._say_ready)
            async with trio.open_nursery() as keeping:
                nursery.start_soon(self._bound_stopping, keeping.cancel_scope)
                for worker in self._workers:
                    keeping.start_soon(self._keep, worker)
            nursery.cancel_scope.cancel()
        _log.info("stopped")
        return self._status

    async def _obey(self, settings: Rereading, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        with trio.open_signal_receiver(*STOPS, *PASSED_ON) as signals:
            task_status.started()
            async for number in signals:
                if number in STOPS or (number == signal.SIGHUP and self._terminal.gone()):
                    self._stop(signal.Signals(number).name)
                elif not self._stopping.is_set():
                    if number == signal.SIGHUP:
                        settings.ask()
                    for worker in self._workers:
                        worker.send(number)

    def _stop(self, why: str) -> None:
        """Tell all workers to stop. Idempotent."""
        if self._stopping.is_set():
            return
        announce(STOPPING)
        _log.info("stopping", why=why, workers=len(self._workers))
        self._stopping.set()
        self._ports.close()
        for worker in self._workers:
            if worker.process is not None:
                worker.process.terminate()

    async def _bound_stopping(self, scope: trio.CancelScope) -> None:
        await self._stopping.wait()
        await trio.sleep(self._config.limits.shutdown_s + STOP_S)
        _log.error("workers did not stop in time")
        self._status = 1
        scope.cancel()

    async def _say_ready(self) -> None:
        """Once, when every worker has been ready."""
        for worker in self._workers:
            await worker.ready.wait()
        self._started = True
        self._opened.say_ready()
        _log.info("ready", name=self._config.server.name, workers=len(self._workers))
        announce(SERVICE_READY)

    async def _keep(self, worker: Worker) -> None:
        """Keep a process in this place until the server stops."""
        soon = 0
        while not self._stopping.is_set():
            begun = trio.current_time()
            try:
                status = await self._run_once(worker)
            except OSError as error:  # no process can be had just now; or its ports are closed, for the server stops
                status = 0 if self._stopping.is_set() else 1
                if status:
                    _log.error("a worker could not be started", worker=worker.name, error=str(error))
            if self._stopping.is_set():
                if status not in (0, -signal.SIGTERM):  # it may have had no handler for the signal yet
                    self._status = self._status or 1
                return
            if not self._started:
                self._status = status if status > 0 else 1
                self._stop(f"{worker.name} could not start")
                return
            soon = soon + 1 if trio.current_time() - begun < SETTLED_S else 0
            rests_s = pause_s(status, soon)
            _log.error("a worker has ended", worker=worker.name, status=status, again_after_s=rests_s)
            with trio.move_on_after(rests_s):
                await self._stopping.wait()

    async def _run_once(self, worker: Worker) -> int:
        """Start a process in this place, and wait until it has ended; its exit status, negative for a signal."""
        ours, theirs = socket.socketpair()
        with ours:
            with theirs:
                process = await self._start(worker, theirs)
            worker.process = process
            if self._stopping.is_set():
                process.terminate()
            _log.info("a worker was started", worker=worker.name, process=process.pid)
            try:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._talk, worker, ours)
                    status = await process.wait()
                    nursery.cancel_scope.cancel()
            finally:
                if process.returncode is None:
                    process.kill()  # it was given its time
                worker.process, worker.serves = None, False
        return status

    async def _start(self, worker: Worker, control: socket.socket) -> trio.Process:
        """By exec, in a process group of its own: Ctrl-C at a terminal reaches the supervisor alone."""
        inbox, others = self._ends(worker)
        inherited = [control.fileno(), *self._ports.descriptors(worker.number), inbox, *others.values()]
        words = [sys.executable, "-P", "-m", "gateway.cli.worker", str(control.fileno()), worker.name]
        # The supervisor alone speaks to the service manager.
        env = {key: text for key, text in environ.items() if key != SOCKET}
        return await trio.lowlevel.open_process(
            words, stdin=subprocess.DEVNULL, pass_fds=inherited, env=env, process_group=0
        )

    def _ends(self, worker: Worker) -> tuple[int, Mapping[str, int]]:
        """Its ends of the channels between workers: the one that it reads, and those of the others."""
        others = {name: end.fileno() for name, (_, end) in self._channels.items() if name != worker.name}
        return self._channels[worker.name][0].fileno(), others

    async def _talk(self, worker: Worker, control: socket.socket) -> None:
        """Hand the settings over, and whenever they are read anew. A worker that ends meanwhile is no matter here."""
        handed = self._settings[worker.number]
        handover = Handover(self._at_ports(handed, worker), self._ports.descriptors(worker.number), *self._ends(worker))
        stream = trio.SocketStream(trio.socket.from_stdlib_socket(control))
        try:
            await stream.send_all(msgspec.json.encode(handover) + b"\n")
            if await stream.receive_some(1) != READY:
                return
        except trio.BrokenResourceError:
            return
        worker.serves = True
        owed, worker.owed = worker.owed, set()
        for number in sorted(owed):
            worker.send(number)
        worker.ready.set()
        _log.info("a worker is ready", worker=worker.name)
        with suppress(trio.BrokenResourceError):
            while True:
                if handed is self._settings[worker.number]:
                    worker.news = trio.Event()
                    await worker.news.wait()
                handed = self._settings[worker.number]
                await stream.send_all(msgspec.json.encode(self._at_ports(handed, worker)) + b"\n")

    def _at_ports(self, config: Config, worker: Worker) -> Config:
        """The settings with the listeners as they are open."""
        return replace(config, listen=tuple(listen for listen, _ in self._ports.shares[worker.number - 1]))


async def supervise(config: Config, written: Written) -> int:
    """Serve with several workers until a signal; the exit status. BadSetting: what is wrong with a listener."""
    opened, ports = open_ports(config)
    supervisor = Supervisor(config, opened, ports)
    settings = RunningSettings(config, (LogSettings(), supervisor))
    return await supervisor.run(Rereading(written, settings.take))
