import type { AssetId, ProjectId } from "../../domain/ids.ts";
import { HOUR_MS } from "../../domain/time.ts";
import { encodeReadings } from "../../ingest/journal-record/readings.ts";

/** Readings of one journal record: a device that sends a few at once. */
const READINGS_PER_RECORD = 5;
const ASSETS = 200;
const START_MS = Date.now() - 36 * HOUR_MS;

/** One reading with eight fields, as `round` of its asset. */
export interface BenchReading {
  readonly assetId: AssetId;
  readonly timeMs: number;
  readonly fields: Readonly<Record<string, number>>;
}

/** The `index`th reading of the load: 200 machines that report once a second, in turn. */
export function reading(index: number): BenchReading {
  const round = Math.floor(index / (ASSETS * READINGS_PER_RECORD));
  const place = index % (ASSETS * READINGS_PER_RECORD);
  const asset = Math.floor(place / READINGS_PER_RECORD);
  const second = round * READINGS_PER_RECORD + (place % READINGS_PER_RECORD);
  const turn = (second + asset) / 500;
  return {
    assetId: `bench-${asset}` as AssetId,
    timeMs: START_MS + second * 1_000,
    fields: {
      latitude: Math.round((52.5 + Math.sin(turn) / 500) * 1e7) / 1e7,
      longitude: Math.round((13.4 + Math.cos(turn) / 300) * 1e7) / 1e7,
      accuracy_meters: 2.5,
      speed_kmh: 18.5 + (second % 7) / 10,
      heading: second % 360,
      engine_on: 1,
      engine_hours: 1_234.5 + second / 3_600,
      load_percent: 40 + (second % 11),
    },
  };
}

/** The load as journal bodies; `count` is brought to a whole number of rounds of all machines. */
export function* journalBodies(count: number): Generator<Uint8Array> {
  for (let start = 0; start < count; start += READINGS_PER_RECORD) {
    const readings = Array.from({ length: READINGS_PER_RECORD }, (_, i) => reading(start + i));
    const assetId = readings[0]?.assetId ?? ("" as AssetId);
    yield encodeReadings(
      {
        assetId,
        projectId: "bench" as ProjectId,
        receivedAtMs: Date.now(),
        readings: readings.map(({ timeMs, fields }) => ({
          fixTimeMs: timeMs,
          timeSource: "device",
          rawTimeMs: undefined,
          seq: -1,
          payloadHash: 1,
          fields,
          faults: undefined,
        })),
      },
      { clientHash: 0, packetId: 0, payloadHash: 1 },
    );
  }
}

/** Line protocol written by hand, in requests of `lines` each. */
export function handMadeBodies(count: number, lines: number): readonly string[] {
  const bodies: string[] = [];
  for (let start = 0; start < count; start += lines) {
    const rows: string[] = [];
    for (let i = start; i < Math.min(start + lines, count); i += 1) {
      const { assetId, timeMs, fields: f } = reading(i);
      rows.push(
        `telemetry,asset=${assetId},project=bench latitude=${f["latitude"]},longitude=${f["longitude"]},` +
          `accuracy_meters=${f["accuracy_meters"]},speed_kmh=${f["speed_kmh"]},heading=${f["heading"]},` +
          `engine_on=${f["engine_on"]},engine_hours=${f["engine_hours"]},load_percent=${f["load_percent"]} ${timeMs}`,
      );
    }
    bodies.push(rows.join("\n"));
  }
  return bodies;
}
