import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { FIELD_RANGES } from "../../domain/equipment/reading.ts";
import { MEASUREMENT } from "../../storage/telemetry/influx/line-protocol.ts";
import { provisionInflux } from "../../storage/telemetry/influx/provision.ts";
import { compose, readRepositoryFile as read } from "../support/compose-file.ts";
import { INFLUXDB, type InfluxServer, startInfluxServer } from "../support/influx-server.ts";
import { INFLUXDB2, startInflux2Server } from "../support/influx2-server.ts";
import { PATIENT_MS } from "../support/patience.ts";

interface Target {
  readonly query: string;
  readonly resultFormat: string;
}
interface Panel {
  readonly title: string;
  readonly type: string;
  readonly datasource?: { readonly type: string; readonly uid: string };
  readonly fieldConfig?: { readonly defaults: { readonly unit?: string } };
  readonly targets?: readonly Target[];
}
interface Dashboard {
  readonly uid: string;
  readonly title: string;
  readonly panels: readonly Panel[];
  readonly templating: {
    readonly list: readonly (Pick<Panel, "datasource"> & { name: string; query: string })[];
  };
}
const dashboard = (file: string): Dashboard =>
  JSON.parse(read(`deploy/grafana/dashboards/${file}`));
const fleet = dashboard("fleet.json");
const panels = fleet.panels.filter(({ type }) => type !== "row");
const queries = panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ query }) => ({ title, query })),
);
const variables = fleet.templating.list;

interface DataSource {
  readonly uid: string;
  readonly type: string;
  readonly url: string;
  readonly jsonData?: Readonly<Record<string, string>>;
  readonly secureJsonData?: Readonly<Record<string, string>>;
}
const sources = ["prometheus.yml", "influxdb.yml"].flatMap(
  (file) =>
    (
      parse(read(`deploy/grafana/provisioning/datasources/${file}`)) as {
        datasources: DataSource[];
      }
    ).datasources,
);

describe("the dashboards of Grafana", () => {
  it("are one of operations and one of the fleet, on data sources that are provided", () => {
    const both = ["plumbline.json", "fleet.json"].map(dashboard);
    expect(both.map(({ title }) => title)).toEqual(["Plumbline operations", "Plumbline fleet"]);
    expect(new Set(both.map(({ uid }) => uid)).size).toBe(2);
    const known = sources.map(({ type, uid }) => ({ type, uid }));
    const used = both.map((one) =>
      [...one.panels, ...one.templating.list].flatMap(({ datasource = [] }) => datasource),
    );
    expect(used.map((list) => list.length > 10)).toEqual([true, true]);
    for (const source of used.flat()) expect(known).toContainEqual(source);
  });

  it("reach InfluxDB by what Compose gives to Grafana", () => {
    const influxdb = sources.find(({ uid }) => uid === "influxdb");
    const named = [...JSON.stringify(influxdb).matchAll(/\$([A-Z_]+)/g)].map(
      ([, name = ""]) => name,
    );
    expect(named.sort()).toEqual(["INFLUX_BUCKET", "INFLUX_TOKEN", "INFLUX_URL"]);
    const { environment = {} } = compose.services["grafana"] ?? {};
    expect(named.filter((name) => environment[name] === undefined)).toEqual([]);
    expect(influxdb?.jsonData?.["version"]).toBe("InfluxQL");
  });
});

describe("the dashboard of the fleet", () => {
  it("asks for fields that have a meaning, in the one measurement, by its two tags", () => {
    const tags = ["project", "asset"];
    const fields = new Set<string>();
    for (const { query } of queries) {
      expect(query).toContain(`FROM "${MEASUREMENT}"`);
      expect(query).toContain("$timeFilter");
      for (const tag of tags) expect(query).toContain(`"${tag}" =~ /^$${tag}$/`);
      const names = [...query.matchAll(/(\w+)\("(\w+)"\)/g)].map(([, , name = ""]) => name);
      // What an inner query calls its result is no field.
      const own = [...query.matchAll(/AS "(\w+)"/g)].map(([, name = ""]) => name);
      for (const name of names.filter(
        (one) => Object.hasOwn(FIELD_RANGES, one) || !own.includes(one),
      )) {
        fields.add(name);
      }
      const groups = [...query.matchAll(/, "(\w+)" fill|GROUP BY "(\w+)"/g)].map(
        (m) => m[1] ?? m[2],
      );
      expect(groups.filter((name) => !tags.includes(name ?? ""))).toEqual([]);
    }
    expect(fields.size).toBeGreaterThan(8);
    expect([...fields].filter((name) => !Object.hasOwn(FIELD_RANGES, name))).toEqual([]);
    expect(variables.map(({ name }) => name)).toEqual(tags);
  });

  it("shows numbers in the unit of their field's name", () => {
    const units = new Map([
      ["_kmh", "velocitykmh"],
      ["_percent", "percent"],
      ["_hours", "h"],
      ["_kg", "masskg"],
      ["_c", "celsius"],
      ["_voltage", "volt"],
    ]);
    const shown = panels.flatMap(({ title, fieldConfig, targets = [] }) =>
      [...units].flatMap(([ending, unit]) =>
        targets.length === 1 &&
        new RegExp(`^SELECT \\w+\\("\\w+${ending}"\\) FROM`).test(targets[0]?.query ?? "")
          ? [[title, fieldConfig?.defaults.unit, unit]]
          : [],
      ),
    );
    expect(shown.length).toBeGreaterThan(5);
    expect(shown.filter(([, unit, wanted]) => unit !== wanted)).toEqual([]);
  });
});

