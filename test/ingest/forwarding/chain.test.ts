import { afterEach, beforeEach, expect, it } from "vitest";
import type { JournalEntry } from "../../../ingest/journal-record/journal-record.ts";
import { type ForwardSite, openForwardSite } from "../../support/forward-site.ts";
import { type BrokerUnderTest, openBrokerUnderTest } from "../../support/open-broker.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { batchOf, FIRST_FIX_MS, journalReadings, readingOf } from "../../support/readings.ts";
import { until } from "../../support/until.ts";

const FIELDS = {
  latitude: 52.5,
  longitude: 13.4,
  speed_kmh: 17.4,
  engine_hours: 8_376.2,
  odometer_km: 70_439.123,
  oil_pressure_kpa: 410.5,
  engine_on: 1,
};

let site: ForwardSite;
let other: BrokerUnderTest;

beforeEach(async () => {
  site = await openForwardSite();
  other = await openBrokerUnderTest({ now: () => FIRST_FIX_MS + 60_000 });
});

afterEach(async () => {
  await site[Symbol.asyncDispose]();
  await other.close();
});

/** Readings that the other Plumbline has acknowledged. */
async function arrived(count: number) {
  return await until(
    "arrived",
    async () => {
      const entries: readonly JournalEntry[] = await other.entries();
      const readings = entries.flatMap((entry) =>
        entry.type === "readings" ? entry.batch.readings : [],
      );
      return readings.length >= count && readings;
    },
    PATIENT_MS,
  );
}

it.each([
  ["plumbline", "sites/p1/assets/{asset}/telemetry", 3],
  // Traccar's format cannot carry the reading before the first position.
  ["traccar", "sites/p1/assets/{asset}/traccar", 2],
] as const)("another Plumbline understands %s over MQTT, as the device it logs in as", async (format, topic, count) => {
  const login = { username: "a1", password: "a1-secret" };
  const id = await site.add("f1", `mqtt://127.0.0.1:${other.broker.ports.mqtt}`, {
    kind: "mqtt",
    format,
    topic,
    credentials: site.seal.seal("f1", JSON.stringify(login)),
  });
  const without = readingOf({ engine_on: 0 }, FIRST_FIX_MS - 1_000);
  const later = readingOf({ ...FIELDS, load_count: 3 }, FIRST_FIX_MS + 1_000);
  await journalReadings(site.journal, batchOf("a1", [without, readingOf(FIELDS), later]));
  const readings = await arrived(count);
  const forwarded = readings
    .slice(count - 2)
    .map(({ fixTimeMs, fields }) => ({ fixTimeMs, fields }));
  expect(forwarded).toEqual([
    { fixTimeMs: FIRST_FIX_MS, fields: FIELDS },
    { fixTimeMs: FIRST_FIX_MS + 1_000, fields: { ...FIELDS, load_count: 3 } },
  ]);
  await until("confirmed", async () => (await site.progress(id)).sent === count, PATIENT_MS);
});
