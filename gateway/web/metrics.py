"""GET /metrics, for Prometheus: the server's figures and its process's. Not here: the figures (figures.py).

They name no player and no address, but tell strangers how busy a host is: who may read them is a setting.
"""

from __future__ import annotations

from http import HTTPStatus
from ipaddress import ip_address

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, ProcessCollector, generate_latest
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gateway.accounts.token import AdminToken
from gateway.web.figures import Figures, Sources


def metrics_route(sources: Sources, token: AdminToken) -> Route:
    """What to give to ``make_app``."""
    registry = CollectorRegistry()
    registry.register(Figures(sources))
    ProcessCollector(registry=registry)
    who = sources.house.config.metrics.who

    async def metrics(request: Request) -> Response:
        """Prometheus' text; 403 for whom it is not for."""
        scheme, _, secret = request.headers.get("authorization", "").partition(" ")
        admin = scheme.lower() == "bearer" and token.fits(secret.strip())
        if not (admin or who == "anybody" or (who == "local" and _local(request))):
            raise HTTPException(HTTPStatus.FORBIDDEN)
        headers = {"content-type": CONTENT_TYPE_LATEST, "cache-control": "no-store"}
        return Response(generate_latest(registry), headers=headers)

    return Route("/metrics", metrics)


def _local(request: Request) -> bool:
    """Whether this machine asks."""
    try:
        return request.client is not None and ip_address(request.client.host).is_loopback
    except ValueError:
        return False
