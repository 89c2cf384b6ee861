/**
 * Processor time of an acknowledged message, and acknowledged messages per second, of the broker with intake, decoding
 * and the journal, beside bare aedes and stock mosquitto (whose PUBACK is not durable), interleaved, medians of three.
 * Then: idle connections, a backlog behind CONNECT, and a subscriber that stops reading.
 *
 * `http`: readings per second of HTTP ingest in batches, beside MQTT, with the server's processor time for each.
 *
 *   tsx bench/ingest.ts [decode | rates [connections] | http | idle | behind-connect | stuck-subscriber]
 *
 * Idle connections need as many file descriptors in both processes: `ulimit -n 25000` first.
 */
import { median } from "./figures/median.ts";
import { httpRates } from "./ingest/http-rates.ts";
import { post } from "./ingest/post.ts";
import { type Contender, runPublishers, startMosquitto, startServer } from "./ingest/processes.ts";
import { type PublishResult, publish } from "./ingest/publish.ts";
import { behindConnect, decode, idle, stuckSubscriber } from "./ingest/scenarios.ts";
import { serve } from "./ingest/serve.ts";

/** Connections and messages in flight on each, as in the measurements before the design. */
const LOADS = [
  { connections: 1, window: 100 },
  { connections: 10, window: 50 },
  { connections: 200, window: 10 },
  { connections: 1_000, window: 2 },
];
const ROUNDS = 3;
const SECONDS = 2.5;

async function rates(only?: number): Promise<void> {
  const started = [
    await startServer("plumbline"),
    await startServer("aedes"),
    await startMosquitto(),
  ];
  const contenders = started.filter((one): one is Contender => one !== undefined);
  const rows: Record<string, string | number>[] = [];
  for (const { connections, window } of LOADS) {
    if (only !== undefined && connections !== only) continue;
    const results = contenders.map(() => [] as PublishResult[]);
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [i, contender] of contenders.entries()) {
        results[i]?.push(await runPublishers(contender, connections, window, SECONDS));
      }
    }
    const row: Record<string, string | number> = { connections, window };
    const cpuUs = contenders.map((_, i) => median((results[i] ?? []).map((one) => one.cpuUs)));
    contenders.forEach(({ name }, i) => {
      row[`${name} CPU us`] = cpuUs[i]?.toFixed(1) ?? "";
    });
    const stock = contenders.findIndex(({ name }) => name === "mosquitto");
    row["CPU of ours/mosquitto"] = (
      (cpuUs[0] ?? Number.NaN) / (cpuUs[stock] ?? Number.NaN)
    ).toFixed(2);
    contenders.forEach(({ name }, i) => {
      const of = results[i] ?? [];
      row[name] = median(of.map(({ perS }) => perS));
      row[`${name} p50/p99 ms`] =
        `${median(of.map((r) => r.p50Ms)).toFixed(1)}/${median(of.map((r) => r.p99Ms)).toFixed(1)}`;
    });
    row["ours/mosquitto"] = (Number(row["plumbline"]) / Number(row["mosquitto"])).toFixed(2);
    rows.push(row);
  }
  console.table(rows);
  for (const contender of contenders) await contender.stop();
}

const [mode = "all", ...rest] = process.argv.slice(2);
if (mode === "serve") {
  await serve(rest[0] === "aedes" ? "aedes" : "plumbline");
} else if (mode === "publish") {
  const [port = 0, connections = 1, window = 1, seconds = 1, pid = 0] = rest.map(Number);
  process.send?.(await publish(port, connections, window, seconds, pid));
  process.exit(0);
} else if (mode === "post") {
  const [port = "0", connections = "1", batch = "1", form, seconds = "1"] = rest;
  const asForm = form === "array" ? "array" : "ndjson";
  const numbers = [port, connections, batch].map(Number) as [number, number, number];
  process.send?.(await post(...numbers, asForm, Number(seconds)));
  process.exit(0);
} else {
  const isAsked = (name: string): boolean => mode === "all" || mode === name;
  if (isAsked("decode")) await decode();
  if (isAsked("rates")) await rates(rest[0] === undefined ? undefined : Number(rest[0]));
  if (isAsked("http")) await httpRates();
  if (isAsked("idle")) await idle();
  if (isAsked("behind-connect")) await behindConnect();
  if (isAsked("stuck-subscriber")) await stuckSubscriber();
}
