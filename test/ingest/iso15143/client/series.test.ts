import { describe, expect, it } from "vitest";
import { foldFaults } from "../../../../ingest/iso15143/client/series/active-faults.ts";
import { seriesUrl } from "../../../../ingest/iso15143/client/series/series-url.ts";
import {
  type FleetSite,
  fleet,
  machine,
  NOON_MS,
  openFleetSite,
  SOURCE,
  section,
} from "../../../support/fleet-site.ts";
import type { HttpReceiver } from "../../../support/http-receiver.ts";
import { PATIENT_MS } from "../../../support/patience.ts";
import { until } from "../../../support/until.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const FLEET = "/iso15143-3/Fleet/1";
/** Of the first request: a day back, to the end of the UTC day. */
const FIRST_RANGE = "2026-03-04T12:00:00Z/2026-03-05T23:59:59Z/1";
const of = (pin: string, series: string, range = FIRST_RANGE) =>
  `/iso15143-3/Fleet/Equipment/${pin}/${series}/${range}`;

const fault = (at: number, identifier: string, more = "") =>
  section("FaultCode", at, `<CodeIdentifier>${identifier}</CodeIdentifier>${more}`);
const place = (at: number, latitude: number) =>
  section("Location", at, `<Latitude>${latitude}</Latitude><Longitude>13.4</Longitude>`);
const messages = (entries: readonly string[], next?: string) =>
  `<Messages xmlns="http://standards.iso.org/iso/15143/-3">${
    next === undefined ? "" : `<Links><rel>next</rel><href>${next}</href></Links>`
  }${entries.join("")}</Messages>`;

