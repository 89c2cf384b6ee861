import { expect, it } from "vitest";
import type { AssetId } from "../../../domain/ids.ts";
import { type FleetMachine, readFleet, readingsOf } from "../../../ingest/iso15143/read-fleet.ts";
import { ADMIN_KEY, FIX, NOON_MS, openTestApp } from "../../support/api-app.ts";

const COUNT = 230;
const ORIGIN = "http://site.example";

/** What machine `i` reports, each value at a second of its own. */
const latestOf = (i: number) => ({
  altitude_meters: { value: i, fixTimeMs: FIX.fixTimeMs },
  engine_hours: { value: 1_000.25 + i, fixTimeMs: NOON_MS - 20_000 },
  fuel_used_liters: { value: i * 10.5, fixTimeMs: NOON_MS - 30_000 },
  odometer_km: { value: i / 8, fixTimeMs: NOON_MS - 40_000 },
  idle_hours: { value: i, fixTimeMs: NOON_MS - 50_000 },
  fuel_level_percent: { value: i % 101, fixTimeMs: NOON_MS - 60_000 },
  def_level_percent: { value: 100 - (i % 101), fixTimeMs: NOON_MS - 70_000 },
  engine_on: { value: i % 2, fixTimeMs: NOON_MS - 80_000 },
  load_count: { value: i * 3, fixTimeMs: NOON_MS - 90_000 },
  payload_total_kg: { value: i * 40_000, fixTimeMs: NOON_MS - 100_000 },
  pto_hours: { value: i / 4, fixTimeMs: NOON_MS - 110_000 },
  regeneration_hours: { value: i / 2, fixTimeMs: NOON_MS - 120_000 },
  idle_non_operating_hours: { value: i, fixTimeMs: NOON_MS - 130_000 },
  fuel_used_last_24_h_liters: { value: i * 1.5, fixTimeMs: NOON_MS - 140_000 },
  load_factor_last_24_h_percent: { value: i % 101, fixTimeMs: NOON_MS - 150_000 },
});

it.each([
  "application/xml",
  "application/json",
])("our reader gets our own fleet as %s", async (accept) => {
  await using t = await openTestApp();
  const project_id = await t.project();
  for (let i = 0; i < COUNT; i += 1) {
    const id = `m${i}` as AssetId;
    await t.asset({ project_id, id, name: `Machine <${i}>`, hardware_id: `imei-${i}` });
    const fix = { ...FIX, latitude: -45 + i / 7, longitude: 170 - i };
    const engineHours = { value: 1_000.25 + i, source: "machine" as const };
    t.live(id, { fix, latest: latestOf(i), engineHours });
  }
  const machines: FleetMachine[] = [];
  let url: string | undefined = "/iso15143-3/Fleet/1";
  let pages = 0;
  while (url !== undefined) {
    const { rawPayload } = await t.get(url, ADMIN_KEY, { accept });
    const page = readFleet(rawPayload);
    machines.push(...page.machines);
    const next: URL | undefined = page.next === undefined ? undefined : new URL(page.next, ORIGIN);
    url = next?.pathname;
    pages += 1;
  }
  expect([pages, machines.length]).toEqual([3, COUNT]);
  for (const [i, { header, sections, problems }] of machines.entries()) {
    expect([header.equipmentId, header.serialNumber]).toEqual([`Machine <${i}>`, `imei-${i}`]);
    expect(problems).toEqual([]);
    const latest = Object.entries(latestOf(i)).map(([name, { value, fixTimeMs }]) => ({
      fixTimeMs,
      fields: { [name]: value },
    }));
    const position = { latitude: -45 + i / 7, longitude: 170 - i, altitude_meters: i };
    const expected = [
      ...latest.slice(1).toReversed(),
      { fixTimeMs: FIX.fixTimeMs, fields: position },
    ].map(({ fixTimeMs, fields }) => ({
      deviceTimeMs: fixTimeMs,
      seq: undefined,
      fields,
      faults: undefined,
    }));
    expect(readingsOf(sections)).toEqual(expected);
  }
});
