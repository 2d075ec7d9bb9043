"""deploy/grafana-dashboard.json keeps to what Grafana documents of a dashboard's JSON.

Source: Grafana's "Dashboard JSON model", its dashboard schema, and its pages on variables and on provisioning.
"""

from __future__ import annotations

import re
from typing import Final

from tests.deploy.prometheus.dashboard import dashboard, queries, variable

SOURCE: Final = {"type": "prometheus", "uid": "${source}"}


def test_its_data_source_is_chosen_in_it_and_not_only_when_it_is_imported() -> None:
    """ "__inputs" are filled in when somebody imports by hand, and not in files that Grafana is provisioned with."""
    chosen = variable("source")
    assert (chosen["type"], chosen["query"]) == ("datasource", "prometheus")
    assert "__inputs" not in dashboard()
    sources = [panel["datasource"] for panel in dashboard()["panels"]] + [variable("instance")["datasource"]]
    assert {tuple(source.items()) for source in sources} == {tuple(SOURCE.items())}


def test_all_servers_are_those_that_it_lists() -> None:
    """ "The Custom all value option on the variable must be blank": ".*" would be every process that is watched."""
    servers = variable("instance")
    assert (servers["includeAll"], servers["multi"], servers.get("allValue")) == (True, True, None)
    assert servers["query"]["query"] == servers["definition"]
    for query in queries():
        assert query.expression.count('{instance=~"$instance"') == len(re.findall(r"\{", query.expression)), str(query)


def test_rates_are_taken_over_what_grafana_reckons_from_how_often_prometheus_looks() -> None:
    spans = {span for query in queries() for span in re.findall(r"rate\([^[]*\[([^]]*)\]", query.expression)}
    assert spans == {"$__rate_interval"}