interface Answer {
  readonly status?: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers by the start of the path; the fleet has machines A, B, C. */
const maker =
  (answers: Readonly<Record<string, Answer | string>>): HttpReceiver["answer"] =>
  ({ path, headers }, response) => {
    if (path === FLEET) {
      response.end(fleet(["A", "B", "C"].map((pin) => machine(pin))));
      return;
    }
    const found = answers[path];
    const {
      status = 200,
      body = "",
      headers: sent = {},
    } = typeof found === "object" ? found : { body: found ?? "" };
    const isKnown = sent["etag"] !== undefined && headers["if-none-match"] === sent["etag"];
    response.writeHead(found === undefined ? 404 : isKnown ? 304 : status, sent);
    response.end(isKnown ? "" : body);
  };

const asked = (t: FleetSite) =>
  t.server.received.map(({ path }) => path).filter((path) => path !== FLEET);

/** Fault codes by asset and time, of everything that is durable. */
function faultLists(t: FleetSite) {
  return t.journal
    .entries()
    .flatMap((entry) =>
      entry.type !== "readings"
        ? []
        : entry.batch.readings.flatMap(({ fixTimeMs, faults }) =>
            faults === undefined ? [] : [{ at: fixTimeMs - NOON_MS, faults }],
          ),
    );
}

describe("the fault codes of a machine", () => {
  it("the fault codes of a machine become the list of active faults that a J1939 machine sends itself", async () => {
    await using t = await openFleetSite({ assets: { a: "A" }, source: { series: ["Faults"] } });
    t.server.answer = maker({
      [of("A", "Faults")]: messages([
        fault(NOON_MS - 2 * HOUR, "SPN 100 FMI 1", "<CodeSource>J1939 address 0</CodeSource>"),
        fault(
          NOON_MS - HOUR,
          "E360(2)",
          "<CodeDescription>Low oil\n pressure</CodeDescription><CodeSeverity>HIGH</CodeSeverity>",
        ),
        fault(NOON_MS - HOUR / 2, "SPN 100 FMI 1", "<CodeSource>J1939 address 0</CodeSource>"),
      ]),
    });

    expect(await t.poll()).toMatchObject({ readings: 3, seriesPages: 1, problems: [] });
    const oil = { spn: 100, fmi: 1, source: 0 };
    const event = { code: "E360(2)", description: "Low oil pressure", reported_severity: "HIGH" };
    expect(faultLists(t)).toEqual([
      { at: -2 * HOUR, faults: [{ ...oil, occurrence_count: 1 }] },
      {
        at: -HOUR,
        faults: [
          { ...oil, occurrence_count: 1 },
          { ...event, occurrence_count: 1 },
        ],
      },
      {
        at: -HOUR / 2,
        faults: [
          { ...event, occurrence_count: 1 },
          { ...oil, occurrence_count: 2 },
        ],
      },
    ]);
  });

  it("the fault codes of a machine are taken once, over polls and restarts, and end a day after their last report", async () => {
    await using t = await openFleetSite({ assets: { a: "A" }, source: { series: ["Faults"] } });
    t.server.answer = maker({ [of("A", "Faults")]: messages([fault(NOON_MS - HOUR, "P0299")]) });
    await t.poll();
    expect(faultLists(t)).toHaveLength(1);

    await t.restart();
    t.clock.ms += HOUR;
    const later = of("A", "Faults", "2026-03-05T11:00:00Z/2026-03-05T23:59:59Z/1");
    t.server.answer = maker({ [later]: messages([fault(NOON_MS - HOUR, "P0299")]) });
    expect(await t.poll()).toMatchObject({ readings: 0, seriesPages: 1, problems: [] });

    t.clock.ms += DAY;
    const next = of("A", "Faults", "2026-03-05T11:00:00Z/2026-03-06T23:59:59Z/1");
    t.server.answer = maker({ [next]: messages([]) });
    await t.poll();
    expect(faultLists(t).at(-1)).toEqual({ at: 23 * HOUR, faults: [] });
    expect(faultLists(t)).toHaveLength(2);
  });

  it("the fault codes of a machine are not asked for of a machine whose own device sends DM1", async () => {
    await using t = await openFleetSite({ assets: { a: "A" }, source: { series: ["Faults"] } });
    const entry = t.directory.findByHardwareId("A");
    if (entry === undefined) throw new Error("no asset");
    t.directory.change("a", { ...entry, asset: { ...entry.asset, decoder: "j1939" } });
    t.server.answer = maker({});
    expect(await t.poll()).toMatchObject({ problems: [] });
    expect(asked(t)).toEqual([]);
  });

  it("the fault codes of a machine of one time are one list, a hundred at most, the oldest reports left out", () => {
    const reports = Array.from({ length: 120 }, (_, i) => ({
      timeMs: NOON_MS,
      code: { code: `E${i}` },
    }));
    const { lists, active } = foldFaults([], reports, NOON_MS);

    expect(lists).toHaveLength(1);
    expect(lists[0]?.codes).toHaveLength(100);
    expect(active[0]?.code).toEqual({ code: "E20" });
  });

  it("the fault codes of a machine each end in their time, and are raised again by later reports", () => {
    const at = (hours: number, code: string) => ({
      timeMs: NOON_MS + hours * HOUR,
      code: { code },
    });
    const { lists } = foldFaults([], [at(0, "A"), at(2, "B"), at(40, "A")], NOON_MS + 41 * HOUR);

    expect(
      lists.map(({ timeMs, codes }) => [(timeMs - NOON_MS) / HOUR, codes.map(({ code }) => code)]),
    ).toEqual([
      [0, ["A"]],
      [2, ["A", "B"]],
      [24, ["B"]],
      [26, []],
      [40, ["A"]],
    ]);
  });
});

describe("the values of a machine over time", () => {
  it("the values of a machine over time are followed over pages, and go on where they ended", async () => {
    await using t = await openFleetSite({ assets: { a: "A" }, source: { series: ["Locations"] } });
    const second = `${of("A", "Locations").slice(0, -1)}2`;
    t.server.answer = maker({
      [of("A", "Locations")]: messages([place(NOON_MS - 2 * HOUR, 52.1)], "2"),
      [second]: messages([place(NOON_MS - HOUR, 52.2)]),
    });
    expect(await t.poll()).toMatchObject({ readings: 2, seriesPages: 2, problems: [] });
    expect(t.taken()["a"]).toEqual({
      "2026-03-05T10:00:00.000Z": { latitude: 52.1, longitude: 13.4 },
      "2026-03-05T11:00:00.000Z": { latitude: 52.2, longitude: 13.4 },
    });

    t.clock.ms += HOUR;
    t.server.answer = maker({
      [of("A", "Locations", "2026-03-05T11:00:00Z/2026-03-05T23:59:59Z/1")]: messages([
        place(NOON_MS - HOUR, 52.2),
        place(NOON_MS + HOUR / 2, 52.3),
      ]),
    });
    await t.poll();
    expect(t.taken()["a"]).toEqual({
      "2026-03-05T12:30:00.000Z": { latitude: 52.3, longitude: 13.4 },
    });
  });

  it("the values of a machine over time that are not believed are kept as suspect, with a word", async () => {
    const series = ["CumulativeOperatingHours"] as const;
    await using t = await openFleetSite({ assets: { a: "A" }, source: { series: [...series] } });
    const hours = section("CumulativeOperatingHours", NOON_MS - HOUR, "<Hour>5000000</Hour>");
    t.server.answer = maker({ [of("A", series[0])]: messages([hours]) });
    const { readings, problems } = await t.poll();

    expect(readings).toBe(1);
    expect(problems).toEqual([
      {
        where: "A, CumulativeOperatingHours",
        problem: "engine_hours: outside 0 to 1000000",
      },
    ]);
    expect(t.taken()["a"]).toEqual({
      "2026-03-05T11:00:00.000Z": { suspect_engine_hours: 5_000_000 },
    });
  });

  it("the values of a machine over time are kept where the last page links to one that is not there", async () => {
    await using t = await openFleetSite({ assets: { a: "A" }, source: { series: ["Locations"] } });
    t.server.answer = maker({
      [of("A", "Locations")]: messages([place(NOON_MS - 2 * HOUR, 52.1)], "2"),
    });
    expect(await t.poll()).toMatchObject({ readings: 1, problems: [] });

    t.clock.ms += HOUR;
    const later = of("A", "Locations", "2026-03-05T10:00:00Z/2026-03-05T23:59:59Z/1");
    t.server.answer = maker({ [later]: messages([place(NOON_MS, 52.2)], "2") });
    expect(await t.poll()).toMatchObject({ readings: 1, problems: [] });
  });

  it("the values of a machine over time go on behind the last entry of a past range whose link leads elsewhere", async () => {
    await using t = await openFleetSite({ assets: { a: "A" }, source: { series: ["Locations"] } });
    t.server.answer = maker({ [of("A", "Locations")]: messages([place(NOON_MS - HOUR, 52.1)]) });
    await t.poll();

    // After an outage of twelve days the first range ends before today.
    t.clock.ms += 12 * DAY;
    const elsewhere = "http://127.0.0.2:1/2";
    const past = of("A", "Locations", "2026-03-05T11:00:00Z/2026-03-12T11:00:00Z/1");
    t.server.answer = maker({ [past]: messages([place(NOON_MS + HOUR, 52.2)], elsewhere) });
    expect(await t.poll()).toMatchObject({ readings: 1 });

    t.clock.ms += HOUR;
    const next = of("A", "Locations", "2026-03-05T13:00:00Z/2026-03-12T13:00:00Z/1");
    t.server.answer = maker({ [next]: messages([place(NOON_MS + 2 * HOUR, 52.3)]) });
    expect(await t.poll()).toMatchObject({ readings: 1, problems: [] });
  });

  it("the values of a machine over time that are unchanged are not sent again, by the ETag of a page whose address stays the same", async () => {
    await using t = await openFleetSite({ assets: { a: "A" }, source: { series: ["Locations"] } });
    const empty = { body: messages([]), headers: { etag: '"v1"' } };
    t.server.answer = maker({ [of("A", "Locations")]: empty });
    await t.poll();
    t.clock.ms += HOUR;
    await t.poll();
    // The cursor does not move for what is not there, so that nothing late is passed over.
    expect(asked(t)).toEqual([of("A", "Locations"), of("A", "Locations")]);
    expect(t.counters).toMatchObject({ fleet_series_pages: 2, fleet_series_unchanged: 1 });
  });

  it("the values of a machine over time that the journal did not take are asked for again", async () => {
    await using t = await openFleetSite({
      assets: { a: "A" },
      source: { series: ["Locations"] },
      isManual: true,
    });
    t.server.answer = maker({ [of("A", "Locations")]: messages([place(NOON_MS - HOUR, 52.2)]) });
    const refused = t.poll();
    await until("a message", () => t.intake.stats()["received"] === 1, PATIENT_MS);
    t.journal.become("full");
    // Intake gives it up after the time that these sessions have.
    t.clock.ms += 60_000;
    expect(await refused).toMatchObject({ readings: 0, consecutiveFailures: 0, problemCount: 1 });
    t.journal.become("open");
    const [row] = await t.records.fleetSources.taken(SOURCE);
    expect(row?.series).toBeUndefined();
  });

  it("the values of a machine over time of a wrong clock, of before what is kept and without a time are left out, with a word", async () => {
    await using t = await openFleetSite({ assets: { a: "A" }, source: { series: ["Locations"] } });
    t.server.answer = maker({
      [of("A", "Locations")]: messages([
        place(NOON_MS + DAY, 52.1),
        place(NOON_MS - 2 * DAY, 52.1),
        "<Location><Latitude>52.1</Latitude><Longitude>13.4</Longitude></Location>",
        place(NOON_MS - HOUR, 91),
        place(NOON_MS - HOUR, 52.2),
      ]),
    });
    const poll = await t.poll();
    expect(poll).toMatchObject({ readings: 1, consecutiveFailures: 0 });
    expect(poll.problems).toEqual([
      { where: "A, Locations", problem: "2 entries were not read: location: no time" },
    ]);
  });
});

describe("a maker's server", () => {
  it("a maker's server that has no series costs no poll, and is left alone for a day after three machines", async () => {
    await using t = await openFleetSite({
      assets: { a: "A", b: "B", c: "C" },
      source: { series: ["Faults", "Locations"] },
    });
    t.server.answer = maker({ [of("A", "Locations")]: messages([place(NOON_MS - HOUR, 52.2)]) });
    const poll = await t.poll();
    expect(poll).toMatchObject({ consecutiveFailures: 0, readings: 1 });
    expect(poll.problems.map(({ where, problem }) => `${where}: ${problem}`)).toContain(
      "Faults: refused for 3 machines in a row; asked for again in a day",
    );
    const before = asked(t).filter((path) => path.includes("/Faults/")).length;
    t.clock.ms += HOUR;
    await t.poll();
    expect(asked(t).filter((path) => path.includes("/Faults/"))).toHaveLength(before);
    t.clock.ms += DAY;
    await t.poll();
    expect(asked(t).filter((path) => path.includes("/Faults/")).length).toBeGreaterThan(before);
  });

  it("a maker's server that asks to be left alone is, while the fleet itself is polled on", async () => {
    await using t = await openFleetSite({
      assets: { a: "A", b: "B" },
      source: { series: ["Faults"] },
    });
    t.server.answer = maker({
      [of("A", "Faults")]: { status: 429, headers: { "retry-after": "1800" } },
    });
    expect(await t.poll()).toMatchObject({ consecutiveFailures: 0, problemCount: 1 });
    t.clock.ms += HOUR / 3;
    expect(await t.poll()).toMatchObject({ consecutiveFailures: 0, problemCount: 0 });
    expect(asked(t)).toHaveLength(1);
  });

  it.each([
    ["that is not a page", { body: "<html>" }, "the answer is not XML"],
    [
      "of ten thousand entries",
      { body: messages(Array.from({ length: 10_000 }, () => "<FaultCode/>")) },
      "10000 entries on a page",
    ],
    ["that fails", { status: 500 }, "answered 500"],
  ])("with an answer %s is a problem and no failure", async (_name, answer, problem) => {
    await using t = await openFleetSite({ assets: { a: "A" }, source: { series: ["Faults"] } });
    t.server.answer = maker({ [of("A", "Faults")]: answer });
    const poll = await t.poll();
    expect(poll.consecutiveFailures).toBe(0);
    expect(poll.problems).toEqual([
      { where: "A, Faults", problem: expect.stringContaining(problem) },
    ]);
  });

  it("a maker's server that links in a circle, elsewhere or without end is read ten pages far", async () => {
    await using t = await openFleetSite({ assets: { a: "A" }, source: { series: ["Locations"] } });
    t.server.answer = ({ path }, response) => {
      if (path === FLEET) response.end(fleet([machine("A")]));
      else response.end(messages([], String(Number(path.split("/").at(-1)) + 1)));
    };
    expect(await t.poll()).toMatchObject({ seriesPages: 10, consecutiveFailures: 0 });
    t.clock.ms += HOUR;
    for (const next of ["1", "http://127.0.0.2:1/2", "http://["]) {
      t.server.answer = ({ path }, response) => {
        response.end(path === FLEET ? fleet([machine("A")]) : messages([], next));
      };
      expect(await t.poll()).toMatchObject({ seriesPages: 1, consecutiveFailures: 0 });
      t.clock.ms += HOUR;
    }
  });

  it("a maker's server that is slow is left after five minutes; the next poll begins with the machine it had come to", async () => {
    await using t = await openFleetSite({
      assets: { a: "A", b: "B", c: "C" },
      source: { series: ["Locations"] },
    });
    t.server.answer = ({ path }, response) => {
      if (path !== FLEET) t.clock.ms += 3 * 60_000;
      response.end(
        path === FLEET ? fleet(["A", "B", "C"].map((pin) => machine(pin))) : messages([]),
      );
    };
    const poll = await t.poll();
    expect(poll.problems).toEqual([
      { where: "series", problem: expect.stringContaining("out of time") },
    ]);
    expect(asked(t).map((path) => path.split("/")[4])).toEqual(["A", "B"]);
    t.clock.ms += HOUR;
    await t.poll();
    expect(asked(t).map((path) => path.split("/")[4])[2]).toBe("C");
  });
});

describe("the address of a series", () => {
  const named = {
    oemName: "CAT",
    model: "320 GC",
    serialNumber: "YBX/1",
    pin: "CAT00320",
    equipmentId: undefined,
  };
  const range = { fromMs: NOON_MS, toMs: NOON_MS + 1_500 };
  const times = "2026-03-05T12:00:00Z/2026-03-05T12:00:01Z/1";

  it.each([
    [
      "https://m.example/a/Fleet/1",
      "make_model_serial",
      "Faults",
      "https://m.example/a/Fleet/Equipment/MakeModelSerial/CAT/320%20GC/YBX%2F1/Faults",
    ],
    [
      "https://m.example/a/fleet/1",
      "make_model_serial",
      "DEFRemainingRatio",
      "https://m.example/a/fleet/equipment/makeModelSerial/CAT/320%20GC/YBX%2F1/defRemainingRatio",
    ],
    [
      "https://m.example/a/Fleet",
      "id",
      "Locations",
      "https://m.example/a/Fleet/Equipment/CAT00320/Locations",
    ],
  ] as const)("the address of a series of %s by %s and %s", (first, form, series, expected) => {
    expect(seriesUrl(first, named, series, form, range)).toBe(`${expected}/${times}`);
  });

  it("the address of a series is none of a file, of a query, and of a machine that lacks a name", () => {
    const url = (first: string, header = named) =>
      seriesUrl(first, header, "Faults", "make_model_serial", range);
    expect(url("https://m.example/fleet.xml")).toBeUndefined();
    expect(url("https://m.example/Fleet/1?site=7")).toBeUndefined();
    expect(
      url("https://m.example/Fleet/1", { ...named, model: undefined as never }),
    ).toBeUndefined();
  });
});
