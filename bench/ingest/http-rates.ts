import { median } from "../figures/median.ts";
import type { BatchForm, PostResult } from "./post.ts";
import { ask, type Contender, runPosters, runPublishers, startServer } from "./processes.ts";

/** Connections of both; messages in flight on one of MQTT, readings in a request of HTTP. */
const CONNECTIONS = 10;
const WINDOW = 50;
const BATCHES: readonly { readonly batch: number; readonly form: BatchForm }[] = [
  { batch: 1, form: "ndjson" },
  { batch: 100, form: "ndjson" },
  { batch: 1_000, form: "ndjson" },
  { batch: 100, form: "array" },
  { batch: 1_000, form: "array" },
];
const ROUNDS = 3;
const SECONDS = 2.5;

interface Used {
  readonly cpuMs: number;
  readonly readings: number;
}

interface Run {
  readonly perS: number;
  readonly p99Ms: number;
  /** Processor time of the server for each reading, us. */
  readonly usPerReading: number;
}

/** Readings per second acknowledged after sync, by HTTP in batches beside MQTT at QoS 1, interleaved. */
export async function httpRates(): Promise<void> {
  const server = await startServer("plumbline");
  const { httpPort } = server;
  const loads = [
    {
      name: `MQTT QoS 1, ${WINDOW} in flight`,
      run: () => runPublishers(server, CONNECTIONS, WINDOW, SECONDS),
    },
    ...BATCHES.map(({ batch, form }) => ({
      name: `HTTP, ${batch} as ${form}`,
      run: () => runPosters(httpPort, CONNECTIONS, batch, form, SECONDS),
    })),
  ];
  const runs = loads.map((): Run[] => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [i, { run }] of loads.entries()) runs[i]?.push(await measured(server, run));
  }
  const rates = runs.map((of) => median(of.map(({ perS }) => perS)));
  console.table(
    loads.map(({ name }, i) => ({
      [`${CONNECTIONS} connections`]: name,
      "readings/s": rates[i],
      "ratio to MQTT": ((rates[i] ?? 0) / (rates[0] ?? 1)).toFixed(2),
      "p99 ms": median((runs[i] ?? []).map(({ p99Ms }) => p99Ms)).toFixed(1),
      "server CPU us/reading": median(
        (runs[i] ?? []).map(({ usPerReading }) => usPerReading),
      ).toFixed(1),
    })),
  );
  await server.stop();
}

async function measured(
  { child }: Contender,
  run: () => Promise<Pick<PostResult, "perS" | "p99Ms">>,
): Promise<Run> {
  const before = await ask<Used>(child, "stats");
  const { perS, p99Ms } = await run();
  const after = await ask<Used>(child, "stats");
  const usPerReading =
    ((after.cpuMs - before.cpuMs) * 1_000) / Math.max(1, after.readings - before.readings);
  return { perS, p99Ms, usPerReading };
}
