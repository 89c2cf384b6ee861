import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { fleet, openFleetSite, serving } from "../../../support/fleet-site.ts";

const fleetFile = (name: string) => readFileSync(new URL(`../fleets/${name}`, import.meta.url));

it("the client of another maker's fleet takes Bell's fleet: no namespace, each section at its own time, payload totals", async () => {
  const nowMs = Date.parse("2026-08-21T16:30:00Z");
  await using t = await openFleetSite({ nowMs, assets: { dumper: "AEBA850EC03509823" } });
  t.server.answer = serving({ "/iso15143-3/Fleet/1": fleetFile("bell.xml") });
  expect(await t.poll()).toEqual({
    startedAtMs: nowMs,
    finishedAtMs: nowMs,
    nextPollAtMs: nowMs + 900_000,
    consecutiveFailures: 0,
    httpStatus: 200,
    pages: 1,
    unchangedPages: 0,
    machines: 1,
    matchedMachines: 1,
    readings: 4,
    seriesPages: 0,
    problems: [],
    problemCount: 0,
    unmatched: [],
    unmatchedCount: 0,
  });
  expect(t.taken()).toEqual({
    dumper: {
      "2026-08-21T15:00:00.000Z": { load_count: 13_252, payload_total_kg: 596_361_594 },
      "2026-08-21T16:10:00.000Z": { engine_on: 1 },
      "2026-08-21T16:12:00.000Z": {
        engine_hours: 8376.2,
        idle_hours: 3808.96,
        fuel_used_liters: 149_529,
        fuel_level_percent: 63,
      },
      "2026-08-21T16:12:44.000Z": { latitude: -26.0234, longitude: 28.9384, odometer_km: 70_439 },
    },
  });
  expect(t.counters).toMatchObject({ fleet_polls: 1, fleet_machines: 1, fleet_readings: 4 });
});

it("the client of another maker's fleet takes Komatsu's: its namespace, ratios, absolute links with a query", async () => {
  await using t = await openFleetSite({
    path: "/iso/Fleet/2",
    assets: { pc210: "501234", wheels: "80123" },
  });
  const origin = `http://127.0.0.1:${t.server.port}`;
  const page = fleetFile("komatsu.xml").toString().replaceAll("https://maker.example", origin);
  t.server.answer = serving({ "/iso/Fleet/2": page, "/iso/Fleet/3?a=1&b=2": fleet([]) });
  expect(await t.poll()).toMatchObject({ pages: 2, machines: 2, matchedMachines: 2, readings: 2 });
  expect(t.taken()).toEqual({
    pc210: {
      "2026-03-05T11:45:00.000Z": { fuel_level_percent: 61, def_level_percent: 100 },
      "2026-03-05T11:50:00.000Z": {
        latitude: 35.6,
        longitude: 139.7,
        altitude_meters: 40.5,
        engine_hours: 4021.5,
      },
    },
  });
});

it("the client of another maker's fleet takes Rexroth's: JSON, liter and meter, times to the ms", async () => {
  const nowMs = Date.parse("2023-05-08T18:00:00Z");
  await using t = await openFleetSite({ nowMs, assets: { sweeper: "SNP50123123456789" } });
  t.server.answer = serving({ "/iso15143-3/Fleet/1": fleetFile("rexroth.json") });
  expect(await t.poll()).toMatchObject({ readings: 3, problemCount: 0 });
  expect(t.taken()).toEqual({
    sweeper: {
      "2023-05-08T17:17:38.342Z": { fuel_used_liters: 730 },
      "2023-05-08T17:17:38.343Z": { engine_hours: 162 },
      "2023-05-08T17:17:39.666Z": {
        latitude: 48.479507,
        longitude: 8.929208,
        altitude_meters: 424,
      },
    },
  });
});

it("the client of another maker's fleet takes Samsara's: JSON in lower case under its own base, where its links begin, miles and mph", async () => {
  await using t = await openFleetSite({
    path: "/fleet/aemp",
    assets: { backhoe: "1T0310SLCFF123456" },
  });
  const second = '{"Fleet":{"links":[],"equipment":[]}}';
  const pages = { "/fleet/aemp/Fleet/1": fleetFile("samsara.json"), "/fleet/aemp/Fleet/2": second };
  t.server.answer = serving(pages);
  expect(await t.poll()).toMatchObject({ pages: 2, machines: 1, readings: 2, problemCount: 0 });
  expect(t.taken()).toEqual({
    backhoe: {
      "2026-03-05T11:57:00.000Z": {
        engine_hours: 1200.5,
        fuel_level_percent: 48,
        odometer_km: 1609.344,
        engine_on: 0,
      },
      "2026-03-05T11:58:00.000Z": { latitude: 37.77, longitude: -122.41, speed_kmh: 16.09344 },
    },
  });
});

it("the client of another maker's fleet takes AEMP 1.2: one document, gallons, miles, hours as a duration", async () => {
  const nowMs = Date.parse("2012-03-05T12:00:00Z");
  await using t = await openFleetSite({
    nowMs,
    path: "/telematics/fleet.xml",
    assets: { dozer: "ZZZ00123" },
  });
  t.server.answer = serving({ "/telematics/fleet.xml": fleetFile("aemp-1.2.xml") });
  expect(await t.poll()).toMatchObject({ pages: 1, readings: 2, problemCount: 0 });
  const { dozer = {} } = t.taken();
  expect(Object.keys(dozer)).toEqual(["2012-03-05T10:00:00.000Z", "2012-03-05T11:00:00.000Z"]);
  expect(dozer["2012-03-05T11:00:00.000Z"]).toEqual({
    engine_hours: expect.closeTo(13.475, 9),
    fuel_used_liters: expect.closeTo(378.5411784, 9),
    fuel_used_last_24_h_liters: expect.closeTo(37.85411784, 9),
    odometer_km: expect.closeTo(19.312128, 9),
  });
});
