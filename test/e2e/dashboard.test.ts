import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Registry } from "prom-client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import { registerEventCounts } from "../../ingest/metrics.ts";
import { SHARED_GAUGES } from "../../roles/ingest/broker-parts.ts";
import { freshDataDir } from "../support/databases.ts";
import { type ServiceProcess, startServiceProcess } from "../support/service-process.ts";

const ADMIN_KEY = "dashboard-test-admin-key-of-forty-letters";
const read = (path: string) =>
  readFileSync(new URL(`../../deploy/${path}`, import.meta.url), "utf8");

/** Every expression of the dashboard and of the alert rules. */
function expressions(): readonly string[] {
  const dashboard: { panels: { targets?: { expr: string }[] }[] } = JSON.parse(
    read("grafana/dashboards/plumbline.json"),
  );
  const rules: { groups: { rules: { expr: string }[] }[] } = parse(read("prometheus/alerts.yml"));
  return [
    ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
    ...rules.groups.flatMap((group) => group.rules.map(({ expr }) => expr)),
  ];
}

let dataDir: string;
let service: ServiceProcess;
beforeAll(async () => {
  dataDir = await freshDataDir();
  const pem = (name: string) =>
    fileURLToPath(new URL(`../ingest/broker/tls/${name}.pem`, import.meta.url));
  const environment = {
    // No server is there; the metrics of the InfluxDB writer exist all the same.
    INFLUX_URL: "http://127.0.0.1:9",
    INFLUX_DATABASE: "none",
    // Figures of certificates are there where there are certificates.
    TLS_CERT_FILE: pem("cert"),
    TLS_KEY_FILE: pem("key"),
    MQTTS_PORT: "0",
  };
  service = await startServiceProcess({ dataDir, adminKey: ADMIN_KEY, environment });
});
afterAll(async () => {
  await service?.end("SIGKILL");
  await rm(dataDir, { recursive: true, force: true });
});

/** Gauges that only processes on Kafka have, which this one is not. */
function gaugesOfShared(): readonly string[] {
  const registry = new Registry();
  registerEventCounts(registry, { counts: () => ({}), gauges: SHARED_GAUGES });
  return registry.getMetricsAsArray().map(({ name }) => name);
}

it("dashboard and alerts ask only for figures that the service has", async () => {
  // The first request is what the second finds in the figures of HTTP.
  await fetch(`${service.http}/metrics`);
  const text = await (await fetch(`${service.http}/metrics`)).text();
  const known = new Set([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name]) => name));
  const asked = new Set(
    expressions().flatMap((expr) =>
      [...expr.matchAll(/\b(?:plumbline|process|nodejs)_[a-z0-9_]+/g)].map(([name]) =>
        name.replace(/_(bucket|count|sum)$/, ""),
      ),
    ),
  );
  expect(asked.size).toBeGreaterThan(20);
  const missing = [...asked].filter((name) => !known.has(name));
  expect(missing).toEqual(["plumbline_mqtt_partitions"]);
  expect(gaugesOfShared()).toEqual(expect.arrayContaining(missing));
});

it("the metrics have every kind of label that the dashboard sums by", async () => {
  const text = await (await fetch(`${service.http}/metrics`)).text();
  const labels = new Set([...text.matchAll(/[{,]([a-z_]+)="/g)].map(([, label]) => label));
  const asked = new Set(
    expressions().flatMap((expr) =>
      [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = ""]) => list.split(/,\s*/)),
    ),
  );
  // Prometheus itself adds it when it scrapes.
  asked.delete("service");
  expect([...asked].filter((label) => !labels.has(label))).toEqual([]);
});
