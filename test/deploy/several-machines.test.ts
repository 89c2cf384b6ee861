import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { readSettings } from "../../config/settings.ts";
import {
  type ComposeService,
  compose,
  composeServices,
  interpolate,
  readRepositoryFile as read,
  roleServices,
  setVariablesOf,
} from "../support/compose-file.ts";

/** The names of our processes of a role, in order. */
const ofRole = (role: string) =>
  roleServices
    .filter(([, { environment }]) => environment?.["ROLE"] === role)
    .map(([name]) => name)
    .sort();
const withProfile = (profile: string) =>
  composeServices.filter(([, { profiles = [] }]) => profiles.includes(profile));

/** What the env file says once the part under a heading is uncommented. */
function uncommented(heading: string): ReadonlyMap<string, string> {
  const example = read("deploy/plumbline.env.example");
  const [part = ""] = example.slice(example.indexOf(heading)).split("\n\n");
  return setVariablesOf(part.replaceAll(/^#(?=[A-Z][A-Z0-9_]*=)/gm, ""));
}

/** Ports inside the container that a service publishes, by the variable of the port outside. */
const publishedBy = ({ ports = [] }: ComposeService) =>
  ports.map((port) => Number(port.slice(port.lastIndexOf(":") + 1)));

describe("profile kafka", () => {
  const brokers = withProfile("kafka").filter(([, { image }]) => image.startsWith("apache/kafka:"));
  const environmentOf = (service: ComposeService) => service.environment ?? {};

  it("has three brokers that differ in their number, address and disk alone", () => {
    expect(brokers.map(([name]) => name)).toEqual(["kafka-1", "kafka-2", "kafka-3"]);
    const shared = brokers.map(([name, service]) => {
      const { KAFKA_NODE_ID, KAFKA_ADVERTISED_LISTENERS, ...rest } = environmentOf(service);
      expect(KAFKA_NODE_ID).toBe(name.slice(-1));
      expect(KAFKA_ADVERTISED_LISTENERS).toBe(`BROKER://${name}:9092`);
      expect(service.volumes).toEqual([`${name}:${rest["KAFKA_LOG_DIRS"]}`]);
      // Nothing outside reaches them: they ask for no password.
      expect(service.ports).toBeUndefined();
      return { ...service, environment: rest, volumes: [] };
    });
    expect(shared[1]).toEqual(shared[0]);
    expect(shared[2]).toEqual(shared[0]);
    expect(environmentOf(brokers[0]?.[1] ?? { image: "" })).toMatchObject({
      KAFKA_PROCESS_ROLES: "broker,controller",
      KAFKA_CONTROLLER_QUORUM_VOTERS: brokers
        .map(([name]) => `${name.slice(-1)}@${name}:9093`)
        .join(","),
    });
  });

  it("keeps every topic three times and acknowledges what two have, those of Kafka itself too, and makes none by itself", () => {
    const environment = environmentOf(brokers[0]?.[1] ?? { image: "" });
    const values = (ending: string) =>
      Object.entries(environment)
        .filter(([name]) => name.endsWith(ending))
        .map(([name, value]) => `${name.slice("KAFKA_".length, -ending.length)} ${value}`)
        .sort();
    expect(values("_REPLICATION_FACTOR")).toEqual([
      "DEFAULT 3",
      "OFFSETS_TOPIC 3",
      "SHARE_COORDINATOR_STATE_TOPIC 3",
      "TRANSACTION_STATE_LOG 3",
    ]);
    expect(values("_MIN_ISR")).toEqual([
      "SHARE_COORDINATOR_STATE_TOPIC 2",
      "TRANSACTION_STATE_LOG 2",
    ]);
    // That of the topic of offsets, and of every other.
    expect(environment["KAFKA_MIN_INSYNC_REPLICAS"]).toBe("2");
    expect(environment["KAFKA_AUTO_CREATE_TOPICS_ENABLE"]).toBe("false");
  });

  it("runs the version of Kafka that the tests run on", () => {
    const [, version] =
      /<version>(4\.\d+\.\d+)<\/version>/.exec(read("test/support/kafka/pom.xml")) ?? [];
    expect(version).toMatch(/^4\./);
    for (const [, { image }] of brokers) expect(image).toBe(`apache/kafka:${version}`);
  });

  it("gives all processes the brokers, and no other broker of MQTT, where the env file's part is uncommented", () => {
    const part = uncommented("# Profile kafka");
    expect(part.get("COMPOSE_PROFILES")).toBe("kafka");
    const secrets = new Map(
      ["ADMIN_API_KEY", "SECRET_KEY", "INFLUX_TOKEN", "S3_SECRET_ACCESS_KEY"].map((name) => [
        name,
        "0123456789abcdef0123456789abcdef",
      ]),
    );
    const url = new Map([["DATABASE_URL", "postgres://plumbline:secret@postgres/plumbline"]]);
    const file = new Map([...part, ...secrets, ...url]);
    expect(roleServices).toHaveLength(5);
    for (const [, { environment = {} }] of roleServices) {
      const given = Object.fromEntries(
        Object.entries(environment).map(([name, text]) => [name, interpolate(text, file)]),
      );
      const { kafkaBrokers, mqttUrl, role } = readSettings(given);
      expect(role).toBe(environment["ROLE"]);
      expect(kafkaBrokers).toEqual(brokers.map(([name]) => `${name}:9092`));
      expect(mqttUrl).toBeUndefined();
    }
    const outside = (name: string) =>
      (compose.services[name]?.ports ?? []).map((port) => interpolate(port, file));
    const ports = ["balancer", "ingest", "api"].flatMap(outside);
    // The well known ones lead to the balancer, and nothing has a port that another one has.
    expect(outside("balancer")).toEqual(expect.arrayContaining(["1883:1883", "8080:8080"]));
    const taken = ports.map((port) => port.split(":").at(-2)).filter((port) => port !== "");
    expect(new Set(taken).size).toBe(taken.length);
  });
});

describe("deploy/balancer/haproxy.cfg", () => {
  /** The sections, without comments: the first line of each, and its other lines. */
  const sections = read("deploy/balancer/haproxy.cfg")
    .split("\n")
    .map((line) => line.replace(/#.*/, "").trimEnd())
    .filter((line) => line !== "")
    .join("\n")
    .split(/\n(?=\S)/)
    .map((section) => section.split("\n").map((line) => line.trim()))
    .map(([title = "", ...lines]) => ({ title, lines }));
  const section = (title: string) =>
    sections.find((one) => one.title.startsWith(title))?.lines ?? [];
  const serversOf = (lines: readonly string[]) =>
    lines.flatMap((line) => {
      const [, name = "", host = "", port = ""] = /^server (\S+) (\S+):(\d+)$/.exec(line) ?? [];
      return name === "" ? [] : [{ name, host, port: Number(port) }];
    });

  it("leads each port of an ingest process to all of them, and the API's to all of those", () => {
    const listens = sections.filter(({ title }) => title.startsWith("listen "));
    const found = listens.map(({ lines }) => {
      const bound = Number(/^bind :(\d+)$/m.exec(lines.join("\n"))?.[1]);
      const servers = serversOf(lines);
      for (const { name, host, port } of servers) expect([host, port]).toEqual([name, bound]);
      return [bound, servers.map(({ name }) => name)];
    });
    const [ingest, api] = [ofRole("ingest"), ofRole("api")];
    expect(ingest).toHaveLength(2);
    expect(api).toHaveLength(2);
    expect(new Map(found as [number, string[]][])).toEqual(
      new Map([
        ...[1883, 8883, 8083, 8084, 5027, 5055].map((port) => [port, ingest] as const),
        [8443, api],
      ]),
    );
    const behind = (title: string) =>
      serversOf(section(title)).map(({ host, port }) => [host, port]);
    expect(behind("backend api")).toEqual(api.map((name) => [name, 8080]));
    expect(behind("backend readings")).toEqual(ingest.map((name) => [name, 8080]));
  });

  it("publishes what it listens on, and what the processes publish", () => {
    const bound = sections
      .flatMap(({ lines }) => lines)
      .flatMap((line) => /^bind :(\d+)$/.exec(line)?.[1] ?? [])
      .map(Number);
    const published = (name: string) => publishedBy(compose.services[name] ?? { image: "" });
    expect(published("balancer").sort()).toEqual(bound.sort());
    const ofProcesses = new Set([...published("ingest"), ...published("api")]);
    expect([...ofProcesses].filter((port) => !bound.includes(port))).toEqual([]);
  });

  it("sends readings by HTTP to processes with the journal, and figures to nobody", () => {
    const http = section("frontend http");
    expect(http).toEqual(
      expect.arrayContaining([
        "use_backend readings if { path_beg /api/v1/ingest/ }",
        "default_backend api",
        "http-request deny deny_status 404 if { path,url_dec /metrics }",
      ]),
    );
  });

  it("asks for health on paths that the API has, and keeps devices where only a server is away", () => {
    const { paths } = JSON.parse(read("openapi.json")) as { paths: object };
    const checks = sections.flatMap(({ title, lines }) =>
      lines.flatMap((line) => {
        const [, path = ""] = /^option httpchk GET (\S+)$/.exec(line) ?? [];
        return path === "" ? [] : [[title.split(" from ")[0], path]];
      }),
    );
    for (const [, path = ""] of checks) expect(Object.keys(paths)).toContain(path);
    expect(checks).toEqual([
      ["defaults devices", "/health/live"],
      ["listen https", "/health/ready"],
      ["backend readings", "/health/live"],
      ["backend api", "/health/ready"],
    ]);
  });

  it("keeps a caller, by key or by session, at one API process, which knows what it has just made", () => {
    expect(section("frontend http")).toEqual(
      expect.arrayContaining([
        "http-request set-var(txn.caller) req.hdr(authorization)",
        "http-request set-var(txn.caller) req.hdr(cookie) if !{ req.hdr(authorization) -m found }",
      ]),
    );
    expect(section("backend api")).toContain("balance hash var(txn.caller)");
  });

  it("ends a stream of events when its reader leaves", () => {
    expect(section("defaults requests")).toContain("option abortonclose");
  });

  it("answers its own container's health check", () => {
    const { test = [] } = (compose.services["balancer"]?.healthcheck ?? {}) as { test?: string[] };
    expect(section("frontend health")).toEqual(["bind 127.0.0.1:8404", "monitor-uri /live"]);
    expect(test.at(-1)).toBe("http://127.0.0.1:8404/live");
  });
});

describe("deploy/proxy/Caddyfile", () => {
  const text = read("deploy/proxy/Caddyfile").replaceAll(/^\s*#.*$/gm, "");
  const variables = new Map(
    Object.entries(compose.services["proxy"]?.environment ?? {}).map(([name, value]) => [
      name,
      interpolate(value, new Map([["PUBLIC_URL", "https://plumbline.example.com"]])),
    ]),
  );
  /** What the blocks of paths lead to, by path; "" is every other one. */
  const upstreams = (values: ReadonlyMap<string, string>) =>
    Object.fromEntries(
      [...text.matchAll(/handle ?(\S*) \{\s*(?:reverse_proxy|respond) ([^\s]+)/g)].map(
        ([, path = "", to = ""]) => [
          path,
          to.replaceAll(/\{\$([A-Z_]+)\}/g, (_, name: string) => values.get(name) ?? ""),
        ],
      ),
    );

  it("is given every variable that it names, and no other", () => {
    const named = [...text.matchAll(/\{\$([A-Z_]+)\}/g)].map(([, name]) => name);
    expect([...new Set(named)].sort()).toEqual([...variables.keys()].sort());
    expect(text).toMatch(/^\{\$PUBLIC_URL\} \{$/m);
  });

  it("leads each path to a process that serves it: one of each role, or the balancer", () => {
    const alone = { "/metrics": "404", "/mqtt": "ingest:8083" };
    const paths = { ...alone, "/api/v1/ingest/*": "ingest:8080", "": "api:8080" };
    expect(upstreams(variables)).toEqual(paths);
    const balanced = upstreams(
      new Map([
        ["PROXY_API", "balancer"],
        ["PROXY_INGEST", "balancer"],
      ]),
    );
    const ports = publishedBy(compose.services["balancer"] ?? { image: "" });
    for (const to of Object.values(balanced).filter((one) => one !== "404")) {
      expect(to).toMatch(/^balancer:\d+$/);
      expect(ports).toContain(Number(to.split(":")[1]));
    }
    const [, path] = /const PATH = "(\S+)"/.exec(read("ingest/broker/websocket-listener.ts")) ?? [];
    expect(path).toBe("/mqtt");
    expect(uncommented("# Profile proxy").get("MQTT_WS_PORT")).toBe("8083");
  });

  it("asks browsers for HTTPS for 180 days, as the service itself does", () => {
    const [, days] =
      /max-age=\$\{(\d+) \* 86_400\}/.exec(read("api/http/security-headers.ts")) ?? [];
    expect(days).toBe("180");
    expect(text).toContain(`header Strict-Transport-Security "max-age=${Number(days) * 86_400}"`);
  });
});

describe("deploy/prometheus", () => {
  interface Rule {
    readonly alert: string;
    readonly labels: { readonly severity: string };
  }
  const rules = (
    parse(read("deploy/prometheus/alerts.yml")) as { groups: { rules: Rule[] }[] }
  ).groups.flatMap((group) => group.rules);

  it("asks every process for its figures, and tells the Alertmanager that runs", () => {
    const config: {
      readonly alerting: {
        readonly alertmanagers: { readonly static_configs: { readonly targets: string[] }[] }[];
      };
      readonly scrape_configs: { readonly dns_sd_configs: { readonly names: string[] }[] }[];
    } = parse(read("deploy/prometheus/prometheus.yml"));
    const names = config.scrape_configs.flatMap((job) =>
      job.dns_sd_configs.flatMap((one) => one.names),
    );
    expect(names.sort()).toEqual(roleServices.map(([name]) => name).sort());
    const targets = config.alerting.alertmanagers.flatMap((one) =>
      one.static_configs.flatMap((group) => group.targets),
    );
    expect(targets).toEqual(["alertmanager:9093"]);
    expect(Object.keys(compose.services)).toContain("alertmanager");
  });

  it("sends every alert to a receiver that exists, by severities and names that rules have", () => {
    interface Route {
      readonly receiver: string;
      readonly matchers?: readonly string[];
      readonly routes?: readonly Route[];
    }
    const config: {
      readonly route: Route;
      readonly receivers: readonly { readonly name: string }[];
      readonly inhibit_rules: readonly {
        readonly source_matchers: readonly string[];
        readonly target_matchers: readonly string[];
      }[];
    } = parse(read("deploy/alertmanager/alertmanager.yml"));
    const flat = (route: Route): readonly Route[] => [route, ...(route.routes ?? []).flatMap(flat)];
    const routes = flat(config.route);
    expect(routes.length).toBeGreaterThan(1);
    const receivers = config.receivers.map(({ name }) => name);
    for (const { receiver } of routes) expect(receivers).toContain(receiver);
    const matchers = [
      ...routes.flatMap((route) => route.matchers ?? []),
      ...config.inhibit_rules.flatMap((one) => [...one.source_matchers, ...one.target_matchers]),
    ];
    const known = rules.flatMap(({ alert, labels }) => [
      `alertname="${alert}"`,
      `severity="${labels.severity}"`,
    ]);
    expect(matchers.filter((matcher) => !known.includes(matcher))).toEqual([]);
    expect(new Set(rules.map(({ labels }) => labels.severity))).toEqual(
      new Set(["critical", "warning"]),
    );
  });
});
