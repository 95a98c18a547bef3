"""The files of `deploy/` say what the program does: settings, ports, paths, figures, alarms and their explanation."""

from __future__ import annotations

import configparser
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from croupier import __version__
from croupier.floor.duties.permissions import Post
from croupier.floor.server.app import HTTP_ROUTES, STATIC
from croupier.floor.server.settings import Settings, read_settings
from croupier.floor.server.telemetry.logs import RequestFigures
from croupier.floor.server.telemetry.metrics import metrics_text
from tests.calling import ROOT
from tests.floor.serving import Served

DEPLOY = ROOT / "deploy"
SERVERS = ("north", "south")
NOT_SETTINGS = {"CROUPIER_KEY", "CROUPIER_CACHE"}
"""Variables that the program reads and the settings file cannot hold."""
OWN_FIGURES = {"up"}
"""Figures that Prometheus makes itself."""
OF_A_WITNESS = {"croupier_checkpoint_records", "croupier_checkpoint_failures_total"}


Tree: TypeAlias = Mapping[str, Any]
"""A YAML file; the tests know its form."""


def texts(name: str) -> str:
    return (DEPLOY / name).read_text(encoding="utf-8")


def documents(name: str) -> list[Tree]:
    return list(yaml.safe_load_all(texts(name)))


def variables(text: str) -> set[str]:
    return set(re.findall(r"\bCROUPIER_[A-Z_]+", text))


def paths() -> set[str]:
    return {path for route in HTTP_ROUTES for path in route.paths}


@pytest.mark.parametrize("file", ["Dockerfile", "compose.yaml", "croupier.service", "kubernetes/house.yaml"])
def test_every_variable_is_one_that_the_program_reads(file: str) -> None:
    """A misspelt one would do nothing and say nothing."""
    known = {f"CROUPIER_{field.upper()}" for field in Settings.__struct_fields__} | NOT_SETTINGS
    assert variables(texts(file)) - known == set()


@pytest.mark.parametrize("server", SERVERS)
def test_the_settings_of_each_server_can_be_read(server: str, tmp_path: Path) -> None:
    """And Kubernetes has the same: each under its own name, with tables of its own, behind HTTPS, with a witness."""
    file = DEPLOY / "settings" / f"{server}.toml"
    settings = read_settings(file, {})
    assert settings.name == server
    assert settings.secure_cookies
    assert settings.trusted_proxies
    assert settings.witness.files == (f"/var/lib/croupier/{server}.witness",)
    copy = tmp_path / "copy.toml"
    copy.write_text(str(documents("kubernetes/house.yaml")[0]["data"][f"{server}.toml"]), encoding="utf-8")
    assert read_settings(copy, {}) == settings


def test_two_servers_share_a_link_and_no_table() -> None:
    """As operations.md says of several servers."""
    north, south = (read_settings(DEPLOY / "settings" / f"{server}.toml", {}) for server in SERVERS)
    assert north.links == south.links
    assert {table.table for table in north.tables}.isdisjoint(table.table for table in south.tables)


def test_the_image_is_built_in_stages_and_runs_as_nobody_in_particular() -> None:
    """Its lock file and port are the program's, and its health check asks an address that there is."""
    lines = texts("Dockerfile")
    assert len(re.findall(r"^FROM ", lines, re.MULTILINE)) == 3
    assert re.findall(r"^USER (\S+)$", lines, re.MULTILINE) == ["10001:10001"]
    assert "--require-hashes -r requirements-house.lock" in lines
    assert f"EXPOSE {Settings().port}" in lines
    assert f"CROUPIER_PORT={Settings().port}" in lines
    (asked,) = re.findall(r"127\.0\.0\.1:(\d+)(/\w+)", lines)
    assert asked[0] == str(Settings().port)
    assert asked[1] in paths()
    kept = {line.removeprefix("!") for line in texts("Dockerfile.dockerignore").splitlines() if line.startswith("!")}
    copied = {name for names in re.findall(r"^COPY (?!--)(.+) \S+$", lines, re.MULTILINE) for name in names.split()}
    assert {name.partition("/")[0] for name in copied} == kept


def test_compose_runs_two_read_only_servers_behind_a_proxy() -> None:
    """Each with its settings; nothing but the proxy and Grafana can be reached from outside."""
    (compose,) = documents("compose.yaml")
    services = compose["services"]
    assert {*SERVERS, "postgres", "proxy", "prometheus", "grafana"} == set(services)
    for server in SERVERS:
        assert services[server]["read_only"] is True
        assert services[server]["cap_drop"] == ["ALL"]
        assert services[server]["command"] == ["serve", "--config", f"/etc/croupier/{server}.toml"]
        assert f"reverse_proxy {server}:{Settings().port}" in texts("Caddyfile")
    assert {name for name, service in services.items() if service.get("ports")} == {"proxy", "grafana"}
    assert compose["networks"]["inside"]["internal"] is True
    for service in services.values():
        for volume in service.get("volumes") or ():
            source = str(volume).partition(":")[0]
            assert (DEPLOY / source).exists() if source.startswith("./") else source in compose["volumes"]
    (scraped,) = documents("prometheus/prometheus.yml")
    targets = scraped["scrape_configs"][0]["static_configs"][0]["targets"]
    assert targets == [f"{server}:{Settings().port}" for server in SERVERS]


