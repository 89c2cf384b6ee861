import { expect, it } from "vitest";
import type { AssetId } from "../../../domain/ids.ts";
import type { AssetState } from "../../../ingest/asset-state/asset-state.ts";
import { FIX, NOON_MS, openTestApp } from "../../support/api-app.ts";
import { openFleetSite } from "../../support/fleet-site.ts";

const COUNT = 1_000;
const REGISTERED = {
  type: "excavator",
  decoder: "plumbline",
  maintenance: false,
  created_at: "2026-03-01T08:00:00.000Z",
  updated_at: "2026-03-01T08:00:00.000Z",
} as const;

/** What machine `i` reports, each value at a second of its own, in the names of the fields. */
const latestOf = (i: number) => ({
  engine_hours: { value: 1_000.25 + i, fixTimeMs: NOON_MS - 20_000 },
  fuel_used_liters: { value: i * 10.5, fixTimeMs: NOON_MS - 30_000 },
  odometer_km: { value: i / 8, fixTimeMs: NOON_MS - 40_000 },
  idle_hours: { value: i, fixTimeMs: NOON_MS - 50_000 },
  fuel_level_percent: { value: i % 101, fixTimeMs: NOON_MS - 60_000 },
  def_level_percent: { value: 100 - (i % 101), fixTimeMs: NOON_MS - 70_000 },
  engine_on: { value: i % 2, fixTimeMs: NOON_MS - 80_000 },
  load_count: { value: i * 3, fixTimeMs: NOON_MS - 90_000 },
  payload_total_kg: { value: i * 40_000.5, fixTimeMs: NOON_MS - 100_000 },
  pto_hours: { value: i / 4, fixTimeMs: NOON_MS - 110_000 },
});

it("our client reads our server over HTTP and gets the same fleet: 1,000 machines on 10 pages", async () => {
  await using server = await openTestApp();
  const project_id = await server.project();
  const states = new Map<AssetId, Partial<AssetState>>();
  const assets: Record<string, string> = {};
  const expected: Record<string, Record<string, object>> = {};
  for (let i = 0; i < COUNT; i += 1) {
    const id = `m${i}` as AssetId;
    const serial_number = `serial <${i}> & more`;
    const machine = { project_id, id, name: `Machine ${i}`, serial_number };
    await server.records.assets.insert({ ...REGISTERED, ...machine }, new Uint8Array(32));
    const fix = { ...FIX, latitude: -45 + i / 70, longitude: 170 - i / 10 };
    const engineHours = { value: 1_000.25 + i, source: "machine" as const };
    states.set(id, { fix, latest: latestOf(i), engineHours });
    // Half of them are known by the serial number that is registered there, half by their name.
    assets[`ours-${i}`] = i % 2 === 0 ? serial_number : `Machine ${i}`;
    expected[`ours-${i}`] = Object.fromEntries([
      ...Object.entries(latestOf(i)).map(([name, { value, fixTimeMs }]) => [
        new Date(fixTimeMs).toISOString(),
        { [name]: value },
      ]),
      [new Date(FIX.fixTimeMs).toISOString(), { latitude: fix.latitude, longitude: fix.longitude }],
    ]);
  }
  // Once: 1,000 reads of 1,000 assets are most of this test otherwise.
  await server.directory.refresh();
  for (const [id, state] of states) server.live(id, state);
  const key = await server.key({ scopes: ["equipment:read"] });
  const url = new URL(await server.app.listen({ host: "127.0.0.1", port: 0 }));

  await using client = await openFleetSite({ nowMs: NOON_MS, assets });
  await client.change({
    url: `${url.origin}/iso15143-3`,
    auth: { kind: "basic", username: "apikey", sealedPassword: client.sealed(key) },
  });
  expect(await client.poll()).toMatchObject({
    pages: 10,
    machines: COUNT,
    matchedMachines: COUNT,
    readings: COUNT * 11,
    problemCount: 0,
    unmatchedCount: 0,
  });
  const taken = client.taken();
  expect(Object.keys(taken)).toHaveLength(COUNT);
  expect(taken).toEqual(expected);

  // One machine moves on: its page alone is read again, and its sections alone are taken.
  client.clock.ms += 900_000;
  server.live("m250" as AssetId, {
    fix: { ...FIX, latitude: 10, longitude: 20, fixTimeMs: NOON_MS },
    latest: latestOf(250),
    engineHours: { value: 1_250.25, source: "machine" },
  });
  expect(await client.poll()).toMatchObject({ pages: 10, unchangedPages: 9, readings: 1 });
  expect(client.taken()).toEqual({
    "ours-250": { [new Date(NOON_MS).toISOString()]: { latitude: 10, longitude: 20 } },
  });
});
