"""A machine that boots a real systemd: this machine's files under a layer in memory, in namespaces of its own.

    with disk(folder) as files:         what is changed in them is in memory, and gone at the end
        files.types("...")              while it is off: with this machine's network
        with Machine(files) as found:   on; processes, mounts, network and control groups are its own
            found.types("systemctl ...")

Nothing that this machine has enabled is started there, and the kernel's settings are read-only for it. All of it is
killed when the test dies. Needs root, and systemd as Debian packages it.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from tests import peers
from tests.conformance.figures import until
from tests.deploy.namespaces import DIES_WITH_US, child, held, needed, network, said

SYSTEM_PATH: Final = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
BOOT_S: Final = 60.0
STOP_S: Final = 30.0
ROOM: Final = "2g"
BOOTED: Final = ("running", "degraded")
"""All that is to start has; "degraded": something did not, which need not be what a test looks at."""

HOLD: Final = f"""
mount -t tmpfs -o size={ROOM} none "$1"
cd "$1"
mkdir upper work root groups
mount -t overlay -o lowerdir=/,upperdir=upper,workdir=work none root
mount -t cgroup2 none groups
rm -r root/etc/systemd/system
mkdir root/etc/systemd/system
for file in etc/resolv.conf etc/hosts; do # they may be mounted from elsewhere
    rm -f "root/$file"
    cat "/$file" > "root/$file"
done
mount --bind /dev root/dev
mount -t proc none root/proc
"""
"""Of a folder."""

START: Final = """
if [ -d "$2" ]; then find "$2" -depth -type d -exec rmdir {} +; fi
mkdir "$2"
echo $$ > "$2/cgroup.procs"
exec unshare --pid --mount --net --uts --ipc --cgroup --fork --kill-child sh -euc "$3" boot "$1/root"
"""
"""Of a folder, a control group, and what its first process does."""

BOOT: Final = """
ip link set lo up
cd "$1"
mount -t proc none proc
mount --bind proc/sys proc/sys
mount -o remount,bind,ro proc/sys
mount -t sysfs -o ro,nosuid,nodev,noexec none sys
mount -t cgroup2 none sys/fs/cgroup
mount -t tmpfs -o mode=755,nosuid none dev
mkdir dev/pts dev/shm
for name in null zero full random urandom tty; do
    touch "dev/$name"
    mount --bind "/dev/$name" "dev/$name"
done
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 none dev/pts
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
mount -t tmpfs -o mode=1777 none dev/shm
mount -t tmpfs -o mode=755,nosuid,nodev none run
mount -t tmpfs -o mode=1777,nosuid,nodev none tmp
mount -t tmpfs none usr/lib/systemd/system-generators # which read this machine's fstab and rc.d
mkdir run/old
pivot_root . run/old
umount -l run/old
rmdir run/old
mount --make-rshared / # credentials are mounted for a service in a namespace of its own
lacking=-sys_module,-sys_rawio,-sys_time,-sys_boot,-syslog,-audit_control,-audit_read,-audit_write
exec env -i container=boardgate setpriv --bounding-set=$lacking /usr/lib/systemd/systemd --unit=multi-user.target
"""
"""Of the folder that becomes its root. Source: systemd's "Container Interface"."""


@dataclass(frozen=True, slots=True)
class Disk:
    """``folder/root`` are the machine's files, mounted for whoever enters the namespace of ``holder``."""

    folder: Path
    holder: int

    @property
    def group(self) -> Path:
        """Its control group, in that namespace."""
        return self.folder / "groups" / f"boardgate-{self.holder}"

    @property
    def root(self) -> Path:
        """Its files, for those who are not in that namespace."""
        return Path(f"/proc/{self.holder}/root{self.folder}/root")

    def enter(self) -> list[str]:
        return ["nsenter", f"--mount=/proc/{self.holder}/ns/mnt"]

    def types(self, text: str, folder: str = "/") -> str:
        """What is said to root there while the machine is off."""
        command = [*self.enter(), "chroot", str(self.folder / "root"), "env", f"--chdir={folder}", "sh", "-euc", text]
        return said(*command, both=True, environment={**os.environ, "PATH": SYSTEM_PATH})


@contextmanager
def disk(folder: Path) -> Iterator[Disk]:
    """Files for a machine, in an empty folder."""
    with held(HOLD, str(folder)) as holder:
        yield Disk(folder, holder)


class Machine:
    """``first`` is process 1 of the machine, as this one numbers it."""

    def __init__(self, files: Disk) -> None:
        self.files = files

    def __enter__(self) -> Self:
        """On, and everything that is enabled has started or failed to."""
        words = ["start", str(self.files.folder), str(self.files.group), BOOT]
        with (self.files.folder / "log").open("a") as log:
            self._process = subprocess.Popen(
                [*DIES_WITH_US, *self.files.enter(), "sh", "-euc", START, *words],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        try:
            self._wait_until_booted()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """As if the power failed: every process is killed."""
        self._process.kill()  # --kill-child: and with it process 1, and with that all others
        self._process.wait(STOP_S)
        find = ["find", str(self.files.group), "-depth", "-type", "d"]
        remove = [*self.files.enter(), *find, "-exec", "rmdir", "{}", "+"]
        until(lambda: subprocess.run(remove, capture_output=True, check=False).returncode, lambda status: status == 0)

    def power_cut(self) -> None:
        """Off without a word to anybody, and on again."""
        self.__exit__()
        self.__enter__()

    @property
    def first(self) -> int:
        return child(self._process.pid)

    @property
    def root(self) -> Path:
        """Its files, for those who are not on it."""
        return Path(f"/proc/{self.first}/root")

    def types(self, text: str, folder: str = "/") -> str:
        """What is said to root there. It must succeed."""
        spaces = ["--mount", "--pid", "--net", "--uts", "--ipc", "--cgroup"]
        command = ["nsenter", f"--target={self.first}", *spaces, "env", f"--chdir={folder}", "sh", "-euc", text]
        return said(*command, both=True, environment={"PATH": SYSTEM_PATH})

    def network(self) -> AbstractContextManager[None]:
        """This thread is on that machine's network."""
        return network(f"/proc/{self.first}/ns/net")

    def _state(self) -> str:
        """ "" while its first process is not systemd, or not there yet."""
        with contextlib.suppress(AssertionError, IndexError, OSError):
            return self.types("systemctl is-system-running --wait || true").strip()
        return ""

    def _wait_until_booted(self) -> None:
        log = self.files.folder / "log"
        until(self._state, lambda state: state in BOOTED or self._process.poll() is not None, BOOT_S)
        assert self._process.poll() is None, f"it did not boot: {log.read_text()[-3000:]}"


def systemd_needed() -> None:
    """Skip the test, or fail it where peers are required, if no systemd can be booted here."""
    peers.program("systemd", "usr/lib/systemd")
    peers.program("systemctl", "usr/bin")
    needed("--pid", "--mount", "--net", "--uts", "--ipc", "--cgroup")