def test_kubernetes_probes_addresses_that_there_are_and_hides_the_figures() -> None:
    """Each server once, read-only and not as root; every file of the browser client can be reached."""
    found = documents("kubernetes/house.yaml")
    pods = [one["spec"]["template"]["spec"] for one in found if one["kind"] == "StatefulSet"]
    assert len(pods) == len(SERVERS)
    for pod, server in zip(pods, SERVERS, strict=True):
        container = pod["containers"][0]
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert container["securityContext"]["readOnlyRootFilesystem"] is True
        assert container["args"] == ["serve", "--config", f"/etc/croupier/{server}.toml"]
        assert container["image"] == f"croupier:{__version__}"
        assert container["ports"][0]["containerPort"] == Settings().port
        assert {
            str(container[f"{probe}Probe"]["httpGet"]["path"]) for probe in ("startup", "liveness", "readiness")
        } == {
            "/health",
            "/ready",
        }
    assert {"/health", "/ready"} <= paths()
    (ingress,) = [one for one in found if one["kind"] == "Ingress"]
    for rule in ingress["spec"]["rules"]:
        open_ones = {(path["path"], path["pathType"]) for path in rule["http"]["paths"]}
        served = [file for file in STATIC.glob("*") if file.suffix not in (".br", ".gzip")]
        found_files = [file for file in served if file.name != "index.html"]
        folders = {f"/{file.name}" for file in found_files if file.is_dir()}
        assert {path for path, kind in open_ones if kind == "Prefix"} == {"/api", *folders}
        assert {f"/{file.name}" for file in found_files if file.is_file()} <= {
            path for path, kind in open_ones if kind == "Exact"
        }


def test_the_service_runs_the_program_with_few_rights() -> None:
    """It is not started again after the exit code for what a person has to set right."""
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment, method-assign]  # names of systemd keep their case
    unit.read_string(texts("croupier.service"))
    service = unit["Service"]
    assert re.fullmatch(r"/opt/croupier/bin/croupier serve --config \S+ --log-json", service["ExecStart"])
    assert service["RestartPreventExitStatus"] == "2"
    for right in ("DynamicUser", "NoNewPrivileges", "PrivateTmp", "PrivateUsers", "ProtectKernelTunables"):
        assert service[right] == "yes"
    assert (service["ProtectSystem"], service["CapabilityBoundingSet"]) == ("strict", "")


# ---------------------------------------------------------------- figures and alarms


def expressions() -> dict[str, str]:
    """Every question to Prometheus by the name of its alarm or panel."""
    (rules,) = documents("prometheus/alarms.yml")
    asked = {str(rule["alert"]): str(rule["expr"]) for rule in alarms(rules)}
    for panel in json.loads(texts("grafana/floor.json"))["panels"]:
        for target in panel["targets"]:
            asked[f"{panel['title']} {target['refId']}"] = target["expr"]
    return asked


def alarms(rules: Tree) -> list[Mapping[str, object]]:
    return list(rules["groups"][0]["rules"])


def test_every_figure_of_dashboard_and_alarms_is_one_that_the_server_has(tmp_path: Path) -> None:
    """With the labels that they are asked by."""
    requests = RequestFigures()
    requests.statuses[200] += 1
    with Served(tmp_path) as served:
        served.step(Post.DEALER, "open")
        served.step(Post.DEALER, "open")
        families = list(text_string_to_metric_families(metrics_text(served.floor, requests)))
    labels: dict[str, set[str]] = {}
    for family in families:
        for sample in family.samples:
            labels.setdefault(sample.name, set()).update(sample.labels)
    for name, expression in expressions().items():
        for figure, asked_by in re.findall(r"\b(up|(?:croupier|process)_[a-z_]+)(?:\{([^}]*)\})?", expression):
            assert figure in labels.keys() | OWN_FIGURES | OF_A_WITNESS, name
            by = set(re.findall(r"(\w+)=", asked_by)) - {"job"}
            assert by <= labels.get(figure, by), name


def test_every_alarm_is_explained() -> None:
    """In operations.md, and nothing else is."""
    page = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    section = page.partition("## What each alarm means\n")[2].partition("\n## ")[0]
    explained = re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)
    (rules,) = documents("prometheus/alarms.yml")
    assert explained == [rule["alert"] for rule in alarms(rules)]