it.runIf(INFLUXDB.required)("InfluxDB is there, as required", () => {
  expect(INFLUXDB.absent).toBeUndefined();
});

describe.each([
  { version: 1, ...INFLUXDB, start: () => startInfluxServer(), write: "/write?db=" },
  {
    ...{ version: 2, ...INFLUXDB2, start: startInflux2Server },
    write: "/api/v2/write?org=plumbline&bucket=",
  },
])("the dashboard of the fleet on InfluxDB $version", ({ absent, start, write }) => {
  const absence = absent === undefined ? "" : ` (skipped: ${absent})`;

  describe.skipIf(absent !== undefined)(`that is real${absence}`, () => {
    const database = "fleet_dashboard";
    let server: InfluxServer;

    interface Answer {
      readonly results: readonly {
        readonly error?: string;
        readonly series?: readonly {
          readonly tags?: Readonly<Record<string, string>>;
          readonly columns: readonly string[];
          readonly values: readonly (readonly unknown[])[];
        }[];
      }[];
      readonly error?: string;
    }
    async function ask(query: string): Promise<Answer> {
      const search = new URLSearchParams({ db: database, q: query, epoch: "ms" });
      const { headers } = server.target(database);
      const response = await fetch(`${server.url}/query?${search}`, { headers });
      return (await response.json()) as Answer;
    }
    /** As Grafana asks, for all machines of all projects or of those named. */
    const asked = (query: string, project = ".*", asset = ".*") =>
      query
        .replaceAll("$timeFilter", "time >= now() - 1h AND time <= now() + 1h")
        .replaceAll("$__interval", "1m")
        .replaceAll("$project", project)
        .replaceAll("$asset", asset);

    beforeAll(async () => {
      server = await start();
      const target = server.target(database);
      await provisionInflux(target, { retentionDays: 90, timeoutMs: PATIENT_MS });
      const fields = Object.keys(FIELD_RANGES);
      const lines = ["digger-1", "digger-2"].flatMap((asset, i) =>
        [1, 2].map((n) => {
          const values = fields.map((name) => `${name}=${10 * (i + 1) + n}`).join(",");
          return `${MEASUREMENT},asset=${asset},project=yard ${values} ${Date.now() - n * 60_000}`;
        }),
      );
      const { status } = await fetch(`${server.url}${write}${database}&precision=ms`, {
        ...{ method: "POST", headers: target.headers, body: lines.join("\n") },
      });
      expect(status).toBe(204);
    });
    afterAll(() => server?.close());

    it.each(queries)("has an answer for: $title", async ({ query }) => {
      const answer = await ask(asked(query));
      expect([answer.error, answer.results[0]?.error]).toEqual([undefined, undefined]);
      const rows = answer.results[0]?.series?.flatMap(({ values }) => values) ?? [];
      // The first column is the time.
      expect(
        rows.filter(([, ...values]) => values.every((value) => value !== null)).length,
      ).toBeGreaterThan(0);
      expect((await ask(asked(query, "pit"))).results[0]?.series).toBeUndefined();
    });

    it("has the newest place of each machine, and both for the choice of machines", async () => {
      const places = queries.find(({ title }) => title.startsWith("Last position"));
      const { results } = await ask(asked(places?.query ?? ""));
      expect(
        results[0]?.series?.map(({ tags, columns, values }) => [
          tags,
          columns,
          values[0]?.slice(1),
        ]),
      ).toEqual([
        [{ asset: "digger-1" }, ["time", "latitude", "longitude"], [11, 11]],
        [{ asset: "digger-2" }, ["time", "latitude", "longitude"], [21, 21]],
      ]);
      const choices = await Promise.all(variables.map(({ query }) => ask(asked(query))));
      expect(choices.map(({ results: [one] }) => one?.series?.[0]?.values)).toEqual([
        [["project", "yard"]],
        [
          ["asset", "digger-1"],
          ["asset", "digger-2"],
        ],
      ]);
    });
  });
});
