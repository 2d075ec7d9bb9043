"""GET /metrics, for Prometheus: the server's figures and its process's. Not here: the figures (figures.py).

They name no player and no address, but tell strangers how busy a host is: who may read them is a setting.
"""

from __future__ import annotations

from ipaddress import ip_address

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, ProcessCollector, generate_latest
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gateway.server.registrar import Forbidden
from gateway.web.askers import Askers
from gateway.web.figures import Figures, Sources
from gateway.web.refusals import refusing


def metrics_route(sources: Sources, askers: Askers) -> Route:
    """What to give to ``make_app``."""
    registry = CollectorRegistry()
    registry.register(Figures(sources))
    ProcessCollector(registry=registry)
    who = sources.house.config.metrics.who

    async def metrics(request: Request) -> Response:
        """Prometheus' text. Refusals are those of the API: a wrong token makes its address wait."""
        registrant = (await askers.of(request)).registrant
        if not (registrant.admin or who == "anybody" or (who == "local" and _local(request))):
            raise Forbidden("these figures are for the host of this server", known=bool(registrant.account))
        headers = {"content-type": CONTENT_TYPE_LATEST, "cache-control": "no-store"}
        return Response(generate_latest(registry), headers=headers)

    return Route("/metrics", refusing(metrics))


def _local(request: Request) -> bool:
    """Whether this machine asks."""
    try:
        return request.client is not None and ip_address(request.client.host).is_loopback
    except ValueError:
        return False
