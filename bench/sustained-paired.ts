/**
 * Processor time of a reading from end to end, of several compiled checkouts in turns: the whole service with its
 * embedded stores, one reading a message, warmed up for 4 s at each rate. Counted until both readers of the journal
 * are level, so that a backlog is not saved time. The last lines have the medians, and the ratios to the first.
 *
 *   npx tsc -p . --noCheck --outDir OUT     in each checkout, a link OUT/node_modules, and beside the files what
 *                                           `npm run build` copies; the console (OUT/dist/console) is not needed
 *   npx tsx bench/sustained-paired.ts [--rounds 3] [--seconds 5] [--devices 200] [--rates 10000,30000] OUT ...
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { createApiClient } from "../test/support/api-client.ts";
import { median } from "./figures/median.ts";
import { processCpuS } from "./figures/process-cpu.ts";
import { PacedFleet } from "./sustained/paced-fleet.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "5" },
    devices: { type: "string", default: "200" },
    rates: { type: "string", default: "10000,30000" },
  },
});
const WARM_UP_MS = 4_000;
const ADMIN_KEY = "bench-admin-key-of-at-least-32-characters";
const rates = values.rates.split(",").map(Number);
const results = new Map(
  positionals.map((folder) => [folder, new Map(rates.map((rate) => [rate, [] as number[]]))]),
);

for (let round = 0; round < Number(values.rounds); round += 1) {
  for (const folder of round % 2 === 0 ? positionals : positionals.toReversed()) {
    await measure(folder);
  }
}
const [first = ""] = positionals;
for (const rate of rates) {
  const base = results.get(first)?.get(rate) ?? [];
  for (const folder of positionals) {
    const all = results.get(folder)?.get(rate) ?? [];
    const ratio = median(all.map((us, i) => us / (base[i] ?? Number.NaN)));
    console.log(`${rate}/s ${folder}: ${median(all).toFixed(1)} us, ratio ${ratio.toFixed(3)}`);
  }
}
process.exit(0);

async function measure(folder: string): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "plumbline-sustained-"));
  const service = await started(folder, dataDir);
  const fleet = await PacedFleet.connect(service.api, service.mqttPort, Number(values.devices));
  for (const rate of rates) {
    await fleet.offer(rate, WARM_UP_MS);
    const before = fleet.acknowledged;
    const beforeS = processCpuS(service.pid);
    await fleet.offer(rate, Number(values.seconds) * 1_000);
    const us = ((processCpuS(service.pid) - beforeS) * 1e6) / (fleet.acknowledged - before);
    results.get(folder)?.get(rate)?.push(us);
    console.log(`${folder} at ${rate}/s: ${us.toFixed(1)} us of CPU a reading`);
  }
  fleet.close();
  await service.end();
  await rm(dataDir, { recursive: true, force: true });
}

async function started(folder: string, dataDir: string) {
  const child = spawn(process.execPath, [join(folder, "main.js")], {
    env: {
      ...process.env,
      ...{ DATABASE_URL: "", DATA_DIR: dataDir, ADMIN_API_KEY: ADMIN_KEY },
      ...{ HTTP_HOST: "127.0.0.1", MQTT_HOST: "127.0.0.1", HTTP_PORT: "0", MQTT_PORT: "0" },
      ...{ DEVICE_READINGS_PER_S: "1000000", DEVICE_BURST_READINGS: "10000000" },
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.includes('"plumbline is ready"')) continue;
    const { http, mqtt } = JSON.parse(line) as { readonly http: string; readonly mqtt: string };
    child.stdout.resume();
    const end = async () => {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    };
    const api = createApiClient(http, ADMIN_KEY);
    return { api, mqttPort: Number(new URL(mqtt).port), pid: child.pid ?? 0, end };
  }
  throw new Error(`${folder} did not become ready`);
}
