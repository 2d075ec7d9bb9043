"""The dashboard's queries as Grafana asks them.

Source: Grafana's documentation of variables: where no custom value stands for "All", all values are joined as
(one|other), each escaped as a regular expression; $__rate_interval is at least four times as long as a scrape's.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

FILE: Final = Path(__file__).parents[3] / "deploy" / "grafana-dashboard.json"
RATE_INTERVAL: Final = "10m"
"""Longer than these tests take. Grafana's is shorter: a minute, or what a point of the picture stands for."""


@dataclass(frozen=True, slots=True)
class Query:
    """What one curve, or one number, is drawn from. ``legend`` is how its series are told apart."""

    panel: str
    expression: str
    legend: str

    def asked(self, instances: Sequence[str]) -> str:
        """With "All" chosen, which are these servers."""
        joined = "(" + "|".join(re.escape(instance).replace("\\", "\\\\") for instance in instances) + ")"
        every = variable("instance").get("allValue", joined)
        return self.expression.replace("$instance", every).replace("$__rate_interval", RATE_INTERVAL)

    def __str__(self) -> str:
        return f"{self.panel}: {self.legend}" if self.legend else self.panel


def dashboard() -> dict[str, Any]:
    return dict(json.loads(FILE.read_text(encoding="utf-8")))


def variable(name: str) -> dict[str, Any]:
    (found,) = [one for one in dashboard()["templating"]["list"] if one["name"] == name]
    return dict(found)


def queries() -> Iterator[Query]:
    for panel in dashboard()["panels"]:
        for target in panel["targets"]:
            yield Query(panel["title"], target["expr"], target["legendFormat"])
