import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "../../support/answer-client.ts";
import { createApiClient } from "../../support/api-client.ts";
import { openDevice } from "../../support/mqtt-device.ts";
import { createAsset } from "../../support/site.ts";

/** Requests and messages a second, as a small fleet and its map have them. */
const RATE = 20;

/** Latencies of a stretch of time, ms. */
export interface Latencies {
  readonly api: readonly number[];
  /** From publishing to PUBACK, which comes after the sync of the journal. */
  readonly puback: readonly number[];
}

/** A machine that reports and a map that asks, at a fixed rate whether or not answers are there. */
export interface Load {
  /** Latencies since the last call. */
  take(): Latencies;
  stop(): Promise<void>;
}

export async function startLoad(client: Client, key: string, mqttPort: number): Promise<Load> {
  const access = await createAsset(createApiClient(client.url, key), "yard", "loader-1");
  const device = await openDevice({ access, port: mqttPort });
  let api: number[] = [];
  let puback: number[] = [];
  let isOver = false;

  /** Times each from when it was due: a service that stalls is late for all that came meanwhile. */
  async function repeat(act: () => Promise<unknown>, note: (ms: number) => void): Promise<void> {
    const startMs = performance.now();
    const acts: Promise<void>[] = [];
    for (let i = 0; !isOver; i++) {
      const dueMs = startMs + (i * 1_000) / RATE;
      await sleep(Math.max(0, dueMs - performance.now()));
      acts.push(act().then(() => note(performance.now() - dueMs)));
    }
    await Promise.all(acts);
  }

  const running = Promise.all([
    repeat(
      () => client.get("/equipment/assets"),
      (ms) => api.push(ms),
    ),
    repeat(
      () =>
        device.publish({
          qos: 1,
          payload: JSON.stringify({ latitude: 51.5, longitude: -0.12, speed_kmh: 7 }),
        }),
      (ms) => puback.push(ms),
    ),
  ]);
  return {
    take() {
      const taken = { api, puback };
      api = [];
      puback = [];
      return taken;
    },
    async stop() {
      isOver = true;
      await running;
      await device.disconnect();
    },
  };
}

/** The value that so much of them stay below, 0 to 1. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
