"""`docker compose`, the plug-in that most hosts have: from Debian's packages of a later release than the base's.

A host who has the plug-in has no `docker-compose` in these tests.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests import peers
from tests.deploy.namespaces import said

KEYS: Final = "/usr/share/keyrings/debian-archive-keyring.gpg"
RELEASE: Final = "trixie"
MIRROR: Final = ("indextargets", "--format=$(REPO_URI)", "Origin: Debian", "Label: Debian", "Created-By: Packages")
HIDE: Final = 'mount --bind /dev/null "$0" && exec "$@"'


@dataclass(frozen=True, slots=True)
class Plugin:
    """``settings`` is the folder where the client of the engine finds it; ``hidden`` is the other program."""

    settings: Path
    hidden: Path

    def enter(self) -> list[str]:
        """The words before a command that sees it and not the other."""
        return ["unshare", "--mount", "env", f"DOCKER_CONFIG={self.settings}", "sh", "-c", HIDE, str(self.hidden)]


def download(folder: Path) -> Plugin:
    """One package, from where this machine has its own, by an apt that knows nothing of those."""
    peers.program("apt-get", "usr/bin")
    for name in ("lists/partial", "cache/archives/partial", "settings"):
        (folder / name).mkdir(parents=True)
    mirror = said("apt-get", *MIRROR).split()[0]
    (folder / "sources.list").write_text(f"deb [signed-by={KEYS}] {mirror} {RELEASE} main\n")
    own = {
        "Dir::Etc::SourceList": folder / "sources.list",
        "Dir::Etc::SourceParts": "-",
        "Dir::State::Lists": folder / "lists",
        "Dir::State::status": "/dev/null",
        "Dir::Cache": folder / "cache",
        "Acquire::Languages": "none",
        "APT::Sandbox::User": "root",
    }
    apt = ["apt-get", "--quiet", "--quiet", *(word for key, value in own.items() for word in ("-o", f"{key}={value}"))]
    said(*apt, "update")
    said("env", f"--chdir={folder}", *apt, "download", "docker-compose")
    (package,) = folder.glob("docker-compose_*.deb")
    said("dpkg-deb", "--extract", str(package), str(folder / "content"))
    (folder / "settings" / "cli-plugins").symlink_to(folder / "content/usr/libexec/docker/cli-plugins")
    return Plugin(folder / "settings", peers.program("docker-compose", "usr/bin"))
