import { setTimeout as delay } from "node:timers/promises";

/** What the service said of itself while something was broken. */
export interface Observations {
  /** Answers of `/assets` and of an asset's recent history that were not 200. */
  readonly refusals: number;
  readonly answers: number;
  /** The slowest of those answers, ms. */
  readonly slowestMs: number;
  readonly residentBytes: readonly number[];
}

/** How often it polls, ms. */
const POLL_MS = 500;

/** One value of `/metrics`; 0 when it is not there. */
export async function metric(http: string, name: string): Promise<number> {
  const text = await (await fetch(`${http}/metrics`)).text();
  const line = text.split("\n").find((one) => one.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1) ?? 0);
}

export const WRITTEN = 'plumbline_influx_points_total{outcome="written"}';
export const BACKLOG = "plumbline_influx_backlog_records";
const RESIDENT = "process_resident_memory_bytes";

/** Asks for the map and a recent track again and again until the time is over. */
export async function observe(
  service: { readonly http: string; readonly key: string; readonly assetId: string },
  forMs: number,
): Promise<Observations> {
  const { http, key, assetId } = service;
  const paths = [
    "/api/v1/equipment/assets?limit=100",
    `/api/v1/equipment/assets/${assetId}/location?history=true&hours=72&max_points=500`,
  ];
  const endMs = performance.now() + forMs;
  const residentBytes: number[] = [];
  let [refusals, answers, slowestMs] = [0, 0, 0];
  while (performance.now() < endMs) {
    for (const path of paths) {
      const beganMs = performance.now();
      const answer = await fetch(`${http}${path}`, { headers: { Authorization: `Bearer ${key}` } });
      await answer.arrayBuffer();
      answers += 1;
      if (answer.status !== 200) refusals += 1;
      slowestMs = Math.max(slowestMs, performance.now() - beganMs);
    }
    residentBytes.push(await metric(http, RESIDENT));
    await delay(POLL_MS);
  }
  return { refusals, answers, slowestMs, residentBytes };
}
