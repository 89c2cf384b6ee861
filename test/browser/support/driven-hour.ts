import type { RunningDemo } from "./running-demo.ts";

/** Degrees of a metre, near 50.2 degrees north. */
const LAT_PER_M = 1 / 111_195;
const LNG_PER_M = LAT_PER_M / Math.cos((50.2 * Math.PI) / 180);
/** Where the hour begins, degrees: away from the machines of the demo. */
const START = { latitude: 50.2, longitude: 9.3 };
/** Readings of one request. */
const BATCH = 1_000;

/** One reading of the hour. */
interface Reading {
  readonly timestamp: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly speed_kmh: number;
  readonly heading: number;
  readonly accuracy_meters: number;
  readonly fuel_level_percent: number;
  readonly engine_on: boolean;
}

/** An hour in which a machine drives for 20 min, stands for 12, drives for 8, is silent for 10, and drives on. */
export interface DrivenHour {
  readonly fromMs: number;
  /** Begin of the stop and of the silence, ms since the Unix epoch. */
  readonly stopMs: number;
  readonly gapMs: number;
  readonly toMs: number;
  /** 200 m beyond the last position, degrees: a minute of driving. */
  readonly ahead: Pick<Reading, "latitude" | "longitude">;
}

/** Of the machines that were registered here: asset id and secret. */
const tokens = new Map<string, string>();

/** The request of an API key of the demo, as JSON. */
export async function askDemo(
  { origin, key }: RunningDemo,
  method: string,
  path: string,
  body: object,
): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(`${origin}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Readonly<Record<string, unknown>>;
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
  return answer;
}

/** Registers a machine and sends its hour, a reading every `stepS` seconds, through the service's own ingest. */
export async function driveAnHour(
  demo: RunningDemo,
  machine: {
    readonly id: string;
    readonly name: string;
    readonly northM?: number;
    readonly projectId?: string;
  },
  endMs: number,
  stepS = 10,
): Promise<DrivenHour> {
  const { id, name, northM = 0, projectId = "site-a" } = machine;
  await register(demo, { id, name, project_id: projectId, type: "dump_truck" });
  const fromMs = endMs - 3_600_000;
  const readings: Reading[] = [];
  let [eastM, fuel] = [0, 80];
  for (let s = 0; s < 3_600; s += stepS) {
    const minute = s / 60;
    const isStanding = minute >= 20 && minute < 32;
    const speedMps = isStanding ? 0 : 2 + 4 * Math.sin((minute * Math.PI) / 10) ** 2;
    eastM += speedMps * stepS;
    fuel -= 0.003 * stepS;
    // Nothing is sent for ten minutes, while it drives on.
    if (minute >= 40 && minute < 50) continue;
    readings.push({
      timestamp: new Date(fromMs + s * 1_000).toISOString(),
      latitude: START.latitude + (northM + 120 * Math.sin(eastM / 300)) * LAT_PER_M,
      longitude: START.longitude + eastM * LNG_PER_M,
      speed_kmh: speedMps * 3.6,
      heading: 90,
      accuracy_meters: 3,
      fuel_level_percent: fuel,
      engine_on: true,
    });
  }
  for (let i = 0; i < readings.length; i += BATCH) {
    await ingest(demo, id, readings.slice(i, i + BATCH));
  }
  const at = (minute: number) => fromMs + minute * 60_000;
  const ahead = {
    latitude: START.latitude + northM * LAT_PER_M,
    longitude: START.longitude + (eastM + 200) * LNG_PER_M,
  };
  return { fromMs, stopMs: at(20), gapMs: at(40) - stepS * 1_000, toMs: endMs, ahead };
}

/** What a machine without a network for half an hour has sent. */
interface SentBacklog {
  readonly fromMs: number;
  readonly toMs: number;
  /** Time of a position that was sent at once. */
  readonly liveMs: number;
}

/** Registers a machine that sends 30 min of positions 10 min after the last, is in time then, and sends a part again. */
export async function sendBacklog(
  demo: RunningDemo,
  machine: { readonly id: string; readonly name: string; readonly northM: number },
): Promise<SentBacklog> {
  const { id, name, northM } = machine;
  await register(demo, { id, name, project_id: "site-a", type: "dump_truck" });
  const nowMs = Math.floor(Date.now() / 1_000) * 1_000;
  const readingAt = (s: number) => ({
    timestamp: new Date(nowMs - 2_400_000 + s * 1_000).toISOString(),
    latitude: START.latitude + (northM + 120 * Math.sin((s * 5) / 300)) * LAT_PER_M,
    longitude: START.longitude + s * 5 * LNG_PER_M,
    ...{ speed_kmh: 18, heading: 90, accuracy_meters: 3, fuel_level_percent: 60, engine_on: true },
  });
  const backlog = Array.from({ length: 181 }, (_, i) => readingAt(i * 10));
  const live = [2_380, 2_390, 2_400].map(readingAt);
  await ingest(demo, id, backlog);
  await ingest(demo, id, live);
  // Once more, in another message.
  await ingest(demo, id, [...backlog.slice(100), ...live]);
  return { fromMs: nowMs - 2_460_000, toMs: nowMs + 60_000, liveMs: nowMs };
}

/** Reports a position now; a machine drives on to it from where its hour ended. */
export async function driveOn(
  demo: RunningDemo,
  id: string,
  place: Pick<Reading, "latitude" | "longitude">,
): Promise<void> {
  const timestamp = new Date().toISOString();
  await ingest(demo, id, [{ ...place, timestamp, speed_kmh: 15, accuracy_meters: 3 }]);
}

/** Registers a machine, and keeps what its device logs in with. */
async function register(
  demo: RunningDemo,
  machine: { readonly id: string } & Readonly<Record<string, string>>,
): Promise<void> {
  const asset = await askDemo(demo, "POST", "/api/v1/equipment/assets", machine);
  const { password } = asset["mqtt"] as { readonly password: string };
  tokens.set(machine.id, `${machine.id}.${password}`);
}

async function ingest(
  { origin }: RunningDemo,
  id: string,
  readings: readonly Partial<Reading>[],
): Promise<void> {
  const response = await fetch(`${origin}/api/v1/ingest/plumbline`, {
    method: "POST",
    headers: { authorization: `Bearer ${tokens.get(id)}`, "content-type": "application/json" },
    body: JSON.stringify(readings),
  });
  const answer = (await response.json()) as { readonly readings?: number };
  if (!response.ok || answer.readings !== readings.length) {
    throw new Error(`ingest: ${response.status} ${JSON.stringify(answer)}`);
  }
}
