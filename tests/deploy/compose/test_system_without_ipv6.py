"""A host whose system has no IPv6 runs the composition as ever. It is a module of its own: others change .env, too."""

from __future__ import annotations

from typing import Final

import pytest

from tests.deploy.compose.composition import SERVICES, Composition
from tests.deploy.compose.test_ipv6 import restarted
from tests.deploy.guests import Couple

REFUSES: Final = """
{"defaultAction": "SCMP_ACT_ALLOW", "syscalls": [{"names": ["socket"], "action": "SCMP_ACT_ERRNO", "errnoRet": 97,
 "args": [{"index": 0, "value": 10, "op": "SCMP_CMP_EQ"}]}]}
"""
"""A profile for containers in which there is no IPv6: the system does not know AF_INET6 (EAFNOSUPPORT)."""

WITHOUT: Final = """
services:
  gateway: &system
    security_opt: ["seccomp:/srv/profile.json"]
  proxy: *system
"""


@pytest.mark.nightly
def test_a_system_without_ipv6_runs_it_as_ever(composition: Composition) -> None:
    """Neither file for IPv6 is named; all that a container says of both families serves IPv4 alone there."""
    before = (composition.tree / ".env").read_text(encoding="utf-8")
    (composition.engine.place.srv / "profile.json").write_text(REFUSES)
    (composition.engine.place.srv / "without.yml").write_text(WITHOUT)
    restarted(composition, f"{before}COMPOSE_FILE=docker-compose.yml:/srv/without.yml\n", SERVICES)
    try:
        with pytest.raises(AssertionError, match="Address family not supported"):
            composition.inside("gateway", "python3", "-c", "import socket; socket.socket(socket.AF_INET6)")
        with composition.engine.network():
            couple = Couple(composition.engine.network, "Ira", "Oda")
            couple.finish()
    finally:
        restarted(composition, before, SERVICES)
